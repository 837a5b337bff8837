"""PDF: what is read, and by what name what cannot be read is told."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from evidence_lint.model.capture import Extraction
from evidence_lint.witness.excerpts import MatchKind, PageText
from evidence_lint_plugins.extractors import dispatch, workers
from evidence_lint_plugins.extractors import pdf as pdf_module
from tests.plugins.extractors.pdf_support import IMAGE, make_pdf, text_page

URL = "https://a.example/paper.pdf"
SENTENCE = "The lessor is not permitted to end it early."


@pytest.fixture(scope="module", autouse=True)
def _no_child_left() -> Iterator[None]:
    yield
    workers.close()


def read(body: bytes, media_type: str = "application/pdf") -> Extraction:
    return dispatch.extract(body, media_type, None, URL)


def test_text_of_all_pages_in_order() -> None:
    found = read(make_pdf([text_page(SENTENCE, "second line"), text_page("second (page)")], title="A paper"))
    assert found.text == f"{SENTENCE}\nsecond line\n\nsecond (page)"
    assert found.title == "A paper"
    assert found.problem is None
    assert not found.unsupported
    assert found.extractor.startswith("pypdfium2 ")


def test_line_ends_and_hyphens_are_left_to_the_matcher() -> None:
    """B045."""
    body = make_pdf([text_page("no one is permit-", "ted to say that price-", "determining is easy")])
    page = PageText(read(body).text)
    for quote in ("no one is permitted to say", "price-determining is easy"):
        match = page.find(quote)
        assert match is not None
        assert match.kind is MatchKind.LOOSE


@pytest.mark.parametrize("media_type", ["application/octet-stream", "", "text/html", "application/x-pdf"])
def test_read_whatever_it_is_sent_as(media_type: str) -> None:
    """B049."""
    assert read(make_pdf([text_page(SENTENCE)]), media_type).text == SENTENCE


def test_mark_within_the_first_kibibyte() -> None:
    assert read(b"\r\nsome header\r\n" + make_pdf([text_page(SENTENCE)])).text == SENTENCE


def test_scanned_document() -> None:
    """B047."""
    found = read(make_pdf([IMAGE, IMAGE]))
    assert found.text == ""
    assert found.problem == "every page has no text layer (scanned or drawn)"
    assert not found.unsupported


def test_some_pages_scanned_and_blank_pages_not_counted() -> None:
    """B047."""
    found = read(make_pdf([text_page(SENTENCE), IMAGE, b"", IMAGE, IMAGE, text_page("end")]))
    assert found.text == f"{SENTENCE}\n\nend"
    assert found.problem == "of 6 pages, each of these has no text layer (scanned or drawn): 2, 4-5"


def test_encrypted_document() -> None:
    found = read(make_pdf([text_page(SENTENCE)], password="secret"))
    assert (found.text, found.problem) == ("", "the PDF is encrypted and needs a password")


def test_encrypted_document_that_opens_without_a_password() -> None:
    assert read(make_pdf([text_page(SENTENCE)], password="")).text == SENTENCE


WHOLE = make_pdf([text_page(SENTENCE)])


@pytest.mark.parametrize(
    "body",
    [
        WHOLE[:77],  # B048
        b"%PDF-1.4\n",
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"
        b"endobj\ntrailer<</Root 1 0 R>>",  # B048: a loop in the page tree
        b"%PDF-1.7\n" + random.Random(1).randbytes(5000),
    ],
)
def test_damaged_document(body: bytes) -> None:
    found = read(body)
    assert found.text == ""
    assert found.problem is not None
    assert "damaged" in found.problem


def test_cross_reference_table_lost() -> None:
    found = read(WHOLE.replace(b"xref", b"xxxx"))
    assert SENTENCE in found.text or found.problem is not None


@pytest.mark.parametrize("body", [b"<!DOCTYPE html><title>Sign in</title><p>Please sign in", b"", b"gone"])
def test_not_the_document(body: bytes) -> None:
    """B049."""
    found = read(body)
    assert found.text == ""
    assert found.problem is not None
    assert found.problem.startswith("not the document")
    assert not found.unsupported


def test_time_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """B048: the file is told as unread, and the next one is read."""
    monkeypatch.setattr(dispatch, "PDF_SECONDS", 1.0)
    heavy = b"1 2 m 300 400 l S\n" * 2_000_000
    found = read(make_pdf([heavy] * 4 + [text_page(SENTENCE)]))
    assert found.problem is not None
    assert "longer than" in found.problem
    monkeypatch.undo()
    assert read(WHOLE).text == SENTENCE


def test_pages_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_module, "MOST_PAGES", 2)
    found = pdf_module.extract_pdf(make_pdf([text_page(f"page {n}") for n in range(1, 5)]), 20.0)
    assert found.text == "page 1\n\npage 2"
    assert found.problem == "it has 4 pages, of which the first 2 were read"


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "find_spec", lambda _name: None)
    found = read(WHOLE)
    assert found.unsupported
    assert found.problem == dispatch.PDF_HINT
    assert "evidence-lint[pdf]" in dispatch.PDF_HINT


def test_same_document_same_text() -> None:
    """B055."""
    bodies = [make_pdf([text_page(SENTENCE)]), make_pdf([text_page("other"), IMAGE]), WHOLE[:300]]
    first = [read(body) for body in bodies]
    assert [read(body) for body in reversed(bodies)] == first[::-1]

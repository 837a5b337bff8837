"""What a body is, whatever the server calls it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint_plugins.extractors.sniff import Kind, sniff

URL = "https://a.example/page"
HTML = b"<!DOCTYPE html><title>Sign in</title>"


@pytest.mark.parametrize(
    ("body", "media_type", "url", "kind"),
    [
        (HTML, "text/html", URL, Kind.HTML),
        (HTML, "TEXT/HTML; charset=x", URL, Kind.HTML),
        (HTML, "", URL, Kind.HTML),
        (b"\xef\xbb\xbf\n <!-- c -->\n<html lang=en>", "application/octet-stream", URL, Kind.HTML),
        ("<html>".encode("utf-16"), "", URL, Kind.HTML),
        (HTML, "text/plain", URL, Kind.TEXT),
        (HTML, "application/xhtml+xml", URL, Kind.XHTML),
        (b"<?xml version='1.0'?><rss/>", "", URL, Kind.XML),
        (b"<rss/>", "application/rss+xml", URL, Kind.XML),
        (b"<svg/>", "image/svg+xml", URL, Kind.XML),
        (b'{"a": 1}', "", URL, Kind.JSON),
        (b'{"a": 1}', "application/ld+json", URL, Kind.JSON),
        (b"# T", "text/markdown", URL, Kind.MARKDOWN),
        (b"# T", "text/plain", "https://raw.example/README.md?x=1", Kind.MARKDOWN),
        (b"words", "", URL, Kind.TEXT),
        (b"", "", URL, Kind.TEXT),
        (b"a,b", "text/csv", URL, Kind.TEXT),
        (b"%PDF-1.7\n\0\1", "application/pdf", URL, Kind.PDF),
        (b"%PDF-1.7\n\0\1", "application/octet-stream", URL, Kind.PDF),
        (b"%PDF-1.7\n\0\1", "text/html", URL, Kind.PDF),
        (b"\r\n" * 500 + b"%PDF-1.7\n", "", URL, Kind.PDF),
        (b"HTTP junk\n%PDF-1.7\n", "application/pdf", URL, Kind.PDF),
        (b"<p>A file starts with %PDF-1.7", "text/html", URL, Kind.HTML),
        (b"<p>A file starts with %PDF-1.7", "", URL, Kind.HTML),
        (b"A PDF starts with %PDF-1.7", "text/plain", URL, Kind.TEXT),
    ],
)
def test_kinds(body: bytes, media_type: str, url: str, kind: Kind) -> None:
    found = sniff(body, media_type, url)
    assert (found.kind, found.problem, found.mismatch) == (kind, None, False)


@pytest.mark.parametrize(
    ("body", "media_type", "said"),
    [
        (b"\x89PNG\r\n\x1a\n", "", "an image"),
        (b"PK\x03\x04", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "ZIP"),
        (b"\x1f\x8b\x08", "text/html", "gzip"),
        (bytes(range(256)), "", "binary data"),
        (bytes(range(32)) * 20, "text/plain", "binary data"),
        (b"words", "application/x-thing", "the media type application/x-thing"),
    ],
)
def test_unreadable(body: bytes, media_type: str, said: str) -> None:
    found = sniff(body, media_type, URL)
    assert found.kind is Kind.UNREADABLE
    assert found.problem is not None
    assert said in found.problem
    assert not found.mismatch


@pytest.mark.parametrize(
    ("body", "said"),
    [(HTML, "a web page"), (b"", "nothing"), (b"sorry", "other text"), (b"\x89PNG\r\n\x1a\n", "an image")],
)
def test_announced_as_pdf_but_not_the_document(body: bytes, said: str) -> None:
    """B049."""
    found = sniff(body, "application/pdf", URL)
    assert found.kind is Kind.UNREADABLE
    assert found.mismatch
    assert found.problem == f"not the document: announced as application/pdf, the answer holds {said}"


def test_page_at_the_address_of_a_pdf_is_read_and_told() -> None:
    """B049: such a page may be a viewer, a log-in or an error."""
    found = sniff(HTML, "text/html", "https://a.example/files/report.PDF?dl=1")
    assert found.kind is Kind.HTML
    assert found.problem is not None
    assert "ends in .pdf" in found.problem


@given(
    st.binary(max_size=200), st.sampled_from(["", "text/html", "application/pdf", "x/y", ";;"]), st.text(max_size=20)
)
def test_never_raises(body: bytes, media_type: str, url: str) -> None:
    found = sniff(body, media_type, url)
    assert (found.problem is not None) == (found.kind is Kind.UNREADABLE or found.mismatch)

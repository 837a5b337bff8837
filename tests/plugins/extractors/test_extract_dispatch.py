"""The one extractor that captures use."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from evidence_lint_plugins.extractors import extract, extractors, workers

URL = "https://a.example/page"


@pytest.fixture(scope="module", autouse=True)
def _no_child_left() -> Iterator[None]:
    yield
    workers.close()


@pytest.mark.parametrize(
    ("body", "media_type", "charset", "text", "used"),
    [
        (b"<p>caf\xe9<p hidden>h", "text/html", "latin-1", "café", "windows-1252"),
        (b"<meta charset=koi8-r><p>\xc1", "text/html", None, "а", "koi8-r"),
        (b"<p>x", "", None, "x", "utf-8"),
        (b"<html xmlns='x'><body><script/>a<br/>b</body></html>", "application/xhtml+xml", None, "a\nb", "utf-8"),
        (b"<?xml version='1.0' encoding='iso-8859-1'?><a>\xe9</a>", "text/xml", None, "é", "windows-1252"),
        (b"# T\n\n*x*", "text/markdown", None, "# T\n\n*x*\n\nT\n\nx", "utf-8"),
        (b'{"a":1}', "application/json", None, '{"a":1}', "utf-8"),
        (b"<p>raw", "text/plain", None, "<p>raw", "utf-8"),
    ],
)
def test_kinds(body: bytes, media_type: str, charset: str | None, text: str, used: str) -> None:
    found = extract(body, media_type, charset, URL)
    assert (found.text, found.charset, found.problem, found.unsupported) == (text, used, None, False)
    assert found.extractor


def test_problems_are_joined() -> None:
    found = extract(b"<p>" + b"\xff\xfe\xfa " * 100, "text/html", "utf-8", "https://a.example/x.pdf")
    assert found.problem is not None
    assert "ends in .pdf" in found.problem
    assert "not valid utf-8" in found.problem


def test_unsupported_is_not_a_mismatch() -> None:
    assert extract(b"\x89PNG\r\n\x1a\n", "image/png", None, URL).unsupported
    assert not extract(b"<html>", "application/pdf", None, URL).unsupported


def test_every_media_type_is_looked_at() -> None:
    ((media_type, extractor),) = extractors()
    assert media_type == "*/*"
    assert extractor(b"<p>words</p>", "application/octet-stream", None, URL).text == "words"
    assert extractor(b"a,b", "text/csv", None, URL).text == "a,b"


def test_import_is_cheap_and_parsers_stay_in_children() -> None:
    script = (
        "import sys; from evidence_lint_plugins.extractors import extract, extractors; extractors();"
        "assert not {'selectolax', 'subprocess', 'charset_normalizer'} & set(sys.modules), 'costly import';"
        "assert extract(b'<p>x', 'text/html', None, '').text == 'x';"
        "assert not {'selectolax', 'pypdfium2', 'httpx'} & set(sys.modules), 'parser in the main process'"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")

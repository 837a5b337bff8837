"""The text layer of a PDF, page by page, on PDFium (extra ``pdf``); what could not be read is told.

Runs in a child process only (:mod:`evidence_lint_plugins.extractors.workers`). Line ends and hyphens stay as they are
on the page: whether ``permit-`` and ``ted`` are one word is for the matcher, which tries both.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import version
from typing import Protocol

from evidence_lint.model.capture import Extraction

MOST_PAGES = 3000
_MOST_CHARACTERS = 20_000_000
_PASSWORD, _SECURITY = 4, 5
#: PDFium joins a word that a line end divides, and puts one of these where the hyphen was.
_HYPHEN = re.compile("[\ufffe\x02]")
_LINE_END = re.compile(r"\r\n?")
_UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f]")


class _Text(Protocol):
    def get_text_range(self) -> str: ...
    def close(self) -> None: ...


class _Page(Protocol):
    def get_textpage(self) -> _Text: ...
    def get_objects(self) -> Iterable[object]: ...
    def close(self) -> None: ...


class _Document(Protocol):
    def __len__(self) -> int: ...
    def __getitem__(self, number: int) -> _Page: ...
    def get_metadata_value(self, key: str) -> str: ...


def extract_pdf(body: bytes, seconds: float) -> Extraction:
    """Read the text of at most :data:`MOST_PAGES` pages within about *seconds*; never raises for what a PDF holds."""
    pages: list[str] = []
    report = _Report()
    title: str | None = None
    # The rest of the time is for a last page that takes long, and for the answer.
    end = time.monotonic() + seconds * 0.7
    try:
        # Named here alone: the package brings no types.
        document: _Document = import_module("pypdfium2").PdfDocument(body[max(0, body.find(b"%PDF-", 0, 1024)) :])
        title = " ".join(document.get_metadata_value("Title").split()) or None
        _read_pages(document, pages, report, end)
    except MemoryError:
        report.stop(f"reading it needs more memory than is allowed ({len(pages)} pages were read)")
    except Exception as error:  # noqa: BLE001 - damage surfaces as many exceptions, and is told
        report.stop(_why(error))
    text = "\n\n".join(page for page in pages if page)
    extractor = f"pypdfium2 {version('pypdfium2')}"
    return Extraction(text, title=title, extractor=extractor, problem=report.problem(len(pages)))


def _why(error: Exception) -> str:
    code = getattr(error, "err_code", None)
    if code == _PASSWORD:
        return "the PDF is encrypted and needs a password"
    if code == _SECURITY:
        return "the PDF is encrypted in a way that cannot be read"
    return f"the PDF is damaged ({error})"[:300]


def _read_pages(document: _Document, pages: list[str], report: _Report, end: float) -> None:
    characters = 0
    report.total = len(document)
    for number in range(1, report.total + 1):
        if number > MOST_PAGES:
            report.stop(f"it has {report.total} pages, of which the first {MOST_PAGES} were read")
            return
        if time.monotonic() > end:
            report.stop(f"reading it takes longer than is allowed ({number - 1} of {report.total} pages were read)")
            return
        text = ""
        try:
            text = _read_page(document[number - 1], number, report)
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - one damaged page must not hide the others
            report.damaged.append(number)
        pages.append(text)
        characters += len(text)
        if characters > _MOST_CHARACTERS:
            report.stop(f"its text is too long, and was read to page {number}")
            return


def _read_page(page: _Page, number: int, report: _Report) -> str:
    try:
        layer = page.get_textpage()
        try:
            text = _LINE_END.sub("\n", _HYPHEN.sub("-\n", layer.get_text_range())).strip()
        finally:
            layer.close()
        if not text:
            # A page that is left blank lacks nothing.
            if any(True for _ in page.get_objects()):
                report.textless.append(number)
        elif len(_UNREADABLE.findall(text)) * 5 > len(text):
            report.unreadable.append(number)
        return text
    finally:
        page.close()


class _Report:
    """What was not read, by number of page."""

    def __init__(self) -> None:
        self.total = 0
        self.textless: list[int] = []
        self.unreadable: list[int] = []
        self.damaged: list[int] = []
        self._stopped: str | None = None

    def stop(self, why: str) -> None:
        """Say why reading ended before the end."""
        self._stopped = why

    def problem(self, read: int) -> str | None:
        """Put it in one line; None when all was read."""
        parts = [self._stopped] if self._stopped else []
        if self.total == 0 and not self._stopped:
            parts.append("the PDF is damaged (it has no pages)")
        for numbers, what in (
            (self.textless, "has no text layer (scanned or drawn)"),
            (self.unreadable, "has a text layer that cannot be read"),
            (self.damaged, "is damaged"),
        ):
            if len(numbers) == read == self.total:
                parts += [f"every page {what}"] if numbers else []
            elif numbers:
                parts.append(f"of {self.total} pages, each of these {what}: {_ranges(numbers)}")
        return "; ".join(parts) or None


def _ranges(numbers: list[int]) -> str:
    """Write 1, 2, 3 and 7 as ``1-3, 7``."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in spans]
    more = f" and {len(shown) - 20} more" if len(shown) > 20 else ""
    return ", ".join(shown[:20]) + more

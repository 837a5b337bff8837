"""The text layer of a PDF, page by page, on pypdf (extra ``pdf``); what could not be read is told.

Runs in a child process only (:mod:`evidence_lint_plugins.extractors.workers`). Line ends and hyphens stay as they are
on the page: whether ``permit-`` and ``ted`` are one word is for the matcher, which tries both.
"""

from __future__ import annotations

import io
import logging
import re
import signal
import time
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

import pypdf
from pypdf.errors import DependencyError, PyPdfError
from pypdf.generic import DictionaryObject

from evidence_lint.model.capture import Extraction

MOST_PAGES = 3000
_MOST_CHARACTERS = 20_000_000
_EXTRACTOR = f"pypdf {pypdf.__version__}"
_UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f]|/(?:g|G|C|c|uni)\\d+")


class _OutOfTimeError(Exception):
    """The time for a document is over."""


def extract_pdf(body: bytes, seconds: float) -> Extraction:
    """Read the text of at most :data:`MOST_PAGES` pages within about *seconds*; never raises for what a PDF holds."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    pages: list[str] = []
    report = _Report()
    title: str | None = None
    try:
        # The rest of the time is for the answer.
        with _clock(seconds * 0.8):
            reader = _open(body)
            title = _title(reader)
            _read_pages(reader, pages, report)
    except _OutOfTimeError:
        report.stop(f"reading it takes longer than is allowed ({len(pages)} pages were read)")
    except _LockedError as error:
        report.stop(str(error))
    except MemoryError:
        report.stop(f"reading it needs more memory than is allowed ({len(pages)} pages were read)")
    except (PyPdfError, RecursionError, Exception) as error:  # noqa: BLE001 - damage surfaces as any exception in pypdf
        report.stop(f"the PDF is damaged ({type(error).__name__}: {error})"[:300])
    text = "\n\n".join(page for page in pages if page)
    return Extraction(text, title=title, extractor=_EXTRACTOR, problem=report.problem(len(pages)))


class _LockedError(Exception):
    """The document is encrypted, and cannot be opened without a password or a library."""


def _open(body: bytes) -> pypdf.PdfReader:
    reader = pypdf.PdfReader(io.BytesIO(body[max(0, body.find(b"%PDF-", 0, 1024)) :]), strict=False)
    if reader.is_encrypted:
        try:
            # Most encrypted documents open without a password; only printing or copying is restricted.
            opened = reader.decrypt("")
        except DependencyError as error:
            raise _LockedError("the PDF is encrypted: install the package cryptography to read it") from error
        if not opened:
            raise _LockedError("the PDF is encrypted and needs a password")
    return reader


def _title(reader: pypdf.PdfReader) -> str | None:
    try:
        title = reader.metadata.title if reader.metadata is not None else None
    except (PyPdfError, ValueError, TypeError, KeyError, AttributeError):
        return None  # a damaged title is no reason to leave the text unread
    return " ".join(title.split()) or None if isinstance(title, str) else None


def _read_pages(reader: pypdf.PdfReader, pages: list[str], report: _Report) -> None:
    characters = 0
    report.total = len(reader.pages)
    for number, page in enumerate(reader.pages, 1):
        if number > MOST_PAGES:
            report.stop(f"it has {report.total} pages, of which the first {MOST_PAGES} were read")
            return
        try:
            text = page.extract_text().strip()
        except (_OutOfTimeError, MemoryError):
            raise
        except Exception:  # noqa: BLE001 - one damaged page must not hide the others
            report.damaged.append(number)
            text = ""
        else:
            if not text and _shows_something(page):
                report.textless.append(number)
            elif len(_UNREADABLE.findall(text)) * 5 > len(text):
                report.unreadable.append(number)
        pages.append(text)
        characters += len(text)
        if characters > _MOST_CHARACTERS:
            report.stop(f"its text is too long, and was read to page {number}")
            return


def _shows_something(page: pypdf.PageObject) -> bool:
    """Tell a page that is an image or a drawing from one that is left blank."""
    try:
        resources = page.get("/Resources")
        resources = resources.get_object() if resources is not None else None
        if isinstance(resources, DictionaryObject) and resources.get("/XObject"):
            return True
        contents = page.get_contents()
        return contents is not None and bool(contents.get_data().strip())
    except (_OutOfTimeError, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - what cannot be told counts as something that was not read
        return True


class _Report:
    """What was not read, by number of page."""

    def __init__(self) -> None:
        self.total = 0
        self.textless: list[int] = []
        self.unreadable: list[int] = []
        self.damaged: list[int] = []
        self._stopped: str | None = None

    def stop(self, why: str) -> None:
        self._stopped = why

    def problem(self, read: int) -> str | None:
        """Put it in one line; None when all was read."""
        parts = [self._stopped] if self._stopped else []
        if self.total == 0 and not self._stopped:
            parts.append("the PDF is damaged (it has no pages)")
        for numbers, what in (
            (self.textless, "no text layer (scanned or drawn)"),
            (self.unreadable, "a text layer that cannot be read"),
            (self.damaged, "damage"),
        ):
            if numbers:
                where = "every page has" if len(numbers) == read and read > 1 else f"{_ranges(numbers)} of {self.total}"
                parts.append(f"{where} {what}" if where.startswith("every") else f"{what}: {where}")
        return "; ".join(parts) or None


def _ranges(numbers: list[int]) -> str:
    """Write ``1, 2, 3, 7`` as ``pages 1-3, 7``."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in spans]
    more = f" and {len(shown) - 20} more ranges" if len(shown) > 20 else ""
    return f"page{'s' if len(numbers) > 1 else ''} {', '.join(shown[:20])}{more}"


@contextmanager
def _clock(seconds: float) -> Generator[None]:
    """Raise :class:`_OutOfTimeError` in the block after *seconds*, whatever runs in it."""
    end = time.monotonic() + seconds

    def ring(_number: int, _frame: FrameType | None) -> None:
        # Again soon: a handler of exceptions within the library may have swallowed the first one.
        if time.monotonic() < end + seconds:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
        raise _OutOfTimeError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

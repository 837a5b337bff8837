"""Text extraction from fetched pages: HTML, XHTML, XML, plain text, Markdown, JSON, and PDF with the extra ``pdf``.

Importing this package is cheap: what reads a page is imported when the first page is read.
"""

from __future__ import annotations

from collections.abc import Iterable

from evidence_lint.model.capture import Extraction, Extractor

_MEDIA_TYPES = (
    "text/html",
    "application/xhtml+xml",
    "text/plain",
    "text/markdown",
    "application/json",
    "application/xml",
    "text/xml",
    "application/pdf",
)


def extract(body: bytes, media_type: str, charset: str | None, url: str, /) -> Extraction:
    """Read the text of *body* by what it is (:func:`evidence_lint_plugins.extractors.dispatch.extract`)."""
    from evidence_lint_plugins.extractors import dispatch  # noqa: PLC0415 - costly, and not every run reads a page

    return dispatch.extract(body, media_type, charset, url)


def extractors() -> list[tuple[str, Extractor]]:
    """Return the media types that are read here; each sniffs for itself what a body really is."""
    return [(media_type, extract) for media_type in _MEDIA_TYPES]


def dispatcher(pairs: Iterable[tuple[str, Extractor]] = ()) -> Extractor:
    """Return one extractor for all media types: *pairs* first (the first of a type counts), else :func:`extract`."""
    own: dict[str, Extractor] = {}
    for media_type, extractor in pairs:
        own.setdefault(media_type.lower(), extractor)

    def dispatch(body: bytes, media_type: str, charset: str | None, url: str, /) -> Extraction:
        return own.get(media_type.partition(";")[0].strip().lower(), extract)(body, media_type, charset, url)

    return dispatch

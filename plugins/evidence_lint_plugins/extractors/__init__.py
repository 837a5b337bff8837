"""Text extraction from fetched pages: HTML, XHTML, XML, plain text, Markdown, JSON, and PDF with the extra ``pdf``.

Importing this package is cheap: what reads a page is imported when the first page is read, in a child process.
"""

from __future__ import annotations

from evidence_lint.model.capture import Extraction, Extractor


def extract(body: bytes, media_type: str, charset: str | None, url: str, /) -> Extraction:
    """Read the text of *body* by what it is (:func:`evidence_lint_plugins.extractors.dispatch.extract`)."""
    from evidence_lint_plugins.extractors import dispatch  # noqa: PLC0415 - costly, and not every run reads a page

    return dispatch.extract(body, media_type, charset, url)


def extractors() -> list[tuple[str, Extractor]]:
    """Return one extractor for every media type: what a body is must be seen, since servers are often wrong about it.

    A plug-in that names a media type of its own comes before it.
    """
    return [("*/*", extract)]

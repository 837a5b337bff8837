"""How web rules show the other side: passages of pages, and word diffs against them."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.verdict import Excerpted
from evidence_lint.witness.excerpts import PageText
from evidence_lint.witness.nearest import DiffPart

_AROUND = 120


def passage(origin: str, page: PageText, start: int, end: int) -> Excerpted:
    """A stretch of a page with some words around it."""
    return Excerpted(origin, (page.context(start, end, _AROUND),))


def word_diff(parts: tuple[DiffPart, ...]) -> tuple[tuple[str, str], ...]:
    """A diff as formats print it: *delete* stands only in the record, *insert* only in the page."""
    return tuple(_pairs(parts))


def _pairs(parts: tuple[DiffPart, ...]) -> Iterator[tuple[str, str]]:
    for part in parts:
        if part.op == "equal":
            yield "equal", part.page
            continue
        if part.excerpt:
            yield "delete", part.excerpt
        if part.page:
            yield "insert", part.page

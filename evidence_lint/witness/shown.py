"""What a person is shown beside a record: passages of pages, lines of blobs, and word diffs against them."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.verdict import Excerpted
from evidence_lint.witness.captures import Live
from evidence_lint.witness.code_facts import CodeEvidence
from evidence_lint.witness.excerpts import Match, PageText
from evidence_lint.witness.nearest import DiffPart
from evidence_lint.witness.units import Unit

_AROUND = 120


def passage(origin: str, page: PageText, start: int, end: int) -> Excerpted:
    """A stretch of a page with some words around it."""
    return Excerpted(origin, (page.context(start, end, _AROUND),))


def evidence_shown(unit: Unit, live: Live) -> tuple[Excerpted, ...]:
    """What stands behind an evidence entry: the matching passage or lines, or what is nearest with its difference."""
    if unit.web is not None:
        row = live.of(unit)
        if row is not None and row.capture.searchable:
            return _page_shown(row.capture.final_url, row.page, row.match, unit.ref.excerpt)
        page = unit.web.page
        if page is not None and page.extracted:
            return _page_shown(page.url, page.text, unit.web.match, unit.ref.excerpt)
    if unit.code is not None:
        return _code_shown(unit.code)
    return ()


def _page_shown(origin: str, page: PageText, match: Match | None, excerpt: str) -> tuple[Excerpted, ...]:
    if match is not None:
        return (passage(origin, page, match.start, match.end),)
    nearest = page.nearest(excerpt) if excerpt else None
    return () if nearest is None else (Excerpted(origin, (nearest.passage,), diff=word_diff(nearest.diff)),)


def _code_shown(code: CodeEvidence) -> tuple[Excerpted, ...]:
    if code.verified and code.lines is not None:
        origin = f"{code.path}:{code.lines[0]}" + (f" @ {code.commit_id[:12]}" if code.commit_id else " (work tree)")
        return (Excerpted(origin, tuple(code.excerpt.splitlines()), code.lines[0]),)
    return tuple(
        Excerpted(diagnosis.origin, diagnosis.found, diagnosis.first_line)
        for diagnosis in code.diagnoses
        if diagnosis.origin and diagnosis.found
    )


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

"""Sources in section 8 outside its numbered entries: nothing can cite them (chapter 1, "one numbered index")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evidence_lint.model.location import Span
from evidence_lint.model.report import EntryKind, Report, SourceEntry

_LINE = re.compile(r"[^\r\n]+")
_HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|^[ ]{0,3}(`{3,}|~{3,}).*?(?:^[ ]{0,3}\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_LEAD = re.compile(r"[ \t>|]*(?:[-*+][ \t]+)?(?:</?[a-z][^<>\n]{0,100}>[ \t]*)*[*_|]{0,3}[ \t]*", re.IGNORECASE)
_DEFINITION = re.compile(r"\[[^\]\n]{1,60}\]:")
_NOTE = re.compile(
    r"\W*(?:basis|sponsorship|methodology|archived?|archive copy|licen[cs]e|accessed|retrieved|captured"
    r"|via|notes?|see(?: also)?|"
    r"date|copy|mirror|permalink)\b",
    re.IGNORECASE,
)
_URL = r"<?https?://[^\s<>|]+>?|\[[^\]\n]{0,400}\]\(<?https?://[^\s<>]+>?\)|<a\b[^<>\n]{0,300}>[^<>\n]{0,300}</a>"
_DASH = r"(?:\s*[—―|]\s*|\s+(?:–|--?)\s+)"
_SHAPES = (
    re.compile(rf"{_DASH}(?:{_URL}){_DASH}", re.IGNORECASE),
    re.compile(rf"(?:{_URL}).{{0,200}}\((?:[^()\n]{{0,80}}[\s:])?T[1-5]\)", re.IGNORECASE),
    re.compile(rf"(?:\[[^\]\n]{{1,400}}\]\(<?https?://[^\s<>]+>?\)){_DASH}\w", re.IGNORECASE),
    re.compile(r"(?:code|commit|test)\s+evidence\s*:?\s*(?:`[^`\n]+`|\S+)\s*[—–-]", re.IGNORECASE),
)
_LONGEST = 4000
_MOST = 200


def unnumbered_sources(report: Report) -> Sequence[SourceEntry]:
    """Lines of section 8 that have the shape of a source, outside its entries; their number is 0, its span empty."""
    section = report.section(8)
    if section is None:
        return ()
    taken = [entry.span for entry in report.entries]
    body = section.body
    taken += [
        Span(body.start + found.start(), body.start + found.end()) for found in _HIDDEN.finditer(body.of(report.text))
    ]
    taken.sort(key=lambda span: span.start)
    return tuple(_entries(report.text, body, taken))


def _entries(text: str, body: Span, taken: Sequence[Span]) -> Iterator[SourceEntry]:
    at, found = 0, 0
    for line in _LINE.finditer(text, body.start, body.end):
        while at < len(taken) and taken[at].end <= line.start():
            at += 1
        if at < len(taken) and taken[at].start < line.end():
            continue
        start = _start(text, line.start(), min(line.end(), line.start() + _LONGEST))
        if start is None:
            continue
        found += 1
        if found > _MOST:
            return
        span = Span(start, start + len(text[start : line.end()].rstrip()))
        yield SourceEntry(0, Span(start, start), span, EntryKind.UNKNOWN, span.of(text))


def _start(text: str, start: int, end: int) -> int | None:
    """Where the source of a line begins; None where the line is none."""
    lead = _LEAD.match(text, start, end)
    first = lead.end() if lead is not None else start
    if _DEFINITION.match(text, first, end) or _NOTE.match(text, first, end):
        return None
    if any(shape.search(text, first, end) for shape in _SHAPES[:3]) or _SHAPES[3].match(text, first, end):
        return first
    return None

"""Block quotes that give a source's words: a quotation without marks (CIT115)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from evidence_lint.model.location import Span
from evidence_lint.model.report import Prose

_QUOTED = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:>[ \t]*)+")
_CALLOUT = re.compile(
    r"\*\*|__|\[!|\W{0,4}(?:note|tip|warning|caution|important|remark|example|summary|caveat|in short|key \w+)\b"
    r"|[^\s:：]+(?:\s[^\s:：]+){0,3}[:：](?:\s|$)",
    re.IGNORECASE,
)
"""How a remark of the author's own begins that is only set as a block quote: a label, or something bold."""
_INTRODUCES = re.compile(r"[:：]\s*$")


def block_quotes(report: str, prose: Prose) -> Iterator[Span]:
    """Yield the paragraphs of *prose*, as ranges of its text, that a block quote gives as a source's words.

    A colon before the block quote, or a citation in it, says so; a callout (``> **Note**``) is the author's own.
    """
    introduced: bool | None = False
    before = (0, 0)
    start = 0
    for line in prose.text.split("\n"):
        end = start + len(line)
        inside = _mark(report, prose, start) if line.strip() else None
        if inside is None:
            if line.strip():
                introduced, before = None, (start, end)
        elif _CALLOUT.match(report, inside):
            introduced = False
        else:
            if introduced is None:
                plain = part_of(prose, *before)
                introduced = bool(_INTRODUCES.search(without_spans(plain.text, plain.citations)))
            if introduced or part_of(prose, start, end).citations:
                yield Span(start, end)
        start = end + 1


def _mark(report: str, prose: Prose, start: int) -> int | None:
    """Where the words behind the mark of a block quote begin in the report; None where no such mark is."""
    origin = prose.origins[start]
    line = report.rfind("\n", 0, origin) + 1
    found = _QUOTED.match(report, line)
    return found.end() if found is not None else None


def without_spans(text: str, spans: Sequence[Span]) -> str:
    """Return *text* without some ranges of it that do not overlap."""
    parts: list[str] = []
    at = 0
    for span in sorted(spans):
        parts.append(text[at : span.start])
        at = span.end
    return "".join([*parts, text[at:]])


def part_of(prose: Prose, start: int, end: int) -> Prose:
    """Characters ``start..end`` of running text, with their origins, code and citations."""
    return Prose(
        prose.text[start:end],
        prose.origins[start:end],
        tuple(_cut(prose.code, start, end)),
        tuple(_cut(prose.citations, start, end)),
    )


def _cut(spans: Sequence[Span], start: int, end: int) -> Iterator[Span]:
    """The parts of ordered ranges that lie in one range, counted from its start."""
    for span in spans[max(0, bisect_right(spans, start, key=lambda one: one.start) - 1) :]:
        if span.start >= end:
            break
        if span.end > start:
            yield Span(max(span.start, start) - start, min(span.end, end) - start)

"""Labelled findings that stand elsewhere than in a bullet of section 4 (chapters 1 and 3).

A reader takes ``**Title** (High confidence): …`` for a finding wherever it stands: in a nested bullet, a second
paragraph, a table, a raw HTML block, another section. So every such head is looked for in the running text. Prose that
only speaks of confidence has no bold head with a label right behind it, and is left alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from evidence_lint.model.location import Span
from evidence_lint.model.report import StatedFinding
from evidence_lint.parse.labels import Head, label_rank, strict_head
from evidence_lint.parse.rendered import Rendered

_LONGEST_TITLE = 400
_MARKS = re.compile(r"[*_`~\\]")
_DISCLOSURE = re.compile(
    r"\b(?:omit\w*|omission|left out|leaves? out|downgrad\w*|not published|unpublished|unverified"
    r"|withheld|dropped|removed|excluded|unusable|(?:not|n['’]t)\s+(?:be\s+)?(?:verif\w+|published|confirmed|found|earned?))\b|省略|降级|未发布|未验证|未核实",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A labelled head in running text: its ranges, and where its finding begins and ends."""

    head: Head
    start: int
    end: int


def labelled_heads(text: Rendered, *, home: bool, after: int = 0) -> list[Labelled]:
    """The labelled heads from ``after`` on, in order; ``home`` is section 4, where more forms are a label."""
    heads: list[Head] = []
    for start, end in _outermost(text, after):
        if heads and start < heads[-1].statement:
            continue
        head = strict_head(text, start, end, home=home) if end - start <= _LONGEST_TITLE else None
        if head is not None:
            heads.append(head)
    found: list[Labelled] = []
    for place, head in enumerate(heads):
        limit = heads[place + 1].title[0] if place + 1 < len(heads) else len(text.text)
        found.append(Labelled(head, head.title[0], _statement_end(text.text, head, limit)))
    return found


def _outermost(text: Rendered, after: int) -> list[tuple[int, int]]:
    """Strong and emphasised ranges that lie in no other."""
    kept: list[tuple[int, int]] = []
    for start, end in sorted((*text.strong, *text.emphasis), key=lambda one: (one[0], -one[1])):
        if start >= after and end > start and (not kept or start >= kept[-1][1]):
            kept.append((start, end))
    return kept


def _statement_end(plain: str, head: Head, limit: int) -> int:
    """The end of the block in which the statement stands; of the next one where only the head stands in its own."""
    end = plain.find("\n", max(head.statement, head.label_at[1] if head.label_at else 0))
    return limit if end < 0 else min(end, limit)


def without(text: Rendered, ranges: Sequence[tuple[int, int]]) -> Rendered:
    """The text with some ranges cut out, and all that lies over them. In linear time, however many they are."""
    starts = [start for start, _ in ranges]
    lost = list(accumulate((end - start for start, end in ranges), initial=0))
    kept = list(zip([0, *(end for _, end in ranges)], [*starts, len(text.text)], strict=True))

    def moved(start: int, end: int) -> tuple[int, int] | None:
        place = bisect_right(starts, start)
        clear = (place == 0 or ranges[place - 1][1] <= start) and (place == len(ranges) or starts[place] >= end)
        return (start - lost[place], end - lost[place]) if clear else None

    def all_moved(marks: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        return [found for mark in marks if (found := moved(*mark)) is not None]

    return Rendered(
        "".join(text.text[a:b] for a, b in kept),
        [origin for a, b in kept for origin in text.origins[a:b]],
        "".join(text.mask[a:b] for a, b in kept),
        all_moved(text.code),
        all_moved(text.strong),
        all_moved(text.emphasis),
        [],
        [replace(mark, start=at[0], end=at[1]) for mark in text.cites if (at := moved(mark.start, mark.end))],
        [at[0] for place in text.breaks if (at := moved(place, place + 1))],
    )


def excerpt(text: Rendered, start: int, end: int) -> Rendered:
    """The part ``start..end`` with its code and citations, found by bisection."""
    code = text.code[bisect_left(text.code, (start, 0)) : bisect_left(text.code, (end, 0))]
    first = bisect_left(text.cites, start, key=lambda mark: mark.start)
    last = bisect_left(text.cites, end, key=lambda mark: mark.start)
    return Rendered(
        text.text[start:end],
        text.origins[start:end],
        text.mask[start:end],
        [(a - start, b - start) for a, b in code if b <= end],
        cites=[
            replace(mark, start=mark.start - start, end=mark.end - start)
            for mark in text.cites[first:last]
            if mark.end <= end
        ],
    )


def discloses(text: Rendered, one: Labelled) -> bool:
    """Whether section 9 only tells that this finding was left out or lowered."""
    end = text.text.find("\n", one.end)
    line = text.text[one.start : end if end >= 0 else len(text.text)]
    return not excerpt(text, one.start, one.end).cites and _DISCLOSURE.search(line) is not None


def _key(title: str) -> str:
    return " ".join(_MARKS.sub("", title).split()).strip(" .,;:!?…。．，；：！？").casefold()


def settle(published: Sequence[StatedFinding], embedded: Sequence[StatedFinding]) -> tuple[StatedFinding, ...]:
    """Published findings, then the embedded ones that are no repetition.

    A repetition of a title says nothing new unless its label is higher: then that label is what the report states.
    """
    kept = list(published)
    places: dict[str, int] = {}
    for place, finding in enumerate(kept):
        if finding.title:
            best = places.get(_key(finding.title))
            if best is None or label_rank(kept[best].label) < label_rank(finding.label):
                places[_key(finding.title)] = place
    for finding in embedded:
        key = _key(finding.title)
        known = places.get(key)
        if known is None:
            places[key] = len(kept)
            kept.append(replace(finding, number=len(kept) + 1))
        elif label_rank(finding.label) > label_rank(kept[known].label) > 0:
            kept[known] = replace(kept[known], label=finding.label, label_span=finding.label_span)
    return tuple(kept)


class Taken:
    """Spans that are spoken for."""

    def __init__(self, spans: Iterable[Span]) -> None:
        """``spans`` may touch, but do not overlap."""
        self._spans = sorted(spans, key=lambda span: (span.start, span.end))
        self._starts = [span.start for span in self._spans]

    def overlaps(self, span: Span) -> bool:
        """Whether a span shares a character with one of them."""
        last = bisect_left(self._starts, span.end) - 1
        return last >= 0 and self._spans[last].end > span.start

"""Citation markers in running text (chapter 1, "Citations")."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from evidence_lint.model.location import Span
from evidence_lint.parse.rendered import CiteMark, Rendered

HIGHEST = 999
"""A larger number in brackets is a year or an amount."""

WIDEST = 60
"""A wider range is an interval unless both its ends are in the index."""

_MARKER = re.compile(r"\[[ \t]*(\d{1,4}(?:[ \t]*[-–—,;，、；][ \t]*\d{1,4})*)[ \t]*\]")
_PART = re.compile(r"(\d+)(?:\s*[-–—]\s*(\d+))?")
_BARE = re.compile(r"\s*\[?\s*(\d{1,4}(?:\s*[-–—,;，、；]\s*\d{1,4})*)\s*\]?\s*")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Index:
    """What a citation can resolve to: the numbers of section 8 and the URLs of its entries."""

    numbers: Collection[int] = frozenset()
    urls: Collection[str] = frozenset()
    """URLs of the entries, without a final slash."""
    definitions: Mapping[int, str] = field(default_factory=dict[int, str])
    """Link definitions of the report whose label is a number."""

    def holds(self, url: str, numbers: Collection[int]) -> bool:
        """Whether a link with the text of these numbers leads to an index entry."""
        if url.rstrip("/") in self.urls or any(self.definitions.get(number) == url for number in numbers):
            return True
        if not url.startswith("#"):
            return False
        found = {int(digits) for digits in _NUMBER.findall(url)[:8] if len(digits) < 5}
        return bool(found & set(numbers)) or "source" in url.lower() or "reference" in url.lower()


def mark_citations(rendered: Rendered, index: Index) -> None:
    """Fill ``rendered.cites``. The text must be one inline run: no marker crosses a block."""
    marks = _linked(rendered, index)
    taken = [
        (mark.start, mark.end) for mark in rendered.links if _BARE.fullmatch(_text(rendered, mark.start, mark.end))
    ]
    for chain in _chains(rendered, taken):
        read = [(match, _numbers(rendered, match.start(1), match.end(1), index)) for match in chain]
        start = chain[0].start()
        touching = start > 0 and rendered.origins[start - 1] + 1 == rendered.origins[start]
        # One index of ``matrix[1][9]`` that leads nowhere tells that the others are none of the source index either.
        if (touching and _is_word(rendered.text[start - 1])) and not all(
            any(number in index.numbers for number, _ in numbers) for _, numbers in read
        ):
            continue
        marks.extend(
            CiteMark(*match.span(), rendered.span(*match.span()), numbers) for match, numbers in read if numbers
        )
    rendered.cites = sorted(marks, key=lambda mark: mark.start)


def _chains(rendered: Rendered, taken: list[tuple[int, int]]) -> list[list[re.Match[str]]]:
    """The brackets that hold numbers, those that touch each other together; ``taken`` are links."""
    chains: list[list[re.Match[str]]] = []
    for match in _MARKER.finditer(rendered.mask):
        start, end = match.span()
        if any(a <= start and end <= b for a, b in taken):
            continue
        if chains and chains[-1][-1].end() == start and rendered.origins[start - 1] + 1 == rendered.origins[start]:
            chains[-1].append(match)
        else:
            chains.append([match])
    return chains


def _text(rendered: Rendered, start: int, end: int) -> str:
    return rendered.text[start:end] if end - start < 80 else ""


def _linked(rendered: Rendered, index: Index) -> list[CiteMark]:
    """Links whose text is a bare number and whose destination is an entry."""
    marks: list[CiteMark] = []
    for link in rendered.links:
        bare = _BARE.fullmatch(_text(rendered, link.start, link.end))
        if bare is None:
            continue
        numbers = _numbers(rendered, link.start + bare.start(1), link.start + bare.end(1), index)
        if numbers and index.holds(link.url, [number for number, _ in numbers]):
            marks.append(CiteMark(link.start, link.end, link.source, numbers))
    return marks


def _is_word(char: str) -> bool:
    """Letters that an index could follow; ideographs and kana are followed by citations without a space."""
    return char == "_" or (char.isalnum() and ord(char) < 0x2E80)


def _numbers(rendered: Rendered, start: int, end: int, index: Index) -> tuple[tuple[int, Span], ...]:
    """The numbers between the brackets, or none when it is no citation."""
    found: list[tuple[int, Span]] = []
    for part in _PART.finditer(rendered.text, start, end):
        first = int(part.group(1))
        last = int(part.group(2)) if part.group(2) else None
        ends = [first] if last is None else [first, last]
        if any(number > HIGHEST or (number == 0 and number not in index.numbers) for number in ends):
            return ()
        if last is None:
            found.append((first, rendered.span(*part.span(1))))
            continue
        known = sum(number in index.numbers for number in ends)
        if abs(last - first) > WIDEST and known < 2:
            return ()
        found.append((first, rendered.span(*part.span(1))))
        if known and last - first <= HIGHEST:
            whole = rendered.span(*part.span())
            found.extend((number, whole) for number in range(first + 1, last))
        if last != first:
            found.append((last, rendered.span(*part.span(2))))
    return tuple(found)

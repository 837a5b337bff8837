"""The stretches of a text around given digits: a first, cheap place to look for a number in a long page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_DIGITS = re.compile(r"[0-9]+")
_REACH = 80
_SEARCH = 240
_MOST = 40
"""Occurrences that are looked at in one text; a number that is not among them is looked for in the whole."""
_BEFORE = re.compile(r"[^\W\d_]{2}[.!?]?\s+[^\W\d_]{2}")


def surroundings(texts: Iterable[str], number: str) -> Iterator[str]:
    """Yield stretches of the texts in which the longest run of digits of *number* stands.

    A stretch is cut at line ends, or between two words, never beside a digit: what is read in it reads the same in
    the whole text.
    """
    runs = _DIGITS.findall(number)
    if not runs:
        return
    digits = max(runs, key=len)
    for text in texts:
        at, found, end = text.find(digits), 0, 0
        while at >= 0 and found < _MOST:
            found += 1
            if at >= end:
                start = _left(text, at)
                end = _right(text, at + len(digits))
                yield text[start:end]
            at = text.find(digits, at + len(digits))


def _left(text: str, at: int) -> int:
    """Where the stretch begins: a line's start, or between two words, at some distance before *at*."""
    line = text.rfind("\n", 0, at) + 1
    if at - line <= _REACH:
        return line
    cuts = list(_BEFORE.finditer(text, max(line, at - _SEARCH), at - _REACH // 2))
    return cuts[-1].end() - 2 if cuts else line


def _right(text: str, at: int) -> int:
    """Where the stretch ends: a line's end, or between two words, at some distance behind *at*."""
    line = text.find("\n", at)
    line = len(text) if line < 0 else line
    if line - at <= _REACH:
        return line
    cut = _BEFORE.search(text, at + _REACH // 2, min(line, at + _SEARCH))
    return cut.start() + 2 if cut is not None else line

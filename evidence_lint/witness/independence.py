"""Independence of units (chapter 3, rule 5): how many stand for themselves, and which are copies of one text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from evidence_lint.witness.captures import Live
from evidence_lint.witness.units import Unit
from evidence_lint.witness.web import SavedPage

_WORD = re.compile(r"\w+")
_SHINGLE = 5
_COPIES = 0.8
"""Share of the shorter text's five-word runs that the longer one has, from which on the two are copies."""
_FEWEST = 12
"""A text of fewer runs is too short to tell a copy from a coincidence, except when it is the same."""


def independent_units(units: Sequence[Unit], live: Live) -> int:
    """Count the largest set of units that are pairwise independent, found greedily (pairs of two are exact)."""
    urls = {row.unit: row.capture.final_url for row in live.all if row.supports}
    chosen: list[Unit] = []
    for unit in units:
        if all(unit.independent_of(other, urls) for other in chosen):
            chosen.append(unit)
    return len(chosen)


def mirrored(units: Sequence[Unit]) -> Iterator[tuple[Unit, Unit]]:
    """Yield pairs of web units of different domains whose saved texts are (nearly) the same."""
    web = [unit for unit in units if unit.web is not None and unit.web.page is not None]
    for one, other in combinations(web, 2):
        if one.independent_of(other) and copies(_text(one), _text(other)):
            yield one, other


def _text(unit: Unit) -> str:
    page: SavedPage | None = unit.web.page if unit.web is not None else None
    return page.text.text if page is not None else ""


def copies(one: str, other: str) -> bool:
    """Whether two normalised texts are (near-)copies: most runs of five words of the shorter stand in the other."""
    if one == other:
        return bool(one)
    first, second = _shingles(one), _shingles(other)
    shorter = min(len(first), len(second))
    return shorter >= _FEWEST and len(first & second) >= _COPIES * shorter


def _shingles(text: str) -> frozenset[bytes]:
    words = _WORD.findall(text)
    return frozenset(
        hashlib.blake2b(" ".join(words[at : at + _SHINGLE]).encode(), digest_size=8).digest()
        for at in range(max(0, len(words) - _SHINGLE + 1))
    )

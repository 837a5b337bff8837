"""The polarity screen: whether an excerpt denies what a claim asserts, or asserts what it denies (chapter 3).

A screen on words, not a judgement of meaning: it can only take support away, and an author may override it with a
rationale. Claim and excerpt conflict where they share a phrase of at least two content words, and everywhere that
they have it one of them denies what the other asserts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evidence_lint.witness.clauses import Clause, Sign, clauses, vocabulary
from evidence_lint.witness.languages import HAN

_LONGEST = 20_000
"""Characters of a text that are screened; what lies beyond is not judged."""
_LEAST_WEIGHT = 4
_WORD_WEIGHT = 2
_HAN = re.compile(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class PolarityConflict:
    """A phrase that both texts have, and which of them denies it."""

    phrase: str
    denied_by_claim: bool


@dataclass(frozen=True, slots=True)
class _Occurrence:
    clause: Clause
    signs: tuple[Sign, ...]
    shown: tuple[str, ...]


def polarity_conflicts(claim: str, excerpt: str) -> tuple[PolarityConflict, ...]:
    """Return the phrases at which *claim* and *excerpt* conflict, in the order of the claim; empty for none."""
    claim, excerpt = claim[:_LONGEST], excerpt[:_LONGEST]
    if claim.split() == excerpt.split():
        return ()
    stated = _phrases(clauses(claim, vocabulary(excerpt)))
    quoted = _phrases(clauses(excerpt, vocabulary(claim)))
    found: list[PolarityConflict] = []
    for key, ours in stated.items():
        theirs = quoted.get(key, ())
        if theirs and all(_opposed(one, other) for one in ours for other in theirs):
            conflict = PolarityConflict(_shown(ours[0].shown), ours[0].signs[0] is False)
            if all(conflict.phrase != earlier.phrase for earlier in found):
                found.append(conflict)
    return tuple(found)


def _phrases(read: Iterable[Clause]) -> Mapping[tuple[str, ...], Sequence[_Occurrence]]:
    """The shortest phrases of every clause: longer ones consist of them."""
    found: dict[tuple[str, ...], list[_Occurrence]] = defaultdict(list)
    for clause in read:
        for positions in _windows(clause.words):
            words = tuple(clause.words[at] for at in positions)
            if len(set(words)) < len(words) and len(words) == _WORD_WEIGHT:
                continue
            ordered = sorted(positions, key=lambda at: clause.words[at]) if len(words) == _WORD_WEIGHT else positions
            found[tuple(clause.words[at] for at in ordered)].append(
                _Occurrence(
                    clause,
                    tuple(clause.signs[at] for at in ordered),
                    tuple(clause.shown[at] for at in positions),
                )
            )
    return found


def _windows(words: Sequence[str]) -> Iterable[Sequence[int]]:
    """Neighbouring content words, and those with one word between; for ideographs, four in a row."""
    weights = [1 if _is_han(word) else _WORD_WEIGHT for word in words]
    for start in range(len(words)):
        weight = 0
        for end in range(start, len(words)):
            weight += weights[end]
            if weight >= _LEAST_WEIGHT:
                yield range(start, end + 1)
                break
        if start + 2 < len(words) and weights[start] == weights[start + 2] == _WORD_WEIGHT:
            yield (start, start + 2)


def _is_han(word: str) -> bool:
    return len(word) == 1 and not word.isascii() and _HAN.match(word) is not None


def _opposed(one: _Occurrence, other: _Occurrence) -> bool:
    if one.clause.partial or other.clause.partial:
        return False
    if any(a is None or b is None or a == b for a, b in zip(one.signs, other.signs, strict=True)):
        return False
    denied, asserted = (one, other) if one.signs[0] is False else (other, one)
    if asserted.clause.restricted and not denied.clause.restricted:
        return set(denied.clause.words) <= set(asserted.clause.words)
    return True


def _shown(words: Sequence[str]) -> str:
    return ("" if all(_is_han(word) for word in words) else " ").join(words)

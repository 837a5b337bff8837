"""The polarity screen: whether an excerpt denies what a claim asserts, or asserts what it denies (chapter 3).

A screen on words, not a judgement of meaning: it can only take support away, and an author may override it with a
rationale. Claim and excerpt conflict where they share a phrase of at least two content words, and everywhere that
they have it one of them denies what the other asserts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evidence_lint.witness.clauses import Clause, Sign, clauses, vocabulary
from evidence_lint.witness.languages import HAN
from evidence_lint.witness.sentence_tokens import Token, sentences

_LONGEST = 20_000
"""Characters of a text that are screened; what lies beyond is not judged."""
_LEAST_WEIGHT = 4
_WORD_WEIGHT = 2
_MOST_READINGS = 24
_HAN = re.compile(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class PolarityConflict:
    """The words of a clause of the claim that the excerpt shares, and which of the two denies them."""

    phrase: str
    denied_by_claim: bool


@dataclass(frozen=True, slots=True)
class _Occurrence:
    """A phrase in a clause: where its words stand, in the order of its key, and their signs."""

    clause: Clause
    positions: tuple[int, ...]

    @property
    def signs(self) -> tuple[Sign, ...]:
        return tuple(self.clause.signs[at] for at in self.positions)

    @property
    def reading(self) -> Hashable:
        """What matters to a comparison: occurrences with one reading need be compared once."""
        clause = self.clause
        whole = clause.words if clause.restricted or clause.denied_at or self.signs[0] else None
        return (self.signs, clause.partial, clause.hypothetical, whole)


def polarity_conflicts(claim: str, excerpt: str) -> tuple[PolarityConflict, ...]:
    """Return where *claim* and *excerpt* conflict: at most one place for each clause of the claim, in order."""
    claim, excerpt = claim[:_LONGEST], excerpt[:_LONGEST]
    if claim.split() == excerpt.split():
        return ()
    ours, theirs = vocabulary(claim), vocabulary(excerpt)
    if len(ours.words & theirs.words) < _WORD_WEIGHT:
        return ()
    read = clauses(claim, theirs, _repeated(claim, excerpt))
    answered = clauses(excerpt, ours)
    stated = _phrases(read)
    quoted = _phrases(answered)
    denied = tuple(_denied(side) for side in (read, answered))
    found: dict[int, set[int]] = defaultdict(set)
    order = {id(clause): number for number, clause in enumerate(read)}
    for key, asserted in stated.items():
        answers = quoted.get(key, ())
        if answers and all(
            _opposed(one, other) and not _conceded(one, other, denied) for one in asserted for other in answers
        ):
            for one in asserted:
                found[order[id(one.clause)]].update(one.positions)
    return tuple(_conflict(read[number], positions) for number, positions in sorted(found.items()))


def _repeated(claim: str, excerpt: str) -> frozenset[tuple[Token, ...]]:
    """The sentences of *claim* that stand in *excerpt* as they are, as a whole sentence or a clause at its edge."""
    lines = "\n".join(" ".join(token.text for token in sentence) for sentence in sentences(excerpt))
    return frozenset(
        sentence
        for sentence in sentences(claim)
        if re.search(
            rf"^(?:{re.escape(' '.join(token.text for token in sentence))})(?=$| (?:,|and|but)(?: |$))",
            lines,
            re.MULTILINE,
        )
    )


def _conflict(clause: Clause, positions: Collection[int]) -> PolarityConflict:
    words = [clause.shown[at] for at in sorted(positions)]
    phrase = ("" if all(_is_han(word) for word in words) else " ").join(words)
    return PolarityConflict(phrase, clause.signs[min(positions)] is False)


def _phrases(read: Iterable[Clause]) -> Mapping[tuple[str, ...], Sequence[_Occurrence]]:
    """The shortest phrases of every clause (longer ones consist of them), each with its distinct readings."""
    found: dict[tuple[str, ...], dict[Hashable, _Occurrence]] = defaultdict(dict)
    for clause in read:
        for window in _windows(clause.words):
            words = [clause.words[at] for at in window]
            pair = len(window) == _WORD_WEIGHT
            if pair and words[0] == words[1]:
                continue
            positions = tuple(sorted(window, key=lambda at: clause.words[at]) if pair else window)
            occurrence = _Occurrence(clause, positions)
            readings = found[tuple(clause.words[at] for at in positions)]
            if len(readings) < _MOST_READINGS:
                readings.setdefault(occurrence.reading, occurrence)
    return {key: tuple(readings.values()) for key, readings in found.items()}


def _windows(words: Sequence[str]) -> Iterable[Sequence[int]]:
    """Neighbouring content words, and those with one word between; for ideographs, four in a row.

    A numeral with the word that it counts is a quantity, and asserts nothing of itself; nor does a unit's symbol.
    """
    weights = [1 if _is_han(word) else _WORD_WEIGHT for word in words]
    for start in range(len(words)):
        if _slight(words, start):
            continue
        weight = 0
        for end in range(start, len(words)):
            if end > start and _symbol(words, end):
                break
            weight += weights[end]
            if weight >= _LEAST_WEIGHT:
                yield range(start, end + 1)
                break
        further = start + 2
        if further >= len(words) or _slight(words, further):
            continue
        if weights[start] == weights[further] == _WORD_WEIGHT:
            yield (start, further)


def _slight(words: Sequence[str], at: int) -> bool:
    """Whether a word is a number, or the symbol of its unit."""
    return words[at][0].isdigit() or _symbol(words, at)


def _symbol(words: Sequence[str], at: int) -> bool:
    """Whether a single letter follows a number (``0 c``)."""
    return at > 0 and len(words[at]) == 1 and words[at].isascii() and words[at - 1][0].isdigit()


def _same_predicate(denied: _Occurrence, asserted: Clause) -> bool:
    """Whether only the subject is shared, and the other clause denies what is denied of it in words of its own."""
    start = denied.clause.denied_at
    if start is None or any(at >= start for at in denied.positions):
        return False
    predicate = set(denied.clause.words[start:])
    return any(word in predicate and sign is False for word, sign in zip(asserted.words, asserted.signs, strict=True))


def _denied(read: Iterable[Clause]) -> Sequence[frozenset[str]]:
    """The words that each clause denies."""
    found = (frozenset(w for w, sign in zip(one.words, one.signs, strict=True) if sign is False) for one in read)
    return tuple(words for words in found if words)


def _conceded(one: _Occurrence, other: _Occurrence, denied: Sequence[Sequence[frozenset[str]]]) -> bool:
    """Whether the side that asserts denies elsewhere what else the other side's denial is about.

    ``Passwords are not stored in plain text`` agrees with ``hashes of passwords are stored, plain text is not``.
    """
    negative, positive, elsewhere = (one, other, denied[1]) if one.signs[0] is False else (other, one, denied[0])
    at = set(negative.positions)
    first = negative.clause.denied_at or 0
    rest = {word for place, word in enumerate(negative.clause.words) if place >= first and place not in at}
    if len(rest) < _WORD_WEIGHT or not rest.isdisjoint(positive.clause.words):
        return False
    return any(rest <= words for words in elsewhere)


def _is_han(word: str) -> bool:
    return len(word) == 1 and not word.isascii() and _HAN.match(word) is not None


def _opposed(one: _Occurrence, other: _Occurrence) -> bool:
    if one.clause.partial or other.clause.partial or one.clause.hypothetical != other.clause.hypothetical:
        return False
    if any(a is None or b is None or a == b for a, b in zip(one.signs, other.signs, strict=True)):
        return False
    denied, asserted = (one, other) if one.signs[0] is False else (other, one)
    if _same_predicate(denied, asserted.clause):
        return False
    if asserted.clause.restricted and not denied.clause.restricted:
        return set(denied.clause.words) <= set(asserted.clause.words)
    return True

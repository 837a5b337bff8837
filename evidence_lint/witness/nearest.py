"""The passage of a page that is most like an excerpt that does not stand in it: help for people, never a verdict.

The cost is bounded on any page: only windows around the excerpt's rarest words are compared.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from evidence_lint.witness.languages import STOP_WORDS, UNSPACED
from evidence_lint.witness.normalize import NormalizedText, normalize

DiffOp = Literal["equal", "insert", "delete", "replace"]

_TOKEN = re.compile(rf"[{UNSPACED}]|(?:[^\W{UNSPACED}]|(?<=\w)['’.,_-](?=\w))+|[^\w\s]")
_LONGEST = 6000
"""Characters of an excerpt that are compared; the rest is left out of the hint."""
_MOST_CLUES = 40
_MOST_HITS = 1500
_MOST_WINDOWS = 6
_SHINGLE = 5
_UNSPACED_SHINGLE = 2
_SLACK = 6


@dataclass(frozen=True, slots=True)
class DiffPart:
    """One step from the page's words to the excerpt's: ``delete`` is in the page only, ``insert`` in the excerpt."""

    op: DiffOp
    page: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """The best aligned passage: span in original characters, its text, likeness from 0 to 1, and a word diff."""

    start: int
    end: int
    passage: str
    similarity: float
    diff: tuple[DiffPart, ...]


def nearest_passage(page: NormalizedText, excerpt: str) -> Nearest | None:
    """Return the passage of *page* that is most like *excerpt*, or None when they share nothing."""
    excerpt = excerpt[:_LONGEST]
    wanted = normalize(excerpt)
    if not wanted or not page.text:
        return None
    best: tuple[float, int, int] | None = None
    for begin, end in _windows(page.text, wanted):
        candidate = _align(page.text, begin, end, wanted)
        if candidate and (best is None or candidate[0] > best[0]):
            best = candidate
    if best is None:
        return None
    similarity, first, last = best
    start, end = page.original_span(first, last)
    passage = page.original[start:end]
    return Nearest(start, end, passage, similarity, word_diff(passage, excerpt))


def word_diff(page: str, excerpt: str) -> tuple[DiffPart, ...]:
    """Return the differences between two passages, word by word and in their own spelling.

    Words are compared in normal form, so that a difference of case or of quotation marks is none.
    """
    theirs, ours = list(_TOKEN.finditer(page)), list(_TOKEN.finditer(excerpt))
    left, right = [normalize(token[0]) for token in theirs], [normalize(token[0]) for token in ours]
    parts: list[DiffPart] = []
    deleted, inserted = (0, 0), (0, 0)

    def flush() -> None:
        was, now = _slice(page, theirs, *deleted), _slice(excerpt, ours, *inserted)
        if was or now:
            op: DiffOp = "replace" if was and now else "delete" if was else "insert"
            parts.append(DiffPart(op, was, now))

    for code in Indel.opcodes(left, right):
        if code.tag == "equal":
            flush()
            parts.append(
                DiffPart(
                    "equal",
                    _slice(page, theirs, code.src_start, code.src_end),
                    _slice(excerpt, ours, code.dest_start, code.dest_end),
                )
            )
            deleted, inserted = (code.src_end, code.src_end), (code.dest_end, code.dest_end)
        else:
            deleted = (deleted[0], code.src_end)
            inserted = (inserted[0], code.dest_end)
    flush()
    return tuple(parts)


def _slice(text: str, tokens: Sequence[re.Match[str]], first: int, last: int) -> str:
    return text[tokens[first].start() : tokens[last - 1].end()] if first < last else ""


def _windows(text: str, wanted: str) -> list[tuple[int, int]]:
    """Return the most promising stretches of *text*: those that hold the most, and the rarest, clues."""
    width = len(wanted)
    scores: defaultdict[int, float] = defaultdict(float)
    for offset, clue in _clues(wanted):
        hits = _hits(text, clue)
        for at in hits:
            # Where the excerpt would begin if this clue stood at the same distance from its start.
            scores[max(0, at - offset) // width] += len(clue) / len(hits)
    if not scores:
        return []
    pairs = {bucket: score + scores.get(bucket + 1, 0.0) for bucket, score in list(scores.items())}
    best = sorted(pairs, key=lambda bucket: (-pairs[bucket], bucket))[:_MOST_WINDOWS]
    margin = width // 2 + 40
    return [
        (_word_start(text, bucket * width - margin), _word_end(text, (bucket + 3) * width + margin)) for bucket in best
    ]


def _clues(wanted: str) -> list[tuple[int, str]]:
    """Return words of the excerpt that can point into the page, the longest first, with their offsets."""
    clues: dict[str, int] = {}
    for token in re.finditer(rf"[^\W{UNSPACED}]+", wanted):
        if len(token[0]) > 2 and token[0] not in STOP_WORDS:
            clues.setdefault(token[0], token.start())
        for at in range(0, len(token[0]) - _SHINGLE, _SHINGLE):
            clues.setdefault(token[0][at : at + _SHINGLE], token.start() + at)
    for run in re.finditer(f"[{UNSPACED}]+", wanted):
        for at in range(len(run[0]) - _UNSPACED_SHINGLE + 1):
            clues.setdefault(run[0][at : at + _UNSPACED_SHINGLE], run.start() + at)
    if not clues:
        clues = {token[0]: token.start() for token in re.finditer(r"\S+", wanted)}
    ordered = sorted(clues.items(), key=lambda item: (-len(item[0]), item[1]))
    step = max(1, len(ordered) // _MOST_CLUES)
    return [(offset, clue) for clue, offset in ordered[::step][:_MOST_CLUES]]


def _hits(text: str, clue: str) -> list[int]:
    hits: list[int] = []
    at = text.find(clue)
    while at >= 0 and len(hits) < _MOST_HITS:
        hits.append(at)
        at = text.find(clue, at + len(clue))
    return hits


def _align(text: str, begin: int, end: int, wanted: str) -> tuple[float, int, int] | None:
    """Return likeness and span, in *text*, of the words of a window that are most like *wanted*."""
    tokens = list(_TOKEN.finditer(text, begin, end))
    words = [token[0] for token in _TOKEN.finditer(wanted)]
    if not tokens or not words:
        return None
    found = fuzz.partial_ratio_alignment(words, [token[0] for token in tokens])
    if found is None:
        return None
    # When the window is the shorter side the roles are exchanged, and all of it is the passage.
    first, last = (found.dest_start, found.dest_end) if len(words) <= len(tokens) else (0, len(tokens))
    last = max(last, first + 1)
    first, last = _refine(text, tokens, wanted, first, last)
    left, right = tokens[first].start(), tokens[last - 1].end()
    return Indel.normalized_similarity(text[left:right], wanted), left, right


def _refine(text: str, tokens: Sequence[re.Match[str]], wanted: str, first: int, last: int) -> tuple[int, int]:
    """Move the ends of a passage by a few words to where it is most like the excerpt."""

    def likeness(start: int, end: int) -> float:
        return Indel.normalized_similarity(text[tokens[start].start() : tokens[end - 1].end()], wanted)

    ends = range(max(first + 1, last - _SLACK), min(len(tokens), last + _SLACK) + 1)
    last = max(ends, key=lambda end: likeness(first, end))
    starts = range(max(0, first - _SLACK), min(last, first + _SLACK + 1))
    first = max(starts, key=lambda start: likeness(start, last))
    ends = range(max(first + 1, last - _SLACK), min(len(tokens), last + _SLACK) + 1)
    return first, max(ends, key=lambda end: likeness(first, end))


def _word_start(text: str, at: int) -> int:
    at = max(0, at)
    space = text.rfind(" ", max(0, at - 40), at)
    return space + 1 if space >= 0 else at


def _word_end(text: str, at: int) -> int:
    at = min(len(text), at)
    space = text.find(" ", at, at + 40)
    return space if space >= 0 else at

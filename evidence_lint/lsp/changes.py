"""The edits between two texts, as small as an editor likes them: the cursor stays, folds stay."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterator

from evidence_lint.engine.locate import line_starts

_MOST_LINES = 5_000
"""Lines up to which texts are compared line by line."""


def differences(before: str, after: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and new text of each change, in order: by lines, and in them no more than what changes."""
    old, new = _lines(before), _lines(after)
    alike = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    behind = sum(map(len, old[:alike]))
    old, new = old[alike:], new[alike:]
    if max(len(old), len(new)) > _MOST_LINES:
        old, new = ["".join(old)], ["".join(new)]
    at = [behind, *(behind + length for length in itertools.accumulate(map(len, old)))]
    for operation, first, last, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if operation != "equal":
            left, right = "".join(old[first:last]), "".join(new[start:end])
            head, tail = _common(left, right)
            yield at[first] + head, at[last] - tail, right[head : len(right) - tail]


def _common(left: str, right: str) -> tuple[int, int]:
    """How many characters two texts share at their starts and at their ends, never half of a line end."""
    limit = min(len(left), len(right))
    head = next((index for index in range(limit) if left[index] != right[index]), limit)
    head -= left[:head].endswith("\r")
    limit -= head
    tail = next((index for index in range(limit) if left[-1 - index] != right[-1 - index]), limit)
    # CR and LF are one line end: an editor has no position between them.
    tail -= tail > 0 and left[len(left) - tail] == "\n" and left[: len(left) - tail].endswith("\r")
    return head, tail


def _lines(text: str) -> list[str]:
    return [text[start:end] for start, end in itertools.pairwise([*line_starts(text), len(text)])]

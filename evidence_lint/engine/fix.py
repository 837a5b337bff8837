"""Applying fixes: edits that do not overlap, each file replaced as a whole, byte order mark and line ends kept."""

from __future__ import annotations

import codecs
import difflib
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from evidence_lint.errors import EvidenceLintError, OutputError
from evidence_lint.model.artifact import Artifact, Bundle
from evidence_lint.model.result import RunResult
from evidence_lint.model.verdict import Applicability, Fix, Outcome
from evidence_lint.sources.writing import replace_file

_Change: TypeAlias = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file before and after its fixes, decoded and without its byte order mark."""

    artifact: Artifact
    after: str
    fixes: int

    @property
    def before(self) -> str:
        """The text as it was checked."""
        return self.artifact.text or ""

    def encoded(self, text: str) -> bytes:
        """A text as the file's bytes, with its byte order mark."""
        return (codecs.BOM_UTF8 if self.artifact.bom else b"") + text.encode("utf-8")

    def diff(self, name: str) -> str:
        """A unified diff under the display name of the file; its lines are those of Git, which end at LF alone."""
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in difflib.unified_diff(_lines(self.before), _lines(self.after), f"a/{name}", f"b/{name}")
        )


def _lines(text: str) -> list[str]:
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines


def fixed_files(result: RunResult, *, unsafe: bool) -> list[FixedFile]:
    """Work out the texts with every fix applied that clashes with no earlier one, in the order of the verdicts.

    Two fixes that want the very same edit are both satisfied by it. A file that several bundles share is fixed once.
    Raises :class:`EvidenceLintError` when a rule's fix is no fix: an edit outside the text, or edits that overlap.
    """
    chosen = _Chosen()
    for row in result.bundles:
        for verdict in row.verdicts:
            fix = verdict.problem.fix if verdict.problem is not None else None
            if verdict.outcome is not Outcome.FAILED or fix is None:
                continue
            if unsafe or fix.applicability is Applicability.SAFE:
                chosen.add(row.bundle, fix, verdict.code)
    return chosen.files()


class _Chosen:
    """The edits that were accepted so far, by file."""

    def __init__(self) -> None:
        self._artifacts: dict[str, Artifact] = {}
        self._edits: dict[str, list[_Change]] = defaultdict(list)
        self._fixes: Counter[str] = Counter()

    def add(self, bundle: Bundle, fix: Fix, code: str) -> None:
        """Accept a fix whole, unless one of its edits clashes with an accepted one or is of a file that was not read.

        Edits that change nothing are dropped.
        """
        wanted: dict[str, list[_Change]] = defaultdict(list)
        for edit in fix.edits:
            artifact = bundle.artifacts.get(edit.artifact)
            if artifact is None or artifact.text is None:
                return
            if not 0 <= edit.start <= edit.end <= len(artifact.text):
                raise EvidenceLintError(f"a fix of {code} edits {artifact.path} outside its text; no file was changed")
            key = os.path.realpath(artifact.path)
            if self._artifacts.setdefault(key, artifact).text != artifact.text:
                return  # Two bundles read the file at different times; writing will tell that it changes.
            if artifact.text[edit.start : edit.end] != edit.text:
                wanted[key].append((edit.start, edit.end, edit.text))
        for changes in wanted.values():
            if any(_clash(one, other) for one, other in combinations(changes, 2)):
                raise EvidenceLintError(f"the edits of a fix of {code} overlap; no file was changed")
        fresh = {key: [c for c in changes if c not in self._edits[key]] for key, changes in wanted.items()}
        if any(_clash(one, other) for key, changes in fresh.items() for one in changes for other in self._edits[key]):
            return
        for key, changes in fresh.items():
            self._edits[key] += changes
            self._fixes[key] += 1

    def files(self) -> list[FixedFile]:
        """The fixed texts."""
        return [
            FixedFile(self._artifacts[key], apply_changes(self._artifacts[key].text or "", changes), self._fixes[key])
            for key, changes in self._edits.items()
            if changes
        ]


def _clash(one: _Change, other: _Change) -> bool:
    # An insertion at the edge of a replacement is beside it; two insertions in one place have no order.
    return one[:2] == other[:2] or (one[0] < other[1] and other[0] < one[1])


def apply_changes(text: str, changes: Iterable[_Change]) -> str:
    """Return the text with changes (start, end, new text) applied that do not overlap."""
    parts: list[str] = []
    position = 0
    for start, end, new in sorted(changes):
        parts += [text[position:start], new]
        position = end
    return "".join([*parts, text[position:]])


def write_fixed(files: Sequence[FixedFile]) -> None:
    """Replace files on disk: none, if any of them has changed meanwhile or cannot be read or written as text.

    Raises :class:`OutputError`.
    """
    for file in files:
        path = file.artifact.path
        try:
            unchanged = path.read_bytes() == file.encoded(file.before)
            file.encoded(file.after)
        except OSError as problem:
            raise OutputError(f"{path} cannot be read again: {problem.strerror}") from problem
        except UnicodeEncodeError as problem:
            raise OutputError(f"{path} would not be text with its fixes, and is left as it is") from problem
        if not unchanged:
            raise OutputError(f"{path} changed while it was checked, and is left as it is")
    for file in files:
        replace_file(file.artifact.path, file.encoded(file.after))

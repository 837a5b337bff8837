"""Applying fixes: edits that do not overlap, each file replaced as a whole, byte order mark and line ends kept."""

from __future__ import annotations

import codecs
import difflib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evidence_lint.errors import OutputError
from evidence_lint.model.artifact import Artifact, Bundle
from evidence_lint.model.result import RunResult
from evidence_lint.model.verdict import Applicability, Edit, Fix, Outcome
from evidence_lint.sources.writing import replace_file


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

    def diff(self, name: str) -> str:
        """A unified diff under the display name of the file."""
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in difflib.unified_diff(
                self.before.splitlines(keepends=True), self.after.splitlines(keepends=True), f"a/{name}", f"b/{name}"
            )
        )


def fixed_files(result: RunResult, *, unsafe: bool) -> list[FixedFile]:
    """Work out the texts with every fix applied that overlaps no earlier one, in the order of the verdicts.

    Two fixes that want the very same edit are both satisfied by it.
    """
    files: list[FixedFile] = []
    for row in result.bundles:
        chosen = _Chosen(row.bundle)
        for verdict in row.verdicts:
            fix = verdict.problem.fix if verdict.problem is not None else None
            if verdict.outcome is not Outcome.FAILED or fix is None:
                continue
            if unsafe or fix.applicability is Applicability.SAFE:
                chosen.add(fix)
        files += chosen.files()
    return files


class _Chosen:
    """The edits of one bundle that were accepted so far."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._edits: dict[str, list[Edit]] = defaultdict(list)
        self._fixes: dict[str, int] = defaultdict(int)

    def add(self, fix: Fix) -> None:
        """Accept a fix whole, unless one of its edits clashes with an accepted one."""
        fresh = [edit for edit in fix.edits if edit not in self._edits[edit.artifact]]
        if any(_clash(edit, other) for edit in fresh for other in self._edits[edit.artifact]):
            return
        for edit in fresh:
            self._edits[edit.artifact].append(edit)
        for name in {edit.artifact for edit in fix.edits}:
            self._fixes[name] += 1

    def files(self) -> Iterator[FixedFile]:
        """The fixed texts, of artifacts that were read."""
        for name, edits in self._edits.items():
            artifact = self._bundle.artifacts.get(name)
            if artifact is not None and artifact.text is not None and edits:
                yield FixedFile(artifact, apply_edits(artifact.text, edits), self._fixes[name])


def _clash(one: Edit, other: Edit) -> bool:
    if one.start == one.end == other.start == other.end:
        return True
    return one.start < other.end and other.start < one.end


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with edits applied that do not overlap."""
    parts: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*parts, text[position:]])


def write_fixed(file: FixedFile) -> None:
    """Replace the file on disk. Raises :class:`OutputError` when it has changed meanwhile or cannot be written."""
    path = file.artifact.path
    mark = codecs.BOM_UTF8 if file.artifact.bom else b""
    try:
        unchanged = path.read_bytes() == mark + file.before.encode("utf-8")
    except OSError as problem:
        raise OutputError(f"{path} cannot be read again: {problem.strerror}") from problem
    if not unchanged:
        raise OutputError(f"{path} changed while it was checked, and is left as it is")
    replace_file(path, mark + file.after.encode("utf-8"))

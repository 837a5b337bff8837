"""The checkout that records are held against, asked with care: every "no" comes with its reason (chapter 5)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from evidence_lint.errors import SourceError
from evidence_lint.model.repository import (
    CommitResolution,
    EntryKind,
    Refusal,
    Resolution,
    WorktreeRefusal,
)
from evidence_lint.sources.git_errors import ObjectMissing
from evidence_lint.sources.interface import RepositorySource
from evidence_lint.witness.code_facts import RepositoryFault
from evidence_lint.witness.code_lines import FileLines
from evidence_lint.witness.paths import join, path_bytes

_FILES_KEPT = 4

_FULL_CLONE = "Make the clone complete (`git fetch --unshallow`; in CI `fetch-depth: 0`) and check again."
_FULL_PARTIAL = "Make the clone complete (`git fetch --refetch --no-filter`) and check again."


@dataclass(frozen=True, slots=True)
class Refused:
    """Why something cannot be had from the repository."""

    fault: RepositoryFault
    message: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class FileAt:
    """A file as it stands in a commit, or in the work tree (``commit`` None). ``link`` is a symbolic link's target."""

    lines: FileLines
    path: str
    commit: str | None
    link: bool = False

    @property
    def place(self) -> str:
        """The file and its state, for a sentence."""
        where = f"at commit {self.commit[:12]}" if self.commit is not None else "in the work tree"
        return f"{self.path} {where}"

    def origin(self, line: int) -> str:
        """Where a line stands, for a heading."""
        where = f" @ {self.commit[:12]}" if self.commit is not None else " (work tree)"
        return f"{self.path}:{line}{where}"


class Checkout:
    """A repository, and the folder in it from which the records' paths count (``base``, "" for its top)."""

    def __init__(self, repository: RepositorySource, base: str = "") -> None:
        self.repository = repository
        self.base = base
        self._files: OrderedDict[str, FileLines] = OrderedDict()
        self._worktree: tuple[str, FileAt | Refused] | None = None

    def resolve(self, digits: str) -> str | Refused:
        """The full id of the commit that is pinned, or why there is none."""
        try:
            return _explained(self.repository.resolve(digits))
        except SourceError as error:
            message = f"Git could not look up commit {digits}: {error}"
            return Refused(RepositoryFault.COMMIT_UNREADABLE, message)

    def committed(self, commit: str, path: str) -> FileAt | Refused:
        """The file of a commit, by the commit's full id; a symbolic link is its own target text."""
        full = join(self.base, path)
        name = path_bytes(full) or b""
        where = f"in commit {commit[:12]}"
        try:
            entry = self.repository.entry(commit, name)
            if entry is None:
                why = self._on_the_way(commit, name) or f"there is no file {full} {where}"
                return Refused(RepositoryFault.BLOB_NOT_FOUND, why)
            if entry.kind is EntryKind.DIRECTORY:
                return Refused(RepositoryFault.BLOB_NOT_FOUND, f"{full} is a folder {where}, not a file")
            if entry.kind is EntryKind.SUBMODULE:
                return Refused(RepositoryFault.BLOB_NOT_FOUND, f"{full} is a submodule {where}: another repository")
            lines = self._file(entry.oid)
        except ObjectMissing as error:
            return self._missing(full, where, error)
        except SourceError as error:
            message = f"{full} cannot be read {where}: {error}"
            return Refused(RepositoryFault.PATH_UNREADABLE, message)
        return FileAt(lines, full, commit, entry.kind is EntryKind.SYMLINK)

    def worktree(self, path: str) -> FileAt | Refused:
        """The file of the work tree; never one outside it. The last one is kept, for the records that follow."""
        full = join(self.base, path)
        if self._worktree is None or self._worktree[0] != full:
            self._worktree = full, self._read_worktree(full)
        return self._worktree[1]

    def _read_worktree(self, full: str) -> FileAt | Refused:
        try:
            found = self.repository.worktree_file(path_bytes(full) or b"")
        except SourceError as error:
            return Refused(RepositoryFault.PATH_UNREADABLE, f"{full} cannot be read in the work tree: {error}")
        if isinstance(found, WorktreeRefusal):
            return _refused(full, found)
        return FileAt(FileLines(found.data), full, None, found.kind is EntryKind.SYMLINK)

    def kind(self, commit: str, path: str) -> EntryKind | None:
        """What the path is in a commit; None when it has none. Raises SourceError."""
        entry = self.repository.entry(commit, path_bytes(join(self.base, path)) or b"")
        return entry.kind if entry is not None else None

    def _file(self, oid: str) -> FileLines:
        lines = self._files.pop(oid, None)
        if lines is None:
            lines = FileLines(self.repository.blob(oid))
        self._files[oid] = lines
        while len(self._files) > _FILES_KEPT:
            self._files.popitem(last=False)
        return lines

    def _missing(self, path: str, where: str, error: ObjectMissing) -> Refused:
        if error.promised:
            message = f"the content of {path} {where} was left out of this {error.promised} clone"
            return Refused(RepositoryFault.BLOB_NOT_FOUND, message, _advice(error.promised))
        message = f"the content of {path} {where} is missing from this repository, which is damaged"
        return Refused(RepositoryFault.BLOB_NOT_FOUND, message)

    def _on_the_way(self, commit: str, name: bytes) -> str:
        """Why nothing can stand below a component of the path, or ""."""
        for parent in _parents(name):
            entry = self.repository.entry(commit, parent)
            if entry is None or entry.kind is EntryKind.DIRECTORY:
                continue
            shown = parent.decode("utf-8", "backslashreplace")
            where = f"in commit {commit[:12]}"
            if entry.kind is EntryKind.SUBMODULE:
                return f"{shown} is a submodule {where}: its files are another repository's"
            if entry.kind is EntryKind.SYMLINK:
                return f"{shown} is a symbolic link {where}, which is never followed"
            return f"{shown} is a file {where}, not a folder"
        return ""


def _parents(name: bytes) -> Iterator[bytes]:
    at = name.find(b"/")
    while at != -1:
        yield name[:at]
        at = name.find(b"/", at + 1)


def _advice(promised: str) -> str:
    return _FULL_CLONE if promised == "shallow" else _FULL_PARTIAL


def _explained(found: CommitResolution) -> str | Refused:
    """The commit of a resolution, or the fault in words."""
    digits = found.digits
    absent, ambiguous = RepositoryFault.COMMIT_NOT_FOUND, RepositoryFault.LABEL_AMBIGUOUS
    match found.state:
        case Resolution.OK if found.oid is not None:
            return found.oid
        case Resolution.NOT_A_COMMIT:
            kind = found.candidates[0][1] if found.candidates else "thing"
            return Refused(absent, f"{digits} is the id of a {_KINDS.get(kind, kind)}, not of a commit")
        case Resolution.AMBIGUOUS:
            named = ", ".join(f"{oid[:16]} ({kind})" for oid, kind in found.candidates[:4])
            return Refused(ambiguous, f"several objects begin with {digits}: {named}", "Give more digits of the id.")
        case Resolution.LABEL:
            return Refused(
                ambiguous,
                f"{digits} is the name of {', '.join(found.labels[:3])}, which can move, not a pinned id",
                "Give the full id of the commit that is meant.",
            )
        case Resolution.ABSENT_SHALLOW:
            return Refused(absent, f"commit {digits} is not in this shallow clone", _FULL_CLONE)
        case Resolution.ABSENT_PARTIAL:
            return Refused(absent, f"commit {digits} is not in this partial clone", _FULL_PARTIAL)
        case Resolution.NOT_A_PIN:
            return Refused(absent, f"{digits!r} is a label, not the hexadecimal id of a commit (7 digits or more)")
        case _:
            return Refused(
                absent,
                f"this repository has no commit {digits}",
                "Cite a commit of the repository that is checked, or give the right checkout with --repo.",
            )


_KINDS = {"blob": "file's content", "tree": "folder", "tag": "annotated tag"}


def _refused(path: str, refusal: WorktreeRefusal) -> Refused:
    detail = f"{path}: {refusal.detail}"
    match refusal.reason:
        case Refusal.BAD_PATH | Refusal.ESCAPES:
            return Refused(RepositoryFault.PATH_ESCAPE, detail)
        case Refusal.NOT_FOUND:
            return Refused(RepositoryFault.PATH_NOT_FOUND, f"there is no file {path} in the work tree")
        case Refusal.BEHIND_SYMLINK | Refusal.NOT_A_FILE:
            return Refused(RepositoryFault.PATH_NOT_FOUND, detail)
        case _:
            return Refused(RepositoryFault.PATH_UNREADABLE, detail)

"""Which state of which repository a receipt's test ran on: root, commit, tree, dirt, tested files (chapter 5)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from evidence_lint.errors import SourceError
from evidence_lint.model.artifact import JSON
from evidence_lint.model.repository import EntryKind
from evidence_lint.witness.checkout import Checkout, FileAt, Refused
from evidence_lint.witness.code_claims import is_pin
from evidence_lint.witness.paths import BadPath, read_path
from evidence_lint.witness.receipt_facts import Sheet
from evidence_lint.witness.receipt_identity import stands

_ABSOLUTE = re.compile(r"/|[A-Za-z]:[\\/]|\\\\")
_TREE = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FILES_READ = 200
_BYTES_READ = 16 * 1024 * 1024
_NOT_FILES = {
    EntryKind.DIRECTORY: "a folder",
    EntryKind.SUBMODULE: "a submodule",
    EntryKind.SYMLINK: "a symbolic link, which is never followed",
}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The repository state that a receipt speaks about, as far as it holds."""

    commit_id: str | None = None
    committed_at: datetime | None = None
    clean: bool = False


@dataclass(frozen=True, slots=True)
class TestedFiles:
    """The tested paths. ``names`` are the valid ones; ``contents`` those that are files and could be read.

    ``complete`` is false when the content of some tested file is unknown: then nothing can be said to be absent.
    """

    __test__ = False

    names: frozenset[str] = frozenset()
    contents: dict[str, bytes] = field(default_factory=dict[str, bytes])
    complete: bool = True


def check_snapshot(sheet: Sheet, declared_root: str | None, checkout: Checkout | None) -> Snapshot:
    """Judge ``repository``; without a checkout only what needs none."""
    repository = sheet.get("repository")
    if not isinstance(repository, dict):
        message = f"`repository` is {stands(repository)}, where an object with root, commit, tree and dirt is expected"
        sheet.fault("test-repository-identity-missing", message, "repository")
        return Snapshot()
    _check_root(sheet, repository.get("root"), declared_root)
    dirty = repository.get("dirty")
    if not isinstance(dirty, bool):
        message = f"`dirty` is {stands(dirty)}, where true or false is expected"
        sheet.fault("test-dirty-state-invalid", message, "repository", "dirty")
    snapshot = _commit(sheet, repository, checkout)
    return Snapshot(snapshot.commit_id, snapshot.committed_at, dirty is False)


def check_tested_paths(sheet: Sheet, checkout: Checkout | None, commit_id: str | None) -> TestedFiles:
    """Each tested path is a file of the commit."""
    value = sheet.get("tested_paths")
    if not isinstance(value, list) or not value:
        listed = "an empty list" if isinstance(value, list) else stands(value)
        message = f"`tested_paths` is {listed}, where a list of committed files is expected"
        sheet.fault("test-paths-missing", message, "tested_paths")
        return TestedFiles()
    names: set[str] = set()
    contents: dict[str, bytes] = {}
    complete, size = True, 0
    for index, entry in enumerate(value):
        path = read_path(entry)
        if isinstance(path, BadPath):
            shown = f"tested path {index + 1}" + (f" ({entry[:200]!r})" if isinstance(entry, str) else "")
            sheet.fault("test-path-invalid", f"{shown} {path.why}", "tested_paths", index)
            continue
        names.add(path)
        if checkout is None or commit_id is None:
            complete = False
            continue
        file = _tested_file(sheet, checkout, commit_id, path, index)
        if file is None:
            continue
        size += len(file.lines.data)
        if len(contents) < _FILES_READ and size <= _BYTES_READ:
            contents[path] = file.lines.data
        else:
            complete = False
    return TestedFiles(frozenset(names), contents, complete)


def _tested_file(sheet: Sheet, checkout: Checkout, commit_id: str, path: str, index: int) -> FileAt | None:
    try:
        kind = checkout.kind(commit_id, path)
    except SourceError:
        kind = None
    where = f"in commit {commit_id[:12]}"
    if kind in _NOT_FILES:
        message = f"tested path {path} is {_NOT_FILES[kind]} {where}, not a file"
        sheet.fault("test-path-not-in-snapshot", message, "tested_paths", index)
        return None
    file = checkout.committed(commit_id, path)
    if isinstance(file, Refused):
        message = f"tested path {path}: {file.message}"
        sheet.fault("test-path-not-in-snapshot", message, "tested_paths", index, help=file.help)
        return None
    return file


def _check_root(sheet: Sheet, root: JSON, declared: str | None) -> None:
    if not isinstance(root, str) or not _ABSOLUTE.match(root.strip()) or "\0" in root:
        message = f"the receipt's `root` is {stands(root)}, where an absolute path is expected"
        sheet.fault("test-repository-root-invalid", message, "repository", "root")
    elif declared is not None and declared.strip() and _folder(root) != _folder(declared):
        message = f"the receipt was made in {root[:200]!r}, but the records declare the root {declared[:200]!r}"
        sheet.fault("test-repository-root-mismatch", message, "repository", "root")


def _folder(path: str) -> str:
    """A path without repeated and final slashes and ``.`` components."""
    names = [name for name in path.strip().split("/") if name not in ("", ".")]
    return "/" * path.strip().startswith("/") + "/".join(names)


def _commit(sheet: Sheet, repository: dict[str, JSON], checkout: Checkout | None) -> Snapshot:
    claimed = repository.get("head_commit")
    digits = claimed.strip() if isinstance(claimed, str) else ""
    if not is_pin(digits):
        message = f"`head_commit` is {stands(claimed)}, where the hexadecimal id of a commit is expected"
        sheet.fault("test-commit-not-found", message, "repository", "head_commit")
        _check_tree(sheet, repository.get("tree_hash"), None)
        return Snapshot()
    if checkout is None:
        _check_tree(sheet, repository.get("tree_hash"), None)
        return Snapshot()
    resolved = checkout.resolve(digits)
    if isinstance(resolved, Refused):
        sheet.fault("test-commit-not-found", resolved.message, "repository", "head_commit", help=resolved.help)
        _check_tree(sheet, repository.get("tree_hash"), None)
        return Snapshot()
    try:
        commit = checkout.repository.commit(resolved)
    except SourceError as error:
        message = f"commit {resolved[:12]} cannot be read: {error}"
        sheet.fault("test-commit-not-found", message, "repository", "head_commit")
        return Snapshot()
    _check_tree(sheet, repository.get("tree_hash"), commit.tree)
    return Snapshot(resolved, commit.committed_at)


def _check_tree(sheet: Sheet, claimed: JSON, tree: str | None) -> None:
    """The full id of the commit's tree; where the commit is unknown, at least the form of one."""
    digits = claimed.strip().lower() if isinstance(claimed, str) else ""
    if tree is None and _TREE.fullmatch(digits):
        return
    if tree is not None and digits == tree:
        return
    wanted = f"the tree of its commit is {tree}" if tree is not None else "the full id of a tree is expected"
    message = f"`tree_hash` is {stands(claimed)}, but {wanted}"
    sheet.fault("test-tree-mismatch", message, "repository", "tree_hash")

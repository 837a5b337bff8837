"""Objects by id: read once through a persistent ``cat-file``, checked against their id, kept in memory."""

from __future__ import annotations

import hashlib
import re

from evidence_lint.model.repository import CommitInfo, EntryKind, TreeEntry
from evidence_lint.sources.git_cache import WeightedCache
from evidence_lint.sources.git_commit import parse_commit
from evidence_lint.sources.git_errors import (
    ObjectCorrupt,
    ObjectMissing,
    ObjectTooLarge,
    ObjectTypeMismatch,
)
from evidence_lint.sources.git_process import Conversation, GitRunner

DEFAULT_BLOB_LIMIT = 32 * 1024 * 1024
"""Bytes of the largest blob that is read unless the caller says otherwise."""

_TREE_LIMIT = 32 * 1024 * 1024
_COMMIT_LIMIT = 4 * 1024 * 1024
_BLOB_CACHE = 64 * 1024 * 1024
_TREE_CACHE = 32 * 1024 * 1024
_COMMIT_CACHE = 8 * 1024 * 1024

Tree = dict[bytes, TreeEntry]


class ObjectStore:
    """The objects of one repository. For one thread at a time; :meth:`close` ends its processes.

    Every object that is read is hashed: Git itself does not do so when it reads, and a repository from elsewhere
    (or the store that ``objects/info/alternates`` names) could hold any bytes under any id.
    """

    def __init__(self, runner: GitRunner, object_format: str, *, promised: str) -> None:
        self._runner = runner
        self._hash = object_format
        self._digits = hashlib.new(object_format, usedforsecurity=False).digest_size * 2
        self._promised = promised
        self._contents: Conversation | None = None
        self._headers: Conversation | None = None
        self._blobs: WeightedCache[str, bytes] = WeightedCache(_BLOB_CACHE)
        self._trees: WeightedCache[str, Tree] = WeightedCache(_TREE_CACHE)
        self._commits: WeightedCache[str, CommitInfo] = WeightedCache(_COMMIT_CACHE)

    @property
    def digits(self) -> int:
        """How many hexadecimal digits a full id has."""
        return self._digits

    def is_full_id(self, oid: str) -> bool:
        """Whether the text is a full lower-case object id of this repository's format."""
        return len(oid) == self._digits and re.fullmatch("[0-9a-f]+", oid) is not None

    def type_of(self, oid: str) -> str | None:
        """Return ``blob``, ``tree``, ``commit`` or ``tag``; ``None`` when the object is not here."""
        if not self.is_full_id(oid):
            return None
        if self._headers is None:
            self._headers = self._runner.conversation("cat-file", "--batch-check")
        try:
            return _type_in(self._headers, oid)
        except BaseException:
            self._headers.close()
            self._headers = None
            raise

    def peel(self, oid: str) -> str | None:
        """Follow annotated tags to a commit and return its id; ``None`` when they do not lead to one here."""
        for _ in range(10):
            kind = self.type_of(oid)
            if kind != "tag":
                return oid if kind == "commit" else None
            target = re.match(rb"object ([0-9a-f]+)\n", self._read(oid, "tag", _COMMIT_LIMIT))
            if target is None:
                return None
            oid = target[1].decode("ascii")
        return None

    def blob(self, oid: str, limit: int = DEFAULT_BLOB_LIMIT) -> bytes:
        """Read a blob of at most ``limit`` bytes; raises a kind of ObjectError when it cannot be had."""
        data = self._blobs.get(oid)
        if data is None:
            data = self._read(oid, "blob", limit)
            self._blobs.put(oid, data, len(data) + 100)
        if len(data) > limit:
            raise ObjectTooLarge(oid, len(data), limit)
        return data

    def tree(self, oid: str) -> Tree:
        """Read a tree: its entries by name. The answer is shared, and must not be changed."""
        tree = self._trees.get(oid)
        if tree is None:
            data = self._read(oid, "tree", _TREE_LIMIT)
            tree = _parse_tree(oid, data, self._digits // 2)
            self._trees.put(oid, tree, len(data) * 8 + 300)
        return tree

    def commit(self, oid: str) -> CommitInfo:
        """Read a commit."""
        commit = self._commits.get(oid)
        if commit is None:
            data = self._read(oid, "commit", _COMMIT_LIMIT)
            commit = parse_commit(oid, data)
            self._commits.put(oid, commit, len(data) + 500)
        return commit

    def entry(self, tree_oid: str, path: bytes) -> TreeEntry | None:
        """Walk down from a tree; links and submodules on the way are not followed."""
        names = [name for name in path.split(b"/") if name not in (b"", b".")]
        if not names or path.startswith(b"/") or b".." in names:
            return None
        for name in names[:-1]:
            found = self.tree(tree_oid).get(name)
            if found is None or found.kind is not EntryKind.DIRECTORY:
                return None
            tree_oid = found.oid
        return self.tree(tree_oid).get(names[-1])

    def close(self) -> None:
        """End the persistent processes; they start again when they are needed."""
        for conversation in (self._contents, self._headers):
            if conversation is not None:
                conversation.close()
        self._contents = self._headers = None

    def _read(self, oid: str, kind: str, limit: int) -> bytes:
        if not self.is_full_id(oid):
            raise ObjectMissing(oid)
        if self._contents is None:
            self._contents = self._runner.conversation("cat-file", "--batch")
        try:
            data = _content_in(self._contents, oid, kind, limit)
        except BaseException:
            # More of the answer may be on its way: a new process is cheaper and surer than reading to its end.
            self._contents.close()
            self._contents = None
            raise
        if data is None:
            raise ObjectMissing(oid, promised=self._promised)
        self._verify(oid, kind, data)
        return data

    def _verify(self, oid: str, kind: str, data: bytes) -> None:
        digest = hashlib.new(self._hash, b"%s %d\0" % (kind.encode("ascii"), len(data)), usedforsecurity=False)
        digest.update(data)
        if digest.hexdigest() != oid:
            raise ObjectCorrupt(oid, "its content does not hash to its id")


def _type_in(headers: Conversation, oid: str) -> str | None:
    """Ask ``cat-file --batch-check``; ``None`` for an object that is not here."""
    answer = headers.ask(oid.encode("ascii")).split(b" ")
    if answer[0] != oid.encode("ascii"):
        raise ObjectCorrupt(oid, "Git cannot read it")
    return answer[1].decode("ascii") if len(answer) == 3 else None


def _content_in(contents: Conversation, oid: str, kind: str, limit: int) -> bytes | None:
    """Ask ``cat-file --batch``; ``None`` for an object that is not here. The size is told before the content."""
    answer = contents.ask(oid.encode("ascii")).split(b" ")
    if answer == [oid.encode("ascii"), b"missing"]:
        return None
    if len(answer) != 3 or answer[0] != oid.encode("ascii"):
        raise ObjectCorrupt(oid, "Git cannot read it")
    found, size = answer[1].decode("ascii"), int(answer[2])
    if found != kind:
        raise ObjectTypeMismatch(oid, kind, found)
    if size > limit:
        raise ObjectTooLarge(oid, size, limit)
    data = contents.body(size)
    if data is None:
        raise ObjectCorrupt(oid, "Git stopped in the middle of it")
    return data


def _parse_tree(oid: str, data: bytes, width: int) -> Tree:
    """Parse ``mode SP name NUL id`` entries; ``width`` is the length of a raw id."""
    entries: Tree = {}
    at = 0
    while at < len(data):
        space, nul = data.find(b" ", at), data.find(b"\0", at)
        end = nul + 1 + width
        if not at < space < nul or end > len(data):
            raise ObjectCorrupt(oid, "it is no well-formed tree")
        try:
            mode = int(data[at:space], 8)
        except ValueError as error:
            raise ObjectCorrupt(oid, "it is no well-formed tree") from error
        # A malformed tree may name one thing twice; Git reads the first.
        entries.setdefault(data[space + 1 : nul], _entry(mode, data[nul + 1 : end].hex()))
        at = end
    return entries


def _entry(mode: int, oid: str) -> TreeEntry:
    form = mode & 0o170000
    if form == 0o040000:
        return TreeEntry(mode, "tree", oid, EntryKind.DIRECTORY)
    if form == 0o160000:
        return TreeEntry(mode, "commit", oid, EntryKind.SUBMODULE)
    if form == 0o120000:
        return TreeEntry(mode, "blob", oid, EntryKind.SYMLINK)
    return TreeEntry(mode, "blob", oid, EntryKind.EXECUTABLE if mode & 0o100 else EntryKind.FILE)

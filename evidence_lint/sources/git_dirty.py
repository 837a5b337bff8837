"""Telling whether a checkout differs from its commit, without running what would tell Git so."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from evidence_lint.model.repository import lfs_pointer
from evidence_lint.sources.git_errors import ObjectError
from evidence_lint.sources.git_objects import ObjectStore
from evidence_lint.sources.git_process import GitRunner

_TIMEOUT = 120.0
_CHUNK = 1 << 20
_POINTER_LIMIT = 1024

# Submodules are ours to look at: Git would start itself in them, with *their* configuration.
_STATUS = ("status", "--porcelain=v2", "-z", "--no-renames", "--ignore-submodules=all", "--untracked-files=normal")
# What is staged for a submodule is hidden by that option; this looks at no work tree.
_STAGED = ("diff-index", "--cached", "--quiet", "--no-ext-diff", "--ignore-submodules=dirty")


class DirtyCheck:
    """Compares HEAD, index and work tree of one checkout.

    ``git status`` runs in the quarantine, where no filter, textconv or fsmonitor is defined. So content that a
    filter makes differs from its blob and is dirty; line ends and ``ident`` are Git's own work and compared
    rightly, and a file of Git LFS is known by the digest in its pointer. The user's ``core.excludesFile`` is not
    asked. In doubt a checkout is dirty: a receipt must not call a changed one clean.
    """

    def __init__(
        self,
        runner: GitRunner,
        objects: ObjectStore,
        root: Path,
        submodule_differs: Callable[[bytes, str], bool],
    ) -> None:
        self._runner = runner
        self._objects = objects
        self._root = root
        self._submodule_differs = submodule_differs

    def is_dirty(self, path: bytes | None, head: str | None) -> bool:
        """Whether the checkout, or one path of it, differs; an untracked file that is not ignored counts."""
        where = [b"--"] if path is None else [b"--", path]
        with self._runner.stream(*_STATUS, *where, end=b"\0", timeout=_TIMEOUT) as rows:
            if not all(self._is_smudged_lfs(row) for row in rows):
                return True
        if head is not None and not self._runner.succeeds(*_STAGED, head, *where, timeout=_TIMEOUT):
            return True
        with self._runner.stream("ls-files", "--stage", "-z", *where, end=b"\0", timeout=_TIMEOUT) as rows:
            return any(self._is_moved_submodule(row) for row in rows)

    def _is_moved_submodule(self, row: bytes) -> bool:
        """Whether a row of the index is a submodule whose checkout differs from it."""
        described, _, name = row.partition(b"\t")
        mode, oid, _ = described.split(b" ")
        return mode == b"160000" and self._submodule_differs(name, oid.decode("ascii"))

    def _is_smudged_lfs(self, row: bytes) -> bool:
        """Whether a status record is a tracked file whose content is what its LFS pointer stands for."""
        fields = row.split(b" ", 8)
        if len(fields) != 9 or fields[:2] != [b"1", b".M"] or fields[4] != fields[5]:
            return False
        try:
            pointer = lfs_pointer(self._objects.blob(fields[7].decode("ascii"), _POINTER_LIMIT))
        except ObjectError:
            return False
        return pointer is not None and self._digest(fields[8]) == pointer.oid

    def _digest(self, path: bytes) -> str | None:
        digest = hashlib.sha256()
        place = os.path.join(os.fsencode(self._root), path)  # noqa: PTH118 - names are bytes
        try:
            descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with open(descriptor, "rb") as handle:  # noqa: PTH123 - a descriptor
                while chunk := handle.read(_CHUNK):
                    digest.update(chunk)
        except OSError:
            return None
        return digest.hexdigest()

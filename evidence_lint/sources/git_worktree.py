"""Reading the work tree, without following anything out of it."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import ExitStack
from pathlib import Path

from evidence_lint.model.repository import EntryKind, Refusal, WorktreeFile, WorktreeRefusal

DEFAULT_FILE_LIMIT = 32 * 1024 * 1024
"""Bytes of the largest file of a work tree that is read unless the caller says otherwise."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def read_worktree_file(root: Path, path: bytes, limit: int) -> WorktreeFile | WorktreeRefusal:
    """Read a file below ``root``, opening folder by folder so that a swapped link is not followed either."""
    names = [name for name in path.split(b"/") if name not in (b"", b".")]
    bad = not names or path.startswith(b"/") or b"\0" in path
    if bad or any(name == b".." or name.lower() == b".git" for name in names):
        return WorktreeRefusal(Refusal.BAD_PATH, "not a path inside the repository")
    try:
        return _open_and_read(root, names, limit)
    except FileNotFoundError:
        return WorktreeRefusal(Refusal.NOT_FOUND, "no such file in the work tree")
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ENAMETOOLONG):
            return WorktreeRefusal(Refusal.NOT_FOUND, "no such file in the work tree")
        return WorktreeRefusal(Refusal.UNREADABLE, os.strerror(error.errno or errno.EIO))


def _open_and_read(root: Path, names: list[bytes], limit: int) -> WorktreeFile | WorktreeRefusal:
    with ExitStack() as opened:
        folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        opened.callback(os.close, folder)
        for depth, name in enumerate(names, start=1):
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if stat.S_ISLNK(status.st_mode):
                if _leads_out(root, names[:depth]):
                    return WorktreeRefusal(Refusal.ESCAPES, _shown(names[:depth], "leads out of the work tree"))
                if depth < len(names):
                    return WorktreeRefusal(Refusal.BEHIND_SYMLINK, _shown(names[:depth], "is not followed"))
                return WorktreeFile(os.readlink(name, dir_fd=folder), EntryKind.SYMLINK)
            if depth < len(names):
                folder = os.open(name, _FOLDER, dir_fd=folder)
                opened.callback(os.close, folder)
        return _read_regular(names[-1], folder, limit)


def _shown(names: list[bytes], what: str) -> str:
    return f"the symbolic link {b'/'.join(names).decode('utf-8', 'backslashreplace')!r} {what}"


def _leads_out(root: Path, names: list[bytes]) -> bool:
    top = os.path.realpath(os.fsencode(root))
    target = os.path.realpath(os.path.join(top, *names))  # noqa: PTH118 - bytes
    inside = target == top or target.startswith(top.rstrip(b"/") + b"/")
    return not inside or target == top + b"/.git" or target.startswith(top + b"/.git/")


def _read_regular(name: bytes, folder: int, limit: int) -> WorktreeFile | WorktreeRefusal:
    # Asked before opening as well: opening a device may have effects of its own.
    if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        return WorktreeRefusal(Refusal.NOT_A_FILE, "not an ordinary file")
    with open(os.open(name, _FILE, dir_fd=folder), "rb") as handle:  # noqa: PTH123 - a descriptor
        status = os.fstat(handle.fileno())
        if not stat.S_ISREG(status.st_mode):
            return WorktreeRefusal(Refusal.NOT_A_FILE, "not an ordinary file")
        data = handle.read(limit + 1)
    if len(data) > limit:
        return WorktreeRefusal(Refusal.TOO_LARGE, f"larger than {limit} bytes")
    kind = EntryKind.EXECUTABLE if status.st_mode & 0o100 else EntryKind.FILE
    return WorktreeFile(data, kind)

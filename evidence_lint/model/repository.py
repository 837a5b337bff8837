"""What Git says about a repository, as plain values (chapter 5).

Paths are ``bytes``, because Git's names are bytes; object ids are full lower-case hexadecimal strings of
40 (SHA-1) or 64 (SHA-256) digits. Nothing in this module does I/O.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

_LFS_LINE = re.compile(rb"([a-z0-9.-]+) ([^\n]*)\n")
_LFS_VERSIONS = frozenset({b"https://git-lfs.github.com/spec/v1", b"https://hawser.github.com/spec/v1"})
_LFS_MAX_BYTES = 1024


class EntryKind(Enum):
    """What a name in a tree stands for; only ``FILE`` and ``EXECUTABLE`` hold source text."""

    FILE = "file"
    EXECUTABLE = "executable"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"
    DIRECTORY = "directory"


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One entry of a tree: ``mode`` as stored (``0o100644``), the object ``type`` that it implies, its id."""

    mode: int
    type: str
    oid: str
    kind: EntryKind

    @property
    def is_file(self) -> bool:
        """Whether the entry is an ordinary file, executable or not."""
        return self.kind in (EntryKind.FILE, EntryKind.EXECUTABLE)


class Resolution(Enum):
    """How the digits of a pin fared; ``OK`` alone is a pinned commit."""

    OK = "ok"
    NOT_A_PIN = "not-a-pin"
    """Not 7 to 64 hexadecimal digits: a label such as ``HEAD``, or nothing."""
    NOT_FOUND = "not-found"
    NOT_A_COMMIT = "not-a-commit"
    """The one object of that id is a blob, a tree or an annotated tag."""
    AMBIGUOUS = "ambiguous"
    """Several objects share the prefix, whatever their types."""
    LABEL = "label-ambiguous"
    """A branch or tag carries the digits as its *name* and stands for something else."""
    ABSENT_SHALLOW = "absent-shallow"
    """No such object here, and the clone is shallow: it may exist where the clone came from."""
    ABSENT_PARTIAL = "absent-partial"
    """No such object here, and the clone is partial: it may exist where the clone came from."""


@dataclass(frozen=True, slots=True)
class CommitResolution:
    """The answer to "which commit do these digits pin?".

    ``oid`` is the full commit id for ``OK``, else ``None``. ``candidates`` are the (id, type) of every object
    whose id begins with the digits (at most a few dozen), ``labels`` the full names of the refs that are named
    like them (``refs/heads/abcdef1``).
    """

    digits: str
    state: Resolution
    oid: str | None = None
    candidates: tuple[tuple[str, str], ...] = ()
    labels: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the digits pin exactly one commit."""
        return self.state is Resolution.OK


@dataclass(frozen=True, slots=True)
class CommitInfo:
    """A commit object. ``subject`` is what Git prints for ``%s``; ``committed_at`` carries the writer's zone.

    ``subject_exact`` is false when the message is not valid in its declared coding and undecodable bytes became
    U+FFFD; ``committed_at`` is ``None`` when the commit's own date is not one.
    """

    oid: str
    tree: str
    parents: tuple[str, ...]
    subject: str
    subject_exact: bool
    committed_at: datetime | None


class Refusal(Enum):
    """Why a path of the work tree was not read."""

    BAD_PATH = "bad-path"
    """Empty, absolute, with a NUL, a ``..`` or a ``.git`` component."""
    ESCAPES = "escapes"
    """A symbolic link on the way leads out of the work tree."""
    BEHIND_SYMLINK = "behind-symlink"
    """A folder on the way is a symbolic link; Git knows no path behind one, and it is never followed."""
    NOT_FOUND = "not-found"
    NOT_A_FILE = "not-a-file"
    """A folder, FIFO, socket or device."""
    TOO_LARGE = "too-large"
    UNREADABLE = "unreadable"
    """The operating system refused (permission, I/O error)."""
    NO_WORK_TREE = "no-work-tree"
    """The repository is bare."""


@dataclass(frozen=True, slots=True)
class WorktreeFile:
    """The bytes of a file in the work tree; of a symbolic link (``SYMLINK``) its target text."""

    data: bytes
    kind: EntryKind


@dataclass(frozen=True, slots=True)
class WorktreeRefusal:
    """A path of the work tree that was not read, and why; ``detail`` is for a person."""

    reason: Refusal
    detail: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a host test receipt says of its repository (chapter 5): ids are full, ``root`` is absolute."""

    root: str
    head_commit: str
    tree_hash: str
    dirty: bool


class PlaceKind(Enum):
    """Where an excerpt was found instead."""

    SAME_FILE = "same-file"
    SAME_PATH_AT_HEAD = "same-path-at-head"
    OTHER_FILE = "other-file"


@dataclass(frozen=True, slots=True)
class ExcerptPlace:
    """An exact occurrence of an excerpt: 1-based ``line`` of ``path`` in ``commit``."""

    kind: PlaceKind
    commit: str
    path: bytes
    line: int


@dataclass(frozen=True, slots=True)
class LfsPointer:
    """A Git LFS pointer file: the SHA-256 ``oid`` (hexadecimal) and ``size`` in bytes of the absent content."""

    oid: str
    size: int


def git_lines(data: bytes) -> list[bytes]:
    """Split at LF alone, dropping one CR before it; a final LF ends the last line, it does not begin another.

    So form feed, VT, NEL and U+2028 do not shift the numbering (chapter 5). A last line without LF keeps its
    CR off too, so that a file reads alike with and without its final newline.
    """
    if not data:
        return []
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [line[:-1] if line.endswith(b"\r") else line for line in lines]


def lfs_pointer(data: bytes) -> LfsPointer | None:
    """Read a Git LFS pointer, or ``None`` when the bytes are an ordinary file."""
    if len(data) > _LFS_MAX_BYTES or not data.startswith(b"version "):
        return None
    fields: dict[bytes, bytes] = {}
    end = 0
    for match in _LFS_LINE.finditer(data):
        if match.start() != end:
            return None
        fields[match[1]] = match[2]
        end = match.end()
    kind, _, digest = fields.get(b"oid", b"").partition(b":")
    size = fields.get(b"size", b"")
    if end != len(data) or fields.get(b"version") not in _LFS_VERSIONS or kind != b"sha256":
        return None
    if not re.fullmatch(rb"[0-9a-f]{64}", digest) or not re.fullmatch(rb"[0-9]{1,19}", size):
        return None
    return LfsPointer(digest.decode("ascii"), int(size))

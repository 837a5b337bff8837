"""Ports of the source layer: what the witnesses ask for, whatever answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

from evidence_lint.model.repository import (
    CommitInfo,
    CommitResolution,
    ExcerptPlace,
    Snapshot,
    TreeEntry,
    WorktreeFile,
    WorktreeRefusal,
)


class RepositorySource(Protocol):
    """A repository that can be asked, and that executes and writes nothing (chapter 5).

    Every method may raise :class:`~evidence_lint.errors.SourceError`. Paths are relative to the top of the
    repository, ``/``-separated; ``str`` is taken as UTF-8 (with surrogate escapes), ``bytes`` as they are.
    """

    @property
    def root(self) -> Path | None:
        """Top of the work tree; ``None`` for a bare repository."""
        ...

    @property
    def object_format(self) -> str:
        """``sha1`` or ``sha256``."""
        ...

    @property
    def is_shallow(self) -> bool:
        """Whether history was cut off when the repository was cloned."""
        ...

    @property
    def is_partial(self) -> bool:
        """Whether objects were left out when the repository was cloned."""
        ...

    @property
    def has_grafts(self) -> bool:
        """Whether a grafts file tries to rewrite ancestry (it is ignored)."""
        ...

    @property
    def has_alternates(self) -> bool:
        """Whether objects are borrowed from another store (they are checked against their ids)."""
        ...

    def resolve(self, digits: str) -> CommitResolution:
        """Tell which commit the digits of a pin mean."""
        ...

    def commit(self, oid: str) -> CommitInfo:
        """Read a commit by its full id."""
        ...

    def entry(self, commit: str, path: str | bytes) -> TreeEntry | None:
        """Look a path up in a commit's tree; ``None`` when it has none."""
        ...

    def blob(self, oid: str, *, limit: int = ...) -> bytes:
        """Read a blob of at most ``limit`` bytes by its full id."""
        ...

    def reachable(self, oids: Collection[str]) -> frozenset[str]:
        """Return those of the commits that some ref reaches."""
        ...

    def head(self) -> str | None:
        """Return the commit that is checked out; ``None`` before the first one."""
        ...

    def worktree_file(self, path: str | bytes, *, limit: int = ...) -> WorktreeFile | WorktreeRefusal:
        """Read a file of the work tree, never outside it."""
        ...

    def find_lines(self, commit: str, lines: Sequence[bytes], path: str | bytes) -> tuple[ExcerptPlace, ...]:
        """Tell where else these exact lines stand, nearest first; bounded, so perhaps not everywhere."""
        ...

    def last_change(self, path: str | bytes, first: int, last: int, since: str) -> str | None:
        """Return the commit after ``since`` that changed lines ``first`` to ``last`` (1-based, inclusive)."""
        ...

    def is_dirty(self, path: str | bytes | None = None) -> bool:
        """Whether the work tree (or one path of it) differs from the commit that is checked out."""
        ...

    def snapshot(self) -> Snapshot:
        """Describe the checkout for a host test receipt."""
        ...

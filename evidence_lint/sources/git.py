"""The Git adapter of :class:`~evidence_lint.sources.interface.RepositorySource` (chapter 5).

Git is asked and nothing of the examined repository is executed, followed out of it, fetched for it or written to
it; :mod:`evidence_lint.sources.git_layout` tells how.
"""

from __future__ import annotations

import os
import shutil
import weakref
from collections.abc import Collection, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from evidence_lint.model.repository import (
    CommitInfo,
    CommitResolution,
    ExcerptPlace,
    Refusal,
    Snapshot,
    TreeEntry,
    WorktreeFile,
    WorktreeRefusal,
)
from evidence_lint.sources.git_dirty import DirtyCheck
from evidence_lint.sources.git_errors import RepositoryError, RepositoryNotFound
from evidence_lint.sources.git_layout import (
    Format,
    Layout,
    build_quarantine,
    find_layout,
    owner_is_foreign,
    quarantine_environment,
    read_format,
    read_small,
)
from evidence_lint.sources.git_objects import DEFAULT_BLOB_LIMIT, ObjectStore
from evidence_lint.sources.git_process import GitRunner
from evidence_lint.sources.git_refs import RefStore, Revision, has_lines
from evidence_lint.sources.git_search import ExcerptSearch
from evidence_lint.sources.git_worktree import DEFAULT_FILE_LIMIT, read_worktree_file
from evidence_lint.sources.interface import RepositorySource

_SUBMODULE_DEPTH = 8


def _as_bytes(path: str | bytes) -> bytes:
    if isinstance(path, bytes):
        return path
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # JSON can spell surrogates that stand for no byte; such a name is looked for, and not found.
        return path.encode("utf-8", "surrogatepass")


def discover(path: Path | str) -> Path | None:
    """Return the top of the Git work tree that holds ``path``, or ``None``."""
    try:
        layout = find_layout(Path(path), allow_bare=False)
    except RepositoryNotFound:
        return None
    return None if layout is None else layout.work_tree


def belongs(path: Path | str, repository: GitRepository) -> Path | None:
    """Return the top of the work tree that holds ``path`` when it is one of the repository's; ``None`` else.

    A linked work tree counts when the repository itself knows of it: a ``.git`` that merely leads to the repository
    may lie in any folder, and would make that folder look like the top.
    """
    try:
        layout = find_layout(Path(path), allow_bare=False)
    except RepositoryNotFound:
        return None
    if layout is None or layout.work_tree is None:
        return None
    return layout.work_tree if repository.has_work_tree(layout) else None


class GitRepository(RepositorySource):
    """One opened repository. Use it as a context manager, from one thread at a time."""

    def __init__(self, layout: Layout, form: Format, *, depth: int = 0) -> None:
        self._layout = layout
        self._format = form
        self._depth = depth
        shim = build_quarantine(layout, form)
        self._clear = weakref.finalize(self, shutil.rmtree, shim, ignore_errors=True)
        runner = GitRunner(quarantine_environment(layout, shim), layout.work_tree or shim)
        self._runner = runner
        kinds = (("shallow", self.is_shallow), ("partial", form.is_partial))
        promised = " and ".join(name for name, is_so in kinds if is_so)
        self._objects = ObjectStore(runner, form.object_format, promised=promised)
        self._refs = RefStore(runner, self._objects, layout, promised=promised)
        self._search = ExcerptSearch(runner, self._objects)

    @classmethod
    def open(cls, path: Path | str, *, trust: bool = True) -> Self:
        """Open the work tree that holds ``path`` (a linked worktree, a submodule), or the bare repository there.

        With ``trust`` false, a checkout that belongs to another user is refused, as Git itself would. Raises
        :class:`RepositoryNotFound`, or :class:`GitUnavailable` when there is no git program.
        """
        layout = find_layout(Path(path), allow_bare=True)
        if layout is None:
            raise RepositoryNotFound(f"{path} is not in a Git work tree and is no bare repository")
        if not trust and owner_is_foreign(layout):
            raise RepositoryNotFound(
                f"{layout.work_tree or layout.git_dir} belongs to another user; it is read only when trusted"
            )
        return cls._of(layout)

    @classmethod
    def _of(cls, layout: Layout, *, depth: int = 0) -> Self:
        try:
            return cls(layout, read_format(layout), depth=depth)
        except OSError as error:
            raise RepositoryError(f"{layout.git_dir} cannot be opened: {error}") from error

    def close(self) -> None:
        """End Git's processes and remove the quarantine; the repository cannot be asked any more."""
        self._objects.close()
        self._clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def root(self) -> Path | None:
        """Top of the work tree, links resolved; ``None`` for a bare repository."""
        return self._layout.work_tree

    @property
    def git_dir(self) -> Path:
        """The repository's own Git directory (that of a linked worktree for one)."""
        return self._layout.git_dir

    @property
    def object_format(self) -> str:
        """``sha1`` or ``sha256``."""
        return self._format.object_format

    @property
    def is_shallow(self) -> bool:
        """Whether history was cut off when the repository was cloned."""
        return bool(read_small(self._layout.common_dir / "shallow").strip())

    @property
    def is_partial(self) -> bool:
        """Whether the configuration names a promisor remote, so that objects may have been left out."""
        return self._format.is_partial

    @property
    def has_grafts(self) -> bool:
        """Whether ``info/grafts`` tries to rewrite ancestry. It is ignored in any case."""
        return has_lines(self._layout, "info/grafts")

    @property
    def has_alternates(self) -> bool:
        """Whether objects are borrowed from a store outside the repository.

        They are read, since shared clones are ordinary; they can do no harm, since every object is checked
        against its id.
        """
        return has_lines(self._layout, "objects/info/alternates")

    def has_work_tree(self, layout: Layout) -> bool:
        """Whether a work tree is this one, or the repository's main one, or linked to it with its knowledge."""
        common = self._layout.common_dir
        if layout.work_tree is None or layout.common_dir != common:
            return False
        if layout.work_tree == self._layout.work_tree:
            return layout.git_dir == self._layout.git_dir
        if layout.git_dir == common:
            return layout.work_tree / ".git" == common
        back = os.fsdecode(read_small(layout.git_dir / "gitdir").rstrip(b"\r\n"))
        linked = layout.git_dir.parent == common / "worktrees" and bool(back)
        return linked and (layout.git_dir / back).resolve() == layout.work_tree / ".git"

    def resolve(self, digits: str) -> CommitResolution:
        """Tell which commit the digits of a pin mean; see :class:`~evidence_lint.model.repository.Resolution`."""
        return self._refs.resolve(digits)

    def revision(self, name: str) -> Revision | None:
        """What a revision of the user's means (``origin/main``); None when it is not here.

        Raises :class:`~evidence_lint.sources.git_refs.AmbiguousRevision` when it may mean several things.
        """
        return self._refs.revision(name)

    def commit(self, oid: str) -> CommitInfo:
        """Read a commit by its full id; raises a kind of ObjectError."""
        return self._objects.commit(oid)

    def entry(self, commit: str, path: str | bytes) -> TreeEntry | None:
        """Look a path up in a commit's tree; ``None`` when it has none. Links are not followed.

        Raises a kind of ObjectError when the commit or a tree on the way cannot be had.
        """
        return self._objects.entry(self._objects.commit(commit).tree, _as_bytes(path))

    def blob(self, oid: str, *, limit: int = DEFAULT_BLOB_LIMIT) -> bytes:
        """Read a blob of at most ``limit`` bytes; raises a kind of ObjectError."""
        return self._objects.blob(oid, limit)

    def reachable(self, oids: Collection[str]) -> frozenset[str]:
        """Return those of the commits (full ids) that some ref, or HEAD of any worktree, reaches."""
        return self._refs.reachable(oids)

    def head(self) -> str | None:
        """Return the commit that is checked out; ``None`` before the first one."""
        return self._refs.head

    def worktree_file(self, path: str | bytes, *, limit: int = DEFAULT_FILE_LIMIT) -> WorktreeFile | WorktreeRefusal:
        """Read a file of the work tree; a symbolic link reads as its target text, as it does in a commit."""
        if self.root is None:
            return WorktreeRefusal(Refusal.NO_WORK_TREE, "the repository is bare")
        return read_worktree_file(self.root, _as_bytes(path), limit)

    def find_lines(self, commit: str, lines: Sequence[bytes], path: str | bytes) -> tuple[ExcerptPlace, ...]:
        """Tell where else these exact lines stand, nearest first; bounded, so perhaps not everywhere."""
        return self._search.find(commit, lines, _as_bytes(path), self.head())

    def last_change(self, path: str | bytes, first: int, last: int, since: str) -> str | None:
        """Return the newest commit of HEAD's history after ``since`` that changed the lines, if one is found."""
        head = self.head()
        name = _as_bytes(path)
        if head is None or b"\0" in name or self._objects.type_of(since) != "commit":
            return None
        return self._search.last_change(name, first, last, since, head)

    def is_dirty(self, path: str | bytes | None = None) -> bool:
        """Whether index, work tree or a submodule differ from HEAD, untracked files included; bare: false."""
        if self.root is None:
            return False
        name = None if path is None else _as_bytes(path)
        check = DirtyCheck(self._runner, self._objects, self.root, self._submodule_differs)
        return check.is_dirty(name, self.head())

    def _submodule_differs(self, path: bytes, oid: str) -> bool:
        assert self.root is not None
        place = self.root / os.fsdecode(path)
        if not (place / ".git").exists():
            return False  # not initialised, which Git calls clean as well
        inside = place.resolve() == place and b".." not in path.split(b"/")
        if not inside or self._depth >= _SUBMODULE_DEPTH:
            return True
        try:
            layout = find_layout(place, allow_bare=False)
            if layout is None or layout.work_tree != place:
                return True
            with self._of(layout, depth=self._depth + 1) as inner:
                return inner.head() != oid or inner.is_dirty()
        except RepositoryError:
            return True

    def snapshot(self) -> Snapshot:
        """Describe the checkout for a host test receipt; raises RepositoryError before the first commit."""
        head = self.head()
        if head is None:
            raise RepositoryError("the repository has no commit checked out, so there is nothing to snapshot")
        place = self._layout.work_tree or self._layout.git_dir
        return Snapshot(str(place), head, self._objects.commit(head).tree, self.is_dirty())

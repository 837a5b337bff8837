"""Where an excerpt stands instead, and which commit changed it: help for diagnoses, bounded in cost."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from evidence_lint.model.repository import EntryKind, ExcerptPlace, PlaceKind, git_lines
from evidence_lint.sources.git_errors import GitFailed, ObjectError

if TYPE_CHECKING:
    from evidence_lint.sources.git_objects import ObjectStore
    from evidence_lint.sources.git_process import GitRunner

PLACES = 5
"""How many places are told at most."""

_FILES_TRIED = 50
_TREES_WALKED = 2000
_COMMITS_TRIED = 300
_COMMITS_SECONDS = 10.0
_BLOB_LIMIT = 4 * 1024 * 1024
_PATTERN_LIMIT = 4096
_SEARCH_TIMEOUT = 10.0


def occurrences(lines: Sequence[bytes], excerpt: Sequence[bytes]) -> Iterator[int]:
    """Yield the 1-based lines at which the excerpt stands exactly; linear in time, whatever repeats."""
    if not excerpt or any(b"\n" in line for line in excerpt):
        return
    text = b"\n".join((b"", *lines, b""))
    wanted = b"\n".join((b"", *excerpt, b""))
    line, counted, at = 1, 0, text.find(wanted)
    while at >= 0:
        line += text.count(b"\n", counted, at)
        counted = at
        yield line
        at = text.find(wanted, at + 1)


class ExcerptSearch:
    """Searches the files of one repository."""

    def __init__(self, runner: GitRunner, objects: ObjectStore) -> None:
        self._runner = runner
        self._objects = objects

    def _lines(self, commit: str, path: bytes) -> list[bytes]:
        """The lines of a file in a commit; none when there is no such file or it cannot be read."""
        try:
            entry = self._objects.entry(self._objects.commit(commit).tree, path)
            if entry is None or not entry.is_file:
                return []
            return git_lines(self._objects.blob(entry.oid, _BLOB_LIMIT))
        except ObjectError:
            return []

    def find(self, commit: str, excerpt: Sequence[bytes], path: bytes, head: str | None) -> tuple[ExcerptPlace, ...]:
        """Look in the same file, at the same path at HEAD, in files of the same name, then in any file."""
        if not any(line.strip() for line in excerpt):
            return ()
        places: list[ExcerptPlace] = []
        for kind, where, name in self._candidates(commit, excerpt, path, head):
            for line in occurrences(self._lines(where, name), excerpt):
                places.append(ExcerptPlace(kind, where, name, line))
                if len(places) == PLACES:
                    return tuple(places)
            if places and kind is PlaceKind.SAME_FILE:
                break
        return tuple(places)

    def _candidates(
        self, commit: str, excerpt: Sequence[bytes], path: bytes, head: str | None
    ) -> Iterator[tuple[PlaceKind, str, bytes]]:
        yield PlaceKind.SAME_FILE, commit, path
        if head is not None and head != commit:
            yield PlaceKind.SAME_PATH_AT_HEAD, head, path
        seen = {path}
        for name in (*self._namesakes(commit, path), *self._containing(commit, excerpt)):
            if name not in seen and len(seen) <= _FILES_TRIED:
                seen.add(name)
                yield PlaceKind.OTHER_FILE, commit, name

    def _namesakes(self, commit: str, path: bytes) -> Iterator[bytes]:
        """Files of the same base name anywhere in the commit, upper folders first."""
        base = path.rpartition(b"/")[2]
        queue: list[tuple[bytes, str]] = []
        try:
            queue.append((b"", self._objects.commit(commit).tree))
            for prefix, oid in queue:
                for name, entry in self._objects.tree(oid).items():
                    if entry.kind is EntryKind.DIRECTORY and len(queue) < _TREES_WALKED:
                        queue.append((prefix + name + b"/", entry.oid))
                    elif name == base and entry.is_file:
                        yield prefix + name
        except ObjectError:
            return

    def _containing(self, commit: str, excerpt: Sequence[bytes]) -> Iterator[bytes]:
        """Files that hold the longest line of the excerpt, by ``git grep`` for the fixed string."""
        pattern = max(excerpt, key=len)
        if len(pattern.strip()) < 4 or len(pattern) > _PATTERN_LIMIT or b"\0" in pattern or b"\n" in pattern:
            return
        command = ("grep", "-l", "-z", "-F", "-I", "--no-textconv", "--full-name", "--no-recurse-submodules")
        found = self._runner.stream(*command, "-e", pattern, commit, "--", end=b"\0", timeout=_SEARCH_TIMEOUT)
        with found as rows:
            try:
                for row in rows:
                    yield row.removeprefix(commit.encode("ascii") + b":")
            except GitFailed:
                return  # status 1 says "nowhere"; a search that fails leaves a message poorer, nothing else

    def last_change(self, path: bytes, first: int, last: int, since: str, head: str) -> str | None:
        """Find the newest commit between ``since`` and ``head`` by which these lines came to read differently.

        When the text still stands somewhere in the file at ``head``, a commit counts that moved it away from its
        line numbers, else one that changed it. A commit counts only if one of its parents had the lines, so
        that old side branches are not blamed.
        """
        excerpt = self._lines(since, path)[first - 1 : last]
        now = self._lines(head, path)
        if first < 1 or len(excerpt) != last - first + 1 or now[first - 1 : last] == excerpt:
            return None
        moved = next(occurrences(now, excerpt), None) is not None

        @cache
        def holds(commit: str) -> bool:
            lines = self._lines(commit, path)
            if moved:
                return lines[first - 1 : last] == excerpt
            return next(occurrences(lines, excerpt), None) is not None

        command = ("rev-list", f"--max-count={_COMMITS_TRIED}", head, f"^{since}", "--", path)
        try:
            with self._runner.stream(*command, timeout=_SEARCH_TIMEOUT) as rows:
                commits = [row.decode("ascii") for row in rows]
        except GitFailed:
            return None
        deadline = time.monotonic() + _COMMITS_SECONDS
        for commit in commits:
            if time.monotonic() > deadline:
                return None
            try:
                parents = self._objects.commit(commit).parents
            except ObjectError:
                return None
            if any(holds(parent) for parent in parents) and not holds(commit):
                return commit
        return None

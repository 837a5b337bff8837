"""Code records from a repository: the lines as the commit has them, not as the work tree happens to (chapter 5)."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from evidence_lint.errors import EvidenceLintError, UsageError
from evidence_lint.sources.interface import RepositorySource
from evidence_lint.witness.checkout import Checkout, FileAt, Refused
from evidence_lint.witness.paths import BadPath, read_path

UNPINNED = "working-tree-unpinned"
_PLACE = re.compile(r"(?P<path>.+):(?P<first>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?", re.DOTALL)
_SHOWN = 80
_ADVICE = f"or pass --worktree for a record labelled {UNPINNED} (which carries no High)"
_ANOTHER = "pass --commit with the commit's digits to pin it all the same"

T = TypeVar("T", str, FileAt)


class PinRefused(EvidenceLintError):
    """The lines are there to be named, but cannot be pinned as they stand; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a file: ``path`` as a person wrote it, ``first`` to ``last`` 1-based and inclusive."""

    path: str
    first: int
    last: int

    @property
    def shown(self) -> str:
        """The lines for a sentence."""
        return f"line {self.first}" if self.first == self.last else f"lines {self.first} to {self.last}"


def parse_place(text: str) -> Lines:
    """Read ``PATH:LINE[-LINE]``; the last colon counts, so a path may hold others. Raises :class:`UsageError`."""
    found = _PLACE.fullmatch(text)
    if found is None:
        raise UsageError(f"{text!r} is no PATH:LINE or PATH:FIRST-LAST")
    first = int(found["first"])
    last = int(found["last"] or first)
    if first < 1 or last < first:
        raise UsageError(f"{text!r}: lines count from 1, and the last is not before the first")
    return Lines(found["path"], first, last)


def path_in(root: Path, path: str, folder: Path) -> str:
    """The path of a file, as seen from ``folder``, relative to the top of the work tree, with ``/``.

    Links among its folders are followed, for Git knows nothing behind one; the file's own name is not.
    Raises :class:`UsageError` when it lies outside.
    """
    full = Path(os.path.abspath(folder / path))  # noqa: PTH100 - the last name must not be resolved
    real = Path(os.path.realpath(full.parent), full.name)
    if not real.is_relative_to(root):
        raise UsageError(f"{path} lies outside the work tree {root}")
    name = real.relative_to(root).as_posix()
    read = read_path(name)
    if isinstance(read, BadPath):
        raise UsageError(f"{path} {read.why}")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise UsageError(f"the name {name!r} is not UTF-8, so no record can hold it") from None
    return name


def pin(repository: RepositorySource, path: str, lines: Lines, commit: str | None = None) -> dict[str, object]:
    """A code record without id of lines in a commit: HEAD, where the work tree must agree, or the one given by digits.

    Raises :class:`PinRefused`.
    """
    checkout = Checkout(repository)
    if commit is not None:
        oid = _had(checkout.resolve(commit))
        return _record(path, lines, _lines(_had(checkout.committed(oid, path)), lines), oid)
    head = repository.head()
    if head is None:
        raise PinRefused("the repository has no commit yet, so there is nothing to pin to")
    committed = checkout.committed(head, path)
    if isinstance(committed, Refused):
        here = checkout.worktree(path)
        if isinstance(here, FileAt):
            raise PinRefused(f"{path} is not in the commit that is checked out ({head[:12]}): commit it, {_ADVICE}")
        raise PinRefused(committed.message)
    here = checkout.worktree(path)
    if isinstance(here, Refused):
        raise PinRefused(f"{path} is in the commit but not in the work tree ({here.message}); {_ANOTHER}")
    _refuse_no_text(committed)
    _refuse_difference(path, lines, _lines_or_none(committed, lines), _lines_or_none(here, lines), head)
    return _record(path, lines, _lines(committed, lines), head)


def unpinned(repository: RepositorySource, path: str, lines: Lines) -> dict[str, object]:
    """A code record without id of lines as the work tree has them. Raises :class:`PinRefused`."""
    return _record(path, lines, _lines(_had(Checkout(repository).worktree(path)), lines), None)


def _record(path: str, lines: Lines, excerpt: Sequence[str], commit: str | None) -> dict[str, object]:
    if not any(line.strip() for line in excerpt):
        raise PinRefused(f"{lines.shown} of {path} hold white space alone, which is evidence of nothing")
    return {
        "kind": "code",
        "path": path,
        "line": lines.first,
        # A final newline ends the last line; without it an empty last line would not count.
        "excerpt": "\n".join(excerpt) + ("\n" if not excerpt[-1] else ""),
        "commit": commit if commit is not None else UNPINNED,
        "snapshot": "commit" if commit is not None else "worktree",
    }


def _had(found: T | Refused) -> T:
    if isinstance(found, Refused):
        raise PinRefused(found.message + (f". {found.help}" if found.help else ""))
    return found


def _lines_or_none(file: FileAt, lines: Lines) -> Sequence[str] | None:
    return file.lines.text[lines.first - 1 : lines.last] if lines.last <= file.lines.count else None


def _lines(file: FileAt, lines: Lines) -> Sequence[str]:
    _refuse_no_text(file)
    found = _lines_or_none(file, lines)
    if found is None:
        count = file.lines.count
        raise PinRefused(f"{file.place} has {count} line{'' if count == 1 else 's'}, so there is no line {lines.last}")
    return found


def _refuse_no_text(file: FileAt) -> None:
    if file.link:
        raise PinRefused(f"{file.place} is a symbolic link; pin the file that it leads to")
    if (pointer := file.lines.lfs) is not None:
        raise PinRefused(
            f"{file.place} is a Git LFS pointer; its content ({pointer.size} bytes) is not in the repository"
        )
    if file.lines.undecodable:
        raise PinRefused(f"{file.place} is no text: it is not UTF-8, and no coding of it is declared or can be told")


def _refuse_difference(
    path: str, lines: Lines, committed: Sequence[str] | None, here: Sequence[str] | None, head: str
) -> None:
    """Refuse when the work tree, which the person looks at, has other lines there than the commit."""
    if committed == here:
        return
    at, seen, stands = _first_difference(lines, committed or (), here or ())
    raise PinRefused(
        f"{path} has changes that are not committed: line {at} of the work tree reads {seen}, "
        f"of commit {head[:12]} {stands}. Commit them, {_ADVICE}"
    )


def _first_difference(lines: Lines, committed: Sequence[str], here: Sequence[str]) -> tuple[int, str, str]:
    for offset in range(max(len(committed), len(here))):
        was, now = _at(committed, offset), _at(here, offset)
        if was != now:
            return lines.first + offset, now, was
    return lines.last, "nothing", "nothing"


def _at(lines: Sequence[str], offset: int) -> str:
    if offset >= len(lines):
        return "nothing"
    line = lines[offset]
    return repr(line if len(line) <= _SHOWN else line[:_SHOWN] + "…")

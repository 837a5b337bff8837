"""The checkout that a command without bundles works on."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from evidence_lint.errors import OutputError, SourceError, UsageError

if TYPE_CHECKING:
    from evidence_lint.sources.git import GitRepository


@contextmanager
def opened(repo: Path | None) -> Generator[tuple[GitRepository, Path]]:
    """Open the checkout at ``repo`` or around the current folder; raises :class:`UsageError` where there is none."""
    from evidence_lint.sources.git import GitRepository  # noqa: PLC0415 - Git only when a command asks for it

    place = repo if repo is not None else Path.cwd()
    try:
        repository = GitRepository.open(place)
    except SourceError as problem:
        raise UsageError(str(problem)) from problem
    with repository:
        if repository.root is None:
            raise UsageError(f"{place} is a bare repository, without a work tree")
        try:
            yield repository, repository.root
        except SourceError as problem:
            raise OutputError(f"Git could not answer: {problem}") from problem

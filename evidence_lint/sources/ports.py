"""What a run gives its witnesses to cross boundaries with: a repository for a bundle, and live captures.

Both are lazy: nothing is opened or fetched until a witness asks, and what cannot be had is said with
:class:`~evidence_lint.errors.Unavailable`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from evidence_lint.errors import Unavailable
from evidence_lint.model.capture import Capture
from evidence_lint.sources.interface import RepositorySource


class CaptureSource(Protocol):
    """Fetches pages, each distinct URL at most once in a run (chapter 4)."""

    def get(self, urls: Collection[str], /) -> Mapping[str, Capture]:
        """Return a capture for each URL, failed ones included.

        Raises :class:`~evidence_lint.errors.Unavailable` when the run may not use the network.
        """
        ...


class NoCaptures:
    """The capture source of an offline run."""

    def get(self, urls: Collection[str], /) -> Mapping[str, Capture]:
        """Refuse."""
        raise Unavailable("offline", "this run is offline (--offline), so no page was fetched again")


def no_repository(folder: Path, /) -> RepositorySource:
    """Say that no checkout is at hand."""
    raise Unavailable(
        "no-checkout",
        f"{folder} lies in no Git work tree; give the checkout that the records speak about with --repo",
    )


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources of a run. ``repository`` takes a bundle's folder."""

    repository: Callable[[Path], RepositorySource] = no_repository
    captures: CaptureSource = field(default_factory=NoCaptures)

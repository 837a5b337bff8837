"""Dialects: kinds of bundles. A dialect recognises bundles among files, loads them, and sums them up.

Rules belong to a dialect by what they ask for: a rule about a ``Report`` runs on bundles from which a report can be
provided, and says nothing about others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from evidence_lint.model.artifact import Bundle
from evidence_lint.model.result import Summary

T = TypeVar("T")

DEFAULT_MAX_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What the configuration says about finding and reading bundles.

    ``layout`` maps artifact names to path patterns that may hold ``{stem}``; ``max_bytes`` is the largest artifact
    that is read. ``exclude`` are patterns of what is not searched, relative to ``root`` (None: to the path that is
    searched).
    """

    layout: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    exclude: Sequence[str] = ()
    root: Path | None = None
    max_bytes: int = DEFAULT_MAX_BYTES
    changed: bool = False
    """The paths are changed files, as hooks give them: what belongs to no bundle is passed over."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bundle that was recognised and is not read yet. ``path`` names it, ``files`` maps artifact names to files.

    ``certain`` is false for a file that nothing but the user's naming it makes a bundle of this dialect.
    """

    path: Path
    main: Path
    files: Mapping[str, Path]
    certain: bool = True


class Resolve(Protocol):
    """Gives a provided value of a bundle by its type; raises what its provider raises."""

    def __call__(self, kind: type[T], /) -> T:
        """Return the value."""
        ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """One kind of bundle.

    ``find`` lists the bundles at or below a path in a stable order, without reading more than it must; ``load`` reads
    one; ``summarise`` makes the bundle's line of the output from provided values.
    """

    name: str
    description: str
    bundle_type: type[Bundle]
    find: Callable[[Path, LoadOptions], Iterable[Candidate]]
    load: Callable[[Candidate, LoadOptions], Bundle]
    summarise: Callable[[Resolve], Summary]

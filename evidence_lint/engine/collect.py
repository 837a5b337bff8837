"""From what the command line names to bundles: paths are searched by every dialect, node ids narrow the run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evidence_lint.dialect import Candidate, Dialect, LoadOptions
from evidence_lint.errors import UsageError

SEPARATOR = "::"


@dataclass(frozen=True, slots=True)
class Argument:
    """A path of the command line, with the rest of a node id behind it ("" for none)."""

    path: Path
    node: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A bundle that a dialect recognised."""

    dialect: Dialect
    candidate: Candidate


def parse_argument(text: str) -> Argument:
    """Split ``path::subject::rule``, as pytest does. Raises :class:`UsageError` when the path does not exist."""
    if os.path.lexists(text):
        return Argument(Path(text))
    name, separator, rest = text.partition(SEPARATOR)
    if separator and os.path.lexists(name):
        return Argument(Path(name), rest)
    raise UsageError(f"no such file or folder: {name if separator else text}")


def collect(arguments: Iterable[Argument], dialects: Sequence[Dialect], options: LoadOptions) -> list[Found]:
    """Return the bundles at or below the arguments, each once, in order of the arguments and then of their paths."""
    found: dict[tuple[str, str], Found] = {}
    for argument in arguments:
        for dialect in dialects:
            for candidate in dialect.find(argument.path, options):
                key = (dialect.name, os.path.realpath(candidate.main))
                found.setdefault(key, Found(dialect, candidate))
    return list(found.values())

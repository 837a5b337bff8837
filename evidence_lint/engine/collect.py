"""From what the command line names to bundles: paths are searched by every dialect, node ids narrow the run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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
    """A bundle that a dialect recognised. ``nodes`` narrows its checks; empty for all of them."""

    dialect: Dialect
    candidate: Candidate
    nodes: tuple[str, ...] = ()


def parse_argument(text: str) -> Argument:
    """Split ``path::subject::rule``, as pytest does. Raises :class:`UsageError` when the path does not exist."""
    if os.path.lexists(text):
        return Argument(Path(text))
    # A name of the path itself may hold the separator: the longest path that is there counts.
    parts = text.split(SEPARATOR)
    for number in range(len(parts) - 1, 0, -1):
        name = SEPARATOR.join(parts[:number])
        if name and os.path.lexists(name):
            return Argument(Path(name), SEPARATOR.join(parts[number:]))
    raise UsageError(f"no such file or folder: {parts[0] or text}")


def collect(arguments: Iterable[Argument], dialects: Sequence[Dialect], options: LoadOptions) -> list[Found]:
    """Return the bundles at or below the arguments, each once, in order of the arguments and then of their paths.

    A file that several dialects recognise is a bundle of each. One that is there only because it was named
    (``certain`` is false) gives way to a dialect that recognises it.
    """
    found: dict[tuple[str, str], Found] = {}
    for argument in arguments:
        here = [Found(dialect, candidate) for dialect in dialects for candidate in dialect.find(argument.path, options)]
        recognised = {_identity(row) for row in here if row.candidate.certain}
        here = [row for row in here if row.candidate.certain or _identity(row) not in recognised]
        for row in here:
            key = (row.dialect.name, _identity(row))
            nodes: tuple[str, ...] = (argument.node,) if argument.node else ()
            before = found.get(key)
            if before is not None:
                # Asked for whole by one argument, it is not narrowed by another.
                nodes = (*before.nodes, *nodes) if before.nodes and nodes else ()
            found[key] = replace(before or row, nodes=nodes)
    return list(found.values())


def barren(arguments: Iterable[Argument], found: Sequence[Found]) -> list[Argument]:
    """Return the arguments at and below which no bundle was found."""
    used = [
        Path(os.path.realpath(path)) for row in found for path in (row.candidate.main, *row.candidate.files.values())
    ]
    return [
        argument
        for argument in arguments
        if not any(path.is_relative_to(os.path.realpath(argument.path)) for path in used)
    ]


def _identity(row: Found) -> str:
    return os.path.realpath(row.candidate.main)

"""Where the formats of a run go: ``--format`` and ``--output`` in the order of the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from evidence_lint.engine.catalogue import Catalogue
from evidence_lint.errors import UsageError
from evidence_lint.model.result import Format, FormatOptions, RunResult
from evidence_lint.sources.writing import replace_file

DEFAULT = "full"
_BY_SUFFIX = {".json": "json", ".sarif": "sarif", ".xml": "junit", ".html": "html", ".md": "markdown", ".txt": "full"}
_ORDER = "evidence_lint.order"
_FORMATS, _OUTPUTS = "format_names", "output_files"


class OrderedCommand(click.Command):
    """A command that remembers the order in which its options stood on the command line."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as usual, and note (option, value) pairs in order."""
        values, _, order = self.make_parser(ctx).parse_args(list(args))
        taken: dict[str, int] = {}
        pairs: list[tuple[str, str]] = []
        for parameter in order:
            name = parameter.name
            given = values.get(name) if name is not None else None
            if name in {_FORMATS, _OUTPUTS} and isinstance(given, list):
                index = taken.get(name, 0)
                taken[name] = index + 1
                pairs.append((name, str(given[index])))
        ctx.meta[_ORDER] = pairs
        return super().parse_args(ctx, args)


@dataclass(frozen=True, slots=True)
class Destination:
    """A format and the file it goes to; None is standard output."""

    format: str
    path: Path | None


def destinations(meta: Mapping[str, Any]) -> list[Destination]:
    """Pair formats with files: an ``--output`` takes the ``--format`` before it, else what its suffix says.

    A format without a file goes to standard output. Raises :class:`UsageError` when two formats would.
    """
    found: list[Destination] = []
    waiting: str | None = None
    for name, value in meta.get(_ORDER, ()):
        if name == _FORMATS:
            if waiting is not None:
                found.append(Destination(waiting, None))
            waiting = value
        else:
            path = Path(value)
            found.append(Destination(waiting or _BY_SUFFIX.get(path.suffix.lower(), DEFAULT), path))
            waiting = None
    if waiting is not None:
        found.append(Destination(waiting, None))
    if not found:
        found.append(Destination(DEFAULT, None))
    if sum(destination.path is None for destination in found) > 1:
        raise UsageError("two formats for standard output; give each but one an --output FILE behind it")
    return found


def chosen(catalogue: Catalogue, wanted: Sequence[Destination]) -> list[tuple[Format, Path | None]]:
    """Look the formats up. Raises :class:`UsageError` for an unknown one, naming those there are."""
    rows: list[tuple[Format, Path | None]] = []
    for destination in wanted:
        format_ = catalogue.format(destination.format)
        if format_ is None:
            names = ", ".join(candidate.name for candidate in catalogue.formats)
            raise UsageError(f"there is no format {destination.format!r}; there are {names}")
        rows.append((format_, destination.path))
    return rows


def colour_wanted(choice: str) -> bool:
    """Whether to use colours on standard output: only on a terminal, and never under ``NO_COLOR``."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def write(result: RunResult, wanted: Sequence[tuple[Format, Path | None]], options: FormatOptions) -> None:
    """Print the result in every format. A file is replaced as a whole, so that a reader never sees half of it."""
    plain = FormatOptions(color=False, width=None, show_passed=options.show_passed, statistics=options.statistics)
    for format_, path in wanted:
        text = format_.render(result, options if path is None else plain)
        if path is None:
            sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
            sys.stdout.buffer.flush()
        else:
            replace_file(path, text.encode("utf-8", "backslashreplace"))

"""Where the formats of a run go: ``--format`` and ``--output`` in the order of the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import click

from evidence_lint.engine.catalogue import Catalogue
from evidence_lint.errors import OutputError, UsageError
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
            name = str(parameter.name)
            given = values.get(name)
            if name in {_FORMATS, _OUTPUTS} and isinstance(given, list):
                index = taken.get(name, 0)
                taken[name] = index + 1
                pairs.append((name, str(cast("list[object]", given)[index])))
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
            found.append(_to_file(waiting, value))
            waiting = None
    if waiting is not None:
        found.append(Destination(waiting, None))
    if not found:
        found.append(Destination(DEFAULT, None))
    if sum(destination.path is None for destination in found) > 1:
        raise UsageError("two formats for standard output; give each but one an --output FILE behind it")
    return found


def _to_file(name: str | None, value: str) -> Destination:
    if value == "-":
        return Destination(name or DEFAULT, None)
    suffixes = [suffix.lower() for suffix in Path(value).suffixes]
    by_suffix = next((_BY_SUFFIX[suffix] for suffix in suffixes if suffix == ".sarif"), None)
    by_suffix = by_suffix or _BY_SUFFIX.get(suffixes[-1] if suffixes else "", DEFAULT)
    return Destination(name or by_suffix, Path(value))


def require_different(wanted: Sequence[Destination]) -> None:
    """Raise :class:`UsageError` when one file would be written twice, or cannot be one at all."""
    seen: set[str] = set()
    for path in (destination.path for destination in wanted):
        if path is None:
            continue
        real = os.path.realpath(path)
        if os.path.isdir(real):  # noqa: PTH112 - nor does an impossible name raise
            raise UsageError(f"--output {path}: this is a folder")
        if real in seen and not real.startswith("/dev/"):
            raise UsageError(f"--output {path}: two formats for one file")
        seen.add(real)


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
    return on_terminal() and os.environ.get("TERM") != "dumb"


def on_terminal() -> bool:
    """Whether standard output is a terminal; it may be closed."""
    stream: object = sys.stdout
    return stream is not None and sys.stdout.isatty()


def write(result: RunResult, wanted: Sequence[tuple[Format, Path | None]], options: FormatOptions) -> None:
    """Print the result in every format. A file is replaced as a whole, so that a reader never sees half of it.

    One that cannot be written does not keep the others from being written. Raises :class:`OutputError`, and
    :class:`BrokenPipeError` when nobody reads standard output any more.
    """
    plain = replace(options, color=False, width=None)
    problem: OutputError | None = None
    # Files first: what happens to standard output must not cost them.
    for format_, path in sorted(wanted, key=lambda row: row[1] is None):
        data = format_.render(result, options if path is None else plain).encode("utf-8", "backslashreplace")
        try:
            if path is None:
                write_stdout(data)
            else:
                replace_file(path, data)
        except OutputError as error:
            problem = problem or error
    if problem is not None:
        raise problem


def write_stdout(data: bytes) -> None:
    """Write bytes to standard output. Raises :class:`OutputError`, and :class:`BrokenPipeError` without a reader."""
    stream: object = sys.stdout
    if stream is None:
        raise OutputError("standard output is closed")
    try:
        left = memoryview(data)
        while left:
            # Under PYTHONUNBUFFERED this is the bare file, which may take a part only.
            left = left[sys.stdout.buffer.write(left) or 0 :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise OutputError(f"standard output cannot be written: {problem.strerror}") from problem

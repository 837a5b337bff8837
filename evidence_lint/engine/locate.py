"""The only place where spans and JSON pointers become lines and columns; lazily, for what is printed."""

from __future__ import annotations

import bisect
import os
import re
from collections.abc import Sequence
from pathlib import Path

from evidence_lint.model.artifact import Artifact, Bundle, Medium
from evidence_lint.model.location import Location, Position, Span
from evidence_lint.parse.json_positions import PointerIndex

_LINE_END = re.compile(r"\r\n|\n|\r")


class Locator:
    """Finds lines and columns in the artifacts of bundles, keeping line tables and pointer indexes once made."""

    def __init__(self, cwd: Path | None = None) -> None:
        here = os.path.abspath(cwd if cwd is not None else Path.cwd())  # noqa: PTH100
        # A file may be named through a link that leads to the current directory.
        self._bases = tuple(dict.fromkeys((Path(here), Path(os.path.realpath(here)))))
        self._line_starts: dict[Path, list[int]] = {}
        self._pointers: dict[Path, PointerIndex] = {}

    def display_path(self, path: Path) -> str:
        """Return the path relative to the current directory where it lies below it, else absolute."""
        absolute = Path(os.path.abspath(path))  # noqa: PTH100 - symlinks keep the name that the user gave
        for base in self._bases:
            if absolute.is_relative_to(base):
                return absolute.relative_to(base).as_posix()
        return absolute.as_posix()

    def position(self, bundle: Bundle, location: Location) -> Position:
        """Return the lines and columns of a location; the first line of its artifact when it cannot be found."""
        artifact = bundle.artifacts.get(location.artifact)
        if artifact is None:
            return Position(self.display_path(bundle.path), 1, 1, 1, 1, location.pointer)
        path = self.display_path(artifact.path)
        span = self._span(artifact, location)
        if span is None or artifact.text is None:
            return Position(path, 1, 1, 1, 1, location.pointer)
        line, column = self._line_column(artifact, span.start)
        end_line, end_column = self._line_column(artifact, span.end)
        return Position(path, line, column, end_line, end_column, location.pointer, span.start, span.end)

    def span(self, bundle: Bundle, location: Location) -> Span | None:
        """Return the characters that a location covers, or None for an artifact as a whole."""
        artifact = bundle.artifacts.get(location.artifact)
        return None if artifact is None else self._span(artifact, location)

    def source_lines(self, bundle: Bundle, artifact: str, first: int, last: int) -> Sequence[tuple[int, str]]:
        """Return the numbered lines ``first..last`` of an artifact, as far as they exist."""
        found = bundle.artifacts.get(artifact)
        if found is None or found.text is None:
            return []
        starts = self._starts(found)
        rows: list[tuple[int, str]] = []
        for number in range(max(first, 1), min(last, len(starts)) + 1):
            end = starts[number] if number < len(starts) else len(found.text)
            rows.append((number, found.text[starts[number - 1] : end].rstrip("\r\n")))
        return rows

    def _span(self, artifact: Artifact, location: Location) -> Span | None:
        if location.span is not None:
            return location.span
        if location.pointer is None or artifact.text is None:
            return None
        if artifact.medium not in {Medium.JSON, Medium.JSONL}:
            return None
        index = self._pointers.get(artifact.path)
        if index is None:
            index = PointerIndex(artifact.text, lines=artifact.medium is Medium.JSONL)
            self._pointers[artifact.path] = index
        return index.span(location.pointer, key=location.key)

    def _line_column(self, artifact: Artifact, offset: int) -> tuple[int, int]:
        starts = self._starts(artifact)
        line = bisect.bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def _starts(self, artifact: Artifact) -> list[int]:
        starts = self._line_starts.get(artifact.path)
        if starts is None:
            starts = line_starts(artifact.text or "")
            self._line_starts[artifact.path] = starts
        return starts


def line_starts(text: str) -> list[int]:
    """Return the offset of each line's first character; a line ends at LF, CRLF or a lone CR, as in editors."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]

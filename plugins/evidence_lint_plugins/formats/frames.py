"""Source frames: lines of a file with their numbers and the columns that matter, cut to a width.

Nothing here knows colours. Widths are terminal cells: an East Asian wide character takes two, a combining one none.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len, get_character_cell_size

from evidence_lint.model.artifact import Bundle
from evidence_lint.model.location import Location, Position
from evidence_lint.model.result import Places
from evidence_lint_plugins.formats.characters import visible_character

ELLIPSIS = "…"
_MOST_LINES = 5
_HEAD_LINES = 3
_MOST_CHARACTERS = 4
"""Characters a cell that are looked at, since combining ones take no cell: a flood of them stays cheap."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A line as it is shown; cells ``start..end`` are what it is shown for."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FrameLine:
    """One line of a frame, marked under its columns, or at its side as one of several lines.

    A line without a number stands for lines that are left out.
    """

    number: int | None
    cut: Cut
    underlined: bool = False
    barred: bool = False


def frame(places: Places, bundle: Bundle, location: Location, position: Position, width: int) -> list[FrameLine]:
    """Return the lines of a location; none where it is a file as a whole, or where the file has no text."""
    if location.span is None and location.pointer is None:
        return []
    last = position.end_line
    if last > position.line and position.end_column == 1:
        last -= 1  # The location ends with a line's end; the next line is not part of it.
    if last == position.line:
        return _single(places, bundle, location, position, width)
    return _several(places, bundle, location, position, last, width)


def _single(places: Places, bundle: Bundle, location: Location, at: Position, width: int) -> list[FrameLine]:
    lines = places.source_lines(bundle, location.artifact, at.line, at.line)
    return [
        FrameLine(
            number,
            cut(text, at.column - 1, at.end_column - 1 if at.end_line == at.line else len(text), width),
            underlined=True,
        )
        for number, text in lines
    ]


def _several(
    places: Places, bundle: Bundle, location: Location, at: Position, last: int, width: int
) -> list[FrameLine]:
    count = last - at.line + 1

    def barred(first: int, final: int) -> list[FrameLine]:
        lines = places.source_lines(bundle, location.artifact, first, final)
        return [FrameLine(number, cut(text, 0, 0, width - 2), barred=True) for number, text in lines]

    if count <= _MOST_LINES:
        return barred(at.line, last)
    words = f"{ELLIPSIS} {count - _HEAD_LINES - 1} more lines"
    left_out = FrameLine(None, Cut(words, 0, 0), barred=True)
    return [*barred(at.line, at.line + _HEAD_LINES - 1), left_out, *barred(last, last)]


def cut(line: str, start: int, end: int, width: int) -> Cut:
    """Return the part of a line around its characters ``start..end`` that fits into ``width`` cells.

    The start of the marked part is always in sight. The work is bounded by the width, not by the line's length.
    """
    width = max(width, 8)
    start = min(start, len(line))
    end = max(start, min(end, len(line)))
    if _cells_of(line, 0, len(line), width) <= width:
        first, lead = 0, _cells_of(line, 0, start, width)
    else:
        room = max(0, width - 2 - _cells_of(line, start, end, width))
        first, lead = _left(line, start, min(max(room * 2 // 3, width // 5), width // 2))
    pieces = [ELLIPSIS] if first else []
    used = len(pieces)
    begin = finish = used + lead
    for index in range(first, len(line)):
        shown, cells = _shown(line[index])
        more = index + 1 < len(line)
        if used + cells + more > width or index - first > _MOST_CHARACTERS * width:
            pieces.append(ELLIPSIS)
            finish += index < end
            break
        pieces.append(shown)
        used += cells
        if start <= index < end:
            finish = used
    return Cut("".join(pieces), begin, max(finish, begin + 1))


def _left(line: str, start: int, lead: int) -> tuple[int, int]:
    """Go left from ``start`` for at most ``lead`` cells; return where that is and how many cells it is."""
    index, cells = start, 0
    while index > 0 and start - index < _MOST_CHARACTERS * lead:
        size = _shown(line[index - 1])[1]
        if cells + size > lead:
            break
        cells += size
        index -= 1
    while 0 < index < start and _shown(line[index])[1] == 0:
        index += 1  # A combining character does not stand without its base.
    return index, cells


def _cells_of(line: str, start: int, end: int, most: int) -> int:
    """Return the cells of the characters ``start..end``, or ``most + 1`` where there are more."""
    if end - start > _MOST_CHARACTERS * most:
        return most + 1
    return min(sum(_shown(character)[1] for character in line[start:end]), most + 1)


def _shown(character: str) -> tuple[str, int]:
    shown = visible_character(character)
    return shown, get_character_cell_size(shown) if len(shown) == 1 else cell_len(shown)

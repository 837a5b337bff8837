"""Characters of a text as the positions of the protocol, and back.

The model counts characters of the decoded text from 0. An editor counts lines (ended by LF, CRLF or a lone CR, and by
nothing else) and in a line the code units of the encoding that was agreed on: UTF-16 unless it asked for another.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import Literal, TypeAlias

from evidence_lint.engine.locate import line_starts

Encoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]
BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line and a column in code units, both from 0."""

    line: int
    column: int


class LineTable:
    """The lines of one text as an editor holds it.

    ``shift`` is 1 where the editor's text begins with a byte order mark, which the model does not count.
    """

    def __init__(self, text: str, encoding: Encoding = "utf-16") -> None:
        self.text = text
        self.encoding: Encoding = encoding
        self.starts = line_starts(text)
        self.shift = int(text.startswith(BYTE_ORDER_MARK))

    def place(self, offset: int) -> Place:
        """The position of a character of the decoded text; one beyond its end is its end."""
        at = min(max(offset, 0) + self.shift, len(self.text))
        line = bisect.bisect_right(self.starts, at) - 1
        return Place(line, units(self.text[self.starts[line] : at], self.encoding))

    def offset(self, place: Place) -> int:
        """The character of the decoded text at a position; beyond the end of a line it is the line's end."""
        return max(self.index(place) - self.shift, 0)

    def index(self, place: Place) -> int:
        """The same as an index into the editor's own text. A position inside a character is the character's start."""
        if place.line < 0:
            return 0
        if place.line >= len(self.starts):
            return len(self.text)
        start, end = self.starts[place.line], self.line_end(place.line)
        line = self.text[start:end]
        if self.encoding == "utf-32" or line.isascii():
            return start + min(max(place.column, 0), len(line))
        left = place.column
        for index, character in enumerate(line):
            left -= units(character, self.encoding)
            if left < 0:
                return start + index
        return end

    def line_end(self, line: int) -> int:
        """The index behind the last character of a line, without its line end."""
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        while end > self.starts[line] and self.text[end - 1] in "\r\n":
            end -= 1
        return end


def units(text: str, encoding: Encoding) -> int:
    """How many code units a text takes; a lone surrogate counts as an editor would hold it."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2

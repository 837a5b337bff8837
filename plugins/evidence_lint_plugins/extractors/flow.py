"""Running text as a browser lays it out: white space collapses, and blocks stand on lines of their own."""

from __future__ import annotations

import re

# HTML's own white space: a no-break space is a character like any other.
_WORDS = re.compile(r"[^ \t\n\r\f]+")
_SPACE = " \t\n\r\f"
_NEWLINE = re.compile(r"\r\n?")


class Flow:
    """Collects text in reading order.

    A block border is a line break, a paragraph border an empty line, a cell border a tab. Borders are held back until
    text follows, so neither empty elements nor nested ones pile them up.
    """

    __slots__ = ("_asides", "_breaks", "_line_start", "_parts", "_space", "_tabs", "length")

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._asides: list[str] = []
        self._breaks = 0
        self._tabs = 0
        self._space = False
        self._line_start = True
        #: Characters written so far, borders included.
        self.length = 0

    def text(self, text: str) -> None:
        """Add running text, whose white space collapses with what stands around it."""
        words = _WORDS.findall(text)
        if not words:
            self._space = self._space or bool(text)
            return
        self._open(spaced=text[0] in _SPACE)
        self._write(" ".join(words))
        self._space = text[-1] in _SPACE

    def verbatim(self, text: str) -> None:
        """Add text whose white space is kept."""
        if text:
            self._open(spaced=False)
            self._write(_NEWLINE.sub("\n", text))
            self._line_start = text.endswith("\n")

    def aside(self, text: str) -> None:
        """Keep words that stand beside the line (the reading of a character) until the line has ended."""
        self._asides.extend(text.split())

    def line(self) -> None:
        """End the line."""
        self._border(1)

    def paragraph(self) -> None:
        """End the line, and leave one empty."""
        self._border(2)

    def line_break(self) -> None:
        """Break the line here (``<br>``); two in a row leave an empty line."""
        self._border(min(self._breaks + 1, 2))

    def cell(self, row_start: int) -> None:
        """Begin another cell of the row that began at *row_start* (a :attr:`length`)."""
        if self.length > row_start:
            # What ended inside the cell before is on this row still.
            self._breaks = 0
        self._tabs += 1
        self._space = False

    def end_row(self, row_start: int) -> None:
        """End a row; empty cells at its end leave no trace, and what ended within its cells is on the row still."""
        self._tabs = 0
        if self.length > row_start:
            self._breaks = 0
        self.line()

    def result(self) -> str:
        """Return all the text."""
        self._write_asides()
        return "".join(self._parts)

    def _border(self, breaks: int) -> None:
        # A block at the start of a cell does not leave the row.
        if not self._tabs:
            self._breaks = max(self._breaks, breaks)
        self._space = False

    def _open(self, *, spaced: bool) -> None:
        """Write the borders that are due before text."""
        if self._breaks:
            self._write_asides()
            if self.length:
                self._write("\n" * (self._breaks - (self._line_start and self._breaks > 1)))
            self._line_start = True
        if self._tabs:
            self._write("\t" * self._tabs)
            self._line_start = True
        if (spaced or self._space) and not self._line_start:
            self._write(" ")
        self._breaks = self._tabs = 0
        self._space = False
        self._line_start = False

    def _write_asides(self) -> None:
        if self._asides:
            self._write("\n" + " ".join(self._asides))
            self._asides.clear()

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)

"""The lines of a text, with the way from parsed lines back to characters of the file."""

from __future__ import annotations

import re
from bisect import bisect_right

from evidence_lint.model.location import Span

_NEWLINE = re.compile(r"\r\n|\r|\n")


class Lines:
    """A text cut into lines as CommonMark cuts it: at LF, CR and CRLF, nowhere else.

    ``rows`` are the lines without their ends, NUL replaced as CommonMark asks. ``flat`` is the rows joined by LF;
    :meth:`source` turns an offset of ``flat`` into an offset of the text.
    """

    def __init__(self, text: str) -> None:
        """Cut ``text`` (decoded, without byte order mark)."""
        self.text = text
        self.starts: list[int] = [0]
        self.ends: list[int] = []
        for match in _NEWLINE.finditer(text):
            self.ends.append(match.start())
            self.starts.append(match.end())
        self.ends.append(len(text))
        clean = text.replace("\0", "\ufffd")
        self.rows: list[str] = [clean[a:b] for a, b in zip(self.starts, self.ends, strict=True)]
        self.flat = "\n".join(self.rows)
        self._same = len(self.flat) == len(text)
        self.flat_starts: list[int] = []
        offset = 0
        for row in self.rows:
            self.flat_starts.append(offset)
            offset += len(row) + 1

    def __len__(self) -> int:
        return len(self.rows)

    def row_of(self, flat_offset: int) -> int:
        """The index of the row that holds an offset of ``flat``."""
        return max(0, bisect_right(self.flat_starts, flat_offset) - 1)

    def source(self, flat_offset: int) -> int:
        """The offset in the text for an offset of ``flat``."""
        if self._same:
            return flat_offset
        row = self.row_of(flat_offset)
        return min(self.starts[row] + flat_offset - self.flat_starts[row], len(self.text))

    def source_span(self, start: int, end: int) -> Span:
        """The span of the text for a range of ``flat``; line ends inside the range are covered whole."""
        first = self.source(start)
        if end <= start:
            return Span(first, first)
        last = self.source(end) if self.flat[end - 1 : end] == "\n" else self.source(end - 1) + 1
        return Span(first, max(first, last))

    def block(self, first: int, last: int) -> Span:
        """The span of rows ``first`` to ``last`` (exclusive) without blank rows and outer white space."""
        last = min(last, len(self.rows))
        while last > first + 1 and not self.rows[last - 1].strip():
            last -= 1
        if first >= len(self.rows):
            return Span(len(self.text), len(self.text))
        row = self.rows[first]
        start = self.starts[first] + len(row) - len(row.lstrip())
        end = self.starts[last - 1] + len(self.rows[last - 1].rstrip()) if last > first else start
        return Span(min(start, max(end, self.starts[first])), max(start, end))

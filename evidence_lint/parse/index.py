"""Section 8 read from its raw lines: which lines are entries, where the section ends (chapter 1, "The index")."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from evidence_lint.parse.headings import contract_number, ends_index
from evidence_lint.parse.lines import Lines
from evidence_lint.parse.verbatim import RecordTexts, consume, entry_head, head_id, search_start

_BRACKET = re.compile(
    r"(?P<lead>[ ]{0,3}(?:\|[ \t]*)?(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(?:<a\b[^<>\n]{0,200}>[ \t]*(?:</a>)?[ \t]*)?)"
    r"(?:\*\*|__)?\\?\[(?:\*\*|__)?(?P<number>\d{1,4})(?:\*\*|__)?\\?\](?!\()(?:\*\*|__)?(?P<colon>:)?[.)]?(?![\[(])"
    r"(?:\*\*|__)?[ \t]*(?:\|[ \t]*)?"
)
_LINKED = re.compile(r"(?P<lead>[ ]{0,3}(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?)\[\[?(?P<number>\d{1,4})\]?\](?=\()")
_ORDERED = re.compile(r"(?P<lead>[ ]{0,3})(?P<number>\d{1,9})(?P<mark>[.)])(?P<space>[ \t]+)(?=\S)")
_ATX = re.compile(r"[ ]{0,3}(#{1,6})(?=[ \t]|$)")
_SETEXT = re.compile(r"[ ]{0,3}(=+|-+)[ \t]*$")
_LIST = re.compile(r"[ ]{0,3}(?:\d{1,9}[.)]|[-*+])(?:[ \t]|$)")
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_BREAK = re.compile(r"[ ]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_COMMIT_TAIL = re.compile(r"\s(?:—|–|--?)\s+commit:", re.IGNORECASE)
_LONGEST_FENCE = 400


@dataclass(slots=True)
class RawEntry:
    """The raw text of one entry, in offsets of ``Lines.flat``."""

    number: int
    number_at: tuple[int, int]
    start: int
    text_at: int
    end: int
    record: str = ""
    excerpt: tuple[int, int] | None = None
    definition: bool = False
    written: int | None = None


@dataclass(slots=True)
class IndexScan:
    """Section 8: its entries, the row where it ends, and the heading that ends it."""

    first: int
    end: int
    entries: list[RawEntry] = field(default_factory=list[RawEntry])
    hidden: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Ranges of ``flat`` that were consumed or commented out."""
    has_text: bool = False


def atx(row: str) -> tuple[int, str] | None:
    """Level and text (escapes resolved) of an ATX heading line."""
    match = _ATX.match(row)
    if match is None:
        return None
    text = row[match.end() :].strip(" \t")
    closed = text.rstrip("#")
    if closed != text and (not closed or closed[-1] in " \t"):
        text = closed.rstrip(" \t")
    return len(match.group(1)), _ESCAPE.sub(r"\1", text)


def exact_numbers(lines: Lines, first: int, hidden: Sequence[tuple[int, int]]) -> set[int]:
    """The contract numbers with an exact heading line at or after row ``first``, outside the ``hidden`` ranges."""
    found: set[int] = set()
    covered = {
        row for start, end in hidden for row in range(lines.row_of(start) + 1, lines.row_of(max(start, end - 1)) + 1)
    }
    for index in range(first, len(lines)):
        heading = None if index in covered else atx(lines.rows[index])
        if heading is None and index not in covered and _underlined(lines, index):
            heading = (2, _ESCAPE.sub(r"\1", lines.rows[index]).strip())
        if heading and (number := contract_number(heading[1])) is not None:
            found.add(number)
    return found


def _underlined(lines: Lines, index: int) -> re.Match[str] | None:
    if index + 1 >= len(lines) or not lines.rows[index].strip():
        return None
    if lines.rows[index].startswith(("    ", "\t")) or _LIST.match(lines.rows[index]):
        return None
    return _SETEXT.match(lines.rows[index + 1])


class IndexReader:
    """Scans section 8 once, line by line."""

    def __init__(self, lines: Lines, first: int, texts: RecordTexts, missing: Collection[int]) -> None:
        """``first`` is the row after the heading; ``missing`` are contract numbers without an exact heading."""
        self.lines = lines
        self.texts = texts
        self.missing = missing
        self.scan = IndexScan(first, len(lines))
        self.open: RawEntry | None = None
        self.brackets = False
        self.uncommented = False
        self.ordered: tuple[str, int, int, int] | None = None

    def run(self) -> IndexScan:
        """Read to the next heading or the end."""
        row = self.scan.first
        while row < len(self.lines):
            if self._heading(row):
                self.scan.end = row
                break
            row = self._line(row)
        return self.scan

    def _heading(self, row: int) -> bool:
        text = self.lines.rows[row]
        heading = atx(text)
        if heading is not None:
            return ends_index(heading[0], heading[1], self.missing)
        if _underlined(self.lines, row):
            return contract_number(_ESCAPE.sub(r"\1", text).strip()) is not None
        return False

    def _line(self, row: int) -> int:
        """Read the line ``row`` and whatever it opens; returns the next row."""
        text = self.lines.rows[row]
        start = self.lines.flat_starts[row]
        if skipped := self._comment(row, text) or self._fence(row, text):
            return skipped
        entry = self._entry(text, start)
        if entry is not None:
            self.scan.entries.append(entry)
            self.scan.has_text = True
            self.open = entry
            return self._entry_end(entry, row)
        if not text.strip():
            following = self.lines.rows[row + 1] if row + 1 < len(self.lines) else ""
            if not following.startswith(("  ", "\t")):
                self.open = None
            return row + 1
        self.scan.has_text = True
        bullet = _LIST.match(text) and not text.startswith(" ")
        if self.open is not None and not bullet and not atx(text) and not _BREAK.match(text):
            self.open.end = start + len(text.rstrip())
        else:
            self.open = None
        return row + 1

    def _comment(self, row: int, text: str) -> int:
        if self.uncommented or not text.lstrip(" ").startswith("<!--"):
            return 0
        start = self.lines.flat_starts[row]
        close = self.lines.flat.find("-->", start + 4)
        if close < 0:
            self.uncommented = True
            return 0
        last = self.lines.row_of(close)
        if self.lines.rows[last][close + 3 - self.lines.flat_starts[last] :].strip():
            return 0
        self.scan.hidden.append((start, close + 3))
        return last + 1

    def _fence(self, row: int, text: str) -> int:
        opener = _FENCE.match(text)
        if opener is None:
            return 0
        marks = opener.group(1)
        closer = re.compile(rf"[ ]{{0,3}}{re.escape(marks[0])}{{{len(marks)},}}[ \t]*$")
        for index in range(row + 1, min(len(self.lines), row + _LONGEST_FENCE)):
            line = self.lines.rows[index]
            if closer.match(line):
                self.scan.has_text = True
                start = self.lines.flat_starts[row]
                self.scan.hidden.append((start, self.lines.flat_starts[index] + len(line)))
                if self.open is not None:
                    self.open.end = self.lines.flat_starts[index] + len(line.rstrip())
                return index + 1
            # A mark of code in an excerpt must not swallow the entries that follow it.
            if _BRACKET.match(line):
                return 0
        return 0

    def _entry(self, text: str, start: int) -> RawEntry | None:
        match = _BRACKET.match(text)
        if match:
            return self._numbered(match, text, start)
        if match := _LINKED.match(text):
            return self._numbered(match, text, start, whole=True)
        return None if self.brackets else self._ordered(text, start)

    def _numbered(self, match: re.Match[str], text: str, start: int, *, whole: bool = False) -> RawEntry:
        """An entry that writes its number in brackets; ``whole`` where the bracket is the text of a link."""
        self.brackets = True
        lead = match.group("lead")
        outer = " \t|" if lead.lstrip().startswith("|") else None
        return RawEntry(
            int(match.group("number")),
            (start + match.start("number"), start + match.end("number")),
            start + len(text) - len(text.lstrip()),
            start + match.end(),
            start + max(match.end(), len(text.rstrip(outer))),
            definition=not whole and match.group("colon") is not None and not lead.strip(),
        )

    def _ordered(self, text: str, start: int) -> RawEntry | None:
        match = _ORDERED.match(text)
        if match is None:
            return None
        indent, written = len(match.group("lead")), int(match.group("number"))
        if self.ordered and indent >= self.ordered[3]:
            return None
        if self.ordered and self.ordered[0] == match.group("mark"):
            number = self.ordered[2] + 1
        elif self.open is not None and written != 1:
            # Only a list that begins with 1 can interrupt a paragraph.
            return None
        else:
            number = written
        content = indent + len(match.group("number")) + 1 + min(len(match.group("space")), 4)
        self.ordered = (match.group("mark"), written, number, content)
        at = start + match.start("number")
        return RawEntry(
            number,
            (at, start + match.end("number")),
            start + indent,
            start + match.end(),
            start + len(text.rstrip()),
            written=written if written != number else None,
        )

    def _entry_end(self, entry: RawEntry, row: int) -> int:
        """Consume the record's text, which may run over lines; returns the next row."""
        flat = self.lines.flat
        head = entry_head(flat, entry.text_at, entry.end)
        if head is None:
            return row + 1
        entry.record = head_id(head)[0]
        texts = self.texts.of(entry.record)
        found = consume(flat, search_start(flat, head, entry.end), self._window(row), texts)
        if found is None:
            return self._altered(entry, row, texts)
        entry.excerpt = found
        self.scan.hidden.append(found)
        last = self.lines.row_of(max(found[0], found[1] - 1))
        if found[1] and flat[found[1] - 1] == "\n" and last + 1 < len(self.lines):
            last += 1
        entry.end = self.lines.flat_starts[last] + len(self.lines.rows[last].rstrip())
        return last + 1

    def _window(self, row: int) -> int:
        """The end of the entry's own lines: an excerpt begins before it."""
        last = row
        while last + 1 < len(self.lines) and last < row + 3:
            following = self.lines.rows[last + 1]
            if not following.strip() or _BRACKET.match(following) or atx(following):
                break
            last += 1
        return self.lines.flat_starts[last] + len(self.lines.rows[last])

    def _altered(self, entry: RawEntry, row: int, texts: Sequence[str]) -> int:
        """An excerpt of several lines that is not the record's: it still ends where the entry names its commit."""
        if _COMMIT_TAIL.search(self.lines.rows[row]):
            return row + 1
        for breaks in sorted({text.count("\n") for text in texts} - {0}, reverse=True):
            last = row + breaks
            if last < len(self.lines) and self._is_tail(row, last):
                line = self.lines.rows[last]
                entry.end = self.lines.flat_starts[last] + len(line.rstrip())
                self.scan.hidden.append((self.lines.flat_starts[row + 1], self.lines.flat_starts[last]))
                return last + 1
        return row + 1

    def _is_tail(self, row: int, last: int) -> bool:
        """Whether an altered excerpt that began in ``row`` ends in ``last``, with no other entry between."""
        if not _COMMIT_TAIL.search(self.lines.rows[last]):
            return False
        between = self.lines.rows[row + 1 : last + 1]
        return not any(
            (match := _BRACKET.match(line)) and (entry_head(line, match.end(), len(line)) or "://" in line)
            for line in between
        )


def definitions(env_references: Mapping[str, object]) -> dict[int, str]:
    """Link definitions whose label is a number."""
    found: dict[int, str] = {}
    for label, reference in env_references.items():
        if label.isascii() and label.isdigit() and len(label) < 5 and isinstance(reference, dict):
            found[int(label)] = str(reference.get("href", ""))  # pyright: ignore
    return found

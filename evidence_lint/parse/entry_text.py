"""The text of one index entry: its parts between dashes, its URLs, and how a stretch of it is shown."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evidence_lint.model.report import EntryKind, Shown, SourceEntry
from evidence_lint.parse.index import RawEntry
from evidence_lint.parse.lines import Lines
from evidence_lint.parse.urls import find_urls

_SEPARATOR = re.compile(r"[—―]|(?<=\s)(?:–|--?|\|)(?=\s)")
_OUTER = " \t\n`"


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of an entry between two separators, white space excluded, in offsets of ``Lines.flat``."""

    start: int
    end: int


class EntryText:
    """Reads stretches of section 8; all offsets count characters of ``Lines.flat``."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.flat = lines.flat

    def entry(self, raw: RawEntry, kind: EntryKind, shown: dict[str, Shown], urls: list[Shown]) -> SourceEntry:
        """The entry of the model."""
        return SourceEntry(
            number=raw.number,
            number_span=self.lines.source_span(*raw.number_at),
            span=self.lines.source_span(raw.start, raw.end),
            kind=kind,
            text=self.flat[raw.text_at : max(raw.text_at, raw.end)].strip(),
            urls=tuple(urls),
            written=raw.written,
            **shown,
        )

    def shown(self, start: int, end: int, strip: str = _OUTER) -> Shown:
        """A stretch without the characters of ``strip`` at its ends."""
        while start < end and self.flat[start] in strip:
            start += 1
        while end > start and self.flat[end - 1] in strip:
            end -= 1
        return Shown(self.flat[start:end], self.lines.source_span(start, end))

    def whole(self, start: int, end: int) -> Shown:
        """A stretch as it stands."""
        return Shown(self.flat[start:end], self.lines.source_span(start, end))

    def parts(self, start: int, end: int, keep: tuple[int, int] | None) -> list[Part]:
        """The stretches between separators; none stands inside the consumed text ``keep``."""
        parts: list[Part] = []
        at = start
        for match in _SEPARATOR.finditer(self.flat, start, end):
            if keep and keep[0] <= match.start() < keep[1]:
                continue
            parts.append(self._trimmed(at, match.start()))
            at = match.end()
        parts.append(self._trimmed(at, end))
        return [part for part in parts if part.start < part.end]

    def _trimmed(self, start: int, end: int) -> Part:
        """A part without outer white space."""
        text = self.flat[start:end]
        return Part(start + len(text) - len(text.lstrip()), max(start, start + len(text.rstrip())))

    def urls(self, start: int, end: int, keep: tuple[int, int] | None) -> list[Shown]:
        """The URLs of a range outside the consumed text ``keep``."""
        ranges = [(start, end)] if keep is None else [(start, keep[0]), (keep[1], end)]
        return [
            Shown(url, self.lines.source_span(a, b))
            for first, last in ranges
            if first < last
            for a, b, url in find_urls(self.flat, first, last)
        ]

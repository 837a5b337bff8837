"""Running text while it is being read: characters, their origins, and what lies over them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from evidence_lint.model.location import Span
from evidence_lint.model.report import Prose

MASK = "\0"
"""Stands in the mask for a character that cannot belong to a citation marker."""


@dataclass(frozen=True, slots=True)
class LinkMark:
    """A link over ``start..end`` of the rendered text; ``source`` is the whole construct."""

    start: int
    end: int
    url: str
    source: Span


@dataclass(frozen=True, slots=True)
class CiteMark:
    """A citation marker over ``start..end`` of the rendered text, with the numbers that it names."""

    start: int
    end: int
    marker: Span
    numbers: tuple[tuple[int, Span], ...]


@dataclass(slots=True)
class Rendered:
    """Rendered text under construction.

    ``mask`` has the length of ``text``; masked characters (code, escapes, URLs) cannot form a citation marker.
    ``origins`` are offsets of the source. All ranges count characters of ``text``.
    """

    text: str = ""
    origins: list[int] = field(default_factory=list[int])
    mask: str = ""
    code: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    strong: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    emphasis: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    links: list[LinkMark] = field(default_factory=list[LinkMark])
    cites: list[CiteMark] = field(default_factory=list[CiteMark])
    breaks: list[int] = field(default_factory=list[int])
    """Where a line of the source ended inside a paragraph."""

    def span(self, start: int, end: int) -> Span:
        """The source span of a range."""
        if not self.origins:
            return Span(0, 0)
        first = self.origins[min(start, len(self.origins) - 1)]
        if end <= start:
            return Span(first, first)
        return Span(first, max(first, self.origins[min(end, len(self.origins)) - 1] + 1))

    def slice(self, start: int, end: int) -> Rendered:
        """The part ``start..end``; ranges that cross its borders are cut, markers and links dropped."""
        start = max(0, start)
        end = max(start, min(end, len(self.text)))
        part = Rendered(self.text[start:end], self.origins[start:end], self.mask[start:end])
        for name in ("code", "strong", "emphasis"):
            ranges: list[tuple[int, int]] = getattr(self, name)
            cut = [(max(a, start) - start, min(b, end) - start) for a, b in ranges if a < end and b > start]
            getattr(part, name).extend(cut)
        part.links = [
            LinkMark(mark.start - start, mark.end - start, mark.url, mark.source)
            for mark in self.links
            if start <= mark.start and mark.end <= end
        ]
        part.cites = [
            CiteMark(mark.start - start, mark.end - start, mark.marker, mark.numbers)
            for mark in self.cites
            if start <= mark.start and mark.end <= end
        ]
        part.breaks = [at - start for at in self.breaks if start <= at < end]
        return part

    def strip(self) -> Rendered:
        """The same without outer white space."""
        lead = len(self.text) - len(self.text.lstrip())
        return self.slice(lead, max(lead, len(self.text.rstrip())))

    def prose(self) -> Prose:
        """The immutable form for the model."""
        return Prose(
            self.text,
            tuple(self.origins),
            tuple(Span(a, b) for a, b in self.code),
            tuple(Span(mark.start, mark.end) for mark in self.cites),
        )


class Builder:
    """Puts rendered text together in linear time."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._mask: list[str] = []
        self._result = Rendered()
        self.length = 0
        self.last = ""

    def add(self, text: str, origins: Iterable[int], *, masked: bool = False) -> None:
        """Append characters with their origins."""
        if not text:
            return
        self._text.append(text)
        self._mask.append(MASK * len(text) if masked else text)
        self._result.origins.extend(origins)
        self.length += len(text)
        self.last = text[-1]

    def add_code(self, text: str, origins: Iterable[int]) -> None:
        """Append characters that were code."""
        if text:
            self._result.code.append((self.length, self.length + len(text)))
            self.add(text, origins, masked=True)

    def newline(self, origin: int) -> None:
        """End a block, once."""
        if self.length and self.last != "\n":
            self.add("\n", (origin,))

    def mark_break(self) -> None:
        """Note that a source line ends here."""
        self._result.breaks.append(self.length)

    def mark_strong(self, start: int) -> None:
        """Close a strong range."""
        self._result.strong.append((start, self.length))

    def mark_emphasis(self, start: int) -> None:
        """Close an emphasised range."""
        self._result.emphasis.append((start, self.length))

    def mark_link(self, start: int, url: str, source: Span) -> None:
        """Close a link."""
        self._result.links.append(LinkMark(start, self.length, url, source))

    def append(self, part: Rendered) -> None:
        """Append finished text with everything that lies over it."""
        at = self.length
        self.add(part.text, part.origins)
        if part.text:
            self._mask[-1] = part.mask
        result = self._result
        result.code.extend((a + at, b + at) for a, b in part.code)
        result.strong.extend((a + at, b + at) for a, b in part.strong)
        result.emphasis.extend((a + at, b + at) for a, b in part.emphasis)
        result.links.extend(LinkMark(m.start + at, m.end + at, m.url, m.source) for m in part.links)
        result.cites.extend(CiteMark(m.start + at, m.end + at, m.marker, m.numbers) for m in part.cites)
        result.breaks.extend(b + at for b in part.breaks)

    def done(self) -> Rendered:
        """The text."""
        self._result.text = "".join(self._text)
        self._result.mask = "".join(self._mask)
        return self._result

"""Raw HTML blocks as a reader sees them: text without tags, bold text marked, one line for each block element."""

from __future__ import annotations

import re
from collections.abc import Iterable

from evidence_lint.parse.hidden import track
from evidence_lint.parse.lines import Lines
from evidence_lint.parse.rendered import Builder, Rendered

_DROPPED = re.compile(r"<(script|style)\b", re.IGNORECASE)
_TAG_START = re.compile(r"</?[A-Za-z!?]")
_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)")
_BOLD = {"strong", "b", "em", "i"}
_BREAKING = re.compile(
    r"address|article|blockquote|dd|details|div|d[lt]|fig\w+|footer|h[1-6r]|header|li|main|nav|[ou]l|p|section|summary"
    r"|t(?:able|body|foot|head|[dhr])|br"
)
_STARS = re.compile(r"(\*\*|__)(?=\S)([^*_\n]{1,400}?)(?<=\S)\1")
_HEADING = re.compile(r"<h([12])(?:\s[^<>]{0,500})?>([^<>]{0,300})", re.IGNORECASE)


def read_html(lines: Lines, start: int, end: int) -> Rendered:
    """The visible text of the block ``start..end`` of the flat text; what is hidden cites nothing."""
    reader = _Reader(lines)
    at = start
    while at < end:
        tag = _TAG_START.search(lines.flat, at, end)
        reader.text(at, tag.start() if tag else end)
        if tag is None:
            break
        at = _markup_end(lines.flat, tag.start(), end)
        reader.tag(tag.start(), at)
    return reader.done()


def raw_headings(text: str) -> list[tuple[int, str, int, int]]:
    """The ``<h1>`` and ``<h2>`` of an HTML block: level, text, and the range of tag and text."""
    if "<!--" in text:
        return []
    return [
        (int(match.group(1)), " ".join(match.group(2).split()), *match.span())
        for match in _HEADING.finditer(text)
        if match.group(2).strip()
    ]


def unseen_rows(blocks: Iterable[tuple[str, int, int]]) -> list[tuple[int, int]]:
    """The rows between HTML blocks of which one opens a hidden element and a later one closes it.

    ``blocks`` are the sources of the HTML blocks with their rows, in order. An element that nothing closes hides
    nothing here: the page would then be empty, and no reader deceived.
    """
    found: list[tuple[int, int]] = []
    unseen: list[str] = []
    first = 0
    for text, start, end in blocks:
        before = bool(unseen)
        at = 0
        while tag := _TAG_START.search(text, at):
            at = _markup_end(text, tag.start(), len(text))
            track(unseen, text[tag.start() : at])
        if unseen and not before:
            first = end
        elif before and not unseen:
            found.append((first, start))
    return found


class _Reader:
    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.out = Builder()
        self.bold: list[tuple[str, int]] = []
        self.unseen: list[str] = []

    def text(self, start: int, end: int) -> None:
        if end <= start:
            return
        flat, source = self.lines.flat, self.lines.source
        self.out.add(flat[start:end], [source(i) for i in range(start, end)], masked=bool(self.unseen))

    def tag(self, start: int, end: int) -> None:
        content = self.lines.flat[start:end]
        name = _NAME.match(content)
        tag = name.group(1).lower() if name else ""
        closing = content.startswith("</")
        if _BREAKING.fullmatch(tag):
            self.out.newline(self.lines.source(start))
        if tag in _BOLD and not closing:
            self.bold.append((tag, self.out.length))
        elif tag in _BOLD and self.bold and self.bold[-1][0] == tag:
            self.out.mark_strong(self.bold.pop()[1])
        track(self.unseen, content)

    def done(self) -> Rendered:
        rendered = self.out.done()
        # Markdown is not read in such a block, but a reader takes the asterisks for what they mean.
        rendered.strong.extend(match.span() for match in _STARS.finditer(rendered.text))
        return rendered.strip()


def _markup_end(text: str, start: int, end: int) -> int:
    closing = ">"
    if text.startswith("<!--", start):
        closing = "-->"
    elif hidden := _DROPPED.match(text, start, end):
        closing = f"</{hidden.group(1).lower()}>"
        found = text.lower().find(closing, start, end) if closing not in text[start:end] else text.find(closing, start)
        return end if found < 0 else found + len(closing)
    found = text.find(closing, start, end)
    return end if found < 0 else found + len(closing)

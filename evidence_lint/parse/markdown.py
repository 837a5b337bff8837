"""A finished report as a typed, located model (chapter 1)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from evidence_lint.model.location import Span
from evidence_lint.model.report import (
    Citation,
    Field,
    Heading,
    HeadingMatch,
    Link,
    PassageKind,
    Prose,
    Report,
    Section,
    SourceEntry,
    StatedFinding,
    UnclosedFence,
)
from evidence_lint.parse.blocks import Document, Node, hidden_headings, is_unclosed, unquoted
from evidence_lint.parse.citations import Index
from evidence_lint.parse.embedded import settle
from evidence_lint.parse.entries import EntryReader
from evidence_lint.parse.fields import FieldReader
from evidence_lint.parse.findings import FindingReader, citations_of
from evidence_lint.parse.headings import Matched, candidate
from evidence_lint.parse.html_blocks import raw_headings, unseen_rows
from evidence_lint.parse.index import IndexScan, definitions
from evidence_lint.parse.inline import render_inline
from evidence_lint.parse.lines import Lines
from evidence_lint.parse.outline import Outline, read_outline
from evidence_lint.parse.passages import SideReader, Sides, read_subtopics, side_named
from evidence_lint.parse.render import Renderer
from evidence_lint.parse.rendered import Builder, Rendered

_NO_EVIDENCE: Mapping[str, Sequence[str]] = MappingProxyType({})
_CITED = range(3, 7)
_WITH_FIELDS = (1, 2, 7)


def parse_report(
    text: str, *, evidence: Mapping[str, Sequence[str]] = _NO_EVIDENCE, urls: Collection[str] = ()
) -> Report:
    """Parse the decoded text of a report (chapter 1). Never raises: every text is some report.

    ``text`` has no byte order mark; its line ends and tabs are as in the file, and all spans count its characters.
    ``evidence`` gives the verbatim texts of each record by its id (excerpt, subject, summary), which section 8
    may hold with any characters in them; ``urls`` are the URLs of web records.
    """
    document = Document(Lines(text))
    outline = read_outline(document, evidence)
    entries = _entries(outline, urls)
    index = Index(
        frozenset(entry.number for entry in entries),
        frozenset(shown.value.rstrip("/") for entry in entries for shown in entry.urls),
        definitions(document.env["references"]),
    )
    return _Assembler(outline, Renderer(document, index, _unseen(outline)), entries).report()


def _unseen(outline: Outline) -> list[tuple[int, int]]:
    blocks = (node for root in outline.roots for node in root.walk() if node.kind == "html_block")
    return unseen_rows((node.token.content, node.first, node.last) for node in blocks)


def _entries(outline: Outline, urls: Collection[str]) -> tuple[SourceEntry, ...]:
    reader = EntryReader(outline.document.lines, urls)
    found: list[SourceEntry] = []
    for scan in outline.scans:
        read = [(raw, reader.read(raw)) for raw in scan.entries]
        shown = {(entry.number, entry.url.value) for raw, entry in read if entry.url and not raw.definition}
        for raw, entry in read:
            # A definition that only repeats the URL of its entry makes that entry a link.
            if raw.definition and entry.url and (entry.number, entry.url.value) in shown:
                continue
            found.append(entry)
            if raw.definition and entry.url:
                reference = {"href": entry.url.value, "title": ""}
                outline.document.env["references"].setdefault(str(entry.number), reference)
    return tuple(found)


@dataclass(slots=True)
class _Part:
    """One section with its blocks and its running text."""

    matched: Matched
    last: int
    nodes: list[Node]
    scan: IndexScan | None
    text: Rendered = field(default_factory=Rendered)

    @property
    def number(self) -> int | None:
        return self.matched.number


class _Assembler:
    """Reads each section by its number and puts the model together."""

    def __init__(self, outline: Outline, renderer: Renderer, entries: tuple[SourceEntry, ...]) -> None:
        self.outline = outline
        self.renderer = renderer
        self.entries = entries
        self._entry_spans = [entry.span for entry in entries]
        self.lines = outline.document.lines
        self.parts = list(self._parts())
        self.promoted: dict[int, PassageKind] = self._promoted()
        for part in self.parts:
            part.text = self._text(part)

    def _parts(self) -> Iterator[_Part]:
        matched = self.outline.matched
        for place, one in enumerate(matched):
            last = matched[place + 1].candidate.row if place + 1 < len(matched) else len(self.lines)
            body = one.candidate.body_row
            scan = next((scan for scan in self.outline.scans if scan.first == body), None)
            yield _Part(one, last, self.outline.nodes(body, last), scan)

    def _promoted(self) -> dict[int, PassageKind]:
        """Sides of section 6 that became sections of their own, by their place."""
        found: dict[int, PassageKind] = {}
        previous: int | None = None
        for place, part in enumerate(self.parts):
            if part.number is not None:
                previous = part.number
                continue
            side = side_named(part.matched.candidate.heading.text)
            if previous == 6 and part.matched.match is HeadingMatch.UNEXPECTED and side is not None:
                found[place] = side
        return found

    def _text(self, part: _Part) -> Rendered:
        out = Builder()
        if part.scan is not None:
            self._index_text(part.scan, out)
        out.append(self.renderer.blocks(part.nodes))
        return out.done()

    def _index_text(self, scan: IndexScan, out: Builder) -> None:
        """The lines of section 8 outside consumed text, inline by inline."""
        document = self.outline.document
        hidden = sorted(scan.hidden)
        at = 0
        for row in range(scan.first, scan.end):
            start = self.lines.flat_starts[row]
            end = start + len(self.lines.rows[row])
            while at < len(hidden) and hidden[at][1] <= start:
                at += 1
            place, cursor = at, start
            pieces: list[tuple[int, int]] = []
            while place < len(hidden) and hidden[place][0] < end:
                pieces.append((cursor, max(cursor, hidden[place][0])))
                cursor = max(cursor, hidden[place][1])
                place += 1
            pieces.append((cursor, end))
            for a, b in pieces:
                if a < b and self.lines.flat[a:b].strip():
                    origins = [self.lines.source(i) for i in range(a, b)]
                    out.append(render_inline(document.md, self.lines.flat[a:b], origins, document.env))
                    out.newline(self.lines.ends[row])

    def report(self) -> Report:
        """The model."""
        findings, titles = self._findings()
        sides = self._sides()
        headings = [one.heading for one in self.outline.candidates]
        return Report(
            text=self.lines.text,
            title=self._title(),
            headings=tuple(headings),
            sections=tuple(self._section(part) for part in self.parts),
            fields=tuple(self._fields()),
            findings=findings,
            subtopics=tuple(
                passage
                for part in self.parts
                if part.number == 5
                for passage in read_subtopics(self.renderer, part.nodes)
            ),
            consensus=tuple(sides.consensus),
            debate=tuple(sides.debate),
            consensus_heading=sides.consensus_heading,
            debate_heading=sides.debate_heading,
            entries=self.entries,
            citations=tuple(self._citations(titles)),
            links=tuple(self._links()),
            unclosed_fences=tuple(self._unclosed()),
            prose=self._prose(),
            stray_headings=tuple(self._stray_headings()),
        )

    def _stray_headings(self) -> Iterator[Heading]:
        for root in self.outline.roots:
            if root.kind in {"bullet_list", "ordered_list"}:
                nested = (node for node in unquoted(root) if node.kind == "heading" and node.token.tag in {"h1", "h2"})
                yield from (candidate(self.outline.document, node).heading for node in nested)
            if root.kind != "html_block":
                continue
            start = self.lines.flat_starts[root.first]
            last = min(root.last, len(self.lines)) - 1
            end = self.lines.flat_starts[last] + len(self.lines.rows[last])
            for level, text, a, b in raw_headings(self.lines.flat[start:end]):
                span = self.lines.source_span(start + a, start + b)
                yield Heading(level, text, span, span)

    def _title(self) -> str:
        """The text of the first ``#`` before the first section."""
        first = self.parts[0].matched.candidate.row if self.parts else len(self.lines)
        candidates = self.outline.candidates
        return next((c.heading.text for c in candidates if c.heading.level == 1 and c.row < first), "")

    def _section(self, part: _Part) -> Section:
        one = part.matched.candidate
        end = self.lines.starts[part.last] if part.last < len(self.lines) else len(self.lines.text)
        body = self.lines.starts[one.body_row] if one.body_row < len(self.lines) else len(self.lines.text)
        start = one.heading.span.start
        return Section(
            part.number,
            one.heading,
            part.matched.match,
            Span(start, max(start, end)),
            Span(min(body, end), end),
            self._is_empty(part),
            part.text.prose(),
        )

    def _is_empty(self, part: _Part) -> bool:
        if part.scan is not None and part.scan.has_text:
            return False
        # A heading with nothing under it is no content.
        blocks = [root for root in part.nodes if root.kind != "heading"]
        return not any(self._has_content(node) for root in blocks for node in root.walk())

    def _has_content(self, node: Node) -> bool:
        if node.kind == "inline":
            return bool(self.renderer.inline(node).text.strip()) or "![" in node.token.content
        if node.kind == "html_block":
            return bool(self.renderer.html(node).text) or "<img" in node.token.content
        return node.kind in {"fence", "code_block"} and bool(node.token.content.strip())

    def _fields(self) -> Iterator[Field]:
        for part in self.parts:
            if part.number in _WITH_FIELDS:
                yield from FieldReader(self.outline.document, part.number).read(part.nodes)

    def _findings(self) -> tuple[tuple[StatedFinding, ...], list[Span]]:
        reader = FindingReader(self.renderer)
        nodes = [node for part in self.parts if part.number == 4 for node in part.nodes]
        published = reader.read(nodes)
        embedded: list[StatedFinding] = list(reader.embedded(self._opening(), 0))
        for part in self.parts:
            known = self._entry_spans if part.scan is not None else reader.heads if part.number == 4 else ()
            embedded.extend(reader.embedded(part.text, part.number or 0, known=known))
        return settle(published, embedded), reader.titles

    def _opening(self) -> Rendered:
        """The text before the first section."""
        first = self.parts[0].matched.candidate.row if self.parts else len(self.lines)
        return self.renderer.blocks(self.outline.nodes(0, first))

    def _sides(self) -> Sides:
        reader = SideReader(self.renderer)
        for place, part in enumerate(self.parts):
            if part.number == 6:
                reader.read(part.nodes)
            elif place in self.promoted:
                reader.read(part.nodes, self.promoted[place])
        return reader.done()

    def _citations(self, titles: list[Span]) -> Iterator[Citation]:
        titles = sorted(titles)
        starts = [title.start for title in titles]
        for place, part in enumerate(self.parts):
            number = 6 if place in self.promoted else part.number
            if number is None or number not in _CITED:
                continue
            for citation in citations_of(part.text.cites, number):
                before = bisect_right(starts, citation.marker.start) - 1
                if number != 4 or before < 0 or not titles[before].covers(citation.marker):
                    yield citation

    def _links(self) -> Iterator[Link]:
        yield from _links_of(self._opening(), 0)
        for part in self.parts:
            yield from _links_of(part.text, part.number or 0)

    def _unclosed(self) -> Iterator[UnclosedFence]:
        filled = max((row for row in range(len(self.lines)) if self.lines.rows[row].strip()), default=0)
        for root in self.outline.roots:
            for node in root.walk():
                if node.kind == "fence" and node.last > filled and is_unclosed(node):
                    span = self.lines.block(node.first, len(self.lines))
                    yield UnclosedFence(span, hidden_headings(self.lines, node))

    def _prose(self) -> Prose:
        out = Builder()
        out.append(self._opening())
        headings = {node.first: node for node in self.outline.roots if node.kind == "heading"}
        for part in self.parts:
            node = headings.get(part.matched.candidate.row)
            if node is not None:
                out.append(self.renderer.blocks([node]))
            out.append(part.text)
        return out.done().prose()


def _links_of(rendered: Rendered, section: int) -> Iterator[Link]:
    for mark in sorted(rendered.links, key=lambda mark: mark.source.start):
        yield Link(mark.url, rendered.text[mark.start : mark.end], mark.source, section)

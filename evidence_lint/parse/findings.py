"""The findings of section 4: bullets, and the paragraphs and headings that stand for them (chapter 1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evidence_lint.model.location import Span
from evidence_lint.model.report import Citation, StatedFinding
from evidence_lint.parse.blocks import Node
from evidence_lint.parse.embedded import Labelled, Taken, discloses, excerpt, labelled_heads, without
from evidence_lint.parse.labels import Head, highest_label, late_label, read_head
from evidence_lint.parse.placeholders import speaks_of_report, states_absence
from evidence_lint.parse.render import Renderer
from evidence_lint.parse.rendered import CiteMark, Rendered
from evidence_lint.parse.statements import downgrade_at, statement_of

_MOST_GROUP_WORDS = 6
_SHORTEST_CLAIM = 5
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """The blocks of one finding; ``heading`` where a heading is its title."""

    nodes: tuple[Node, ...]
    heading: Node | None = None
    bullet: bool = False
    extra: bool = False
    """A claim beside the findings, in a paragraph of its own."""


def citations_of(marks: Iterable[CiteMark], section: int) -> tuple[Citation, ...]:
    """The citations of the model for markers of rendered text."""
    return tuple(Citation(number, span, mark.marker, section) for mark in marks for number, span in mark.numbers)


class FindingReader:
    """Reads section 4."""

    def __init__(self, renderer: Renderer, section: int = 4) -> None:
        self.renderer = renderer
        self.section = section
        self.titles: list[Span] = []
        """The source spans of titles, in which nothing is a citation."""
        self.heads: list[Span] = []
        """The source spans of the titles and labels of the findings that were read."""

    def read(self, nodes: Sequence[Node]) -> tuple[StatedFinding, ...]:
        """The findings in document order."""
        pieces = self._pieces(_unquoted(nodes))
        sole = sum(not piece.extra for piece in pieces) == 1
        found: list[StatedFinding] = []
        for piece in pieces:
            finding = self._finding(len(found) + 1, piece, sole=sole and not piece.extra)
            if finding is not None:
                found.append(finding)
                self.heads.append(finding.title_span)
                if finding.label_span is not None:
                    self.heads.append(finding.label_span)
        return tuple(found)

    def embedded(self, text: Rendered, section: int, *, known: Sequence[Span] = ()) -> Iterator[StatedFinding]:
        """The labelled findings in the running text of a section, but those whose head is at one of ``known``."""
        taken = Taken(known)
        for one in labelled_heads(text, home=section == self.section):
            title_span = text.span(*one.head.title)
            if taken.overlaps(title_span) or (section == 9 and discloses(text, one)):
                continue
            if section == self.section:
                self.titles.append(title_span)
            part = excerpt(text, one.start, one.end)
            title = one.head.title[1] - one.start
            marks = [mark for mark in part.cites if mark.start >= title]
            prose, downgrade, downgrade_span = statement_of(part, _shifted(one))
            yield StatedFinding(
                0,
                " ".join(text.text[slice(*one.head.title)].strip("*_ ").split()),
                title_span,
                one.head.label,
                text.span(*one.head.label_at) if one.head.label_at else None,
                prose,
                downgrade,
                downgrade_span,
                citations_of(marks, section),
                part.span(0, len(part.text.rstrip())),
                placeholder=False,
                embedded=True,
            )

    def _pieces(self, nodes: Sequence[Node]) -> list[Piece]:
        pieces: list[Piece] = []
        groups = _by_heading(nodes)
        for heading, blocks in groups:
            bullets = _items(blocks)
            listed = any(self._looks_stated(item) for item in bullets)
            if heading is not None and self._is_title(heading, blocks, listed=listed):
                pieces.append(Piece((*blocks,), heading))
            else:
                pieces.extend(self._plain(blocks, seen=bool(pieces)))
        if not pieces:
            loose = [row for node in nodes for row in _loose(node)]
            pieces = [Piece((node,)) for node in loose if self.renderer.blocks([node]).text.strip()]
        return pieces

    def _plain(self, blocks: Sequence[Node], *, seen: bool) -> list[Piece]:
        """Bullets are findings; so are paragraphs that begin like one, with the blocks below them, and paragraphs that
        claim something after the first finding.
        """
        pieces: list[Piece] = []
        current: list[Node] | None = None
        for node in blocks:
            if node.kind == "paragraph" and self._looks_stated(node):
                current = [node]
                pieces.append(Piece(()))
            elif node.kind in {"bullet_list", "ordered_list"}:
                stated = any(self._looks_stated(item) for item in node.children)
                if current is None or stated:
                    current = None
                    pieces.extend(Piece((item,), bullet=True) for item in node.children)
                    continue
                current.append(node)
            elif current is not None:
                current.append(node)
            else:
                if (seen or pieces) and self._claims(node):
                    pieces.append(Piece((node,), extra=True))
                continue
            pieces[-1] = Piece(tuple(current))
        return pieces

    def _claims(self, node: Node) -> bool:
        """Whether a block beside the findings states something of its own: it is neither the lead-in of a list nor a
        remark on the report, nor the home of labelled heads, which are findings by themselves.
        """
        if node.kind not in {"paragraph", "html_block"}:
            return False
        text = self.renderer.blocks([node]).strip()
        few = len(text.text) < _SHORTEST_CLAIM or (text.text.isascii() and len(text.text.split()) < _FEWEST_WORDS)
        if (few and not text.cites) or text.text.rstrip().endswith((":", "：")):
            return False
        return not labelled_heads(text, home=True) and not speaks_of_report(text.text)

    def _is_title(self, heading: Node, blocks: Sequence[Node], *, listed: bool) -> bool:
        """Whether a heading is the title of one finding rather than of a group of them."""
        if not blocks or listed or any(node.kind == "paragraph" and self._looks_stated(node) for node in blocks):
            return False
        title = _heading_head(self.renderer.inline(heading.children[0]).strip())
        body = self.renderer.blocks(blocks)
        labelled = title.label is not None or late_label(body.text, (0, 0), 0).label is not None
        return labelled or blocks[0].kind not in {"bullet_list", "ordered_list"}

    def _looks_stated(self, node: Node) -> bool:
        """A bold beginning with a label or a citation, or any early label."""
        text = self.renderer.blocks([node]).strip()
        head = read_head(text)
        titled = head.title[1] > head.title[0]
        if node.kind == "list_item" and titled and any(a == head.title[0] for a, _ in text.strong):
            return True
        return titled and (head.label is not None or bool(text.cites))

    def _finding(self, number: int, piece: Piece, *, sole: bool) -> StatedFinding | None:
        lines = self.renderer.document.lines
        first = piece.heading or piece.nodes[0]
        last = piece.nodes[-1] if piece.nodes else first
        span = lines.block(first.first, max(first.last, last.last))
        body = self.renderer.blocks(piece.nodes).strip()
        if piece.heading is not None:
            title = self.renderer.inline(piece.heading.children[0]).strip()
            inner = [(one.start, one.end) for one in labelled_heads(body, home=True)]
            body = without(body, inner) if inner else body
            return self._headed(number, title, body, span, sole=sole)
        inner = _inner(body)
        if inner:
            body = without(body, inner).strip()
        head = read_head(body)
        if inner and _groups(body, head):
            return None
        head = highest_label(body, head, downgrade_at(body, head.statement))
        title_part = body.slice(*head.title)
        title_span = body.span(*head.title)
        if title_part.text:
            self.titles.append(title_span)
        marks = [mark for mark in body.cites if not _inside(mark, head.title)]
        prose, downgrade, downgrade_span = statement_of(body, head)
        placeholder = sole and head.label is None and not marks and states_absence(body.text)
        return StatedFinding(
            number,
            " ".join(title_part.text.split()),
            title_span,
            head.label,
            body.span(*head.label_at) if head.label_at else None,
            prose,
            downgrade,
            downgrade_span,
            citations_of(marks, self.section),
            span,
            placeholder,
        )

    def _headed(self, number: int, title: Rendered, body: Rendered, span: Span, *, sole: bool) -> StatedFinding:
        """A finding whose title is a heading; its label stands there or in the text below."""
        head = _heading_head(title)
        label_source = title
        label, label_at = head.label, head.label_at
        inner = late_label(body.text, (0, 0), 0)
        statement = Head((0, 0), None, None, 0)
        if label is None and inner.label is not None:
            label, label_at, label_source = inner.label, inner.label_at, body
            statement = Head((0, 0), None, None, 0, inner.cut)
        elif label_at is not None:
            best = highest_label(body, Head((0, 0), label, None, 0), downgrade_at(body, 0))
            if best.label_at is not None:
                label, label_at, label_source = best.label, best.label_at, body
        title_span = title.span(*head.title)
        self.titles.append(title_span)
        marks = [*(mark for mark in title.cites if not _inside(mark, head.title)), *body.cites]
        prose, downgrade, downgrade_span = statement_of(body, statement)
        return StatedFinding(
            number,
            " ".join(title.text[slice(*head.title)].split()),
            title_span,
            label,
            label_source.span(*label_at) if label_at else None,
            prose,
            downgrade,
            downgrade_span,
            citations_of(marks, self.section),
            span,
            sole and label is None and not marks and states_absence(body.text),
        )


def _heading_head(title: Rendered) -> Head:
    """A heading is a title as a whole, as though it were strong."""
    numbering = re.match(r"\d{1,3}[.):]\s+", title.text)
    start = numbering.end() if numbering else 0
    whole = Rendered(title.text, title.origins, title.mask, strong=[(start, len(title.text))])
    return read_head(whole)


def _inner(body: Rendered) -> list[tuple[int, int]]:
    """The ranges of a finding's text that are findings of their own, with a head that is not its own."""
    own = read_head(body)
    bounds = [own.title] if own.title[1] > own.title[0] else []
    if bounds and own.label_at is not None:
        bounds.append(own.label_at)
    heads = labelled_heads(body, home=True)
    return [
        (one.start, one.end)
        for one in heads
        if not any(one.head.title[0] < b and a < one.head.title[1] for a, b in bounds)
    ]


def _groups(body: Rendered, head: Head) -> bool:
    """Whether a bullet only groups the findings below it: a few words that claim nothing."""
    plain = body.text.strip(" \n*")
    claims = head.label is not None or body.cites or plain.endswith((".", "!", "?", "。"))
    return not claims and (plain.endswith((":", "：")) or len(plain.split()) <= _MOST_GROUP_WORDS)


def _shifted(one: Labelled) -> Head:
    """The head in the text that begins with it."""
    return Head((0, one.head.title[1] - one.start), None, None, one.head.statement - one.start)


def _inside(mark: CiteMark, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= mark.start and mark.end <= bounds[1]


def _unquoted(nodes: Iterable[Node]) -> list[Node]:
    """The blocks with quotations opened: a reader sees the findings in them."""
    out: list[Node] = []
    for node in nodes:
        if node.kind == "blockquote":
            out.extend(_unquoted(node.children))
        else:
            out.append(node)
    return out


def _loose(node: Node) -> list[Node]:
    """A block that holds claims where nothing looks like a finding: a paragraph, or each row of a table."""
    if node.kind == "table":
        rows = (row for row in node.walk() if row.kind == "tr")
        return [row for row in rows if all(cell.kind == "td" for cell in row.children)]
    return [node] if node.kind in {"paragraph", "html_block"} else []


def _items(blocks: Iterable[Node]) -> list[Node]:
    return [item for node in blocks if node.kind in {"bullet_list", "ordered_list"} for item in node.children]


def _by_heading(nodes: Sequence[Node]) -> list[tuple[Node | None, list[Node]]]:
    groups: list[tuple[Node | None, list[Node]]] = [(None, [])]
    for node in nodes:
        if node.kind == "heading":
            groups.append((node, []))
        else:
            groups[-1][1].append(node)
    return groups

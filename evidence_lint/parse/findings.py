"""The findings of section 4: bullets, and the paragraphs and headings that stand for them (chapter 1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evidence_lint.model.location import Span
from evidence_lint.model.report import Citation, Prose, StatedFinding
from evidence_lint.parse.blocks import Node
from evidence_lint.parse.labels import Head, late_label, read_head
from evidence_lint.parse.placeholders import states_absence
from evidence_lint.parse.render import Renderer
from evidence_lint.parse.rendered import Builder, CiteMark, Rendered

_DOWNGRADE = re.compile(r"(?:^|(?<=[\s.;(]))downgrade[ds]?(?:\s+reasons?)?\s*[:：]\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """The blocks of one finding; ``heading`` where a heading is its title."""

    nodes: tuple[Node, ...]
    heading: Node | None = None
    bullet: bool = False


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

    def read(self, nodes: Sequence[Node]) -> tuple[StatedFinding, ...]:
        """The findings in document order."""
        pieces = self._pieces(_unquoted(nodes))
        return tuple(self._finding(number, piece, sole=len(pieces) == 1) for number, piece in enumerate(pieces, 1))

    def _pieces(self, nodes: Sequence[Node]) -> list[Piece]:
        pieces: list[Piece] = []
        groups = _by_heading(nodes)
        for heading, blocks in groups:
            bullets = _items(blocks)
            listed = any(self._looks_stated(item) for item in bullets)
            if heading is not None and self._is_title(heading, blocks, listed=listed):
                pieces.append(Piece((*blocks,), heading))
            else:
                pieces.extend(self._plain(blocks))
        if not pieces:
            loose = [row for node in nodes for row in _loose(node)]
            pieces = [Piece((node,)) for node in loose if self.renderer.blocks([node]).text.strip()]
        return pieces

    def _plain(self, blocks: Sequence[Node]) -> list[Piece]:
        """Bullets are findings; so are paragraphs that begin like one, with the blocks below them."""
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
                continue
            pieces[-1] = Piece(tuple(current))
        return pieces

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

    def _finding(self, number: int, piece: Piece, *, sole: bool) -> StatedFinding:
        lines = self.renderer.document.lines
        first = piece.heading or piece.nodes[0]
        last = piece.nodes[-1] if piece.nodes else first
        span = lines.block(first.first, max(first.last, last.last))
        body = self.renderer.blocks(piece.nodes).strip()
        if piece.heading is not None:
            title = self.renderer.inline(piece.heading.children[0]).strip()
            return self._headed(number, title, body, span, sole=sole)
        head = read_head(body)
        title_part = body.slice(*head.title)
        title_span = body.span(*head.title)
        if title_part.text:
            self.titles.append(title_span)
        marks = [mark for mark in body.cites if not _inside(mark, head.title)]
        prose, downgrade, downgrade_span = _statement(body, head)
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
        title_span = title.span(*head.title)
        self.titles.append(title_span)
        marks = [*(mark for mark in title.cites if not _inside(mark, head.title)), *body.cites]
        prose, downgrade, downgrade_span = _statement(body, statement)
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


def _inside(mark: CiteMark, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= mark.start and mark.end <= bounds[1]


def _statement(body: Rendered, head: Head) -> tuple[Prose, str, Span | None]:
    """The prose of a finding and its downgrade, which runs to the end of its block."""
    start = min(head.statement, len(body.text))
    match = _DOWNGRADE.search(body.text, start)
    while match and any(a <= match.start() < b for a, b in body.code):
        match = _DOWNGRADE.search(body.text, match.end())
    out = Builder()
    cuts = [head.cut] if head.cut and head.cut[0] >= start else []
    reason, reason_span = "", None
    if match:
        end = body.text.find("\n", match.end())
        if end < 0 or not body.text[match.end() : end].strip():
            end = len(body.text)
        reason = " ".join(body.text[match.end() : end].split())
        reason_span = body.span(match.start(), max(match.end(), len(body.text[:end].rstrip())))
        cuts.append((match.start(), end))
    at = start
    for cut_start, cut_end in sorted(cuts):
        if cut_start >= at:
            out.append(body.slice(at, cut_start))
            at = cut_end
    out.append(body.slice(at, len(body.text)))
    return out.done().strip().prose(), reason, reason_span


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

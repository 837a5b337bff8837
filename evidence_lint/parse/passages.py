"""Cited passages: the subtopics of section 5 and the rows of section 6 (chapter 1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from evidence_lint.model.report import Heading, Passage, PassageKind
from evidence_lint.parse.blocks import Node
from evidence_lint.parse.findings import citations_of
from evidence_lint.parse.headings import candidate
from evidence_lint.parse.placeholders import defers_analysis, states_absence
from evidence_lint.parse.render import Renderer

CONSENSUS = "Consensus"
DEBATE = "Debate / Contradictory Evidence"

_CONSENSUS = re.compile(r"(?:\W|\d)*(?:areas? of |points? of )?(?:consensus|agreements?|共识)\b", re.IGNORECASE)
_DEBATE = re.compile(
    r"(?:\W|\d)*(?:areas? of |points? of |open )?(?:debates?|contradict\w*|disagreements?|conflicting|争议|分歧)",
    re.IGNORECASE,
)


def read_subtopics(renderer: Renderer, nodes: Sequence[Node], section: int = 5) -> tuple[Passage, ...]:
    """The subtopics of section 5; text before the first is one without a title."""
    groups: list[tuple[Node | None, list[Node]]] = [(None, [])]
    level = 7
    for node in nodes:
        if node.kind == "heading" and int(node.token.tag[1]) <= max(level, 3):
            level = int(node.token.tag[1])
            groups.append((node, []))
        else:
            groups[-1][1].append(node)
    lines = renderer.document.lines
    found: list[Passage] = []
    for heading, blocks in groups:
        body = renderer.blocks(blocks).strip()
        if heading is None and not body.text:
            continue
        title = renderer.inline(heading.children[0]) if heading else None
        first = heading or blocks[0]
        last = blocks[-1] if blocks else first
        span = lines.block(first.first, last.last)
        cites = [*(title.cites if title else ()), *body.cites]
        found.append(
            Passage(
                PassageKind.SUBTOPIC,
                len(found) + 1,
                title.text.strip() if title else "",
                body.prose(),
                citations_of(cites, section),
                span,
                lines.block(heading.first, heading.last) if heading else span,
                False,
            )
        )
    if len(found) == 1 and not found[0].citations and defers_analysis(found[0].prose.text):
        return (replace(found[0], placeholder=True),)
    return tuple(found)


@dataclass(slots=True)
class Sides:
    """Section 6: its two headings as the contract wants them, and the rows that a reader finds under them."""

    consensus: list[Passage] = field(default_factory=list[Passage])
    debate: list[Passage] = field(default_factory=list[Passage])
    consensus_heading: Heading | None = None
    debate_heading: Heading | None = None


class SideReader:
    """Reads section 6, and a side that was promoted to a section of its own."""

    def __init__(self, renderer: Renderer, section: int = 6) -> None:
        self.renderer = renderer
        self.section = section
        self.sides = Sides()
        self._loose: list[Node] = []

    def read(self, nodes: Sequence[Node], side: PassageKind | None = None) -> None:
        """Read the blocks of a section; ``side`` is the side that its own heading names."""
        current = side
        for node in nodes:
            named = self._side_of(node)
            if named is not None:
                current = named
            elif node.kind == "heading":
                continue
            elif current is None:
                self._loose.append(node)
            else:
                self._rows(node, current)

    def done(self) -> Sides:
        """The sides; text without a side counts as consensus when it cites, or when there is nothing else."""
        bare = not self.sides.consensus and not self.sides.debate
        loose = self._loose
        self._loose = []
        for node in loose:
            if bare or self.renderer.blocks([node]).cites:
                self._rows(node, None)
        self.sides.consensus = _judged(self.sides.consensus)
        self.sides.debate = _judged(self.sides.debate)
        return self.sides

    def _side_of(self, node: Node) -> PassageKind | None:
        if node.kind == "heading":
            heading = candidate(self.renderer.document, node)
            text = " ".join(heading.exact.split())
            if heading.heading.level == 3 and text == CONSENSUS:
                self.sides.consensus_heading = self.sides.consensus_heading or heading.heading
            if heading.heading.level == 3 and text == DEBATE:
                self.sides.debate_heading = self.sides.debate_heading or heading.heading
            return side_named(heading.heading.text)
        if node.kind == "paragraph" and node.children:
            line = self.renderer.inline(node.children[0]).strip()
            whole = any(b - a >= len(line.text.rstrip(":： ")) for a, b in line.strong)
            return side_named(line.text) if whole and line.text else None
        return None

    def _rows(self, node: Node, side: PassageKind | None) -> None:
        if node.kind in {"bullet_list", "ordered_list", "blockquote"}:
            for item in node.children:
                if node.kind == "blockquote":
                    self._rows(item, side)
                else:
                    self._row(item, side)
        elif node.kind == "table":
            for row in node.walk():
                if row.kind == "tr" and not any(cell.kind == "th" for cell in row.children):
                    self._row(row, side)
        elif node.kind in {"paragraph", "html_block"}:
            self._row(node, side)

    def _row(self, node: Node, side: PassageKind | None) -> None:
        body = self.renderer.blocks([node]).strip()
        if not body.text:
            return
        if side is None:
            bold = next((body.text[a:b] for a, b in body.strong if a == 0), "")
            side = side_named(bold) or PassageKind.CONSENSUS
        rows = self.sides.consensus if side is PassageKind.CONSENSUS else self.sides.debate
        span = self.renderer.document.lines.block(node.first, node.last)
        cites = citations_of(body.cites, self.section)
        rows.append(Passage(side, len(rows) + 1, "", body.prose(), cites, span, span, False))


def side_named(text: str) -> PassageKind | None:
    """The side that a heading names, however it is written."""
    if _DEBATE.match(text):
        return PassageKind.DEBATE
    return PassageKind.CONSENSUS if _CONSENSUS.match(text) else None


def _judged(rows: list[Passage]) -> list[Passage]:
    """The rows in document order, a sole statement of absence as what it is."""
    rows = [replace(row, number=place) for place, row in enumerate(sorted(rows, key=lambda row: row.span), 1)]
    if len(rows) == 1 and not rows[0].citations and states_absence(rows[0].prose.text):
        return [replace(rows[0], placeholder=True)]
    return rows

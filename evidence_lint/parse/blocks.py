"""Block structure: markdown-it's tokens as a tree of nodes that know their lines and their running text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token

from evidence_lint.model.location import Span
from evidence_lint.parse.inline import Env, Markdown, render_inline
from evidence_lint.parse.lines import Lines
from evidence_lint.parse.rendered import Rendered

_HEADING_LIKE = re.compile(r"[ \t]{0,3}#{1,6}(?:[ \t]|$)")


@dataclass(slots=True)
class Node:
    """One block. ``kind`` is markdown-it's name (``paragraph``, ``list_item``, …); rows are absolute."""

    kind: str
    token: Token
    first: int
    last: int
    children: list[Node] = field(default_factory=list["Node"])
    rendered: Rendered | None = None
    """The running text of an ``inline`` or ``html_block`` node once it has been read."""
    cited: bool = False
    """Whether the citations of that text have been marked."""

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in order."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


class Document:
    """What all parts of one report share: its lines and its link definitions."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.env: Env = {"references": {}}
        self.md = Markdown()

    def parse(self, first: int, last: int) -> list[Node]:
        """The blocks of rows ``first`` to ``last`` (exclusive), parsed on their own."""
        tokens: list[Token] = []
        self.md.block.parse("\n".join(self.lines.rows[first:last]), self.md, self.env, tokens)
        roots = _tree(tokens, first)
        for node in (node for root in roots for node in root.walk() if node.kind == "tr"):
            self._place_cells(node)
        return roots

    def text(self, node: Node, *, tags: bool = False) -> Rendered:
        """The running text of an ``inline`` node."""
        if tags:
            return render_inline(self.md, node.token.content, self.origins(node), self.env, tags=True)
        if node.rendered is None:
            node.rendered = render_inline(self.md, node.token.content, self.origins(node), self.env)
        return node.rendered

    def origins(self, node: Node) -> list[int]:
        """The source offset of each character of an ``inline`` node's content."""
        if node.token.meta.get("cell_at") is not None:
            return self._cell_origins(node)
        origins: list[int] = []
        parts = node.token.content.split("\n")
        first = node.first + self._stripped_rows(node, parts)
        for index, part in enumerate(parts):
            row_number = min(first + index, len(self.lines) - 1)
            start = self.lines.starts[row_number] + _column(self.lines.rows[row_number], part)
            if start < 0 or start + len(part) > len(self.lines.text):
                origins.extend(min(max(start + i, 0), len(self.lines.text)) for i in range(len(part)))
            else:
                origins.extend(range(start, start + len(part)))
            origins.append(self.lines.ends[row_number])
        origins.pop()
        return origins

    def _stripped_rows(self, node: Node, parts: Sequence[str]) -> int:
        """How many rows of the block come before its content: rows of white space that CommonMark does not count as
        blank (U+2028 and its like), but that markdown-it strips.
        """
        begin = parts[0].strip()
        for lost in range(node.last - node.first - len(parts) + 1):
            if self.lines.rows[min(node.first + lost, len(self.lines) - 1)].rstrip().endswith(begin):
                return lost
        return 0

    def _cell_origins(self, node: Node) -> list[int]:
        row = self.lines.rows[node.first]
        start: int = node.token.meta["cell_at"]
        at = start
        origins: list[int] = []
        for char in node.token.content:
            if char == "|" and row[at : at + 2] == "\\|":
                at += 1
            origins.append(self.lines.starts[node.first] + min(at, len(row)))
            at += 1
        return origins

    def _place_cells(self, row: Node) -> None:
        """Find the cells of a table row in its line; cells have no positions of their own."""
        line = self.lines.rows[row.first]
        cursor = 0
        for cell in row.children:
            for node in cell.children:
                raw = node.token.content.replace("|", "\\|")
                at = line.find(raw, cursor)
                node.token.meta["cell_at"] = at if at >= 0 else cursor
                cursor = max(cursor, at + len(raw)) if raw else cursor


def _column(row: str, part: str) -> int:
    """Where a line of inline content begins in its source row (negative for spaces that a tab became)."""
    stripped = part.strip()
    lead = len(part) - len(part.lstrip()) if stripped else 0
    trimmed = row.rstrip()
    if trimmed.endswith(stripped):
        return len(trimmed) - len(stripped) - lead
    found = row.rfind(stripped)
    return (found if found >= 0 else 0) - lead


def _tree(tokens: Sequence[Token], base: int) -> list[Node]:
    roots: list[Node] = []
    stack: list[Node] = []
    for token in tokens:
        if token.nesting < 0:
            stack.pop()
            continue
        parent = stack[-1] if stack else None
        first, last = token.map or ((parent.first - base, parent.last - base) if parent else (0, 0))
        node = Node(token.type.removesuffix("_open"), token, first + base, last + base)
        (parent.children if parent else roots).append(node)
        if token.nesting > 0:
            stack.append(node)
    return roots


def unquoted(root: Node) -> Iterator[Node]:
    """A node and all below it but what is quoted."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(child for child in reversed(node.children) if child.kind != "blockquote")


def is_unclosed(node: Node) -> bool:
    """Whether a ``fence`` node has no closing fence: one more line of content than a closed one would have."""
    content = node.token.content
    inner = content.count("\n") + (1 if content and not content.endswith("\n") else 0)
    return not (node.last - node.first >= 2 and inner <= node.last - node.first - 2)


def hidden_headings(lines: Lines, node: Node) -> tuple[Span, ...]:
    """The lines of a fence that would be headings outside it."""
    return tuple(
        lines.block(index, index + 1)
        for index in range(node.first + 1, min(node.last, len(lines)))
        if _HEADING_LIKE.match(lines.rows[index])
    )

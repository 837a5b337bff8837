"""Blocks as running text: list items and table rows on lines of their own, code marked, HTML gone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from evidence_lint.parse.blocks import Document, Node
from evidence_lint.parse.citations import Index, mark_citations
from evidence_lint.parse.html_blocks import read_html
from evidence_lint.parse.rendered import Builder, Rendered


class Renderer:
    """Renders nodes of one document; ``index`` decides which brackets are citations."""

    def __init__(self, document: Document, index: Index, unseen: Sequence[tuple[int, int]] = ()) -> None:
        """``unseen`` are ranges of rows, in order, that stand in an element which a reader does not see."""
        self.document = document
        self.index = index
        self.unseen = unseen
        self._unseen_starts = [first for first, _ in unseen]

    def inline(self, node: Node) -> Rendered:
        """The text of an ``inline`` node with its citations marked."""
        rendered = self.document.text(node)
        if not node.cited:
            mark_citations(rendered, self.index)
            if self._is_unseen(node.first):
                rendered.cites = []
            node.cited = True
        return rendered

    def _is_unseen(self, row: int) -> bool:
        place = bisect_right(self._unseen_starts, row) - 1
        return place >= 0 and row < self.unseen[place][1]

    def blocks(self, nodes: Sequence[Node]) -> Rendered:
        """The text of several blocks."""
        out = Builder()
        for node in nodes:
            self._block(node, out)
        return out.done()

    def _block(self, root: Node, out: Builder) -> None:
        stack = [root]
        while stack:
            node = stack.pop()
            if node.kind == "inline":
                out.append(self.inline(node))
            elif node.kind in {"fence", "code_block"}:
                self._code(node, out)
            elif node.kind == "html_block":
                out.append(self.html(node))
            elif node.kind == "tr":
                self._row(node, out)
            else:
                stack.extend(reversed(node.children))
                continue
            out.newline(self._end(node))

    def _end(self, node: Node) -> int:
        lines = self.document.lines
        return lines.ends[min(max(node.last - 1, node.first), len(lines) - 1)]

    def _row(self, node: Node, out: Builder) -> None:
        lines = self.document.lines
        filled = False
        for cell in node.children:
            for inner in cell.children:
                if filled:
                    out.add(" | ", [lines.starts[node.first] + inner.token.meta.get("cell_at", 0)] * 3)
                out.append(self.inline(inner))
                filled = True

    def _code(self, node: Node, out: Builder) -> None:
        lines = self.document.lines
        first = node.first + (node.kind == "fence")
        parts: list[str] = []
        origins: list[int] = []
        for index, part in enumerate(node.token.content.removesuffix("\n").split("\n")):
            row = min(first + index, len(lines) - 1)
            start = lines.starts[row] + max(0, len(lines.rows[row]) - len(part))
            limit = len(lines.text)
            parts.append(part)
            origins.extend(min(start + i, limit) for i in range(len(part)))
            origins.append(lines.ends[row])
        out.add_code("\n".join(parts), origins[:-1])

    def html(self, node: Node) -> Rendered:
        """The text between the tags of an HTML block; comments, scripts and styles are dropped."""
        if node.rendered is None:
            lines = self.document.lines
            start = lines.flat_starts[node.first]
            last = min(node.last, len(lines)) - 1
            end = lines.flat_starts[last] + len(lines.rows[last])
            node.rendered = read_html(lines, start, end)
            mark_citations(node.rendered, self.index)
        return node.rendered

"""Fields of sections 1, 2 and 7: bullets ``- Label: value`` and what people write instead (chapter 1, "Fields")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from evidence_lint.model.location import Span
from evidence_lint.model.report import Field
from evidence_lint.parse.blocks import Document, Node
from evidence_lint.parse.rendered import Builder, Rendered

_COLON = re.compile(r":(?=\s|$)|：")
_LOOSE_COLON = re.compile(r":(?!//)")
_LONGEST_LABEL = 200


class FieldReader:
    """Reads the fields of one section."""

    def __init__(self, document: Document, section: int) -> None:
        self.document = document
        self.section = section

    def read(self, nodes: Sequence[Node]) -> Iterator[Field]:
        """The fields in document order; a nested bullet is a field of its own and part of its parent's value."""
        for root in nodes:
            for node in root.walk():
                if node.kind == "list_item":
                    yield from self._item(node)
                elif node.kind == "tr":
                    yield from self._row(node)
                elif node.kind == "paragraph" and root.kind in {"paragraph", "blockquote"}:
                    yield from self._paragraph(node)

    def _inline(self, node: Node) -> Rendered:
        return self.document.text(node, tags=True)

    def _item(self, item: Node) -> Iterator[Field]:
        out = Builder()
        for node in item.walk():
            if node.kind == "inline":
                if out.length and not out.last.isspace():
                    out.add(" ", (self.document.lines.starts[node.first],))
                out.append(self._inline(node))
            elif node.kind in {"fence", "code_block"} and out.length:
                self._code(node, out)
        yield from self._field(out.done(), self.document.lines.block(item.first, item.last))

    def _code(self, node: Node, out: Builder) -> None:
        """A value that stands in a code block of its own."""
        lines = self.document.lines
        first = lines.starts[min(node.first + (node.kind == "fence"), len(lines) - 1)]
        content = " ".join(node.token.content.split())
        out.add(" ", (first,))
        out.add_code(content, [first] * len(content))

    def _paragraph(self, node: Node) -> Iterator[Field]:
        """Lines of a paragraph that begin with a strong label."""
        if not node.children:
            return
        text = self._inline(node.children[0])
        starts = [0, *(at + 1 for at in text.breaks)]
        bold = {start for start, _ in text.strong}
        first = [at for at in starts if at in bold]
        for start, end in pairwise([*first, len(text.text)]):
            part = text.slice(start, end).strip()
            yield from self._field(part, part.span(0, len(part.text)))

    def _row(self, node: Node) -> Iterator[Field]:
        cells = [self._inline(inner).strip() for cell in node.children for inner in cell.children]
        if len(cells) != 2 or not cells[0].text or any(cell.kind == "th" for cell in node.children):
            return
        label = cells[0].text.rstrip(":：").strip()
        span = self.document.lines.block(node.first, node.first + 1)
        label_span = cells[0].span(0, len(label))
        value_span = cells[1].span(0, len(cells[1].text)) if cells[1].text else Span(span.end, span.end)
        yield Field(label, cells[1].text, span, label_span, value_span, self.section)

    def _field(self, text: Rendered, span: Span) -> Iterator[Field]:
        colon = _label_end(text, _COLON) or _label_end(text, _LOOSE_COLON)
        if colon is None:
            return
        label = text.slice(0, colon.start()).strip()
        value = text.slice(colon.end(), len(text.text)).strip()
        if not label.text:
            return
        after = text.span(colon.start(), colon.end()).end
        yield Field(
            label.text,
            " ".join(value.text.split()),
            span,
            label.span(0, len(label.text)),
            value.span(0, len(value.text)) if value.text else Span(after, after),
            self.section,
        )


def _label_end(text: Rendered, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The colon after the label: the first outside brackets and code, else the first of all."""
    found = list(pattern.finditer(text.text, 1, min(len(text.text), _LONGEST_LABEL + 1)))
    for match in found:
        label = text.text[: match.start()]
        in_code = any(start <= match.start() < end for start, end in text.code)
        if not in_code and label.count("(") <= label.count(")"):
            return match
    return found[0] if found else None

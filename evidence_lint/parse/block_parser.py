"""markdown-it's block parser, which here reads what is nested too deeply as text instead of dropping it."""

from __future__ import annotations

from markdown_it.parser_block import ParserBlock
from markdown_it.rules_block import StateBlock


class DeepBlocks(ParserBlock):
    """markdown-it goes to the end of the text where blocks nest deeper than its limit, and all that follows is lost.
    Here only the block that is too deep becomes one paragraph of text; what comes after it is read as usual.
    """

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:
        """Read the lines as blocks, or flat at the limit."""
        if state.level < state.md.options.maxNesting:
            super().tokenize(state, startLine, endLine)
            return
        first = state.skipEmptyLines(startLine)
        last = first
        while last < endLine and (state.isEmpty(last) or state.sCount[last] >= state.blkIndent):
            last += 1
        if last > first:
            _paragraph(state, first, last)
        state.line = max(last, startLine + 1)


def _paragraph(state: StateBlock, first: int, last: int) -> None:
    token = state.push("paragraph_open", "p", 1)
    token.map = [first, last]
    token = state.push("inline", "", 0)
    token.content = state.getLines(first, last, state.blkIndent, False).strip()
    token.map = [first, last]
    token.children = []
    state.push("paragraph_close", "p", -1)

"""A calm layer over rich: styled pieces, hanging indents, widths; all text from outside is made visible here."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from evidence_lint.model.result import FormatOptions
from evidence_lint.model.verdict import Severity
from evidence_lint_plugins.formats.characters import one_line, visible

DEFAULT_WIDTH: Final = 120
"""Columns where there is no terminal: logs and files."""
NARROWEST: Final = 30
WIDEST: Final = 180

STYLES: Final = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.INFO: "bold cyan"}
GUTTER: Final = "blue"
FAINT: Final = "dim"
GOOD: Final = "green"
BAD: Final = "red"
MILD: Final = "yellow"

Piece = tuple[str, str]
"""Text and its style."""


class Page:
    """Lines of styled text, collected and returned as one string."""

    def __init__(self, options: FormatOptions) -> None:
        self.width = min(max(options.width or DEFAULT_WIDTH, NARROWEST), WIDEST)
        self._color = options.color
        self._out = io.StringIO()
        self._console = Console(
            file=self._out,
            width=self.width,
            force_terminal=options.color,
            color_system="standard" if options.color else None,
            no_color=not options.color,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
            soft_wrap=True,
        )

    def text(self) -> str:
        """Return everything that was put on the page, without spaces at the ends of plain lines."""
        lines = self._out.getvalue().split("\n")
        return "\n".join(line if self._color else line.rstrip() for line in lines)

    def blank(self) -> None:
        """Leave a line empty."""
        self._out.write("\n")

    def line(self, *pieces: Piece) -> None:
        """Put pieces on one line, whatever its width."""
        self._console.print(styled(pieces), soft_wrap=True)

    def flow(
        self, pieces: Iterable[Piece], *, first: Iterable[Piece] = (), rest: Iterable[Piece] | None = None
    ) -> None:
        """Wrap pieces after ``first``; further lines begin with ``rest`` (by default spaces as wide as ``first``)."""
        head = styled(first)
        tail = Text(" " * head.cell_len) if rest is None else styled(rest)
        room = max(self.width - max(head.cell_len, tail.cell_len), 12)
        lines = styled(pieces).wrap(self._console, room, overflow="fold")
        for number, text in enumerate(lines or [Text()]):
            text.rstrip()
            self._console.print((head if number == 0 else tail) + text, soft_wrap=True)


def styled(pieces: Iterable[Piece]) -> Text:
    """Return pieces as one text; what acts on a terminal has been made visible."""
    text = Text()
    for words, style in pieces:
        text.append(visible(words), style=style or None)
    return text


def fit(text: str, width: int) -> str:
    """Return text on one line, cut to a number of cells."""
    text = one_line(text)
    if cell_len(text) <= width:
        return text
    kept: list[str] = []
    cells = 0
    for character in text:
        size = cell_len(character)
        if cells + size > width - 1:
            break
        kept.append(character)
        cells += size
    return "".join(kept).rstrip() + "…"


def pad(text: str, width: int) -> str:
    """Return text cut or filled to exactly a number of cells."""
    text = fit(text, width)
    return text + " " * (width - cell_len(text))

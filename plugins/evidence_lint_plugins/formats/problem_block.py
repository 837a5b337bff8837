"""One problem on a terminal: what is wrong, the line that says it, the other side, what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidence_lint.model.artifact import Bundle
from evidence_lint.model.location import Location, Position, Span
from evidence_lint.model.result import RunResult
from evidence_lint.model.verdict import Edit, Excerpted, Fix, Outcome, Problem
from evidence_lint_plugins.formats.characters import one_line
from evidence_lint_plugins.formats.frames import Cut, FrameLine, cut, frame
from evidence_lint_plugins.formats.rows import Row, help_of
from evidence_lint_plugins.formats.terminal import BAD, FAINT, GOOD, GUTTER, STYLES, Page, Piece, fit

_MOST_SHOWN = 12
_MOST_RELATED = 6
_LONGEST_EQUAL = 160
_LONGEST_DIFF = 2400
_MOST_FIX_LINES = 4
_RECORD: Final = "red strike"
_SOURCE: Final = "green underline"


def print_row(page: Page, run: RunResult, row: Row) -> None:
    """Put a failed or errored verdict on the page."""
    _Block(page, run, row).print()


class _Block:
    def __init__(self, page: Page, run: RunResult, row: Row) -> None:
        self._page, self._run, self._row = page, run, row
        self._bundle: Bundle = row.bundle.bundle
        self._problem: Problem | None = row.verdict.problem
        related = self._problem.related[:_MOST_RELATED] if self._problem is not None else ()
        self._related = [(item, run.places.position(self._bundle, item.location)) for item in related]
        self._margin = len(str(self._largest_number()))
        self._width = page.width - self._margin - 4

    def print(self) -> None:
        verdict = self._row.verdict
        errored = verdict.outcome is Outcome.ERRORED
        style = "bold magenta" if errored else STYLES[verdict.severity]
        word = "errored" if errored else verdict.severity.value
        self._page.flow([(f"{word} {verdict.code}", style), (f" {verdict.name}", "bold")])
        message = f"the check itself broke: {self._row.message}" if errored else self._row.message
        self._page.flow([(one_line(message), "")], first=[("  ", "")])
        self._places(style)
        help_text = help_of(self._run, verdict)
        if errored:
            help_text = "This is a fault of the check, not of the report. The check has not passed."
        if help_text:
            self._page.flow([(one_line(help_text), "")], first=[("  help: ", "bold cyan")])
        if self._problem is not None and self._problem.fix is not None:
            self._fix(self._problem.fix)

    def _largest_number(self) -> int:
        numbers = [self._row.position.end_line]
        numbers += [position.end_line for _, position in self._related]
        for shown in self._problem.shown if self._problem is not None else ():
            numbers.append((shown.first_line or 1) + min(len(shown.lines), _MOST_SHOWN))
        return max(numbers)

    def _places(self, style: str) -> None:
        location = self._row.verdict.location
        self._head("╭─", self._row.position, "", style)
        if location is not None:
            self._frame(location, self._row.position, style, "━")
        for related, position in self._related:
            self._head("├─", position, related.message, FAINT)
            self._frame(related.location, position, "cyan", "─")
        if self._problem is not None:
            left_out = len(self._problem.related) - len(self._related)
            if left_out > 0:
                self._page.line((self._gutter("├─"), GUTTER), (f" and {left_out} more places", FAINT))
            for shown in self._problem.shown:
                self._shown(shown)
        self._page.line((self._gutter("╰─"), GUTTER))

    def _gutter(self, mark: str, number: int | None = None) -> str:
        digits = "" if number is None else str(number)
        return f" {digits:>{self._margin}} {mark}"

    def _head(self, corner: str, position: Position, message: str, style: str) -> None:
        where = f"{one_line(position.path)}:{position.line}:{position.column}"
        pieces: list[Piece] = [(where, "bold" if corner == "╭─" else "")]
        if position.pointer:
            pieces.append((f"  {fit(position.pointer, 60)}", FAINT))
        if message:
            pieces.append((f"  {one_line(message)}", ""))
        self._page.flow(
            pieces, first=[(self._gutter(corner) + " ", GUTTER)], rest=[(self._gutter("│") + "   ", GUTTER)]
        )

    def _frame(self, location: Location, position: Position, style: str, underline: str) -> None:
        artifact = self._bundle.artifacts.get(location.artifact)
        if artifact is not None and not artifact.present:
            self._page.line((self._gutter("│"), GUTTER), (" (there is no such file)", FAINT))
            return
        for line in frame(self._run.places, self._bundle, location, position, self._width - 2):
            self._source(line, style, underline)

    def _source(self, line: FrameLine, style: str, underline: str) -> None:
        bar: Piece = (" ┃ ", style) if line.barred else (" ", "")
        self._page.line(
            (self._gutter("│", line.number), GUTTER), bar, (line.cut.text, FAINT if line.number is None else "")
        )
        if line.underlined:
            marks = underline * max(line.cut.end - line.cut.start, 1)
            self._page.line((self._gutter("│"), GUTTER), (" " * (line.cut.start + 1), ""), (marks, style))

    def _shown(self, shown: Excerpted) -> None:
        pieces: list[Piece] = [(one_line(shown.origin), "")]
        if shown.diff:
            pieces += [("  ", ""), ("[-record-]", _RECORD), (" ", ""), ("{+source+}", _SOURCE)]
        self._page.flow(pieces, first=[(self._gutter("├─") + " ", GUTTER)], rest=[(self._gutter("│") + "   ", GUTTER)])
        if shown.diff:
            self._diff(shown.diff)
        if shown.lines and (shown.first_line is not None or not shown.diff):
            self._lines(shown)

    def _lines(self, shown: Excerpted) -> None:
        for index, text in enumerate(shown.lines[:_MOST_SHOWN]):
            if shown.first_line is None:
                margin = (self._gutter("│") + " ", GUTTER)
                self._page.flow([(one_line(text[:_LONGEST_DIFF]), "")], first=[margin], rest=[margin])
                continue
            kept = cut(text, 0, 0, self._width)
            self._page.line((self._gutter("│", shown.first_line + index) + " ", GUTTER), (kept.text, ""))
        if len(shown.lines) > _MOST_SHOWN:
            words = f" … {len(shown.lines) - _MOST_SHOWN} more lines"
            self._page.line((self._gutter("│"), GUTTER), (words, FAINT))

    def _diff(self, diff: Sequence[tuple[str, str]]) -> None:
        pieces: list[Piece] = []
        length = 0
        for number, (operation, text) in enumerate(diff):
            if length > _LONGEST_DIFF:
                pieces.append((" …", FAINT))
                break
            words = one_line(text)
            if not words:
                continue
            if pieces:
                pieces.append((" ", ""))
            if operation == "delete":
                pieces.append((f"[-{words[:_LONGEST_DIFF]}-]", _RECORD))
            elif operation == "insert":
                pieces.append((f"{{+{words[:_LONGEST_DIFF]}+}}", _SOURCE))
            else:
                pieces.append((_shortened(words, number == 0, number == len(diff) - 1), ""))
            length += len(words)
        margin = (self._gutter("│") + " ", GUTTER)
        self._page.flow(pieces, first=[margin], rest=[margin])

    def _fix(self, fix: Fix) -> None:
        if any(edit.artifact not in self._bundle.artifacts for edit in fix.edits):
            return  # All edits or none: half a fix is not shown.
        words = f"  fix ({fix.applicability.value}): "
        self._page.flow([(one_line(fix.description), "")], first=[(words, "bold green")])
        for edit in fix.edits[:_MOST_FIX_LINES]:
            self._edit(edit)
        if len(fix.edits) > _MOST_FIX_LINES:
            self._page.line((f"    … and {len(fix.edits) - _MOST_FIX_LINES} more edits", FAINT))

    def _edit(self, edit: Edit) -> None:
        artifact = self._bundle.artifacts.get(edit.artifact)
        if artifact is None or artifact.text is None:
            return
        text = artifact.text
        start, end = min(edit.start, len(text)), min(edit.end, len(text))
        first = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        last = min((at for at in (text.find("\n", end), text.find("\r", end)) if at != -1), default=len(text))
        before, column = text[first:last], start - first
        after = before[:column] + edit.text + text[end:last]
        at = self._run.places.position(self._bundle, Location(edit.artifact, Span(start, max(start, end))))
        if at.path != self._row.position.path or at.line != self._row.position.line:
            self._page.flow([(f"{one_line(at.path)}:{at.line}", FAINT)], first=[("    ", "")])
        room = self._page.width - 6
        self._edit_lines("-", before, column, column + end - start, room, BAD)
        self._edit_lines("+", after, column, column + len(edit.text), room, GOOD)

    def _edit_lines(self, mark: str, text: str, start: int, end: int, room: int, style: str) -> None:
        lines = text.splitlines()
        if len(lines) <= 1:
            kept: list[Cut] = [cut(line, start, end, room) for line in lines if line.strip()]
        else:
            kept = [cut(line, 0, 0, room) for line in lines[:_MOST_FIX_LINES]]
        for part in kept:
            self._page.line((f"    {mark} {part.text}", style))
        if len(lines) > _MOST_FIX_LINES:
            self._page.line((f"    {mark} … {len(lines) - _MOST_FIX_LINES} more lines", FAINT))


def _shortened(words: str, first: bool, last: bool) -> str:
    """Return text that is equal on both sides without its middle, or without its far end at the diff's ends."""
    if len(words) <= _LONGEST_EQUAL:
        return words
    half = _LONGEST_EQUAL // 2
    head = "" if first else words[:half].rsplit(" ", 1)[0] + " "
    tail = "" if last else " " + words[-half:].split(" ", 1)[-1]
    return f"{head}…{tail}"

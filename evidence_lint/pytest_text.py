"""A verdict as the text of a failed test: the line of the report, the other side, what to do."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.artifact import Bundle
from evidence_lint.model.location import Location
from evidence_lint.model.result import Places
from evidence_lint.model.verdict import Excerpted, Verdict

_LINES = 4
_SHOWN = 12
_WIDTH = 300


def problem_text(verdict: Verdict, bundle: Bundle, places: Places) -> str:
    """The whole text; what comes from a report, a page or a repository cannot command the terminal."""
    return "\n".join(_lines(verdict, bundle, places))


def _lines(verdict: Verdict, bundle: Bundle, places: Places) -> Iterator[str]:
    problem = verdict.problem
    location = verdict.location
    where = ""
    if location is not None:
        position = places.position(bundle, location)
        where = f"{position.path}:{position.line}:{position.column}: "
    message = problem.message if problem is not None else str(verdict.outcome)
    yield _plain(f"{where}{verdict.severity} {verdict.code} {verdict.name}")
    yield f"  {_plain(message)}"
    if problem is None or location is None:
        return
    yield from _source(location, bundle, places)
    for related in problem.related:
        position = places.position(bundle, related.location)
        yield _plain(f"  {position.path}:{position.line}:{position.column}: {related.message}")
        yield from _source(related.location, bundle, places)
    for shown in problem.shown:
        yield from _excerpt(shown)
    if problem.help:
        yield f"  help: {_plain(problem.help)}"


def _source(location: Location, bundle: Bundle, places: Places) -> Iterator[str]:
    position = places.position(bundle, location)
    last = min(position.end_line, position.line + _LINES - 1)
    for number, text in places.source_lines(bundle, location.artifact, position.line, last):
        yield f"  {number:>5} | {_plain(text)}"


def _excerpt(shown: Excerpted) -> Iterator[str]:
    yield f"  {_plain(shown.origin)}"
    for index, text in enumerate(shown.lines[:_SHOWN]):
        margin = f"{shown.first_line + index:>5}" if shown.first_line is not None else " " * 5
        yield f"  {margin} | {_plain(text)}"
    if shown.diff and not shown.lines:
        marks = {"delete": ("[-", "-]"), "insert": ("{+", "+}")}
        words = (f"{marks.get(kind, ('', ''))[0]}{text}{marks.get(kind, ('', ''))[1]}" for kind, text in shown.diff)
        yield f"        | {_plain(' '.join(words))}"


def _plain(text: str) -> str:
    short = text if len(text) <= _WIDTH * 4 else text[: _WIDTH * 4] + "…"
    return "".join(character if character.isprintable() else " " for character in short)

"""``--format github``: workflow commands that a GitHub Actions log turns into annotations."""

from __future__ import annotations

from collections.abc import Mapping

from evidence_lint.model.result import FormatOptions, RunResult
from evidence_lint.model.verdict import Outcome, Severity
from evidence_lint_plugins.formats.characters import visible
from evidence_lint_plugins.formats.rows import Row, all_rows, counted, help_of, listed, skip_groups, summary_line

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_MOST = 10
"""GitHub shows ten errors, ten warnings and ten notices a step and drops the rest without a word."""
_ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY_ESCAPES = _ESCAPES | {":": "%3A", ",": "%2C"}
_DATA = str.maketrans(_ESCAPES)
_PROPERTY = str.maketrans(_PROPERTY_ESCAPES)


def render(run: RunResult, options: FormatOptions) -> str:
    """Return one command a problem, gravest first, and a notice with the summary."""
    rows = [row for row in all_rows(run, options) if row.verdict.outcome in {Outcome.FAILED, Outcome.ERRORED}]
    lines: list[str] = []
    for command in ("error", "warning", "notice"):
        mine = [row for row in rows if _command(row) == command]
        most = _MOST - 1 if command == "notice" else _MOST  # The summary is a notice too.
        if len(mine) <= most:
            lines += [_annotation(run, row, command) for row in mine]
            continue
        told, rest = mine[: most - 1], mine[most - 1 :]
        lines += [_annotation(run, row, command) for row in told]
        words = f"{counted(len(rest), 'more problem')} of this kind; see the log of this step"
        lines.append(_line(command, {"title": "evidence-lint"}, words))
        lines += [_plain(row) for row in rest]
    lines.append(_line("notice", {"title": "evidence-lint"}, _summary(run)))
    return "\n".join(lines) + "\n"


def _command(row: Row) -> str:
    return "error" if row.verdict.outcome is Outcome.ERRORED else _COMMANDS[row.verdict.severity]


def _annotation(run: RunResult, row: Row, command: str) -> str:
    verdict, place = row.verdict, row.position
    properties = {"file": place.path, "line": str(place.line)}
    if place.end_line == place.line:
        # GitHub reads columns only where a problem stands on one line; its end column is inclusive.
        properties |= {"col": str(place.column), "endColumn": str(max(place.end_column - 1, place.column))}
    else:
        properties["endLine"] = str(place.end_line)
    properties["title"] = f"{verdict.code} {verdict.name}"
    message = row.message
    if verdict.outcome is Outcome.ERRORED:
        message = f"the check itself broke: {message}"
    help_text = help_of(run, verdict)
    return _line(command, properties, f"{message}\n{help_text}" if help_text else message)


def _plain(row: Row) -> str:
    """A line of the log that is no command, whatever stands in it."""
    place = row.position
    text = f"{place.path}:{place.line}:{place.column}: {row.verdict.code} {row.message}"
    return "  " + visible(text).replace("\r", " ").replace("\n", " ").replace("::", ": :").replace("##[", "## [")


def _summary(run: RunResult) -> str:
    lines = [summary_line(run)]
    for group in skip_groups(verdict for result in run.bundles for verdict in result.verdicts):
        lines.append(f"skipped {group.count}: {group.message} ({listed(group.rules)})")
    return "\n".join([*lines, *run.notices])


def _line(command: str, properties: Mapping[str, str], message: str) -> str:
    escaped = ",".join(f"{name}={_shown(value).translate(_PROPERTY)}" for name, value in properties.items())
    return f"::{command} {escaped}::{_shown(message).translate(_DATA)}"


def _shown(text: str) -> str:
    """Return text as it can be encoded; a carriage return stays, since commands can carry it."""
    return "\r".join(visible(part) for part in text.split("\r"))

"""``--format concise``: one line a problem, then what could not be checked, then a summary."""

from __future__ import annotations

from collections.abc import Callable

from evidence_lint.model.result import FormatOptions, RunResult
from evidence_lint.model.verdict import Outcome, Severity
from evidence_lint_plugins.formats.characters import one_line
from evidence_lint_plugins.formats.rows import Row, all_rows, counted, listed, skip_groups, statistics, summary_line

_RED, _YELLOW, _CYAN, _BOLD, _DIM = "31", "33", "36", "1", "2"
_COLORS = {Severity.ERROR: _RED, Severity.WARNING: _YELLOW, Severity.INFO: _CYAN}

Paint = Callable[[str, str], str]


def render(run: RunResult, options: FormatOptions) -> str:
    """Return the lines; the last one is the summary."""
    paint = _colored if options.color else _plain
    lines = [_line(row, paint) for row in all_rows(run, options) if row.verdict.outcome in _listed_outcomes(options)]
    lines += [f"note: {one_line(notice)}" for notice in run.notices]
    if options.statistics:
        lines += _statistics(run)
    if options.show_skipped:
        lines += _skips(run, paint)
    lines.append(paint(_BOLD, summary_line(run)))
    return "\n".join(lines) + "\n"


def _listed_outcomes(options: FormatOptions) -> frozenset[Outcome]:
    outcomes = {Outcome.FAILED, Outcome.ERRORED}
    return frozenset(outcomes | {Outcome.PASSED} if options.show_passed else outcomes)


def _line(row: Row, paint: Paint) -> str:
    verdict, place = row.verdict, row.position
    where = paint(_BOLD, one_line(place.path)) + f":{place.line}:{place.column}:"
    if verdict.outcome is Outcome.PASSED:
        return f"{where} {verdict.code} passed: {one_line(verdict.name)}"
    if verdict.outcome is Outcome.ERRORED:
        return f"{where} {paint(_RED, verdict.code)} the check itself broke: {one_line(row.message)}"
    return f"{where} {paint(_COLORS[verdict.severity], verdict.code)} {one_line(row.message)}"


def _skips(run: RunResult, paint: Paint) -> list[str]:
    groups = skip_groups(verdict for result in run.bundles for verdict in result.verdicts)
    total = sum(group.count for group in groups)
    if not total:
        return []
    reasons = "; ".join(f"{group.count} {one_line(group.message)} ({listed(group.rules)})" for group in groups)
    return [paint(_DIM, f"skipped {counted(total, 'check')}: {reasons}")]


def _statistics(run: RunResult) -> list[str]:
    return [
        f"{failed:>5} failed {skipped:>5} skipped {errored:>5} errored  {code} {name}"
        for code, name, failed, skipped, errored in statistics(run)
    ]


def _plain(style: str, text: str) -> str:
    return text


def _colored(style: str, text: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m"

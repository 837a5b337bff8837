"""``--format full``, the default: every problem with its source and the other side, the findings, a summary."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from evidence_lint.model.result import BundleResult, FormatOptions, RunInfo, RunResult
from evidence_lint.model.verdict import Outcome
from evidence_lint_plugins.formats.characters import one_line
from evidence_lint_plugins.formats.findings_table import print_findings
from evidence_lint_plugins.formats.problem_block import print_row
from evidence_lint_plugins.formats.rows import (
    Row,
    counted,
    counts_words,
    listed,
    rows_of,
    skip_groups,
    statistics,
)
from evidence_lint_plugins.formats.terminal import BAD, FAINT, GOOD, MILD, Page, Piece, fit, pad

_FEW_BUNDLES = 5
_MOST_SUPPRESSED = 20
_COUNT_STYLES = {
    "passed": GOOD,
    "failed": "bold red",
    "errored": "bold magenta",
    "warnings": MILD,
    "infos": "cyan",
    "suppressed": FAINT,
    "skipped": FAINT,
}


def render(run: RunResult, options: FormatOptions) -> str:
    """Return the whole output."""
    page = Page(options)
    for result in run.bundles:
        _bundle(page, run, result, options)
    if options.statistics:
        _statistics(page, run)
    _summary(page, run)
    return page.text()


def _bundle(page: Page, run: RunResult, result: BundleResult, options: FormatOptions) -> None:
    rows = rows_of(run, result, passed=options.show_passed)
    told = [row for row in rows if row.verdict.outcome in {Outcome.FAILED, Outcome.ERRORED}]
    _heading(page, run, result)
    if result.summary.findings and (told or len(run.bundles) <= _FEW_BUNDLES):
        page.blank()
        print_findings(page, result.summary.findings)
    for row in sorted(told, key=_gravity):
        page.blank()
        print_row(page, run, row)
    if not told:
        page.flow([(f"{counted(result.counts.passed, 'check')} passed", GOOD)], first=[("   ", "")])
    _suppressed(page, [row for row in rows if row.verdict.outcome is Outcome.SUPPRESSED])
    if options.show_passed:
        _passed(page, [row for row in rows if row.verdict.outcome is Outcome.PASSED])
    if options.show_skipped:
        _skipped(page, [row for row in rows if row.verdict.outcome is Outcome.SKIPPED])
    page.blank()


def _gravity(row: Row) -> tuple[int, int]:
    return (0 if row.verdict.outcome is Outcome.ERRORED else 1, row.verdict.severity.rank)


def _heading(page: Page, run: RunResult, result: BundleResult) -> None:
    path = fit(run.places.display_path(result.bundle.path), page.width - 8)
    line = "─" * max(page.width - 4 - cell_len(path), 2)
    page.line(("── ", FAINT), (path, "bold"), (f" {line}", FAINT))
    summary = result.summary
    kind = f"{one_line(summary.research_kind)} research" if summary.research_kind else "research kind unknown"
    pieces: list[Piece] = [(kind, "")]
    declared, computed = summary.declared_degradation, summary.degradation
    if declared or computed:
        pieces.append((" · degradation ", FAINT))
        if (declared or "").casefold() == (computed or "").casefold():
            pieces.append((f"{one_line(computed or '')}, as declared", ""))
        else:
            pieces.append((f"{one_line(computed or 'undecided')}, declared {one_line(declared or 'nothing')}", MILD))
    pieces.append((f" · {one_line(result.bundle.dialect)}", FAINT))
    page.flow(pieces, first=[("   ", "")])


def _suppressed(page: Page, rows: Sequence[Row]) -> None:
    if not rows:
        return
    page.blank()
    page.line((f"  suppressed {counted(len(rows), 'problem')}", "bold"))
    for row in rows[:_MOST_SUPPRESSED]:
        suppression = row.verdict.suppression
        why = f"{suppression.kind}: {suppression.reason}" if suppression is not None else "no reason was given"
        where = f"  {one_line(row.position.path)}:{row.position.line}"
        page.flow([(one_line(why), ""), (where, FAINT)], first=[(f"  {row.verdict.code:>8}  ", "")])
    if len(rows) > _MOST_SUPPRESSED:
        page.line((f"            and {len(rows) - _MOST_SUPPRESSED} more", FAINT))


def _passed(page: Page, rows: Sequence[Row]) -> None:
    if not rows:
        return
    page.blank()
    page.line((f"  passed {counted(len(rows), 'check')}", "bold"))
    for row in rows:
        where = f"  {one_line(row.position.path)}:{row.position.line}"
        page.flow([(one_line(row.verdict.name), ""), (where, FAINT)], first=[(f"  {row.verdict.code:>8}  ", GOOD)])


def _skipped(page: Page, rows: Sequence[Row]) -> None:
    groups = skip_groups(row.verdict for row in rows)
    if not groups:
        return
    page.blank()
    heading: list[Piece] = [(f"skipped {counted(len(rows), 'check')}", "bold"), (", neither passed nor failed", FAINT)]
    page.flow(heading, first=[("  ", "")])
    for group in groups:
        pieces: list[Piece] = [(one_line(group.message), ""), (f"  {listed(group.rules)}", FAINT)]
        page.flow(pieces, first=[(f"  {group.count:>8}  ", FAINT)])


def _statistics(page: Page, run: RunResult) -> None:
    rows = statistics(run)
    if not rows:
        return
    page.line(("  failed skipped errored  rule", "bold"))
    for code, name, failed, skipped, errored in rows:
        page.line(
            (f"  {failed or '·':>6}", BAD if failed else FAINT),
            (f" {skipped or '·':>7}", "" if skipped else FAINT),
            (f" {errored or '·':>7}", "bold magenta" if errored else FAINT),
            (f"  {pad(code, 8)} {fit(name, max(page.width - 36, 8))}", ""),
        )
    page.blank()


def _policy(info: RunInfo) -> list[str]:
    if info.policy_revision:
        commit = f" ({info.policy_commit})" if info.policy_commit else ""
        return [f"policy {info.policy_source or ''} at {info.policy_revision}{commit}"]
    return []


def _pages(run: RunResult) -> str:
    read = sum(capture.searchable for capture in run.captures)
    total = counted(len(run.captures), "page")
    return f"{total} fetched" if read == len(run.captures) else f"{total} asked for, {read} read"


def _summary(page: Page, run: RunResult) -> None:
    counts = run.counts
    page.line(("━" * page.width, FAINT))
    pieces: list[Piece] = [
        (f"{counted(counts.ran, 'check')} ran", "bold"),
        (f" on {counted(len(run.bundles), 'bundle')}: ", ""),
    ]
    for number, (kind, words) in enumerate(counts_words(counts)):
        style = _COUNT_STYLES[kind] if getattr(counts, kind) else FAINT
        pieces += [(", ", FAINT)] if number else []
        pieces.append((words, style))
    page.flow(pieces, first=[(" ", "")])
    if counts.skipped:
        page.flow([("What is skipped could not be checked in this run; it has not passed.", FAINT)], first=[(" ", "")])
    if not counts.ran:
        page.flow([("Nothing was checked.", MILD)], first=[(" ", "")])
    info = run.info
    how: list[str] = [f"mode {info.mode}"]
    how += [f"repository {info.repo}"] if info.repo else []
    how += _policy(info)
    how += [_pages(run)] if run.captures else []
    page.flow([(one_line(" · ".join(how)), FAINT)], first=[(" ", "")])
    for notice in run.notices:
        page.flow([(one_line(notice), "")], first=[(" note: ", MILD)])

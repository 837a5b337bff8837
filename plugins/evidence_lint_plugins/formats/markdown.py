"""``--format markdown``: tables for a job summary or a comment on a merge request.

Everything that a stranger wrote is escaped: it cannot leave its cell, make a link or an image, mention anyone or
become HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evidence_lint.model.result import BundleResult, FindingRow, FormatOptions, RunResult
from evidence_lint.model.verdict import Outcome, Severity
from evidence_lint_plugins.formats.characters import one_line
from evidence_lint_plugins.formats.rows import (
    Row,
    counted,
    counts_words,
    evidence_words,
    help_of,
    listed,
    rows_of,
    skip_groups,
    statistics,
)

_MOST_PROBLEMS = 300
"""Rows a bundle; a job summary is cut off at 1 MiB."""
_MOST_CHARACTERS = 1000
_SPECIAL = re.compile(
    r"[&<>\"'\\`*_{}\[\]|~$^=@]|#(?=\d)|(?<=\w):(?=//)|(?<=www)\.",
    re.IGNORECASE,
)
_BREAK = "&#8203;"
_MARKS = {Severity.ERROR: "❌ error", Severity.WARNING: "⚠️ warning", Severity.INFO: "ℹ️ info"}


def render(run: RunResult, options: FormatOptions) -> str:
    """Return the document."""
    blocks = [_title(run), *_notices(run)]
    for result in run.bundles:
        blocks += _bundle(run, result, options)
    if options.statistics:
        rows = [
            [code, name, str(failed), str(skipped), str(broke)]
            for code, name, failed, skipped, broke in statistics(run)
        ]
        blocks += ["### Rules", _table(["Rule", "Name", "Failed", "Skipped", "Errored"], rows)]
    return "\n\n".join(blocks) + "\n"


def escape(text: str) -> str:
    """Return text that Markdown, GitHub's and GitLab's extensions included, shows as it stands, on one line."""
    shown = one_line(text)
    if len(shown) > _MOST_CHARACTERS:
        shown = shown[:_MOST_CHARACTERS] + "…"
    return _SPECIAL.sub(_entity, shown)


def _entity(match: re.Match[str]) -> str:
    # A mention or a reference is made from the finished text: an entity for the sign alone would not stop it.
    return f"&#{ord(match[0])};" + (_BREAK if match[0] in "@#" else "")


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _title(run: RunResult) -> str:
    counts = run.counts
    mark = "❌" if counts.failed or counts.errored else "⚠️" if counts.warnings or not counts.ran else "✅"
    words = ", ".join(text for _, text in counts_words(counts))
    ran = f"{counted(counts.ran, 'check')} ran on {counted(len(run.bundles), 'bundle')}"
    return f"## {mark} evidence-lint\n\n{ran}: {words}. Mode: {run.info.mode}."


def _notices(run: RunResult) -> list[str]:
    return [f"> {escape(notice)}" for notice in run.notices]


def _bundle(run: RunResult, result: BundleResult, options: FormatOptions) -> Iterator[str]:
    rows = rows_of(run, result, passed=options.show_passed)
    yield f"### {_code(run.places.display_path(result.bundle.path))}"
    yield _about(result)
    if result.summary.findings:
        heads = ["Finding", "Stated", "Requested", "Effective", "Evidence", "Reasons"]
        yield _table(heads, [_finding(finding) for finding in result.summary.findings])
    problems = [row for row in rows if row.verdict.outcome in {Outcome.FAILED, Outcome.ERRORED}]
    problems.sort(key=lambda row: (row.verdict.outcome is not Outcome.ERRORED, row.verdict.severity.rank))
    if problems:
        yield _table(["", "Rule", "Where", "Problem"], [_problem(run, row) for row in problems[:_MOST_PROBLEMS]])
    if len(problems) > _MOST_PROBLEMS:
        yield f"… and {counted(len(problems) - _MOST_PROBLEMS, 'more problem')}."
    suppressed = [row for row in rows if row.verdict.outcome is Outcome.SUPPRESSED]
    if suppressed:
        cells = [[escape(row.verdict.code), _where(row), _suppression(row)] for row in suppressed[:_MOST_PROBLEMS]]
        yield _details(f"Suppressed {counted(len(suppressed), 'problem')}", ["Rule", "Where", "Why"], cells)
    passed = [row for row in rows if row.verdict.outcome is Outcome.PASSED][:_MOST_PROBLEMS]
    if passed:
        cells = [[escape(row.verdict.code), escape(row.verdict.name), _where(row)] for row in passed]
        yield _details(f"Passed {counted(len(passed), 'check')}", ["Rule", "Name", "Where"], cells)
    groups = skip_groups(row.verdict for row in rows) if options.show_skipped else []
    if groups:
        total = sum(group.count for group in groups)
        cells = [[str(group.count), escape(group.message), escape(listed(group.rules))] for group in groups]
        title = f"Skipped {counted(total, 'check')}: not checked in this run, so not passed"
        yield _details(title, ["Checks", "Why", "Rules"], cells)


def _about(result: BundleResult) -> str:
    summary = result.summary
    words = [f"{escape(summary.research_kind)} research" if summary.research_kind else "research kind unknown"]
    declared, computed = summary.declared_degradation, summary.degradation
    if declared or computed:
        words.append(f"degradation **{escape(computed or 'undecided')}**, declared {escape(declared or 'nothing')}")
    words.append(f"{counted(result.counts.passed, 'check')} passed")
    return " · ".join(words)


def _finding(finding: FindingRow) -> list[str]:
    effective = "**unusable**" if finding.usable is False else escape(finding.effective_confidence or "undecided")
    return [
        " ".join(escape(part) for part in (finding.id, finding.title) if part) or "(without a title)",
        escape(finding.stated_confidence or "–"),
        escape(finding.requested_confidence or "–"),
        effective,
        escape(evidence_words(finding.evidence)),
        "<br>".join(escape(reason) for reason in finding.reasons[:10]),
    ]


def _problem(run: RunResult, row: Row) -> list[str]:
    verdict = row.verdict
    errored = verdict.outcome is Outcome.ERRORED
    text = escape(f"the check itself broke: {row.message}" if errored else row.message)
    help_text = help_of(run, verdict)
    if help_text:
        text += f"<br><sub>{escape(help_text)}</sub>"
    mark = "💥 errored" if errored else _MARKS[verdict.severity]
    return [mark, f"{escape(verdict.code)} {escape(verdict.name)}", _where(row), text]


def _where(row: Row) -> str:
    return _code(f"{row.position.path}:{row.position.line}:{row.position.column}")


def _suppression(row: Row) -> str:
    suppression = row.verdict.suppression
    return escape(f"{suppression.kind}: {suppression.reason}") if suppression is not None else "no reason was given"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [_cells(heads), _cells(["---"] * len(heads)), *(_cells(row) for row in rows)]
    return "\n".join(lines)


def _cells(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _details(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return f"<details><summary>{title}</summary>\n\n{_table(heads, rows)}\n\n</details>"

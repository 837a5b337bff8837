"""Verdicts as diagnostics. Skipped checks are none; a check that broke is an error at the first line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from lsprotocol import types

from evidence_lint.lsp.checker import Trouble
from evidence_lint.lsp.places import Places
from evidence_lint.lsp.words import shortened, visible
from evidence_lint.model.verdict import Outcome, Severity, Verdict

SOURCE = "evidence-lint"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_LONGEST = 2000
_MOST = 2000
"""Diagnostics a bundle: more than anyone reads, and as many as editors stand."""


def diagnostics_of(places: Places) -> Mapping[Path, list[types.Diagnostic]]:
    """The diagnostics of a bundle by file. Every file that is there is named, for what was told of it may be mended."""
    bundle = places.snapshot.row.bundle
    found: dict[Path, list[types.Diagnostic]] = defaultdict(list)
    for artifact in bundle.artifacts.values():
        if artifact.present:
            found[artifact.path] = []
    rows = [v for v in places.snapshot.row.verdicts if v.outcome in {Outcome.FAILED, Outcome.ERRORED}]
    rows.sort(key=lambda verdict: (verdict.outcome is not Outcome.ERRORED, verdict.severity.rank))
    for verdict in rows[:_MOST]:
        path, diagnostic = diagnostic_of(verdict, places)
        found[path].append(diagnostic)
    return found


def diagnostic_of(verdict: Verdict, places: Places) -> tuple[Path, types.Diagnostic]:
    """A failed or errored verdict as a diagnostic, and its file."""
    problem = verdict.problem
    if verdict.outcome is Outcome.ERRORED or problem is None:
        path, there = places.locate(None)
        message = f"the check {verdict.name} broke, so it has not passed: {verdict.error or 'no more is known'}"
        return path, _diagnostic(there, message, types.DiagnosticSeverity.Error, verdict.code)
    path, there = places.locate(problem.location)
    message = f"{visible(problem.message)}\n{visible(problem.help)}" if problem.help else visible(problem.message)
    related = [
        types.DiagnosticRelatedInformation(places.location(row.location), _text(row.message)) for row in problem.related
    ]
    return path, _diagnostic(there, message, _SEVERITIES[verdict.severity], verdict.code, related, verdict.node)


def trouble_of(trouble: Trouble) -> types.Diagnostic:
    """Why nothing of a file was checked, as a diagnostic at its first line."""
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    return _diagnostic(start, f"nothing was checked: {trouble.message}", types.DiagnosticSeverity.Error, "settings")


def _diagnostic(
    there: types.Range,
    message: str,
    severity: types.DiagnosticSeverity,
    code: str,
    related: list[types.DiagnosticRelatedInformation] | None = None,
    node: str = "",
) -> types.Diagnostic:
    return types.Diagnostic(
        range=there,
        message="\n".join(_text(line) for line in message.split("\n")),
        severity=severity,
        code=code,
        source=SOURCE,
        related_information=related or None,
        data={"node": node} if node else None,
    )


def _text(text: str) -> str:
    return shortened(visible(text), _LONGEST)

"""``--format gitlab``: the code quality report that a GitLab merge request shows."""

from __future__ import annotations

import hashlib
import json

from evidence_lint.model.result import FormatOptions, RunResult
from evidence_lint.model.verdict import Outcome, Severity
from evidence_lint_plugins.formats.characters import one_line, whole
from evidence_lint_plugins.formats.rows import Row, all_rows

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(run: RunResult, options: FormatOptions) -> str:
    """Return a JSON array, one object a failed or errored check; an errored one is a blocker."""
    rows = [row for row in all_rows(run, options) if row.verdict.outcome in {Outcome.FAILED, Outcome.ERRORED}]
    return json.dumps([_issue(row) for row in rows], indent=2) + "\n"


def _issue(row: Row) -> dict[str, object]:
    verdict, place = row.verdict, row.position
    errored = verdict.outcome is Outcome.ERRORED
    message = f"the check itself broke: {row.message}" if errored else row.message
    return {
        "description": one_line(f"{verdict.code} {message}"),
        "check_name": verdict.name,
        "fingerprint": _fingerprint(row),
        "severity": "blocker" if errored else _SEVERITIES[verdict.severity],
        "location": {"path": whole(place.path), "lines": {"begin": place.line, "end": place.end_line}},
    }


def _fingerprint(row: Row) -> str:
    """GitLab wants each to be unique in the report; equal problems in two bundles are told apart by their path."""
    what = row.verdict.fingerprint or row.verdict.node
    text = f"{row.position.path}\0{what}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:32]

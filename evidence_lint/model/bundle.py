"""A nine-section bundle: one report with its records (chapter 2, layout)."""

from __future__ import annotations

from dataclasses import dataclass, field

from evidence_lint.model.artifact import Bundle
from evidence_lint.model.records import Records
from evidence_lint.model.report import Report

FINDINGS = "findings"
RESULTS = "results"
CONTENT = "content"
CODE_EVIDENCE = "code_evidence"
SESSION = "session"
VALIDATION = "validation"

RECORD_ARTIFACTS = (FINDINGS, RESULTS, CONTENT, CODE_EVIDENCE, SESSION)


@dataclass(frozen=True, slots=True)
class ResearchBundle(Bundle):
    """A report and its records. ``report`` is None when the report could not be read."""

    report: Report | None = None
    records: Records = field(default_factory=Records)

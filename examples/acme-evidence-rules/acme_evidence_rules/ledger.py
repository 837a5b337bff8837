"""``--format acme``: every finding as a row of tab-separated values, for Acme's spreadsheet."""

from __future__ import annotations

import csv
from io import StringIO

from evidence_lint.model.result import Format, FormatOptions, RunResult

COLUMNS = ("report", "finding", "stated", "effective", "verified", "evidence")


def render(run: RunResult, options: FormatOptions) -> str:
    """Return the table with its header; a value that could not be decided stays empty."""
    text = StringIO()
    table = csv.writer(text, dialect="excel-tab", lineterminator="\n")
    table.writerow(COLUMNS)
    for result in run.bundles:
        report = result.bundle.artifacts[result.bundle.main]
        for finding in result.summary.findings:
            verified = sum(row.verified is True for row in finding.evidence)
            table.writerow(
                (
                    run.places.display_path(report.path),
                    finding.title or "",
                    finding.stated_confidence or "",
                    finding.effective_confidence or "",
                    verified,
                    len(finding.evidence),
                )
            )
    return text.getvalue()


LEDGER = Format("acme", "Every finding as a row of tab-separated values.", render)

"""Confidence labels wherever they are written: in the report's section 4 and in findings.json."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evidence_lint.model.location import Location
from evidence_lint.model.records import Records
from evidence_lint.model.report import REPORT, Report
from evidence_lint.witness.confidence import RANK


@dataclass(frozen=True, slots=True)
class ConfidenceLabel:
    """A label as it is written. ``text`` is None where a finding has none."""

    node: str
    where: str
    text: str | None
    location: Location

    @property
    def valid(self) -> bool:
        """Whether it is a word of the contract, in any case."""
        return self.text is not None and self.text.strip().lower() in RANK


def read_labels(report: Report | None, records: Records) -> Sequence[ConfidenceLabel]:
    """Gather the labels of stated findings, then those of the records."""
    labels: list[ConfidenceLabel] = []
    for finding in report.findings if report is not None else ():
        if not finding.placeholder:
            place = finding.location if finding.label_span is None else Location(REPORT, finding.label_span)
            labels.append(ConfidenceLabel(finding.node, "this finding", finding.label, place))
    for row in records.findings:
        if row.value is not None:
            word = row.value.confidence
            text = None if word is None else word if isinstance(word, str) else str(word)
            labels.append(
                ConfidenceLabel(
                    f"finding-{row.number}",
                    "this record",
                    text if text and text.strip() else None,
                    row.at("confidence"),
                )
            )
    return labels

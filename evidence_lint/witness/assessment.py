"""The whole assessment of a bundle: what each finding earned, how far the report is published, how degraded it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evidence_lint.model.bundle import FINDINGS
from evidence_lint.model.records import Records
from evidence_lint.model.report import Report
from evidence_lint.witness.budget import session_word
from evidence_lint.witness.captures import Live
from evidence_lint.witness.claims import Claims
from evidence_lint.witness.confidence import FindingAssessment, assess
from evidence_lint.witness.degradation import Degradation, recompute
from evidence_lint.witness.disclosure import omission_disclosed
from evidence_lint.witness.matching import Matching
from evidence_lint.witness.report_fields import KIND, VOCABULARY, FieldSpec, find_field, word_of
from evidence_lint.witness.standing import Standing
from evidence_lint.witness.support import Supports
from evidence_lint.witness.units import Units
from evidence_lint.witness.web import SavedPages


@dataclass(frozen=True)
class Assessment:
    """What the evidence of a bundle has earned in this run.

    ``degradation`` is None when findings.json is absent or unreadable: then nothing can be recomputed.
    """

    kind: str | None
    findings: tuple[FindingAssessment, ...]
    degradation: Degradation | None
    units: Units

    @property
    def omitted(self) -> tuple[FindingAssessment, ...]:
        """Unusable findings that the report does not publish."""
        return tuple(row for row in self.findings if not row.usable and row.stated is None)


def stated_word(report: Report | None, spec: FieldSpec) -> str | None:
    """The word of its vocabulary that a field states, in the contract's spelling; None where it states none."""
    field = find_field(report, spec) if report is not None else None
    return word_of(field.value, VOCABULARY[spec]) if field is not None else None


def research_kind(report: Report | None, records: Records) -> str | None:
    """The kind that the recomputation goes by: the session's word, else the report's, else what records there are."""
    kind = session_word(records, "research_kind") or stated_word(report, KIND)
    if kind is not None:
        return kind
    web = bool(records.results or records.content)
    repository = bool(records.code or records.commits or records.receipts)
    if web and repository:
        return "hybrid"
    return "web" if web else "codebase" if repository else None


def assess_findings(
    claims: Claims, matching: Matching, units: Units, live: Live, supports: Supports | None = None
) -> tuple[FindingAssessment, ...]:
    """Assess every finding of findings.json; without ``supports`` by its evidence alone."""
    return tuple(
        assess(
            claim,
            matching.stated_of(claim),
            getattr(claim.row.value, "confidence", None),
            units.of(claim),
            live,
            supports.of(claim) if supports is not None else None,
        )
        for claim in claims.findings
    )


def assess_bundle(
    report: Report | None,
    records: Records,
    claims: Claims,
    units: Units,
    pages: SavedPages,
    findings: Sequence[FindingAssessment],
) -> Assessment:
    """Sum the findings up into the assessment of the bundle."""
    kind = research_kind(report, records)
    degradation = recompute(kind, records, claims, units, pages, findings) if records.has(FINDINGS) else None
    return Assessment(kind, tuple(findings), degradation, units)


def standing(report: Report | None, findings: Sequence[FindingAssessment]) -> Standing:
    """Work out which findings were honestly left out: not published, and their omission disclosed."""
    if report is None:
        return Standing(())
    omitted = [row for row in findings if row.stated is None and not row.usable]
    return Standing([row.claim.number for row in omitted if omission_disclosed(report, row, len(omitted))])

"""The bundle's part of the output: kind, degradation and one row a finding (chapter 10, ``findings``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidence_lint.dialect import Resolve
from evidence_lint.errors import Unavailable
from evidence_lint.model.artifact import JSON
from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.model.report import Report
from evidence_lint.model.result import EvidenceRow, FindingRow, Summary
from evidence_lint.witness.assessment import Assessment, research_kind, stated_word
from evidence_lint.witness.captures import Live
from evidence_lint.witness.confidence import FindingAssessment, requested_confidence
from evidence_lint.witness.report_fields import DEGRADATION
from evidence_lint.witness.shown import evidence_shown
from evidence_lint.witness.units import Unit


def summarise(resolve: Resolve) -> Summary:
    """Sum a bundle up. Without findings.json the report's own findings are listed, and nothing is recomputed."""
    bundle = resolve(ResearchBundle)
    declared = declared_degradation(bundle.report)
    try:
        whole = resolve(Assessment)
        live = resolve(Live)
    except Unavailable:
        return Summary(research_kind(bundle.report, bundle.records), None, declared, tuple(_stated_rows(bundle.report)))
    level = whole.degradation.level if whole.degradation is not None else None
    return Summary(whole.kind, level, declared, tuple(_row(finding, live) for finding in whole.findings))


def declared_degradation(report: Report | None) -> str | None:
    """The level that section 2 declares, in the contract's spelling; None where it is none of the three."""
    return stated_word(report, DEGRADATION)


def _stated_rows(report: Report | None) -> Sequence[FindingRow]:
    if report is None:
        return []
    return [
        FindingRow(None, finding.title or None, finding.confidence, None, None, None, location=finding.location)
        for finding in report.findings
        if not finding.placeholder
    ]


def _row(finding: FindingAssessment, live: Live) -> FindingRow:
    claim = finding.claim
    requested = getattr(claim.row.value, "confidence", None)
    return FindingRow(
        id=claim.id,
        title=claim.title or None,
        stated_confidence=finding.stated.confidence if finding.stated is not None else None,
        requested_confidence=requested_confidence(requested) if claim.valid else None,
        effective_confidence=finding.effective,
        usable=finding.usable,
        reasons=finding.reasons,
        evidence=tuple(_evidence(unit, live) for unit in finding.units),
        location=finding.location,
        claim=claim.text or None,
    )


def _evidence(unit: Unit, live: Live) -> EvidenceRow:
    kind = unit.ref.kind.value if unit.ref.kind is not None else "unknown"
    facts: dict[str, JSON] = {"pointer": unit.ref.location.pointer}
    if unit.fault is not None:
        facts["fault"] = unit.fault.value
    facts.update(_facts(unit, live))
    return EvidenceRow(
        kind,
        unit.verified,
        {key: value for key, value in facts.items() if value is not None},
        location=unit.ref.location,
        shown=evidence_shown(unit, live),
    )


def _facts(unit: Unit, live: Live) -> Mapping[str, JSON]:
    if unit.web is not None:
        row = live.of(unit)
        return {
            "url": unit.ref.url,
            "excerpt": unit.ref.excerpt or None,
            "match": unit.web.match.kind.value if unit.web.match is not None else None,
            "live": None if row is None else (row.fault.value if row.fault is not None else "supports"),
            "tier": None if row is None else str(row.authority.tier),
        }
    if unit.code is not None:
        code = unit.code
        return {
            "id": unit.ref.id,
            "path": code.path,
            "line": code.lines[0] if code.lines is not None else None,
            "excerpt": code.excerpt or None,
            "commit": code.commit_id,
            "pinned": code.verified_and_pinned,
        }
    if unit.commit is not None:
        return {"id": unit.ref.id, "commit": unit.commit.commit_id}
    if unit.test is not None:
        return {
            "id": unit.ref.id,
            "commit": unit.test.commit_id,
            "passed": unit.test.passed,
            "clean": unit.test.clean,
            "approved": unit.test.approved,
        }
    return {"id": unit.ref.id or None}

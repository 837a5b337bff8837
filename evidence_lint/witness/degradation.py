"""The degradation level and the evidence chain status, recomputed from the records (chapter 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evidence_lint.model.bundle import CODE_EVIDENCE, CONTENT, RESULTS
from evidence_lint.model.records import Records
from evidence_lint.witness.budget import budget_exhausted
from evidence_lint.witness.claims import Claims, EvidenceKind
from evidence_lint.witness.confidence import FindingAssessment
from evidence_lint.witness.units import Units
from evidence_lint.witness.web import SavedPages

LEVELS = ("Blocked", "Partial", "Full")
CHAIN = {"Full": "satisfied", "Partial": "partially satisfied", "Blocked": "insufficient"}


@dataclass(frozen=True, slots=True)
class Degradation:
    """The recomputed level, with what it rests on.

    ``level`` is what this run earned. ``undecided`` says why a live capture that did not run could still raise it; a
    comparison with the declared level is then not decidable.
    """

    level: str
    reasons: tuple[str, ...]
    undecided: str | None = None

    @property
    def chain(self) -> str:
        """The evidence chain status that follows from the level."""
        return CHAIN[self.level]


def required_artifacts(kind: str | None) -> tuple[str, ...]:
    """The artifacts that a research kind needs with rows in them."""
    if kind == "web":
        return (RESULTS, CONTENT)
    if kind == "codebase":
        return (CODE_EVIDENCE,)
    if kind == "hybrid":
        return (RESULTS, CONTENT, CODE_EVIDENCE)
    return ()


def has_rows(records: Records, artifact: str) -> bool:
    """Whether an artifact is there and holds at least one row."""
    if artifact == RESULTS:
        return bool(records.results)
    if artifact == CONTENT:
        return bool(records.content)
    return bool(records.code or records.commits or records.receipts or records.other_evidence)


def recompute(
    kind: str | None,
    records: Records,
    claims: Claims,
    units: Units,
    pages: SavedPages,
    findings: Sequence[FindingAssessment],
) -> Degradation:
    """Recompute the level; selection, suppressions and baselines have no say in it."""
    blocked = _blocked(kind, records, findings)
    if blocked:
        return Degradation("Blocked", tuple(blocked))
    firm = _partial(kind, records, claims, units, pages, findings)
    waiting = [row for row in findings if row.downgraded and row.waits_for_live]
    lowered = [f"{row.claim.words} is downgraded" for row in findings if row.downgraded]
    firm += [f"{row.claim.words} is downgraded" for row in findings if row.downgraded and not row.waits_for_live]
    if firm:
        return Degradation("Partial", tuple(firm))
    if waiting:
        names = ", ".join(f"#{row.claim.number}" for row in waiting)
        return Degradation(
            "Partial", tuple(lowered), f"the High of finding {names} waits for a live capture that did not run"
        )
    return Degradation("Full", ())


def _blocked(kind: str | None, records: Records, findings: Sequence[FindingAssessment]) -> list[str]:
    reasons = [
        f"{artifact}.json is absent or has no rows, and {kind} research needs it"
        for artifact in required_artifacts(kind)
        if not has_rows(records, artifact)
    ]
    if not findings:
        reasons.append("there are no findings")
    elif not any(row.usable for row in findings):
        reasons.append("no finding is usable")
    return reasons


def _partial(
    kind: str | None,
    records: Records,
    claims: Claims,
    units: Units,
    pages: SavedPages,
    findings: Sequence[FindingAssessment],
) -> list[str]:
    reasons = [f"{row.claim.words} is unusable: {_unusable(row)}" for row in findings if not row.usable]
    failed = sum(not page.extracted for page in pages.all) + sum(row.value is None for row in records.content)
    if failed:
        reasons.append(f"{failed} of {len(records.content)} pages could not be extracted")
    for claim in (*claims.analysis, *claims.consensus, *claims.debate):
        if not any(unit.verified for unit in units.of(claim)):
            reasons.append(f"{claim.words} has no verified evidence")
    altered = sum(page.hash_matches is False for page in pages.all)
    if altered:
        reasons.append(f"the hash of {altered} saved {'page' if altered == 1 else 'pages'} does not fit the text")
    broken = sum(not unit.verified for unit in units.all)
    if broken:
        reasons.append(f"{broken} cited evidence {'entry does' if broken == 1 else 'entries do'} not verify")
    if budget_exhausted(records):
        reasons.append("a budget was exhausted")
    if kind == "hybrid":
        reasons += [f"the findings lack verified {word} evidence" for word in missing_halves(findings)]
    return reasons


def _unusable(row: FindingAssessment) -> str:
    return "; ".join(row.reasons) or "none of its evidence verifies"


def missing_halves(findings: Sequence[FindingAssessment]) -> list[str]:
    """Which half of a hybrid's support is missing over all findings: ``web``, ``repository``, both or none."""
    kinds = {unit.ref.kind for row in findings for unit in row.verified}
    missing: list[str] = []
    if EvidenceKind.WEB not in kinds:
        missing.append("web")
    if not kinds - {EvidenceKind.WEB}:
        missing.append("repository")
    return missing

"""The confidence contract (chapter 3): what each finding has earned, recomputed from verified units."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from evidence_lint.model.location import Location
from evidence_lint.model.report import StatedFinding
from evidence_lint.witness.captures import Live, could_be_captured
from evidence_lint.witness.claims import Claim, EvidenceKind
from evidence_lint.witness.repository import CodeEvidence
from evidence_lint.witness.support import ClaimSupport
from evidence_lint.witness.units import Unit

RANK = {"high": 3, "medium": 2, "low": 1}
"""Labels by height; an absent label is 0."""


def rank(label: str | None) -> int:
    """The height of a label, 0 for none."""
    return RANK.get(label or "", 0)


@dataclass(frozen=True, slots=True)
class Earned:
    """Whether a claim earns High, and if not, why: reasons for a person, each one thing to mend."""

    high: bool
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class FindingAssessment:
    """A finding of findings.json with its three confidences.

    ``requested`` is the record's (an unknown word counts as low), ``effective`` what is earned in this run, None for an
    unusable finding. ``reasons`` say why High is not earned where it was requested. ``waits_for_live`` is set when the
    report states High, the record requests it, and a live capture that did not run could earn it.
    """

    claim: Claim
    stated: StatedFinding | None
    requested: str
    effective: str | None
    reasons: tuple[str, ...]
    units: tuple[Unit, ...]
    waits_for_live: bool = False
    support_reasons: tuple[str, ...] = ()
    """Those of ``reasons`` that are about the support of the claim: its evidence alone would have carried High."""

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return self.claim.node

    @property
    def location(self) -> Location:
        """The bullet of the report where there is one, else the record."""
        return self.stated.location if self.stated is not None else self.claim.location

    @property
    def usable(self) -> bool:
        """Whether any evidence is verified."""
        return self.effective is not None

    @property
    def downgraded(self) -> bool:
        """Whether the record requests more than is earned in this run."""
        return self.effective is not None and rank(self.requested) > rank(self.effective)

    @property
    def states_high(self) -> bool:
        """Whether the report calls the finding High."""
        return self.stated is not None and self.stated.confidence == "high"

    @property
    def verified(self) -> tuple[Unit, ...]:
        """The verified units."""
        return tuple(unit for unit in self.units if unit.verified)


def requested_confidence(word: object) -> str:
    """A record's confidence: any case; anything that is not a label counts as low (chapter 2)."""
    label = word.strip().lower() if isinstance(word, str) else ""
    return label if label in RANK else "low"


def assess(
    claim: Claim,
    stated: StatedFinding | None,
    requested: object,
    units: Sequence[Unit],
    live: Live,
    support: ClaimSupport | None = None,
) -> FindingAssessment:
    """Work out what a finding has earned with the live evidence of this run.

    In the later edition a claim that its evidence contradicts is not usable, and only an attested one may be High.
    """
    label = requested_confidence(requested)
    verified = [unit for unit in units if unit.verified]
    if not verified:
        return FindingAssessment(claim, stated, label, None, (), tuple(units))
    if support is not None and support.blocked:
        reasons = support.reasons
        return FindingAssessment(claim, stated, label, None, reasons, tuple(units), support_reasons=reasons)
    if label != "high":
        return FindingAssessment(claim, stated, label, label, (), tuple(units))
    cap = support.cap if support is not None else ()
    earned = earn_high(claim, units, lambda unit: (row := live.of(unit)) is not None and row.earns, live)
    waits = (
        not earned.high
        and not cap
        and stated is not None
        and stated.confidence == "high"
        and bool(wanted_captures(claim, units, live))
    )
    return FindingAssessment(
        claim,
        stated,
        label,
        "high" if earned.high and not cap else "medium",
        (*earned.reasons, *cap),
        tuple(units),
        waits_for_live=waits,
        support_reasons=cap,
    )


def wanted_captures(claim: Claim, units: Sequence[Unit], live: Live | None = None) -> list[Unit]:
    """Web units whose capture, not made yet, could make the claim earn High that it does not earn without."""
    live = live or Live()
    if earn_high(claim, units, lambda unit: (row := live.of(unit)) is not None and row.earns, live).high:
        return []
    hopeful = [unit for unit in units if live.of(unit) is None and could_be_captured(unit)]

    def optimistic(unit: Unit) -> bool:
        row = live.of(unit)
        return unit in hopeful or (row is not None and row.earns)

    return hopeful if earn_high(claim, units, optimistic, live).high else []


def earn_high(claim: Claim, units: Sequence[Unit], live_primary: Callable[[Unit], bool], live: Live) -> Earned:
    """Apply the rule of the claim's type; ``live_primary`` tells which web units a capture of this run carries."""
    kind = claim_type(claim)
    if kind == "single_fact":
        return _single_fact(units, live_primary)
    if kind == "code_fact":
        return _code_fact(units)
    if kind == "runtime_behavior":
        return _runtime(claim, units)
    return _other(units, live_primary, live)


def claim_type(claim: Claim) -> str:
    """The claim's type; anything but the three narrow ones is treated as ``other``."""
    value = getattr(claim.row.value, "claim_type", None)
    word = value.strip().lower() if isinstance(value, str) else ""
    return word if word in {"single_fact", "code_fact", "runtime_behavior"} else "other"


def _single_fact(units: Sequence[Unit], live_primary: Callable[[Unit], bool]) -> Earned:
    web = [unit for unit in units if unit.verified and unit.web is not None]
    if any(live_primary(unit) for unit in web):
        return Earned(True)
    if not web:
        return Earned(False, ("a single fact earns High by a web page alone, and no web evidence is verified",))
    return Earned(
        False,
        ("no cited page was captured in this run, over https and at a T1 authority, with the excerpt in it",),
    )


def _code_fact(units: Sequence[Unit]) -> Earned:
    code = [unit.code for unit in units if unit.verified and unit.code is not None]
    if any(evidence.verified_and_pinned for evidence in code):
        return Earned(True)
    if not code:
        return Earned(False, ("a code fact earns High by a verified code record alone, and none is cited",))
    return Earned(False, ("no cited code record is pinned to a commit",))


def _runtime(claim: Claim, units: Sequence[Unit]) -> Earned:
    reasons: list[str] = []
    if claim.id is None:
        reasons.append("the finding has no id of its own that a receipt could cover")
    code_refs = [unit for unit in units if unit.ref.kind is EvidenceKind.CODE]
    code = [unit.code for unit in code_refs if unit.verified and unit.code is not None]
    if not code_refs:
        reasons.append("no code record is cited")
    reasons += [f"code item {unit.ref.id or '(without id)'} does not verify" for unit in code_refs if not unit.verified]
    reasons += [f"code item {item.id} is not pinned to a commit" for item in code if not item.verified_and_pinned]
    commits = {item.commit_id for item in code if item.verified_and_pinned}
    if len(commits) > 1:
        reasons.append(f"the cited code items come from {len(commits)} different commits")
    receipts = [unit for unit in units if unit.ref.kind is EvidenceKind.TEST]
    if not receipts:
        reasons.append("no test receipt is cited")
    if reasons:
        return Earned(False, tuple(reasons))
    failures = [_receipt_reasons(claim, unit, code, next(iter(commits))) for unit in receipts]
    if any(not failure for failure in failures):
        return Earned(True)
    return Earned(
        False,
        tuple(
            f"receipt {unit.ref.id or '(without id)'}: {reason}"
            for unit, failure in zip(receipts, failures, strict=True)
            for reason in failure
        ),
    )


def _receipt_reasons(claim: Claim, unit: Unit, code: Collection[CodeEvidence], commit: str | None) -> list[str]:
    """Why one receipt alone does not carry the finding; receipts never add up."""
    receipt = unit.test
    if receipt is None:
        return ["no record of this id"]
    reasons: list[str] = []
    if not receipt.sound:
        reasons.append("its static checks fail")
    if not receipt.passed:
        reasons.append("its test did not pass")
    missing = sorted({claim.id or "", *(item.id for item in code)} - receipt.covers)
    if missing:
        reasons.append(f"it does not cover {', '.join(missing)}")
    untested = sorted({item.path for item in code} - receipt.tested_paths)
    if untested:
        reasons.append(f"its tested paths lack {', '.join(untested)}")
    if receipt.commit_id is None or receipt.commit_id != commit:
        reasons.append("it was made on another commit than the cited code")
    if not receipt.clean:
        reasons.append("its snapshot was not clean")
    if not receipt.approved:
        reasons.append("its relevance review is not a complete approval")
    return reasons


def _other(units: Sequence[Unit], live_primary: Callable[[Unit], bool], live: Live) -> Earned:
    eligible = [unit for unit in units if unit.verified and not (unit.web is not None and unit.web.loose)]
    urls = {row.unit: row.capture.final_url for row in live.all if row.supports}
    pairs = [(a, b) for a, b in combinations(eligible, 2) if a.independent_of(b, urls)]
    if not pairs:
        return Earned(False, ("fewer than two independent verified units support it",))

    def primary(unit: Unit) -> bool:
        if unit.web is None:
            return unit.primary
        row = live.of(unit)
        owned = row is not None and row.authority.level == "project-owned"
        return live_primary(unit) and not owned

    if any(primary(a) or primary(b) for a, b in pairs):
        return Earned(True)
    return Earned(
        False,
        ("none of its independent units is primary (a live T1 page, verified code or commit, an approved receipt)",),
    )

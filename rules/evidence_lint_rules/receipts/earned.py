"""Receipts that do not earn the High that a finding states."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.artifact import JSON
from evidence_lint.model.example import Example, Expected
from evidence_lint.model.location import Location
from evidence_lint.model.verdict import Problem, Related
from evidence_lint.rule import rule
from evidence_lint.witness.confidence import FindingAssessment, claim_type
from evidence_lint.witness.receipts import TestReceipt
from evidence_lint_rules.receipts._examples import RECEIPT, REPOSITORY, REVIEW, receipt_example

_AT = "Three copies are required"
_FAILED: dict[str, JSON] = {"exit_code": 1, "status": "failed", "summary": "1 failed in 0.02s"}
_FINDING_WITH_TWO: dict[str, JSON] = {
    "id": "finding-copies",
    "title": "Three copies are required",
    "claim_type": "runtime_behavior",
    "confidence": "high",
    "analysis": "The constant COPIES is 3.",
    "evidence": [
        {"kind": "code", "id": "code-1"},
        {"kind": "test", "id": "test-1"},
        {"kind": "test", "id": "test-2"},
    ],
}


def _beside_a_better_one(changes: dict[str, JSON]) -> Example:
    """A receipt with these changes, and a second one that earns the High."""
    better = {**RECEIPT, "id": "test-2", "execution_id": "6f" * 32}
    return receipt_example(
        "Another receipt earns the High", receipt={**RECEIPT, **changes}, more=(better,), finding=_FINDING_WITH_TWO
    )


@rule(
    "TEST131",
    "test-failed",
    passes=[receipt_example("The test passed"), _beside_a_better_one(_FAILED)],
    fails=[
        receipt_example(
            "A stated High rests on a failed test",
            Expected("the finding is stated as High, but the test of receipt test-1 failed", at=_AT),
            receipt={**RECEIPT, **_FAILED},
        ),
    ],
)
def failed(finding: FindingAssessment) -> Iterator[Problem]:
    """The test that a stated High rests on passed.

    Why: an honest receipt of a failed test is evidence against the behaviour, or none.

    Fix: state what the failed test shows, or less than High.
    """
    for receipt in _wanting(finding):
        if getattr(receipt.row.value, "status", None) == "failed":
            yield _problem(finding, receipt, "the test of receipt {} failed", receipt.row.at("status"))


@rule(
    "TEST132",
    "test-snapshot-dirty",
    passes=[
        receipt_example("A clean checkout"),
        _beside_a_better_one({"repository": {**REPOSITORY, "dirty": True}}),
    ],
    fails=[
        receipt_example(
            "A stated High rests on a dirty checkout",
            Expected(
                "the finding is stated as High, but receipt test-1 was made on a checkout with uncommitted changes",
                at=_AT,
            ),
            repository={**REPOSITORY, "dirty": True},
        ),
    ],
)
def dirty(finding: FindingAssessment) -> Iterator[Problem]:
    """The test that a stated High rests on ran on a clean checkout.

    Why: with uncommitted changes the tested code is not that of the commit which is cited.

    Fix: commit, and run the test again on the clean checkout.
    """
    for receipt in _wanting(finding):
        repository = receipt.row.raw.get("repository") if isinstance(receipt.row.raw, dict) else None
        if isinstance(repository, dict) and repository.get("dirty") is True:
            what = "receipt {} was made on a checkout with uncommitted changes"
            yield _problem(finding, receipt, what, receipt.row.at("repository", "dirty"))


@rule(
    "TEST133",
    "test-relevance-unapproved",
    passes=[
        receipt_example("An approval with reviewer, rationale and date"),
        _beside_a_better_one({"relevance_review": {"status": "pending"}}),
    ],
    fails=[
        receipt_example(
            "A pending review",
            Expected(
                "…receipt test-1 does not earn it: its relevance review is pending",
                at=_AT,
            ),
            relevance_review={"status": "pending"},
        ),
        receipt_example(
            "An approval without a rationale",
            Expected("…receipt test-1 does not earn it: its approval has no rationale", at=_AT),
            relevance_review={name: value for name, value in REVIEW.items() if name != "rationale"},
        ),
    ],
)
def unapproved(finding: FindingAssessment) -> Iterator[Problem]:
    """The receipt that a stated High rests on was approved, by a named reviewer, for a reason, on a date.

    Why: a passing test that does not test the claim is the easiest of all borrowed passes; somebody has to stand for
    its relevance.

    Fix: let a reviewer judge the test and complete the review, or state less than High.
    """
    for receipt in _wanting(finding):
        judged = any(fault.rule.startswith("test-relevance-review-") for fault in receipt.faults)
        if receipt.review and not judged:
            what = f"receipt {{}} does not earn it: {receipt.review}"
            yield _problem(finding, receipt, what, receipt.row.at("relevance_review"))


def _wanting(finding: FindingAssessment) -> Iterator[TestReceipt]:
    """The receipts of a stated High that is not earned, where receipts could have earned it."""
    if finding.states_high and finding.effective != "high" and claim_type(finding.claim) in _TYPES:
        yield from (unit.test for unit in finding.units if unit.test is not None and unit.fault is None)


_TYPES = ("runtime_behavior", "other")


def _problem(finding: FindingAssessment, receipt: TestReceipt, what: str, place: Location) -> Problem:
    said = what.format(receipt.id or "(without id)")
    return Problem(
        f"the finding is stated as High, but {said}",
        finding.location,
        help="Cite a receipt that earns it, or state what is earned.",
        related=(Related(place, "the receipt says so here"),),
    )

"""Whether somebody judged that the test is about the claim."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.receipts import TestReceipt
from evidence_lint.witness.standing import Standing
from evidence_lint_rules.receipts._examples import REVIEW, expect, receipt_example, without
from evidence_lint_rules.receipts._faults import told


@rule(
    "TEST123",
    "test-relevance-review-missing",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "No review",
            expect("`relevance_review` is absent, where an object with a status is expected"),
            receipt=without("relevance_review"),
        ),
        receipt_example(
            "A word",
            expect('`relevance_review` is the string "approved", …', "/relevance_review"),
            relevance_review="approved",
        ),
    ],
)
def review_missing(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """A receipt carries a review of whether the test is relevant to what it covers.

    Why: that a test passed says nothing about whether it tests the claim; a person has to have looked.

    Fix: add ``relevance_review`` with its status; ``pending`` is honest as long as nobody has looked.
    """
    yield from told(receipt, "test-relevance-review-missing", standing)


@rule(
    "TEST124",
    "test-relevance-review-invalid",
    passes=[receipt_example("A pending review", relevance_review={"status": "pending"})],
    fails=[
        receipt_example(
            "An unknown status",
            expect(
                'the review\'s `status` is the string "fine", not one of approved, pending, rejected',
                "/relevance_review/status",
            ),
            relevance_review={**REVIEW, "status": "fine"},
        ),
        receipt_example(
            "No date",
            expect(
                'the review\'s `reviewed_at` is the string "last week", which is no ISO 8601 date or timestamp',
                "/relevance_review/reviewed_at",
            ),
            relevance_review={**REVIEW, "reviewed_at": "last week"},
        ),
        receipt_example(
            "Before there was a run to review",
            expect("the review's `reviewed_at` is …, before the run ended at …", "/relevance_review/reviewed_at"),
            relevance_review={**REVIEW, "reviewed_at": "2024-12-01"},
        ),
        receipt_example(
            "Not yet",
            expect("the review's `reviewed_at` is …, which lies in the future", "/relevance_review/reviewed_at"),
            relevance_review={**REVIEW, "reviewed_at": "9000-01-01"},
        ),
    ],
)
def review_invalid(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """A review's status is approved, pending or rejected, and its other fields are what they are called.

    Why: an approval counts towards High; it has to be one, by somebody, of some date.

    Fix: write the status as one of the three words, and the date as ``2025-01-04`` or a timestamp
    after the run.
    """
    yield from told(receipt, "test-relevance-review-invalid", standing)

"""When a test ran."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import Expected
from evidence_lint.model.verdict import Problem, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.receipts import TestReceipt
from evidence_lint.witness.standing import Standing
from evidence_lint_rules.receipts._examples import expect, receipt_example, without
from evidence_lint_rules.receipts._faults import told


@rule(
    "TEST120",
    "test-timestamp-missing",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example("No end", expect("`finished_at` is absent"), receipt=without("finished_at")),
        receipt_example("A blank start", expect("`started_at` is empty", "/started_at"), started_at=" "),
    ],
)
def missing(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """A receipt says when the run started and when it ended.

    Why: without times it cannot be told whether the run came after the commit that it claims to test.

    Fix: record both times with their zone.
    """
    yield from told(receipt, "test-timestamp-missing", standing)


@rule(
    "TEST121",
    "test-timestamp-invalid",
    passes=[receipt_example("Zulu time", started_at="2025-01-03T10:00:00Z", finished_at="2025-01-03T10:00:02Z")],
    fails=[
        receipt_example(
            "No timestamp",
            expect('`started_at` is the string "yesterday", which is no ISO 8601 timestamp', "/started_at"),
            started_at="yesterday",
        ),
        receipt_example(
            "No zone",
            expect('`finished_at` is the string "2025-01-03T10:00:02", which has no time zone', "/finished_at"),
            finished_at="2025-01-03T10:00:02",
        ),
        receipt_example(
            "The wrong way round",
            expect("the run ends at …, before it starts at …", "/finished_at"),
            finished_at="2025-01-03T09:00:00+00:00",
        ),
    ],
)
def invalid(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """Both times are ISO 8601 timestamps with a zone, and in order.

    Why: a time without a zone is wrong by up to a day, and a run cannot end before it starts.

    Fix: write the times as ``2025-01-03T10:00:00Z``, or with an offset such as ``+02:00``.
    """
    yield from told(receipt, "test-timestamp-invalid", standing)


@rule(
    "TEST126",
    "test-timestamp-before-commit",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "A run before the commit was made",
            expect("the run ended at 2025-01-01T10:00:02+00:00, before its commit was made at …", "/finished_at"),
            started_at="2025-01-01T10:00:00+00:00",
            finished_at="2025-01-01T10:00:02+00:00",
        )
    ],
)
def before_commit(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """The run did not end before its commit was made.

    Why: a commit cannot be tested before it exists: such a receipt belongs to another commit, or to none.

    Fix: run the test again on the cited commit.
    """
    yield from told(receipt, "test-timestamp-before-commit", standing)


@rule(
    "TEST127",
    "test-timestamp-in-future",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "A run of next century",
            expect("`started_at` is 2125-01-03T10:00:00+00:00, which lies in the future (now: …)", "/started_at"),
            started_at="2125-01-03T10:00:00+00:00",
            finished_at="2125-01-03T10:00:02+00:00",
        )
    ],
)
def in_future(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """The run does not lie in the future.

    Why: what has not happened was not observed. Five minutes are allowed for clocks that differ.

    Fix: record the times of the run itself, by a clock that is right.
    """
    yield from told(receipt, "test-timestamp-in-future", standing)


@rule(
    "TEST128",
    "test-duration-inconsistent",
    severity=Severity.WARNING,
    passes=[receipt_example("Rounded", duration_seconds=1.2)],
    fails=[
        receipt_example(
            "A minute of two seconds",
            Expected(
                "`duration_seconds` is 60, but 2 s lie between start and end",
                pointer="/evidence/1/duration_seconds",
                artifact="code_evidence",
                severity=Severity.WARNING,
            ),
            duration_seconds=60,
        )
    ],
)
def duration(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """The duration agrees with the two times.

    Why: times and duration that contradict each other were not taken from one run.

    Fix: record the duration of the run whose times are given; two seconds or a tenth are allowed for rounding.
    """
    yield from told(receipt, "test-duration-inconsistent", standing)

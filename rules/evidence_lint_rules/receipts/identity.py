"""What a receipt says of itself: schema, origin, execution."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import Expected
from evidence_lint.model.verdict import Problem, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.receipts import TestReceipt
from evidence_lint.witness.standing import Standing
from evidence_lint_rules.receipts._examples import RECEIPT, expect, receipt_example, without
from evidence_lint_rules.receipts._faults import told


@rule(
    "TEST101",
    "unsupported-test-receipt-schema",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "An older schema",
            expect('`schema` is the string "deep-research/host-test-receipt-v1", not …', "/schema"),
            schema="deep-research/host-test-receipt-v1",
        ),
        receipt_example("No schema", expect("`schema` is absent, not …"), receipt=without("schema")),
    ],
)
def schema(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """A receipt is of the schema that these checks are written for.

    Why: under another schema the fields can mean other things, and a check that guesses is none.

    Fix: write the receipt with the pytest option of evidence-lint, or as ``deep-research/host-test-receipt-v2`` says.
    """
    yield from told(receipt, "unsupported-test-receipt-schema", standing)


@rule(
    "TEST102",
    "test-receipt-origin-invalid",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "Written by the author",
            expect("`origin` is the string \"assistant\", not 'host-tool'", "/origin"),
            origin="assistant",
        )
    ],
)
def origin(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """A receipt comes from the host that ran the test.

    Why: what the author of the report says about a test is a claim, not a receipt.

    Fix: let the host's tool run the test and write the receipt.
    """
    yield from told(receipt, "test-receipt-origin-invalid", standing)


@rule(
    "TEST104",
    "test-execution-id-invalid",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "A short id",
            expect(
                '`execution_id` is the string "run-7", where 64 lower-case hexadecimal digits are expected',
                "/execution_id",
            ),
            execution_id="run-7",
        ),
        receipt_example("Upper case", expect("`execution_id` is …", "/execution_id"), execution_id="5E" * 32),
    ],
)
def execution_id(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """The execution id is 64 lower-case hexadecimal digits.

    Why: the id tells one run from another; anything shorter or written in several ways can name two runs.

    Fix: keep the id that the host's tool wrote.
    """
    yield from told(receipt, "test-execution-id-invalid", standing)


@rule(
    "TEST130",
    "test-execution-id-reused",
    passes=[receipt_example("Two runs, two ids", more=({**RECEIPT, "id": "test-2", "execution_id": "6f" * 32},))],
    fails=[
        receipt_example(
            "One run, two receipts",
            expect("the execution id is that of test-2 as well, but every run has its own", "/execution_id"),
            Expected(
                "the execution id is that of test-1 as well, but every run has its own",
                pointer="/evidence/2/execution_id",
                artifact="code_evidence",
                severity=Severity.WARNING,
            ),
            more=({**RECEIPT, "id": "test-2"},),
        )
    ],
)
def reused(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """No two receipts of a bundle claim the same execution.

    Why: a receipt that was copied and changed keeps its execution id; which of the two is the true one cannot be told.

    Fix: make one receipt for each run; one receipt may cover several findings.
    """
    yield from told(receipt, "test-execution-id-reused", standing)

"""How a test ended."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.receipts import TestReceipt
from evidence_lint.witness.standing import Standing
from evidence_lint_rules.receipts._examples import expect, receipt_example, without
from evidence_lint_rules.receipts._faults import told


@rule(
    "TEST118",
    "test-result-invalid",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "A word for an exit code",
            expect('`exit_code` is the string "zero", where a whole number is expected', "/exit_code"),
            exit_code="zero",
        ),
        receipt_example(
            "False is no exit code",
            expect("`exit_code` is false, where a whole number is expected", "/exit_code"),
            exit_code=False,
        ),
        receipt_example("Nor is a fraction", expect("`exit_code` is the number 0.9, …", "/exit_code"), exit_code=0.9),
        receipt_example(
            "Less than no time",
            expect("`duration_seconds` is the number -1, and nothing takes less than no time", "/duration_seconds"),
            duration_seconds=-1,
        ),
        receipt_example(
            "An unknown status",
            expect('`status` is the string "green", not passed or failed', "/status"),
            status="green",
        ),
    ],
)
def result_invalid(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """Exit code, duration and status are a whole number, a number of seconds, and passed or failed.

    Why: a result that has to be guessed at is none.

    Fix: record what the operating system and the runner said.
    """
    yield from told(receipt, "test-result-invalid", standing)


@rule(
    "TEST119",
    "test-result-inconsistent",
    passes=[
        receipt_example("Passed, with exit code 0"),
        receipt_example("Failed, and says so", exit_code=1, status="failed", summary="1 failed in 0.02s"),
    ],
    fails=[
        receipt_example(
            "Passed, with exit code 1", expect("`status` is passed, but the exit code is 1", "/status"), exit_code=1
        ),
        receipt_example(
            "Nothing was collected",
            expect("`status` is passed, but the exit code is 5 (pytest: no test was collected)", "/status"),
            exit_code=5,
        ),
        receipt_example(
            "No test ran",
            expect("`status` is passed, but the `summary` says that no test passed", "/summary"),
            summary="3 deselected in 0.01s",
        ),
        receipt_example(
            "A failure in unittest's words",
            expect("`status` is passed, but the `summary` says that a test failed", "/summary"),
            summary="FAIL: test_one_is_missing",
        ),
        receipt_example(
            "All were skipped",
            expect("`status` is passed, but the `stdout_summary` says that no test passed", "/stdout_summary"),
            summary="",
            stdout_summary="===== 2 skipped in 0.01s =====",
        ),
    ],
)
def result_inconsistent(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """The status agrees with the exit code, and with what the runner's own summary says.

    Why: a run that collected nothing, or skipped everything, ends well and tested nothing.

    Fix: run the test that is meant, and record what came out of it.
    """
    yield from told(receipt, "test-result-inconsistent", standing)


@rule(
    "TEST122",
    "test-output-hash-invalid",
    passes=[
        receipt_example("A sound receipt"),
        receipt_example(
            "Nothing was printed, and said so",
            stderr_summary="(no output)",
            stderr_sha256="e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ),
    ],
    fails=[
        receipt_example(
            "Another kind of hash",
            expect(
                '`stdout_sha256` is the string "d41d8cd98f00b204e9800998ecf8427e", where the 64 hexadecimal digits …',
                "/stdout_sha256",
            ),
            stdout_sha256="d41d8cd98f00b204e9800998ecf8427e",
        ),
        receipt_example(
            "The hash of nothing beside text",
            expect("`stdout_sha256` is the hash of empty output, but `stdout_summary` holds text", "/stdout_sha256"),
            stdout_summary="1 passed",
            stdout_sha256="e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ),
        receipt_example("None", expect("`stderr_sha256` is absent, …"), receipt=without("stderr_sha256")),
    ],
)
def output_hash(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """The hashes of both output streams are SHA-256 values, and not of nothing where something was printed.

    Why: they tie the summaries to the full output, which a reader can ask for and compare.

    Fix: record the SHA-256 of the whole stream, also when it is empty.
    """
    yield from told(receipt, "test-output-hash-invalid", standing)

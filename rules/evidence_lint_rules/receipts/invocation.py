"""What a receipt says was run: argv, framework, target, selectors."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.receipts import TestReceipt
from evidence_lint.witness.standing import Standing
from evidence_lint_rules.receipts._examples import SELECTOR, expect, receipt_example, without
from evidence_lint_rules.receipts._faults import told


@rule(
    "TEST103",
    "test-argv-invalid",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "A command line in one text",
            expect("`argv` is the string …, where the list of the command's words is expected", "/argv"),
            argv=f"pytest {SELECTOR}",
        ),
        receipt_example("Nothing", expect("`argv` is an empty list, …", "/argv"), argv=[]),
        receipt_example(
            "A word that is no text",
            expect("`argv` is a list with an entry that is no text, …", "/argv"),
            argv=["pytest", None],
        ),
    ],
)
def argv(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """The argv is the list of the command's words.

    Why: one text has to be split by a shell, and then nobody knows which program ran with which arguments.

    Fix: record the words as they were given to the operating system.
    """
    yield from told(receipt, "test-argv-invalid", standing)


@rule(
    "TEST105",
    "test-framework-invalid",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "An unknown framework",
            expect('`framework` is the string "nose", not one of go-test, …', "/framework"),
            framework="nose",
        )
    ],
)
def framework(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """The framework is one whose invocation and tests are known.

    Why: for any other word it cannot be told whether argv runs it, nor which tests its selectors name.

    Fix: name one of ``go-test``, ``pytest``, ``unittest``, ``cargo-test``, ``npm-test``, ``maven-surefire``,
    ``gradle-test`` and ``dotnet-test``.
    """
    yield from told(receipt, "test-framework-invalid", standing)


@rule(
    "TEST106",
    "test-target-invalid",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "No target", expect("`test_target` is absent, where a text is expected"), receipt=without("test_target")
        ),
        receipt_example(
            "Selectors in one text",
            expect("`selectors` is the string …, where a list of texts is expected", "/selectors"),
            selectors=SELECTOR,
        ),
        receipt_example(
            "Null where a list belongs",
            expect("`selectors` is absent, where a list of texts is expected", "/selectors"),
            selectors=None,
        ),
    ],
)
def target(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """A receipt names its target and the selectors that choose the tests.

    Why: without them nothing ties the run to the behaviour that is claimed.

    Fix: give ``test_target`` as text and ``selectors`` as the list of what the runner was told to run.
    """
    yield from told(receipt, "test-target-invalid", standing)


@rule(
    "TEST107",
    "test-argv-framework-mismatch",
    passes=[
        receipt_example("The framework's program"),
        receipt_example(
            "As a module of an interpreter", argv=["/usr/bin/python3.12", "-W", "error", "-m", "pytest", SELECTOR]
        ),
        receipt_example("Some of the tests are left", argv=["pytest", SELECTOR, "-k", "missing and not none"]),
        receipt_example("A part of an argument", selectors=["test_one_is_missing"]),
    ],
    fails=[
        receipt_example(
            "Another framework",
            expect("argv runs `python3 -m unittest …`, which does not start pytest", "/argv"),
            argv=["python3", "-m", "unittest", SELECTOR],
        ),
        receipt_example(
            "A program whose name begins alike",
            expect("argv runs `pytest-watch …`, which does not start pytest", "/argv"),
            argv=["pytest-watch", SELECTOR],
        ),
        receipt_example(
            "A shell between test and exit code",
            expect("argv runs `sh -c …`, which does not start pytest", "/argv"),
            argv=["sh", "-c", f"pytest {SELECTOR} || true"],
        ),
        receipt_example(
            "An exit code that is made good",
            expect("the command holds the shell operator `||`, so the exit code need not be the test's", "/argv"),
            command=f"pytest {SELECTOR} || true",
        ),
        receipt_example(
            "Only listed",
            expect("argv holds `--collect-only`, with which pytest runs no test", "/argv"),
            argv=["pytest", "--collect-only", SELECTOR],
        ),
        receipt_example(
            "Everything is deselected",
            expect("argv holds `-k not missing`, which leaves none of the selected tests", "/argv"),
            argv=["pytest", SELECTOR, "-k", "not missing"],
        ),
        receipt_example(
            "A selector as the name of a report file",
            expect("argv contains no selector of the receipt: …", "/argv"),
            argv=["pytest", "tests/test_other.py", f"--junitxml={SELECTOR}"],
        ),
        receipt_example(
            "A selector that was not given",
            expect(
                "argv contains no selector of the receipt: 'test_one' is not a whole argument or a part of one", "/argv"
            ),
            selectors=["test_one"],
        ),
    ],
)
def argv_framework(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """The argv runs the framework that is named, and contains a selector of the receipt.

    Why: a receipt that ran something else, listed tests without running them, or let a shell swallow the exit code
    shows nothing about the selected test. A selector is a whole argument, or a ``::``, ``/`` or ``=`` part of one.

    Fix: record the argv of the test runner itself, and the selectors that it was given.
    """
    yield from told(receipt, "test-argv-framework-mismatch", standing)

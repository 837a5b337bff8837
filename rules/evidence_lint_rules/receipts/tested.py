"""Which files were tested, and whether the selected tests stand in them."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import BASE_CODE_PATH, Expected
from evidence_lint.model.verdict import Problem, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.receipts import TestReceipt
from evidence_lint.witness.standing import Standing
from evidence_lint_rules.receipts._examples import TEST_PATH, expect, receipt_example
from evidence_lint_rules.receipts._faults import told


@rule(
    "TEST115",
    "test-paths-missing",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "An empty list",
            expect("`tested_paths` is an empty list, where a list of committed files is expected", "/tested_paths"),
            tested_paths=[],
        ),
        receipt_example("Null", expect("`tested_paths` is absent, …", "/tested_paths"), tested_paths=None),
    ],
)
def paths_missing(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """A receipt lists the files that were tested.

    Why: without them nothing says that the cited code took part in the run.

    Fix: list the committed files: those under test, and those that hold the tests.
    """
    yield from told(receipt, "test-paths-missing", standing)


@rule(
    "TEST116",
    "test-path-invalid",
    passes=[receipt_example("Dots and doubled slashes are dropped", tested_paths=["./store//copies.py", TEST_PATH])],
    fails=[
        receipt_example(
            "A path that climbs",
            expect("tested path 2 ('../x.py') has a `..` component", "/tested_paths/1"),
            tested_paths=[TEST_PATH, "../x.py"],
        ),
        receipt_example("No text", expect("tested path 2 is no text", "/tested_paths/1"), tested_paths=[TEST_PATH, 3]),
    ],
)
def path_invalid(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """Each tested path is relative, and stays inside the repository.

    Why: a path that leaves the repository names a file that no reader of the repository has.

    Fix: give the paths relative to the root of the repository.
    """
    yield from told(receipt, "test-path-invalid", standing)


@rule(
    "TEST117",
    "test-path-not-in-snapshot",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "A file that the commit does not have",
            expect("tested path store/copy.py: there is no file store/copy.py in commit …", "/tested_paths/1"),
            tested_paths=[TEST_PATH, "store/copy.py"],
        ),
        receipt_example(
            "A folder",
            expect("tested path store is a folder in commit …, not a file", "/tested_paths/1"),
            tested_paths=[TEST_PATH, "store"],
        ),
    ],
)
def path_not_in_snapshot(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """Each tested path is a file of the commit that was tested.

    Why: a folder's listing is no code, a link is never followed, and what the commit does not have was not
    tested in it.

    Fix: list the files themselves, as the tested commit has them.
    """
    yield from told(receipt, "test-path-not-in-snapshot", standing)


@rule(
    "TEST129",
    "test-selector-not-in-snapshot",
    passes=[
        receipt_example("A method"),
        receipt_example(
            "A class",
            argv=["pytest", "tests/test_copies.py::TestShortage"],
            selectors=["tests/test_copies.py::TestShortage"],
        ),
        receipt_example("A tested file", argv=["pytest", TEST_PATH], selectors=[TEST_PATH]),
        receipt_example(
            "A pattern that a name fits",
            argv=["pytest", "-k", "missing and not none"],
            selectors=["missing and not none"],
        ),
    ],
    fails=[
        receipt_example(
            "A test that is not there",
            expect("selector 'tests/test_copies.py::test_two_are_missing' names no test, …", "/selectors/0"),
            argv=["pytest", "tests/test_copies.py::test_two_are_missing"],
            selectors=["tests/test_copies.py::test_two_are_missing"],
        ),
        receipt_example(
            "A test in a file that is not named",
            expect("selector 'tests/test_tapes.py::test_age' names no test, …", "/selectors/0"),
            argv=["pytest", "tests/test_tapes.py::test_age"],
            selectors=["tests/test_tapes.py::test_age"],
        ),
        receipt_example(
            "A file without a test, and a function that is none",
            expect(f"selector '{BASE_CODE_PATH}' names no test, …", "/selectors/0"),
            expect(f"selector '{BASE_CODE_PATH}::missing' names no test, …", "/selectors/1"),
            argv=["pytest", BASE_CODE_PATH, f"{BASE_CODE_PATH}::missing"],
            selectors=[BASE_CODE_PATH, f"{BASE_CODE_PATH}::missing"],
        ),
        receipt_example(
            "Only what is left out",
            expect("selector 'not slow' says only which tests are left out, and names none", "/selectors/0"),
            argv=["pytest", "tests", "-k", "not slow"],
            selectors=["not slow"],
        ),
        receipt_example(
            "A pattern that no name fits",
            Expected(
                "no test in the tested paths at that commit has a name that the pattern 'tapes' fits",
                pointer="/evidence/1/selectors/0",
                artifact="code_evidence",
                severity=Severity.WARNING,
            ),
            argv=["pytest", "-k", "tapes"],
            selectors=["tapes"],
        ),
    ],
)
def selector(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """Each selector names a test, class, module or file among the tested paths, as the tested commit has them.

    Why: a run of a test that does not exist tested nothing, whatever its exit code. A pattern (``-k``,
    ``go test -run``) that no test's name fits, and a name that the files alone cannot settle, are warnings.

    Fix: name the file that holds the test among ``tested_paths``, and the test that was run among ``selectors``.
    """
    yield from told(receipt, "test-selector-not-in-snapshot", standing)

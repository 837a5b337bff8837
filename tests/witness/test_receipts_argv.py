from __future__ import annotations

import pytest

from evidence_lint.model.artifact import JSON
from evidence_lint.model.records import ReceiptRecord, Row
from evidence_lint.witness.receipt_argv import Invocation, check_invocation, invoked
from evidence_lint.witness.receipt_facts import Sheet
from evidence_lint.witness.receipt_summary import read_summary


@pytest.mark.parametrize(
    ("framework", "argv"),
    [
        ("pytest", "pytest S"),
        ("pytest", "py.test S"),
        ("pytest", "/opt/venv/bin/pytest S"),
        ("pytest", "C:\\venv\\Scripts\\pytest.exe S"),
        ("pytest", "python -m pytest S"),
        ("pytest", "python3.12 -W error -X dev -B -m pytest S"),
        ("pytest", "/usr/bin/python3 -mpytest S"),
        ("unittest", "python3 -m unittest S"),
        ("unittest", "python.EXE -m unittest S"),
        ("go-test", "go test S"),
        ("go-test", "go -C sub test S"),
        ("cargo-test", "cargo test S"),
        ("cargo-test", "cargo +nightly test S"),
        ("npm-test", "npm test -- S"),
        ("npm-test", "npm run test S"),
        ("maven-surefire", "mvn -q test S"),
        ("maven-surefire", "./mvnw test S"),
        ("gradle-test", "./gradlew :core:test S"),
        ("gradle-test", "gradle test S"),
        ("dotnet-test", "dotnet test S"),
    ],
)
def test_programs(framework: str, argv: str) -> None:
    rest = invoked(framework, argv.split())
    assert rest is not None
    assert rest[-1] == "S"


@pytest.mark.parametrize(
    ("framework", "argv"),
    [
        ("pytest", "pytest-3 S"),
        ("pytest", "pytestx S"),
        ("pytest", "python -m unittest S"),
        ("pytest", "python -m pytest_cov S"),
        ("pytest", "python -c pytest S"),
        ("pytest", "python script.py -m pytest S"),
        ("pytest", "python2 -m pytest S"),
        ("pytest", "pythonista -m pytest S"),
        ("pytest", "python -m"),
        ("pytest", "sh -c pytest"),
        ("pytest", "env pytest S"),
        ("unittest", "pytest S"),
        ("go-test", "go vet S"),
        ("go-test", "gotest S"),
        ("cargo-test", "cargo build test"),
        ("npm-test", "npm install test"),
        ("maven-surefire", "mvn package S"),
        ("gradle-test", "gradle build -x test"),
        ("gradle-test", "gradle testClasses"),
        ("dotnet-test", "dotnet build test"),
    ],
)
def test_other_programs(framework: str, argv: str) -> None:
    assert invoked(framework, argv.split()) is None


def check(
    framework: str, argv: list[str], selectors: list[str], command: str = ""
) -> tuple[Invocation | None, list[str]]:
    raw: dict[str, JSON] = {
        "framework": framework,
        "argv": list(argv),
        "test_target": "t",
        "selectors": list(selectors),
    }
    sheet = Sheet(Row("code_evidence", "/evidence/0", 1, raw | {"command": command}, ReceiptRecord()))
    return check_invocation(sheet), [fault.message for fault in sheet.faults]


@pytest.mark.parametrize(
    ("argument", "selector", "holds"),
    [
        ("tests/a.py::A::t", "tests/a.py::A::t", True),
        ("tests/a.py::A::t", "A", True),
        ("tests/a.py::A::t", "A::t", True),
        ("tests/a.py::A::t", "a.py", True),
        ("tests/a.py::A::t", "tests/a", False),
        ("--junitxml=tests/a.py::A::t", "tests/a.py::A::t", False),
        ("--foo=tests/a.py", "tests/a.py", False),
        ("-k=A", "A", True),
        ("a[b=c]", "a[b", True),
        ("test_ab::test_a", "test_a", True),
        ("test_ab", "test_a", False),
        ("a" * 5000 + "::" + "a" * 5000, "a" * 5000, True),
    ],
)
def test_a_selector_is_a_whole_part(argument: str, selector: str, holds: bool) -> None:
    invocation, messages = check("pytest", ["pytest", argument], [selector])
    assert (invocation is not None) is holds
    assert holds or "contains no selector" in messages[0]


@pytest.mark.parametrize(
    ("framework", "argv", "selector", "holds"),
    [
        ("maven-surefire", "mvn test -Dtest=FooTest#bar", "FooTest#bar", True),
        ("maven-surefire", "mvn test -Dtest=FooTest#bar", "FooTest", False),
        ("maven-surefire", "mvn test -DargLine=FooTest", "FooTest", False),
        ("gradle-test", "gradle test --tests=FooTest", "FooTest", True),
        ("go-test", "go test -run=TestA ./x", "TestA", True),
        ("go-test", "go test -coverprofile=TestA ./x", "TestA", False),
        ("dotnet-test", "dotnet test --filter FullyQualifiedName=A.B", "A.B", True),
        ("dotnet-test", "dotnet test --logger=trx;LogFileName=A", "A", False),
        ("cargo-test", "cargo test --test=limits", "limits", True),
        ("npm-test", "npm test -- --testNamePattern=adds", "adds", True),
        ("pytest", "pytest x.py --junitxml tests/a.py", "tests/a.py", False),
        ("pytest", "pytest x.py --rootdir tests", "tests", False),
    ],
)
def test_only_selecting_options_select(framework: str, argv: str, selector: str, holds: bool) -> None:
    invocation, _ = check(framework, argv.split(), [selector])
    assert (invocation is not None) is holds


@pytest.mark.parametrize(
    ("framework", "argv", "words"),
    [
        ("pytest", ["pytest", "S", "--setup-only"], "runs no test"),
        ("pytest", ["pytest", "S", "--fixtures-per-test"], "runs no test"),
        ("pytest", ["pytest", "S", "||", "true"], "shell operator `||`"),
        ("pytest", ["pytest", "S", ";", "true"], "shell operator `;`"),
        ("pytest", ["pytest", "--co", "S"], "runs no test"),
        ("pytest", ["pytest", "--deselect", "S"], "contains no selector"),
        ("pytest", ["pytest", "--ignore=S", "x"], "contains no selector"),
        ("cargo-test", ["cargo", "test", "--no-run", "S"], "runs no test"),
        ("cargo-test", ["cargo", "test", "S", "--", "--list"], "runs no test"),
        ("go-test", ["go", "test", "-list=.", "S"], "runs no test"),
        ("maven-surefire", ["mvn", "test", "-DskipTests", "S"], "runs no test"),
    ],
)
def test_runs_that_test_nothing(framework: str, argv: list[str], words: str) -> None:
    invocation, messages = check(framework, argv, ["S"])
    assert invocation is None
    assert words in messages[0]


@pytest.mark.parametrize(
    ("command", "masked"),
    [
        ("pytest S || true", True),
        ("pytest S; true", True),
        ("pytest S | tee log", True),
        ("cd sub && pytest S", False),
        ("pytest 'S'", False),
        ("pytest -k 'a|b' S", False),
        ("pytest 'S", False),
    ],
)
def test_commands_that_hide_the_exit_code(command: str, masked: bool) -> None:
    invocation, _ = check("pytest", ["pytest", "S"], ["S"], command)
    assert (invocation is None) is masked


def test_a_command_that_is_the_argv_hides_nothing() -> None:
    invocation, _ = check("pytest", ["pytest", "t.py::t[a|b]"], ["t.py::t[a|b]"], "pytest t.py::t[a|b]")
    assert invocation is not None


@pytest.mark.parametrize(
    "text",
    [
        "no tests ran in 0.01s",
        "===== 3 deselected in 0.12s =====",
        "collected 0 items / 3 deselected",
        "2 skipped, 1 warning in 0.2s",
        "1 xfailed in 0.2s",
        "Ran 0 tests in 0.000s\n\nOK",
        "Ran 2 tests in 0.001s\n\nOK (skipped=2)",
        "NO TESTS RAN",
        "?   \texample.org/x\t[no test files]",
        "testing: warning: no tests to run\nPASS\nok  \texample.org/x\t0.002s [no tests to run]",
        "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out",
        "Tests:       3 skipped, 3 total",
        "Tests run: 0, Failures: 0, Errors: 0, Skipped: 0",
        "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 2, Time elapsed: 0.1 s",
        "0 tests",
        "0 passing (3ms)",
    ],
)
def test_summaries_without_a_passed_test(text: str) -> None:
    assert read_summary(text) == "no test passed"


@pytest.mark.parametrize(
    "text",
    ["1 failed, 2 passed in 0.2s", "Ran 2 tests in 0.1s\n\nFAILED (failures=1)", "--- FAIL: TestX (0.00s)\nFAIL",
     "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out", "1 passed, 1 error in 1s",
     "Tests:       1 failed, 2 passed, 3 total"],
)  # fmt: skip
def test_summaries_with_a_failure(text: str) -> None:
    assert read_summary(text) == "a test failed"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "OK",
        "1 passed",
        "12 passed, 3 skipped, 2 warnings in 4.10s (0:00:04)",
        "Ran 3 tests in 0.01s\n\nOK (skipped=2)",
        "ok  \texample.org/a\t0.01s\n?   \texample.org/b\t[no test files]",
        "test result: ok. 1 passed; 0 failed; 0 ignored\ntest result: ok. 0 passed; 0 failed; 0 ignored",
        "After 3 failed logins the account is locked.",
        "0 failed logins were seen",
        "Tests:       1 skipped, 2 passed, 3 total",
        "=" * 100_000,
    ],
)
def test_summaries_that_belie_nothing(text: str) -> None:
    assert read_summary(text) == ""

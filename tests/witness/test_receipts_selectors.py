from __future__ import annotations

import shlex
import time

import pytest

from evidence_lint.model.records import ReceiptRecord, Row
from evidence_lint.model.verdict import Severity
from evidence_lint.witness.receipt_argv import Invocation
from evidence_lint.witness.receipt_facts import Sheet
from evidence_lint.witness.receipt_patterns import keyword_fits, regex_fits
from evidence_lint.witness.receipt_snapshot import TestedFiles
from evidence_lint.witness.receipt_tests import check_selectors

PY = b"""
import unittest, pytest
from elsewhere import Shared
from parameterized import parameterized

class Base:
    def test_from_base(self): ...

class PlainTest(unittest.TestCase):
    def test_plain(self): ...
    @parameterized.expand([(1,)])
    def test_many(self, n): ...

class TestChild(Base):
    class TestInner:
        def test_deep(self): ...

class TestForeign(Shared):
    pass

if True:
    async def test_nested_in_if(): ...

@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2])
def test_numbers(n): ...
"""
GO = (
    b'package x\n\n// func TestCommented(t *testing.T) {}\nfunc TestLimit(t *testing.T) {\n\tt.Run("over it", nil)\n}\n'
)
RS = b"#[cfg(test)]\nmod tests {\n    #[test]\n    fn parses_empty() {}\n    // fn commented() {}\n}\n"
JS = b"describe('limit', () => {\n  it('is over', () => {});\n  test.each([1])(\"case %i\", () => {});\n});\n"
JAVA = b"class LimitTest {\n  @Test void over() { helper(1); }\n  /* void gone() { } */\n}\n"
CS = b"public class LimitTests {\n  [Fact] public async Task Over_Limit() { }\n}\n"


def answer(framework: str, arguments: list[str], selector: str, files: dict[str, bytes], complete: bool = True) -> str:
    sheet = Sheet(Row("code_evidence", "/evidence/0", 1, {}, ReceiptRecord()))
    invocation = Invocation(framework, tuple(arguments), (selector,))
    check_selectors(sheet, invocation, TestedFiles(frozenset(files), files, complete))
    if not sheet.faults:
        return "found"
    assert [fault.rule for fault in sheet.faults] == ["test-selector-not-in-snapshot"]
    return "absent" if sheet.faults[0].severity is Severity.ERROR else "doubtful"


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("tests/unit/test_x.py", "found"),
        ("unit/test_x.py", "found"),
        ("./tests/", "found"),
        ("tests/unit/test_y.py", "absent"),
        ("tests/unit/test_x.py::test_numbers", "found"),
        ("tests/unit/test_x.py::test_numbers[1-a/b::c]", "found"),
        ("tests/unit/test_x.py::test_number", "absent"),
        ("tests/unit/test_x.py::PlainTest::test_plain", "found"),
        ("tests/unit/test_x.py::PlainTest::test_numbers", "absent"),
        ("tests/unit/test_x.py::test_plain", "absent"),
        ("tests/unit/test_x.py::PlainTest::test_many_0", "found"),
        ("tests/unit/test_x.py::PlainTest::test_lots_0", "absent"),
        ("tests/unit/test_x.py::TestChild::test_from_base", "found"),
        ("tests/unit/test_x.py::TestChild::TestInner::test_deep", "found"),
        ("tests/unit/test_x.py::TestChild::test_deep", "absent"),
        ("tests/unit/test_x.py::TestForeign::test_shared", "absent"),
        ("tests/unit/test_x.py::test_nested_in_if", "found"),
        ("tests/test_z.py::test_numbers", "absent"),
        ("PlainTest", "found"),
        ("test_plain", "found"),
        ("PlainTest::test_plain", "found"),
        ("test_x", "found"),
        ("Nothing", "absent"),
    ],
)
def test_pytest_selectors(selector: str, expected: str) -> None:
    assert (
        answer("pytest", [selector], selector, {"tests/unit/test_x.py": PY, "app/a.py": b"def test_a(): ...\n"})
        == expected
    )


@pytest.mark.parametrize(
    ("arguments", "selector", "expected"),
    [
        (["-k", "plain"], "plain", "found"),
        (["-k", "plain and not numbers"], "plain and not numbers", "found"),
        (["-k", "plain and numbers"], "plain and numbers", "doubtful"),
        (["-k", "tapes"], "tapes", "doubtful"),
        (["-m", "slow"], "slow", "found"),
        (["-m", "quick"], "quick", "doubtful"),
        (["tests", "-k", "not plain"], "not plain", "absent"),
    ],
)
def test_pytest_patterns(arguments: list[str], selector: str, expected: str) -> None:
    assert answer("pytest", arguments, selector, {"tests/test_q.py": PY}) == expected


HELPERS = b"LIMIT = 3\n\n\ndef is_over(n):\n    return n > LIMIT\n\n\nclass Counter:\n    def count(self): ...\n"


@pytest.mark.parametrize(
    ("framework", "selector", "expected"),
    [
        ("pytest", "app/limits.py", "absent"),
        ("pytest", "app/", "absent"),
        ("pytest", "app/limits.py::is_over", "absent"),
        ("pytest", "is_over", "absent"),
        ("pytest", "app/checks.py", "found"),
        ("pytest", "tests/", "found"),
        ("unittest", "app.limits", "absent"),
        ("unittest", "app.limits.is_over", "absent"),
    ],
)
def test_code_that_is_no_test(framework: str, selector: str, expected: str) -> None:
    files = {"app/limits.py": HELPERS, "tests/test_q.py": PY}
    files |= {"app/checks.py": b"def check_limit(): ...\n"} if "checks" in selector else {}
    assert answer(framework, [selector], selector, files) == expected


def test_doctests_stand_in_the_code() -> None:
    assert (
        answer("pytest", ["--doctest-modules", "app/limits.py"], "app/limits.py", {"app/limits.py": HELPERS}) == "found"
    )


@pytest.mark.parametrize(
    ("framework", "arguments", "left"),
    [
        ("pytest", "tests/test_q.py::PlainTest::test_plain -k 'not plain'", False),
        ("pytest", "tests/test_q.py::PlainTest::test_plain -k plain", True),
        ("pytest", "tests/test_s.py::test_a -k tapes", False),
        ("pytest", "tests/test_q.py::PlainTest::test_plain -k tapes -k plain", True),
        ("pytest", "tests/test_q.py -k 'not plain'", True),
        ("pytest", "tests/test_q.py -k=slow", True),
        ("pytest", "tests/test_r.py::test_sizes -k large", True),
        ("pytest", "tests/test_r.py::test_sizes -k 'not sizes'", False),
        ("unittest", "tests.test_q.PlainTest.test_plain -k tapes", False),
        ("unittest", "tests.test_q.PlainTest.test_plain -k tapes -k *plain", True),
    ],
)
def test_expressions_that_leave_nothing(framework: str, arguments: str, left: bool) -> None:
    words = tuple(shlex.split(arguments))
    sheet = Sheet(Row("code_evidence", "/evidence/0", 1, {}, ReceiptRecord()))
    sizes = b"import pytest\n\n@pytest.mark.parametrize('n', ['large'])\ndef test_sizes(n): ...\n"
    files = {"tests/test_q.py": PY, "tests/test_r.py": sizes, "tests/test_s.py": b"def test_a(): ...\n"}
    check_selectors(sheet, Invocation(framework, words, (words[0],)), TestedFiles(frozenset(files), files, True))
    assert [fault.rule for fault in sheet.faults] == ([] if left else ["test-argv-framework-mismatch"])


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("tests.unit.test_x", "found"),
        ("test_x.PlainTest.test_plain", "found"),
        ("tests.unit.test_x.PlainTest", "found"),
        ("tests.unit", "found"),
        ("tests.unit.test_x.PlainTest.test_none", "absent"),
        ("tests.unit.test_y.PlainTest.test_plain", "absent"),
        ("PlainTest.test_plain", "found"),
    ],
)
def test_unittest_selectors(selector: str, expected: str) -> None:
    assert answer("unittest", [selector], selector, {"tests/unit/test_x.py": PY}) == expected


@pytest.mark.parametrize(
    ("framework", "files", "arguments", "selector", "expected"),
    [
        ("go-test", {"pkg/x_test.go": GO}, ["-run", "TestLimit"], "TestLimit", "found"),
        ("go-test", {"pkg/x_test.go": GO}, ["-run", "^TestLimit$/over"], "^TestLimit$/over", "found"),
        ("go-test", {"pkg/x_test.go": GO}, ["-run", "TestOther"], "TestOther", "doubtful"),
        ("go-test", {"pkg/x_test.go": GO}, ["TestCommented"], "TestCommented", "absent"),
        ("go-test", {"pkg/x_test.go": GO}, ["./pkg/..."], "./pkg/...", "found"),
        ("go-test", {"pkg/x_test.go": GO}, ["./..."], "./...", "found"),
        ("go-test", {"pkg/x_test.go": GO}, ["example.org/m/pkg"], "example.org/m/pkg", "found"),
        ("go-test", {"pkg/x_test.go": GO}, ["./other"], "./other", "absent"),
        ("cargo-test", {"src/lib.rs": RS}, ["parses_empty"], "parses_empty", "found"),
        ("cargo-test", {"src/lib.rs": RS}, ["tests::parses_empty"], "tests::parses_empty", "found"),
        ("cargo-test", {"src/lib.rs": RS}, ["commented"], "commented", "absent"),
        ("cargo-test", {"tests/cli.rs": RS}, ["--test", "cli"], "cli", "found"),
        ("cargo-test", {"src/lib.rs": RS}, ["-p", "core"], "core", "found"),
        ("npm-test", {"a.test.js": JS}, ["--", "-t", "is over"], "is over", "found"),
        ("npm-test", {"a.test.js": JS}, ["--", "-t", "limit is over"], "limit is over", "found"),
        ("npm-test", {"a.test.js": JS}, ["--", "-t", "is under"], "is under", "doubtful"),
        ("npm-test", {"a.test.js": JS}, ["--", "a.test.js"], "a.test.js", "found"),
        ("npm-test", {"a.test.js": JS}, ["--", "b.test.js"], "b.test.js", "absent"),
        ("maven-surefire", {"src/LimitTest.java": JAVA}, ["-Dtest=LimitTest#over"], "LimitTest#over", "found"),
        ("maven-surefire", {"src/LimitTest.java": JAVA}, ["-Dtest=LimitTest"], "LimitTest", "found"),
        ("maven-surefire", {"src/LimitTest.java": JAVA}, ["-Dtest=LimitTest#gone"], "LimitTest#gone", "absent"),
        ("maven-surefire", {"src/LimitTest.java": JAVA}, ["-Dtest=Limit*"], "Limit*", "found"),
        ("maven-surefire", {"src/LimitTest.java": JAVA}, ["-Dtest=Tape*"], "Tape*", "doubtful"),
        ("gradle-test", {"src/LimitTest.java": JAVA}, ["--tests", "a.LimitTest.over"], "a.LimitTest.over", "found"),
        ("gradle-test", {"src/LimitTest.java": JAVA}, ["--tests", "a.TapeTest.over"], "a.TapeTest.over", "absent"),
        (
            "dotnet-test",
            {"T.cs": CS},
            ["--filter", "FullyQualifiedName~Over_Limit"],
            "FullyQualifiedName~Over_Limit",
            "found",
        ),
        ("dotnet-test", {"T.cs": CS}, ["--filter", "Name=Under"], "Name=Under", "doubtful"),
        ("dotnet-test", {"T.cs": CS}, ["LimitTests"], "LimitTests", "found"),
    ],
)
def test_other_frameworks(
    framework: str, files: dict[str, bytes], arguments: list[str], selector: str, expected: str
) -> None:
    assert answer(framework, arguments, selector, files) == expected


def test_a_base_class_of_another_tested_file() -> None:
    files = {"tests/test_x.py": PY, "tests/elsewhere.py": b"class Shared:\n    def test_shared(self): ...\n"}
    selector = "tests/test_x.py::TestForeign::test_shared"
    assert answer("pytest", [selector], selector, files) == "found"
    assert answer("pytest", [selector + "s"], selector + "s", files) == "absent"


def test_bases_in_a_circle_end() -> None:
    files = {"a.py": b"from b import B\nclass A(B): ...\n", "b.py": b"from a import A\nclass B(A): ...\n"}
    assert answer("pytest", ["a.py::A::test_x"], "a.py::A::test_x", files) == "doubtful"


def test_a_maze_of_base_classes_ends() -> None:
    levels = [f"class C0_{n}: ..." for n in range(9)]
    for level in range(1, 15):
        bases = ", ".join(f"C{level - 1}_{n}" for n in range(9))
        levels += [f"class C{level}_{n}({bases}): ..." for n in range(9)]
    begun = time.process_time()
    selector = "t.py::C14_0::test_x"
    assert answer("pytest", [selector], selector, {"t.py": "\n".join(levels).encode()}) == "doubtful"
    assert time.process_time() - begun < 2


def test_what_could_not_be_read_is_doubtful() -> None:
    assert answer("pytest", ["t.py::test_x"], "t.py::test_x", {"t.py": b"pass\n"}, complete=False) == "doubtful"


@pytest.mark.parametrize(
    "source",
    [
        b"def test_x(:\n",
        b"def test_x():\n    print 'python 2'\n",
        b"\xff\xfe def test_x",
        b"(" * 100_000 + b"\ndef test_x():\n",
    ],
)
def test_files_that_do_not_parse_are_read_by_their_lines(source: bytes) -> None:
    expected = "absent" if source.startswith(b"\xff") else "found"
    assert answer("pytest", ["t.py::test_x"], "t.py::test_x", {"t.py": source}) == expected


@pytest.mark.parametrize(
    "source", [b"globals()['test_x'] = print\n", b"from other import *\n", b"exec('def test_x(): ...')\n"]
)
def test_made_when_the_file_runs(source: bytes) -> None:
    assert answer("pytest", ["t.py::test_x"], "t.py::test_x", {"t.py": source}) == "doubtful"


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*b", "a*" * 30 + "b", "x" * 500, "[", "(?P<n>"])
def test_hostile_regular_expressions_end(pattern: str) -> None:
    begun = time.process_time()
    assert regex_fits(pattern, "a" * 200)
    assert time.process_time() - begun < 0.5


@pytest.mark.parametrize(
    ("expression", "holds"),
    [("a", True), ("b", False), ("not b", True), ("a or b", True), ("(a or b) and not c", True),
     ("a and (b or c)", False), ("", True), ("not", False), ("(" * 50, True)],
)  # fmt: skip
def test_keyword_expressions(expression: str, holds: bool) -> None:
    assert keyword_fits(expression, ["Alpha"]) is holds


@pytest.mark.parametrize("framework", ["pytest", "go-test", "cargo-test", "npm-test", "maven-surefire", "dotnet-test"])
def test_large_hostile_files_end(framework: str) -> None:
    ending = {"pytest": "py", "go-test": "go", "cargo-test": "rs", "npm-test": "js", "maven-surefire": "java"}
    data = [
        b"a" * 300_000,
        b"a( " * 100_000,
        b"it" + b" " * 300_000,
        b"a" + b" " * 300_000,
        b"'" * 300_000,
        b"/*" * 150_000,
    ]
    files = {f"f{number}.{ending.get(framework, 'cs')}": text for number, text in enumerate(data)}
    begun = time.process_time()
    assert answer(framework, ["S_x"], "S_x", files) in ("absent", "doubtful")
    assert time.process_time() - begun < 3

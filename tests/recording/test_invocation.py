from __future__ import annotations

from pathlib import Path

import pytest

from evidence_lint.recording.invocation import command_words, find_selectors

MAIN = "/env/lib/python3.11/site-packages/pytest/__main__.py"
PYTHON = "/env/bin/python3.11"


@pytest.mark.parametrize(
    ("started", "original", "words"),
    [
        (["/env/bin/pytest", "-q", "a.py"], [PYTHON, "/env/bin/pytest", "-q", "a.py"], ("pytest", "-q", "a.py")),
        (["py.test", "-q", "a.py"], ["python", "py.test", "-q", "a.py"], ("py.test", "-q", "a.py")),
        ([MAIN, "-q", "a.py"], [PYTHON, "-m", "pytest", "-q", "a.py"], ("python3.11", "-m", "pytest", "-q", "a.py")),
        ([MAIN, "-q", "a.py"], ["python", "-mpytest", "-q", "a.py"], ("python", "-mpytest", "-q", "a.py")),
        (
            [MAIN, "-q", "a.py"],
            ["python", "-W", "error", "-I", "-m", "pytest", "-q", "a.py"],
            ("python", "-W", "error", "-I", "-m", "pytest", "-q", "a.py"),
        ),
        ([MAIN, "-q", "a.py"], ["python", "/env/bin/coverage", "run", "-m", "pytest", "-q", "a.py"], None),
        ([MAIN, "-q", "a.py"], ["pypy3", "-m", "pytest", "-q", "a.py"], None),
        (["tool.py"], ["python", "tool.py"], None),
        (["/env/bin/pytest", "b.py"], [PYTHON, "/env/bin/pytest", "b.py"], None),
        ([], [], None),
    ],
)
def test_the_command_is_told_as_it_was_given_or_not_at_all(
    started: list[str], original: list[str], words: tuple[str, ...] | None
) -> None:
    assert command_words(started, ["-q", "a.py"], original) == words


@pytest.mark.parametrize(
    ("place", "selector"),
    [
        ("tests/a.py::test_x[a/b]", "tests/a.py::test_x[a/b]"),
        ("./tests", "tests"),
        ("../repo/tests/a.py", "repo/tests/a.py"),
        ("tests//a.py::T::t", "tests/a.py::T::t"),
        ("/repo/tests/a.py::t", "tests/a.py::t"),
        ("pkg.module", "pkg.module"),
    ],
)
def test_a_place_is_named_as_it_stands_in_the_repository(place: str, selector: str) -> None:
    assert find_selectors(("pytest", place), [place], [], Path("/repo")) == (selector,)


@pytest.mark.parametrize("place", [".", "/repo", "./", "..", "/"])
def test_a_place_that_holds_the_whole_repository_selects_nothing(place: str) -> None:
    assert find_selectors(("pytest", place), [place], [], Path("/repo")) == ()


def test_only_words_of_the_command_count() -> None:
    argv = ("pytest", "-k", "one or two", "-m=slow", "-kthree")
    assert find_selectors(argv, ["tests"], ["one or two", "slow"], Path("/r")) == ("one or two", "slow")
    assert find_selectors(argv, [], ["three", ""], Path("/r")) == ()

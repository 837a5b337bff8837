"""Whether ``-k`` leaves any of the tests that a Python receipt selects: an expression may take all of them away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from evidence_lint.witness.paths import read_path
from evidence_lint.witness.receipt_argv import Invocation
from evidence_lint.witness.receipt_patterns import keyword_fits
from evidence_lint.witness.receipt_python_tests import PythonTests, is_test_name
from evidence_lint.witness.receipt_snapshot import TestedFiles

_WORD = re.compile(r"[^\s()]+")
_OPERATORS = frozenset({"and", "or", "not"})
_MOST_TESTS = 5000
_Test = tuple[str, tuple[str, ...]]


def keyword_expressions(invocation: Invocation) -> Sequence[str]:
    """The ``-k`` values of an argv: of pytest the last counts, of unittest each adds tests."""
    words, found = invocation.arguments, list[str]()
    for index, word in enumerate(words):
        if word == "--":
            break
        if word in ("-k", "--keyword") and index + 1 < len(words):
            found.append(words[index + 1])
        elif word.startswith("-k") and len(word) > 2:
            found.append(word[2:].removeprefix("="))
        elif word.startswith("--keyword="):
            found.append(word.partition("=")[2])
    return found[-1:] if invocation.framework == "pytest" else found


def says_only_what_is_left_out(expression: str) -> bool:
    """Whether an expression names no test: it holds for one without any name, as ``not slow`` does."""
    return keyword_fits(expression, [])


def left_nothing(invocation: Invocation, files: TestedFiles, tests: PythonTests) -> str:
    """The ``-k`` value that leaves none of the selected tests, or "" where one is left or nobody can tell."""
    expressions = keyword_expressions(invocation)
    if not expressions or invocation.framework not in ("pytest", "unittest") or not files.complete:
        return ""
    selected: list[_Test] = []
    for selector in invocation.selectors:
        if selector in expressions or selector.startswith("-k"):
            continue
        some = list(_selected(selector, tests))
        if not some or len(selected) + len(some) > _MOST_TESTS:
            return ""
        selected += some
    if not selected or any(_may_run(test, expressions, invocation.framework, files, tests) for test in selected):
        return ""
    return " ".join(expressions)


def _selected(selector: str, tests: PythonTests) -> Iterator[_Test]:
    """The tests that a file, a folder, a node id or a dotted name selects; none where it is read otherwise."""
    head, *inner = selector.split("::")
    path = read_path(head.rstrip("/"))
    names = tuple(part.partition("[")[0] for part in inner)
    for module, scope in tests.modules.items():
        if not isinstance(path, str) or f"/{path}/" not in f"/{module}/":
            dotted = module.removesuffix(".py").replace("/", ".")
            parts = tuple(selector.split("."))
            for length in range(len(parts), 0, -1):
                if f".{dotted}".endswith("." + ".".join(parts[:length])):
                    yield module, parts[length:] or ("*",)
                    break
            continue
        if names:
            member = scope.members.get(names[0])
            whole_class = len(names) == 1 and member is not None and member.is_class
            yield module, (*names[:-1], inner[-1], *(("*",) if whole_class else ()))
        else:
            yield module, ("*",)


def _may_run(test: _Test, expressions: Sequence[str], framework: str, files: TestedFiles, tests: PythonTests) -> bool:
    path, names = test
    scope = tests.modules[path]
    if names[-1] == "*":
        inner = scope.members.get(names[0]) if len(names) > 1 else scope
        if inner is None or inner.open or inner.bases or inner.imported:
            return True
        below = [
            (*names[:-1], name, *more)
            for name, member in inner.members.items()
            for more in ([(one,) for one in member.members] if member.is_class else [()])
            if member.is_class or member.multiplied or is_test_name(name)
        ]
        # What is inherited or made when the file runs bears names that cannot be read here.
        opaque = any(
            member.open or member.imported or (member.is_class and member.bases) for member in inner.members.values()
        )
        return opaque or any(_fits(path, full, expressions, framework, files) for full in below)
    return _fits(path, names, expressions, framework, files)


def _fits(path: str, names: Sequence[str], expressions: Sequence[str], framework: str, files: TestedFiles) -> bool:
    if framework == "unittest":
        full = ".".join((*path.removesuffix(".py").split("/"), *names))
        return any(fnmatchcase(full, one if "*" in one else f"*{one}*") for one in expressions)
    held = [*path.split("/"), *names]
    data = files.contents.get(path, b"")
    words = [word for word in _WORD.findall(expressions[-1]) if word not in _OPERATORS]
    # Marks and sets of parameters bear names too, which a positive word may mean.
    free = words if b"parametrize" in data else [word for word in words if f"mark.{word}".encode() in data]
    return keyword_fits(expressions[-1], held) or keyword_fits(expressions[-1], [*held, *free])

"""Whether each selector of a receipt names a test that stands in a tested file at that commit (chapter 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from fnmatch import fnmatchcase
from functools import cached_property

from evidence_lint.model.verdict import Severity
from evidence_lint.witness.paths import read_path
from evidence_lint.witness.receipt_argv import Invocation
from evidence_lint.witness.receipt_facts import Sheet
from evidence_lint.witness.receipt_keywords import left_nothing, says_only_what_is_left_out
from evidence_lint.witness.receipt_named_tests import NamedTests, named_tests
from evidence_lint.witness.receipt_patterns import keyword_fits, regex_fits
from evidence_lint.witness.receipt_python_tests import (
    Presence,
    PythonTests,
    Scope,
    holds_tests,
    is_test_name,
    test_names,
)
from evidence_lint.witness.receipt_snapshot import TestedFiles

_SELECTORS_READ = 500
_LONGEST_SELECTOR = 1000
_PATHS_READ = 2000
_PYTHON = ("pytest", "unittest")
_PATTERN_OPTIONS = {
    "pytest": ("-k", "-m", "--keyword"),
    "unittest": ("-k", "-p", "--pattern"),
    "go-test": ("-run", "--run", "-test.run", "-bench"),
    "npm-test": ("-t", "--testNamePattern", "-g", "--grep", "-f", "--fgrep"),
    "dotnet-test": ("--filter",),
    "gradle-test": (),
    "maven-surefire": (),
    "cargo-test": (),
}
_TEST_FILE = re.compile(
    r"(?:^|[/_.-])(?:tests?|specs?|benchmarks?|conftest)(?:[/_.-]|$)[^/]*$|(?:^|/)(?:\w*Tests?|\w*Specs?)\.\w+$"
)
_MANIFESTS = frozenset({"cargo-test", "maven-surefire", "gradle-test", "dotnet-test"})
"""Frameworks whose paths are folders of a project, or whose tests stand in the file that they test."""
_WILD = re.compile(r"[*?!|^$]")
_DOTNET_TERM = re.compile(r"[\w.]+\s*(?:!=|!~|=|~)\s*|[()&|]")
_PACKAGE_OPTIONS = ("-p", "--package", "--project", "-w", "--workspace", "-pl")
_ANY_PACKAGE = frozenset({".", "./...", "...", "./"})


class Answer(Enum):
    """What was found out about a selector."""

    FOUND = "found"
    ABSENT = "absent"
    NO_FIT = "no-fit"
    """It is a pattern, and no test's name fits it."""
    EXCLUDES = "excludes"
    """It is an expression that says only what is left out."""
    UNKNOWN = "unknown"


def check_selectors(sheet: Sheet, invocation: Invocation, files: TestedFiles) -> None:
    """Fault every selector that names nothing in the tested files; a pattern without a match is a warning."""
    catalogue = _Catalogue(invocation, files)
    if emptied := left_nothing(invocation, files, catalogue.python):
        message = f"argv holds `-k {emptied[:120]}`, which leaves none of the selected tests"
        sheet.fault("test-argv-framework-mismatch", message, "argv", help="Record the run of the selected tests.")
        return
    named = False
    excluding: list[int] = []
    for index, selector in enumerate(invocation.selectors[:_SELECTORS_READ]):
        answer = catalogue.look_up(selector.strip())
        if answer is Answer.ABSENT and not files.complete:
            answer = Answer.UNKNOWN
        named |= answer is Answer.FOUND
        if answer is Answer.EXCLUDES:
            excluding.append(index)
        elif answer is not Answer.FOUND:
            _tell(sheet, selector, index, answer)
    for index in excluding if not named else ():
        _tell(sheet, invocation.selectors[index], index, Answer.EXCLUDES)


def _tell(sheet: Sheet, selector: str, index: int, answer: Answer) -> None:
    shown = repr(selector[:160])
    message = {
        Answer.ABSENT: f"selector {shown} names no test, nor what holds one, among the tested paths at that commit",
        Answer.NO_FIT: f"no test in the tested paths at that commit has a name that the pattern {shown} fits",
        Answer.EXCLUDES: f"selector {shown} says only which tests are left out, and names none",
        Answer.UNKNOWN: f"selector {shown} could not be found: its file makes tests when it runs, or could not be read",
    }[answer]
    advice = "Name the file that holds the test among `tested_paths`, or the test that was run among `selectors`."
    severity = Severity.ERROR if answer in (Answer.ABSENT, Answer.EXCLUDES) else Severity.WARNING
    at = ("selectors", index)
    sheet.fault("test-selector-not-in-snapshot", message, *at, help=advice, severity=severity)


class _Catalogue:
    """The tests of one receipt's files."""

    def __init__(self, invocation: Invocation, files: TestedFiles) -> None:
        self._invocation = invocation
        self._files = files

    def look_up(self, selector: str) -> Answer:
        """Find out about one selector."""
        if len(selector) > _LONGEST_SELECTOR:
            return Answer.UNKNOWN
        framework = self._invocation.framework
        if self._is_path(selector):
            return Answer.FOUND if self._tests_below(selector) else Answer.ABSENT
        option = self._option(selector)
        if framework in _PYTHON:
            return self._python_selector(selector, option)
        if option in _PACKAGE_OPTIONS:
            return Answer.FOUND  # a package's name stands in its manifest, not among its tests
        return {
            "go-test": self._go,
            "cargo-test": self._cargo,
            "npm-test": self._script,
        }.get(framework, self._managed)(selector, option)

    # Paths

    def _is_path(self, selector: str) -> bool:
        """Whether the selector is a tested file, or a folder that holds one."""
        path = read_path(selector.rstrip("/"))
        return isinstance(path, str) and path in self._places

    def _tests_below(self, selector: str) -> bool:
        """Whether a file, or some file of a folder, holds a test; a runner finds nothing to run in another one."""
        wanted = read_path(selector.rstrip("/"))
        if self._invocation.framework in _MANIFESTS or "--doctest-modules" in self._invocation.arguments:
            return True
        below = [name for name in self._files.names if f"/{wanted}/" in f"/{name}/"]
        return any(self._holds_tests(name) for name in below)

    def _holds_tests(self, path: str) -> bool:
        data = self._files.contents.get(path)
        if data is None or _TEST_FILE.search(path):
            return True
        if self._invocation.framework in _PYTHON:
            return path in self.python.modules and holds_tests(self.python.modules[path])
        return bool(named_tests(self._invocation.framework, {path: data}).tests)

    @cached_property
    def _places(self) -> frozenset[str]:
        """Tested files and their folders, by every run of their names: the test may have started in any folder."""
        runs: set[str] = set()
        for name in sorted(self._files.names)[:_PATHS_READ]:
            parts = name.split("/")[-16:]
            runs.update("/".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1))
        return frozenset(runs)

    def _named_file(self, path: str) -> list[str]:
        wanted = read_path(path)
        return [name for name in self._files.names if name == wanted or name.endswith(f"/{wanted}")]

    def _option(self, selector: str) -> str:
        """The option whose value the selector is, or ""."""
        words = self._invocation.arguments
        for index, word in enumerate(words):
            if word == selector and index and words[index - 1].startswith("-") and words[index - 1] != "--":
                return words[index - 1]
            name, equals, value = word.partition("=")
            if equals and value == selector and name.startswith("-"):
                return name
        return ""

    # Python

    @cached_property
    def python(self) -> PythonTests:
        """The definitions of the tested Python files."""
        return PythonTests(self._files.contents)

    def _scopes(self) -> Iterator[tuple[str, Scope]]:
        yield from self.python.modules.items()

    def _python_selector(self, selector: str, option: str) -> Answer:
        if option in _PATTERN_OPTIONS[self._invocation.framework]:
            return self._python_pattern(selector, option)
        if selector.startswith("-k"):
            return self._python_pattern(selector[2:].removeprefix("="), "-k")
        plain = selector.partition("[")[0]  # what follows names a set of parameters, which only a run knows
        if "::" in plain:
            return _answer(self._node_id(plain.split("::")))
        if plain.endswith(".py") or "/" in plain:
            return Answer.ABSENT
        if "." in plain:
            return _answer(list(self._dotted(plain.split("."))))
        modules = [path for path in self._files.names if _is_module(path, plain)]
        if modules:
            return Answer.FOUND if any(self._holds_tests(path) for path in modules) else Answer.ABSENT
        if not is_test_name(plain) and any(plain in scope.members for _, scope in self._scopes()):
            return _answer([self._test(scope, [plain]) for _, scope in self._scopes()])
        return _answer([self.python.anywhere(scope, plain) for _, scope in self._scopes()])

    def _node_id(self, parts: Sequence[str]) -> list[Presence]:
        """``file::Class::test``, or a part of it without the file."""
        files = self._named_file(parts[0])
        if files or "." in parts[0] or "/" in parts[0]:
            return [self._test(scope, parts[1:]) for path, scope in self._scopes() if path in files]
        return [self._test(scope, parts) for _, scope in self._scopes()]

    def _test(self, scope: Scope, names: Sequence[str]) -> Presence:
        """Whether the names lead to a test, or to what holds tests: a helper function is none."""
        found = self.python.find(scope, names)
        if found is not Presence.YES or not names:
            return found if names or holds_tests(scope) else Presence.NO
        here: Scope | None = scope
        for name in names:
            here = here.members.get(name) if here is not None else None
        if here is None or here.open or here.imported or here.multiplied or here.is_class:
            return found
        named = len(names) > 1 and self._invocation.framework == "unittest"  # any method can be called by its name
        return found if named or is_test_name(names[-1]) else Presence.NO

    def _dotted(self, names: Sequence[str]) -> Iterator[Presence]:
        """``package.module.Class.test``, in each way that the names can be a module and names in it."""
        for path, scope in self._scopes():
            for length in range(len(names), 0, -1):
                if _is_module(path, ".".join(names[:length])):
                    yield self._test(scope, names[length:])
            yield self._test(scope, names)
        if any(_is_package(path, names) for path in self._files.names):
            yield Presence.YES

    def _python_pattern(self, selector: str, option: str) -> Answer:
        if option == "-m" and self._invocation.framework == "pytest":
            words = re.findall(r"\w+", selector)
            marks = [f"mark.{word}".encode() for word in words if word not in ("and", "or", "not")]
            fits = any(mark in data for mark in marks for data in self._files.contents.values())
            return Answer.FOUND if fits else Answer.NO_FIT
        if option == "-k" and self._invocation.framework == "pytest" and says_only_what_is_left_out(selector):
            return Answer.EXCLUDES
        for path, scope in self._scopes():
            for names in test_names(scope):
                full = ".".join((*path.removesuffix(".py").split("/"), *names))
                if fnmatchcase(full, selector) or fnmatchcase(path.rpartition("/")[2], selector):
                    return Answer.FOUND
                if keyword_fits(selector, [*path.split("/"), *names]):
                    return Answer.FOUND
            if scope.open:
                return Answer.FOUND
        return Answer.NO_FIT

    # Other languages

    @cached_property
    def _tests(self) -> NamedTests:
        return named_tests(self._invocation.framework, self._files.contents)

    def _go(self, selector: str, option: str) -> Answer:
        if option not in _PATTERN_OPTIONS["go-test"] and not re.fullmatch(
            r"(?:Test|Benchmark|Fuzz|Example)\w*", selector
        ):
            return self._go_package(selector)
        top = selector.partition("/")[0] or ".*"
        if any(regex_fits(top, name) for name in self._tests.tests):
            return Answer.FOUND
        return Answer.NO_FIT if option else Answer.ABSENT

    def _go_package(self, selector: str) -> Answer:
        if selector in _ANY_PACKAGE and self._files.names:
            return Answer.FOUND
        folder = selector.removesuffix("/...").removeprefix("./").strip("/")
        for name in self._files.names:
            held = name.rpartition("/")[0]
            # An import path ends with the folder, below whatever module path the root has.
            if (
                (not held and re.search(r"[./]", selector))
                or folder == held
                or folder.endswith(f"/{held}")
                or f"{held}/".startswith(f"{folder}/")
            ):
                return Answer.FOUND
            if selector.endswith("/...") and any(folder.endswith(f"/{up}") for up in _folders(held)):
                return Answer.FOUND
        return Answer.ABSENT

    def _cargo(self, selector: str, option: str) -> Answer:
        names = self._tests.all | {part for path in self._files.names for part in path.split("/")}
        if option in ("--test", "--bin", "--example", "--bench"):
            return Answer.FOUND if selector in names else Answer.ABSENT
        last = selector.rpartition("::")[2]
        return Answer.FOUND if any(last in name for name in names) else Answer.ABSENT

    def _script(self, selector: str, option: str) -> Answer:
        titles = self._tests.tests
        if any(selector == title or selector in title for title in titles):
            return Answer.FOUND
        # A full name is its groups' titles and its own, one after the other.
        if any(
            selector.endswith(title) and any(selector.startswith(up) for up in titles - {title}) for title in titles
        ):
            return Answer.FOUND
        if any(selector in name for name in self._files.names):
            return Answer.FOUND
        if any(regex_fits(selector, title) for title in titles):
            return Answer.FOUND
        return Answer.NO_FIT if option or _WILD.search(selector) else Answer.ABSENT

    def _managed(self, selector: str, option: str) -> Answer:
        """Java, Kotlin, .NET: dotted names, perhaps with wildcards, a method after ``#`` or the last dot."""
        pattern = bool(_WILD.search(selector)) or option in _PATTERN_OPTIONS[self._invocation.framework]
        names = self._tests.all
        terms = [term for term in re.split(r"[,+]", _DOTNET_TERM.sub(",", selector)) if term.strip(" ,")]
        for term in terms or [selector]:
            parts = [part for part in re.split(r"[.#$:]", term.strip()) if part]
            if not parts:
                continue
            if pattern and any(fnmatchcase(name, f"*{parts[-1].strip('*')}*") for name in names):
                return Answer.FOUND
            # A method counts only beside a type of the files; a type alone by its own name.
            if parts[-1] in self._tests.groups:
                return Answer.FOUND
            if parts[-1].partition("(")[0] in self._tests.tests and (
                len(parts) == 1 or parts[-2] in self._tests.groups
            ):
                return Answer.FOUND
            if term.strip() in self._tests.tests:
                return Answer.FOUND
        return Answer.NO_FIT if pattern else Answer.ABSENT


def _answer(found: Sequence[Presence]) -> Answer:
    if Presence.YES in found:
        return Answer.FOUND
    return Answer.UNKNOWN if Presence.UNKNOWN in found else Answer.ABSENT


def _is_module(path: str, dotted: str) -> bool:
    """Whether the dotted name is the file's module, seen from any folder above it."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return path.endswith(".py") and (module == dotted or module.endswith(f".{dotted}"))


def _is_package(path: str, names: Sequence[str]) -> bool:
    return f"/{'/'.join(names)}/" in f"/{path}"


def _folders(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition("/")[0]

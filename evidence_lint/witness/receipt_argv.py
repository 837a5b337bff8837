"""What a receipt's argv runs: the framework's program, and the selectors that it was given (chapter 5)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evidence_lint.parse.record_fields import described
from evidence_lint.witness.receipt_facts import Sheet, texts

FRAMEWORKS = (
    "go-test",
    "pytest",
    "unittest",
    "cargo-test",
    "npm-test",
    "maven-surefire",
    "gradle-test",
    "dotnet-test",
)

_PYTHON = re.compile(r"python(?:3(?:\.[0-9]{1,2})?)?")
_PYTHON_FLAGS = re.compile(r"-[bBdEiIOPqRsSuvx]+|-[WX].+|--check-hash-based-pycs=.+")
_PYTHON_PAIRS = frozenset({"-W", "-X", "--check-hash-based-pycs"})
_MODULES = {"pytest": ("pytest",), "unittest": ("unittest",)}
_SHELL = frozenset({"||", "&&", "|", ";", "&", "|&", ";;"})
_MASKING = frozenset({"||", "|", ";", "&", "|&", ";;"})
"""Operators after which the exit code may be another command's."""

_BORDERS = ("::", "/", "=")
_WORDS_READ = 1000

_RUNS_NOTHING: Mapping[str, frozenset[str]] = {
    "pytest": frozenset(
        {
            "--collect-only",
            "--co",
            "--version",
            "-V",
            "--help",
            "-h",
            "--fixtures",
            "--funcargs",
            "--fixtures-per-test",
            "--markers",
            "--setup-plan",
            "--setup-only",
            "--setuponly",
            "--setupplan",
            "--cache-show",
        }
    ),
    "unittest": frozenset({"-h", "--help"}),
    "go-test": frozenset({"-c", "-list", "--list", "-n"}),
    "cargo-test": frozenset({"--no-run", "--list", "--help", "-h"}),
    "npm-test": frozenset({"--listTests", "--dry-run", "--help"}),
    "maven-surefire": frozenset({"-DskipTests", "-DskipTests=true", "-Dmaven.test.skip", "-Dmaven.test.skip=true"}),
    "gradle-test": frozenset({"--dry-run", "-m"}),
    "dotnet-test": frozenset({"--list-tests", "-t", "--help", "-h"}),
}
_EXCLUDING = frozenset(
    {"--deselect", "--ignore", "--ignore-glob", "-skip", "--skip", "-x", "--exclude-task", "--testPathIgnorePatterns"}
)
"""Options whose value says what is *not* run, or (``-x`` of Gradle) not done."""
_ASIDE: Mapping[str, frozenset[str]] = {
    "pytest": frozenset(
        {
            "--junitxml", "--junit-xml", "--basetemp", "--rootdir", "-c", "--config-file", "--confcutdir", "-o",
            "--override-ini", "--log-file", "--cov-report", "--cov-config", "-p", "--html", "--durations", "-n",
            "--maxfail", "--tb", "-W", "--import-mode", "--color", "--capture", "--log-level", "--resultlog",
        }
    ),
    "go-test": frozenset({"-coverprofile", "-o", "-timeout", "-count", "-tags", "-cpu", "-parallel", "-outputdir"}),
    "npm-test": frozenset({"--outputFile", "--reporters", "--config", "-c", "--coverageDirectory"}),
    "dotnet-test": frozenset({"--logger", "-l", "--results-directory", "-r", "-c", "--configuration", "-f", "-s"}),
}  # fmt: skip
"""Options with a value that selects nothing."""
_SELECTING: Mapping[str, frozenset[str]] = {
    "pytest": frozenset({"-k", "-m", "--keyword", "--markexpr"}),
    "unittest": frozenset({"-k", "-p", "--pattern", "-s", "--start-directory"}),
    "go-test": frozenset({"-run", "--run", "-test.run", "--test.run", "-bench", "--bench", "-fuzz", "--fuzz"}),
    "cargo-test": frozenset({"--test", "-p", "--package", "--bin", "--example", "--bench"}),
    "npm-test": frozenset(
        {
            "-t", "--testNamePattern", "-g", "--grep", "-f", "--fgrep", "--testPathPattern", "--testPathPatterns",
            "--findRelatedTests", "--runTestsByPath", "--spec", "--project", "-w", "--workspace", "--selectProjects",
            "--test-name-pattern",
        }
    ),
    "maven-surefire": frozenset({"-Dtest", "-Dit.test", "-Dgroups", "-pl", "--projects"}),
    "gradle-test": frozenset({"--tests"}),
    "dotnet-test": frozenset({"--filter", "--project"}),
}  # fmt: skip
"""Options whose ``=`` part may be a selector."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """A valid argv of a known framework. ``arguments`` follow the words that start the framework."""

    framework: str
    arguments: tuple[str, ...]
    selectors: tuple[str, ...]


def check_invocation(sheet: Sheet) -> Invocation | None:
    """Judge argv, framework, target, selectors and command; the invocation when all of them hold."""
    argv, selectors = texts_of_argv(sheet), _selectors(sheet)
    framework = sheet.get("framework")
    if not isinstance(framework, str) or framework not in FRAMEWORKS:
        stands = "absent" if framework is None else described(framework)
        message = f"`framework` is {stands}, not one of {', '.join(FRAMEWORKS)}"
        sheet.fault("test-framework-invalid", message, "framework")
        return None
    if argv is None:
        return None
    rest = invoked(framework, argv)
    if (why := _masked(sheet, argv)) or (why := _no_run(framework, argv, rest)):
        sheet.fault("test-argv-framework-mismatch", why, "argv")
        return None
    assert rest is not None
    if selectors is None:
        return None
    words = _including(framework, rest)[:_WORDS_READ]
    if not any(_selects(framework, word, selector) for selector in selectors[:_WORDS_READ] for word in words):
        named = ", ".join(repr(selector[:120]) for selector in selectors[:3])
        message = f"argv contains no selector of the receipt: {named} is not a whole argument or a part of one"
        sheet.fault("test-argv-framework-mismatch", message, "argv", help="List the selectors that the run was given.")
        return None
    return Invocation(framework, rest, tuple(selectors))


def texts_of_argv(sheet: Sheet) -> list[str] | None:
    """The argv, or None with a fault."""
    value = sheet.get("argv")
    if isinstance(value, list) and value:
        words = [word for word in value if isinstance(word, str) and "\0" not in word]
        if len(words) == len(value) and words[0].strip():
            return words
        stands = "a list with an entry that is no text" if len(words) != len(value) else "a list with an empty program"
    elif isinstance(value, list):
        stands = "an empty list"
    else:
        stands = "absent" if value is None else described(value)
    sheet.fault("test-argv-invalid", f"`argv` is {stands}, where the list of the command's words is expected", "argv")
    return None


def _selectors(sheet: Sheet) -> list[str] | None:
    target, value = sheet.get("test_target"), sheet.get("selectors")
    if not sheet.text("test_target"):
        stands = "absent" if target is None else described(target)
        sheet.fault("test-target-invalid", f"`test_target` is {stands}, where a text is expected", "test_target")
    found = texts(value)
    if found is None:
        stands = "absent" if value is None else described(value)
        if isinstance(value, list):
            stands = "a list with an entry that is no text" if value else "an empty list"
        sheet.fault("test-target-invalid", f"`selectors` is {stands}, where a list of texts is expected", "selectors")
    return found


def invoked(framework: str, argv: Sequence[str]) -> tuple[str, ...] | None:
    """The arguments after the words that start the framework; None when argv starts something else."""
    program, rest = _program(argv[0]), list(argv[1:])
    if framework == "pytest" and program in ("pytest", "py.test"):
        return tuple(rest)
    if framework in _MODULES:
        return _python_module(program, rest, _MODULES[framework])
    if framework == "go-test" and program == "go":
        if rest[:1] == ["-C"]:
            rest = rest[2:]
        return _after(rest, ("test",))
    if framework == "cargo-test" and program == "cargo":
        return _after([word for word in rest[:1] if not word.startswith("+")] + rest[1:], ("test",))
    if framework == "npm-test" and program in ("npm", "npm.cmd"):
        return _after(rest, ("test",)) or _after(rest, ("run", "test")) or _after(rest, ("run-script", "test"))
    if framework == "dotnet-test" and program == "dotnet":
        return _after(rest, ("test",))
    if framework == "maven-surefire" and program in ("mvn", "mvnw", "mvn.cmd", "mvnw.cmd"):
        return tuple(rest) if "test" in rest or "surefire:test" in rest else None
    if framework == "gradle-test" and program in ("gradle", "gradlew", "gradle.bat", "gradlew.bat"):
        ran = any(
            word == "test" or (word.startswith(":") and word.endswith(":test")) for word in _including(framework, rest)
        )
        return tuple(rest) if ran else None
    return None


def _program(word: str) -> str:
    return re.sub(r"\.exe$", "", re.split(r"[\\/]", word)[-1], flags=re.IGNORECASE)


def _after(rest: Sequence[str], words: tuple[str, ...]) -> tuple[str, ...] | None:
    return tuple(rest[len(words) :]) if tuple(rest[: len(words)]) == words else None


def _python_module(program: str, rest: list[str], modules: tuple[str, ...]) -> tuple[str, ...] | None:
    if not _PYTHON.fullmatch(program):
        return None
    while rest:
        word = rest.pop(0)
        if word == "-m":
            return tuple(rest[1:]) if rest and rest[0] in modules else None
        if word.startswith("-m"):
            return tuple(rest) if word[2:] in modules else None
        if word in _PYTHON_PAIRS:
            rest = rest[1:]
        elif not _PYTHON_FLAGS.fullmatch(word):
            return None
    return None


def _no_run(framework: str, argv: Sequence[str], rest: Sequence[str] | None) -> str:
    """Why the argv runs no test of the framework, or ""."""
    if rest is None:
        shown = shlex.join(argv[:6])[:160]
        return f"argv runs `{shown}`, which does not start {framework}"
    # What follows `--` belongs to the tests, except where it is handed on to a runner with options of its own.
    handed_on = framework in ("cargo-test", "npm-test") or "--" not in rest
    own = rest if handed_on else rest[: list(rest).index("--")]
    options = {word if word.startswith("-D") else word.partition("=")[0] for word in own}
    idle = sorted(_RUNS_NOTHING[framework] & options)
    return f"argv holds `{idle[0]}`, with which {framework} runs no test" if idle else ""


def _masked(sheet: Sheet, argv: Sequence[str]) -> str:
    """Whether a shell stands between the test and its exit code: an operator in argv, or one in the command."""
    for word in argv:
        if word in _SHELL:
            return f"argv holds the shell operator `{word}`: it is no argv of one program"
    command = sheet.text("command")
    if not command or command == " ".join(argv):
        return ""
    try:
        lexer = shlex.shlex(command[:5000], posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return ""
    operators = [word for word in words if word in _MASKING]
    if operators and words != list(argv):
        return f"the command holds the shell operator `{operators[0]}`, so the exit code need not be the test's"
    return ""


def _including(framework: str, rest: Sequence[str]) -> list[str]:
    """The arguments without those that say what is left out, and without the values of options that select nothing."""
    kept: list[str] = []
    skip = False
    for word in rest:
        option = word.partition("=")[0]
        excluding = option in _EXCLUDING and (word != "-x" or framework == "gradle-test")
        excluding = excluding or option in _ASIDE.get(framework, ())
        if not skip and not excluding:
            kept.append(word)
        skip = excluding and "=" not in word
    return kept


def _selects(framework: str, argument: str, selector: str) -> bool:
    """Whether the selector is the argument, or a ``::``, ``/`` or ``=`` part of it.

    The value of an option is a part only where the option selects tests: a file that a report is written to is none.
    """
    if argument == selector:
        return True
    option, equals, _ = argument.partition("=")
    if equals and option.startswith("-") and option not in _SELECTING[framework]:
        return False
    start = argument.find(selector)
    while start != -1:
        end = start + len(selector)
        begins = start == 0 or argument.endswith(_BORDERS, 0, start)
        if begins and (end == len(argument) or argument.startswith(_BORDERS, end)):
            return True
        start = argument.find(selector, start + 1)
    return False

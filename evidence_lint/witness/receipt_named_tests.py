"""Names of tests in languages other than Python, by tight patterns over source without comments (chapter 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_STRING = r'"(?:\\.|[^"\\\n]){0,2000}"'
_COMMENTS = re.compile(rf"({_STRING}|'(?:\\.|[^'\\\n]){{1,2000}}'|`[^`]{{0,2000}}`)|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)")
_GO = re.compile(r"^func\s+(?:\([^()\n]{1,80}\)\s*)?((?:Test|Benchmark|Fuzz|Example)\w*)\s*\(", re.MULTILINE)
_GO_SUB = re.compile(r'\.Run\(\s*"([^"\n]{1,200})"')
_RUST = re.compile(r"\b(?:fn|mod)\s+(\w+)")
_RUST_MACRO = re.compile(r"\b\w+!\s*[({\[]\s*(\w+)")
_SCRIPT = re.compile(
    r"\b(?:it|test|describe|suite|context|specify)(?:\.\w+){0,3}\s*(?:\([^()\n]{0,300}\)\s*)?"
    r"\(\s*(?:'((?:\\.|[^'\\\n]){1,300})'|\"((?:\\.|[^\"\\\n]){1,300})\"|`([^`]{1,300})`)"
)
_TYPE = re.compile(r"\b(?:class|interface|object|record|enum|struct|module)\s+(\w+)")
_METHOD = re.compile(
    r"\b(\w+)\s{0,9}(?:<[^<>\n]{0,80}>)?\s{0,9}\([^(){};]{0,400}\)\s*(?:throws\s+[\w.,\s]{1,200}|:\s*[\w<>?.]{1,80}\s*)?[{=]"
)
_QUOTED_METHOD = re.compile(r"(?:fun\s+`([^`\n]{1,200})`|def\s+\"([^\"\n]{1,200})\"|let\s+``([^`\n]{1,200})``)")
_KEYWORDS = frozenset(
    {"if", "for", "while", "switch", "catch", "when", "using", "lock", "synchronized", "return", "new"}
)

_LANGUAGES: Mapping[str, tuple[str, ...]] = {
    "go-test": ("go",),
    "cargo-test": ("rs",),
    "npm-test": ("js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte", "coffee"),
    "maven-surefire": ("java", "kt", "groovy", "scala"),
    "gradle-test": ("java", "kt", "kts", "groovy", "scala"),
    "dotnet-test": ("cs", "fs", "vb"),
}


@dataclass(frozen=True, slots=True)
class NamedTests:
    """The names in the tested files: ``tests`` are functions, methods and titles, ``groups`` types and modules."""

    tests: frozenset[str]
    groups: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        """Both."""
        return self.tests | self.groups


def named_tests(framework: str, contents: Mapping[str, bytes]) -> NamedTests:
    """The names of the framework's tests in these files."""
    tests: set[str] = set()
    groups: set[str] = set()
    for path, data in contents.items():
        stem, _, ending = path.rpartition("/")[2].partition(".")
        if ending.rpartition(".")[2] not in _LANGUAGES.get(framework, ()):
            continue
        text = _without_comments(data.decode("utf-8", "replace"))
        groups.add(stem)
        _read(framework, text, tests, groups)
    return NamedTests(frozenset(tests), frozenset(groups))


def _read(framework: str, text: str, tests: set[str], groups: set[str]) -> None:
    match framework:
        case "go-test":
            tests.update(_GO.findall(text))
            tests.update(name.replace(" ", "_") for name in _GO_SUB.findall(text))
        case "cargo-test":
            tests.update(_RUST.findall(text))
            tests.update(_RUST_MACRO.findall(text))
        case "npm-test":
            tests.update(next(filter(None, found)) for found in _SCRIPT.findall(text))
        case _:
            groups.update(_TYPE.findall(text))
            tests.update(name for name in _METHOD.findall(text) if name not in _KEYWORDS)
            tests.update(next(filter(None, found)) for found in _QUOTED_METHOD.findall(text))


def _without_comments(text: str) -> str:
    return _COMMENTS.sub(lambda found: found[1] or " ", text)

"""Small rules, providers, bundles and runs for tests of the engine."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from evidence_lint.dialect import Candidate, Dialect, LoadOptions
from evidence_lint.engine.catalogue import Catalogue, load_catalogue
from evidence_lint.engine.collect import Argument, collect
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.session import Plan, Session
from evidence_lint.hooks import hookimpl
from evidence_lint.model.artifact import Artifact, Bundle, Medium
from evidence_lint.model.example import Example, Expected
from evidence_lint.model.result import BundleResult, RunResult, Summary
from evidence_lint.model.verdict import Problem, Severity, Verdict
from evidence_lint.provide import Provider
from evidence_lint.rule import Rule, rule

PASS = Example("passes", {"a.note": "fine"})
FAIL = Example("fails", {"a.note": "bad"}, (Expected("bad"),))


def make_rule(
    check: Callable[..., Iterable[Problem]],
    code: str = "NOTE101",
    name: str = "note-bad",
    severity: Severity = Severity.ERROR,
) -> Rule:
    check.__doc__ = check.__doc__ or "A note is fine.\n\nWhy: it is a test.\n\nFix: nothing."
    return rule(code, name, severity=severity, passes=[PASS], fails=[FAIL])(check)


class NoteBundle(Bundle):
    """A folder's ``*.note`` file with a JSON file of the same stem."""


def artifact(name: str, text: str, medium: Medium = Medium.MARKDOWN, path: str | None = None) -> Artifact:
    data = json.loads(text) if medium is Medium.JSON else None
    return Artifact(name, Path(path or f"{name}.md"), medium, text=text, data=data)


def bundle_of(*artifacts: Artifact) -> Bundle:
    return Bundle(Path(), Path(), "note", artifacts[0].name, {a.name: a for a in artifacts})


def _find(path: Path, options: LoadOptions) -> Iterable[Candidate]:
    files = sorted(path.rglob("*.note")) if path.is_dir() else [path] * (path.suffix == ".note")
    return [Candidate(file, file, {}) for file in files]


def _load(candidate: Candidate, options: LoadOptions) -> Bundle:
    text = candidate.main.read_text()
    if text == "unloadable":
        raise RuntimeError("the loader broke")
    note = Artifact("note", candidate.main, Medium.MARKDOWN, text=text)
    return NoteBundle(candidate.main, candidate.main.parent, "note", "note", {"note": note})


NOTE = Dialect("note", "notes, for tests", NoteBundle, _find, _load, lambda resolve: Summary())


def plugin(name: str, **hooks: Callable[..., Any]) -> ModuleType:
    """A module of hooks under ``sys.modules``; remove it with :func:`forget`."""
    module = ModuleType(name)
    for word, function in hooks.items():
        setattr(module, word, hookimpl(function))
    sys.modules[name] = module
    return module


def notes_catalogue(
    rules: Sequence[Rule], providers: Sequence[Provider] = (), dialects: Sequence[Dialect] = (NOTE,)
) -> Catalogue:
    """A catalogue of these things alone."""
    plugin(
        "notes_plugin",
        evidence_lint_rules=lambda: rules,
        evidence_lint_providers=lambda: providers,
        evidence_lint_dialects=lambda: dialects,
    )
    try:
        return load_catalogue(plugins=["notes_plugin"], entry_point_plugins=False)
    finally:
        del sys.modules["notes_plugin"]


def run_notes(folder: Path, catalogue: Catalogue, **plan: Any) -> RunResult:
    from evidence_lint.sources.ports import Sources

    plan.setdefault("checks", lambda path: (catalogue.rules, {}))
    made = Plan(catalogue=catalogue, sources=Sources(), keep_passed=True, **plan)
    return Session(made, Locator(folder)).run(collect([Argument(folder)], catalogue.dialects, LoadOptions()))


def verdicts_of(result: BundleResult) -> list[Verdict]:
    return [*result.verdicts, *result.passed]


def nodes(result: RunResult) -> Mapping[str, str]:
    return {v.node: v.outcome.value for row in result.bundles for v in verdicts_of(row)}


def yields(*problems: Problem) -> Callable[..., Iterator[Problem]]:
    def check(note: NoteBundle) -> Iterator[Problem]:
        yield from problems

    return check

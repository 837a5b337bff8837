"""The hooks of evidence-lint: empty functions that say what a plug-in may implement.

A plug-in is a module (or object) with functions of these names marked by :data:`hookimpl`. It is found through the
entry-point group ``evidence_lint``, or named in the configuration. A function marked as a hook whose name stands not
here is an error at load.

Hooks are for the edge of the program: rules and providers never see them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from evidence_lint.dialect import Dialect
    from evidence_lint.execute import Executor
    from evidence_lint.model.authority import AuthorityEntry
    from evidence_lint.model.capture import Extractor
    from evidence_lint.model.result import BundleResult, Format, RunResult
    from evidence_lint.model.verdict import Verdict
    from evidence_lint.provide import Provider
    from evidence_lint.rule import Rule

PROJECT = "evidence_lint"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def evidence_lint_rules() -> Iterable[Rule]:  # type: ignore[empty-body]
    """Return the rules that the plug-in brings. A module of rules is collected with ``rules_in(module)``."""


@hookspec
def evidence_lint_providers() -> Iterable[Provider]:  # type: ignore[empty-body]
    """Return the providers that the plug-in brings; a later one replaces an earlier one of the same type."""


@hookspec
def evidence_lint_dialects() -> Iterable[Dialect]:  # type: ignore[empty-body]
    """Return the kinds of bundles that the plug-in can recognise and load."""


@hookspec
def evidence_lint_formats() -> Iterable[Format]:  # type: ignore[empty-body]
    """Return output formats for ``--format``."""


@hookspec
def evidence_lint_modify_rules(rules: list[Rule]) -> None:
    """Change the selected rules in place before the run: reorder, drop, add. Called once for each selection: where
    settings differ by path, there are several.
    """


@hookspec
def evidence_lint_extractors() -> Iterable[tuple[str, Extractor]]:  # type: ignore[empty-body]
    """Return pairs of a media type (``text/html``) and an extractor of a fetched page's text."""


@hookspec
def evidence_lint_authority() -> Iterable[AuthorityEntry]:  # type: ignore[empty-body]
    """Return entries for the authority registry, each with its reason (chapter 3)."""


@hookspec(firstresult=True)
def evidence_lint_executor(jobs: int) -> Executor | None:
    """Return an executor for a run that is to check ``jobs`` bundles at once, or None to leave it to others.

    Asked only where more than one job and more than one bundle are at hand; the built-in one forks processes.
    """


@hookspec
def evidence_lint_verdict(verdict: Verdict) -> None:
    """Observe a verdict as it is made; for progress and collectors. Order is not stable across workers."""


@hookspec
def evidence_lint_bundle(result: BundleResult, done: int, total: int) -> None:
    """Observe a bundle that is finished."""


@hookspec
def evidence_lint_summary(result: RunResult) -> None:
    """Observe the finished run, before it is printed."""

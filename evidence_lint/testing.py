"""Run a rule's examples, as the project's own tests do; for the tests of anybody's rules.

::

    from evidence_lint.testing import example_cases, check_example

    @pytest.mark.parametrize("case", example_cases(my_rules), ids=str)
    def test_example(case, tmp_path):
        check_example(case, tmp_path)
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import cast

from evidence_lint.dialect import LoadOptions
from evidence_lint.engine.baseline import Baseline
from evidence_lint.engine.catalogue import Catalogue, load_catalogue
from evidence_lint.engine.collect import Argument, collect
from evidence_lint.engine.context import runs_last
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.select import matching
from evidence_lint.engine.session import LOAD_FAILED, Plan, Session
from evidence_lint.engine.suppress import SuppressionPolicy
from evidence_lint.errors import EvidenceLintError
from evidence_lint.model.artifact import Bundle
from evidence_lint.model.capture import Capture, CaptureOutcome, Hop
from evidence_lint.model.example import COMMIT, TREE, Example, Expected, LivePage
from evidence_lint.model.policy import Gate, Policy
from evidence_lint.model.verdict import Outcome, Problem, Severity, Verdict
from evidence_lint.rule import Rule, rules_in, rules_in_package
from evidence_lint.sources.interface import RepositorySource
from evidence_lint.sources.ports import Sources

_WHEN = "2025-01-02T03:04:05+00:00"


@dataclass(frozen=True, slots=True)
class ExampleCase:
    """One example of one rule."""

    rule: Rule
    example: Example

    def __str__(self) -> str:
        """The case as a test id."""
        return f"{self.rule.code}-{'fails' if self.example.problems else 'passes'}-{self.example.title}"


def example_cases(source: ModuleType | Iterable[Rule]) -> list[ExampleCase]:
    """Every example of the rules of a module, a package, or a collection of rules."""
    if isinstance(source, ModuleType):
        rules = rules_in_package(source) if hasattr(source, "__path__") else rules_in(source)
    else:
        rules = iter(source)
    return [ExampleCase(rule, example) for rule in rules for example in (*rule.examples.passes, *rule.examples.fails)]


class ExampleMismatch(EvidenceLintError, AssertionError):
    """An example does not show what it lists."""


def check_example(case: ExampleCase, folder: Path, catalogue: Catalogue | None = None) -> None:
    """Write an example into ``folder`` and run its rule on it, alone.

    Raises :class:`ExampleMismatch` unless the rule finds exactly the problems that the example lists.
    """
    verdicts, bundle, ids = run_example(case, folder, catalogue)
    locator = Locator()
    left = [v for v in verdicts if v.outcome is Outcome.FAILED and v.problem is not None]
    complaints = [f"{v.name} {v.outcome}: {v.error or v.skip}" for v in verdicts if v.outcome in _UNDECIDED]
    for expected in case.example.problems:
        wanted = replace(expected, message=_filled(expected.message, ids), at=_filled_or_none(expected.at, ids))
        found = next((v for v in left if _fits(wanted, v, bundle, locator)), None)
        if found is None:
            complaints.append(f"missing: {wanted}")
        else:
            left.remove(found)
    complaints += [f"not listed: {_described(v, bundle, locator)}" for v in left]
    if complaints:
        raise ExampleMismatch(f"{case}:\n  " + "\n  ".join(complaints))


_UNDECIDED = {Outcome.ERRORED, Outcome.SKIPPED}


def run_example(
    case: ExampleCase, folder: Path, catalogue: Catalogue | None = None
) -> tuple[list[Verdict], Bundle, Mapping[str, str]]:
    """Write an example into ``folder``, run its rule on it and return verdicts, bundle and object ids."""
    catalogue = catalogue or load_catalogue()
    example = case.example
    ids: Mapping[str, str] = {}
    sources = Sources()
    if example.repository is not None:
        checkout = folder / "checkout"
        ids = make_repository(checkout, example.repository)
        sources = Sources(repository=_opened(checkout))
    if example.pages is not None:
        sources = replace(sources, captures=_Pages(example.pages))
    bundle_folder = folder / "bundle"
    bundle_folder.mkdir(parents=True, exist_ok=True)
    for name, text in example.files.items():
        (bundle_folder / name).write_bytes(_filled(text, ids).encode("utf-8", "surrogatepass"))
    # A rule about suppressions needs others whose problems are suppressed.
    rules = catalogue.rules if runs_last(case.rule) else (case.rule,)
    plan = Plan(
        catalogue=catalogue,
        checks=lambda path: (rules, {}),
        sources=sources,
        policy=replace(example.policy or Policy(), mode="auto" if example.pages is not None else "offline"),
        keep_passed=True,
        suppression=_suppression(case, catalogue, bundle_folder) if runs_last(case.rule) else None,
    )
    found = collect([Argument(bundle_folder)], catalogue.dialects, LoadOptions())
    if len(found) != 1:
        raise ExampleMismatch(f"{case}: the example holds {len(found)} bundles")
    result = Session(plan).check(found[0])
    own = [v for v in (*result.verdicts, *result.passed) if v.code in {case.rule.code, LOAD_FAILED.code}]
    return own, result.bundle, ids


def _suppression(case: ExampleCase, catalogue: Catalogue, folder: Path) -> SuppressionPolicy:
    def codes(selector: str) -> set[str]:
        return {rule.code for rule in matching(catalogue, selector)}

    gate = case.example.policy.gate if case.example.policy is not None else Gate()
    return SuppressionPolicy(
        codes,
        never=frozenset(code for selector in gate.unsuppressible for code in codes(selector)),
        baseline=Baseline(case.example.baseline, "baseline.json"),
        baseline_folder=folder,
        required=tuple(sorted(code for selector in gate.required_rules for code in codes(selector))),
    )


def make_repository(folder: Path, files: Mapping[str, str | bytes]) -> dict[str, str]:
    """Make a Git repository of one commit with fixed dates; return the ids of its commit and tree."""
    folder.mkdir(parents=True)
    _git(folder, "init", "-q", "--object-format=sha1")
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", "feat: keep three copies")
    return {
        COMMIT: _git(folder, "rev-parse", "HEAD"),
        TREE: _git(folder, "rev-parse", "HEAD^{tree}"),
    }


def _git(folder: Path, *arguments: str) -> str:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment |= {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Example",
        "GIT_AUTHOR_EMAIL": "example@example.org",
        "GIT_COMMITTER_NAME": "Example",
        "GIT_COMMITTER_EMAIL": "example@example.org",
        "GIT_AUTHOR_DATE": _WHEN,
        "GIT_COMMITTER_DATE": _WHEN,
    }
    done = subprocess.run(  # noqa: S603 - our own arguments
        ["git", "-c", "core.autocrlf=false", *arguments],  # noqa: S607 - Git is found where the user has it
        cwd=folder,
        env=environment,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()


def _opened(checkout: Path) -> Callable[[Path], RepositorySource]:
    from evidence_lint.sources.git import GitRepository  # noqa: PLC0415 - only examples with a repository need it

    return lambda folder: GitRepository.open(checkout)


class _Pages:
    """Captures from an example's pages: what a fetch of this run would have brought."""

    def __init__(self, pages: Mapping[str, str | LivePage]) -> None:
        self._pages = pages

    def get(self, urls: Collection[str], /) -> Mapping[str, Capture]:
        return {url: self._capture(url) for url in urls}

    def _capture(self, url: str) -> Capture:
        given = self._pages.get(url, _GONE)
        page = LivePage(given) if isinstance(given, str) else given
        final = page.final_url or url
        visited = dict.fromkeys((url, final))
        return Capture(
            requested_url=url,
            final_url=final,
            outcome=page.outcome,
            reason=page.reason or page.outcome.message,
            fetched_at=datetime.now(UTC),
            hops=tuple(Hop(hop, status=page.status, insecure=hop.startswith("http://")) for hop in visited),
            status=page.status,
            text=page.text,
            hidden_text=page.hidden_text,
            truncated=page.truncated,
            soft_404_reason=page.soft_404_reason,
        )


_GONE = LivePage(outcome=CaptureOutcome.HTTP_ERROR, reason="the server answered 404", status=404)


def _filled(text: str, ids: Mapping[str, str]) -> str:
    for mark, value in ids.items():
        text = text.replace(mark, value)
    return text


def _filled_or_none(text: str | None, ids: Mapping[str, str]) -> str | None:
    return None if text is None else _filled(text, ids)


def _fits(expected: Expected, verdict: Verdict, bundle: Bundle, locator: Locator) -> bool:
    problem = cast("Problem", verdict.problem)
    location = problem.location
    return (
        location.artifact == expected.artifact
        and _says(expected.message, problem.message)
        and (expected.severity is None or expected.severity is verdict.severity)
        and (expected.pointer is None or expected.pointer == location.pointer)
        and (expected.at is None or _covered(bundle, verdict, locator) == expected.at.splitlines()[0].strip())
    )


def _says(expected: str, message: str) -> bool:
    """Whether a message is as expected, where ``…`` stands for any text."""
    return re.fullmatch(".*".join(re.escape(part) for part in expected.split("…")), message, re.DOTALL) is not None


def _covered(bundle: Bundle, verdict: Verdict, locator: Locator) -> str:
    """The first line of the text that a problem's primary location covers."""
    location = cast("Problem", verdict.problem).location
    text = bundle.artifacts[location.artifact].text or ""
    span = locator.span(bundle, location)
    return "" if span is None else (span.of(text).strip().splitlines() or [""])[0].strip()


def _described(verdict: Verdict, bundle: Bundle, locator: Locator) -> str:
    problem = cast("Problem", verdict.problem)
    place = problem.location.pointer or repr(_covered(bundle, verdict, locator))
    severity = "" if verdict.severity is Severity.ERROR else f" ({verdict.severity})"
    return f"{problem.message!r} at {problem.location.artifact}:{place}{severity}"


__all__ = [
    "ExampleCase",
    "ExampleMismatch",
    "check_example",
    "example_cases",
    "make_repository",
    "run_example",
]

"""Reports as pytest files, checks as items: ``pytest --evidence-lint docs/`` (chapter 10).

Node ids are those of evidence-lint, ``path::subject::rule-name``. Collecting reads the files and enumerates the checks,
without network; the checks of a report run together when the first of its items does, since they share what they
find out. Without ``--evidence-lint-offline`` the mode is that of ``evidence-lint check``: a stated High is fetched.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from evidence_lint.engine.collect import Found
from evidence_lint.errors import EvidenceLintError
from evidence_lint.model.verdict import Outcome, Verdict
from evidence_lint.pytest_checks import BUNDLE, Checks, Outcomes
from evidence_lint.pytest_text import problem_text
from evidence_lint.rule import Rule

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr

PROPERTY = "evidence-lint"
"""The user property under which a milder problem travels in a test report: to the summary, to junitxml, over xdist."""
REST = "everything-else"


class CheckFailed(Exception):
    """A check found problems; the message shows them."""


class CheckErrored(Exception):
    """A check broke; it has not passed."""


class ReportCollection:
    """The plug-in that is registered when reports are to be collected."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._stack = ExitStack()
        self._found: dict[str, Found] | None = None
        self._asked: set[str] = set()
        self._milder: list[tuple[str, str]] = []
        config.addinivalue_line("markers", "evidence_lint: a check of a research report")
        try:
            self.checks = Checks(config, self._stack)
        except EvidenceLintError as problem:
            raise pytest.UsageError(f"evidence-lint: {problem}") from problem

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Make a collector of a file that is a report (or, where the report itself is missing, a record of it)."""
        key = os.path.abspath(file_path)  # noqa: PTH100 - a link to a report is another name, not another report
        found = self._reports().get(key)
        if found is None:
            return None
        self._asked.add(key)
        file: pytest.Collector = _made(ReportFile, parent, path=file_path, found=found, checks=self.checks)
        return file

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Narrow the run to what pytest has left of the items."""
        chosen: dict[ReportFile, set[str]] = defaultdict(set)
        for item in session.items:
            if isinstance(item, CheckItem):
                chosen[item.file].add(item.node)
        for file, nodes in chosen.items():
            file.narrow(nodes)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what does not fail a test, for the summary."""
        if report.when == "call":
            self._milder += [(report.nodeid, str(text)) for name, text in report.user_properties if name == PROPERTY]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the milder problems, and name the reports that pytest did not look at."""
        left = sorted(self._found.keys() - self._asked) if self._found and not hasattr(self._config, "dsession") else []
        if not self._milder and not left:
            return
        terminalreporter.section("evidence-lint")
        for _, text in self._milder:
            terminalreporter.write_line(text)
        for path in left:
            terminalreporter.write_line(f"not collected (norecursedirs, --ignore or the like): {path}")

    def pytest_unconfigure(self) -> None:
        """Close what was opened."""
        self._stack.close()

    def _reports(self) -> dict[str, Found]:
        """Every report at or below the arguments of the run, by the file that stands for it."""
        if self._found is None:
            self._found = {}
            for place in self._config.args:
                path = Path(os.path.abspath(self._config.invocation_params.dir / place.partition("::")[0]))  # noqa: PTH100
                for found in self.checks.find(path):
                    key = str(path) if not path.is_dir() else _standing(found)
                    self._found.setdefault(key, found)
        return self._found


def _standing(found: Found) -> str:
    files = [found.candidate.main, *found.candidate.files.values()]
    return os.path.abspath(next((file for file in files if os.path.lexists(file)), files[0]))  # noqa: PTH100


def _made(kind: Any, parent: pytest.Collector, **values: object) -> Any:  # noqa: ANN401 - pytest leaves it untyped
    """A node below ``parent``."""
    return kind.from_parent(parent, **values)


class ReportFile(pytest.File):
    """A report: a collector of its subjects."""

    def __init__(self, *, found: Found, checks: Checks, **others: Any) -> None:  # noqa: ANN401 - pytest's own
        super().__init__(**others)
        self.found = found
        self.checks = checks
        self._expected: frozenset[str] = frozenset()
        self._allowed: frozenset[str] | None = None
        self._outcomes: Outcomes | None = None

    def collect(self) -> Iterable[pytest.Collector]:
        """One collector a subject; the last holds what no other item stands for."""
        rules: dict[str, dict[str, Rule | None]] = {}
        for subject, rule in self.checks.outline(self.found):
            rules.setdefault(subject, {})[rule.name] = rule
        self._expected = frozenset(f"{subject}::{name}" for subject, names in rules.items() for name in names)
        rules.setdefault(BUNDLE, {})[REST] = None
        for subject, names in rules.items():
            collector: pytest.Collector = _made(SubjectCollector, self, name=subject, file=self, rules=names)
            yield collector

    def narrow(self, chosen: Set[str]) -> None:
        """Run no more than the chosen checks (``subject::rule-name``), unless they are all there are."""
        if not chosen >= {*self._expected, f"{BUNDLE}::{REST}"}:
            # A rule that cannot run on any subject says so once, of the bundle.
            self._allowed = frozenset({*chosen, *(f"{BUNDLE}::{node.rpartition('::')[2]}" for node in chosen)})

    def outcomes(self) -> Outcomes:
        """What the run found; it takes place when this is first asked."""
        if self._outcomes is None:
            self._outcomes = self.checks.run(self.found, self._allowed)
        return self._outcomes

    def verdicts(self, node: str) -> Sequence[Verdict]:
        """The verdicts that an item stands for."""
        verdicts = self.outcomes().verdicts
        subject, _, name = node.rpartition("::")
        if name != REST or subject != BUNDLE:
            return verdicts.get(node) or verdicts.get(f"{BUNDLE}::{name}", ())
        names = {expected.rpartition("::")[2] for expected in self._expected}
        return [
            verdict
            for key, rows in verdicts.items()
            if key not in self._expected and not (key.startswith(f"{BUNDLE}::") and key.rpartition("::")[2] in names)
            for verdict in rows
        ]

    def shown(self, verdict: Verdict) -> str:
        """A verdict for a person."""
        return problem_text(verdict, self.outcomes().bundle, self.checks.locator)


class SubjectCollector(pytest.Collector):
    """A finding, an evidence entry, a record, …: a collector of the checks on it."""

    def __init__(self, *, file: ReportFile, rules: Mapping[str, Rule | None], **others: Any) -> None:  # noqa: ANN401
        super().__init__(**others)
        self.file = file
        self._rules = rules

    def collect(self) -> Iterable[pytest.Item]:
        """One item a rule."""
        for name, rule in self._rules.items():
            item: pytest.Item = _made(CheckItem, self, name=name, file=self.file, rule=rule)
            yield item


class CheckItem(pytest.Item):
    """One rule on one subject."""

    def __init__(self, *, file: ReportFile, rule: Rule | None, **others: Any) -> None:  # noqa: ANN401
        super().__init__(**others)  # pyright: ignore[reportUnknownMemberType] - untyped in pytest
        self.file = file
        self.node = f"{self.parent.name if self.parent is not None else BUNDLE}::{self.name}"
        self._has_rule = rule is not None
        self.add_marker("evidence_lint")
        if rule is not None:
            self.extra_keyword_matches.update((rule.code, rule.family))

    def setup(self) -> None:
        """Run the checks; one that broke is an error of the test's setup, not a failure of the report."""
        verdicts = self.file.verdicts(self.node)
        if self._has_rule and not verdicts:
            raise CheckErrored("the check came to no verdict, so it has not passed")
        broken = [verdict for verdict in verdicts if verdict.outcome is Outcome.ERRORED]
        if broken:
            raise CheckErrored("\n".join(f"{verdict.code} {verdict.name}: {verdict.error}" for verdict in broken))

    def runtest(self) -> None:
        """Fail, skip or pass as the verdicts say. A suppressed problem is an expected failure."""
        verdicts = self.file.verdicts(self.node)
        failed = [verdict for verdict in verdicts if verdict.outcome is Outcome.FAILED]
        milder = [verdict for verdict in failed if not self.file.checks.fails(verdict)]
        self.user_properties += [(PROPERTY, self.file.shown(verdict)) for verdict in milder]
        grave = [self.file.shown(verdict) for verdict in failed if verdict not in milder]
        if grave:
            raise CheckFailed("\n\n".join(grave))
        for verdict in verdicts:
            if verdict.outcome is Outcome.SUPPRESSED and verdict.suppression is not None:
                pytest.xfail(f"suppressed ({verdict.suppression.kind}): {verdict.suppression.reason}")
        skipped = [verdict.skip for verdict in verdicts if verdict.skip is not None]
        if skipped and not failed and self._has_rule:
            pytest.skip(skipped[0].message)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: str | None = None
    ) -> str | TerminalRepr:
        """The problems, without a traceback: it would say where evidence-lint is, not where the report is wrong."""
        if isinstance(excinfo.value, CheckFailed | CheckErrored):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the item stands."""
        return self.path, None, self.node

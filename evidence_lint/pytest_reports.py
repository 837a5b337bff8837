"""Reports as pytest files, checks as items: ``pytest --evidence-lint docs/`` (chapter 10).

Node ids are those of evidence-lint, ``path::subject::rule-name``. Collecting reads the files and enumerates the checks,
without network; the checks of a report run together when the first of its items does, since they share what they
find out. Without ``--evidence-lint-offline`` the mode is that of ``evidence-lint check``: a stated High is fetched.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from evidence_lint.cli import plan
from evidence_lint.cli.configuration import configure
from evidence_lint.cli.options import Options, mode_of, require_folder
from evidence_lint.engine.collect import Argument, Found, collect
from evidence_lint.engine.context import runs_last
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.resolve import Values
from evidence_lint.engine.select import NodeFilter
from evidence_lint.engine.session import Session
from evidence_lint.errors import EvidenceLintError
from evidence_lint.model.artifact import Bundle
from evidence_lint.model.policy import Policy
from evidence_lint.model.verdict import Outcome, Verdict
from evidence_lint.pytest_text import problem_text
from evidence_lint.rule import Rule
from evidence_lint.sources.ports import Sources

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr

PROPERTY = "evidence-lint"
"""The user property under which a milder problem travels in a test report: to the summary, to junitxml, over xdist."""
BUNDLE = "bundle"
REST = "everything-else"
_NUMBER = re.compile(r"\[[0-9]+\]\Z")


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
        file: pytest.Collector = ReportFile.from_parent(parent, path=file_path, found=found, checks=self.checks)
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


class Checks:
    """Everything that a run of checks needs, from the configuration and pytest's options."""

    def __init__(self, config: pytest.Config, stack: ExitStack) -> None:
        offline = bool(config.getoption("evidence_lint_offline") or config.getini("evidence_lint_offline"))
        repo = config.getoption("evidence_lint_repo")
        folder = require_folder(Path(repo) if repo else None, "--evidence-lint-repo")
        options = Options(mode=mode_of(offline=offline, live=False), repo=folder)
        configuration = configure(options, config.rootpath, stack)
        self.locator = Locator(config.rootpath)
        self._allowed: frozenset[str] | None = None
        self._plan = plan.make_plan(
            options,
            configuration,
            plan.catalogue_of(configuration),
            stack,
            nodes=NodeFilter(keyword=lambda node: self._allowed is None or node in self._allowed),
            keep_passed=True,
        )
        self._session = Session(self._plan, self.locator)
        # What enumerates checks must not fetch: it sees the same repositories, and no captures.
        given: dict[object, object] = {Policy: self._plan.policy, Sources: Sources(self._plan.sources.repository)}
        self._offline = Values(self._plan.catalogue.graph, given)

    def find(self, path: Path) -> list[Found]:
        """The reports at or below a path."""
        return (
            collect([Argument(path)], self._plan.catalogue.dialects, self._plan.load) if os.path.lexists(path) else []
        )

    def fails(self, verdict: Verdict) -> bool:
        """Whether a failed verdict is grave enough to fail the run."""
        return self._plan.fail_on is not None and verdict.severity.rank <= self._plan.fail_on.rank

    def outline(self, found: Found) -> list[tuple[str, Rule]]:
        """Subject and rule of every check that is to be expected, in the order of the rules.

        Rules that look at what became of the others are left out: they cannot run alone.
        """
        try:
            bundle = found.dialect.load(found.candidate, self._plan.load)
        except Exception:  # noqa: BLE001 - the run itself tells it, as an errored check
            return []
        graph = self._plan.catalogue.graph
        given: dict[object, object] = {kind: bundle for kind in type(bundle).__mro__ if issubclass(kind, Bundle)}
        values = Values(graph, given, self._offline)
        rules = self._plan.checks(bundle.artifacts[bundle.main].path)[0]
        return [
            (name, rule)
            for rule in rules
            if graph.applies(rule, bundle) and not runs_last(rule)
            for name in dict.fromkeys(_subjects(graph.subject_source(rule), rule, bundle, values))
        ]

    def run(self, found: Found, allowed: Set[str] | None) -> Outcomes:
        """Run the checks of a report: all of them, or those of the given ``subject::rule-name``."""
        prefix = f"{self.locator.display_path(found.candidate.main)}::"
        self._allowed = None if allowed is None else frozenset(prefix + tail for tail in allowed)
        result = self._session.check(found)
        verdicts: dict[str, list[Verdict]] = defaultdict(list)
        for verdict in (*result.verdicts, *result.passed):
            verdicts[_NUMBER.sub("", verdict.node.removeprefix(prefix))].append(verdict)
        return Outcomes(result.bundle, verdicts)


def _subjects(source: object, rule: Rule, bundle: Bundle, values: Values) -> list[str]:
    if isinstance(source, type) and isinstance(bundle, source):
        return [BUNDLE]
    try:
        value = values.resolve(source)
    except Exception:  # noqa: BLE001 - why is told by the run
        return [BUNDLE]
    subjects = value if source is not rule.subject and isinstance(value, Sequence) else [value]
    return [str(getattr(subject, "node", BUNDLE)) for subject in subjects]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What a run found about one report: verdicts by ``subject::rule-name``."""

    bundle: Bundle
    verdicts: Mapping[str, Sequence[Verdict]]


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
            collector: pytest.Collector = SubjectCollector.from_parent(self, name=subject, file=self, rules=names)
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
            item: pytest.Item = CheckItem.from_parent(self, name=name, file=self.file, rule=rule)
            yield item


class CheckItem(pytest.Item):
    """One rule on one subject."""

    def __init__(self, *, file: ReportFile, rule: Rule | None, **others: Any) -> None:  # noqa: ANN401
        super().__init__(**others)
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

"""The checks of reports as the pytest plug-in runs them: enumerated first, run later, a report at a time."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import cast

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
from evidence_lint.model.artifact import Bundle
from evidence_lint.model.policy import Policy
from evidence_lint.model.verdict import Verdict
from evidence_lint.rule import Rule
from evidence_lint.sources.ports import Sources

BUNDLE = "bundle"
_NUMBER = re.compile(r"\[[0-9]+\]\Z")


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
            nodes=NodeFilter(keyword=lambda node, _: self._allowed is None or node in self._allowed),
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
    if source is rule.subject or not isinstance(value, Sequence):
        return [_name(value)]
    return [_name(subject) for subject in cast("Sequence[object]", value)]


def _name(subject: object) -> str:
    return str(getattr(subject, "node", BUNDLE))


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What a run found about one report: verdicts by ``subject::rule-name``."""

    bundle: Bundle
    verdicts: Mapping[str, Sequence[Verdict]]

"""Run rules on subjects and turn what happened into verdicts.

A rule that raises :class:`~evidence_lint.errors.Unavailable`, or whose provider does, is *skipped*; a rule or provider
that raises anything else is *errored*: never a pass, and the other rules still run.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from evidence_lint.engine.fingerprint import Fingerprints
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.resolve import ProviderGraph, Values
from evidence_lint.engine.select import NodeFilter
from evidence_lint.errors import Unavailable
from evidence_lint.model.artifact import Bundle
from evidence_lint.model.location import Location
from evidence_lint.model.verdict import Outcome, Problem, Severity, Skip, Verdict
from evidence_lint.rule import Rule


@dataclass(frozen=True)
class BundleChecks:
    """What to run on one bundle: rules, their severities where the configuration changes them, and a node filter."""

    rules: Sequence[Rule]
    severities: Mapping[str, Severity] = field(default_factory=dict[str, Severity])
    nodes: NodeFilter = field(default_factory=NodeFilter)


class BundleRunner:
    """Runs the checks of one bundle."""

    def __init__(
        self,
        bundle: Bundle,
        values: Values,
        graph: ProviderGraph,
        locator: Locator,
        observe: Callable[[Verdict], None] = lambda verdict: None,
    ) -> None:
        self._bundle = bundle
        self._values = values
        self._graph = graph
        self._path = locator.display_path(bundle.artifacts[bundle.main].path)
        self._fingerprints = Fingerprints(bundle, locator)
        self._observe = observe

    def run(self, checks: BundleChecks) -> list[Verdict]:
        """Run every rule that applies to the bundle, in order; return all verdicts, passed ones included."""
        verdicts: list[Verdict] = []
        for rule in checks.rules:
            if not self._graph.applies(rule, self._bundle):
                continue
            severity = checks.severities.get(rule.code)
            for verdict in self._run_rule(rule, severity, checks.nodes):
                self._observe(verdict)
                verdicts.append(verdict)
        return verdicts

    def _run_rule(self, rule: Rule, severity: Severity | None, nodes: NodeFilter) -> Iterator[Verdict]:
        made = _Verdicts(rule, severity, self._path, self._fingerprints)
        if not nodes.nodes and nodes.keyword is None:
            allowed: Callable[[str], bool] = _everything
        else:
            allowed = nodes.allows
        try:
            subjects = self._subjects(rule)
            arguments = {name: self._values.resolve(kind) for name, kind in rule.needs.items()}
        except Unavailable as reason:
            if allowed(made.node("bundle")):
                yield made.skipped("bundle", Location(self._bundle.main), reason)
            return
        except Exception as error:  # noqa: BLE001 - any fault of a provider is told, and the run goes on
            if allowed(made.node("bundle")):
                yield made.errored("bundle", Location(self._bundle.main), error)
            return
        for subject in subjects:
            name = str(getattr(subject, "node", "bundle"))
            if not allowed(made.node(name)):
                continue
            place = getattr(subject, "location", None)
            location = place if isinstance(place, Location) else Location(self._bundle.main)
            try:
                problems = list(rule(subject, **arguments))
            except Unavailable as reason:
                yield made.skipped(name, location, reason)
            except Exception as error:  # noqa: BLE001 - any fault of a rule is told, and the run goes on
                yield made.errored(name, location, error)
            else:
                yield from made.decided(name, location, problems)

    def _subjects(self, rule: Rule) -> Sequence[object]:
        source = self._graph.subject_source(rule)
        if isinstance(source, type) and isinstance(self._bundle, source):
            return [self._bundle]
        value = self._values.resolve(source)
        if source is rule.subject:
            return [value]
        return value if isinstance(value, Sequence) else [value]


def _everything(node: str) -> bool:
    return True


class _Verdicts:
    """Makes the verdicts of one rule on one bundle."""

    def __init__(self, rule: Rule, severity: Severity | None, path: str, fingerprints: Fingerprints) -> None:
        self._rule = rule
        self._override = severity
        self._path = path
        self._fingerprints = fingerprints

    def node(self, subject: str) -> str:
        """The node id of this rule on a subject."""
        return f"{self._path}::{subject}::{self._rule.name}"

    def skipped(self, subject: str, location: Location, reason: Unavailable) -> Verdict:
        """The check could not run, and says why."""
        return self._make(subject, Outcome.SKIPPED, location, skip=Skip(reason.code, reason.message))

    def errored(self, subject: str, location: Location, error: Exception) -> Verdict:
        """The check itself broke."""
        frames = traceback.extract_tb(error.__traceback__)
        where = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
        return self._make(subject, Outcome.ERRORED, location, error=f"{type(error).__name__}: {error}{where}")

    def decided(self, subject: str, location: Location, problems: Sequence[Problem]) -> Iterator[Verdict]:
        """The check ran: one failed verdict a problem, or one passed."""
        if not problems:
            yield self._make(subject, Outcome.PASSED, location)
        for number, problem in enumerate(problems, start=1):
            yield self._make(
                subject,
                Outcome.FAILED,
                location,
                number=number,
                problem=problem,
                fingerprint=self._fingerprints.of(self._rule.name, problem),
            )

    def _make(
        self,
        subject: str,
        outcome: Outcome,
        location: Location,
        *,
        number: int = 1,
        problem: Problem | None = None,
        skip: Skip | None = None,
        error: str | None = None,
        fingerprint: str = "",
    ) -> Verdict:
        severity = self._override or (problem.severity if problem else None) or self._rule.severity
        return Verdict(
            node=self.node(subject) + (f"[{number}]" if number > 1 else ""),
            code=self._rule.code,
            name=self._rule.name,
            outcome=outcome,
            severity=severity,
            subject=location,
            problem=problem,
            skip=skip,
            error=error,
            fingerprint=fingerprint,
        )

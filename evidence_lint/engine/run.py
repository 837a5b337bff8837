"""Run rules on subjects and turn what happened into verdicts.

A rule that raises :class:`~evidence_lint.errors.Unavailable`, or whose provider does, is *skipped*; a rule or provider
that raises anything else is *errored*: never a pass, and the other rules still run.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

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
    strict: bool = False
    """Whether a warning is an error (profile ``strict``), where the configuration gives the rule no severity."""


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
        self.tails: set[str] = set()
        """Every check there is, as ``subject::rule-name``, whether or not it was asked for."""
        self.unknown: set[str] = set()
        """Names of rules whose subjects could not be had."""
        self.vacuous: set[str] = set()
        """Codes of rules that had nothing to look at: the bundle holds no such subject, or is of another dialect."""

    def run(self, checks: BundleChecks) -> list[Verdict]:
        """Run every rule that applies to the bundle, in order; return all verdicts, passed ones included."""
        verdicts: list[Verdict] = []
        for rule in checks.rules:
            if not self._graph.applies(rule, self._bundle):
                self.vacuous.add(rule.code)
                continue
            severity = checks.severities.get(rule.code)
            for made in self._run_rule(rule, severity, checks.nodes):
                verdict = made
                if checks.strict and severity is None and made.severity is Severity.WARNING:
                    verdict = replace(made, severity=Severity.ERROR)
                self._observe(verdict)
                verdicts.append(verdict)
        return verdicts

    def _run_rule(self, rule: Rule, severity: Severity | None, nodes: NodeFilter) -> Iterator[Verdict]:
        made = _Verdicts(rule, severity, self._path, self._fingerprints)
        whole = Location(self._bundle.main)
        try:
            subjects = self._subjects(rule)
            arguments = {name: self._values.resolve(kind) for name, kind in rule.needs.items()}
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - any fault of a provider is told, and the run goes on
            self.unknown.add(rule.name)
            if nodes.may_allow(self._path, rule.name, rule.code):
                yield made.undecided("bundle", whole, error)
            return
        if not subjects:
            self.vacuous.add(rule.code)
        for subject in subjects:
            name, location = "bundle", whole
            try:
                name = str(getattr(subject, "node", "bundle"))
                self.tails.add(f"{name}::{rule.name}")
                if not nodes.allows(self._path, name, rule.name, rule.code):
                    continue
                place = getattr(subject, "location", None)
                location = place if isinstance(place, Location) else whole
                verdicts = list(made.decided(name, location, rule(subject, **arguments)))
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - any fault of a rule is told, and the run goes on
                verdicts = [made.undecided(name, location, error)]
            yield from verdicts

    def _subjects(self, rule: Rule) -> Sequence[object]:
        source = self._graph.subject_source(rule)
        if isinstance(source, type) and isinstance(self._bundle, source):
            return [self._bundle]
        value = self._values.resolve(source)
        if source is rule.subject:
            return [value]
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise TypeError(f"the provider of {source} returned {type(value).__name__}, no sequence")
        return cast("Sequence[object]", value)


class _Verdicts:
    """Makes the verdicts of one rule on one bundle."""

    def __init__(self, rule: Rule, severity: Severity | None, path: str, fingerprints: Fingerprints) -> None:
        self._rule = rule
        self._override = severity
        self._path = path
        self._fingerprints = fingerprints
        self._numbers: Counter[str] = Counter()

    def undecided(self, subject: str, location: Location, error: BaseException) -> Verdict:
        """The check could not run, and says why, or it broke itself."""
        if isinstance(error, Unavailable):
            return self._make(subject, Outcome.SKIPPED, location, skip=Skip(error.code, error.message))
        frames = traceback.extract_tb(error.__traceback__)
        where = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
        return self._make(subject, Outcome.ERRORED, location, error=f"{type(error).__name__}: {error}{where}")

    def decided(self, subject: str, location: Location, problems: Iterable[Problem]) -> Iterator[Verdict]:
        """The check ran: one failed verdict a problem, or one passed. Raises whatever the check raises."""
        found = list(problems)
        for problem in found:
            # A rule may be anybody's, and untyped.
            if not isinstance(cast("object", problem), Problem):
                raise TypeError(f"the rule yielded {type(problem).__name__}, no Problem")
        fingerprints = [self._fingerprints.of(self._rule.name, problem) for problem in found]
        if not found:
            yield self._make(subject, Outcome.PASSED, location)
        for problem, fingerprint in zip(found, fingerprints, strict=True):
            # Counted by subject name: two subjects of one name shall not give two verdicts of one node.
            self._numbers[subject] += 1
            yield self._make(
                subject,
                Outcome.FAILED,
                location,
                number=self._numbers[subject],
                problem=problem,
                fingerprint=fingerprint,
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
            node=f"{self._path}::{subject}::{self._rule.name}" + (f"[{number}]" if number > 1 else ""),
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

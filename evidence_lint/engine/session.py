"""One run from beginning to end: collect bundles, load each, run its checks, sum up, decide the exit status."""

from __future__ import annotations

import difflib
import enum
import traceback
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from evidence_lint.dialect import LoadOptions
from evidence_lint.engine.catalogue import Catalogue
from evidence_lint.engine.collect import Found
from evidence_lint.engine.context import runs_last
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.resolve import Values
from evidence_lint.engine.run import BundleChecks, BundleRunner
from evidence_lint.engine.select import NodeFilter
from evidence_lint.engine.suppress import SuppressionPolicy, Suppressor
from evidence_lint.engine.workers import in_processes
from evidence_lint.errors import EvidenceLintError, SelectionError
from evidence_lint.execute import Capturing, Check, Executor, Work
from evidence_lint.model.artifact import Artifact, Bundle, Medium
from evidence_lint.model.capture import Capture
from evidence_lint.model.location import Location
from evidence_lint.model.policy import Policy
from evidence_lint.model.result import BundleResult, Counts, RuleInfo, RunInfo, RunResult, Summary
from evidence_lint.model.suppression import AfterRun
from evidence_lint.model.verdict import Outcome, Severity, Verdict
from evidence_lint.rule import Rule
from evidence_lint.sources.ports import CaptureSource, Sources

LOAD_FAILED = RuleInfo(
    code="IN000",
    name="bundle-not-loaded",
    family="IN",
    severity=Severity.ERROR,
    summary="The bundle can be loaded.",
    why="A bundle that breaks the loader was not checked at all.",
    fix="Report the traceback as a bug of evidence-lint, with the file that causes it.",
)


class ExitStatus(enum.IntEnum):
    """Exit statuses, as pytest's (chapter 10)."""

    OK = 0
    FAILED = 1
    INTERRUPTED = 2
    INTERNAL_ERROR = 3
    USAGE_ERROR = 4
    NOTHING_TO_CHECK = 5


@dataclass(frozen=True)
class Plan:
    """Everything that a run was asked for, resolved.

    ``checks`` gives the rules and severities of a bundle by its path, since the configuration may differ by path.
    ``fail_on`` is the mildest severity that fails the run, None for never.
    """

    catalogue: Catalogue
    checks: Callable[[Path], tuple[Sequence[Rule], Mapping[str, Severity]]]
    sources: Sources
    policy: Policy = field(default_factory=Policy)
    load: LoadOptions = field(default_factory=LoadOptions)
    info: RunInfo = field(default_factory=RunInfo)
    nodes: NodeFilter = field(default_factory=NodeFilter)
    fail_on: Severity | None = Severity.ERROR
    strict: bool = False
    keep_passed: bool = False
    notices: tuple[str, ...] = ()
    captures: Callable[[], Iterable[Capture]] = tuple
    suppression: SuppressionPolicy | None = None
    """What may be suppressed, and the baseline; None applies neither."""
    jobs: int = 1
    """How many bundles are checked at once."""
    worker_sources: Callable[[ExitStack, CaptureSource], Sources] | None = None
    """Makes sources for another process, which fetches through this one; None keeps the run in one process."""


class _Asked:
    """A source of captures that asks another process."""

    def __init__(self, capturing: Capturing) -> None:
        self._capturing = capturing

    def get(self, urls: Collection[str], /) -> Mapping[str, Capture]:
        return self._capturing(urls)


class Session:
    """Runs a plan."""

    def __init__(self, plan: Plan, locator: Locator | None = None) -> None:
        self._plan = plan
        self._locator = locator or Locator()
        self.interrupted = False
        """Whether the last run was ended before its time."""
        self._observed = True
        self._run_values = Values(plan.catalogue.graph, {Policy: plan.policy, Sources: plan.sources})
        self._hook = plan.catalogue.manager.hook
        self._suppressor = Suppressor(plan.suppression, self._locator) if plan.suppression is not None else None

    def run(self, found: Sequence[Found]) -> RunResult:
        """Check the bundles, as many at once as the plan says; their results come in order all the same.

        An interrupt ends the run; what was decided until then is kept.

        Raises :class:`SelectionError` when no check answers to a node that was asked for. Telling collectors of the
        finished run is left to the caller, who may fix and run again.
        """
        results: dict[int, BundleResult] = {}
        interrupted = self.interrupted = False
        executing = self._execute(found)
        try:
            for number, row in executing:
                results[number] = row
                self._hook.evidence_lint_bundle(result=row, done=len(results), total=len(found))
        except KeyboardInterrupt:
            interrupted = self.interrupted = True
        finally:
            executing.close()
        if not interrupted:
            for number in set(range(len(found))) - results.keys():
                results[number] = self._lost(found[number], "the executor gave no result")
        result = RunResult(
            bundles=tuple(results[number] for number in sorted(results)),
            info=self._plan.info,
            rules={**self._plan.catalogue.describe(), LOAD_FAILED.code: LOAD_FAILED},
            places=self._locator,
            captures=tuple(self._plan.captures()),
            notices=self._plan.notices,
        )
        return replace(result, exit_status=int(exit_status(result, self._plan.fail_on, interrupted=interrupted)))

    def _execute(self, found: Sequence[Found]) -> Generator[tuple[int, BundleResult]]:
        make = self._plan.worker_sources
        if self._plan.jobs <= 1 or len(found) <= 1 or make is None:
            yield from ((number, self.check(row)) for number, row in enumerate(found))
            return
        observed = bool(self._hook.evidence_lint_verdict.get_hookimpls())
        plan = replace(self._plan, keep_passed=self._plan.keep_passed or observed, jobs=1)

        def in_worker(stack: ExitStack, capturing: Capturing) -> Check:
            session = Session(replace(plan, sources=make(stack, _Asked(capturing))), self._locator)
            session._observed = False
            return lambda number: session.check(found[number])

        work = Work(
            count=len(found),
            jobs=self._plan.jobs,
            check=lambda number: self.check(found[number]),
            in_worker=in_worker,
            capture=self._plan.sources.captures.get,
            lost=lambda number, why: self._lost(found[number], why),
        )
        execute: Executor = self._hook.evidence_lint_executor(jobs=self._plan.jobs) or in_processes
        for number, row in execute(work):
            if observed:
                for verdict in (*row.verdicts, *row.passed):
                    self._hook.evidence_lint_verdict(verdict=verdict)
            yield number, row if self._plan.keep_passed else replace(row, passed=())

    def _lost(self, found: Found, why: str) -> BundleResult:
        return self._not_loaded(found, EvidenceLintError(why))

    def _observe(self, verdict: Verdict) -> None:
        if self._observed:
            self._hook.evidence_lint_verdict(verdict=verdict)

    def check(self, found: Found) -> BundleResult:
        """Load one bundle and run its checks; a loader that breaks is told as an errored verdict of its own."""
        try:
            bundle = found.dialect.load(found.candidate, self._plan.load)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - the fault is told, and the other bundles still run
            return self._not_loaded(found, error)
        values = Values(self._plan.catalogue.graph, _given(bundle), self._run_values)
        rules, severities = self._plan.checks(bundle.artifacts[bundle.main].path)
        runner = BundleRunner(
            bundle,
            values,
            self._plan.catalogue.graph,
            self._locator,
            self._observe,
        )
        nodes = replace(self._plan.nodes, nodes=(*self._plan.nodes.nodes, *found.nodes))
        first = [rule for rule in rules if not runs_last(rule)]
        verdicts = runner.run(BundleChecks(first, severities, nodes, strict=self._plan.strict))
        after = AfterRun()
        if self._suppressor is not None:
            verdicts, after = self._suppressor.apply(bundle, verdicts, runner.vacuous, narrowed=nodes.narrows)
        values.give(AfterRun, after)
        last = [rule for rule in rules if runs_last(rule)]
        verdicts += runner.run(BundleChecks(last, severities, nodes, strict=self._plan.strict))
        if nodes.nodes:
            self._require_answers(bundle, nodes, runner)
        try:
            summary = found.dialect.summarise(values.get)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a summary that breaks is an internal error, not silence
            summary = Summary()
            verdicts.append(self._broken(bundle, error))
        return _result(bundle, summary, verdicts, keep_passed=self._plan.keep_passed)

    def _require_answers(self, bundle: Bundle, nodes: NodeFilter, runner: BundleRunner) -> None:
        missing = nodes.unanswered(runner.tails, runner.unknown)
        if missing:
            path = self._locator.display_path(bundle.artifacts[bundle.main].path)
            near = difflib.get_close_matches(missing[0], runner.tails, n=1)
            hint = f"; did you mean {path}::{near[0]}?" if near else ""
            raise SelectionError(f"no selected check answers to {path}::{missing[0]}{hint}")

    def _not_loaded(self, found: Found, error: BaseException) -> BundleResult:
        main = found.candidate.main
        artifact = Artifact("main", main, Medium.TEXT)
        bundle = Bundle(found.candidate.path, main.parent, found.dialect.name, "main", {"main": artifact})
        return _result(bundle, Summary(), [self._broken(bundle, error)], keep_passed=False)

    def _broken(self, bundle: Bundle, error: BaseException) -> Verdict:
        frames = traceback.extract_tb(error.__traceback__)
        where = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
        path = self._locator.display_path(bundle.artifacts[bundle.main].path)
        return Verdict(
            node=f"{path}::bundle::{LOAD_FAILED.name}",
            code=LOAD_FAILED.code,
            name=LOAD_FAILED.name,
            outcome=Outcome.ERRORED,
            severity=Severity.ERROR,
            subject=Location(bundle.main),
            error=f"{type(error).__name__}: {error}{where}",
        )


def _given(bundle: Bundle) -> dict[object, object]:
    """The bundle under its own type and those that it derives from."""
    return {kind: bundle for kind in type(bundle).__mro__ if issubclass(kind, Bundle)}


def _result(bundle: Bundle, summary: Summary, verdicts: Sequence[Verdict], *, keep_passed: bool) -> BundleResult:
    passed = [verdict for verdict in verdicts if verdict.outcome is Outcome.PASSED]
    others = [verdict for verdict in verdicts if verdict.outcome is not Outcome.PASSED]
    return BundleResult(
        bundle=bundle,
        summary=summary,
        verdicts=tuple(others),
        counts=Counts.of(others, len(passed)),
        passed=tuple(passed) if keep_passed else (),
    )


def exit_status(result: RunResult, fail_on: Severity | None, *, interrupted: bool = False) -> ExitStatus:
    """Decide the exit status by its precedence: 3, then 2, then 1, then 5, then 0 (4 never gets this far)."""
    counts = result.counts
    if counts.errored:
        return ExitStatus.INTERNAL_ERROR
    if interrupted:
        return ExitStatus.INTERRUPTED
    if fail_on is not None and any(
        verdict.outcome is Outcome.FAILED and verdict.severity.rank <= fail_on.rank
        for bundle in result.bundles
        for verdict in bundle.verdicts
    ):
        return ExitStatus.FAILED
    if not result.bundles or not counts.ran:
        return ExitStatus.NOTHING_TO_CHECK
    return ExitStatus.OK

"""What a run found, as formats and collectors read it. Chapter 10 fixes how it is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from evidence_lint.model.artifact import JSON, Bundle
from evidence_lint.model.capture import Capture
from evidence_lint.model.location import Location, Position
from evidence_lint.model.verdict import Excerpted, Outcome, Severity, Verdict

Mode = Literal["offline", "auto", "live"]


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """One evidence entry of a finding. ``verified`` is None when this run could not decide it.

    ``facts`` go to machine output beside kind and ``verified``: by convention ``id``, ``url``, ``path``, ``lines``,
    ``commit``, ``excerpt``, ``reason`` and the like. ``shown`` is what a person sees beside the excerpt: the passage of
    the page or the lines of the blob. ``location`` is the entry's place in its record.
    """

    kind: str
    verified: bool | None
    facts: Mapping[str, JSON] = field(default_factory=dict[str, JSON])
    location: Location | None = None
    shown: tuple[Excerpted, ...] = ()


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding with its three confidences (chapter 3); what is undecided or absent is None.

    ``claim`` is the text of the claim where it is more than the title, for people.
    """

    id: str | None
    title: str | None
    stated_confidence: str | None
    requested_confidence: str | None
    effective_confidence: str | None
    usable: bool | None
    reasons: tuple[str, ...] = ()
    evidence: tuple[EvidenceRow, ...] = ()
    location: Location | None = None
    claim: str | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a dialect says about a whole bundle, beside the verdicts."""

    research_kind: str | None = None
    degradation: str | None = None
    declared_degradation: str | None = None
    findings: tuple[FindingRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Counts:
    """Verdicts by outcome; ``failed`` counts severity error alone."""

    passed: int = 0
    failed: int = 0
    warnings: int = 0
    infos: int = 0
    skipped: int = 0
    errored: int = 0
    suppressed: int = 0

    @classmethod
    def of(cls, verdicts: Sequence[Verdict], passed: int) -> Counts:
        """Count verdicts; ``passed`` checks are counted apart, since their verdicts may not be kept."""
        by_outcome = Counter(v.outcome for v in verdicts)
        failed = Counter(v.severity for v in verdicts if v.outcome is Outcome.FAILED)
        return cls(
            passed=passed,
            failed=failed[Severity.ERROR],
            warnings=failed[Severity.WARNING],
            infos=failed[Severity.INFO],
            skipped=by_outcome[Outcome.SKIPPED],
            errored=by_outcome[Outcome.ERRORED],
            suppressed=by_outcome[Outcome.SUPPRESSED],
        )

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.passed + other.passed,
            self.failed + other.failed,
            self.warnings + other.warnings,
            self.infos + other.infos,
            self.skipped + other.skipped,
            self.errored + other.errored,
            self.suppressed + other.suppressed,
        )

    @property
    def ran(self) -> int:
        """Checks that came to a decision."""
        return self.passed + self.failed + self.warnings + self.infos + self.errored + self.suppressed


@dataclass(frozen=True)
class BundleResult:
    """All verdicts on one bundle, in the order of their places.

    ``verdicts`` holds passed ones only when the run was asked to keep them. ``error`` is set when the bundle could
    not be loaded at all.
    """

    bundle: Bundle
    summary: Summary
    verdicts: tuple[Verdict, ...]
    counts: Counts
    passed: tuple[Verdict, ...] = ()

    def failed(self) -> list[Verdict]:
        """The failed verdicts, gravest first, then by place."""
        rows = [v for v in self.verdicts if v.outcome is Outcome.FAILED]
        return sorted(rows, key=lambda v: v.severity.rank)


@dataclass(frozen=True, slots=True)
class RunInfo:
    """How the run was made: what a reader needs to judge its word."""

    mode: Mode = "auto"
    allow_network: tuple[str, ...] = ()
    policy_source: str | None = None
    policy_revision: str | None = None
    policy_commit: str | None = None
    """The id of the commit that ``policy_revision`` means."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    keyword: str = ""
    repo: str | None = None


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """A rule as documentation and SARIF describe it."""

    code: str
    name: str
    family: str
    severity: Severity
    summary: str
    why: str
    fix: str


class Places(Protocol):
    """Turns symbolic locations into lines and columns, lazily (``engine/locate`` is the only implementation)."""

    def position(self, bundle: Bundle, location: Location) -> Position:
        """Lines and columns of a location; the artifact's first line when it cannot be found."""
        ...

    def source_lines(self, bundle: Bundle, artifact: str, first: int, last: int) -> Sequence[tuple[int, str]]:
        """The lines ``first..last`` (1-based, inclusive) of an artifact, without line ends."""
        ...

    def display_path(self, path: Path) -> str:
        """A path as output shows it: relative to the current directory where it lies below it."""
        ...


@dataclass(frozen=True)
class RunResult:
    """A finished run."""

    bundles: tuple[BundleResult, ...]
    info: RunInfo
    rules: Mapping[str, RuleInfo]
    places: Places
    captures: tuple[Capture, ...] = ()
    exit_status: int = 0
    notices: tuple[str, ...] = ()
    """Words about the run as a whole: an allow-listed network, a policy read from a revision."""

    @property
    def counts(self) -> Counts:
        """The sum over all bundles."""
        total = Counts()
        for result in self.bundles:
            total += result.counts
        return total


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """How to print. ``width`` is the terminal's columns (None: unlimited), ``color`` whether to use colours."""

    color: bool = False
    width: int | None = None
    show_passed: bool = False
    show_skipped: bool = True
    statistics: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """An output format: a name for ``--format`` and a function from a result to text."""

    name: str
    description: str
    render: Callable[[RunResult, FormatOptions], str]

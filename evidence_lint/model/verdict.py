"""What a rule says (problems) and what the engine makes of it (verdicts). Chapter 10 fixes the words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from evidence_lint.model.location import Location


class Severity(StrEnum):
    """How grave a problem is. Only errors fail a run by default (``--fail-on``)."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the gravest."""
        return ("error", "warning", "info").index(self.value)


class Outcome(StrEnum):
    """What became of a rule on a subject."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    ERRORED = "errored"
    SUPPRESSED = "suppressed"


class Applicability(StrEnum):
    """Whether a fix keeps the meaning (safe) or wants a look (unsafe)."""

    SAFE = "safe"
    UNSAFE = "unsafe"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace characters ``start..end`` of the decoded artifact by ``text``."""

    artifact: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that mend a problem; all or none are applied."""

    description: str
    edits: tuple[Edit, ...]
    applicability: Applicability = Applicability.SAFE


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains the problem: the record behind a line, the other of two duplicates."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Excerpted:
    """Text from outside the bundle that a person should see beside a problem: a passage of a page, lines of a blob.

    ``origin`` says where it stands (a URL, ``path:line @ commit``), ``lines`` what stands there. ``diff`` is a
    word diff against what the record claims: pairs of an operation (``equal``, ``insert``, ``delete``) and
    a text, where *delete* stands only in the record and *insert* only in the source.
    """

    origin: str
    lines: tuple[str, ...] = ()
    first_line: int | None = None
    diff: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, with exactly one primary location.

    ``message`` says what is wrong, ``help`` what a person can do about it. ``severity`` overrides the rule's
    default where the catalogue lets it depend on the case.
    """

    message: str
    location: Location
    help: str = ""
    related: tuple[Related, ...] = ()
    shown: tuple[Excerpted, ...] = ()
    fix: Fix | None = None
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """Why a check could not run: a stable ``code`` and words for a person."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Suppression:
    """What silenced a problem: an inline comment, a record's own block, or a baseline."""

    kind: str
    reason: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of one rule on one subject; a failed rule has one verdict for each problem.

    ``node`` is ``path::subject::rule-name`` (``…[2]`` from the second problem on).
    """

    node: str
    code: str
    name: str
    outcome: Outcome
    severity: Severity
    subject: Location | None = None
    problem: Problem | None = None
    skip: Skip | None = None
    error: str | None = None
    suppression: Suppression | None = None
    fingerprint: str = ""

    @property
    def location(self) -> Location | None:
        """Where the verdict stands: the problem's primary place, else the subject's."""
        return self.problem.location if self.problem is not None else self.subject

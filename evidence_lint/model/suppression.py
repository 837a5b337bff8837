"""Suppressions and baselines: what an author or a project asked not to be told again (chapter 10)."""

from __future__ import annotations

from dataclasses import dataclass, field

from evidence_lint.model.location import Location


@dataclass(frozen=True, slots=True)
class SuppressionMark:
    """An inline comment, or the block of a record, that asks to silence rules at its place.

    ``kind`` is ``inline`` or ``record``. ``lines`` are the report's lines that an inline mark speaks about (first and
    last, 1-based), ``pointer`` the record that a block belongs to.
    """

    kind: str
    selectors: tuple[str, ...]
    reason: str
    location: Location
    lines: tuple[int, int] | None = None
    pointer: str | None = None


@dataclass(frozen=True, slots=True)
class SuppressionUse:
    """What became of a mark in this run.

    ``used`` selectors silenced a problem, ``unused`` ones none although their rules ran, ``unknown`` ones name no rule,
    ``refused`` ones name rules that may not be suppressed here. A mark without a reason silences nothing.
    """

    mark: SuppressionMark
    used: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return f"suppression@{self.mark.location.pointer or ''}{self.mark.lines[0] if self.mark.lines else ''}"

    @property
    def location(self) -> Location:
        """The mark."""
        return self.mark.location


@dataclass(frozen=True, slots=True)
class BaselineEntry:
    """A known failure: its fingerprint, and what it was when it was written."""

    fingerprint: str
    rule: str
    path: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class AfterRun:
    """What META rules look at once every other rule has run on a bundle.

    ``stale`` are baseline entries of this bundle that nothing matches any more. ``ran`` are the codes of rules that
    came to a decision on the bundle, or had nothing to decide there; ``skipped`` those that were skipped or broke on
    any subject, with a reason. A rule may be in both.
    """

    suppressions: tuple[SuppressionUse, ...] = ()
    stale: tuple[BaselineEntry, ...] = ()
    baseline: str = ""
    ran: frozenset[str] = frozenset()
    skipped: dict[str, str] = field(default_factory=dict[str, str])
    required: tuple[str, ...] = ()
    """Codes of the rules that the policy's gate requires."""

"""The policy in force: what the project, not the report's author, has decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from evidence_lint.model.authority import AuthorityEntry
from evidence_lint.model.result import Mode

Label = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class Gate:
    """What a gate demands beyond the rules (chapter 10).

    ``without_live`` is the highest label that a web claim may state in a run without live capture (None: chapter 3
    alone decides); ``max_medium`` the most findings that may stay Medium.
    """

    without_live: Label | None = None
    max_medium: int | None = None
    required_rules: tuple[str, ...] = ()
    unsuppressible: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """One way in which the work tree's policy differs from the one in force: what, and how in words."""

    what: str
    detail: str


@dataclass(frozen=True, slots=True)
class Policy:
    """Run-wide decisions that rules and witnesses may read."""

    mode: Mode = "auto"
    authority: tuple[AuthorityEntry, ...] = ()
    gate: Gate = field(default_factory=Gate)
    revision: str | None = None
    """The revision that the policy was read from (``--policy-from``); None when it is the work tree's own."""
    changes: tuple[PolicyChange, ...] = ()
    """How the work tree's own policy would differ from it."""

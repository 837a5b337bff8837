"""Entries of an authority registry (chapter 3, end): which hosts the policy trusts, how far, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

AuthorityLevel = Literal[
    "government", "standards-body", "project-owned", "institutional", "news", "forum", "publishing"
]


@dataclass(frozen=True, slots=True)
class AuthorityEntry:
    """A host suffix and its level.

    ``host`` matches itself and its sub-domains on label boundaries. ``reason`` says why, ``checked`` on which day
    ownership was checked (None: never), ``project`` which project a project-owned host speaks for.
    """

    host: str
    level: AuthorityLevel
    reason: str
    checked: date | None = None
    project: str | None = None

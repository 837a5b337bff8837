"""What a check found out about a bundle that hovers and jumps need: joined records, beside the verdicts.

All of it is values of the nine-section dialect's providers, made while the bundle is checked. A dialect that provides
none of them gets diagnostics and fixes all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from evidence_lint.dialect import Resolve
from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.witness.claims import Claims
from evidence_lint.witness.index import EntryTargets
from evidence_lint.witness.matching import Matching
from evidence_lint.witness.units import Units

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Facts:
    """Each is None where it could not be had."""

    bundle: ResearchBundle | None = None
    targets: EntryTargets | None = None
    claims: Claims | None = None
    matching: Matching | None = None
    units: Units | None = None


def read_facts(resolve: Resolve) -> Facts:
    """Gather what can be had; never raises."""
    return Facts(
        bundle=_get(resolve, ResearchBundle),
        targets=_get(resolve, EntryTargets),
        claims=_get(resolve, Claims),
        matching=_get(resolve, Matching),
        units=_get(resolve, Units),
    )


def _get(resolve: Resolve, kind: type[T]) -> T | None:
    try:
        return resolve(kind)
    except Exception:  # noqa: BLE001 - why is told by the checks that needed it
        return None

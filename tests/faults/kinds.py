"""What a kind of fault and a kind of harmless edit are, and how they are registered."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from evidence_lint.model.verdict import Severity
from tests.faults.draft import Draft

Change: TypeAlias = Callable[[Draft], None]
"""Alters a copy of the draft. It closes over indices, never over parts of the draft that it was made from."""
Places: TypeAlias = Callable[[Draft, random.Random], Iterator[Change]]
"""All the changes of one kind that a draft has a place for."""


@dataclass(frozen=True)
class Kind:
    """A kind of fault or of harmless edit.

    ``answers`` are the names of the rules that may answer a fault, empty for a harmless edit. ``severity`` is the least
    that counts where the catalogue lets it depend on the case; None asks for the rule's own.
    """

    name: str
    places: Places
    answers: frozenset[str]
    severity: Severity | None = None


FAULTS: dict[str, Kind] = {}
HARMLESS: dict[str, Kind] = {}


def fault(name: str, *answers: str, warning: bool = False) -> Callable[[Places], Places]:
    """Register a kind of fault with the rules that may answer it; ``warning`` where a warning is all that is due."""

    def register(places: Places) -> Places:
        assert name not in FAULTS, name
        FAULTS[name] = Kind(name, places, frozenset(answers), Severity.WARNING if warning else None)
        return places

    return register


def harmless(name: str) -> Callable[[Places], Places]:
    """Register a kind of harmless edit."""

    def register(places: Places) -> Places:
        assert name not in HARMLESS, name
        HARMLESS[name] = Kind(name, places, frozenset())
        return places

    return register

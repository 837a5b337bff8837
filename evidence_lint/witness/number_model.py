"""What a number of a text is (:mod:`evidence_lint.witness.numbers`)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

Date: TypeAlias = tuple[int, int, int]
"""Year, month and day, each 0 where it is not said."""


class NumberKind(StrEnum):
    """How a number is compared."""

    VALUE = "value"
    DATE = "date"
    EXACT = "exact"
    """As it is written: versions, times of day, ratios."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text: ``values`` are its possible readings, ``unit`` the known unit that follows it, or "".

    ``exact`` is its plain spelling. ``parts`` are the numbers that it falls into when it is read as several.
    """

    start: int
    end: int
    text: str
    kind: NumberKind = NumberKind.VALUE
    values: frozenset[Decimal] = frozenset()
    unit: str = ""
    dates: frozenset[Date] = frozenset()
    exact: str = ""
    parts: tuple[Number, ...] = ()

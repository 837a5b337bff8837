"""Numbers of a text, and whether another text holds them (chapter 3, number screen; CIT116, SUP104).

A reader of figures, not of meaning. It knows separators (1,000 = 1000 = 1k), percentages, units, ranges, dates in
several forms, versions (compared whole) and small number words. In a *claim* it leaves out what is no number:
identifiers (``GO-2021-0113``, ``argv[7]``, ``RFC 9110``), references (``finding 2``, ``#12``), list ordinals and URLs.
A *source* is read generously, since nobody is accused of what stands there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal

from evidence_lint.witness.number_model import Date, Number, NumberKind
from evidence_lint.witness.number_near import surroundings
from evidence_lint.witness.number_scan import scan_claim, scan_source
from evidence_lint.witness.number_words import SIZES

__all__ = ["Date", "Number", "NumberIndex", "NumberKind", "missing_numbers", "numbers_in"]


_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]+")
"""Characters that split a number for a program and for no reader (chapter 4 drops them from excerpts too)."""


def numbers_in(text: str, skip: Iterable[tuple[int, int]] = ()) -> tuple[Number, ...]:
    """Return the numbers that a claim states, in order; ``skip`` are ranges to leave out, as citation markers.

    Number words count only from two to twelve and before a unit (``seven years``): other small words count things as
    often as they quote them.
    """
    return scan_claim(text, skip)


def missing_numbers(
    claim: str, sources: Iterable[NumberIndex], skip: Iterable[tuple[int, int]] = ()
) -> tuple[Number, ...]:
    """Return the numbers of a claim that none of *sources* holds."""
    numbers = numbers_in(claim, skip)
    # A source is read only when there is something to look for.
    known = tuple(sources) if numbers else ()
    return tuple(number for number in numbers if not any(source.holds(number) for source in known))


class NumberIndex:
    """The numbers of one or several source texts, ready to be asked. Texts are read when a question needs it."""

    def __init__(self, *texts: str) -> None:
        """Take the texts."""
        self._texts = tuple(text if text.isascii() else _INVISIBLE.sub("", text) for text in texts)
        self._read: _Numbers | None = None

    def holds(self, number: Number) -> bool:
        """Tell whether the texts hold *number*: the same value, date or version, in no other unit.

        Most numbers stand in a source as they are cited, so the lines around the same digits are read first; the whole
        text is read, in time linear in its length, only where that does not settle it.
        """
        if self._read is None:
            near = _Numbers(surroundings(self._texts, number.text))
            if near.holds(number):
                return True
            self._read = _Numbers(self._texts)
        return self._read.holds(number)


class _Numbers:
    """The numbers of texts that were read."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._values: dict[Decimal, set[str]] = defaultdict(set)
        self._sizes: set[tuple[str, Decimal]] = set()
        self._exact: set[str] = set()
        self._dates: set[Date] = set()
        self._percent_apart = False
        for text in texts:
            numbers, percent_apart = scan_source(text)
            self._percent_apart |= percent_apart
            for number in numbers:
                self._add(number)

    def _add(self, number: Number) -> None:
        for date in number.dates:
            year, month, day = date
            self._dates |= {date, (year, month, 0), (0, month, day)}
            if year:
                self._values[Decimal(year)].add("")
        if number.exact:
            self._exact.add(number.exact)
        for value in number.values:
            self._values[value].add(number.unit)
            if number.unit in SIZES:
                dimension, factor = SIZES[number.unit]
                self._sizes.add((dimension, value * factor))
        for part in number.parts:
            self._add(part)

    def holds(self, number: Number) -> bool:
        """Tell whether the texts hold *number*."""
        return self._holds_whole(number) or (bool(number.parts) and all(self.holds(part) for part in number.parts))

    def _holds_whole(self, number: Number) -> bool:
        if number.kind is NumberKind.DATE:
            return not self._dates.isdisjoint(number.dates)
        if number.kind is NumberKind.EXACT:
            return number.exact in self._exact
        return any(self._holds_value(value, number.unit) for value in number.values)

    def _holds_value(self, value: Decimal, unit: str) -> bool:
        units = self._values.get(value, set())
        if not unit:
            return bool(units)
        if unit in units:
            return True
        if unit == "percent":
            return "" in units and self._percent_apart
        if "" in units:
            return True
        if unit in SIZES:
            dimension, factor = SIZES[unit]
            return (dimension, value * factor) in self._sizes
        return False

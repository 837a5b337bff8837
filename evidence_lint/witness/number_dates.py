"""Dates in running text, in several forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from evidence_lint.witness.languages import CJK
from evidence_lint.witness.number_mask import Mask
from evidence_lint.witness.number_model import Date, Number, NumberKind
from evidence_lint.witness.number_words import MONTHS

_MONTH = "|".join(sorted(MONTHS, key=lambda name: -len(name)))
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<!\d)(?P<y>[12]\d{3})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?!\d|-\d)"
        r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?",
        rf"(?<![\d.])(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?[ \u00a0-](?:of |de )?(?P<month>{_MONTH})\b\.?"
        r"(?:,? (?:de )?|-)(?P<y>[12]\d{3})(?!\d)",
        rf"\b(?P<month>{_MONTH})\b\.?[ \u00a0](?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:, ?| )(?P<y>[12]\d{{3}})(?!\d)",
        rf"\b(?P<month>{_MONTH})\b\.?,? (?:of |de )?(?P<y>[12]\d{{3}})(?!\d)",
        rf"(?<![\d.])(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?(?P<month>{_MONTH})\b",
        rf"\b(?P<month>{_MONTH})\b\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?![\d,.]\d|\d)",
        r"(?<![\d/.])(?P<a>\d{1,2})(?P<sep>[/.])(?P<b>\d{1,2})(?P=sep)(?P<y>[12]\d{3})(?![\d/])",
        r"(?<!\d)(?P<y>[12]\d{3})\s?[年년]\s?(?P<m>\d{1,2})\s?[月월](?:\s?(?P<d>\d{1,2})\s?[日일号])?",
        r"(?<!\d)(?P<m>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日일号]",
        r"(?<![\d.-])(?P<y>[12]\d{3})[-/](?P<m>0[1-9]|1[0-2])(?![\d/-])",
        r"(?<![\d/.])(?P<m>0[1-9]|1[0-2])/(?P<y>[12]\d{3})(?![\d/])",
    )
)


def dates_in(masked: Mask, *, strict: bool) -> Iterator[Number]:
    """Yield the dates of a text and cover them; ``strict`` leaves out those that are part of a name."""
    for pattern in _DATES:
        taken: list[tuple[int, int]] = []
        for match in pattern.finditer(masked.text):
            dates = _read_date(match)
            if not dates or (strict and _inside_name(masked.text, match)):
                continue
            taken.append(match.span())
            # ``v2026.3.24`` is a version in a claim; its source may write it without the letter.
            exact = match[0] if "." in match[0] and match[0].replace(".", "").isdigit() else ""
            yield Number(*match.span(), match[0], NumberKind.DATE, dates=dates, exact=exact, parts=_span_parts(match))
        masked.cover_many(taken)


def _span_parts(match: re.Match[str]) -> tuple[Number, ...]:
    """``2010-12`` may also be two years; nothing else that looks like a date falls into numbers."""
    fields = match.groupdict()
    if fields.get("d") or fields.get("month") or "-" not in match[0] or not fields.get("y") or "sep" in fields:
        return ()
    century = fields["y"][:2]
    return (_year(match, "y", fields["y"]), _year(match, "m", century + fields["m"]))


def _year(match: re.Match[str], group: str, digits: str) -> Number:
    return Number(*match.span(group), digits, values=frozenset({Decimal(digits)}))


def _inside_name(text: str, match: re.Match[str]) -> bool:
    """Whether letters are glued to a date, as in a file's name."""
    before = text[max(0, match.start() - 2) : match.start()]
    after = text[match.end() : match.end() + 2]
    return bool(re.search(rf"[^\W{CJK}][-_./]?$|[-_/]$", before) or re.match(rf"_|[-.]?[^\W\d{CJK}]", after))


def _read_date(match: re.Match[str]) -> frozenset[Date]:
    fields = match.groupdict()
    year = int(fields.get("y") or 0)
    if "a" in fields:
        a, b = int(fields["a"]), int(fields["b"])
        return frozenset((year, month, day) for month, day in ((a, b), (b, a)) if _is_day(month, day))
    month = MONTHS[fields["month"]] if fields.get("month") else int(fields.get("m") or 0)
    day = int(fields.get("d") or 0)
    return frozenset({(year, month, day)}) if _is_day(month, day or 1) else frozenset()


def _is_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31

"""Finding numbers in running text: the patterns behind :mod:`evidence_lint.witness.numbers`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

from evidence_lint.witness.languages import CJK, STOP_WORDS
from evidence_lint.witness.number_words import CARDINALS, LETTER_SCALES, MONTHS, ORDINALS, SCALES, UNITS

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


_LONGEST_DIGITS = 40
_YEAR_DIGITS = 4
_GAP = "\u00a0\u2009\u202f\u2007 '’_"
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
_CLOCK = re.compile(r"(?<![\d:.])\d{1,4}(?::\d{1,4}){1,2}(?![\d:])")
_VERSION = re.compile(
    r"(?<![\d.])(?:\d+(?:\.\d+){2,}(?:-?(?:alpha|beta|rc|dev|pre|post)\.?\d*)?"
    r"|(?<=[vV])\d+(?:\.\d+)*)(?![\d]|\.\d)"
)
_NUMBER = re.compile(
    r"(?<![\d.,])(?:"
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?"
    rf"|\d{{1,3}}(?:[{_GAP}]\d{{3}})+(?:[.,]\d+)?(?!\d)"
    r"|\d+(?:[.,]\d+)?|\.\d+)|(?<=[\d][,.])\d+(?:[.,]\d+)?"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+")
_WORD = re.compile(r"[ \u00a0\u202f\u2009-]?(?:per cent\b|[%％‰$€£¥]|°[CFcf]\b|US\$|[^\W\d_]+)")
_GLUED = re.compile(r"[^\W\d_]+|[%％‰]")
_CURRENCY = re.compile(r"(?:US|A|C|HK)?[$€£¥](?=\s?$)|\b(?:USD|EUR|GBP|CNY|RMB|JPY)(?=\s?$)")
_RANGE = re.compile(r"\s?(?:[-–—~]|to|bis|until|and|或|至|到)\s?(?=\d)")
_NUMBER_WORDS = re.compile(
    r"\b(?P<word>"
    + "|".join(sorted({*CARDINALS, *ORDINALS}, key=lambda word: -len(word)))
    + r")\b(?:-(?P<unit>[a-z]+)\b)?",
    re.IGNORECASE,
)
_CJK_NUMERAL = re.compile("[〇零一二两三四五六七八九十]{1,4}")
_CJK_DIGITS = {char: value for value, chars in enumerate(("〇零", "一", "二两", *"三四五六七八九")) for char in chars}
_PERCENT_APART = re.compile(
    r"(?<![\d\s])\s*[\[(]?[%％]|\b(?:in|of) per ?cent\b|\bpercent(?:age)?s?\b|百分", re.IGNORECASE
)

_URL = re.compile(r"\b(?:https?|ftp)://[^\s<>\"“”]+|\bwww\.[^\s<>\"“”]+")
_REFERENCE = re.compile(
    r"(?:\b(?:findings?|sections?|sec\.|chapters?|ch\.|steps?|figures?|fig\.|tables?|tab\.|sources?|footnotes?|references?"
    r"|issues?|appendix|pages?|pp?\.|art\.|articles?|option|item|part|phase|stage|tier|level|note|claim|question|point|PR|no\.|nr\.|§+"
    r"|发现|结论|章节|来源|表|图)|(?<![\w&])#)\s*(?:#|no\.?\s*|nr\.?\s*)?"
    r"\d+(?:\.\d+)*(?:\s*(?:,|and|or|to|through|&|[-–])\s*#?\d+(?![\d.%]|\s*(?:%|percent)))*(?![\d%])",
    re.IGNORECASE,
)
_STANDARD = re.compile(
    r"\b(?:RFC|ISO|IEC|PEP|BCP|STD|CWE|CVE|IEEE|ANSI|ECMA|EIP|JEP|JSR|DIN|FIPS|NIST|ITU|GB/T)"
    r"(?:[/ ](?:IEC|IEEE|SP|EN|TR|TS))*[ \u00a0-]?[A-Z]{0,2}\.?\d[\w.:/-]*"
)
_ORDINAL_MARK = re.compile(
    r"(?m)^[ \t]*(?:[-*+•][ \t]+)?\(?\d{1,3}[.)](?=[ \t]+\S)|\(\d{1,2}\)(?=\s)|(?<!\S)\d{1,2}\)(?=\s)"
)
_RUN = re.compile(rf"[^\s\"“”‘’«»(){{}}<>;,!?|—―…\0{CJK}\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]+")
_LETTER = re.compile(r"[^\W\d]|_")
_PREFIXED = re.compile(
    r"(?:mid|pre|post|sub|non|early|late|ca|circa|over|under|near|by)[-.]\d|(?:US|A|C|HK)?[$€£¥]\d|(?:USD|EUR|GBP)\d"
    r"|[vV]\d|[xX×]\d+$",
    re.IGNORECASE,
)
_OPENINGS = STOP_WORDS | frozenset(
    "nearly almost roughly approximately around exactly another average median score rate version".split()
)
_MARK = "\0"


def scan_claim(text: str, skip: Iterable[tuple[int, int]]) -> tuple[Number, ...]:
    """The numbers of a claim, in order."""
    plain = _plain(text)
    masked = _Mask(plain)
    for start, end in skip:
        masked.cover(start, end)
    masked.cover_all(_URL)
    masked.cover_all(_STANDARD)
    found = list(_dates(masked, strict=True))
    masked.cover_all(_ORDINAL_MARK)
    masked.cover_all(_REFERENCE)
    _cover_identifiers(masked)
    found += _exact(masked)
    found += _values(masked, strict=True)
    found += _word_quantities(masked)
    return tuple(sorted(found, key=lambda number: number.start))


def scan_source(text: str) -> tuple[tuple[Number, ...], bool]:
    """The numbers of a source, and whether a percent sign or word stands in it away from any number."""
    plain = unicodedata.normalize("NFKC", text)
    masked = _Mask(plain)
    found = list(_dates(masked, strict=False))
    found += _exact(masked)
    found += _values(masked, strict=False)
    found += _words(masked)
    return tuple(found), _PERCENT_APART.search(plain) is not None


def _plain(text: str) -> str:
    """Full-width and other digits as ASCII ones, character by character, so that offsets stay."""
    if text.isascii():
        return text
    return "".join(
        folded if len(folded := unicodedata.normalize("NFKC", char)) == 1 and not char.isspace() else char
        for char in text
    )


class _Mask:
    """A text with parts covered, offsets unchanged."""

    def __init__(self, text: str) -> None:
        self.text = text

    def cover(self, start: int, end: int) -> None:
        start, end = max(0, start), min(end, len(self.text))
        if start < end:
            self.cover_many([(start, end)])

    def cover_all(self, pattern: re.Pattern[str]) -> None:
        self.text = pattern.sub(lambda match: _MARK * len(match[0]), self.text)

    def cover_many(self, ranges: Iterable[tuple[int, int]]) -> None:
        parts: list[str] = []
        at = 0
        for begin, end in sorted(ranges):
            start = max(begin, at)
            if start < end:
                parts += [self.text[at:start], _MARK * (end - start)]
                at = end
        self.text = "".join([*parts, self.text[at:]])


def _cover_identifiers(masked: _Mask) -> None:
    """Cover runs that mix digits with the letters of a name: ``GO-2021-0113``, ``argv[7]``, ``sha256``, ``3D``."""
    covered: list[tuple[int, int]] = []
    for run in _RUN.finditer(masked.text):
        body = run[0].strip(".,:'*`")
        if not any(char.isdigit() for char in body) or not _LETTER.search(body):
            if body in {"24/7", "50/50"} or "^" in body:
                covered.append(run.span())
            continue
        if not _PREFIXED.match(body.lstrip("~≈≥≤=+-±")) and not _is_quantity(body.lstrip("~≈≥≤=+-±")):
            covered.append(run.span())
    masked.cover_many(covered)


def _is_quantity(body: str) -> bool:
    """Whether a run that begins with a digit is a number with what it counts: ``30-day``, ``5ms``, ``10x``, ``90s``."""
    if _VERSION.fullmatch(body):
        return True
    if "^" in body or re.fullmatch(r"\d+(?:\.\d+)*\.[xX*]|\d+-(?:based|indexed)", body):
        return False
    number = re.match(r"[\[$€£¥]?\d[\d.,_'’:]*(?:[-–/]\d[\d.,]*)*", body)
    if number is None:
        return False
    rest = body[number.end() :].rstrip(".,:;%]")
    if not rest:
        return True
    if any(char.isdigit() for char in rest) or "_" in rest or rest.startswith("."):
        return False
    if rest[0] in "-–/%+":
        return True
    glued = _GLUED.match(rest)
    word = glued[0] if glued else rest
    if len(word) == 1 and word.isupper():
        return word in LETTER_SCALES or word in "WV"
    return word in LETTER_SCALES or word.lower() in {*UNITS, *SCALES, "st", "nd", "rd", "th", "er", "e"} or word in {
        "KB", "MB", "GB", "TB", "Mbps", "Gbps", "Kbps", "bps", "bp", "M+", "fps", "tok", "W", "kWh", "V", "nm", "ft",
    }  # fmt: skip


def _dates(masked: _Mask, *, strict: bool) -> Iterator[Number]:
    for pattern in _DATES:
        taken: list[tuple[int, int]] = []
        for match in pattern.finditer(masked.text):
            dates = _read_date(match)
            if not dates or (strict and _inside_name(masked.text, match)):
                continue
            taken.append(match.span())
            yield Number(match.start(), match.end(), match[0], NumberKind.DATE, dates=dates, parts=_span_parts(match))
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


def _exact(masked: _Mask) -> list[Number]:
    """Versions and times of day, which are compared as they are written."""
    found: list[Number] = []
    for pattern in (_VERSION, _CLOCK):
        taken: list[tuple[int, int]] = []
        for match in pattern.finditer(masked.text):
            taken.append(match.span())
            exact = match[0].lower()
            if pattern is _CLOCK:
                exact = ":".join(str(int(part)) if i == 0 else part for i, part in enumerate(exact.split(":")))
            values: frozenset[Decimal] = frozenset()
            if _THOUSANDS.fullmatch(exact) and len(exact) <= _LONGEST_DIGITS:
                values = frozenset({Decimal(exact.replace(".", ""))})
            kind = NumberKind.VALUE if values else NumberKind.EXACT
            found.append(Number(match.start(), match.end(), match[0], kind, values=values, exact=exact))
        masked.cover_many(taken)
    return found


def _values(masked: _Mask, *, strict: bool) -> Iterator[Number]:
    text = masked.text
    for match in _NUMBER.finditer(text):
        digits = match[0].strip(",")
        if len(digits) > _LONGEST_DIGITS:
            continue
        readings, parts = _readings(digits)
        if not readings:
            continue
        unit, factors, end = _measured(text, match.end())
        before = text[max(0, match.start() - 8) : match.start()]
        if not unit and (currency := _CURRENCY.search(before)):
            unit = UNITS.get(currency[0].lower().lstrip("achku")[-3:], UNITS.get(currency[0][-1], ""))
        if strict and factors == _ONE and not unit and _follows_name(before, text, match):
            yield Number(match.start(), match.end(), match[0], NumberKind.EXACT, exact=digits)
            continue
        values = frozenset(value * factor for value in readings for factor in factors)
        pieces = tuple(_piece(match.start(), part) for part in parts)
        yield Number(
            match.start(), end, text[match.start() : end].strip(), values=values, unit=unit, exact=digits, parts=pieces
        )


_ONE = (Decimal(1),)


def _piece(start: int, digits: str) -> Number:
    return Number(start, start + len(digits), digits, values=frozenset({Decimal(digits)}), exact=digits)


def _follows_name(before: str, text: str, match: re.Match[str]) -> bool:
    """Whether a decimal is a version: it follows a name or the word ``version``, as in ``Python 3.10``."""
    if not re.fullmatch(r"\d+\.\d+", match[0]):
        return False
    line = text[max(0, match.start() - 40) : match.start()]
    word = re.search(r"(?P<gap>^|[^\w])(?P<word>[A-Za-z][\w.+#-]*) $", line)
    if word is None:
        return bool(re.search(r"[vV]$", before))
    if word["word"].lower() in {"version", "versions", "release", "releases", "v", "ver"}:
        return True
    # The first word of a sentence is capital without being a name.
    return word["word"][0].isupper() and word["word"].lower() not in _OPENINGS


def _readings(digits: str) -> tuple[frozenset[Decimal], tuple[str, ...]]:
    """What a string of digits and separators may mean, and the numbers that it falls into when it is a list."""
    plain = re.sub(f"[{_GAP}]", "", digits)
    spaced = tuple(digits.split(" ")) if " " in digits else ()
    if "," not in plain and "." not in plain:
        return frozenset({Decimal(plain)}), spaced
    if re.fullmatch(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?", plain):
        whole = frozenset({Decimal(plain.replace(",", ""))})
        return whole, tuple(part for part in plain.split(",")) if "." not in plain else ()
    if "," in plain and "." not in plain:
        return frozenset({Decimal(plain.replace(",", "."))}), tuple(plain.split(","))
    if "," in plain:
        return frozenset({Decimal(plain.replace(".", "").replace(",", "."))}), ()
    values = {Decimal(plain)}
    if _THOUSANDS.fullmatch(plain) and not plain.startswith("0"):
        values.add(Decimal(plain.replace(".", "")))
    return frozenset(values), ()


def _measured(text: str, end: int) -> tuple[str, tuple[Decimal, ...], int]:
    """The unit after a number, what multiplies it, and where both end; a range takes them from its other end."""
    at = end
    for _ in range(2):
        if other := _RANGE.match(text, at):
            far = _NUMBER.match(text, other.end())
            if far is None:
                break
            at = far.end()
    shared = at != end
    factors: tuple[Decimal, ...] = _ONE
    word = _WORD.match(text, at)
    if word and (power := _power(word[0], glued=word[0][0] not in " \u00a0\u202f\u2009-")):
        factors = power
        at = word.end()
        word = _WORD.match(text, at)
    unit = _unit(word[0]) if word else ""
    if word and word[0] == "s" and at >= _YEAR_DIGITS and text[at - _YEAR_DIGITS : at].isdigit():
        unit = ""  # the 1990s
    if unit and word:
        at = word.end()
    return unit, factors, end if shared else at


def _power(word: str, *, glued: bool) -> tuple[Decimal, ...]:
    bare = word.strip(" \u00a0\u202f\u2009-")
    if bare.lower() in SCALES:
        return (Decimal(10) ** SCALES[bare.lower()],)
    if bare[:2] in SCALES or bare[:1] in SCALES:
        return (Decimal(10) ** SCALES[bare[:2] if bare[:2] in SCALES else bare[:1]],)
    return LETTER_SCALES.get(bare, ()) if glued else ()


def _unit(word: str) -> str:
    bare = word.strip(" \u00a0\u202f\u2009-").lower().replace("per cent", "percent")
    if bare in UNITS:
        return UNITS[bare]
    # Ideographs follow each other without spaces, so a unit is a beginning of what stands there.
    if bare and ord(bare[0]) >= 0x2E80:
        return next((UNITS[bare[:size]] for size in (3, 2, 1) if bare[:size] in UNITS), "")
    return ""


def _word_quantities(masked: _Mask) -> Iterator[Number]:
    """Number words from two to twelve that a known unit follows."""
    for match in _NUMBER_WORDS.finditer(masked.text):
        value = CARDINALS.get(match["word"].lower(), 0)
        if not 2 <= value <= 12:
            continue
        unit, factors, end = _measured(masked.text, match.end("word"))
        if unit and unit != "times":
            values = frozenset(value * factor for factor in factors)
            yield Number(match.start(), end, masked.text[match.start() : end], values=values, unit=unit)


def _words(masked: _Mask) -> Iterator[Number]:
    """All number words of a source."""
    text = masked.text
    for match in _NUMBER_WORDS.finditer(text):
        word = match["word"].lower()
        value = CARDINALS.get(word, ORDINALS.get(word, 0))
        end = match.end("word")
        if value >= 20 and match["unit"] and match["unit"].lower() in {**CARDINALS, **ORDINALS}:
            value += CARDINALS.get(match["unit"].lower(), ORDINALS.get(match["unit"].lower(), 0))
            end = match.end()
        unit, factors, stop = _measured(text, end)
        values = frozenset(value * factor for factor in factors)
        yield Number(match.start(), stop, match[0], values=values, unit=unit)
    for match in _CJK_NUMERAL.finditer(text):
        numeral = _cjk_value(match[0])
        if numeral is not None:
            unit, factors, stop = _measured(text, match.end())
            values = frozenset(numeral * factor for factor in factors)
            yield Number(match.start(), stop, match[0], values=values, unit=unit)


def _cjk_value(text: str) -> Decimal | None:
    """The value of an ideographic numeral below one hundred."""
    tens, mark, ones = text.partition("十")
    if not mark:
        return Decimal(_CJK_DIGITS[text]) if len(text) == 1 else None
    if len(tens) > 1 or len(ones) > 1 or "十" in ones:
        return None
    return Decimal(10 * (_CJK_DIGITS[tens] if tens else 1) + (_CJK_DIGITS[ones] if ones else 0))

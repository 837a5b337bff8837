"""Finding numbers in running text: the patterns behind :mod:`evidence_lint.witness.numbers`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from decimal import Decimal

from evidence_lint.witness.languages import STOP_WORDS
from evidence_lint.witness.normalize import without_widest
from evidence_lint.witness.number_dates import dates_in
from evidence_lint.witness.number_marks import is_set_off, without_raised
from evidence_lint.witness.number_mask import VERSION, Mask, cover_identifiers, cover_ordinals, cover_strangers
from evidence_lint.witness.number_model import Number, NumberKind
from evidence_lint.witness.number_words import CARDINALS, LETTER_SCALES, ORDINALS, SCALES, UNITS

_LONGEST_DIGITS = 40
_YEAR_DIGITS = 4
_GAP = "\u00a0\u2009\u202f\u2007 '’_"
_CLOCK = re.compile(r"(?<![\d:.])\d{1,4}(?::\d{1,4}){1,2}(?![\d:])")
_NUMBER = re.compile(
    r"(?<![\d.,])(?:"
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?"
    rf"|\d{{1,3}}(?:[{_GAP}]\d{{3}})+(?:[.,]\d+)?(?!\d)"
    r"|\d+(?:[.,]\d+)?|\.\d+)|(?<=[\d][,.])\d+(?:[.,]\d+)?"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+")
_WORD = re.compile(
    r"[ \u00a0\u202f\u2009-]?(?:per cent\b|mil (?:millones|milhões)\b|[%％‰$€£¥]|°[CFcf]\b|US\$|[^\W\d_]+)"
)
_OF = re.compile(r"[ \u00a0\u202f\u2009](?:de |d['’]|di |of )")
"""What stands between a scale and its unit: ``millions d'euros``."""
_UNIT_IDEOGRAPHS = re.compile("[千百][瓦克米卡帕赫焦伏安字分]|兆[瓦赫字比帕欧]")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_OTHER_MARKS = str.maketrans({"٪": "%", "٫": ".", "٬": ","})
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

_OPENINGS = STOP_WORDS | frozenset(
    {
        "nearly",
        "almost",
        "roughly",
        "approximately",
        "around",
        "exactly",
        "another",
        "average",
        "median",
        "score",
        "rate",
    }
)


def scan_claim(text: str, skip: Iterable[tuple[int, int]]) -> tuple[Number, ...]:
    """The numbers of a claim, in order."""
    plain = _plain(text)
    masked = Mask(plain)
    for start, end in skip:
        masked.cover(start, end)
    cover_strangers(masked)
    found = list(dates_in(masked, strict=True))
    cover_ordinals(masked)
    cover_identifiers(masked)
    found += _exact(masked)
    found += _values(masked, strict=True)
    found += _word_quantities(masked)
    return tuple(sorted(found, key=lambda number: number.start))


def scan_source(text: str) -> tuple[tuple[Number, ...], bool]:
    """The numbers of a source, and whether a percent sign or word stands in it away from any number."""
    plain = _western(unicodedata.normalize("NFKC", without_raised(without_widest(text))))
    masked = Mask(plain)
    found = list(dates_in(masked, strict=False))
    found += _exact(masked)
    found += _values(masked, strict=False)
    found += _words(masked)
    return tuple(found), _PERCENT_APART.search(plain) is not None


def _plain(text: str) -> str:
    """Full-width digits and odd spaces as plain ones, character by character, so that offsets stay."""
    return text if text.isascii() else _western("".join(map(_plain_char, text)))


def _western(text: str) -> str:
    """The digits of every script, and the marks of Arabic numbers, as those of ASCII; offsets stay."""
    if text.isascii():
        return text
    return _OTHER_DIGIT.sub(lambda found: str(unicodedata.digit(found[0])), text.translate(_OTHER_MARKS))


def _plain_char(char: str) -> str:
    if char.isspace():
        return char if char == "\n" else " "
    if is_set_off(char):
        return char
    folded = unicodedata.normalize("NFKC", char)
    return folded if len(folded) == 1 else char


def _exact(masked: Mask) -> list[Number]:
    """Versions and times of day, which are compared as they are written."""
    found: list[Number] = []
    for pattern in (VERSION, _CLOCK):
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


def _values(masked: Mask, *, strict: bool) -> Iterator[Number]:
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
        word = _WORD.match(text, linked.end() - 1 if (linked := _OF.match(text, at)) else at)
    unit = _unit(word[0]) if word else ""
    if word and word[0] == "s" and at >= _YEAR_DIGITS and text[at - _YEAR_DIGITS : at].isdigit():
        unit = ""  # the 1990s
    if unit and word:
        at = word.end()
    return unit, factors, end if shared else at


def _power(word: str, *, glued: bool) -> tuple[Decimal, ...]:
    bare = word.strip(" \u00a0\u202f\u2009-")
    if _UNIT_IDEOGRAPHS.match(bare):
        return ()
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


def _word_quantities(masked: Mask) -> Iterator[Number]:
    """Number words from two to twelve that a known unit follows."""
    for match in _NUMBER_WORDS.finditer(masked.text):
        value = CARDINALS.get(match["word"].lower(), 0)
        if not 2 <= value <= 12:
            continue
        unit, factors, end = _measured(masked.text, match.end("word"))
        if unit and unit != "times":
            values = frozenset(value * factor for factor in factors)
            yield Number(match.start(), end, masked.text[match.start() : end], values=values, unit=unit)


def _words(masked: Mask) -> Iterator[Number]:
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

"""What is no number in a claim: URLs, references, list ordinals, standards and identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from evidence_lint.witness.languages import CJK
from evidence_lint.witness.number_words import LETTER_SCALES, SCALES, UNITS

_URL = re.compile(r"\b(?:https?|ftp)://[^\s<>\"“”]+|\bwww\.[^\s<>\"“”]+")
_REFERENCE = re.compile(
    r"(?:\b(?:findings?|sections?|sec\.|chapters?|ch\.|steps?|figures?|fig\.|tables?|tab\.|sources?|footnotes?|references?"
    r"|issues?|appendix|pages?|pp?\.|art\.|articles?|option|item|part|phase|stage|tier|level|note|claim|question|point|PR|no\.|nr\."
    r"|发现|结论|章节|来源|表|图)|§+|(?<![\w&])#)\s*(?:#|no\.?\s*|nr\.?\s*)?"
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
_GLUED = re.compile(r"[^\W\d_]+|[%％‰]")
VERSION = re.compile(
    r"(?<![\d.])(?:\d+(?:\.\d+){2,}(?:-?(?:alpha|beta|rc|dev|pre|post)\.?\d*)?"
    r"|(?<=[vV])\d+(?:\.\d+)*)(?![\d]|\.\d)"
)
_MARK = "\0"


class Mask:
    """A text with parts covered, offsets unchanged."""

    def __init__(self, text: str) -> None:
        self.text = text

    def cover(self, start: int, end: int) -> None:
        """Cover one range, as far as it lies in the text."""
        start, end = max(0, start), min(end, len(self.text))
        if start < end:
            self.cover_many([(start, end)])

    def cover_all(self, pattern: re.Pattern[str]) -> None:
        """Cover whatever a pattern matches."""
        self.text = pattern.sub(lambda match: _MARK * len(match[0]), self.text)

    def cover_many(self, ranges: Iterable[tuple[int, int]]) -> None:
        """Cover ranges of the text, in one pass."""
        parts: list[str] = []
        at = 0
        for begin, end in sorted(ranges):
            start = max(begin, at)
            if start < end:
                parts += [self.text[at:start], _MARK * (end - start)]
                at = end
        self.text = "".join([*parts, self.text[at:]])


def cover_strangers(masked: Mask) -> None:
    """Cover URLs, names of standards and what refers to something by its number."""
    masked.cover_all(_URL)
    masked.cover_all(_STANDARD)


def cover_ordinals(masked: Mask) -> None:
    """Cover list ordinals and references, once dates are read."""
    masked.cover_all(_ORDINAL_MARK)
    masked.cover_all(_REFERENCE)


def cover_identifiers(masked: Mask) -> None:
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
    if VERSION.fullmatch(body):
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

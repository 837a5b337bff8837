"""IN007: no characters in the report that a reader does not see."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

from evidence_lint.model.example import Expected, base_report, research_example
from evidence_lint.model.location import Location, Span
from evidence_lint.model.report import REPORT, Report
from evidence_lint.model.verdict import Applicability, Edit, Fix, Problem, Severity
from evidence_lint.rule import rule

_NUL = "\0"
_JOINERS = "\u200c\u200d"
_SPACE = "\u200b"
_MARKS = "\u200e\u200f\u061c"
_EMBEDDINGS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_ZERO_WIDTH = frozenset("\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u180e")
_TAGS = range(0xE0000, 0xE0080)
_BLACK_FLAG = "\U0001f3f4"
_SUSPECTS = re.compile(
    "[" + "".join(sorted({_NUL, *_MARKS, *_EMBEDDINGS, *_ZERO_WIDTH})) + f"{chr(_TAGS[0])}-{chr(_TAGS[-1])}" + "]+"
)
_LONGEST_FLAG = 7
_FLAG = re.compile(f"{_BLACK_FLAG}[{chr(_TAGS[0])}-{chr(_TAGS[-1])}]{{1,{_LONGEST_FLAG}}}\\Z")

# Scripts whose spelling needs joiners: Arabic and its neighbours, Indic scripts, Tibetan, Burmese, Khmer, Mongolian.
_JOINING = (
    (0x0600, 0x08FF), (0x0900, 0x0DFF), (0x0F00, 0x109F), (0x1780, 0x18AF), (0x1A20, 0x1AAF), (0x1B00, 0x1C4F),
    (0xA800, 0xAAFF), (0xABC0, 0xABFF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC), (0x10A00, 0x11FFF), (0x1E900, 0x1E95F),
)  # fmt: skip
# Scripts without spaces, where a zero-width space tells where a line may break.
_UNSPACED = ((0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19DF), (0x1A20, 0x1AAF), (0xAA60, 0xAADF))
_MOST = 100


@rule(
    "IN007",
    "report-characters",
    severity=Severity.WARNING,
    passes=[
        research_example("plain text"),
        research_example("a byte order mark", report="\ufeff" + base_report()),
        research_example(
            "joiners inside emoji", sections={3: "Three copies, says the team 👩\u200d💻 and 🏳\ufe0f\u200d🌈."}
        ),
        research_example("a non-joiner in a Persian word", sections={3: "می\u200cخواهم سه نسخه."}),
        research_example("a joiner in a Hindi word", sections={3: "क\u094d\u200dष तीन प्रतियाँ।"}),
        research_example("a mark beside Hebrew letters", sections={3: "עברית\u200f (three copies)."}),
        research_example("line breaks of Thai", sections={3: "สำเนา\u200bสาม\u200bฉบับ"}),
        research_example(
            "the flag of Wales", sections={3: "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"}
        ),
        research_example("soft hyphens and no-break spaces are seen", sections={3: "Wert\u00adpapier,\u00a07 years"}),
    ],
    fails=[
        research_example(
            "text that is shown in another order",
            Expected("a bidirectional control (U+202E RIGHT-TO-LEFT OVERRIDE)…"),
            Expected("a bidirectional control (U+202C POP DIRECTIONAL FORMATTING)…"),
            sections={3: "Three copies are \u202edetcepxe\u202c."},
        ),
        research_example(
            "one problem for a run",
            Expected("3 invisible characters (U+200B ZERO WIDTH SPACE, U+2060 WORD JOINER)…"),
            sections={3: "Three cop\u200b\u2060\u200bies."},
        ),
        research_example(
            "a joiner between Latin letters",
            Expected("an invisible character (U+200D ZERO WIDTH JOINER)…"),
            sections={3: "Three co\u200dpies."},
        ),
        research_example("a NUL", Expected("a NUL character (U+0000)…"), sections={3: "Three\0 copies."}),
        research_example(
            "a mark where nothing runs from right to left",
            Expected("a bidirectional control (U+200F RIGHT-TO-LEFT MARK)…"),
            sections={3: "Three\u200f copies."},
        ),
        research_example(
            "a byte order mark inside the text",
            Expected("an invisible character (U+FEFF ZERO WIDTH NO-BREAK SPACE)…"),
            sections={3: "Three \ufeffcopies."},
        ),
        research_example(
            "hidden words in tag characters",
            Expected("2 invisible characters (U+E0068 TAG LATIN SMALL LETTER H, …"),
            sections={3: "Three copies.\U000e0068\U000e0069"},
        ),
    ],
    fixable=True,
)
def report_characters(report: Report) -> Iterator[Problem]:
    """The report holds no characters that a reader cannot see.

    Why: NUL, bidirectional controls and zero-width characters make a person and a program read different texts; they
    hide words, and make equal words unequal. Where a script or an emoji needs them they are left alone.

    Fix: delete them.
    """
    runs = _runs(report.text)
    for start, end in islice(runs, _MOST):
        span = Span(start, end)
        edit = Edit(REPORT, start, end, "")
        yield Problem(
            f"{_described(report.text[start:end])} in the report",
            Location(REPORT, span),
            fix=Fix("delete the invisible characters", (edit,), Applicability.UNSAFE),
        )
    rest = list(runs)
    if rest:
        places = f"{len(rest)} more {'place' if len(rest) == 1 else 'places'}"
        yield Problem(f"invisible characters in {places}", Location(REPORT, Span(*rest[0])))


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """The runs of suspect characters, cut where a script or an emoji needs one."""
    for match in _SUSPECTS.finditer(text):
        start: int | None = None
        for at in range(*match.span()):
            if _legitimate(text, at):
                if start is not None:
                    yield start, at
                start = None
            elif start is None:
                start = at
        if start is not None:
            yield start, match.end()


def _legitimate(text: str, at: int) -> bool:
    """Whether the script or the emoji around a character needs it."""
    char = text[at]
    before, after = _before(text, at), text[at + 1 : at + 2]
    if char in _JOINERS:
        spelled = _in(before, _JOINING) and (char == "\u200c" or not after or not _latin(after))
        return spelled or (char == "\u200d" and _pictorial(before) and _pictorial(after))
    if char == _SPACE:
        return _in(before, _UNSPACED) and (not after.strip() or _in(after, _UNSPACED))
    if char in _MARKS:
        return any(
            unicodedata.bidirectional(near) in {"R", "AL", "AN"}
            for near in text[max(0, at - 3) : at + 4]
            if near != char
        )
    if ord(char) in _TAGS:
        return _FLAG.search(text[max(0, at - _LONGEST_FLAG) : at + 1]) is not None
    return False


def _before(text: str, at: int) -> str:
    """The character that a joiner follows, past variation selectors, skin tones and combining marks."""
    at -= 1
    while at > 0 and (text[at] in "\ufe0e\ufe0f" or "\U0001f3fb" <= text[at] <= "\U0001f3ff"):
        at -= 1
    return text[at] if at >= 0 else ""


def _in(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return bool(char) and any(first <= ord(char) <= last for first, last in ranges)


def _latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _pictorial(char: str) -> bool:
    return bool(char) and (unicodedata.category(char) == "So" or ord(char) >= 0x1F000)


def _described(run: str) -> str:
    distinct = list(dict.fromkeys(run))
    names = ", ".join(f"U+{ord(char):04X} {unicodedata.name(char, '')}".strip() for char in distinct[:4])
    names += ", …" if len(distinct) > 4 else ""
    if set(run) == {_NUL}:
        return f"a NUL character ({names})" if len(run) == 1 else f"{len(run)} NUL characters ({names})"
    kind = "bidirectional control" if set(run) <= _EMBEDDINGS | set(_MARKS) else "invisible character"
    article = "an" if kind.startswith("i") else "a"
    return f"{article} {kind} ({names})" if len(run) == 1 else f"{len(run)} {kind}s ({names})"

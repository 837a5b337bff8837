"""Quotations in a plain text, and whether one occurs in the evidence (CIT115).

Marks are paired conservatively: within a paragraph, within a bounded length, and never at an apostrophe, an inch or a
minute. What cannot be paired is no quotation.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from evidence_lint.witness.denials import denial_pattern, first_denial, guess_languages
from evidence_lint.witness.excerpts import ONE_MARK, PageText
from evidence_lint.witness.languages import HAN, HIRAGANA, UNSPACED
from evidence_lint.witness.normalize import normalize

_LONGEST = 2000
_FEWEST_WORDS = 4
_FEWEST_IDEOGRAPHS = 6
_WIDEST_GAP = 500
"""Normalised characters that an ellipsis may stand for."""
_WIDEST_EDIT = 60
"""Normalised characters that words in brackets may stand for."""
_FEWEST_PART_WORDS = 2
_MOST_TRIALS = 400

# The closers of each opener, the proper ones first. Title marks 《》 name a work and quote nothing.
_CLOSERS = {
    '"': ('"', "”"),
    "\uff02": ("\uff02",),
    "“": ("”", '"“'),
    "”": ("”",),
    "„": ("“”", '"'),
    "‟": ("”",),
    "«": ("»",),
    "»": ("«", "»"),
    "‹": ("›",),
    "›": ("‹", "›"),
    "「": ("」",),
    "『": ("』",),
    "﹁": ("﹂",),
    "﹃": ("﹄",),
    "〝": ("〞〟",),
    "‘": ("’", "'"),
    "‚": ("‘’",),
    "'": ("'",),
}
_NESTING = {"“": "”", "「": "」", "『": "』", "«": "»", "‹": "›"}
_OPENER = re.compile("[" + "".join(_CLOSERS) + "]")
_SINGLE = "‘‚'"
_PAIRED_ONLY = "「『﹁﹃〝«"
_MOST_CANDIDATES = 40
_NESTED_MARK = re.compile("[" + "".join([*_NESTING, *_NESTING.values()]) + r"]|\n[^\S\n]*\n")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_WORDS = re.compile(rf"[^\W{HAN}{HIRAGANA}]+")
_IDEOGRAPHS = re.compile(f"[{HAN}{HIRAGANA}]")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_ELLIPSIS = re.compile(r"\s*[\[(]?\s*(?:(?:\.\s?){3,}|…)\s*[\])]?\s*")
_DIVISION = re.compile(rf"{_ELLIPSIS.pattern}|\s*\[(?P<words>[^\[\]]{{1,{_WIDEST_EDIT}}})\]\s*")
_RESTRICTION = re.compile(
    r"\b(?:only|solely|exclusively|always|all|every|each|must|may|nur|immer|alle|seulement|toujours|tous|solo|siempre"
    r"|todos)\b|[只仅僅皆都必]"
)
_SENTENCE_END = re.compile(r"[.!?;](?=\s)|[。！？；]")
_INNER_PAIR = re.compile(r"(?<!\w)[\"'“”„‟«»‹›「」『』﹁﹂﹃﹄〝〞〟‘’‚\uff02](?=\w)|[「」『』﹁﹂﹃﹄“‘〝](?=\w)")
"""A mark that opens something inside a quotation: not an apostrophe, an inch or a minute."""
_ALTERED_LETTER = re.compile(r"\[(\w)\](?=\w)")
_SIC = re.compile(r"\s*\[sic!?\]")
_EDGE = " \t.,;:!?…\"'()[]{}*_`|/-。、，；：！？「」『』（）【】《》·•"


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation: the span of the whole, marks included, and the text between the marks."""

    start: int
    end: int
    text: str


def quotations(text: str) -> list[Quotation]:
    """Return the quotations of *text*, in order, the outermost of nested ones; in time linear in the text.

    Only those of at least four words (runs of letters, digits, underscores) or six ideographs count; Japanese
    hiragana count as ideographs, katakana and Hangul words as words.
    """
    found: list[Quotation] = []
    marks = _Marks(text)
    position = 0
    while opener := _OPENER.search(text, position):
        at = opener.start()
        close = marks.close(at) if _opens(text, at) else None
        if close is None:
            position = at + 1
            continue
        quoted = text[at + 1 : close]
        if is_quotable(quoted):
            found.append(Quotation(at, close + 1, quoted))
        # What a short pair holds is no quotation either, and its closing mark opens nothing.
        position = close + 1
    return found


def is_quotable(text: str) -> bool:
    """Tell whether a text has the four words or six ideographs from which on a quotation must be found."""
    return len(_WORDS.findall(text)) >= _FEWEST_WORDS or len(_IDEOGRAPHS.findall(text)) >= _FEWEST_IDEOGRAPHS


def quote_occurs(quote: str, texts: Iterable[PageText | str]) -> bool:
    """Tell whether a quotation stands in one of *texts*, punctuation at its edges aside.

    The parts between ellipses must stand in one text, in order, each of at least two words, within a bounded gap,
    and what an ellipsis leaves out may not hold a negation or an exception. A letter in brackets (``[t]he``) is the
    letter and ``[sic]`` is nothing; other words in brackets are the author's, and stand for a few words or none, but
    never for a negation or a number. Quotation marks inside the quotation are equal, whatever their script.
    """
    pages = [text if isinstance(text, PageText) else PageText(text) for text in texts]
    if _stands(quote, pages):
        return True
    if not _INNER_PAIR.search(quote):
        return False
    return _stands(quote.translate(ONE_MARK), [page.with_one_mark for page in pages])


def _stands(quote: str, pages: list[PageText]) -> bool:
    plain = normalize(_ALTERED_LETTER.sub(r"\1", _SIC.sub("", quote)))
    if any(
        page.find(wanted) is not None for page in pages for wanted in {_trim(normalize(quote)), _trim(plain)} - {""}
    ):
        return True
    parts = _parts(plain)
    if not parts or not any(part.gap for part in parts):
        return False
    if not all(_carries(part.text) for part in parts if part.text and not part.edited):
        return False
    if not is_quotable(" ".join(part.text for part in parts)) and any(part.edited for part in parts):
        return False
    return any(_stitched(page, parts) for page in pages)


@dataclass(frozen=True, slots=True)
class _Part:
    """Words of a quotation, how far they may stand from those before, and whether brackets stand at either side."""

    text: str
    gap: int
    edited: bool


def _parts(quote: str) -> list[_Part]:
    """Divide a normalised quotation at its ellipses and at what its author put into brackets.

    A first or last part without words says that the quotation begins or ends with a bracket.
    """
    parts: list[_Part] = []
    at = gap = 0
    edited = False
    for mark in _DIVISION.finditer(quote):
        words = mark["words"]
        if words is not None and _weighs(words):
            continue
        text = _trim(quote[at : mark.start()])
        if text or (words is not None and not parts):
            parts.append(_Part(text, gap, edited or words is not None))
            gap, edited = 0, False
        gap = max(gap, _WIDEST_GAP if words is None else _WIDEST_EDIT)
        edited = edited or words is not None
        at = mark.end()
    text = _trim(quote[at:])
    if text or edited:
        parts.append(_Part(text, gap, edited))
    return parts


def _weighs(words: str) -> bool:
    """Tell whether words in brackets say more than an author may put in: they deny, restrict or count."""
    return bool(first_denial(words) or _RESTRICTION.search(words)) or any(char.isdigit() for char in words)


def _trim(text: str) -> str:
    """Drop punctuation at the edges, but not the sign, currency or unit of a number."""
    text = text.rstrip(_EDGE)
    bare = text.lstrip(_EDGE)
    sign = text[len(text) - len(bare) - 1 : len(text) - len(bare)]
    return sign + bare if sign and sign in "-." and bare[:1].isdigit() else bare


def _carries(part: str) -> bool:
    return len(_WORDS.findall(part)) >= _FEWEST_PART_WORDS or len(_IDEOGRAPHS.findall(part)) > _FEWEST_PART_WORDS


def _stitched(page: PageText, parts: list[_Part]) -> bool:
    """Tell whether the parts stand in the page in order, near each other, with nothing weighty left out between."""
    opening = not parts[0].text
    said = parts[1:] if opening else parts
    if not said or not said[0].text:
        return False
    begin = 0
    for _ in range(_MOST_TRIALS):
        at = page.find_normal(said[0].text, begin)
        if at is None:
            return False
        before = _sentence_before(page.text, at) if opening else at
        if not _denies(page.text, before, at) and _continued(page, at + len(said[0].text), said[1:]):
            return True
        begin = at + 1
    return False


def _continued(page: PageText, end: int, parts: list[_Part]) -> bool:
    """Tell whether *parts* follow from *end* on; the nearest occurrence of each counts, since it leaves out least."""
    for part in parts:
        if not part.text:
            return not _denies(page.text, end, _sentence_after(page.text, end))
        at = page.find_normal(part.text, end)
        if at is None or at - end > part.gap or _denies(page.text, end, at):
            return False
        end = at + len(part.text)
    return True


def _denies(text: str, start: int, end: int) -> bool:
    """Tell whether words of a page deny something, in the language of what stands around them."""
    words = text[start:end]
    if not words.strip():
        return False
    codes = guess_languages(text[max(0, start - _WIDEST_GAP) : end + _WIDEST_GAP])
    return first_denial(words) is not None or any(found["denial"] for found in denial_pattern(codes).finditer(words))


def _sentence_before(text: str, at: int) -> int:
    """Where the few words begin that a bracket before *at* may stand for: in the same sentence."""
    start = max(0, at - _WIDEST_EDIT)
    ends = [found.end() for found in _SENTENCE_END.finditer(text, start, at)]
    return ends[-1] if ends else start


def _sentence_after(text: str, at: int) -> int:
    end = min(len(text), at + _WIDEST_EDIT)
    found = _SENTENCE_END.search(text, at, end)
    return found.start() if found is not None else end


def _opens(text: str, at: int) -> bool:
    """Tell whether the mark at *at* can open a quotation."""
    mark = text[at]
    before = text[at - 1] if at else " "
    after = text[at + 1] if at + 1 < len(text) else " "
    if mark in _PAIRED_ONLY or mark == "“":
        return True
    if after.isspace() and mark not in "»›":
        return False
    if mark in _SINGLE and not (after.isalnum() or after in '[("“$€£-.…'):
        return False
    if mark in _SINGLE and _UNSPACED.match(before):
        return mark != "'"
    return not before.isalnum() or bool(_UNSPACED.match(before))


class _Marks:
    """The quotation marks of a text, looked up once: which pairs nest, and which marks can close."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._borders = [match.start() for match in _BLANK_LINE.finditer(text)]
        self._nested = self._pairs()
        self._closing: dict[str, list[int]] = {}
        self._opening: dict[str, list[int]] = {}

    def close(self, at: int) -> int | None:
        """Return where the quotation that opens at *at* closes: in its paragraph and not too far, or None."""
        border = bisect_left(self._borders, at)
        limit = min(at + _LONGEST, self._borders[border] if border < len(self._borders) else len(self._text))
        nested = self._nested.get(at)
        if nested is not None and nested < limit:
            return nested
        for closers in _CLOSERS[self._text[at]]:
            if candidates := self._candidates(at, closers, limit):
                return _choose(self._text, at, candidates)
        return None

    def _pairs(self) -> dict[int, int]:
        """Pair the marks that differ on either side, by depth; a blank line closes what is open."""
        pairs: dict[int, int] = {}
        stacks: dict[str, list[int]] = {closer: [] for closer in _NESTING.values()}
        for found in _NESTED_MARK.finditer(self._text):
            mark = found[0]
            if mark in _NESTING:
                stacks[_NESTING[mark]].append(found.start())
            elif mark in stacks:
                if stacks[mark]:
                    pairs[stacks[mark].pop()] = found.start()
            else:
                for stack in stacks.values():
                    stack.clear()
        return pairs

    def _candidates(self, at: int, closers: str, limit: int) -> list[int]:
        """Return the places where a quotation may close, the first of them and those before another one opens."""
        places: list[int] = []
        for mark in closers:
            closing = self._positions(mark)
            first = bisect_right(closing, at)
            places += closing[first : first + _MOST_CANDIDATES]
        places = [place for place in sorted(places) if place < limit][:_MOST_CANDIDATES]
        if not places:
            return []
        opening = self._openings(self._text[at])
        following = bisect_right(opening, places[0])
        stop = opening[following] if following < len(opening) else limit
        return [place for place in places if place < stop]

    def _positions(self, mark: str) -> list[int]:
        if mark not in self._closing:
            places = (found.start() for found in re.finditer(re.escape(mark), self._text))
            self._closing[mark] = [place for place in places if place and _closes(self._text, place)]
        return self._closing[mark]

    def _openings(self, mark: str) -> list[int]:
        if mark not in self._opening:
            places = (found.start() for found in re.finditer(re.escape(mark), self._text))
            self._opening[mark] = [
                place for place in places if _opens(self._text, place) and not (place and _closes(self._text, place))
            ]
        return self._opening[mark]


def _closes(text: str, at: int) -> bool:
    """Tell whether a mark that may also open, or be an apostrophe, can close a quotation."""
    if text[at] not in "\"'’":
        return True
    if text[at - 1].isspace():
        return False
    after = text[at + 1] if at + 1 < len(text) else " "
    if after.isalnum() or after == "_":
        return text[at] == '"' and bool(_UNSPACED.match(after) or _UNSPACED.match(text[at - 1]))
    return True


def _choose(text: str, at: int, candidates: list[int]) -> int:
    """Return the true close: a mark after a digit may be an inch, and one after an *s* a possessive."""
    for position in candidates[:-1]:
        if text[at] == '"' and text[position - 1].isdigit() and _runs_on(text, position):
            continue
        if text[at] in _SINGLE and _possessive(text, position) and not is_quotable(text[at + 1 : position]):
            later = [other for other in candidates if other > position and not _possessive(text, other)]
            if later and later[0] - at < _LONGEST // 4:
                continue
        return position
    return candidates[-1]


def _runs_on(text: str, at: int) -> bool:
    """Tell whether the sentence goes on after a mark: a space and a small letter follow."""
    return text[at + 1 : at + 2] == " " and text[at + 2 : at + 3].islower()


def _possessive(text: str, at: int) -> bool:
    return text[at - 1] in "sS" and text[at + 1 : at + 2] == " " and text[at + 2 : at + 3].isalnum()

"""Formatting-only normalisation of text (chapter 4, "Exact excerpt") with a map back to the original.

Two texts are the same words when their normalised forms are equal. Only formatting falls away: compatibility
forms and ligatures (NFKC; digits that are set off never join those beside them), case, the width and kind of white
space, typographic quotes, dashes and the ellipsis, and characters that have no width. Letters, digits, other
punctuation and their order always stay.

Zero-width joiners and non-joiners carry meaning in Persian, Indic scripts and emoji, so they stay as well.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from evidence_lint.witness.number_marks import SET_OFF_CLASS, is_set_off, part_digits, parted

BLOCK = 8_192
"""Characters of original text that are normalised, and later mapped, at a time."""

_LONGEST_MARK_RUN = 128
"""Combining marks in a row that are sorted together: Python's sort is quadratic, so a longer run is divided."""

_MOST_GROWTH = 1_000_000
"""Characters by which the normal form of a text may outgrow the text before its widest ligatures stay as they are."""

_SHORT = 8
_MARK_DIVIDER = "\u034f"

# Soft hyphen, zero-width space, word joiner and the invisible operators, BOM, presentation selectors, bidi marks.
_INVISIBLE_CLASS = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff"
_INVISIBLE = re.compile(f"[{_INVISIBLE_CLASS}]+")

_TYPOGRAPHY: dict[str, str] = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a\u00b4\u02bc\u02b9", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u301d\u301e\u301f", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b\ufe31\ufe32\ufe58\ufe63", "-"),
    "\u2026": "...",
}
_TYPOGRAPHIC = re.compile("[" + "".join(_TYPOGRAPHY) + "]")

# ASCII never combines with what stands before it, and neither do ideographs, kana or Hangul syllables.
_CALM_CLASS = "\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
# A set-off digit before it, with or without invisible characters between, may yet be parted from it.
_CUT = re.compile(f"(?<![{SET_OFF_CLASS}{_INVISIBLE_CLASS}])[\x00-\x7f{_CALM_CLASS}]")
# Characters that NFKC makes into four and more, up to eighteen.
_WIDEST = re.compile(
    "[\u2057\u2152\u2167\u2177\u247d-\u2487\u2a0c\u321d\u321e\u3300-\u3357\u337f\u3389\u33a8\u33ae\u33af\u33c2\u33c6\u33d8"
    "\ufdf2-\ufdf8\ufdfa-\ufdfc]"
)
_SPACE = re.compile(r"\s+")
# Text that keeps its length: words of calm characters with single spaces, up to one that may take a mark.
_PLAIN_CHAR = rf"(?:(?!\s)[\x00-\x7f{_CALM_CLASS}])"
_PLAIN = re.compile(rf"{_PLAIN_CHAR}+(?: {_PLAIN_CHAR}+)*(?=[\x00-\x7f{_CALM_CLASS}]|\Z)")

# Starters that compose with the character before them: Hangul vowels and finals, and Indic vowel signs.
_COMPOSING_STARTER = re.compile(
    "[\u1160-\u11ff\ud7b0-\ud7ff\uffa0-\uffdc\u3131-\u318e\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0cc2\u0cd5"
    "\u0cd6\u0d3e\u0d57\u0dcf\u0ddf\u0dd6\u102e\u1b35\U000110ba\U00011127\U0001133e\U00011357\U000113b8-\U000113c9"
    "\U000114b0\U000114ba\U000114bd\U000115af\U00011930]"
)


def normalize(text: str) -> str:
    """Return *text* in normal form: idempotent, with single spaces and none at the ends."""
    return NormalizedText(text).text


class NormalizedText:
    """A text, its normal form, and the way back from the second to the first.

    Normalisation is done once, in linear time; the map is built only for the blocks that are asked about.
    All offsets count characters (code points).
    """

    __slots__ = ("_blocks", "_maps", "_starts", "original", "text")

    def __init__(self, original: str) -> None:
        """Normalise *original*."""
        self.original = original
        self._blocks: list[_Block] = []
        self._maps: dict[int, list[_Entry]] = {}
        pieces: list[str] = []
        length = 0
        pending_space = False
        for begin, end in _block_bounds(original):
            spared = length - begin > _MOST_GROWTH
            folded = _fold(without_widest(original[begin:end]) if spared else original[begin:end])
            words = folded.split()
            if not words:
                pending_space = pending_space or bool(folded)
                continue
            if length and (pending_space or folded[0].isspace()):
                pieces.append(" ")
                length += 1
            normal = " ".join(words)
            self._blocks.append(_Block(length, len(normal), begin, end, spared))
            pieces.append(normal)
            length += len(normal)
            pending_space = folded[-1].isspace()
        self.text = "".join(pieces)
        self._starts = [block.normal_start for block in self._blocks]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original that the normalised span *start*:*end* came from.

        Raises ValueError when the span is not one of the normalised text.
        """
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"span {start}:{end} lies outside a text of {len(self.text)} characters")
        if start == end:
            at = self._origin(start)[0] if start < len(self.text) else len(self.original)
            return at, at
        return self._origin(start)[0], self._origin(end - 1)[1]

    def _origin(self, position: int) -> tuple[int, int]:
        """Return the original span of one normalised character."""
        number = bisect_right(self._starts, position) - 1
        block = self._blocks[number]
        offset = position - block.normal_start
        if offset >= block.normal_length:  # the space that joins two blocks
            return self._entries(number)[-1].original_end, self._entries(number + 1)[0].original_start
        entries = self._entries(number)
        entry = entries[bisect_right(entries, offset, key=lambda item: item.normal_start) - 1]
        if entry.verbatim:
            at = entry.original_start + offset - entry.normal_start
            return at, at + 1
        return entry.original_start, entry.original_end

    def _entries(self, number: int) -> list[_Entry]:
        if number not in self._maps:
            block = self._blocks[number]
            text = self.original[block.begin : block.end]
            self._maps[number] = _map_block(without_widest(text) if block.spared else text, block.begin)
        return self._maps[number]


@dataclass(frozen=True, slots=True)
class _Block:
    normal_start: int
    normal_length: int
    begin: int
    end: int
    spared: bool
    """Whether its widest ligatures are left out, because those before it made the normal form long enough."""


class _Entry(NamedTuple):
    """A stretch of a block's normal form and where it came from; verbatim ones map character by character."""

    normal_start: int
    original_start: int
    original_end: int
    verbatim: bool


def _block_bounds(text: str) -> list[tuple[int, int]]:
    """Divide *text* where nothing on the right can combine with anything on the left."""
    bounds: list[tuple[int, int]] = []
    begin = 0
    while begin < len(text):
        cut = _CUT.search(text, begin + BLOCK, begin + 2 * BLOCK)
        end = cut.start() if cut else _calm_end(text, begin + BLOCK)
        bounds.append((begin, end))
        begin = end
    return bounds


def _calm_end(text: str, position: int) -> int:
    """Return where text without calm characters may be divided from *position* on."""
    while position < len(text) and (_attaches(text[position]) or _may_be_parted(text[position - 1])):
        position += 1
    return min(position, len(text))


def _may_be_parted(left: str) -> bool:
    return left.isdigit() or is_set_off(left) or bool(_INVISIBLE.match(left))


def without_widest(text: str) -> str:
    """Return *text* with the characters that NFKC makes many of left out, at the same offsets."""
    return text if text.isascii() else _WIDEST.sub("\ufffd", text)


def _fold(text: str) -> str:
    """Normalise *text* except for its white space."""
    if text.isascii():
        return text.lower()
    while True:
        # Case folding can undo composition and composition can expose an upper-case letter: settle them.
        folded = _INVISIBLE.sub("", text)
        folded = _TYPOGRAPHIC.sub(lambda found: _TYPOGRAPHY[found[0]], folded)
        folded = unicodedata.normalize("NFKC", _divide_marks(part_digits(folded))).casefold()
        if folded == text or folded.isascii():
            return folded
        text = folded


@lru_cache(maxsize=8192)
def _fold_short(text: str) -> str:
    return _fold(text)


def _fold_cluster(text: str) -> str:
    """Fold a few characters that recur on every line; long hostile clusters are not kept."""
    return _fold_short(text) if len(text) <= _SHORT else _fold(text)


def _divide_marks(text: str) -> str:
    """Put a divider into absurdly long runs of combining marks, which would take quadratic time to sort."""
    return _long_mark_run().sub(lambda found: found[0] + _MARK_DIVIDER, text)


@cache
def _long_mark_run() -> re.Pattern[str]:
    marks = [code for code in range(0x300, 0x20000) if _is_mark(chr(code))]
    ranges: list[str] = []
    first = previous = marks[0]
    for code in [*marks[1:], 0x110000]:
        if code != previous + 1:
            ranges.append(f"\\U{first:08x}-\\U{previous:08x}")
            first = code
        previous = code
    one = f"[{''.join(ranges)}]"
    return re.compile(f"{one}{{{_LONGEST_MARK_RUN}}}(?={one})")


def _is_mark(char: str) -> bool:
    """Tell whether a character, or what it decomposes to, is sorted among combining marks."""
    if unicodedata.combining(char):
        return True
    return bool(unicodedata.decomposition(char)) and bool(unicodedata.combining(unicodedata.normalize("NFKD", char)[0]))


@lru_cache(maxsize=8192)
def _attaches(char: str) -> bool:
    """Tell whether a character can change together with the one before it."""
    if char.isascii():
        return False
    return bool(_INVISIBLE.match(char) or _COMPOSING_STARTER.match(char)) or char == _MARK_DIVIDER or _is_mark(char)


def _map_block(text: str, offset: int) -> list[_Entry]:
    """Return, in order, the entries of a block of original text that begins at *offset*."""
    entries: list[_Entry] = []
    normal = 0
    gap: tuple[int, int] | None = None  # white space seen since the last entry, still to be emitted
    position = 0
    while position < len(text):
        if space := _SPACE.match(text, position):
            gap = (gap[0] if gap else position, space.end())
            position = space.end()
            continue
        plain = _PLAIN.match(text, position)
        end = plain.end() if plain else _cluster_end(text, position)
        folded = plain[0] if plain else _fold_cluster(text[position:end])
        words = [folded] if plain else folded.split()
        if folded and folded[0].isspace():
            gap = (gap[0] if gap else position, gap[1] if gap else end)
        for number, word in enumerate(words):
            if number:
                gap = (position, end)
            if gap and entries:
                entries.append(_Entry(normal, offset + gap[0], offset + gap[1], False))
                normal += 1
            gap = None
            entries.append(_Entry(normal, offset + position, offset + end, bool(plain)))
            normal += len(word)
        if folded and folded[-1].isspace():
            gap = (gap[0] if gap else position, end)
        position = end
    return entries


def _cluster_end(text: str, position: int) -> int:
    """Return the end of the shortest stretch from *position* that normalises by itself."""
    last = "" if _INVISIBLE.match(text, position) else text[position]
    end = position + 1
    while end < len(text):
        char = text[end]
        if not (_attaches(char) or (last and parted(last, char))):
            break
        if not _INVISIBLE.match(char):
            last = char
        end += 1
    return end

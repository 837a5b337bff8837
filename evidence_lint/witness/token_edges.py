"""Where a text may be cut without cutting a word or a number in two (chapter 4: words and digits never change).

``port 80`` does not stand in ``port 8080``, ``5 minutes`` not in ``15 minutes``, ``1.2`` not in ``1.25``, and
``compliant`` not in ``non-compliant``: a passage counts only when both of its ends fall between tokens.
"""

from __future__ import annotations

import re
import unicodedata

from evidence_lint.witness.languages import HAN_NUMERALS, UNSPACED
from evidence_lint.witness.normalize import NormalizedText

_UNSPACED = re.compile(f"[{UNSPACED}]")
_JOINERS_OF_WORDS = "_\u200c\u200d"
_JOINERS_OF_DIGITS = ".,:/'^\u2044\u066b\u066c"
_SIGNS = "-+$€£¥₩₹₽¢±"
_AFTER_NUMBERS = "%‰°+"
_AFTER_LETTERS = "+#"
_SCALING_IDEOGRAPHS = "十百千万亿兆萬億"
_NUMBER_TAIL = re.compile(r"(?<![\d.,'])\d{1,3}\Z")
_GROUP = re.compile(r"\d{3}(?!\d)")
_WORD_TAIL = re.compile(r"[^\W\d_]+\Z")
_SUPERSCRIPTS = tuple("\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079")
_SHORTEST_NOTED_WORD = 3
_LONGEST_CONTRACTION = 2
_LOOK = 8


def cuts_token(page: NormalizedText, position: int) -> bool:
    """Tell whether a cut at normalised *position* falls inside a word or a number of the page."""
    text = page.text
    if position <= 0 or position >= len(text):
        return False
    left, right = text[position - 1], text[position]
    if _is_word(left) and _is_word(right):
        return _joined(left, right) and not _at_note_mark(page, position)
    before = text[position - 2] if position > 1 else " "
    after = text[position + 1] if position + 1 < len(text) else " "
    if _is_word(right) and not _is_word(left):
        return _joined_after(page, position, before, left, right)
    if _is_word(left) and not _is_word(right):
        return _joined_before(page, position, left, right, after)
    # Between two marks only a sign can belong to what follows: "(-5" is cut after neither "(" nor before "-".
    return False


def _is_word(char: str) -> bool:
    return char.isalnum() or (not char.isascii() and unicodedata.category(char)[0] == "M")


def _at_note_mark(page: NormalizedText, position: int) -> bool:
    """Tell whether a superscript number, which normalises to digits, parts a word from its note (``kept¹``)."""
    text = page.text
    left, right = text[position - 1], text[position]
    if left.isalpha() and right.isdigit():
        word = _WORD_TAIL.search(text[max(0, position - _LOOK) : position])
        # "km²" and "x²" are units and variables, not words with a note.
        if word is None or len(word[0]) < _SHORTEST_NOTED_WORD:
            return False
        start, end = page.original_span(position, position + 1)
    elif left.isdigit() and right.isalpha():
        start, end = page.original_span(position - 1, position)
    else:
        return False
    return page.original[start:end] in _SUPERSCRIPTS


def _joined(left: str, right: str) -> bool:
    if left.isdigit() and (right in _SCALING_IDEOGRAPHS):
        return True
    if left in HAN_NUMERALS and right in HAN_NUMERALS:
        return not left == right == "一"
    if unicodedata.category(right)[0] == "M":
        return True
    return not (_UNSPACED.match(left) or _UNSPACED.match(right))


def _joined_after(page: NormalizedText, position: int, before: str, left: str, right: str) -> bool:
    """Judge a cut between a mark, or a space, and the word on its right."""
    text = page.text
    if left == " ":
        return _cut_in_spaced_group(page, position - 1, position) or _cut_in_broken_word(page, position - 1)
    if right.isdigit() and left in _JOINERS_OF_DIGITS:
        # ".25" is a number of its own; "fig.25" and "a,5" are not.
        return before.isdigit() or (left == "." and not _is_word(before))
    if right.isdigit() and left in _SIGNS:
        return left != "-" or _hyphen_joins(page, position - 1, before, right) or _is_minus(page, position - 1)
    if not _is_word(before):
        return False
    if left in _JOINERS_OF_WORDS:
        return True
    if left == "'":
        tail = re.match(r"\w+", text[position : position + _LOOK])
        return tail is not None and len(tail[0]) <= _LONGEST_CONTRACTION
    return left == "-" and _hyphen_joins(page, position - 1, before, right)


def _joined_before(page: NormalizedText, position: int, left: str, right: str, after: str) -> bool:
    """Judge a cut between a word on the left and a mark, or a space, that follows it."""
    text = page.text
    if right == " ":
        return _cut_in_spaced_group(page, position, position + 1)
    if left.isdigit() and right in _AFTER_NUMBERS:
        return True
    if left.isalpha() and right in _AFTER_LETTERS and not _UNSPACED.match(left):
        return right == "#" or after == "+" or not _is_word(after)
    if left.isdigit() and right in _JOINERS_OF_DIGITS:
        return after.isdigit()
    if right == "-" and after == " " and position + 2 < len(text):
        return _cut_in_broken_word(page, position + 1)
    if not _is_word(after):
        return False
    if right in _JOINERS_OF_WORDS or right == "'":
        return True
    return right == "-" and _hyphen_joins(page, position, left, after)


def _is_minus(page: NormalizedText, at: int) -> bool:
    """Tell a sign from a dash: it follows neither a word nor another dash, and is not written as a dash."""
    before = page.text[at - 1] if at else " "
    start, end = page.original_span(at, at + 1)
    return not _is_word(before) and before != "-" and "\u2014" not in page.original[start:end]


def _hyphen_joins(page: NormalizedText, at: int, left: str, right: str) -> bool:
    """Tell a hyphen inside a word or a range from a dash between two clauses, which has the same normal form."""
    if not (_is_word(left) and _is_word(right)) or _UNSPACED.match(left) or _UNSPACED.match(right):
        return False
    start, end = page.original_span(at, at + 1)
    written = page.original[start:end]
    if "\u2014" in written or "\u2015" in written:
        return False
    if "\u2013" in written:
        return left.isdigit() and right.isdigit()
    return True


def _cut_in_spaced_group(page: NormalizedText, space: int, following: int) -> bool:
    """Tell whether a space groups thousands (``1 250 000``) rather than parts two numbers."""
    text = page.text
    if not (text[space - 1].isdigit() and text[following : following + 1].isdigit()):
        return False
    if not _NUMBER_TAIL.search(text[max(0, space - _LOOK) : space]) or not _GROUP.match(text, following):
        return False
    start, end = page.original_span(space, space + 1)
    return not any(char in "\n\r\t\v\f|" for char in page.original[start:end]) and end - start == 1


def _cut_in_broken_word(page: NormalizedText, space: int) -> bool:
    """Tell whether a space is the line end inside a hyphenated word (``permit-`` / ``ted``)."""
    text = page.text
    if space < 2 or text[space - 1] != "-" or not text[space - 2].isalpha() or not text[space + 1].isalpha():
        return False
    start, end = page.original_span(space - 1, space + 1)
    written = page.original[start:end]
    return written[0] in "-\u2010\u2011" and any(char in "\n\r" for char in written)

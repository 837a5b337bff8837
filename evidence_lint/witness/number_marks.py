"""Digits that are set off from the line: superscripts, subscripts, circled and enclosed numbers, vulgar fractions.

NFKC makes plain digits of them, and so would make ``15`` of ``1⁵``, ``102`` of ``10²`` and ``11⁄2`` of ``1½``. A digit
is never changed (chapter 4), so a circumflex keeps such a mark apart from the digits beside it.
"""

from __future__ import annotations

import re

PART = "^"
"""What stands between a digit and a mark that is set off from it."""

_SUPERSCRIPTS = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u207a\u207b"
_SUBSCRIPTS = "\u2080-\u2089\u208a\u208b"
# Characters that NFKC makes begin with a digit: fractions, circled and dotted numbers, telegraph symbols of time.
_LEADING = (
    "\u00bc-\u00be\u2150-\u215f\u2189\u2460-\u2473\u24ea\u3251-\u325f\u32b1-\u32bf\u2488-\u249b\u32c0-\u32cb"
    "\u3358-\u3370\u33e0-\u33fe\U0001f100-\U0001f10a"
)
# Those that it makes end with a digit, or with a digit and the mark of a decimal.
_TRAILING = (
    "\u00bc-\u00be\u2150-\u215e\u2189\u2460-\u2473\u24ea\u3251-\u325f\u32b1-\u32bf\u2488-\u249b\U0001f100-\U0001f10a"
    "\u3378-\u3379\u339f-\u33a6\u33a8\u33af"
)

SET_OFF_CLASS = f"{_SUPERSCRIPTS}{_SUBSCRIPTS}{_LEADING}{_TRAILING}"
"""All of them, as the inside of a class of characters of a regular expression."""

_ANY = re.compile(f"[{SET_OFF_CLASS}]")
_BORDER = re.compile(
    rf"(?<=[\d{_TRAILING}{_SUBSCRIPTS}])(?=[{_SUPERSCRIPTS}])"
    rf"|(?<=[\d{_TRAILING}{_SUPERSCRIPTS}])(?=[{_SUBSCRIPTS}])"
    rf"|(?<=[\d{_TRAILING}{_SUPERSCRIPTS}{_SUBSCRIPTS}])(?=[{_LEADING}])"
    rf"|(?<=[{_TRAILING}{_SUPERSCRIPTS}{_SUBSCRIPTS}])(?=\d)"
)
_NOTED = re.compile(rf"(?<=\d)[{_SUPERSCRIPTS}]+|(?<=\d)[{_SUBSCRIPTS}]+")


def part_digits(text: str) -> str:
    """Return *text* with a circumflex at every border between a digit and a set-off mark beside it."""
    if text.isascii() or not _ANY.search(text):
        return text
    return _BORDER.sub(PART, text)


def parted(left: str, right: str) -> bool:
    """Tell whether ``part_digits`` puts something between two characters."""
    return not (left.isascii() and right.isascii()) and _BORDER.search(left + right) is not None


def is_set_off(char: str) -> bool:
    """Tell whether a character is a digit, or holds digits, that are set off from the line."""
    return not char.isascii() and _ANY.match(char) is not None


def without_raised(text: str) -> str:
    """Return *text* as numbers are read from it: an exponent or a note mark after a digit is none of its digits."""
    return text if text.isascii() else part_digits(_NOTED.sub(PART, text))

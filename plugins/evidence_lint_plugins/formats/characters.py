"""Text of reports, pages and file names made safe to print. All of it may be hostile.

A character that would act rather than show (terminal escapes, bidirectional controls, zero-width characters), or that a
format cannot carry, is replaced by something that can be seen, never dropped.
"""

from __future__ import annotations

import re
from typing import Final

_SURROGATE: Final = re.compile("[\ud800-\udfff]")

_ACTING_RANGES: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1 controls without tab and line feed
    "\u00ad\u061c\u180e\u200b\u200e\u200f"  # soft hyphen, zero-width space, directional marks
    "\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # separators, embeddings, isolates, joiners, annotations
    "\ufdd0-\ufdef\ufffe\uffff"  # noncharacters
    "\ud800-\udfff"  # surrogates, each of them alone in a Python string
    "\U000e0000-\U000e007f"  # tags
)
_ACTING: Final = re.compile(f"[{_ACTING_RANGES}]")
_ACTING_OR_SPACE: Final = re.compile(f"[\t\n{_ACTING_RANGES}]")
_LINE_SPACE: Final = re.compile(r"[ \t]*[\r\n]+[ \t]*|\t")
_NOT_XML: Final = re.compile("[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_CONTROL_PICTURES: Final = 0x2400
_DELETE: Final = 0x7F


def whole(text: str) -> str:
    """Return text that can be encoded: a lone surrogate becomes a visible escape of its code."""
    return _SURROGATE.sub(_escape, text) if not text.isascii() else text


def visible(text: str) -> str:
    """Return text in which nothing acts on a terminal and nothing hides; tabs and line feeds stay.

    Control characters become their pictures (U+2400 and on), others ``<U+202E>``. Joiners that scripts and emoji
    need (U+200C, U+200D) stay.
    """
    return _ACTING.sub(_picture, text)


def visible_character(character: str) -> str:
    """Return what one character of a source line shows as; a tab takes four columns."""
    if character == "\t":
        return "    "
    return _picture_of(character) if _ACTING_OR_SPACE.match(character) else character


def one_line(text: str) -> str:
    """Return text on one line, with nothing in it that acts or hides."""
    return visible(_LINE_SPACE.sub(" ", text.strip()))


def xml_text(text: str) -> str:
    """Return text that XML 1.0 can carry: a character outside its range becomes a visible escape (B099).

    Carriage returns are escaped too, since an XML reader would turn them into line feeds.
    """
    return _NOT_XML.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _picture(match: re.Match[str]) -> str:
    return _picture_of(match[0])


def _picture_of(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    if code == _DELETE:
        return "\u2421"
    return f"<U+{code:04X}>"

"""Small pieces of Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

_CODE = re.compile(r"(`+)(.+?)\1", re.DOTALL)
_SPECIAL = {"<": "&lt;", "*": "\\*", "[": "\\[", "]": "\\]"}


def visible(text: str) -> str:
    """Characters that nobody sees, and halves of surrogate pairs, by their number."""
    return "".join(
        f"⟨U+{ord(character):04X}⟩"
        if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co"} and character not in "\n\t"
        else character
        for character in text
    )


def sentence(text: str) -> str:
    """A text that begins with a capital."""
    return text[:1].upper() + text[1:]


def prose(text: str) -> str:
    """Text of a docstring as Markdown: code marks kept, everything else as it reads."""
    text = visible(text)
    parts: list[str] = []
    end = 0
    for match in _CODE.finditer(text):
        parts += [_plain(text[end : match.start()]), f"`{match[2]}`" if "`" not in match[2] else match[0]]
        end = match.end()
    return "".join([*parts, _plain(text[end:])])


def _plain(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in text)


def paragraphs(text: str) -> str:
    """A text whose paragraphs were wrapped by hand, one line each."""
    return "\n\n".join(prose(" ".join(block.split())) for block in re.split(r"\n\s*\n", text.strip()))


def code(text: str, language: str = "text") -> str:
    """A fence that is longer than any run of backticks in ``text``."""
    text = visible(text)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def word(text: str) -> str:
    """Inline code, also of a text with backticks."""
    text = visible(text)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    marks = "`" * (longest + 1)
    pad = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{marks}{pad}{text}{pad}{marks}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; bars in its cells are escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in row) + " |" for row in lines
    )

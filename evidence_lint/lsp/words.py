"""Text for people from sources that are not to be trusted: nothing in it may act in an editor."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

_ACTIVE = re.compile(r"[\\`*_{}\[\]<>()#+!|~&$^=@]|:(?=//)|(?<=www)\.|\A-", re.IGNORECASE)
"""What Markdown, with the extensions that editors know, would take for a mark: also of lists, and of bare URLs."""
_NUMBERED = re.compile(r"\A([0-9]{1,9})\.")
_BACKTICKS = re.compile(r"`+")
_KEPT = "\u200c\u200d"
"""Joiners that scripts and emoji need."""
_LONGEST_LINE = 600
_LONGEST_BLOCK = 1500


def visible(text: str, *, lines: bool = False) -> str:
    """The text with everything that acts or hides made visible; ``lines``: line ends stay, else all is on one line."""
    text = text.replace("\r\n", "\n").replace("\r", "\n") if lines else " ".join(text.split())
    return "".join(_shown(character, lines) for character in text)


def _shown(character: str, lines: bool) -> str:
    if character.isprintable() or character in _KEPT or (lines and character in "\n\t"):
        return character
    if unicodedata.category(character) == "Zs":
        return " "
    return f"<U+{ord(character):04X}>"


def shortened(text: str, longest: int) -> str:
    """The text, cut where it is longer than so many characters."""
    return text if len(text) <= longest else text[:longest] + "…"


@dataclass
class Page:
    """A hover under construction: Markdown, or plain text for editors that show none.

    What is given to ``say`` and ``quote`` may be hostile and is shown as it stands.
    """

    markdown: bool = True
    _blocks: list[str] = field(default_factory=list[str])

    def escaped(self, text: str) -> str:
        """Foreign text for a line: on one line, bounded, and without effect."""
        plain = shortened(visible(shortened(text, 2 * _LONGEST_LINE)), _LONGEST_LINE)
        return _NUMBERED.sub(r"\1\\.", _ACTIVE.sub(r"\\\g<0>", plain)) if self.markdown else plain

    def strong(self, text: str) -> str:
        """Foreign text that stands out."""
        return f"**{self.escaped(text)}**" if self.markdown and text.strip() else self.escaped(text)

    def say(self, line: str) -> None:
        """Add a paragraph; foreign text in it has been escaped."""
        self._blocks.append(line)

    def points(self, lines: list[str]) -> None:
        """Add a list."""
        if lines:
            self._blocks.append("\n".join(f"- {line}" for line in lines))

    def quote(self, text: str) -> None:
        """Add foreign text as it stands, lines kept."""
        shown = shortened(visible(shortened(text, 2 * _LONGEST_BLOCK), lines=True), _LONGEST_BLOCK)
        if not self.markdown:
            self._blocks.append("\n".join(f"    {line}" for line in shown.split("\n")))
            return
        longest = max((len(run) for run in _BACKTICKS.findall(shown)), default=0)
        fence = "`" * max(3, longest + 1)
        self._blocks.append(f"{fence}text\n{shown}\n{fence}")

    def rule(self) -> None:
        """Add a line between two parts."""
        if self._blocks:
            self._blocks.append("---")

    @property
    def text(self) -> str:
        """The whole page; "" when nothing was said."""
        return "\n\n".join(self._blocks)

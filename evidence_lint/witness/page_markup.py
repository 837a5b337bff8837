"""Saved content that is raw markup: what of it a reader of the page sees, and what stands in it unseen (WEB113).

A rough reading of HTML in one pass, linear in the text and without a tree: the extractors of a live capture do it in
full. Text that merely speaks about markup is never read this way.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

_LONGEST_TAG = 2_000
_MOST_BROKEN = 20_000
"""Tags without an end after which none is looked for inside quotes, which would take long."""
_DOCUMENT = re.compile(
    r"(?:\s|\ufeff|<\?xml[^>]{0,200}\?>|<!--.{0,2000}?-->)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_CANDIDATE = re.compile(
    r"<!--|<(?:script|style|template)\b|<[a-z][^<>]{0,400}\b(?:hidden|style|alt|value|content)\b", re.I
)
_SPEAKS_OF_MARKUP = re.compile(
    r"\b(?:html|xml|css|javascript|tags?|elements?|attributes?|markup|snippets?|code|scripts?|examples?|browsers?|dom)\b|`",
    re.IGNORECASE,
)
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-z][a-z0-9:-]*)(?P<rest>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>", re.IGNORECASE)
_SIMPLE_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-z][a-z0-9:-]*)(?P<rest>[^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([^\s\"'<>/=]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>]+)))?")
_UNSEEN_STYLE = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?%?\s*(?:!|;|$)"
    r"|font-size\s*:\s*0(?:\.0+)?(?:px|em|rem|pt|%)?\s*(?:!|;|$))",
    re.IGNORECASE,
)
_RAW = frozenset({"script", "style", "template"})
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_INLINE_NAMES = (
    "a abbr b bdi bdo cite code data dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr"
)
_INLINE = frozenset(_INLINE_NAMES.split())


@dataclass(frozen=True, slots=True)
class Markup:
    """The text of a page that a reader sees, and that which only programs read."""

    visible: str
    unseen: str


def read_markup(content: str) -> Markup | None:
    """Read saved content that is plainly markup; None for text, which is seen as it is.

    A document says so at its start. A fragment counts when its seen text speaks of no markup, since a page about HTML
    shows such things as samples.
    """
    whole = _DOCUMENT.match(content) is not None
    if not whole and not _CANDIDATE.search(content):
        return None
    markup = _Scan(content).run()
    if not whole and _SPEAKS_OF_MARKUP.search(markup.visible):
        return None
    return markup


class _Scan:
    """One pass over a page."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lower = text.lower() if text.isascii() else re.sub("[A-Z]+", lambda found: found[0].lower(), text)
        self._seen: list[str] = []
        self._unseen: list[str] = []
        self._hidden_by = ""
        self._depth = 0
        self._broken = 0

    def run(self) -> Markup:
        """Read to the end."""
        text = self._text
        at = 0
        while (mark := text.find("<", at)) >= 0:
            self._say(text[at:mark])
            at = self._markup(mark)
        self._say(text[at:])
        return Markup(html.unescape("".join(self._seen)), html.unescape("\n".join(self._unseen)))

    def _say(self, words: str) -> None:
        if words:
            (self._unseen if self._hidden_by else self._seen).append(words)

    def _markup(self, at: int) -> int:
        """Read what begins with ``<``, and return where it ends; what is never closed hides all that follows."""
        text = self._text
        if text.startswith("<!--", at):
            end = text.find("-->", at + 4)
            self._unseen.append(text[at + 4 : end if end >= 0 else len(text)])
            return end + 3 if end >= 0 else len(text)
        pattern = _TAG if self._broken < _MOST_BROKEN else _SIMPLE_TAG
        tag = pattern.match(text, at, at + _LONGEST_TAG)
        if tag is None:
            self._broken += 1
            self._say("<")
            return at + 1
        name = tag["name"].lower()
        if tag["end"]:
            self._close(name)
            return tag.end()
        attributes = _attributes(tag["rest"])
        self._unseen += [value for value in attributes.values() if " " in value]
        if name in _RAW:
            end = self._lower.find(f"</{name}", tag.end())
            end = end if end >= 0 else len(text)
            self._unseen.append(text[tag.end() : end])
            return end
        self._open(name, attributes)
        return tag.end()

    def _open(self, name: str, attributes: dict[str, str]) -> None:
        if self._hidden_by:
            self._depth += name == self._hidden_by
            if self._hidden_by == "p" and name not in _INLINE | _VOID:
                self._hidden_by, self._depth = "", 0  # a paragraph ends where a block begins
        if not self._hidden_by and name not in _VOID and _unseen(attributes):
            self._hidden_by, self._depth = name, 1
        self._border(name)

    def _close(self, name: str) -> None:
        self._border(name)
        if name == self._hidden_by:
            self._depth -= 1
            if self._depth <= 0:
                self._hidden_by = ""

    def _border(self, name: str) -> None:
        if name not in _INLINE:
            self._seen.append("\n")


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        found.setdefault(match[1].lower(), match[2] or match[3] or match[4] or "")
    return found


def _unseen(attributes: dict[str, str]) -> bool:
    if "hidden" in attributes and attributes["hidden"].lower() != "until-found":
        return True
    return _UNSEEN_STYLE.search(html.unescape(attributes.get("style", ""))) is not None

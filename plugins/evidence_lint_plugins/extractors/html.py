"""The text of an HTML page as a reader sees it (chapter 4, "Text extraction"), on the lexbor parser of selectolax.

docs/extraction.md compares the libraries and states what counts as seen. This module runs in a child process
(:mod:`evidence_lint_plugins.extractors.workers`), since a parser's time and memory cannot be bounded from inside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from importlib.metadata import version

from selectolax.lexbor import LexborHTMLParser, LexborNode

from evidence_lint.model.capture import Extraction
from evidence_lint_plugins.extractors.appearance import Attributes, State, breaks, inherit
from evidence_lint_plugins.extractors.flow import Flow
from evidence_lint_plugins.extractors.styles import (
    Declarations,
    Look,
    Sheet,
    combine,
    declarations,
    look,
)

_DROPPED = frozenset(("style", "title", "rp"))
_VALUES_SEEN = frozenset(("text", "search", "email", "url", "tel", "number", "submit", "button", "reset", ""))
#: Attributes that carry sentences but do not stand on the page.
_SPOKEN = ("alt", "title", "aria-label", "placeholder")
_DESCRIPTIONS = frozenset(("description", "og:description", "og:title", "twitter:description", "twitter:title"))

_MOST_SCRIPT_CHARACTERS = 1_000_000
_LONGEST_STYLE = 4096
_DEEPEST_FRAGMENT = 50
_JSON_TYPES = re.compile(r"json|importmap", re.IGNORECASE)


@dataclass(slots=True)
class _Open:
    """An element that is being walked."""

    tag: str
    state: State
    #: Line breaks around it: 0 none, 1 a line, 2 an empty line.
    breaks: int = 0
    #: Where the row began in the seen and the unseen text.
    row: tuple[int, int] | None = None
    next: LexborNode | None = None


def extract_html(markup: str) -> Extraction:
    """Read the page in *markup*; never raises for what stands in it."""
    tree = LexborHTMLParser(markup)
    walk = _Walk()
    walk.read(tree.root, State())
    return Extraction(
        walk.seen.result(),
        title=walk.title(tree),
        extractor=f"selectolax {version('selectolax')}",
        hidden_text=walk.unseen.result(),
        problem="documents within the page are nested too deeply to be read" if walk.cut else None,
    )


class _Walk:
    """One pass over a tree, without recursion: pages may be nested as deep as they are long."""

    def __init__(self) -> None:
        self.seen = Flow()
        self.unseen = Flow()
        self._sheet = Sheet()
        #: Something is nested too deeply to be read.
        self.cut = False
        self._script_room = _MOST_SCRIPT_CHARACTERS

    def title(self, tree: LexborHTMLParser) -> str | None:
        """Return the page's title on one line."""
        for node in tree.css("title"):
            if node.parent is not None and node.parent.tag in ("head", "body", "html"):
                return " ".join(node.text().split()) or None
        return None

    def read(self, root: LexborNode | None, state: State, depth: int = 0) -> None:
        """Add the text of the tree under *root*, which stands where *state* says."""
        if root is None:
            return
        # What a browser without scripts would apply is no style of the page as its readers have it.
        scriptless = {sheet.mem_id for sheet in root.css("noscript style")}
        for sheet in (found for found in root.css("style") if found.mem_id not in scriptless):
            self._sheet.add(sheet.text(), sheet.attributes.get("media") or "")
        stack = [_Open("", state, next=root)]
        while stack:
            node = stack[-1].next
            if node is None:
                self._leave(stack.pop())
                continue
            stack[-1].next = node.next if len(stack) > 1 else None
            if node.is_text_node:
                self._text(node.text_content or "", stack[-1].state)
            elif node.is_comment_node:
                self._aside_line(node.comment_content or "")
            elif opened := self._enter(node, stack, depth):
                stack.append(opened)

    def _text(self, text: str, state: State) -> None:
        flow = self.unseen if state.unseen else self.seen
        if state.verbatim:
            flow.verbatim(text)
        else:
            flow.text(text)

    def _enter(self, node: LexborNode, stack: list[_Open], depth: int) -> _Open | None:
        """Begin an element; None when there is nothing more to walk in it."""
        tag = node.tag or ""
        parent = stack[-1]
        attributes = node.attributes
        if tag == "br":
            (self.unseen if parent.state.unseen else self.seen).line_break()
            return None
        if tag in _DROPPED and not parent.state.foreign:
            return None
        if tag in ("template", "iframe"):
            self._fragment(node, tag, attributes, parent.state, depth)
            return None
        styles, inline = self._look(node, tag, attributes)
        state = inherit(tag, attributes, styles, inline, parent.state)
        self._attributes(tag, attributes, state)
        if tag == "script":
            self._script(node, attributes)
            return None
        if tag in ("rt", "rtc") and not state.unseen:
            self.seen.aside(node.text())
            return None
        opened = _Open(tag, state, breaks(tag, styles.display), next=node.child)
        if tag in ("td", "th"):
            self._cell(stack)
        self._border(opened.breaks)
        if tag == "tr":
            opened.row = (self.seen.length, self.unseen.length)
        return opened

    def _leave(self, opened: _Open) -> None:
        if opened.row is not None:
            self.seen.end_row(opened.row[0])
            self.unseen.end_row(opened.row[1])
        self._border(opened.breaks)

    def _border(self, breaks: int) -> None:
        if breaks == 1:
            self.seen.line()
            self.unseen.line()
        elif breaks:
            self.seen.paragraph()
            self.unseen.paragraph()

    def _cell(self, stack: list[_Open]) -> None:
        row = stack[-1]
        if row.row is None:
            return
        if row.tag == "tr":  # the first cell has no border before it
            row.tag = "tr with cells"
            return
        self.seen.cell(row.row[0])
        self.unseen.cell(row.row[1])

    def _look(self, node: LexborNode, tag: str, attributes: Attributes) -> tuple[Look, Look]:
        """Return what all known styles say of an element, and what its own attribute does."""
        inline = declarations((attributes.get("style") or "")[:_LONGEST_STYLE])
        style: Declarations = {}
        if self._sheet:
            keys = [tag, *("." + name for name in (attributes.get("class") or "").split()[:50])]
            if name := attributes.get("id"):
                keys.append("#" + name)
            style = self._sheet.style(keys, lambda selector: _matches(node, selector))
        if not style:
            return (own := look(inline)), own
        combine(style, inline)
        return look(style), look(inline)

    def _attributes(self, tag: str, attributes: Attributes, state: State) -> None:
        """Add the words that stand in attributes."""
        if not attributes:
            return
        if tag == "input":
            kind = (attributes.get("type") or "").lower()
            value = attributes.get("value") or ""
            if kind in _VALUES_SEEN and not state.unseen:
                self.seen.text(value)
            elif kind not in ("checkbox", "radio", "password"):
                self._aside_line(value)
        elif tag == "optgroup":
            self.seen.line()
            self._text(attributes.get("label") or "", state)
        elif tag == "meta" and (attributes.get("name") or attributes.get("property") or "").lower() in _DESCRIPTIONS:
            self._aside_line(attributes.get("content") or "")
        for spoken in _SPOKEN:
            self._aside_line(attributes.get(spoken) or "")

    def _script(self, node: LexborNode, attributes: Attributes) -> None:
        text = node.text()[: self._script_room]
        self._script_room -= len(text)
        if _JSON_TYPES.search(attributes.get("type") or ""):
            from evidence_lint_plugins.extractors.plain import unescape_json  # noqa: PLC0415 - few pages need it

            text = unescape_json(text)
        self._aside_line(text)

    def _fragment(self, node: LexborNode, tag: str, attributes: Attributes, state: State, depth: int) -> None:
        """Read a document within the document: a frame's own source is shown, and so is a declared shadow root."""
        if depth >= _DEEPEST_FRAGMENT:
            self.cut = True
            return
        if tag == "iframe":
            root = LexborHTMLParser(attributes.get("srcdoc") or "").root
        else:
            root = next(iter(node.template_fragments()), None)
        shown = tag == "iframe" or "shadowrootmode" in attributes
        # Styles end at the border of a document within the document, in both directions.
        outside, self._sheet = self._sheet, Sheet()
        self._border(1)
        self.read(root, replace(state, hidden=state.hidden or not shown), depth + 1)
        self._border(1)
        self._sheet = outside

    def _aside_line(self, text: str) -> None:
        """Add words that nobody sees, on a line of their own."""
        if not text:
            return
        self.unseen.line()
        self.unseen.text(text)
        self.unseen.line()


def _matches(node: LexborNode, selector: str) -> bool:
    try:
        return node.css_matches(selector)
    except Exception:  # noqa: BLE001 - the parser raises its own and bare errors for selectors that it does not know
        return False

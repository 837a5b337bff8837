"""The text of XML: XHTML as a page, feeds with the pages in them, anything else element by element.

No entity of a document's own is expanded and nothing outside it is read, so neither entity bombs nor DTDs do harm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from xml.parsers import expat

from evidence_lint.model.capture import Extraction
from evidence_lint_plugins.extractors.flow import Flow
from evidence_lint_plugins.extractors.html import extract_html

_XHTML = re.compile(r"<(?:\w+:)?html[\s>]", re.IGNORECASE)
_PROLOG = 4096
_EMPTY = re.compile(r"<([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*/>")
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_DOCTYPE = re.compile(r"<!DOCTYPE\s[^\[>]*\[", re.IGNORECASE)
_SUBSET_END = re.compile(r"\]\s*>")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|&[A-Za-z#]\w*;")
_FEEDS = frozenset(("rss", "feed", "RDF"))
_DROPPED = frozenset(("script", "style"))


def extract_xml(text: str) -> Extraction:
    """Read an XML document; one that is not well-formed is read as tolerantly as a page of HTML."""
    if _XHTML.search(text[:_PROLOG]):
        return extract_xhtml(text)
    reader = _Reader()
    try:
        reader.feed(text)
    except expat.ExpatError:
        return extract_xhtml(text)
    return Extraction(reader.flow.result(), title=reader.title, extractor="expat", hidden_text="\n".join(reader.hidden))


def extract_xhtml(text: str) -> Extraction:
    """Read XHTML with the parser for HTML, after writing out what only XML knows."""
    text = _without_cdata(_without_subset(text))
    text = _EMPTY.sub(
        lambda found: found[0] if found[1].lower() in _VOID else f"<{found[1]}{found[2]}></{found[1]}>", text
    )
    return extract_html(text)


def _without_subset(text: str) -> str:
    """Drop the declarations within a DOCTYPE, which HTML does not know."""
    start = _DOCTYPE.search(text, 0, _PROLOG)
    end = _SUBSET_END.search(text, start.end()) if start else None
    return text[: start.start()] + text[end.end() :] if start and end else text


def _without_cdata(text: str) -> str:
    """Write the text in CDATA sections with the escapes of HTML."""
    first, *sections = text.split("<![CDATA[")
    pieces = [first]
    for section in sections:
        inside, border, after = section.partition("]]>")
        pieces += [escape(inside, quote=False), after] if border else [section]
    return "".join(pieces)


@dataclass(slots=True)
class _Element:
    name: str
    #: What stands in it: text, or an element within it that is read.
    content: list[str | _Element] = field(default_factory=list["str | _Element"])


class _Reader:
    """Builds a bare tree, since only the whole of an element tells whether its children are words in a sentence."""

    def __init__(self) -> None:
        self.flow = Flow()
        self.title: str | None = None
        self.hidden: list[str] = []
        self._root = _Element("")
        self._stack = [self._root]

    def feed(self, text: str) -> None:
        """Read the document; raises ``ExpatError`` where it is not well-formed."""
        # The document was decoded already, whatever encoding its declaration names.
        parser = expat.ParserCreate("utf-8")
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.CommentHandler = self.hidden.append
        # With a default handler, expat leaves the entities that a document declares as they are.
        parser.DefaultHandler = self._other
        parser.Parse(text.encode("utf-8", "replace"), True)
        self._write()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        element = _Element(name.rpartition(":")[2])
        self._stack[-1].content.append(element)
        self._stack.append(element)

    def _end(self, name: str) -> None:
        self._stack.pop()

    def _characters(self, text: str) -> None:
        self._stack[-1].content.append(text)

    def _other(self, text: str) -> None:
        if text.startswith("&") and len(self._stack) > 1:
            self._stack[-1].content.append(text)

    def _write(self) -> None:
        """Write the tree out; an element whose parent has words of its own stands within their line."""
        feed = any(isinstance(part, _Element) and part.name in _FEEDS for part in self._root.content)
        todo: list[tuple[_Element, int, bool]] = [(self._root, 0, False)]
        while todo:
            element, at, inline = todo.pop()
            if at == 0 and not inline:
                self.flow.line()
            mixed = any(isinstance(part, str) and not part.isspace() for part in element.content)
            while at < len(element.content):
                part = element.content[at]
                at += 1
                if isinstance(part, _Element):
                    if part.name not in _DROPPED:
                        todo.append((element, at, inline))
                        todo.append((part, 0, mixed))
                        break
                elif feed and _MARKUP.search(part):
                    self._page(part)
                else:
                    self.flow.text(part)
                    self._keep_title(element, part)
            else:
                if not inline:
                    self.flow.line()

    def _page(self, markup: str) -> None:
        """Read the page that a feed carries in a string."""
        page = extract_html(markup)
        self.flow.line()
        self.flow.verbatim(page.text)
        self.flow.line()
        if page.hidden_text:
            self.hidden.append(page.hidden_text)

    def _keep_title(self, element: _Element, text: str) -> None:
        if self.title is None and element.name == "title" and text.strip():
            self.title = " ".join(text.split())

"""Inline Markdown with origins: a markdown-it whose tokens know where they stand.

markdown-it gives inline tokens no positions. Its state object sees each token at the moment when it is pushed,
so a state that notes its position then is all that is needed; nothing is searched for afterwards.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline import link as commonmark_link
from markdown_it.token import Token

from evidence_lint.model.location import Span
from evidence_lint.parse.block_parser import DeepBlocks
from evidence_lint.parse.hidden import track
from evidence_lint.parse.rendered import Builder, Rendered
from evidence_lint.parse.urls import unescape_url, url_end

Env = MutableMapping[str, Any]

MAX_NESTING = 60
NUMBER_LIST = re.compile(r"\[\s*\d{1,4}(?:\s*[-,–—;，、；]\s*\d{1,4})*\s*\]")
"""A bracket that holds numbers only, as a citation does."""

_SCHEME = re.compile(r"(?<![A-Za-z0-9+.-])(?:https?|ftp)$", re.IGNORECASE)
_HREF = re.compile(r"""<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)
_TAG_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)")
_KNOWN_TAGS = frozenset(
    re.split(
        " ",
        "a abbr b big br cite code del details div em font hr i img ins kbd li mark ol p q s small span strike strong"
        " sub summary sup table tbody td th thead tr u ul var wbr",
    )
)


class _State(StateInline):
    """Notes for every token the offset at which it begins."""

    def __init__(self, src: str, md: MarkdownIt, env: Env, tokens: list[Token]) -> None:
        super().__init__(src, md, env, tokens)
        self._pending_at: int | None = None
        self._pushed_at = -1
        self._pushed = 0

    def append_pending(self, text: str) -> None:
        if self._pending_at is None:
            self._pending_at = self.pos
        super().append_pending(text)

    def pushPending(self) -> Token:
        token = super().pushPending()
        token.meta["at"] = self._pending_at or 0
        self._pending_at = None
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        self._pending_at = None
        # A run of emphasis marks is pushed mark by mark while the position stands still.
        self._pushed = self._pushed + 1 if self._pushed_at == self.pos else 0
        self._pushed_at = self.pos
        token.meta["at"] = self.pos + (self._pushed if ttype == "text" else 0)
        return token


class _Inline(ParserInline):
    def __init__(self) -> None:
        super().__init__()
        self._running = False
        self.ruler.disable(["linkify", "strikethrough"])
        self.ruler.before("newline", "bare_url", _bare_url)
        self.ruler.at("link", _link)
        # Joined fragments would lose the position of all but one.
        self.ruler2.disable(["fragments_join"])

    def parse(self, src: str, md: MarkdownIt, env: Env, tokens: list[Token]) -> list[Token]:
        if self._running:
            # The description of an image is no running text, and images nest without bound.
            return tokens
        self._running = True
        try:
            state = _State(src, md, env, tokens)
            self.tokenize(state)
            for rule in self.ruler2.getRules(""):
                rule(state)
        finally:
            self._running = False
        return tokens


class Markdown(MarkdownIt):
    """CommonMark with tables; URLs stay as they are written."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"maxNesting": MAX_NESTING})
        self.enable("table")
        self.inline = _Inline()
        rules = self.block.ruler.get_active_rules()
        self.block = DeepBlocks()
        self.block.ruler.enableOnly(rules)

    def normalizeLink(self, url: str) -> str:
        """The destination as written."""
        return url

    def normalizeLinkText(self, link: str) -> str:
        """The text as written."""
        return link

    def validateLink(self, url: str) -> bool:
        """Every destination is a link here; rules judge it."""
        return True


def _link(state: StateInline, silent: bool) -> bool:
    """CommonMark's links, but ``[1]``, ``[1][2]`` and ``[1, 2][]`` are citations even where ``[1]:`` is defined."""
    if state.src[state.pos] != "[":
        return False
    numbers = NUMBER_LIST.match(state.src, state.pos, state.posMax)
    if numbers and _is_citation(state.src, numbers.end(), state.posMax):
        return False
    start = state.pos
    if not commonmark_link(state, silent):
        return False
    if not silent:
        state.tokens[-1].meta["start"] = start
        state.tokens[-1].meta["end"] = state.pos
    return True


def _is_citation(src: str, end: int, limit: int) -> bool:
    following = src[end] if end < limit else ""
    if following == "(":
        return False
    if following != "[":
        return True
    return src.startswith("[]", end) or NUMBER_LIST.match(src, end, limit) is not None


def _bare_url(state: StateInline, silent: bool) -> bool:
    """A bare URL is a link before its underscores and asterisks can become emphasis."""
    pos = state.pos
    if silent or state.linkLevel > 0 or not state.src.startswith("://", pos):
        return False
    scheme = _SCHEME.search(state.src[max(0, pos - 9) : pos])
    if scheme is None or not state.pending.endswith(scheme.group()):
        return False
    start = pos - len(scheme.group())
    end = url_end(state.src, start, state.posMax)
    if end <= pos + 3:
        return False
    url, offsets = unescape_url(state.src, start, end)
    state.pending = state.pending[: -len(scheme.group())]
    token = state.push("link_open", "a", 1)
    token.attrs = {"href": url}
    token.markup = "bare"
    token = state.push("text", "", 0)
    token.content = url
    token.meta["offsets"] = offsets
    token = state.push("link_close", "a", -1)
    token.markup = "bare"
    token.meta["start"], token.meta["end"] = start, end
    state.pos = end
    return True


def render_inline(md: Markdown, content: str, origins: Sequence[int], env: Env, *, tags: bool = False) -> Rendered:
    """Inline Markdown as a reader sees it.

    ``origins[i]`` is the source offset of ``content[i]``. With ``tags`` what looks like a tag of no known name
    (``<question>``) is kept as text, which is what its author meant.
    """
    tokens: list[Token] = []
    md.inline.parse(content, md, env, tokens)
    return _Renderer(content, origins, tags).run(tokens)


class _Renderer:
    """Walks the tokens of one inline run."""

    def __init__(self, content: str, origins: Sequence[int], tags: bool) -> None:
        self.content = content
        self.origins = origins
        self.tags = tags
        self.out = Builder()
        self.opened: list[tuple[str, int, str, int]] = []
        self.anchors: list[tuple[str, int, int]] = []
        self.auto = 0
        self.unseen: list[str] = []
        """The open elements from the outermost hidden one on."""
        self.tagged: list[tuple[str, int]] = []

    def run(self, tokens: Sequence[Token]) -> Rendered:
        for token in tokens:
            self._token(token)
        return self.out.done()

    def _at(self, offset: int) -> int:
        if not self.origins:
            return 0
        return self.origins[min(max(offset, 0), len(self.origins) - 1)]

    def _origins(self, start: int, length: int) -> list[int]:
        if start >= 0 and start + length <= len(self.origins):
            return list(self.origins[start : start + length])
        return [self._at(start + index) for index in range(length)]

    def _token(self, token: Token) -> None:
        at: int = token.meta.get("at", 0)
        kind = token.type
        if kind == "text":
            offsets: list[int] | None = token.meta.get("offsets")
            origins = self._origins(at, len(token.content)) if offsets is None else [self._at(o) for o in offsets]
            self.out.add(token.content, origins, masked=self.auto > 0 or bool(self.unseen))
        elif kind == "text_special":
            self._special(token, at)
        elif kind in {"softbreak", "hardbreak"}:
            self.out.mark_break()
            self.out.add(" ", (self._at(at),))
        elif kind == "code_inline":
            self._code(token, at)
        elif kind in {"strong_open", "em_open"}:
            self.opened.append((kind, self.out.length, "", at))
        elif kind in {"strong_close", "em_close"}:
            self._close(kind)
        elif kind == "link_open":
            self.opened.append((kind, self.out.length, str(token.attrs.get("href", "")), at))
            self.auto += token.markup != ""
        elif kind == "link_close":
            self._close_link(token)
        elif kind == "html_inline":
            self._html(token, at)

    def _special(self, token: Token, at: int) -> None:
        """An escape or an entity; a backslash that escapes nothing is itself."""
        if token.info == "escape":
            literal = token.content == token.markup
            self.out.add(token.content, self._origins(at + (not literal), len(token.content)), masked=not literal)
        else:
            self.out.add(token.content, [self._at(at)] * len(token.content))

    def _code(self, token: Token, at: int) -> None:
        marks = len(token.markup)
        start = at + marks
        close = self.content.find(token.markup, start + len(token.content))
        # CommonMark takes one space from either side, so the content may begin one further.
        padded = close == start + len(token.content) + 2 and self.content[start : start + 1] in {" ", "\n"}
        self.out.add_code(token.content, self._origins(start + padded, len(token.content)))

    def _close(self, kind: str) -> None:
        if not self.opened:
            return
        opened, start, _, _ = self.opened.pop()
        if opened == "strong_open" and kind == "strong_close":
            self.out.mark_strong(start)
        else:
            self.out.mark_emphasis(start)

    def _close_link(self, token: Token) -> None:
        while self.opened:
            kind, start, url, at = self.opened.pop()
            if kind == "link_open":
                break
        else:
            return
        self.auto -= token.markup != ""
        first = token.meta.get("start", at)
        last = token.meta.get("end")
        if last is None:
            last = self.content.find(">", first) + 1 or first + 1
        self.out.mark_link(start, url, Span(self._at(first), max(self._at(first), self._at(last - 1) + 1)))

    def _html(self, token: Token, at: int) -> None:
        content = token.content
        name = _TAG_NAME.match(content)
        tag = name.group(1).lower() if name else ""
        track(self.unseen, content)
        if tag == "br":
            self.out.mark_break()
            self.out.add(" ", (self._at(at),))
        elif tag in {"strong", "b", "em", "i"}:
            self._mark_tag(tag, closing=content.startswith("</"))
        elif tag == "a" and content.startswith("</"):
            if self.anchors:
                url, start, first = self.anchors.pop()
                self.out.mark_link(start, url, Span(self._at(first), self._at(at + len(content) - 1) + 1))
        elif tag == "a":
            if href := _HREF.match(content):
                self.anchors.append((next(g for g in href.groups() if g is not None), self.out.length, at))
        elif self.tags and tag and tag not in _KNOWN_TAGS:
            self.out.add(content, self._origins(at, len(content)), masked=True)

    def _mark_tag(self, tag: str, *, closing: bool) -> None:
        """Bold and italic text by tags is what it is by asterisks."""
        kind = "strong" if tag in {"strong", "b"} else "em"
        if not closing:
            self.tagged.append((kind, self.out.length))
        elif self.tagged and self.tagged[-1][0] == kind:
            start = self.tagged.pop()[1]
            (self.out.mark_strong if kind == "strong" else self.out.mark_emphasis)(start)

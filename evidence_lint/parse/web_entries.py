"""Web entries of section 8: title, URL, tier, date, in the contract's shape and in those seen in the wild."""

from __future__ import annotations

import re
from collections.abc import Collection

from evidence_lint.model.report import EntryKind, Shown, SourceEntry
from evidence_lint.parse.entry_text import EntryText, Part
from evidence_lint.parse.index import RawEntry
from evidence_lint.parse.lines import Lines
from evidence_lint.parse.urls import find_urls

_TIER = re.compile(r"\((?:[^()\n]{0,80}[\s:])?T(\d)\)", re.IGNORECASE)
_TIER_FIELD = re.compile(r"\btier\s*[:=]?\s*T?(\d)\b|\bT([1-5])\b", re.IGNORECASE)
_DATE = re.compile(r"\bdate:\s*([^;\n]*)", re.IGNORECASE)
_KEYED = re.compile(r"[a-z][a-z /-]{0,40}:", re.IGNORECASE)
_URLISH = re.compile(r"<?[A-Za-z][A-Za-z0-9+.-]{1,20}:/{1,3}[^\s]")
_MARKDOWN_LINK = re.compile(
    r"\[((?:[^\[\]]|\[[^\[\]]{0,80}\]){0,400})\]\(\s{0,4}<?([^\s<>]{1,2000}?)>?(?:\s{1,4}\"[^\"\n]{0,200}\")?\s{0,4}\)(?=[\s,.;:—–|]|$)"
)
_BRACKETED_URL = re.compile(r"\[(https?://[^\]\n]{0,2000})\](?!\()", re.IGNORECASE)
_DEFINITION = re.compile(r"\s*<?([^\s<>]+)>?(?:\s+[\"'(](.*)[\"')])?", re.DOTALL)
_LONGEST_LINKED = 4000


class WebEntryReader(EntryText):
    """Reads entries that name no repository record; ``urls`` are the URLs of web records."""

    def __init__(self, lines: Lines, urls: Collection[str]) -> None:
        super().__init__(lines)
        self.known = frozenset(urls)
        self._spaced = [url for url in self.known if any(char.isspace() for char in url)][:200]

    def read(self, raw: RawEntry) -> SourceEntry:
        """The entry; of unknown kind when no URL of it can be told to be its own."""
        shown: dict[str, Shown] = {}
        match = _DEFINITION.match(self.flat, raw.text_at, raw.end) if raw.definition else None
        if match and (_URLISH.match(match.group(1)) or match.end() == raw.end):
            shown["url"] = self.shown(*match.span(1))
            if match.group(2):
                shown["title"] = self.shown(*match.span(2))
            return self.entry(raw, EntryKind.WEB, shown, [shown["url"]])
        parts = self.parts(raw.text_at, raw.end, None)
        place = self._url_place(raw, parts)
        if place is None:
            return self.entry(raw, EntryKind.UNKNOWN, {}, self.urls(raw.text_at, raw.end, None))
        start, end, tail = place
        url = self.shown(start, end, strip=" \t\n<>`")
        shown["url"] = url
        title_end = max((part.end for part in parts if part.end <= start), default=raw.text_at)
        if title_end > raw.text_at:
            shown["title"] = self._title(raw.text_at, title_end)
        elif link := _MARKDOWN_LINK.match(self.flat, raw.text_at, raw.end):
            shown["title"] = self.shown(*link.span(1))
        elif (before := self._title(raw.text_at, start)).value.strip("<([ \n"):
            shown["title"] = before
        shown |= self._tail(tail, raw.end)
        found = [url, *self.urls(max(tail, end), raw.end, None)]
        return self.entry(raw, EntryKind.WEB, shown, found)

    def _title(self, start: int, end: int) -> Shown:
        bare = self.shown(start, end, strip=" \t\n*_<")
        return bare if bare.value else self.shown(start, end)

    def _url_place(self, raw: RawEntry, parts: list[Part]) -> tuple[int, int, int] | None:
        """Start and end of the entry's URL and where its tail begins."""
        if pattern := self._by_type(parts):
            # A record's URL may hold dashes or spaces, at which the shape alone would cut it.
            longer = self._record_at(raw, pattern[0])
            return (pattern[0], longer, max(longer, pattern[2])) if longer else pattern
        if known := self._by_record(raw):
            return known
        for part in reversed(parts):
            if _URLISH.match(self.flat, part.start, part.end):
                return self._inside(part)
        return self._only_url(raw)

    def _by_type(self, parts: list[Part]) -> tuple[int, int, int] | None:
        for place in range(len(parts) - 2, -1, -1):
            part, kind = parts[place], parts[place + 1]
            if _TIER.search(self.flat, kind.start, kind.end):
                if _URLISH.match(self.flat, part.start, part.end):
                    return part.start, part.end, kind.start
                if link := _MARKDOWN_LINK.fullmatch(self.flat, part.start, part.end):
                    return *link.span(2), kind.start
        return None

    def _by_record(self, raw: RawEntry) -> tuple[int, int, int] | None:
        """The last URL of a record that stands between separators."""
        best: tuple[int, int, int] | None = None
        for match in _URLISH.finditer(self.flat, raw.text_at, raw.end):
            start = match.start() + (self.flat[match.start()] == "<")
            if end := self._record_at(raw, start):
                best = (start, end, end)
        return best

    def _record_at(self, raw: RawEntry, start: int) -> int:
        """Where the URL of a record that begins at ``start`` ends; 0 without one."""
        start += self.flat[start : start + 1] == "<"
        ends = [
            start + len(url)
            for url in (*self._spaced, self._token(start, raw.end))
            if url in self.known and self.flat.startswith(url, start)
        ]
        return max((end for end in ends if self._bordered(raw, start, end)), default=0)

    def _token(self, start: int, end: int) -> str:
        stop = start
        end = min(end, start + _LONGEST_LINKED)
        while stop < end and not self.flat[stop].isspace() and self.flat[stop] not in "<>":
            stop += 1
        return self.flat[start:stop]

    def _bordered(self, raw: RawEntry, start: int, end: int) -> bool:
        before = self.flat[max(raw.text_at, start - 80) : start].rstrip("< \t\n`")
        after = self.flat[end : min(raw.end, end + 80)].lstrip("> \t\n`")
        return (not before or before[-1] in "—―–-|:") and (not after or after[0] in "—―–-|;(")

    def _inside(self, part: Part) -> tuple[int, int, int] | None:
        """The URL of a part that begins with one; none when several stand there."""
        if self.flat[part.start] == "<" and (close := self.flat.find(">", part.start, part.end)) > 0:
            return part.start + 1, close, close + 1
        found = list(find_urls(self.flat, part.start, part.end))
        if not found:
            end = part.start + len(self._token(part.start, part.end))
            return part.start, end, end
        if len({url for _, _, url in found}) > 1:
            return None
        return part.start, found[0][1], found[0][1]

    def _only_url(self, raw: RawEntry) -> tuple[int, int, int] | None:
        """The URL of an entry without the contract's shape, when it has exactly one."""
        near = min(raw.end, raw.text_at + _LONGEST_LINKED)
        if odd := _BRACKETED_URL.search(self.flat, raw.text_at, near):
            return *odd.span(1), odd.end()
        if link := _MARKDOWN_LINK.search(self.flat, raw.text_at, near):
            return *link.span(2), link.end()
        found = list(find_urls(self.flat, raw.text_at, raw.end))
        distinct = {url for _, _, url in found}
        if len(distinct) > 1:
            found = [one for one in found if one[2] in self.known]
            distinct = {url for _, _, url in found}
        if len(distinct) != 1:
            return None
        start, end, _ = found[-1]
        return start, end, end

    def _tail(self, start: int, end: int) -> dict[str, Shown]:
        shown: dict[str, Shown] = {}
        parts = self.parts(start, end, None)
        if tier := _TIER.search(self.flat, start, end) or _TIER_FIELD.search(self.flat, start, end):
            group = 1 if tier.group(1) else 2
            shown["tier"] = Shown(tier.group(group), self.lines.source_span(*tier.span(group)))
        for place, part in enumerate(parts):
            if date := _DATE.search(self.flat, part.start, part.end):
                shown["date"] = self.shown(*date.span(1))
                break
            text = self.flat[part.start : part.end]
            if place and not _KEYED.match(text) and not _TIER.search(text) and len(text) < 40:
                shown["date"] = self.shown(part.start, part.end)
                break
        return shown

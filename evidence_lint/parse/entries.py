"""What an entry of section 8 shows: only the fields that stand there, each with its place (chapter 1, CIT108)."""

from __future__ import annotations

import re
from collections.abc import Collection

from evidence_lint.model.report import EntryKind, Shown, SourceEntry
from evidence_lint.parse.entry_text import EntryText, Part
from evidence_lint.parse.index import RawEntry
from evidence_lint.parse.lines import Lines
from evidence_lint.parse.verbatim import entry_head, head_id
from evidence_lint.parse.web_entries import WebEntryReader

_PATH_LINE = re.compile(r"(.*?)(?::L?|#L)(\d+(?:\s*[-–]\s*L?\d+)?)\Z", re.DOTALL)
_COMMIT = re.compile(r"\bcommit:\s*`?([^\s;`—|]+)", re.IGNORECASE)
_TREE = re.compile(r"\btree:\s*`?([^\s;`—|]+)", re.IGNORECASE)
_STATUS = re.compile(r"([^\s()—]{1,40})\s*\(\s*exit(?:\s+code)?[\s:=]*([^()\n]{1,40}?)\s*\)", re.IGNORECASE)
_EXIT = re.compile(r"\bexit(?:\s+code)?[\s:=]+(-?\d+)\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[—―;|]|\s(?:–|--?)\s|\n")
_MARKS = ' \t\n`"”'
_OTHER_FIELD = re.compile(
    r"(?:(?:commit|snapshot|tree|blob|branch|tag|ref|author|authored|committed|committer|date|time|permalink|link|url|source"
    r"|language|lang|symbol|function|method|class|module|notes?|remark|comment|relevance|status|lines?|range|root|repo"
    r"|repository|dirty|covers|sha(?:-?256)?|hash|basis|role|kind|type|see|pinned|unpinned|state)\b\s*[:=][^\n]*"
    r"|[0-9a-f]{7,64}|HEAD|(?:un)?pinned|work(?:ing)?[-_ ]?tree[-\w ]{0,30}|worktree|\d{4}-\d\d-\d\d\S*|<?https?://\S+"
    r"|\[[^\]\n]{1,200}\]\([^\s()]{1,500}\)|\((?:un)?pinned[^()\n]{0,80}\)|<!--.*?-->|</?[a-z][^<>\n]{0,80}>|[{(\[]?#?[-\w]{0,3}[)}\]]?)",
    re.IGNORECASE,
)


class EntryReader(EntryText):
    """Reads raw entries of every kind; ``urls`` are the URLs of web records."""

    def __init__(self, lines: Lines, urls: Collection[str]) -> None:
        super().__init__(lines)
        self._web = WebEntryReader(lines, urls)

    def read(self, raw: RawEntry) -> SourceEntry:
        """One entry of the model."""
        head = entry_head(self.flat, raw.text_at, raw.end)
        if head is None:
            return self._web.read(raw)
        kind = EntryKind(head.group(1).lower())
        start, end = head_id(head)[1:]
        parts = self.parts(head.end(), raw.end, raw.excerpt)
        shown: dict[str, Shown] = {"id": self.shown(start, end)}
        if kind is EntryKind.CODE:
            shown |= self._code(raw, parts)
        elif kind is EntryKind.COMMIT:
            shown |= self._commit(raw, parts)
        else:
            shown |= self._test(raw, parts)
        found = self.urls(head.end(), raw.end, raw.excerpt)
        return self.entry(raw, kind, shown, found)

    def _code(self, raw: RawEntry, parts: list[Part]) -> dict[str, Shown]:
        shown: dict[str, Shown] = {}
        rest = parts
        if parts and (raw.excerpt is None or parts[0].end <= raw.excerpt[0]):
            shown |= self._path(parts[0])
            rest = parts[1:] if shown else parts
        commit = self._last_field(_COMMIT, raw)
        if commit:
            shown["commit"] = commit[0]
        if raw.excerpt:
            end = commit[1] if commit and commit[1] >= raw.excerpt[1] else raw.end
            shown["excerpt"] = self._with_foreign(raw.excerpt, end)
        elif rest and shown.get("path"):
            end = raw.end
            if commit:
                before = [part.end for part in rest if part.end <= commit[1]]
                end = max(before, default=rest[0].start)
            if end > rest[0].start:
                shown["excerpt"] = self.shown(rest[0].start, end)
        return shown

    def _path(self, part: Part) -> dict[str, Shown]:
        text = self.flat[part.start : part.end]
        bare = self.shown(part.start, part.end)
        offset = part.start + text.find(bare.value)
        match = _PATH_LINE.match(bare.value)
        if match:
            path = self.shown(offset + match.start(1), offset + match.end(1))
            line = self.shown(offset + match.start(2), offset + match.end(2))
            return {"path": path, "line": line}
        looks_like_path = "`" in text or (bare.value and not any(char.isspace() for char in bare.value))
        return {"path": bare} if looks_like_path and not bare.value.lower().startswith("commit:") else {}

    def _last_field(self, pattern: re.Pattern[str], raw: RawEntry) -> tuple[Shown, int] | None:
        start = raw.excerpt[1] if raw.excerpt else raw.text_at
        found = None
        for match in pattern.finditer(self.flat, start, raw.end):
            found = match
        if found is None and raw.excerpt:
            for match in pattern.finditer(self.flat, raw.text_at, raw.excerpt[0]):
                found = match
        if found is None:
            return None
        return self.shown(*found.span(1)), found.start()

    def _commit(self, raw: RawEntry, parts: list[Part]) -> dict[str, Shown]:
        shown: dict[str, Shown] = {}
        before = [part for part in parts if raw.excerpt is None or part.end <= raw.excerpt[0]]
        if before:
            labelled = _COMMIT.match(self.flat, before[0].start, before[0].end)
            shown["commit"] = self.shown(*(labelled.span(1) if labelled else (before[0].start, before[0].end)))
        if raw.excerpt:
            shown["subject"] = self._with_foreign(raw.excerpt, raw.end)
        elif len(before) > 1:
            shown["subject"] = self.shown(before[1].start, raw.end)
        return shown

    def _with_foreign(self, consumed: tuple[int, int], end: int) -> Shown:
        """The consumed text of a record, with whatever stands behind it that is no further field of the entry.

        A reader cannot tell such lines from the record's own.
        """
        start, stop = consumed
        foreign = stop
        at = stop
        for match in (*_BETWEEN.finditer(self.flat, stop, end), None):
            piece = self.flat[at : match.start() if match else end].strip(_MARKS)
            if piece and not _OTHER_FIELD.fullmatch(piece):
                foreign = match.start() if match else end
            at = match.end() if match else end
        if foreign == stop:
            return self.whole(start, stop)
        while foreign > stop and self.flat[foreign - 1] in _MARKS:
            foreign -= 1
        return self.whole(start, foreign)

    def _test(self, raw: RawEntry, parts: list[Part]) -> dict[str, Shown]:
        shown: dict[str, Shown] = {}
        if raw.excerpt:
            shown["excerpt"] = self.whole(*raw.excerpt)
        for part in parts:
            if raw.excerpt and part.start >= raw.excerpt[0]:
                continue
            if status := _STATUS.search(self.flat, part.start, part.end):
                shown.setdefault("status", self.shown(*status.span(1)))
                shown.setdefault("exit_code", self.shown(*status.span(2)))
            elif code := _EXIT.search(self.flat, part.start, part.end):
                shown.setdefault("exit_code", self.shown(*code.span(1)))
            if commit := _COMMIT.search(self.flat, part.start, part.end):
                shown.setdefault("commit", self.shown(*commit.span(1)))
            if tree := _TREE.search(self.flat, part.start, part.end):
                shown.setdefault("tree", self.shown(*tree.span(1)))
        return shown

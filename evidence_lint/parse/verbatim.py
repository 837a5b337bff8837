"""Record texts inside index entries, consumed before anything else is read (chapter 1, "The index")."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_HEAD = re.compile(r"[\s*_]*(code|commit|test)\s+evidence\s*:?\s*(?:`([^`\n]+)`|([^\s`—–,;|]+))", re.IGNORECASE)
_BEFORE = re.compile(r"(?:[—―|]|\s(?:–|--?))[ \t]*\n?[ \t]*[`\"“]*$")
_PATH = re.compile(r"\s*(?:[—―]|\s(?:–|--?)\s)\s*(?:`[^`\n]*`|[^\n—―]*?)(?=\s*[—―]|\s+(?:–|--?)\s)")
_AFTER = re.compile(r"[`\"”]*[ \t]*(?:\n|$|[—―;|]|(?:–|--?)[ \t\n])")
_MOST_TRIES = 40


def entry_head(text: str, start: int, end: int) -> re.Match[str] | None:
    """The words ``code evidence `id``` at the start of an entry."""
    return _HEAD.match(text, start, end)


def search_start(text: str, head: re.Match[str], end: int) -> int:
    """Where the record's text can begin: in a code entry not before its path, which may be the same words."""
    if head.group(1).lower() != "code":
        return head.end()
    path = _PATH.match(text, head.end(), end)
    return path.end() if path else head.end()


def head_id(head: re.Match[str]) -> tuple[str, int, int]:
    """The id of an entry's head and its range."""
    group = 2 if head.group(2) is not None else 3
    return head.group(group).strip(), *head.span(group)


class RecordTexts:
    """The verbatim texts of the records, ready to be looked for."""

    def __init__(self, evidence: Mapping[str, Sequence[str]]) -> None:
        self._evidence = evidence
        self._ready: dict[str, tuple[str, ...]] = {}

    def of(self, record: str) -> tuple[str, ...]:
        """The texts of a record and the same without outer white space, longest first, newlines as LF."""
        ready = self._ready.get(record)
        if ready is None:
            texts: set[str] = set()
            for text in self._evidence.get(record, ()):
                plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
                texts.update(variant for variant in (plain, plain.rstrip(), plain.strip()) if variant.strip())
            ready = tuple(sorted(texts, key=lambda text: (-len(text), text)))
            self._ready[record] = ready
        return ready


def consume(flat: str, start: int, window: int, texts: Sequence[str]) -> tuple[int, int] | None:
    """Where one of ``texts`` stands verbatim between the dashes of an entry; it begins before ``window``.

    A text that the report continues or precedes with other characters is not consumed: what the entry shows is then
    another text, and is compared as that.
    """
    for text in texts:
        at = start
        for _ in range(_MOST_TRIES):
            found = flat.find(text, at, window + len(text))
            if found < 0:
                break
            after = found + len(text)
            before = flat[max(start, found - 200) : found]
            if _BEFORE.search(before.rstrip(" \t")) and (text[-1] == "\n" or _AFTER.match(flat, after)):
                return found, after
            at = found + 1
    return None

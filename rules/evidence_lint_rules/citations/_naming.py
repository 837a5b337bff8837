"""How messages name an entry of the index, and where its parts stand."""

from __future__ import annotations

from evidence_lint.model.location import Location
from evidence_lint.model.report import REPORT, EntryKind, Shown, SourceEntry

_LONGEST = 120


def named(entry: SourceEntry) -> str:
    """An entry as ``[2] https://…`` or ``[3] code evidence code-1``."""
    if entry.id is not None and entry.kind not in {EntryKind.WEB, EntryKind.UNKNOWN}:
        return f"[{entry.number}] {entry.kind} evidence {shortened(entry.id.value)}"
    if entry.url is not None:
        return f"[{entry.number}] {shortened(entry.url.value)}"
    return f"[{entry.number}] {shortened(' '.join(entry.text.split()), 60)}".rstrip()


def shortened(text: str, most: int = _LONGEST) -> str:
    """A text on one line, cut with an ellipsis where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def number_location(entry: SourceEntry) -> Location:
    """The number of an entry."""
    return Location(REPORT, entry.number_span)


def place(shown: Shown | None, entry: SourceEntry) -> Location:
    """A shown value, or the entry where it shows none."""
    return Location(REPORT, shown.span) if shown is not None else entry.location

"""The budget ledger's facts (chapter 2): canonical ceilings, and whether a budget ran out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from evidence_lint.model.records import Records

MODES = ("quick", "standard", "deep")
KINDS = ("web", "codebase", "hybrid")


@dataclass(frozen=True, slots=True)
class Budget:
    """The canonical budget of a depth mode."""

    retrieval_min: int
    retrieval_max: int
    content_max: int
    report_sources_max: int


CANONICAL: Mapping[str, Budget] = {
    "quick": Budget(5, 10, 5, 8),
    "standard": Budget(15, 25, 10, 20),
    "deep": Budget(30, 50, 15, 40),
}


def session_word(records: Records, field: str) -> str | None:
    """A word of the session's own (``mode``, ``research_kind``), lower-cased; None where it is no known word."""
    row = records.session
    value = getattr(row.value, field, None) if row is not None and row.value is not None else None
    word = value.strip().lower() if isinstance(value, str) else ""
    return word if word in {*MODES, *KINDS} else None


def exhausted_event(records: Records) -> int | None:
    """The index of the first ledger event that says that a budget was exhausted, or None."""
    row = records.session
    events = row.value.events if row is not None and row.value is not None else None
    if not isinstance(events, list):
        return None
    for index, event in enumerate(cast("list[object]", events)):
        if _says_exhausted(event):
            return index
    return None


_EXHAUSTED = re.compile(r"exhaust(?!iv)")
_DENIED = re.compile(
    r"\b(?:not|no|non|never|without|un|in)\b[\s_-]*(?:\w+[\s_-]+){0,3}?(?:\w*exhaust)|\b(?:un|in|non)exhaust|n['’]t\b.{0,20}exhaust"
)
_BUDGET = re.compile(r"budget|retrieval|extraction|ceiling|quota|calls")
_NAMING = frozenset({"type", "event", "kind", "status", "outcome", "result", "name", "state", "reason", "stop_reason"})
_TELLING = frozenset({"message", "note", "detail", "details", "description", "text", "summary"})


def _says_exhausted(event: object) -> bool:
    """Whether an event says so: by a flag, by its name or status, or in words that speak of a budget."""
    if isinstance(event, str):
        return _affirms(event)
    if not isinstance(event, dict):
        return False
    members = {key.lower(): value for key, value in cast("dict[str, object]", event).items()}
    flags = [value for key, value in members.items() if _EXHAUSTED.search(key) and isinstance(value, bool)]
    if flags:
        return any(flags)
    for key, value in members.items():
        if not isinstance(value, str):
            continue
        told = key in _NAMING or _BUDGET.search(key) is not None
        if _affirms(value) and (told or (key in _TELLING and _BUDGET.search(value.lower()) is not None)):
            return True
    return False


def _affirms(text: str) -> bool:
    lowered = text[:2000].lower()
    return _EXHAUSTED.search(lowered) is not None and _DENIED.search(lowered.replace("_", " ")) is None


def budget_exhausted(records: Records) -> bool:
    """Whether content.json or the ledger says that a budget ran out. Usage equal to a ceiling does not."""
    return records.budget_exhausted or exhausted_event(records) is not None

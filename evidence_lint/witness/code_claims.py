"""What a code record claims, read field by field; whatever does not fit is a diagnosis, never an exception."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evidence_lint.model.artifact import JSON
from evidence_lint.model.location import Location
from evidence_lint.model.records import CodeRecord, Row
from evidence_lint.parse.record_fields import described
from evidence_lint.witness.code_facts import Diagnosis, RepositoryFault
from evidence_lint.witness.code_lines import text_lines
from evidence_lint.witness.paths import BadPath, read_path

_PIN = re.compile(r"[0-9a-fA-F]{7,64}")
_NUMERAL = re.compile(r"[0-9]{1,15}")


def is_pin(commit: str) -> bool:
    """Whether the text is digits of an object id (7 to 64), and no label."""
    return _PIN.fullmatch(commit) is not None


@dataclass(frozen=True, slots=True)
class CodeClaim:
    """A code record as it was meant. ``faults`` are those that no repository is needed for.

    ``excerpt`` are whole lines: CR before LF dropped, one newline at the end adds none.
    """

    row: Row[CodeRecord]
    id: str
    path: str
    line: int
    excerpt: tuple[str, ...]
    text: str
    commit: str
    faults: tuple[Diagnosis, ...]

    @property
    def pinned(self) -> bool:
        """Whether the commit is digits of an id, not a label."""
        return is_pin(self.commit)

    @property
    def last(self) -> int:
        """The last line."""
        return self.line + len(self.excerpt) - 1


def read_code_claim(row: Row[CodeRecord]) -> CodeClaim:
    """Read a code record."""
    raw: dict[str, JSON] = row.raw if isinstance(row.raw, dict) else {}
    value = row.value
    path, line = read_path(raw.get("path")), _line(raw.get("line"))
    excerpt = raw.get("excerpt")
    faults: list[Diagnosis] = []
    if isinstance(path, BadPath):
        faults.append(_bad_path(raw.get("path"), path, row.at("path")))
    if not isinstance(excerpt, str) or not excerpt.strip():
        faults.append(_no_excerpt(raw, row.at("excerpt")))
    if line is None:
        faults.append(_bad_line(raw, row.at("line")))
    return CodeClaim(
        row=row,
        id=(value.id or "").strip() if value is not None else "",
        path=path if isinstance(path, str) else "",
        line=line or 0,
        excerpt=tuple(text_lines(excerpt)) if isinstance(excerpt, str) else (),
        text=excerpt if isinstance(excerpt, str) else "",
        commit=(value.commit or "").strip() if value is not None else "",
        faults=tuple(faults),
    )


def _line(value: JSON) -> int | None:
    """A positive line number; a numeric string is read as a number (chapter 5)."""
    if isinstance(value, str) and _NUMERAL.fullmatch(value.strip()):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if value >= 1 else None


def _bad_path(value: JSON, bad: BadPath, location: Location) -> Diagnosis:
    shown = f"the path {value[:200]!r}" if isinstance(value, str) else "the path"
    return Diagnosis(
        RepositoryFault.PATH_ESCAPE,
        f"{shown} {bad.why}",
        location,
        "Give the file relative to the root of the repository, with `/` between folders.",
    )


def _no_excerpt(raw: dict[str, JSON], location: Location) -> Diagnosis:
    excerpt = raw.get("excerpt")
    stands = "has no excerpt" if excerpt is None else "has an empty excerpt"
    if excerpt is not None and not isinstance(excerpt, str):
        stands = f"has {described(excerpt)} for an excerpt"
    return Diagnosis(
        RepositoryFault.INCOMPLETE,
        f"the record {stands}, so there is nothing to compare with the file",
        location,
        "Copy the cited lines into `excerpt`, whole and unchanged.",
    )


def _bad_line(raw: dict[str, JSON], location: Location) -> Diagnosis:
    stands = f"`line` is {described(raw['line'])}" if "line" in raw else "`line` is absent"
    return Diagnosis(
        RepositoryFault.LINE_OUT_OF_RANGE,
        f"{stands}, where the number of the excerpt's first line, from 1, is expected",
        location,
    )

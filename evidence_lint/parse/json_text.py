"""JSON and JSONL texts into values, refusing what would be read differently elsewhere (chapter 2).

Duplicate keys (which of the two did the author mean?), NaN and Infinity, numbers that no float holds, and
absurd nesting make a text invalid here although Python's own parser takes them. Half of a surrogate pair,
which JSON can write and UTF-8 cannot, is read as U+FFFD, as JavaScript does when it encodes such a string;
so hashing and printing a text never fails, and pages that were cut in mid-character stay usable.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from evidence_lint.model.artifact import JSON, Artifact, ArtifactFault, FaultKind, Medium
from evidence_lint.parse.json_faults import MAX_DEPTH, MAX_FAULTS, diagnose, number_fault

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Parsed:
    """The value of a text, None where it has faults; for JSONL the list of its rows, None for a faulty row."""

    data: JSON
    faults: tuple[ArtifactFault, ...] = ()


def parse_artifact(artifact: Artifact) -> Artifact:
    """Parse the text of a JSON or JSONL artifact; any other, and one without text, is returned as it is."""
    if artifact.text is None or artifact.medium not in {Medium.JSON, Medium.JSONL}:
        return artifact
    parse = parse_json if artifact.medium is Medium.JSON else parse_jsonl
    parsed = parse(artifact.text)
    return replace(artifact, data=parsed.data, faults=artifact.faults + parsed.faults)


def parse_json(text: str) -> Parsed:
    """Parse one document. Offsets of faults are characters of ``text``. Never raises on a bad text."""
    try:
        return Parsed(_decode(text))
    except (ValueError, RecursionError) as error:
        found = diagnose(text)
        faults = found.faults or [_unexplained(error, 0, len(text))]
        if found.more:
            faults.append(ArtifactFault(FaultKind.INVALID_JSON, f"and {found.more} more of such faults"))
        return Parsed(None, tuple(faults))


def parse_jsonl(text: str) -> Parsed:
    """Parse one document a line. A faulty line is None in ``data`` and hides no other; blank lines are no rows."""
    rows: list[JSON] = []
    faults: list[ArtifactFault] = []
    more = 0
    for start, end in json_lines(text):
        try:
            rows.append(_decode(text[start:end]))
        except (ValueError, RecursionError) as error:
            rows.append(None)
            found = _line_faults(text, start, end, error)
            more += len(found) if len(faults) >= MAX_FAULTS else 0
            faults += found if len(faults) < MAX_FAULTS else ()
    if more:
        faults.append(ArtifactFault(FaultKind.INVALID_JSON, f"and {more} more faults in later lines"))
    return Parsed(rows, tuple(faults))


def json_lines(text: str) -> Iterator[tuple[int, int]]:
    """Give start and end of each line of a JSONL text that is not blank, line ends excluded.

    A line ends at LF or CRLF only: U+2028 and its like may stand inside a JSON string.
    """
    start = 0
    while start < len(text):
        feed = text.find("\n", start)
        end = len(text) if feed < 0 else feed
        if text[start:end].strip(" \t\r"):
            yield start, end - (1 if text[end - 1] == "\r" else 0)
        start = end + 1


def _line_faults(text: str, start: int, end: int, error: Exception) -> list[ArtifactFault]:
    found = diagnose(text, start, end)
    if not found.faults:
        return [_unexplained(error, start, end)]
    if found.cut_off and "\n" not in text[end:]:
        last = found.faults[-1]
        found.faults[-1] = replace(last, message=f"the last line is cut off: {last.message}")
    return found.faults


def _decode(text: str) -> JSON:
    # A decoder for each text: it keeps a memo of keys while it runs, and hooks let other threads in between.
    decoder = json.JSONDecoder(
        object_pairs_hook=_object, parse_int=_integer, parse_float=_real, parse_constant=_constant
    )
    data = cast("JSON", decoder.decode(text))
    if _too_deep(data):
        raise ValueError("nested too deeply")
    if "\\ud" in text or "\\uD" in text:
        data = _without_surrogates(data)
    return data


def _object(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate key")
    return members


def _integer(digits: str) -> int:
    if number_fault(digits):
        raise ValueError("number")
    return int(digits)


def _real(digits: str) -> float:
    if number_fault(digits):
        raise ValueError("number")
    return float(digits)


def _constant(word: str) -> JSON:
    raise ValueError(word)


def _too_deep(data: JSON) -> bool:
    level: list[JSON] = [data] if isinstance(data, dict | list) else []
    for _ in range(MAX_DEPTH):
        if not level:
            return False
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else cast("list[JSON]", parent))
            if isinstance(child, dict | list)
        ]
    return bool(level)


def _without_surrogates(data: JSON) -> JSON:
    """Replace lone surrogates; the depth of ``data`` has been checked."""
    if isinstance(data, str):
        return data if data.isascii() else _LONE_SURROGATE.sub("\ufffd", data)
    if isinstance(data, list):
        return [_without_surrogates(value) for value in data]
    if isinstance(data, dict):
        return {_LONE_SURROGATE.sub("\ufffd", key): _without_surrogates(value) for key, value in data.items()}
    return data


def _unexplained(error: Exception, start: int, end: int) -> ArtifactFault:
    """A fault for a text that only the parser itself refuses: the caller's own stack was nearly full."""
    words = "too little stack is left to parse it" if isinstance(error, RecursionError) else str(error)
    return ArtifactFault(FaultKind.INVALID_JSON, words, start, end)

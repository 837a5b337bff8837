"""Fingerprints of problems that survive moved lines: what stands there counts, not where.

A fingerprint is over the rule, the text that the problem stands on, and what surrounds it: the paragraph, bullet or row
of a report with its numbers of citations left out, the ids of the records around a JSON value. Without the surroundings
a known ``High`` that was mended would hide the next finding that states High wrongly. The words of the message count
too, since one rule may find different faults in one place; what they quote, and every number, does not.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from evidence_lint.engine.locate import Locator
from evidence_lint.model.artifact import JSON, Artifact, Bundle, Medium
from evidence_lint.model.location import Location, Span, pointer_parts
from evidence_lint.model.verdict import Problem

_SPACE = re.compile(r"\s+")
_LONGEST = 4000
_BLOCK = re.compile(r"[ \t]*(?:\r\n|\n|\r)|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]*[#|>]", re.MULTILINE)
"""How a line begins that starts a block of its own: empty, a bullet, a heading, a table row or a quotation."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_CITED = re.compile(r"(?:\[[\d\s,–-]+\]\s*)+")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|“[^”]*”|‘[^’]*’|\([^()]*\)")
_ABSOLUTE = re.compile(r"(?<![\w/:.])/[^\s'\"`,;]+")
_PLACED = re.compile(r"#\d+|\blines? \d+(?:\s*[-–]\s*\d+)?|\b[0-9a-f]{7,64}\b")
_NOT_WORDS = re.compile(r"[\W\d_]+")
_IDENTITY = ("id", "url", "title", "name", "path", "excerpt")
_MOST_LINES = 40
"""Lines of a block that are looked at on each side of a problem."""


class Fingerprints:
    """Gives each problem of a bundle its fingerprint; equal problems are told apart by their order."""

    def __init__(self, bundle: Bundle, locator: Locator) -> None:
        self._bundle = bundle
        self._locator = locator
        self._seen: Counter[str] = Counter()
        self._values: dict[tuple[str, str], str] = {}

    def of(self, rule_name: str, problem: Problem) -> str:
        """Return 32 hexadecimal digits for a problem. Raises :class:`ValueError` on a pointer that is none."""
        text = "\0".join((rule_name, *self._parts(problem)))
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        self._seen[digest] += 1
        number = self._seen[digest]
        if number > 1:
            digest = hashlib.sha256(f"{digest}\0{number}".encode()).hexdigest()
        return digest[:32]

    def _parts(self, problem: Problem) -> Iterator[str]:
        location = problem.location
        artifact = self._bundle.artifacts.get(location.artifact)
        yield artifact.path.name if artifact is not None else location.artifact
        if artifact is not None and artifact.text is not None and location.span is not None:
            yield fold(location.span.of(artifact.text))
            yield _around(artifact, location.span)
            yield _skeleton(problem.message)
        elif artifact is not None and artifact.text is not None and location.pointer is not None:
            yield from self._pointed(artifact, location)
            yield _skeleton(problem.message)
        else:
            # Nothing but the words tells two of these apart.
            yield _PLACED.sub("#", _ABSOLUTE.sub("/", problem.message))

    def _pointed(self, artifact: Artifact, location: Location) -> Iterator[str]:
        pointer = location.pointer or ""
        key = (location.artifact, pointer)
        if key not in self._values:
            parts = pointer_parts(pointer)
            around, value = _walk(artifact.data, parts)
            text = "" if value is None else json.dumps(value, sort_keys=True, ensure_ascii=False)
            member = parts[-1] if parts and not parts[-1].isdigit() else ""
            self._values[key] = "\0".join((*around, member, fold(text)))
        yield self._values[key]


def fold(text: str) -> str:
    """Text with its white space made one, as rewrapping does not change it; the beginning of it where it is long."""
    return _SPACE.sub(" ", text[:_LONGEST]).strip()


def _around(artifact: Artifact, span: Span) -> str:
    """The paragraph, bullet or row that a problem begins in; its citations may be numbered anew."""
    text = artifact.text or ""
    if artifact.medium is not Medium.MARKDOWN:
        return ""
    first = _line_start(text, span.start)
    for _ in range(_MOST_LINES):
        if first == 0 or _BLOCK.match(text, first):
            break
        before = _line_start(text, first - 1)
        if not text[before:first].strip() or re.match(r"[ \t]*#", text[before:first]):
            break
        first = before
    last = _LINE.match(text, _line_start(text, span.start))
    end = last.end() if last is not None else len(text)
    for _ in range(_MOST_LINES):
        if end >= len(text) or _BLOCK.match(text, end) or text[first:end].lstrip().startswith("#"):
            break
        line = _LINE.match(text, end)
        end = line.end() if line is not None else len(text)
    return fold(_CITED.sub("[]", text[first:end]))


def _line_start(text: str, offset: int) -> int:
    if offset > 0 and text[offset - 1 : offset + 1] == "\r\n":
        offset -= 1
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _skeleton(message: str) -> str:
    """The words of a message, without what it quotes, places, and numbers."""
    return _NOT_WORDS.sub(" ", _PLACED.sub(" ", _ABSOLUTE.sub(" ", _QUOTED.sub(" ", message)))).strip()


def _walk(data: JSON, parts: Sequence[str]) -> tuple[list[str], JSON]:
    """What names the records on the way to a value, and the value."""
    around: list[str] = []
    for part in parts:
        if isinstance(data, dict):
            around += [identity] if (identity := _identity(data)) else []
            if part not in data:
                return around, None
            data = data[part]
        elif isinstance(data, list) and part.isdigit() and int(part) < len(data):
            data = data[int(part)]
        else:
            return around, None
    return around, data


def _identity(record: dict[str, JSON]) -> str:
    for name in _IDENTITY:
        value = record.get(name)
        if isinstance(value, str) and value:
            return f"{name}={fold(value)}"
    return ""

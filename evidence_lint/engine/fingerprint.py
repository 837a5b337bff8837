"""Fingerprints of problems that survive moved lines: what stands there counts, not where."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable

from evidence_lint.engine.locate import Locator
from evidence_lint.model.artifact import JSON, Bundle
from evidence_lint.model.location import Location, pointer_parts
from evidence_lint.model.verdict import Problem

_SPACE = re.compile(r"\s+")
_POSITION = re.compile(r"@\d+")
_LONGEST = 4000


class Fingerprints:
    """Gives each problem of a bundle its fingerprint; equal problems are told apart by their order."""

    def __init__(self, bundle: Bundle, locator: Locator) -> None:
        self._bundle = bundle
        self._locator = locator
        self._seen: Counter[str] = Counter()

    def of(self, rule_name: str, problem: Problem) -> str:
        """Return 32 hexadecimal digits over the rule, the artifact and the text that the problem stands on."""
        location = problem.location
        artifact = self._bundle.artifacts.get(location.artifact)
        name = artifact.path.name if artifact is not None else location.artifact
        parts = [rule_name, name, self._text(location)]
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
        self._seen[digest] += 1
        number = self._seen[digest]
        if number > 1:
            digest = hashlib.sha256(f"{digest}\0{number}".encode()).hexdigest()
        return digest[:32]

    def _text(self, location: Location) -> str:
        artifact = self._bundle.artifacts.get(location.artifact)
        if artifact is None or artifact.text is None:
            return ""
        if location.span is not None:
            return _fold(location.span.of(artifact.text))
        if location.pointer is not None:
            value = _at(artifact.data, location.pointer)
            member = location.pointer.rpartition("/")[2]
            text = "" if value is None else json.dumps(value, sort_keys=True, ensure_ascii=False)
            return f"{'' if member.isdigit() else member}\0{_fold(text)}"
        return ""


def subject_key(node: str) -> str:
    """Return a subject's name without the character offset that some carry."""
    return _POSITION.sub("", node)


def _fold(text: str) -> str:
    return _SPACE.sub(" ", text[:_LONGEST]).strip()


def _at(data: JSON, pointer: str) -> JSON:
    parts: Iterable[str] = pointer_parts(pointer)
    for part in parts:
        if isinstance(data, dict) and part in data:
            data = data[part]
        elif isinstance(data, list) and part.isdigit() and int(part) < len(data):
            data = data[int(part)]
        else:
            return None
    return data

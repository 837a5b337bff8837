"""Baselines: known failures by fingerprint, so that a gate can demand that none is added (chapter 10)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import cast

from evidence_lint.errors import ConfigError
from evidence_lint.model.suppression import BaselineEntry
from evidence_lint.model.verdict import Verdict

SCHEMA = "evidence-lint/baseline-v1"


class Baseline:
    """The entries of a baseline file. Paths are relative to the folder of the file."""

    def __init__(self, entries: Iterable[BaselineEntry] = (), name: str = "") -> None:
        self.entries = tuple(entries)
        self.name = name

    def of(self, path: str) -> Sequence[BaselineEntry]:
        """The entries of one report."""
        return [entry for entry in self.entries if PurePosixPath(entry.path) == PurePosixPath(path)]


def parse_baseline(text: str, name: str) -> Baseline:
    """Read a baseline. Raises :class:`ConfigError` when the text is none; ``name`` is the file in its message."""
    try:
        document: object = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise ConfigError(f"not a baseline: {problem}", path=name) from problem
    if not isinstance(document, dict):
        raise ConfigError("not a baseline: an object is expected", path=name)
    table = cast("dict[str, object]", document)
    if table.get("schema") != SCHEMA:
        raise ConfigError(f"not a baseline: its schema is {table.get('schema')!r}, not {SCHEMA!r}", path=name)
    rows = table.get("entries")
    if not isinstance(rows, list):
        raise ConfigError("not a baseline: `entries` is no list", path=name, key="entries")
    return Baseline([_entry(row, name, number) for number, row in enumerate(cast("list[object]", rows))], name)


def _entry(row: object, name: str, number: int) -> BaselineEntry:
    table = cast("dict[str, object]", row) if isinstance(row, dict) else {}
    fingerprint, rule, path, message = (table.get(key) for key in ("fingerprint", "rule", "path", "message"))
    if not (isinstance(fingerprint, str) and isinstance(rule, str) and isinstance(path, str)):
        raise ConfigError("`fingerprint`, `rule` and `path` are texts", path=name, key=f"entries[{number}]")
    return BaselineEntry(fingerprint, rule, path, message if isinstance(message, str) else "")


def render_baseline(rows: Iterable[tuple[str, Verdict]], kept: Iterable[BaselineEntry] = ()) -> str:
    """Write failed verdicts, and entries that stay, as a baseline.

    Each verdict comes with its report's path, relative to the file's folder where it lies below it.
    """
    entries = sorted(
        [
            *((e.path, e.rule, e.fingerprint, e.message) for e in kept),
            *((path, v.code, v.fingerprint, v.problem.message if v.problem else "") for path, v in rows),
        ]
    )
    document = {
        "schema": SCHEMA,
        "entries": [
            {"path": path, "rule": rule, "fingerprint": fingerprint, "message": message}
            for path, rule, fingerprint, message in entries
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"

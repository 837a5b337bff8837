"""What is known of the open bundles, and what the editor was told of each of their files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from lsprotocol import types

from evidence_lint.lsp.checker import Job, Snapshot, Trouble, covering
from evidence_lint.lsp.diagnostics import diagnostics_of, trouble_of
from evidence_lint.lsp.documents import Documents
from evidence_lint.lsp.places import Places

Publish = Callable[[types.PublishDiagnosticsParams], None]


class Board:
    """Keeps the last snapshot of every bundle of which a file is open, and publishes its diagnostics.

    A file may belong to several bundles; then it shows what is wrong in any of them.
    """

    def __init__(self, documents: Documents, publish: Publish) -> None:
        self._documents = documents
        self._publish = publish
        self._snapshots: dict[str, Snapshot] = {}
        self._told: dict[str, Mapping[Path, list[types.Diagnostic]]] = {}
        self._troubles: dict[Path, types.Diagnostic] = {}
        self._uris: dict[Path, str] = {}

    @property
    def snapshots(self) -> Sequence[Snapshot]:
        """The last snapshot of each bundle."""
        return list(self._snapshots.values())

    def of(self, path: Path) -> list[Snapshot]:
        """The bundles that a file belongs to."""
        return covering(self._snapshots.values(), path)

    def finish(self, job: Job, outcomes: Sequence[Snapshot | Trouble]) -> None:
        """Take in what a check found. What it no longer found is gone."""
        affected: set[Path] = set()
        fresh = {outcome.key for outcome in outcomes if isinstance(outcome, Snapshot)}
        troubled = {outcome.path for outcome in outcomes if isinstance(outcome, Trouble)}
        for path in job.paths:
            self._troubles.pop(path, None)
            affected.add(path)
            if path not in troubled:
                affected |= self._drop(snapshot.key for snapshot in self.of(path) if snapshot.key not in fresh)
        for outcome in outcomes:
            if isinstance(outcome, Trouble):
                if self._documents.at(outcome.path) is not None:
                    self._troubles[outcome.path] = trouble_of(outcome)
            elif self._is_open(outcome):
                affected |= self._told.get(outcome.key, {}).keys()
                self._snapshots[outcome.key] = outcome
                self._told[outcome.key] = diagnostics_of(Places(outcome, self._documents))
                affected |= self._told[outcome.key].keys()
        self._tell(affected)

    def closed(self, path: Path) -> list[Path]:
        """Let go of bundles of which nothing is open any more; returns the open files of the others of that file."""
        self._troubles.pop(path, None)
        around = self.of(path)
        gone = [snapshot.key for snapshot in around if not self._is_open(snapshot)]
        self._tell(self._drop(gone) | {path})
        return [
            document.path
            for snapshot in around
            if snapshot.key not in gone
            for document in self._documents
            if snapshot.artifact_of(document.path) is not None
        ]

    def _is_open(self, snapshot: Snapshot) -> bool:
        return any(self._documents.at(path) is not None for path in snapshot.files)

    def _drop(self, keys: Iterable[str]) -> set[Path]:
        affected: set[Path] = set()
        for key in list(keys):
            self._snapshots.pop(key, None)
            affected |= self._told.pop(key, {}).keys()
        return affected

    def _tell(self, paths: Iterable[Path]) -> None:
        rows: dict[Path, list[types.Diagnostic]] = defaultdict(list)
        for told in self._told.values():
            for path, diagnostics in told.items():
                rows[path] += diagnostics
        for path in sorted(paths):
            here = [self._troubles[path]] if path in self._troubles else []
            here += rows[path]
            document = self._documents.at(path)
            uri = document.uri if document is not None else self._uris.get(path) or path.as_uri()
            if document is not None or here or path in self._uris:
                self._uris[path] = uri
                version = document.version if document is not None else None
                self._publish(types.PublishDiagnosticsParams(uri, _distinct(here), version))
            if document is None and not here:
                self._uris.pop(path, None)


def _distinct(diagnostics: Sequence[types.Diagnostic]) -> list[types.Diagnostic]:
    """Without what two bundles say alike of a file that they share."""
    seen: dict[object, types.Diagnostic] = {}
    for row in diagnostics:
        start, end = row.range.start, row.range.end
        seen.setdefault((start.line, start.character, end.line, end.character, row.code, row.message), row)
    return list(seen.values())

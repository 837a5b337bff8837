"""Locations of a bundle as ranges of the protocol, and positions as characters of an artifact."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types

from evidence_lint.lsp.checker import Snapshot
from evidence_lint.lsp.documents import Document, Documents, uri_of
from evidence_lint.lsp.positions import LineTable, Place
from evidence_lint.model.artifact import Artifact
from evidence_lint.model.location import Location, Span
from evidence_lint.model.verdict import Edit

_START = types.Range(types.Position(0, 0), types.Position(0, 0))


class Places:
    """Translates for one snapshot, as the editor now holds its files."""

    def __init__(self, snapshot: Snapshot, documents: Documents) -> None:
        self.snapshot = snapshot
        self._documents = documents
        self._tables: dict[str, LineTable] = {}

    def uri(self, path: Path) -> str:
        """The name under which the editor knows a file."""
        document = self._documents.at(path)
        return document.uri if document is not None else uri_of(path)

    def document(self, artifact: str) -> Document | None:
        """The open document of an artifact."""
        found = self.snapshot.row.bundle.artifacts.get(artifact)
        return self._documents.at(found.path) if found is not None else None

    def current(self, artifact: str) -> bool:
        """Whether the editor still shows the text that was checked."""
        found = self.snapshot.row.bundle.artifacts.get(artifact)
        document = self.document(artifact)
        return found is not None and (document is None or document.decoded == (found.text or ""))

    def locate(self, location: Location | None) -> tuple[Path, types.Range]:
        """The file and range of a location.

        A whole artifact is its first line. What should stand in a file that is not there is shown at the main file, for
        an editor cannot open the other.
        """
        bundle = self.snapshot.row.bundle
        main = bundle.artifacts[bundle.main]
        artifact = bundle.artifacts.get(location.artifact) if location is not None else None
        if location is None or artifact is None or not artifact.present:
            return main.path, self._first_line(main)
        if location.span is None and location.pointer is None:
            return artifact.path, self._first_line(artifact)
        span = self.snapshot.locator.span(bundle, location)
        if span is None:
            return artifact.path, self._first_line(artifact)
        return artifact.path, self.range(artifact.name, span.start, span.end)

    def location(self, location: Location | None) -> types.Location:
        """The same as the protocol writes it."""
        path, there = self.locate(location)
        return types.Location(self.uri(path), there)

    def range(self, artifact: str, start: int, end: int) -> types.Range:
        """The range of some characters of an artifact."""
        table = self._table(artifact)
        return types.Range(_position(table.place(start)), _position(table.place(end))) if table else _START

    def offset(self, artifact: str, position: types.Position) -> int | None:
        """The character of an artifact at a position, None when the editor shows another text than was checked."""
        table = self._table(artifact)
        if table is None or not self.current(artifact):
            return None
        return table.offset(Place(position.line, position.character))

    def edits(self, edits: Sequence[Edit]) -> types.WorkspaceEdit | None:
        """The edits for the editor, or None when any of the files has changed since it was checked."""
        by_artifact: dict[str, list[types.TextEdit]] = {}
        for edit in edits:
            if not self.current(edit.artifact):
                return None
            row = types.TextEdit(self.range(edit.artifact, edit.start, edit.end), edit.text)
            by_artifact.setdefault(edit.artifact, []).append(row)
        changes: list[types.TextDocumentEdit] = []
        for name, rows in by_artifact.items():
            document = self.document(name)
            path = self.snapshot.row.bundle.artifacts[name].path
            version = document.version if document is not None else None
            which = types.OptionalVersionedTextDocumentIdentifier(uri=self.uri(path), version=version)
            changes.append(types.TextDocumentEdit(which, list(rows)))
        return types.WorkspaceEdit(document_changes=list(changes)) if changes else None

    def span(self, location: Location) -> Span | None:
        """The characters that a location covers, None for an artifact as a whole."""
        return self.snapshot.locator.span(self.snapshot.row.bundle, location)

    def _first_line(self, artifact: Artifact) -> types.Range:
        table = self._table(artifact.name)
        if table is None:
            return _START
        end = max(table.line_end(0) - table.shift, 0)
        return self.range(artifact.name, 0, end)

    def _table(self, name: str) -> LineTable | None:
        if name not in self._tables:
            artifact = self.snapshot.row.bundle.artifacts.get(name)
            if artifact is None or artifact.text is None:
                return None
            document = self._documents.at(artifact.path)
            shown = document.text if document is not None and document.decoded == artifact.text else artifact.text
            self._tables[name] = LineTable(shown, self._documents.encoding)
        return self._tables[name]


def _position(place: Place) -> types.Position:
    return types.Position(place.line, place.column)

"""The documents that the editor holds open, as it last told of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from evidence_lint.lsp.positions import BYTE_ORDER_MARK, Encoding, LineTable, Place


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a document: the whole text, or the text between two positions."""

    text: str
    start: Place | None = None
    end: Place | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """An open file. ``edited`` says whether the editor changed it since it was opened or saved."""

    uri: str
    path: Path
    text: str
    version: int | None = None
    edited: bool = False

    @property
    def decoded(self) -> str:
        """The text as the model knows it, without a byte order mark."""
        return self.text.removeprefix(BYTE_ORDER_MARK)


class Documents:
    """Open documents by file. Whatever is no file (an unsaved buffer, a revision) is not kept."""

    def __init__(self) -> None:
        self.encoding: Encoding = "utf-16"
        self._open: dict[Path, Document] = {}
        self._real: dict[str, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def open(self, uri: str, text: str, version: int | None) -> Path | None:
        """Take a document in; returns its file, None when it has none."""
        path = path_of(uri)
        if path is not None:
            self._put(Document(uri, path, text, version))
        return path

    def change(self, uri: str, version: int | None, changes: Iterable[Change]) -> Path | None:
        """Apply changes in order; returns the file that they concern, None for a document that is not open."""
        document = self.get(uri)
        if document is None:
            return None
        text = document.text
        for change in changes:
            text = self._applied(text, change)
        self._put(replace(document, text=text, version=version, edited=True))
        return document.path

    def save(self, uri: str) -> Path | None:
        """Note that a document was written to its file."""
        document = self.get(uri)
        if document is None:
            return path_of(uri)
        self._put(replace(document, edited=False))
        return document.path

    def close(self, uri: str) -> Path | None:
        """Let go of a document; returns its file."""
        path = path_of(uri)
        if path is not None and self._open.pop(path, None) is not None:
            self._real = {os.path.realpath(document.path): document for document in self._open.values()}
        return path

    def get(self, uri: str) -> Document | None:
        """The open document of this name."""
        path = path_of(uri)
        return self._open.get(path) if path is not None else None

    def at(self, path: Path) -> Document | None:
        """The open document that shows a file, under whatever name it was opened."""
        return self._open.get(path) or self._real.get(os.path.realpath(path))

    def texts(self) -> Mapping[str, Document]:
        """Every open document by its file's real path; the answer does not change afterwards."""
        return dict(self._real)

    def _put(self, document: Document) -> None:
        self._open[document.path] = document
        self._real[os.path.realpath(document.path)] = document

    def _applied(self, text: str, change: Change) -> str:
        if change.start is None or change.end is None:
            return change.text
        table = LineTable(text, self.encoding)
        start, end = table.index(change.start), table.index(change.end)
        return text[:start] + change.text + text[max(start, end) :]


def path_of(uri: str) -> Path | None:
    """The absolute path of a ``file:`` URI on this machine, else None."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if not path.startswith("/") or "\0" in path:
        return None
    return Path(os.path.normpath(path))


def uri_of(path: Path) -> str:
    """The ``file:`` URI of a path."""
    return Path(os.path.abspath(path)).as_uri()  # noqa: PTH100 - a link keeps the name that the editor knows

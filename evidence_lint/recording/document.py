"""code_evidence.json as a text that is edited in place: what an edit is not about stays as it was, byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from evidence_lint.errors import UsageError
from evidence_lint.model.artifact import JSON, Artifact, Medium
from evidence_lint.model.location import pointer
from evidence_lint.parse.json_positions import PointerIndex
from evidence_lint.parse.json_text import parse_artifact
from evidence_lint.sources.files import read_artifact
from evidence_lint.sources.writing import replace_file

EVIDENCE = "evidence"
_SURROGATE = re.compile("[\ud800-\udfff]")
_INDENT = "  "


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON file whose top is an object: its text without byte order mark, and what the text says."""

    path: Path
    text: str
    data: dict[str, JSON]
    bom: bool = False

    @property
    def records(self) -> Sequence[JSON]:
        """The rows of ``evidence``; none where it is absent or no list."""
        rows = self.data.get(EVIDENCE)
        return rows if isinstance(rows, list) else []

    @property
    def root(self) -> str:
        """The declared root, "" where there is none."""
        root = self.data.get("root")
        return root.strip() if isinstance(root, str) else ""

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all records."""
        found = (row.get("id") for row in self.records if isinstance(row, dict))
        return frozenset(name.strip() for name in found if isinstance(name, str))

    @property
    def artifact(self) -> Artifact:
        """The document as the artifact of a bundle."""
        return Artifact("code_evidence", self.path, Medium.JSON, text=self.text, data=self.data, bom=self.bom)

    def edited(self, text: str) -> Document:
        """The document with another text."""
        return Document(self.path, text, cast("dict[str, JSON]", json.loads(text)), self.bom)

    def write(self) -> None:
        """Replace the file as a whole. Raises :class:`OutputError`."""
        replace_file(self.path, ("\ufeff" * self.bom + self.text).encode("utf-8"))


def read_document(path: Path) -> Document | None:
    """Read a JSON object; None when there is no file. Raises :class:`UsageError` for anything else than an object."""
    artifact = parse_artifact(read_artifact(path.name, path, Medium.JSON))
    if not artifact.present:
        return None
    for fault in artifact.faults:
        raise UsageError(f"{path}: {fault.message}")
    if artifact.text is None or not isinstance(artifact.data, dict):
        raise UsageError(f"{path}: a JSON object is expected")
    return Document(path, artifact.text, artifact.data, artifact.bom)


def new_document(path: Path, root: str) -> Document:
    """An empty code_evidence.json that declares ``root``."""
    data: dict[str, JSON] = {"root": root, EVIDENCE: []}
    return Document(path, dumps(data) + "\n", data)


def dumps(value: object, indent: str | None = _INDENT) -> str:
    """JSON as people read it; a file name's undecodable bytes (lone surrogates) are escaped, the rest is not."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def with_record(document: Document, record: Mapping[str, object]) -> Document:
    """The document with one more record at the end of ``evidence``.

    Raises :class:`UsageError` when ``evidence`` is no list, or the record's id is taken.
    """
    if record.get("id") in document.ids:
        raise UsageError(f"{document.path} has a record {record['id']!r} already; records are never overwritten")
    rows = document.data.get(EVIDENCE)
    if EVIDENCE not in document.data:
        document = _with_member(document, "", EVIDENCE, [])
    elif not isinstance(rows, list):
        raise UsageError(f"{document.path}: `evidence` is no list, so no record can be added")
    return document.edited(_with_element(document.text, pointer(EVIDENCE), record))


def with_root(document: Document, root: str) -> Document:
    """The document with a declared root, where it has none."""
    return document if document.root else _with_member(document, "", "root", root)


def with_value(document: Document, parent: str, name: str, value: object) -> Document:
    """The document in which member ``name`` of the object at ``parent`` is ``value``."""
    index = PointerIndex(document.text)
    where = parent + pointer(name)
    members = index.span(where, key=True)
    if members == index.span(parent):
        return _with_member(document, parent, name, value)
    span = index.span(where)
    assert span is not None
    text = document.text
    shown = _rendered(
        text, value, _margin(text, span.start), pretty="\n" in span.of(text) or _on_own_line(text, span.start)
    )
    return document.edited(text[: span.start] + shown + text[span.end :])


def _with_member(document: Document, parent: str, name: str, value: object) -> Document:
    """Add a member at the end of an object that does not have it."""
    text = document.text
    span = PointerIndex(text).span(parent)
    assert span is not None
    return document.edited(_inserted(text, span.start, span.end, f"{dumps(name)}: ", value))


def _with_element(text: str, where: str, value: object) -> str:
    span = PointerIndex(text).span(where)
    assert span is not None
    return _inserted(text, span.start, span.end, "", value)


def _inserted(text: str, start: int, end: int, prefix: str, value: object) -> str:
    """``text`` with one more child at the end of the container ``start..end``, laid out as its other children are."""
    newline = "\r\n" if "\r\n" in text else "\n"
    inside = text[start + 1 : end - 1]
    empty = not inside.strip()
    outer = _margin(text, start)
    if empty:
        # A container without children says nothing of its layout; the document does.
        pretty = "\n" in text.strip() or start == 0
        inner = outer + _unit(text)
    else:
        lead = inside[: len(inside) - len(inside.lstrip())]
        pretty = "\n" in lead
        inner = lead.rpartition("\n")[2]
    shown = prefix + _rendered(text, value, inner, pretty=pretty)
    if not pretty:
        body = shown if empty else f"{inside.rstrip()}, {shown}"
        return f"{text[: start + 1]}{body}{text[end - 1 :]}"
    before = "" if empty else inside.rstrip() + ","
    return f"{text[: start + 1]}{before}{newline}{inner}{shown}{newline}{outer}{text[end - 1 :]}"


def _rendered(text: str, value: object, margin: str, *, pretty: bool) -> str:
    if not pretty:
        return dumps(value, None)
    newline = "\r\n" if "\r\n" in text else "\n"
    return dumps(value, _unit(text)).replace("\n", newline + margin)


def _unit(text: str) -> str:
    """The indentation of one level: that of the first indented line."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else _INDENT


def _margin(text: str, at: int) -> str:
    """The white space at the beginning of the line."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _on_own_line(text: str, at: int) -> bool:
    """Whether the line begins with the member at ``at``: then its object is laid out over several lines."""
    line = text[text.rfind("\n", 0, at) + 1 : at].strip()
    return line.startswith('"') and "{" not in line

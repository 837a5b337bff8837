"""Loading a bundle as the editor shows it: unsaved texts win over files.

A dialect reads files, and so it is given files: those of the bundle, in a private temporary folder, with the open
documents' texts in place of what is saved. Everything in the loaded bundle is then told to stand where it really
stands. A bundle without unsaved texts is loaded from its own files.
"""

from __future__ import annotations

import codecs
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from os.path import realpath
from pathlib import Path

from evidence_lint.dialect import Candidate, Dialect, LoadOptions
from evidence_lint.lsp.documents import Document
from evidence_lint.model.artifact import Artifact, Bundle
from evidence_lint.sources.files import Refused, confinement, read_artifact, read_bytes

_MARK = codecs.BOM_UTF8


def loader(dialect: Dialect, texts: Mapping[str, Document]) -> Callable[[Candidate, LoadOptions], Bundle]:
    """The dialect's ``load``, with ``texts`` (by real path) in place of their files."""

    def load(candidate: Candidate, options: LoadOptions) -> Bundle:
        paths = dict.fromkeys((candidate.main, *candidate.files.values()))
        within = confinement(candidate.main.parent)
        opened = {path: document for path in paths if (document := texts.get(realpath(path))) is not None}
        shown = {path: _file(path, opened[path], options.max_bytes, within) for path in opened}
        if not any(file.unsaved for file in shown.values()):
            return dialect.load(candidate, options)
        files = [shown.get(path) or _file(path, None, options.max_bytes, within) for path in paths]
        with tempfile.TemporaryDirectory(prefix="evidence-lint-lsp-") as folder:
            top = Path(folder).resolve()
            staged = _stage(candidate, files, top)
            bundle = dialect.load(staged, options)
        return _moved(bundle, candidate, files, top, options)

    return load


@dataclass
class _File:
    """One file of a bundle: its bytes as they count, None when it is not there or not to be read."""

    path: Path
    data: bytes | None
    unsaved: bool = False
    refused: bool = False
    staged: Path = Path()


def _file(path: Path, document: Document | None, limit: int, within: Path) -> _File:
    try:
        data = read_bytes(path, limit=limit, within=within)
    except Refused:
        # What is not read from a file is not read from an editor either: it may be outside of the bundle's folder.
        return _File(path, None, refused=True)
    if document is None:
        return _File(path, data)
    mark = _MARK if (data or b"").startswith(_MARK) else b""
    shown = mark + document.decoded.encode("utf-8", "surrogatepass")
    if data is not None and not document.edited and not _decodes(data):
        # An editor shows a file of another encoding in whatever way it guesses; what counts is the file.
        return _File(path, data)
    return _File(path, shown, unsaved=shown != data)


def _decodes(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _stage(candidate: Candidate, files: list[_File], top: Path) -> Candidate:
    taken: set[str] = set()
    for number, file in enumerate(files):
        name = file.path.name
        # The main file lies at the top, and the others beside it: files of one name have folders of their own.
        folder = top / str(number) if name.casefold() in taken else top
        taken.add(name.casefold())
        folder.mkdir(exist_ok=True)
        file.staged = folder / name
        if file.refused:
            file.staged.mkdir()
        elif file.data is not None:
            file.staged.write_bytes(file.data)
    by_path = {file.path: file.staged for file in files}
    return replace(
        candidate,
        path=top,
        main=by_path[candidate.main],
        files={name: by_path[path] for name, path in candidate.files.items()},
    )


def _moved(bundle: Bundle, candidate: Candidate, files: list[_File], top: Path, options: LoadOptions) -> Bundle:
    by_staged = {file.staged: file for file in files}

    def moved(artifact: Artifact) -> Artifact:
        file = by_staged.get(artifact.path)
        if file is None:
            return artifact
        if file.refused:
            # The staged stand-in is refused for another reason than the file itself.
            within = confinement(candidate.main.parent)
            return read_artifact(artifact.name, file.path, artifact.medium, limit=options.max_bytes, within=within)
        return replace(artifact, path=file.path)

    return replace(
        bundle,
        path=candidate.path,
        folder=candidate.main.parent if bundle.folder == top else bundle.folder,
        artifacts={name: moved(artifact) for name, artifact in bundle.artifacts.items()},
    )

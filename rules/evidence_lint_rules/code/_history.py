"""Example repositories with more history than the one commit that an example makes: objects planted as files."""

from __future__ import annotations

import hashlib
import zlib

from evidence_lint.model.example import BASE_CODE, BASE_CODE_PATH

_WHEN = "Example <example@example.org> 1735700000 +0000"

Files = dict[str, str | bytes]


def _object(files: Files, kind: str, body: bytes) -> str:
    """Plant a loose object; return its id."""
    data = f"{kind} {len(body)}\0".encode() + body
    oid = hashlib.sha1(data, usedforsecurity=False).hexdigest()
    files[f".git/objects/{oid[:2]}/{oid[2:]}"] = zlib.compress(data)
    return oid


def _commit(files: Files, text: str, subject: str) -> str:
    """Plant a commit of :data:`BASE_CODE_PATH` with this text; return its id."""
    folder, _, name = BASE_CODE_PATH.partition("/")
    blob = _object(files, "blob", text.encode())
    inner = _object(files, "tree", f"100644 {name}\0".encode() + bytes.fromhex(blob))
    tree = _object(files, "tree", f"40000 {folder}\0".encode() + bytes.fromhex(inner))
    return _object(files, "commit", f"tree {tree}\nauthor {_WHEN}\ncommitter {_WHEN}\n\n{subject}\n".encode())


def with_orphan() -> tuple[Files, str]:
    """A repository and the id of a commit in it that no ref reaches."""
    files: Files = {BASE_CODE_PATH: BASE_CODE}
    return files, _commit(files, BASE_CODE, "wip: rewrite")


def with_parent(text: str) -> tuple[Files, str]:
    """A repository whose commit has a parent with another text, and the parent's id."""
    files: Files = {BASE_CODE_PATH: BASE_CODE, ".git/HEAD": "ref: refs/heads/main\n"}
    oid = _commit(files, text, "feat: keep copies")
    files[".git/refs/heads/main"] = f"{oid}\n"
    return files, oid


def with_branch(name: str) -> Files:
    """A repository with a branch of this name."""
    files: Files = {BASE_CODE_PATH: BASE_CODE}
    files[f".git/refs/heads/{name}"] = f"{_commit(files, BASE_CODE, 'wip: rewrite')}\n"
    return files


def with_damage() -> tuple[Files, str]:
    """A repository and the id under which it holds a commit whose bytes were altered."""
    files: Files = {BASE_CODE_PATH: BASE_CODE}
    oid = _commit(files, BASE_CODE, "wip: rewrite")
    name = f".git/objects/{oid[:2]}/{oid[2:]}"
    stored = files[name]
    assert isinstance(stored, bytes)
    files[name] = zlib.compress(zlib.decompress(stored).replace(b"rewrite", b"forgery"))
    return files, oid

"""Paths that records claim (chapters 2 and 5): relative POSIX names inside the repository, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BadPath:
    """A value that names no file inside a repository; ``why`` continues a sentence that begins with the value."""

    why: str


def read_path(value: object) -> str | BadPath:
    """Return the path without ``.`` components and repeated slashes, or why it is refused.

    A ``..`` component is refused even where the result would stay inside: what it means depends on links.
    """
    if not isinstance(value, str):
        return BadPath("is no text" if value is not None else "is absent")
    if not value.strip():
        return BadPath("is empty")
    if "\0" in value:
        return BadPath("holds a NUL character")
    if value.startswith("/"):
        return BadPath("is absolute, and has to be relative to the root of the repository")
    names = [name for name in value.split("/") if name not in ("", ".")]
    if not names:
        return BadPath("names the repository itself, not a file in it")
    if ".." in names:
        return BadPath("has a `..` component")
    if any(name.lower() == ".git" for name in names):
        return BadPath("leads into Git's own directory")
    if path_bytes(path := "/".join(names)) is None:
        return BadPath("holds a character that no file name can be written with")
    return path


def path_bytes(path: str) -> bytes | None:
    """The name as Git stores it: UTF-8, undecodable bytes from surrogate escapes; None where there is none."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None


def join(base: str, path: str) -> str:
    """The path below a folder of the repository; ``base`` "" is its top."""
    return f"{base}/{path}" if base else path

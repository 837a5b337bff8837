"""Bounded reading of the files of a bundle (chapter 2; rule ``artifact-unreadable``).

A bundle is hostile data. A file of it may be enormous, a pipe that never ends, a device, or a symbolic link
to something on this machine that its author wants to see printed. So a file is opened only when it is a
regular file, no longer than a limit, and lies inside the bundle's folder or the Git work tree around it,
symbolic links resolved. Whatever is wrong becomes a fault of the artifact; nothing here raises.
"""

from __future__ import annotations

import codecs
import errno
import os
import stat
from pathlib import Path

from evidence_lint.model.artifact import Artifact, ArtifactFault, FaultKind, Medium

DEFAULT_LIMIT = 32 * 1024 * 1024
"""Bytes of one artifact."""

_MEDIA = {
    ".md": Medium.MARKDOWN,
    ".markdown": Medium.MARKDOWN,
    ".json": Medium.JSON,
    ".jsonl": Medium.JSONL,
    ".ndjson": Medium.JSONL,
}

_MARKS = (
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "UTF-32 (little-endian)"),
    (codecs.BOM_UTF32_BE, "UTF-32 (big-endian)"),
    (codecs.BOM_UTF16_LE, "UTF-16 (little-endian)"),
    (codecs.BOM_UTF16_BE, "UTF-16 (big-endian)"),
)

_GUESS_WINDOW = 32 * 1024


class Refused(Exception):
    """A file that is there and cannot be read; the message says why, in words that follow its name."""


def medium_of(path: Path) -> Medium:
    """The medium that a file's name announces; TEXT when it announces none."""
    return _MEDIA.get(path.suffix.lower(), Medium.TEXT)


def worktree_top(folder: Path) -> Path | None:
    """The top folder of the Git work tree around ``folder`` (symbolic links resolved), or None.

    Only the presence of ``.git`` (a folder, or the file of a linked work tree or submodule) is looked at;
    nothing in it is read.
    """
    try:
        here = folder.resolve()
        return next((top for top in (here, *here.parents) if os.path.lexists(top / ".git")), None)
    except (OSError, ValueError, RuntimeError):
        return None


def confinement(folder: Path) -> Path:
    """The folder that the files of a bundle in ``folder`` must lie in: its Git work tree, else ``folder`` itself."""
    return worktree_top(folder) or Path(os.path.realpath(folder))


def read_bytes(path: Path, *, limit: int = DEFAULT_LIMIT, within: Path | None = None) -> bytes | None:
    """The bytes of a regular file, or None when there is no such file.

    ``limit`` is in bytes. ``within`` is the folder that the file must lie in once symbolic links are
    resolved (default: :func:`confinement` of the file's folder). Raises :class:`Refused`.
    """
    try:
        return _read(path, limit, within)
    except FileNotFoundError as error:
        if _is_link(path):
            raise Refused("is a symbolic link to a file that does not exist") from error
        return None
    except NotADirectoryError:
        return None
    except OSError as error:
        raise Refused(_reason(error)) from error
    except ValueError as error:
        # A NUL or a character that this file system cannot hold: no file can bear that name.
        raise Refused("has a name that no file can have (a NUL or an unencodable character)") from error


def read_text(path: Path, *, limit: int = DEFAULT_LIMIT, within: Path | None = None) -> tuple[str, bool] | None:
    """The text of a UTF-8 file and whether it began with a byte order mark, or None when there is no such file.

    The mark is removed, line ends stay as they are. Raises :class:`Refused`.
    """
    data = read_bytes(path, limit=limit, within=within)
    if data is None:
        return None
    bom = data.startswith(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8-sig"), bom
    except UnicodeDecodeError as error:
        # The codec counts without the mark.
        raise Refused(_undecodable(data, error.start + (len(codecs.BOM_UTF8) if bom else 0))) from error


def read_artifact(
    name: str,
    path: Path,
    medium: Medium | None = None,
    *,
    limit: int = DEFAULT_LIMIT,
    within: Path | None = None,
) -> Artifact:
    """Read one file of a bundle as artifact ``name``; its ``data`` is left to :mod:`evidence_lint.parse`.

    A missing file gives ``present=False`` without a fault, for whoever asked for it decides whether it was
    needed. Any other trouble gives a fault of kind UNREADABLE. Never raises. ``limit`` is in bytes;
    ``within`` as in :func:`read_bytes`.
    """
    kind = medium or medium_of(path)
    try:
        read = read_text(path, limit=limit, within=within)
    except Refused as refusal:
        fault = ArtifactFault(FaultKind.UNREADABLE, f"{path.name} {refusal}")
        return Artifact(name, path, kind, faults=(fault,))
    if read is None:
        return Artifact(name, path, kind, present=False)
    text, bom = read
    return Artifact(name, path, kind, text=text, bom=bom)


def _read(path: Path, limit: int, within: Path | None) -> bytes:
    real = Path(os.path.realpath(path, strict=True))
    _confine(path, real, within)
    # Looked at before it is opened, since opening a device or a pipe can itself do something ...
    _regular(real.stat())
    # ... and looked at again once open, since the name may meanwhile mean another file.
    descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor, not a path
        status = os.fstat(descriptor)
        _regular(status)
        if status.st_size > limit:
            raise Refused(f"is {_size(status.st_size)} long, over the limit of {_size(limit)} for one file")
        data = file.read(limit + 1)
    if len(data) > limit:
        raise Refused(f"is longer than the limit of {_size(limit)} for one file")
    return data


def _confine(path: Path, real: Path, within: Path | None) -> None:
    top = Path(os.path.realpath(within)) if within is not None else confinement(path.parent)
    how = "is a symbolic link that leads" if _is_link(path) else "lies"
    if not real.is_relative_to(top):
        raise Refused(f"{how} out of the bundle's folder and its Git work tree, and is not read")
    if any(part.casefold() == ".git" for part in real.relative_to(top).parts):
        # .git/config may hold credentials, and nothing in there is evidence.
        raise Refused(f"{how} into a .git folder, and is not read")


def _regular(status: os.stat_result) -> None:
    if stat.S_ISREG(status.st_mode):
        return
    kinds = {stat.S_IFDIR: "folder", stat.S_IFIFO: "named pipe", stat.S_IFSOCK: "socket"}
    kind = kinds.get(stat.S_IFMT(status.st_mode), "device")
    raise Refused(f"is a {kind}, not a regular file")


def _is_link(path: Path) -> bool:
    try:
        return path.is_symlink()
    except (OSError, ValueError):
        return False


def _reason(error: OSError) -> str:
    match error.errno:
        case errno.EACCES | errno.EPERM:
            return "may not be read by this user (permission denied)"
        case errno.ELOOP:
            return "is a symbolic link that leads back to itself"
        case errno.ENAMETOOLONG:
            return "has a name that is too long for this file system"
        case _:
            return f"cannot be read: {error.strerror or type(error).__name__}"


def _undecodable(data: bytes, at: int) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return f"is not UTF-8: it begins with the byte order mark of {encoding}; save it as UTF-8"
    guess = _guess(data[max(0, at - _GUESS_WINDOW) : at + _GUESS_WINDOW])
    looks = f"; it looks like {guess}" if guess else ""
    return f"is not UTF-8 at byte {at + 1} (0x{data[at]:02x}){looks}; save it as UTF-8"


def _guess(sample: bytes) -> str | None:
    from charset_normalizer import from_bytes  # noqa: PLC0415 - slow to import, and only faulty files need it

    best = from_bytes(sample).best()
    return best.encoding.replace("_", "-") if best is not None else None


def _size(count: int) -> str:
    for unit, name in ((1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB")):
        if count >= unit:
            return f"{count / unit:.4g} {name}"
    return f"{count} bytes"

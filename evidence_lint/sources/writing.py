"""Writing files: replaced as a whole, so that a reader sees the old text or the new one, never half of either."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from evidence_lint.errors import OutputError


def replace_file(path: Path, data: bytes) -> None:
    """Write a file, making its folder where it is missing and keeping the mode of a file that was there.

    A link is followed, and what is no regular file (a pipe, ``/dev/stderr``) is written to in place. Raises
    :class:`OutputError`.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            path.write_bytes(data)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(mode)
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise OutputError(f"{path} cannot be written: {problem.strerror}") from problem


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

"""Paths as URIs and back (B097): each segment percent-encoded, relative ones kept relative."""

from __future__ import annotations

import os
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import quote, unquote_to_bytes, urlsplit

# What RFC 3986 allows in a segment without escaping, less ":" (a first segment would read as a scheme).
_SEGMENT_SAFE = "-._~!$&'()*+,;=@"


def uri_of(path: str) -> str:
    """Return a path of the output as a URI: relative where the path is, else ``file:``.

    A path with a Windows drive is taken for one; everything else is POSIX, where a backslash is part of a name.
    """
    drive = PureWindowsPath(path)
    if drive.drive and drive.is_absolute() and not path.startswith("/"):
        rest = "/".join(_segment(part) for part in drive.parts[1:])
        if drive.drive.startswith("\\\\"):
            return f"file:{drive.drive.replace(chr(92), '/')}/{rest}"
        return f"file:///{drive.drive}/{rest}"
    encoded = "/".join(_segment(part) for part in path.split("/"))
    return f"file://{encoded}" if PurePosixPath(path).is_absolute() else encoded


def path_of(uri: str) -> str:
    """Return the POSIX path of a URI that :func:`uri_of` made; the inverse of it for POSIX paths."""
    return os.fsdecode(unquote_to_bytes(urlsplit(uri).path))


def _segment(name: str) -> str:
    try:
        raw = os.fsencode(name)
    except UnicodeEncodeError:  # A surrogate that stands for no byte of a file name.
        raw = name.encode("utf-8", "surrogatepass")
    return quote(raw, safe=_SEGMENT_SAFE)

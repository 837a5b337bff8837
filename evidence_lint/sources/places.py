"""Where a path lies below a folder, by the names that lead there and not by where links end."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath


def place_below(path: Path, folder: Path) -> PurePosixPath | None:
    """The path relative to ``folder``, or None when it does not lie below it.

    Links *below* the folder keep their names: who may put a link into a folder must not choose by it which settings
    hold for what is behind it. Links that lead *to* the folder are seen through.
    """
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - links keep their names
    plain = Path(os.path.abspath(folder))  # noqa: PTH100
    if absolute.is_relative_to(plain):
        return PurePosixPath(absolute.relative_to(plain).as_posix())
    real = os.path.realpath(folder)
    for above in reversed((absolute, *absolute.parents)):
        if os.path.realpath(above) == real:
            return PurePosixPath(absolute.relative_to(above).as_posix())
    return None

"""Where the settings of a run come from: the nearest configuration file upwards (chapter 10)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from evidence_lint.config.load import OWN_FILE, PYPROJECT, TABLE, load_settings, settings_table
from evidence_lint.config.settings import Settings
from evidence_lint.errors import ConfigError
from evidence_lint.sources.files import Refused, read_text, worktree_top

CONFIG_LIMIT = 1024 * 1024
"""Bytes of a configuration file."""


def discover_settings(start: Path) -> Settings:
    """The settings that hold at ``start`` (a bundle, a folder, or a path that is not there): the nearest file's.

    Searched upwards, not beyond the top of the Git work tree. In one folder ``evidence-lint.toml`` goes before
    ``pyproject.toml``, which is passed over when it has no ``[tool.evidence-lint]``. Without any file, the
    defaults. Raises :class:`ConfigError`.
    """
    found = find_config(start)
    if found is None:
        return Settings()
    return load_settings(_text(found, within=None) or "", found)


def find_config(start: Path) -> Path | None:
    """The configuration file that holds at ``start``; see :func:`discover_settings`."""
    for folder in _folders(start):
        own = folder / OWN_FILE
        if os.path.isfile(own):  # noqa: PTH113 - a folder that may not be looked into has none
            return own
        project = folder / PYPROJECT
        if os.path.isfile(project) and _has_table(project):  # noqa: PTH113
            return project
    return None


def is_own_place(config: Path, here: Path) -> bool:
    """Whether a configuration file would be looked at for ``here``: it lies there or above, in the same work tree.

    What a configuration may make a program *do*, it may only there: who works in a folder has chosen to trust what
    stands above it, and nobody has by naming a path to be examined.
    """
    folder = Path(os.path.realpath(config.parent))
    return any(folder == above for above in _folders(here))


def read_settings(path: Path) -> Settings:
    """Read the settings of a file that the user named, wherever it lies. Raises :class:`ConfigError`."""
    text = _text(path, within=Path(path.absolute().anchor))
    if text is None:
        raise ConfigError("there is no such file", path=path)
    return load_settings(text, path)


def _folders(start: Path) -> Iterator[Path]:
    here = Path(os.path.realpath(start))
    if not os.path.isdir(here):  # noqa: PTH112 - nor does an impossible name raise
        here = here.parent
    top = worktree_top(here)
    for folder in (here, *here.parents):
        # Settings may name code to run. In a shared folder such as /tmp anyone could leave some for others.
        if top is not None or _trusted(folder):
            yield folder
        if folder == top:
            return


def _trusted(folder: Path) -> bool:
    """Whether the folder is this user's or the system's, and no one else may put files there."""
    try:
        status = folder.stat()
    except OSError:
        return False
    return status.st_uid in {os.geteuid(), 0} and not status.st_mode & 0o002


def _has_table(path: Path) -> bool:
    text = _text(path, within=None)
    if text is None or TABLE[1] not in text:
        # Also a file that is no TOML, as long as it does not speak of this tool: others may complain of it.
        return False
    return settings_table(text, path) is not None


def _text(path: Path, *, within: Path | None) -> str | None:
    try:
        read = read_text(path, limit=CONFIG_LIMIT, within=within)
    except Refused as refusal:
        raise ConfigError(f"the file {refusal}", path=path) from refusal
    return read[0] if read is not None else None

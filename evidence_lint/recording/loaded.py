"""Which files a test run loaded: what a receipt may call tested paths (chapter 5)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import cast

from evidence_lint.sources.interface import RepositorySource


def module_files() -> set[str]:
    """The files of all modules that are loaded in this process; their names alone are read."""
    found: set[str] = set()
    for module in list(sys.modules.values()):
        # Not getattr: a module that loads lazily would begin to.
        name = _members(module).get("__file__")
        if isinstance(name, str) and name:
            found.add(name)
    return found


def _members(module: object) -> dict[str, object]:
    try:
        members: object = object.__getattribute__(module, "__dict__")
    except AttributeError:
        return {}
    return cast("dict[str, object]", members) if isinstance(members, dict) else {}


def measured_files(plugin: object) -> set[str]:
    """The files of which pytest-cov (its plug-in ``_cov``) measured a line, in this process and in children."""
    controller = getattr(plugin, "cov_controller", None)
    coverage = getattr(controller, "combining_cov", None) or getattr(controller, "cov", None)
    if coverage is None:
        return set()
    data = coverage.get_data()
    return {name for name in data.measured_files() if data.lines(name)}


def committed_paths(repository: RepositorySource, commit: str, root: Path, files: Iterable[str]) -> list[str]:
    """Those of the files that the commit holds, relative to ``root`` with ``/``, sorted. Links are followed."""
    found: set[str] = set()
    for name in files:
        real = os.path.realpath(name)
        if not real.startswith(f"{root}{os.sep}"):
            continue
        path = Path(real).relative_to(root).as_posix()
        entry = None if "\0" in path else repository.entry(commit, path)
        if entry is not None and entry.is_file and _speakable(path):
            found.add(path)
    return sorted(found)


def _speakable(path: str) -> bool:
    """Whether a record can hold the name: JSON is UTF-8."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True

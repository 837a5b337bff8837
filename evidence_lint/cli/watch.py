"""``--watch``: check again whenever a file of a checked bundle changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import click

from evidence_lint.errors import EvidenceLintError
from evidence_lint.model.result import RunResult

_PAUSE = 0.5
"""Seconds between two looks at the files."""

Stamps: TypeAlias = Mapping[Path, tuple[int, int, int] | None]


def watch(check: Callable[[], RunResult], places: Sequence[Path] = (), pause: float = _PAUSE) -> int:
    """Check, wait for a change, and check again, until interrupted. Returns the last exit status.

    ``places`` are watched beside the files of the bundles: what was named on the command line. An error of the first
    check is raised; a later one (a configuration in the middle of being edited) is told, and watching goes on.
    """
    status = 0
    watched: Collection[Path] = places or (Path(),)
    first = True
    try:
        while True:
            before = stamps(watched)
            try:
                result = check()
                status = result.exit_status
                watched = files_of(result, places or (Path(),))
            except EvidenceLintError as problem:
                if first:
                    raise
                click.echo(f"evidence-lint: error: {problem}", err=True)
            first = False
            # What was changed while it was checked counts as changed after it; files that are new here do not.
            before = {path: before.get(path, now) for path, now in stamps(watched).items()}
            click.echo("evidence-lint: waiting for changes (Ctrl-C ends)", err=True)
            while stamps(watched) == before:
                time.sleep(pause)
    except KeyboardInterrupt:
        return status


def files_of(result: RunResult, places: Sequence[Path]) -> Collection[Path]:
    """The files of the bundles, their folders, the configuration, and ``places``."""
    paths = {artifact.path for row in result.bundles for artifact in row.bundle.artifacts.values()}
    info = result.info
    if info.policy_source is not None and info.policy_revision is None:
        paths.add(Path(info.policy_source))
    return paths | {path.parent for path in paths} | set(places)


def stamps(paths: Collection[Path]) -> Stamps:
    """When each file was last changed, its size, and which file it is (editors replace files)."""
    return {path: _stamp(path) for path in paths}


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino

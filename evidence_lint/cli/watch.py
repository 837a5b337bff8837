"""``--watch``: check again whenever a file of a checked bundle changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from evidence_lint.model.result import RunResult

_PAUSE = 0.5
"""Seconds between two looks at the files."""


def watch(check: Callable[[], RunResult], pause: float = _PAUSE) -> int:
    """Check, wait for a change, and check again, until interrupted. Returns the last exit status."""
    status = 0
    try:
        while True:
            result = check()
            status = result.exit_status
            before = _stamps(result)
            click.echo("evidence-lint: waiting for changes (Ctrl-C ends)", err=True)
            while _stamps(result) == before:
                time.sleep(pause)
    except KeyboardInterrupt:
        return status


def _stamps(result: RunResult) -> Mapping[Path, tuple[int, int] | None]:
    """When each file of the bundles, and each of their folders, was last changed, and its size."""
    paths = {artifact.path for row in result.bundles for artifact in row.bundle.artifacts.values()}
    return {path: _stamp(path) for path in paths | {path.parent for path in paths}}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size

"""Progress on a terminal: a bar on standard error when there are many bundles."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager

from evidence_lint.engine.catalogue import Catalogue
from evidence_lint.hooks import hookimpl
from evidence_lint.model.result import BundleResult

MANY = 3
"""From this many bundles on there is a bar."""


@contextmanager
def progress(catalogue: Catalogue, total: int, *, quiet: bool = False) -> Generator[None]:
    """Show a bar while the bundles of a run are checked, on a terminal only."""
    if quiet or total < MANY or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # noqa: PLC0415 - only where a bar is shown
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    with Progress(
        TextColumn("checking"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("checking", total=total)

        class Observer:
            @hookimpl
            def evidence_lint_bundle(self, result: BundleResult, done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)

        observer = Observer()
        catalogue.manager.register(observer)
        try:
            yield
        finally:
            catalogue.manager.unregister(observer)

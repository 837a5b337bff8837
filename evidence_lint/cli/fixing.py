"""``--fix`` and ``--diff``: what fixes would change, and changing it."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import click

from evidence_lint.engine.fix import fixed_files, write_fixed
from evidence_lint.model.result import RunResult


@dataclass(frozen=True, slots=True)
class Fixes:
    """What to do with fixes: apply them, or show them as a diff; the unsafe ones too or not."""

    apply: bool = False
    diff: bool = False
    unsafe: bool = False

    @property
    def wanted(self) -> bool:
        """Whether anything is to be done."""
        return self.apply or self.diff


def carry_out(result: RunResult, fixes: Fixes) -> bool:
    """Show or apply the fixes of a run. Returns whether files were changed, so that they have to be checked again."""
    files = fixed_files(result, unsafe=fixes.unsafe)
    if fixes.diff:
        for file in files:
            sys.stdout.buffer.write(
                file.diff(result.places.display_path(file.artifact.path)).encode("utf-8", "backslashreplace")
            )
        sys.stdout.buffer.flush()
        return False
    for file in files:
        write_fixed(file)
    if files:
        count = sum(file.fixes for file in files)
        click.echo(
            f"evidence-lint: {count} {'fix' if count == 1 else 'fixes'} applied to {len(files)} "
            f"{'file' if len(files) == 1 else 'files'}",
            err=True,
        )
    return bool(files)

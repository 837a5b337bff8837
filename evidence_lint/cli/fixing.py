"""``--fix`` and ``--diff``: what fixes would change, and changing it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import click

from evidence_lint.cli.outputs import on_terminal, write_stdout
from evidence_lint.engine.fix import fixed_files, write_fixed
from evidence_lint.errors import UsageError
from evidence_lint.model.result import RunResult

_MOST_ROUNDS = 10
"""Rounds of fixing and checking again: fixes that stood in each other's way come one after another."""
_ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Fixes:
    """What to do with fixes: apply them, or show them as a diff; the unsafe ones too or not."""

    apply: bool = False
    diff: bool = False
    unsafe: bool = False

    def __post_init__(self) -> None:
        if self.unsafe and not self.wanted:
            raise UsageError("--unsafe-fixes goes with --fix or --diff")

    @property
    def wanted(self) -> bool:
        """Whether anything is to be done."""
        return self.apply or self.diff


def show(result: RunResult, fixes: Fixes) -> None:
    """Print what the fixes of a run would change as a diff that ``git apply`` reads."""
    for file in fixed_files(result, unsafe=fixes.unsafe):
        text = file.diff(result.places.display_path(file.artifact.path))
        if on_terminal():
            # A terminal would act on what a hostile report holds; a pipe must get it as it is.
            text = _ACTING.sub("\N{REPLACEMENT CHARACTER}", text)
        write_stdout(text.encode("utf-8", "backslashreplace"))


def fix(result: RunResult, fixes: Fixes, again: Callable[[], RunResult]) -> RunResult:
    """Apply the fixes of a run, check again, and so on while there is something to fix. Returns the last result."""
    count, paths = 0, set[str]()
    for _ in range(_MOST_ROUNDS):
        files = fixed_files(result, unsafe=fixes.unsafe)
        if not files:
            break
        write_fixed(files)
        count += sum(file.fixes for file in files)
        paths |= {str(file.artifact.path) for file in files}
        result = again()
    if paths:
        click.echo(
            f"evidence-lint: {count} {'fix' if count == 1 else 'fixes'} applied to {len(paths)} "
            f"{'file' if len(paths) == 1 else 'files'}",
            err=True,
        )
    return result

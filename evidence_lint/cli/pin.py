"""``evidence-lint pin``: a code record of lines in a commit."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evidence_lint.cli.checkout import opened
from evidence_lint.errors import UsageError

if TYPE_CHECKING:
    from evidence_lint.recording.document import Document
    from evidence_lint.sources.git import GitRepository

REFUSED = 1


@click.command(name="pin")
@click.argument("place", metavar="PATH:LINE[-LINE]")
@click.option("--id", "name", metavar="ID", help="The record's id (default: the first free of code-1, code-2, …).")
@click.option(
    "--repo",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The checkout, from which PATH counts then (default: the work tree around the current folder).",
)
@click.option("--commit", metavar="DIGITS", help="Pin this commit instead of HEAD; the work tree is not looked at.")
@click.option("--worktree", is_flag=True, help="Take the lines from the work tree; the record is no pin and says so.")
@click.option(
    "--append", type=click.Path(path_type=Path), metavar="FILE", help="Add the record to this code_evidence.json."
)
def command(
    place: str, *, name: str | None, repo: Path | None, commit: str | None, worktree: bool, append: Path | None
) -> int:
    """Print a code record of the lines PATH:LINE or PATH:FIRST-LAST, pinned to the commit that is checked out.

    The excerpt is what the commit holds, and the work tree must agree with it there: a line that is changed and not
    committed is refused, since nobody else could look it up.

    Exit status: 0 done, 1 the lines cannot be pinned as they stand, 4 a wrong command line or no repository.
    """
    from evidence_lint.recording import code, document  # noqa: PLC0415 - only this command needs them

    if commit is not None and worktree:
        raise UsageError("--commit and --worktree contradict each other")
    lines = code.parse_place(place)
    with opened(repo) as (repository, root):
        existing = document.read_document(append) if append is not None else None
        base = _base(existing, repository, root)
        path = code.path_in(root, lines.path, repo if repo is not None else Path.cwd())
        try:
            found = code.unpinned(repository, path, lines) if worktree else code.pin(repository, path, lines, commit)
        except code.PinRefused as refusal:
            click.echo(f"evidence-lint: not pinned: {refusal}", err=True)
            return REFUSED
    found["path"] = _below(base, path)
    record = {"id": name or _free(existing.ids if existing is not None else ()), **found}
    if append is None:
        click.echo(document.dumps(record))
        return 0
    target = existing if existing is not None else document.new_document(append, str(root))
    document.with_record(document.with_root(target, str(root)), record).write()
    click.echo(f"{record['id']} added to {append}", err=True)
    return 0


def _base(existing: Document | None, repository: GitRepository, root: Path) -> str:
    """The folder of the work tree from which the file's paths count, by the root that it declares."""
    if existing is None or existing.root in ("", str(root)):
        return ""
    from evidence_lint.parse.records import read_records  # noqa: PLC0415 - only for a root from elsewhere
    from evidence_lint.witness.base_folder import base_folder  # noqa: PLC0415

    return base_folder(read_records({"code_evidence": existing.artifact}), repository)


def _below(base: str, path: str) -> str:
    if not base:
        return path
    if not path.startswith(f"{base}/"):
        raise UsageError(f"{path} does not lie below {base}, from which the paths of the file's records count")
    return path[len(base) + 1 :]


def _free(taken: Collection[str]) -> str:
    number = 1
    while f"code-{number}" in taken:
        number += 1
    return f"code-{number}"

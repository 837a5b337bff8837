"""``evidence-lint snapshot``: the state of a checkout, as a host test receipt names it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from evidence_lint.cli.checkout import opened
from evidence_lint.errors import UsageError


@click.command(name="snapshot")
@click.option("--repo", type=click.Path(path_type=Path), metavar="DIR", help="The checkout (default: the one here).")
@click.option("--format", "format_name", type=click.Choice(["json", "text"]), default="json", help="How to print it.")
def command(repo: Path | None, format_name: str) -> None:
    """Print root, commit, tree and dirt of a checkout: what `repository` of a test receipt holds.

    A checkout is dirty when index, work tree or a submodule differ from the commit, untracked files included unless
    the repository ignores them.
    """
    from evidence_lint.recording.document import dumps  # noqa: PLC0415
    from evidence_lint.sources.git_errors import RepositoryError  # noqa: PLC0415

    with opened(repo) as (repository, _):
        try:
            snapshot = repository.snapshot()
        except RepositoryError as problem:
            raise UsageError(str(problem)) from problem
    if format_name == "json":
        click.echo(dumps(asdict(snapshot)))
        return
    click.echo(
        f"root    {snapshot.root}\ncommit  {snapshot.head_commit}\ntree    {snapshot.tree_hash}\n"
        f"state   {'dirty: it differs from the commit' if snapshot.dirty else 'clean'}"
    )

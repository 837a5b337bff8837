"""``evidence-lint receipt``: show, review and file the receipts that ``pytest --evidence-receipt`` writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evidence_lint.errors import UsageError

if TYPE_CHECKING:
    from evidence_lint.model.artifact import JSON
    from evidence_lint.recording.document import Document
    from evidence_lint.recording.receipt import Held

_PATHS_SHOWN = 40


@click.group(name="receipt")
def command() -> None:
    """Show, review and file receipts of test runs.

    `pytest --evidence-receipt FILE --evidence-covers ID tests/…` writes one.
    """


@command.command(name="show")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--id", "name", metavar="ID", help="Which receipt, where FILE holds several.")
def show(file: Path, name: str | None) -> None:
    """Tell in plain words what the receipt in FILE says was run, with which result, and for what."""
    click.echo("\n".join(_story(_held(file, name))))


@command.command(name="approve")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--reviewer", required=True, metavar="NAME", help="Who has looked at the test and at the claim.")
@click.option("--rationale", required=True, metavar="TEXT", help="Why the test shows what the claim says.")
@click.option("--id", "name", metavar="ID", help="Which receipt, where FILE holds several.")
def approve(file: Path, reviewer: str, rationale: str, name: str | None) -> None:
    """Approve that the test of the receipt in FILE is relevant to what it covers.

    FILE is a receipt or a code_evidence.json. Nothing but the review is changed. This is a person's word: a program
    that approves its own receipts makes them worthless.
    """
    from evidence_lint.recording import receipt  # noqa: PLC0415 - only these commands need it

    held = _held(file, name)
    receipt.approve(held, reviewer, rationale).write()
    click.echo(f"{held.record.get('id')} approved by {reviewer.strip()}", err=True)
    for note in _weaknesses(held.record):
        click.echo(f"note: {note}, so it supports no High all the same", err=True)


@command.command(name="add")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--to", "target", type=click.Path(path_type=Path), required=True, metavar="FILE", help="A code_evidence.json."
)
def add(file: Path, target: Path) -> None:
    """Add the receipt in FILE to a code_evidence.json, which is made if it is not there. No record is overwritten."""
    from evidence_lint.recording import document  # noqa: PLC0415 - only these commands need it

    held = _held(file, None)
    if held.pointer:
        raise UsageError(f"{file} is no receipt but a file of records")
    repository = held.record.get("repository")
    root = repository.get("root") if isinstance(repository, dict) else None
    if not isinstance(root, str) or not root:
        raise UsageError(f"the receipt in {file} does not say in which checkout it was made (`repository.root`)")
    existing = document.read_document(target)
    if existing is not None and existing.root and existing.root.rstrip("/") != root.rstrip("/"):
        raise UsageError(f"the receipt was made in {root}, but {target} declares the root {existing.root}")
    base = existing if existing is not None else document.new_document(target, root)
    document.with_record(document.with_root(base, root), held.record).write()
    click.echo(f"{held.record.get('id')} added to {target}", err=True)


def _held(file: Path, name: str | None) -> Held:
    from evidence_lint.recording import document, receipt  # noqa: PLC0415 - only these commands need it

    found: Document | None = document.read_document(file)
    if found is None:
        raise UsageError(f"{file}: no such file")
    return receipt.find_receipt(found, name)


def _story(held: Held) -> Iterator[str]:
    from evidence_lint.recording.receipt import is_changed, is_ours  # noqa: PLC0415

    record = held.record
    repository, review, run = (_table(record.get(name)) for name in ("repository", "relevance_review", "run"))
    yield f"{_said(record.get('id'))}: {_said(record.get('status'))}, exit code {_said(record.get('exit_code'))}"
    yield f"  ran       {_said(record.get('command'))}"
    if run:
        yield f"            in {_said(run.get('directory'))}, with {_said(run.get('recorder'))}, "
        yield f"            pytest {_said(run.get('pytest'))}, Python {_said(run.get('python'))}"
    yield f"  when      {_said(record.get('started_at'))}, {_said(record.get('duration_seconds'))} s"
    yield f"  result    {_said(record.get('summary'))}"
    yield f"  covers    {_listed(record.get('covers'))}"
    yield f"  selected  {_listed(record.get('selectors'))}"
    dirty = repository.get("dirty")
    state = "clean" if dirty is False else "DIRTY: it differs from the commit" if dirty is True else "dirt unknown"
    yield f"  commit    {_said(repository.get('head_commit'))} of {_said(repository.get('root'))}, {state}"
    paths = record.get("tested_paths")
    rows = paths if isinstance(paths, list) else []
    yield f"  loaded    {len(rows)} committed file{'' if len(rows) == 1 else 's'}"
    yield from (f"            {_said(path)}" for path in rows[:_PATHS_SHOWN])
    if len(rows) > _PATHS_SHOWN:
        yield f"            and {len(rows) - _PATHS_SHOWN} more"
    yield f"  review    {_said(review.get('status'))}" + "".join(
        f", {word} {_said(review[name])}"
        for name, word in (("reviewer", "by"), ("reviewed_at", "on"), ("rationale", "because:"))
        if review.get(name)
    )
    if not is_ours(record):
        yield "  origin    not recorded by evidence-lint; whether it was changed since cannot be told"
    elif is_changed(record):
        yield "  origin    CHANGED since the run: the execution id does not fit the record"
    else:
        yield "  origin    as evidence-lint recorded it"
    for weakness in _weaknesses(record):
        yield f"  note      {weakness}: it supports no High"


def _weaknesses(record: dict[str, JSON]) -> Iterator[str]:
    if record.get("status") != "passed" or record.get("exit_code") != 0:
        yield "the run did not pass"
    if _table(record.get("repository")).get("dirty") is not False:
        yield "the checkout was not clean"


def _table(value: JSON) -> dict[str, JSON]:
    return value if isinstance(value, dict) else {}


def _said(value: JSON) -> str:
    """A value for a terminal: on one line, without control characters, since a record may be anybody's."""
    if value is None:
        return "(absent)"
    text = value if isinstance(value, str) else repr(value)
    return "".join(character if character.isprintable() else " " for character in text[:500])


def _listed(value: JSON) -> str:
    return ", ".join(_said(item) for item in value) if isinstance(value, list) else _said(value)

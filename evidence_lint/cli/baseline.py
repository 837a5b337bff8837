"""``evidence-lint baseline write``: record today's failures, so that a gate can demand that none is added."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from evidence_lint.cli import plan
from evidence_lint.cli.check import read_options, run_options
from evidence_lint.cli.configuration import configure
from evidence_lint.engine.baseline import Baseline, parse_baseline, render_baseline
from evidence_lint.engine.collect import collect, parse_argument
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.session import ExitStatus, Session
from evidence_lint.engine.suppress import baseline_path
from evidence_lint.errors import EvidenceLintError, UsageError
from evidence_lint.model.verdict import Outcome
from evidence_lint.sources.files import Refused, read_text
from evidence_lint.sources.writing import replace_file

DEFAULT = "evidence-lint-baseline.json"
NOTHING_TO_CHECK = int(ExitStatus.NOTHING_TO_CHECK)


@click.group(name="baseline")
def command() -> None:
    """Known failures: record them, so that only new ones fail."""


@command.command(name="write")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@run_options
def write(paths: tuple[str, ...], **values: Any) -> int:  # noqa: ANN401 - click's values
    """Write the failures of PATH to a baseline file.

    The file is --baseline, else the configured one, else evidence-lint-baseline.json. What it knows of other reports
    stays.
    """
    given = values["baseline"]
    if values["policy_from"] is not None:
        raise UsageError("a baseline is written from the work tree; leave --policy-from out")
    options = replace(read_options(values), baseline=None)
    arguments = [parse_argument(path) for path in paths or (".",)]
    with ExitStack() as stack:
        start, *others = (argument.path for argument in arguments)
        configuration = configure(options, start, stack, others=others, read_baseline=False)
        settings = configuration.settings
        target: Path = given or configuration.folder / (settings.baseline or DEFAULT)
        before = parse_baseline(text, str(target)) if (text := _text(target)) is not None else Baseline()
        catalogue = plan.catalogue_of(configuration)
        nodes = plan.node_filter(options.keyword)
        made = plan.make_plan(options, configuration, catalogue, stack, nodes=nodes, keep_passed=False)
        found = collect(arguments, catalogue.dialects, made.load)
        if nodes.narrows or options.select or options.ignore or any(row.nodes for row in found):
            raise UsageError("a baseline holds all failures of a report; leave -k, --select, --ignore and node ids out")
        session = Session(made, Locator())
        result = session.run(found)
    if session.interrupted:
        raise KeyboardInterrupt
    broken = [v for row in result.bundles for v in row.verdicts if v.outcome is Outcome.ERRORED]
    if broken:
        raise EvidenceLintError(f"{broken[0].name} broke ({broken[0].error}); no baseline is written from such a run")
    if not found:
        click.echo(f"evidence-lint: nothing to check, so {target} is left as it is", err=True)
        return NOTHING_TO_CHECK
    never = plan.suppression_of(configuration, catalogue).never
    folder = target.absolute().parent
    failed = [
        (baseline_path(row.bundle, folder), verdict)
        for row in result.bundles
        for verdict in row.verdicts
        if verdict.outcome is Outcome.FAILED
    ]
    rows = [(path, verdict) for path, verdict in failed if verdict.code not in never]
    checked = {baseline_path(row.bundle, folder) for row in result.bundles}
    # A report that was not checked now keeps what is known of it, unless it is gone.
    kept = [entry for entry in before.entries if entry.path not in checked and os.path.lexists(folder / entry.path)]
    replace_file(target, render_baseline(rows, kept).encode("utf-8", "backslashreplace"))
    count = len(rows) + len(kept)
    click.echo(f"{target}: {count} known {'failure' if count == 1 else 'failures'}")
    if len(failed) > len(rows):
        codes = ", ".join(sorted({verdict.code for _, verdict in failed if verdict.code in never}))
        click.echo(f"evidence-lint: {len(failed) - len(rows)} that no baseline may hold stay ({codes})", err=True)
    return 0


def _text(path: Path) -> str | None:
    try:
        read = read_text(path, within=Path(path.absolute().anchor))
    except Refused as problem:
        raise UsageError(f"{path} {problem}") from problem
    return read[0] if read is not None else None

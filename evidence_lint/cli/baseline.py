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
from evidence_lint.engine.baseline import render_baseline
from evidence_lint.engine.collect import collect, parse_argument
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.select import NodeFilter
from evidence_lint.engine.session import Session
from evidence_lint.errors import EvidenceLintError, UsageError
from evidence_lint.model.verdict import Outcome
from evidence_lint.sources.writing import replace_file

DEFAULT = "evidence-lint-baseline.json"


@click.group(name="baseline")
def command() -> None:
    """Known failures: record them, so that only new ones fail."""


@command.command(name="write")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@run_options
def write(paths: tuple[str, ...], **values: Any) -> int:  # noqa: ANN401 - click's values
    """Write the failures of PATH to a baseline file.

    The file is --baseline, else the configured one, else evidence-lint-baseline.json.
    """
    given = values["baseline"]
    if values["policy_from"] is not None:
        raise UsageError("a baseline is written from the work tree; leave --policy-from out")
    options = replace(read_options(values), baseline=None)
    arguments = [parse_argument(path) for path in paths or (".",)]
    with ExitStack() as stack:
        configuration = configure(options, arguments[0].path, stack, read_baseline=False)
        settings = configuration.settings
        target: Path = given or configuration.folder / (settings.baseline or DEFAULT)
        catalogue = plan.catalogue_of(configuration)
        made = plan.make_plan(options, configuration, catalogue, stack, nodes=NodeFilter(), keep_passed=False)
        result = Session(made, Locator()).run(collect(arguments, catalogue.dialects, made.load))
    broken = [v for row in result.bundles for v in row.verdicts if v.outcome is Outcome.ERRORED]
    if broken:
        raise EvidenceLintError(f"{broken[0].name} broke ({broken[0].error}); no baseline is written from such a run")
    folder = target.absolute().parent
    rows = [
        (os.path.relpath(row.bundle.artifacts[row.bundle.main].path, folder).replace(os.sep, "/"), verdict)
        for row in result.bundles
        for verdict in row.verdicts
    ]
    replace_file(target, render_baseline(rows).encode())
    count = sum(verdict.outcome is Outcome.FAILED for _, verdict in rows)
    click.echo(f"{target}: {count} known {'failure' if count == 1 else 'failures'}")
    return 0

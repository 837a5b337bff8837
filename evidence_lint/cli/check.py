"""``evidence-lint check``: run the rules on reports and their records."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from evidence_lint.cli import fixing, outputs, plan
from evidence_lint.cli.configuration import configure
from evidence_lint.cli.options import Options, mode_of, require_folder, split
from evidence_lint.cli.progress import progress
from evidence_lint.engine.collect import barren, collect, parse_argument
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.session import ExitStatus, Session
from evidence_lint.model.result import FormatOptions, RunResult

_NEEDS_PASSED = frozenset({"junit"})
"""Formats that list passed checks."""


def run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that decide what a run checks, and by which policy."""
    for decorate in reversed(
        (
            click.option(
                "--offline", is_flag=True, help="Use no network: a High that only a live capture could earn then fails."
            ),
            click.option("--live", is_flag=True, help="Fetch every cited page again (default: what a High needs)."),
            click.option(
                "--repo",
                type=click.Path(path_type=Path),
                metavar="DIR",
                help="The checkout that repository records speak about (default: the work tree around each bundle).",
            ),
            click.option("--select", multiple=True, metavar="RULE", help="Run these rules or families only."),
            click.option("--extend-select", multiple=True, metavar="RULE", help="Run these rules besides."),
            click.option("--ignore", multiple=True, metavar="RULE", help="Do not run these rules or families."),
            click.option(
                "-k",
                "keyword",
                default="",
                metavar="EXPRESSION",
                help="Only checks whose node id or rule code matches, as pytest.",
            ),
            click.option(
                "--profile", type=click.Choice(["default", "strict"]), help="strict: every warning is an error."
            ),
            click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration."),
            click.option("--isolated", is_flag=True, help="Read no configuration."),
            click.option(
                "--policy-from",
                metavar="REV",
                help="Read configuration, baseline and local rules from this revision, never from the work tree.",
            ),
            click.option("--baseline", type=click.Path(path_type=Path), metavar="FILE", help="Known failures."),
            click.option("--allow-network", multiple=True, metavar="CIDR", help="Let captures reach this network."),
        )
    ):
        function = decorate(function)
    return function


def read_options(values: dict[str, Any], fail_on: str | None = None) -> Options:
    """Make options of what click read. Raises :class:`UsageError` for contradictions."""
    return Options(
        select=split(values["select"]),
        extend_select=split(values["extend_select"]),
        ignore=split(values["ignore"]),
        keyword=values["keyword"],
        config=values["config"],
        isolated=values["isolated"],
        policy_from=values["policy_from"],
        baseline=values["baseline"],
        mode=mode_of(offline=values["offline"], live=values["live"]),
        repo=require_folder(values["repo"], "--repo"),
        allow_network=values["allow_network"],
        fail_on=fail_on,
        profile=values["profile"],
    )


@dataclass(frozen=True, slots=True)
class Printing:
    """How a run is printed."""

    destinations: Sequence[outputs.Destination]
    show_passed: bool
    statistics: bool
    color: str
    quiet: bool

    @property
    def keep_passed(self) -> bool:
        """Whether passed verdicts have to be kept."""
        return self.show_passed or any(destination.format in _NEEDS_PASSED for destination in self.destinations)


@click.command(cls=outputs.OrderedCommand, name="check", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@run_options
@click.option("--format", "format_names", multiple=True, metavar="NAME", help="Output format (default: full).")
@click.option(
    "--output", "output_files", multiple=True, metavar="FILE", help="Write the --format before it to FILE (repeatable)."
)
@click.option("--show", type=click.Choice(["passed"]), help="List passed checks too.")
@click.option("--statistics", is_flag=True, help="Count problems by rule.")
@click.option("--fail-on", type=click.Choice(["error", "warning", "never"]), help="Severity that fails the run.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(0, 256),
    default=1,
    metavar="N",
    help="Check N bundles at once (0: one a processor).",
)
@click.option("--fix", is_flag=True, help="Apply safe fixes, then check again.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also fixes that want a look.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option(
    "--changed", is_flag=True, help="PATHs are changed files: check the bundles they belong to; none is fine (hooks)."
)
@click.option("--watch", is_flag=True, help="Check again whenever a file of a bundle changes.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Use colours.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **values: Any) -> int:  # noqa: ANN401 - click's values
    """Check reports and their evidence records.

    PATH is a report, a bundle's folder, a tree to search, or a node id (path::subject::rule-name); default: the current
    folder.
    """
    options = replace(read_options(values, values["fail_on"]), changed=values["changed"], jobs=values["jobs"])
    printing = Printing(
        outputs.destinations(ctx.meta),
        values["show"] == "passed",
        values["statistics"],
        values["color"],
        values["quiet"],
    )
    fixes = fixing.Fixes(apply=values["fix"], diff=values["diff"], unsafe=values["unsafe_fixes"])
    if values["watch"]:
        from evidence_lint.cli.watch import watch  # noqa: PLC0415 - only when asked for

        return watch(lambda: check(paths, options, printing, fixes), [Path(path.partition("::")[0]) for path in paths])
    return check(paths, options, printing, fixes).exit_status


def check(paths: Sequence[str], options: Options, printing: Printing, fixes: fixing.Fixes) -> RunResult:
    """Run once: configure, collect, check, fix where asked for, and print."""
    named = [path for path in paths if os.path.lexists(path)] if options.changed else paths
    arguments = [parse_argument(path) for path in named or (".",)]
    outputs.require_different(printing.destinations)
    with ExitStack() as stack:
        start, *others = (argument.path for argument in arguments)
        configuration = configure(options, start, stack, others=others)
        catalogue = plan.catalogue_of(configuration)
        wanted = outputs.chosen(catalogue, printing.destinations)
        made = plan.make_plan(
            options,
            configuration,
            catalogue,
            stack,
            nodes=plan.node_filter(options.keyword),
            keep_passed=printing.keep_passed,
        )
        found = collect(arguments if named or not options.changed else (), catalogue.dialects, made.load)
        if not options.changed:
            lost = [f"no report was found at or below {argument.path}" for argument in barren(arguments, found)]
            made = replace(made, notices=(*made.notices, *lost))
        with progress(catalogue, len(found), quiet=printing.quiet):
            session = Session(made, Locator())
            result = session.run(found)
            result = replace(result, notices=(*result.notices, *plan.unanswered(options.keyword, catalogue, result)))
            if fixes.apply and not fixes.diff and not session.interrupted:
                result = fixing.fix(result, fixes, lambda: Session(made, Locator()).run(found))
        catalogue.manager.hook.evidence_lint_summary(result=result)
    if fixes.diff:
        fixing.show(result, fixes)
        return result
    if options.changed and not found:
        return replace(result, exit_status=int(ExitStatus.OK))
    options_ = FormatOptions(
        color=outputs.colour_wanted(printing.color),
        width=shutil.get_terminal_size().columns if outputs.on_terminal() else None,
        show_passed=printing.show_passed,
        statistics=printing.statistics,
    )
    outputs.write(result, wanted, options_)
    return result

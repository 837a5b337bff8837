"""``evidence-lint check``: run the rules on reports and their records."""

from __future__ import annotations

import shutil
import sys
from contextlib import ExitStack
from pathlib import Path

import click

from evidence_lint.cli import outputs, plan
from evidence_lint.cli.progress import progress
from evidence_lint.cli.sources import make_sources
from evidence_lint.engine.collect import collect, parse_argument
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.session import Plan, Session
from evidence_lint.errors import UsageError
from evidence_lint.model.result import FormatOptions, Mode


@click.command(cls=outputs.OrderedCommand, name="check", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--offline", is_flag=True, help="Use no network: a High that only a live capture could earn then fails.")
@click.option("--live", is_flag=True, help="Fetch every cited page again (default: what a stated High needs).")
@click.option(
    "--repo",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The checkout that repository records speak about (default: the Git work tree around each bundle).",
)
@click.option("--select", multiple=True, metavar="RULE", help="Run these rules or families only (repeatable, commas).")
@click.option("--extend-select", multiple=True, metavar="RULE", help="Run these rules besides those selected.")
@click.option("--ignore", multiple=True, metavar="RULE", help="Do not run these rules or families.")
@click.option(
    "-k", "keyword", default="", metavar="EXPRESSION", help="Only checks whose node id matches, as in pytest."
)
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read the configuration from FILE.")
@click.option("--isolated", is_flag=True, help="Read no configuration.")
@click.option(
    "--format", "format_names", multiple=True, metavar="NAME", help="Output format (default: full; repeatable)."
)
@click.option(
    "--output", "output_files", multiple=True, metavar="FILE", help="Write the --format before it to FILE (repeatable)."
)
@click.option("--show", type=click.Choice(["passed"]), help="List passed checks too.")
@click.option("--statistics", is_flag=True, help="Count problems by rule.")
@click.option("--fail-on", type=click.Choice(["error", "warning", "never"]), help="Severity that fails the run.")
@click.option(
    "--allow-network",
    multiple=True,
    metavar="CIDR",
    help="Let captures reach this network although it is not public (tests, mirrors). Never grants T1.",
)
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Use colours.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def command(
    ctx: click.Context,
    *,
    paths: tuple[str, ...],
    offline: bool,
    live: bool,
    repo: Path | None,
    select: tuple[str, ...],
    extend_select: tuple[str, ...],
    ignore: tuple[str, ...],
    keyword: str,
    config: Path | None,
    isolated: bool,
    format_names: tuple[str, ...],
    output_files: tuple[str, ...],
    show: str | None,
    statistics: bool,
    fail_on: str | None,
    allow_network: tuple[str, ...],
    color: str,
    quiet: bool,
) -> int:
    """Check reports and their evidence records.

    PATH is a report, a bundle's folder, a tree to search, or a node id (path::subject::rule-name); default: the current
    folder.
    """
    del format_names, output_files  # their order matters: `outputs.destinations` reads them from the context
    if offline and live:
        raise UsageError("--offline and --live contradict each other")
    mode: Mode = "offline" if offline else "live" if live else "auto"
    options = plan.Options(
        select=_split(select),
        extend_select=_split(extend_select),
        ignore=_split(ignore),
        keyword=keyword,
        config=config,
        isolated=isolated,
        mode=mode,
        repo=plan.require_folder(repo, "--repo"),
        allow_network=allow_network,
        fail_on=fail_on,
    )
    arguments = [parse_argument(path) for path in paths or (".",)]
    settings = plan.read_configuration(options, arguments[0].path)
    catalogue = plan.catalogue_of(settings)
    wanted = outputs.chosen(catalogue, outputs.destinations(ctx.meta))
    locator = Locator()
    networks = (*settings.network.allow, *allow_network)
    with ExitStack() as stack:
        sources, captures = make_sources(
            stack,
            catalogue,
            repo=options.repo,
            offline=offline,
            limits=plan.capture_limits(settings),
            allow_networks=[str(network) for network in networks],
        )
        load = plan.load_options(settings)
        found = collect(arguments, catalogue.dialects, load)
        run = Session(
            Plan(
                catalogue=catalogue,
                checks=plan.checks_of(catalogue, settings, options),
                sources=sources,
                policy=plan.policy_of(settings, catalogue, options),
                load=load,
                info=plan.run_info(options, settings, [str(network) for network in networks]),
                nodes=plan.node_filter(arguments, keyword, locator),
                fail_on=plan.fail_on(options, settings),
                keep_passed=show == "passed",
                notices=_notices([str(network) for network in networks]),
                captures=lambda: captures.made,
            ),
            locator,
        )
        with progress(catalogue, len(found), quiet=quiet):
            result = run.run(found)
    write_options = FormatOptions(
        color=outputs.colour_wanted(color),
        width=shutil.get_terminal_size().columns if sys.stdout.isatty() else None,
        show_passed=show == "passed",
        statistics=statistics,
    )
    outputs.write(result, wanted, write_options)
    return result.exit_status


def _split(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _notices(networks: list[str]) -> tuple[str, ...]:
    if not networks:
        return ()
    return (f"captures may reach {', '.join(networks)} (--allow-network): what was fetched there never counts as T1",)

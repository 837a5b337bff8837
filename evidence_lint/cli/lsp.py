"""``evidence-lint lsp``: the language server, over standard input and output."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import BinaryIO

import click

from evidence_lint.cli import plan
from evidence_lint.cli.configuration import Configuration, configure
from evidence_lint.cli.options import Options, require_folder
from evidence_lint.config.settings import Settings
from evidence_lint.engine.catalogue import Catalogue
from evidence_lint.engine.select import NodeFilter
from evidence_lint.engine.session import Plan
from evidence_lint.errors import SelectionError, UsageError
from evidence_lint.model.result import Mode

_WITHHELD = (
    "the configuration names local rules or plug-ins, which an editor runs only when the server is started with "
    "--trust-workspace"
)


@click.command(name="lsp", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
@click.option(
    "--repo",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The checkout that repository records speak about (default: the work tree around each bundle).",
)
@click.option(
    "--trust-workspace",
    is_flag=True,
    help="Run local rules and plug-ins that a configuration names, and fetch from the networks that it allows.",
)
def command(config: Path | None, repo: Path | None, trust_workspace: bool) -> int:
    """Serve an editor: problems as you type, evidence on hover, fixes, jumps to sources and records.

    Speaks the Language Server Protocol over standard input and output. Pages are never fetched unless the command
    evidence-lint.checkLive asks for it.
    """
    try:
        from evidence_lint.lsp.server import serve  # noqa: PLC0415 - an extra, and only when asked for
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] not in {"pygls", "lsprotocol", "cattrs", "attrs"}:
            raise
        raise UsageError(
            f"the language server needs {problem.name}, which is not installed; "
            "install it with: pip install 'evidence-lint[lsp]'"
        ) from problem
    planner = SettingsPlanner(config, require_folder(repo, "--repo"), trusted=trust_workspace)
    if sys.stdin.isatty():
        click.echo("evidence-lint: an editor is to start this; waiting for its messages (Ctrl-C ends)", err=True)
    requests, answers = _take_over()
    serve(planner, requests, answers)
    return 0


def _take_over() -> tuple[BinaryIO, BinaryIO]:
    """Keep the two streams for the protocol: a stray print goes to standard error, a child reads nothing."""
    requests = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return requests, answers


@dataclass
class SettingsPlanner:
    """Makes plans by the nearest configuration. Opening a folder in an editor is no reason to run code from it.

    Unless ``trusted``, local rules and plug-ins that a configuration names are not loaded, and networks that it opens
    stay closed.
    """

    config: Path | None = None
    repo: Path | None = None
    trusted: bool = False
    _catalogues: dict[object, Catalogue] = field(default_factory=dict[object, Catalogue])
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, path: Path, mode: Mode, stack: ExitStack, /) -> Plan:
        """Return the plan of a run at ``path``."""
        options = Options(config=self.config, mode=mode, repo=self.repo, changed=True)
        configuration = configure(options, path, stack, trusting=True)  # what is not trusted is left out below
        settings = configuration.settings
        withheld = not self.trusted and bool(settings.rules or settings.plugins)
        if not self.trusted:
            configuration = replace(configuration, settings=_harmless(settings), rule_files=())
        catalogue = self._catalogue(configuration)
        try:
            made = plan.make_plan(options, configuration, catalogue, stack, nodes=NodeFilter(), keep_passed=False)
        except SelectionError as problem:
            if not withheld:
                raise
            raise SelectionError(f"{problem} ({_WITHHELD})") from problem
        return replace(made, notices=(*made.notices, f"{configuration.source}: {_WITHHELD}")) if withheld else made

    def _catalogue(self, configuration: Configuration) -> Catalogue:
        key = (configuration.settings.plugins, tuple((file, _stamp(file)) for file in configuration.rule_files))
        with self._lock:
            if key not in self._catalogues:
                self._catalogues[key] = plan.catalogue_of(configuration)
            return self._catalogues[key]


def _harmless(settings: Settings) -> Settings:
    network = settings.network.model_copy(update={"allow": ()})
    return settings.model_copy(update={"rules": (), "plugins": (), "network": network})


def _stamp(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0

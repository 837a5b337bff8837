"""``evidence-lint doctor``: what is installed, configured and reachable, so that a skipped check can be explained."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from evidence_lint.cli.configuration import configure
from evidence_lint.cli.options import Options
from evidence_lint.cli.plan import catalogue_of, checks_of
from evidence_lint.cli.sources import Repositories
from evidence_lint.dialect import LoadOptions
from evidence_lint.engine.collect import collect, parse_argument
from evidence_lint.errors import EvidenceLintError, Unavailable, UsageError
from evidence_lint.version import __version__

_EXTRAS = {"pdf": "pypdfium2", "warc": "warcio", "lsp": "pygls"}
_PROBE = "example.org"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: ``ok``, ``note`` or ``problem``, what was looked at, and what was found."""

    state: str
    what: str
    found: str


@click.command(name="doctor")
@click.argument("path", default=".")
@click.option("--online", is_flag=True, help=f"Also look {_PROBE} up, to see whether live captures can work here.")
def command(path: str, *, online: bool) -> int:
    """Say what is installed, configured and reachable for checks of PATH. Exit status 1 when something is wrong."""
    rows = list(_examine(path, online=online))
    width = max(len(row.what) for row in rows)
    for row in rows:
        click.echo(f"{row.state:8} {row.what:{width}}  {row.found}")
    return 1 if any(row.state == "problem" for row in rows) else 0


def _examine(path: str, *, online: bool) -> Iterator[Finding]:
    yield Finding("ok", "evidence-lint", f"{__version__} on Python {platform.python_version()}, {platform.system()}")
    yield from _extras()
    yield _git()
    try:
        start = parse_argument(path).path
    except UsageError as problem:
        yield Finding("problem", "path", str(problem))
        return
    with ExitStack() as stack:
        try:
            configuration = configure(Options(), start, stack)
            catalogue = catalogue_of(configuration)
            checks_of(catalogue, configuration, Options())
        except EvidenceLintError as problem:
            yield Finding("problem", "configuration", str(problem))
            return
        yield Finding("ok", "configuration", configuration.source or "none: the defaults are in force")
        plugins = ", ".join(sorted(name for name, _ in catalogue.manager.list_name_plugin()))
        yield Finding("ok", "plug-ins", plugins)
        yield Finding(
            "ok",
            "rules",
            f"{len(catalogue.rules)} in {len(catalogue.families)} families: {' '.join(catalogue.families)}",
        )
        yield Finding("ok", "formats", ", ".join(format_.name for format_ in catalogue.formats))
        found = collect([parse_argument(path)], catalogue.dialects, LoadOptions(layout=configuration.settings.layout))
        state = "ok" if found else "note"
        yield Finding(state, "bundles", f"{len(found)} at or below {path}")
        yield _checkout(start, stack)
    yield _network() if online else Finding("note", "network", "not tried (--online tries it)")


def _extras() -> Iterator[Finding]:
    for extra, module in _EXTRAS.items():
        if importlib.util.find_spec(module) is None:
            yield Finding("note", f"extra {extra}", f"not installed: pip install 'evidence-lint[{extra}]'")
        else:
            try:
                yield Finding("ok", f"extra {extra}", f"{module} {version(module)}")
            except PackageNotFoundError:
                yield Finding("ok", f"extra {extra}", module)


def _git() -> Finding:
    program = shutil.which("git")
    if program is None:
        return Finding("problem", "git", "not found: repository evidence cannot be verified")
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError) as problem:
        return Finding("problem", "git", f"{program} does not run: {problem}")
    return Finding("ok", "git", f"{done.stdout.strip()} ({program})")


def _checkout(start: Path, stack: ExitStack) -> Finding:
    try:
        repository = Repositories(None, stack)(start if start.is_dir() else start.parent)
    except Unavailable as reason:
        return Finding("note", "checkout", reason.message)
    shape = [
        word
        for word, holds in (
            ("shallow: older commits are absent (in CI: fetch-depth: 0)", repository.is_shallow),
            ("partial: some objects are absent", repository.is_partial),
            ("has grafts, which are ignored", repository.has_grafts),
        )
        if holds
    ]
    return Finding("note" if shape else "ok", "checkout", "; ".join([str(repository.root), *shape]))


def _network() -> Finding:
    from evidence_lint.sources.web.addresses import judge  # noqa: PLC0415 - only when asked for
    from evidence_lint.sources.web.resolver import system_resolver  # noqa: PLC0415

    try:
        answers = system_resolver(_PROBE)
    except OSError as problem:
        return Finding("problem", "network", f"{_PROBE} cannot be looked up ({problem}): live captures will fail")
    refused = [address for address in answers if not judge(address).public]
    if refused or not answers:
        return Finding(
            "problem", "network", f"{_PROBE} is {', '.join(answers) or 'nowhere'}: live captures will be refused"
        )
    return Finding("ok", "network", f"{_PROBE} is {', '.join(answers)}")

"""From options and settings to a plan: command line over configuration over defaults."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evidence_lint.config.discover import discover_settings, read_settings
from evidence_lint.config.settings import Settings
from evidence_lint.dialect import LoadOptions
from evidence_lint.engine.catalogue import Catalogue, load_catalogue
from evidence_lint.engine.collect import Argument
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.select import NodeFilter, compile_keyword, matching, select_rules
from evidence_lint.errors import UsageError
from evidence_lint.model.authority import AuthorityEntry
from evidence_lint.model.capture import CaptureLimits
from evidence_lint.model.policy import Policy
from evidence_lint.model.result import Mode, RunInfo
from evidence_lint.model.verdict import Severity
from evidence_lint.rule import Rule


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says about a run."""

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    keyword: str = ""
    config: Path | None = None
    isolated: bool = False
    mode: Mode = "auto"
    repo: Path | None = None
    allow_network: tuple[str, ...] = ()
    fail_on: str | None = None


def read_configuration(options: Options, start: Path) -> Settings:
    """Return the settings in force: none (``--isolated``), the given file's, or the nearest file's."""
    if options.isolated:
        return Settings()
    return read_settings(options.config) if options.config is not None else discover_settings(start)


def catalogue_of(settings: Settings) -> Catalogue:
    """Load plug-ins and the local rule files that the settings name."""
    folder = settings.folder or Path.cwd()
    return load_catalogue(rule_files=[folder / path for path in settings.rules], plugins=settings.plugins)


def authority_of(settings: Settings, catalogue: Catalogue) -> tuple[AuthorityEntry, ...]:
    """The authority registry: what plug-ins bring, then what the settings say."""
    brought = [entry for rows in catalogue.manager.hook.evidence_lint_authority() for entry in rows or ()]
    return (*brought, *settings.authority_entries())


def checks_of(
    catalogue: Catalogue, settings: Settings, options: Options
) -> Callable[[Path], tuple[Sequence[Rule], Mapping[str, Severity]]]:
    """Return a function from a report's path to its rules and severities.

    Raises :class:`SelectionError` at once when any selector, per-path ones included, names nothing.
    """
    for selector in _all_selectors(settings, options):
        matching(catalogue, selector)
    base = settings.folder or Path.cwd()
    made: dict[object, tuple[Sequence[Rule], Mapping[str, Severity]]] = {}

    def checks(path: Path) -> tuple[Sequence[Rule], Mapping[str, Severity]]:
        relative = os.path.relpath(os.path.realpath(path), os.path.realpath(base)).replace(os.sep, "/")
        chosen = settings.for_path(relative)
        select = options.select or chosen.select
        extend = (*chosen.extend_select, *options.extend_select)
        ignore = (*(() if options.select else chosen.ignore), *options.ignore)
        key = (select, extend, ignore, tuple(chosen.severity.items()))
        if key not in made:
            wanted = (*select, *extend) if select else ()
            rules = select_rules(catalogue, wanted, ignore)
            severities, off = _severities(catalogue, chosen.severity)
            rules = [rule for rule in rules if rule.code not in off]
            catalogue.manager.hook.evidence_lint_modify_rules(rules=rules)
            made[key] = rules, severities
        return made[key]

    return checks


def _all_selectors(settings: Settings, options: Options) -> Sequence[str]:
    rows = [options.select, options.extend_select, options.ignore]
    rows += [settings.select, settings.extend_select, settings.ignore, tuple(settings.severity)]
    for override in settings.per_path.values():
        rows += [override.select or (), override.extend_select, override.ignore, tuple(override.severity)]
    rows += [settings.suppressible, settings.gate.required_rules, settings.gate.unsuppressible]
    return [selector for row in rows for selector in row]


def _severities(catalogue: Catalogue, words: Mapping[str, str]) -> tuple[dict[str, Severity], frozenset[str]]:
    found: dict[str, Severity] = {}
    off: set[str] = set()
    for selector, word in sorted(words.items(), key=lambda item: len(matching(catalogue, item[0])), reverse=True):
        for rule in matching(catalogue, selector):
            if word == "off":
                off.add(rule.code)
            else:
                off.discard(rule.code)
                found[rule.code] = Severity(word)
    return found, frozenset(off)


def node_filter(arguments: Sequence[Argument], keyword: str, locator: Locator) -> NodeFilter:
    """Narrow the run to the node ids among the arguments and to the ``-k`` expression."""
    nodes: tuple[str, ...] = ()
    if any(argument.node for argument in arguments):
        nodes = tuple(
            locator.display_path(argument.path) + (f"::{argument.node}" if argument.node else "")
            for argument in arguments
        )
    return NodeFilter(nodes, compile_keyword(keyword) if keyword.strip() else None)


def fail_on(options: Options, settings: Settings) -> Severity | None:
    """The mildest severity that fails the run."""
    word = options.fail_on or settings.fail_on
    return None if word == "never" else Severity(word)


def load_options(settings: Settings) -> LoadOptions:
    """What the settings say about finding and reading bundles."""
    return LoadOptions(layout=settings.layout, exclude=settings.exclude, max_bytes=settings.limits.artifact_bytes)


def capture_limits(settings: Settings) -> CaptureLimits:
    """What the settings say about live captures."""
    return CaptureLimits(
        concurrency=settings.network.concurrency,
        per_host=settings.network.per_host,
        total_timeout=settings.network.timeout,
        max_bytes=settings.limits.page_bytes,
    )


def policy_of(settings: Settings, catalogue: Catalogue, options: Options) -> Policy:
    """The policy in force."""
    return Policy(options.mode, authority_of(settings, catalogue), settings.gate.gate())


def run_info(options: Options, settings: Settings, allow_network: Sequence[str]) -> RunInfo:
    """What the output says about how the run was made."""
    return RunInfo(
        mode=options.mode,
        allow_network=tuple(allow_network),
        policy_source=str(settings.source) if settings.source is not None else None,
        select=options.select or settings.select,
        ignore=(*settings.ignore, *options.ignore),
        keyword=options.keyword,
        repo=str(options.repo) if options.repo is not None else None,
    )


def require_folder(path: Path | None, option: str) -> Path | None:
    """Check that an option names a folder. Raises :class:`UsageError`."""
    if path is not None and not path.is_dir():
        raise UsageError(f"{option} {path}: no such folder")
    return path

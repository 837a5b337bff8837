"""From options and settings to a plan: command line over configuration over defaults."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from ipaddress import ip_network
from pathlib import Path, PurePosixPath

from evidence_lint.cli.configuration import Configuration
from evidence_lint.cli.notices import run_notices
from evidence_lint.cli.options import Options
from evidence_lint.cli.sources import make_sources, worker_sources
from evidence_lint.config.settings import Settings
from evidence_lint.dialect import LoadOptions
from evidence_lint.engine.catalogue import Catalogue, load_catalogue
from evidence_lint.engine.plugins import gather
from evidence_lint.engine.select import EVERYTHING, NodeFilter, compile_keyword, matching, nearest, select_rules
from evidence_lint.engine.session import Plan
from evidence_lint.engine.suppress import SuppressionPolicy
from evidence_lint.errors import UsageError
from evidence_lint.model.authority import AuthorityEntry
from evidence_lint.model.capture import CaptureLimits
from evidence_lint.model.policy import Policy
from evidence_lint.model.result import RunInfo, RunResult
from evidence_lint.model.verdict import Severity
from evidence_lint.rule import Rule
from evidence_lint.sources.places import place_below


def catalogue_of(configuration: Configuration) -> Catalogue:
    """Load plug-ins and the local rule files that the configuration names."""
    return load_catalogue(
        rule_files=configuration.rule_files,
        plugins=configuration.settings.plugins,
        distrusted=configuration.work_tree if configuration.revision is not None else None,
    )


def authority_of(settings: Settings, catalogue: Catalogue) -> tuple[AuthorityEntry, ...]:
    """The authority registry: what plug-ins bring, then what the settings say."""
    return (*gather(catalogue.manager, "evidence_lint_authority", AuthorityEntry), *settings.authority_entries())


def checks_of(
    catalogue: Catalogue, configuration: Configuration, options: Options
) -> Callable[[Path], tuple[Sequence[Rule], Mapping[str, Severity]]]:
    """Return a function from a report's path to its rules and severities.

    Raises :class:`SelectionError` at once when any selector, per-path ones included, names nothing.
    """
    settings = configuration.settings
    for selector in _all_selectors(settings, options):
        matching(catalogue, selector)
    base = configuration.folder
    made: dict[object, tuple[Sequence[Rule], Mapping[str, Severity]]] = {}

    def checks(path: Path) -> tuple[Sequence[Rule], Mapping[str, Severity]]:
        # A report elsewhere fits only patterns that fit everywhere.
        place = place_below(path, base) or PurePosixPath(path.absolute().as_posix().lstrip("/"))
        chosen = settings.for_path(str(place))
        # A selection on the command line stands in place of the configured one, whose severities still hold.
        select = options.select or chosen.select or (EVERYTHING,)
        extend = (*(() if options.select else chosen.extend_select), *options.extend_select)
        ignore = (*(() if options.select else chosen.ignore), *options.ignore)
        key = (select, extend, ignore, tuple(chosen.severity.items()))
        if key not in made:
            rules = select_rules(catalogue, (*select, *extend), ignore)
            severities, off = _severities(catalogue, chosen.severity)
            rules = [rule for rule in rules if options.select or rule.code not in off]
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


def node_filter(keyword: str) -> NodeFilter:
    """Narrow the run to the ``-k`` expression, whose words may stand in a check's node id or in its rule's code.

    Node ids are noted where their bundles are found.
    """
    if not keyword.strip():
        return NodeFilter()
    fits = compile_keyword(keyword)
    return NodeFilter(keyword=lambda node, code: fits(f"{node} {code}"))


def unanswered(keyword: str, catalogue: Catalogue, result: RunResult) -> tuple[str, ...]:
    """A word for a ``-k`` expression that left no check, with the nearest right one where there is one."""
    if not keyword.strip() or any(row.verdicts or row.counts.ran for row in result.bundles) or not result.bundles:
        return ()
    near = nearest(catalogue, keyword.strip()) if len(keyword.split()) == 1 else ""
    return (f"-k {keyword!r} fits no check: neither a node id (path::subject::rule-name) nor a rule's code{near}",)


def fail_on(options: Options, settings: Settings) -> Severity | None:
    """The mildest severity that fails the run."""
    word = options.fail_on or settings.fail_on
    return None if word == "never" else Severity(word)


def load_options(settings: Settings) -> LoadOptions:
    """What the settings say about finding and reading bundles."""
    return LoadOptions(
        layout=settings.layout,
        exclude=settings.exclude,
        root=settings.folder,
        max_bytes=settings.limits.artifact_bytes,
    )


def capture_limits(settings: Settings) -> CaptureLimits:
    """What the settings say about live captures."""
    return CaptureLimits(
        concurrency=settings.network.concurrency,
        per_host=settings.network.per_host,
        total_timeout=settings.network.timeout,
        max_bytes=settings.limits.page_bytes,
    )


def policy_of(configuration: Configuration, catalogue: Catalogue, options: Options) -> Policy:
    """The policy in force."""
    settings = configuration.settings
    return Policy(
        mode=options.mode,
        authority=authority_of(settings, catalogue),
        gate=settings.gate.gate(),
        revision=configuration.revision,
        changes=configuration.changes,
    )


def suppression_of(configuration: Configuration, catalogue: Catalogue) -> SuppressionPolicy:
    """What may be suppressed: everything but what the gate forbids; under ``--policy-from`` only what it allows."""

    def codes(selectors: Sequence[str]) -> frozenset[str]:
        return frozenset(rule.code for selector in selectors for rule in matching(catalogue, selector))

    settings = configuration.settings
    return SuppressionPolicy(
        matching=lambda selector: codes([selector]),
        never=codes(settings.gate.unsuppressible) | {rule.code for rule in catalogue.rules if rule.family == "META"},
        by_author=codes(settings.suppressible) if configuration.revision is not None else None,
        baseline=configuration.baseline,
        baseline_folder=configuration.baseline_folder,
        required=tuple(sorted(codes(settings.gate.required_rules))),
    )


def run_info(options: Options, configuration: Configuration, allow_network: Sequence[str]) -> RunInfo:
    """What the output says about how the run was made."""
    return RunInfo(
        mode=options.mode,
        allow_network=tuple(allow_network),
        policy_source=configuration.source,
        policy_revision=configuration.revision,
        policy_commit=configuration.commit,
        select=(*(options.select or configuration.settings.select), *options.extend_select),
        ignore=(*(() if options.select else configuration.settings.ignore), *options.ignore),
        keyword=options.keyword,
        repo=str(options.repo) if options.repo is not None else None,
    )


def networks_of(options: Options, settings: Settings) -> list[str]:
    """The networks that captures may reach although they are not public. Raises :class:`UsageError`."""
    for network in options.allow_network:
        try:
            ip_network(network)
        except ValueError as problem:
            raise UsageError(f"--allow-network {network}: a network such as 10.0.0.0/8 is expected") from problem
    return [*(str(network) for network in settings.network.allow), *options.allow_network]


def make_plan(
    options: Options,
    configuration: Configuration,
    catalogue: Catalogue,
    stack: ExitStack,
    *,
    nodes: NodeFilter,
    keep_passed: bool,
) -> Plan:
    """Put everything together that a run needs."""
    settings = configuration.settings
    networks = networks_of(options, settings)
    # Under a policy from a revision the evidence comes from the policy's own repository too: a repository that lies
    # around a bundle may be its author's.
    checkout = options.repo if options.repo is not None else configuration.work_tree
    sources, captures = make_sources(
        stack,
        catalogue,
        repo=checkout,
        offline=options.mode == "offline",
        limits=capture_limits(settings),
        most_pages=settings.limits.pages,
        allow_networks=networks,
    )
    return Plan(
        catalogue=catalogue,
        checks=checks_of(catalogue, configuration, options),
        sources=sources,
        policy=policy_of(configuration, catalogue, options),
        load=replace(load_options(settings), changed=options.changed),
        info=run_info(options, configuration, networks),
        nodes=nodes,
        fail_on=fail_on(options, settings),
        strict=(options.profile or settings.profile) == "strict",
        keep_passed=keep_passed,
        notices=run_notices(options, configuration, networks),
        captures=lambda: captures.made,
        suppression=suppression_of(configuration, catalogue),
        jobs=options.jobs or os.cpu_count() or 1,
        worker_sources=partial(worker_sources, checkout),
    )

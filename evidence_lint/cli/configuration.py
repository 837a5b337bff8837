"""The configuration in force for a run: the work tree's, a given file's, or that of a revision (``--policy-from``)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evidence_lint.cli.options import Options
from evidence_lint.config.discover import discover_settings, find_config, is_own_place, read_settings
from evidence_lint.config.settings import Settings
from evidence_lint.engine.baseline import Baseline, parse_baseline
from evidence_lint.errors import ConfigError, SourceError, UsageError
from evidence_lint.model.policy import PolicyChange
from evidence_lint.sources.files import Refused, read_text

if TYPE_CHECKING:
    from evidence_lint.config.revision import RevisionTree
    from evidence_lint.engine.catalogue import Catalogue

_BASELINE_LIMIT = 32 * 1024 * 1024


@dataclass(frozen=True)
class Configuration:
    """Settings with everything that they name, wherever it was read from.

    ``source`` is the file as output shows it, ``revision`` the revision it was read from, as the user named it,
    ``ref`` that name in full, ``commit`` the id of what it means, ``changes`` what the work tree would change of it.
    """

    settings: Settings
    rule_files: tuple[Path, ...] = ()
    baseline: Baseline = field(default_factory=Baseline)
    baseline_folder: Path = field(default_factory=Path.cwd)
    source: str | None = None
    revision: str | None = None
    ref: str | None = None
    commit: str | None = None
    changes: tuple[PolicyChange, ...] = ()
    work_tree: Path | None = None
    """Top of the work tree whose configuration the revision stands in for."""

    @property
    def folder(self) -> Path:
        """The folder that paths and patterns of the settings are relative to."""
        return self.settings.folder or Path.cwd()


def configure(
    options: Options,
    start: Path,
    stack: ExitStack,
    *,
    others: Sequence[Path] = (),
    read_baseline: bool = True,
    trusting: bool = False,
) -> Configuration:
    """Read the configuration that the options ask for: where none is named, the one that holds at ``start``.

    It has to hold at the ``others`` too. One that was found and not named may name code, or open networks, only when
    it lies in the current folder or above it; ``trusting`` leaves that to the caller. Raises :class:`UsageError` or
    :class:`ConfigError`.
    """
    if options.isolated and options.config is not None:
        raise UsageError("--isolated and --config contradict each other")
    if options.policy_from is not None:
        if options.isolated:
            raise UsageError("--policy-from and --isolated contradict each other")
        try:
            return _from_revision(options, options.policy_from, start, others, stack)
        except SourceError as problem:
            raise UsageError(f"--policy-from {options.policy_from}: {problem}") from problem
    if not options.isolated and options.config is None:
        _require_one(start, others, find_config)
    if options.isolated:
        settings = Settings()
    elif options.config is not None:
        settings = read_settings(options.config)
    else:
        settings = discover_settings(start)
        if not trusting:
            _require_own_place(settings)
    folder = settings.folder or Path.cwd()
    path = options.baseline or (folder / settings.baseline if settings.baseline is not None else None)
    if not read_baseline:
        path = None
    return Configuration(
        settings=settings,
        rule_files=tuple(folder / name for name in settings.rules),
        baseline=_baseline(path) if path is not None else Baseline(),
        baseline_folder=path.absolute().parent if path is not None else Path.cwd(),
        source=str(settings.source) if settings.source is not None else None,
    )


def local_catalogue(config: Path | None = None, *, isolated: bool = False) -> Catalogue:
    """What a check of the current folder would have: plug-ins and local rules that the configuration names included."""
    from evidence_lint.engine.catalogue import load_catalogue  # noqa: PLC0415 - only commands about rules need it

    with ExitStack() as stack:
        found = configure(Options(config=config, isolated=isolated), Path(), stack, read_baseline=False)
        return load_catalogue(rule_files=found.rule_files, plugins=found.settings.plugins)


def catalogue_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that decide which configuration names rules and plug-ins."""
    named = click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
    return named(click.option("--isolated", is_flag=True, help="Read no configuration.")(function))


def _require_one(start: Path, others: Sequence[Path], find: Callable[[Path], object]) -> None:
    """Raise :class:`UsageError` unless one configuration holds at all paths: which one counts must be no accident."""
    if not others:
        return
    here = find(start)
    for other in others:
        there = find(other)
        if there != here:
            raise UsageError(
                f"{start} and {other} have different configurations ({here or 'none'}, {there or 'none'}); "
                "check them one after the other, or name one with --config"
            )


def _require_own_place(settings: Settings) -> None:
    """Raise :class:`UsageError` when settings that lie with what is examined would make this program do something."""
    asked = {"rules": settings.rules, "plugins": settings.plugins, "network.allow": settings.network.allow}
    wanted = [key for key, value in asked.items() if value]
    if wanted and settings.source is not None and not is_own_place(settings.source, Path.cwd()):
        raise ConfigError(
            "a configuration may run code and open networks only when it was named, or lies in the current folder or "
            "above it in the same work tree; name it with --config FILE if you trust it, run from its folder, or read "
            "no configuration with --isolated",
            path=settings.source,
            key=", ".join(wanted),
        )


def _baseline(path: Path) -> Baseline:
    try:
        read = read_text(path, limit=_BASELINE_LIMIT, within=Path(path.absolute().anchor))
    except Refused as problem:
        raise ConfigError(f"the baseline {problem}", path=path) from problem
    if read is None:
        raise ConfigError("there is no such baseline; `evidence-lint baseline write` makes one", path=path)
    return parse_baseline(read[0], str(path))


def _from_revision(
    options: Options, revision: str, start: Path, others: Sequence[Path], stack: ExitStack
) -> Configuration:
    from evidence_lint.config.revision import policy_changes, read_policy  # noqa: PLC0415 - Git only when asked for

    tree = _tree(options, revision, (start, *others), stack)
    policy = read_policy(tree, start, options.config)
    if options.config is None:
        _require_one(start, others, lambda path: read_policy(tree, path).source)
    folder = policy.settings.folder or policy.tree.root
    name = str(options.baseline.absolute()) if options.baseline is not None else policy.settings.baseline
    baseline = Baseline()
    if name is not None:
        text = policy.file(name, limit=_BASELINE_LIMIT)
        if text is None:
            raise ConfigError("the revision has no such baseline", path=f"{revision}:{name}")
        baseline = parse_baseline(text, f"{revision}:{name}")
    rules = stack.enter_context(tempfile.TemporaryDirectory(prefix="evidence-lint-rules-"))
    return Configuration(
        settings=policy.settings,
        rule_files=tuple(policy.write_rules(Path(rules))),
        baseline=baseline,
        baseline_folder=(folder / name).parent if name is not None else folder,
        source=policy.source,
        revision=revision,
        ref=tree.name,
        commit=tree.commit,
        changes=tuple(policy_changes(policy, start, name)),
        work_tree=tree.root,
    )


def _tree(options: Options, revision: str, paths: Sequence[Path], stack: ExitStack) -> RevisionTree:
    """The files of the revision, in the repository where the user stands or which --repo names.

    A repository that lies around a path, and not around the user, may be its author's own: every path must lie in a
    work tree of the one repository.
    """
    from evidence_lint.config.revision import RevisionTree  # noqa: PLC0415 - Git only when asked for
    from evidence_lint.sources.git import GitRepository, belongs, discover  # noqa: PLC0415

    here = options.repo if options.repo is not None else Path.cwd()
    if discover(here) is None:
        raise UsageError(
            f"--policy-from: {here} lies in no Git work tree; run from the work tree whose policy is to hold, or name "
            "it with --repo"
        )
    repository = stack.enter_context(GitRepository.open(here))
    tops: dict[Path, Path] = {}
    for path in paths:
        top = belongs(path, repository)
        if top is None:
            other = discover(path)
            where = f"in another repository ({other})" if other is not None else "in no repository"
            raise UsageError(
                f"--policy-from: {path} lies {where}, and the policy is that of {repository.root}; "
                "name the one that is meant with --repo"
            )
        tops.setdefault(top, path)
    if len(tops) > 1:
        one, two = list(tops.values())[:2]
        raise UsageError(f"--policy-from: {one} and {two} lie in two work trees; check them one after the other")
    return RevisionTree(repository, revision, next(iter(tops), None))

"""The configuration in force for a run: the work tree's, a given file's, or that of a revision (``--policy-from``)."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from evidence_lint.cli.options import Options
from evidence_lint.config.discover import discover_settings, read_settings
from evidence_lint.config.settings import Settings
from evidence_lint.engine.baseline import Baseline, parse_baseline
from evidence_lint.errors import ConfigError, UsageError
from evidence_lint.model.policy import PolicyChange
from evidence_lint.sources.files import Refused, read_text


@dataclass(frozen=True)
class Configuration:
    """Settings with everything that they name, wherever it was read from.

    ``source`` is the file as output shows it, ``revision`` the revision it was read from, ``changes`` what the work
    tree would change of it.
    """

    settings: Settings
    rule_files: tuple[Path, ...] = ()
    baseline: Baseline = field(default_factory=Baseline)
    baseline_folder: Path = field(default_factory=Path.cwd)
    source: str | None = None
    revision: str | None = None
    changes: tuple[PolicyChange, ...] = ()

    @property
    def folder(self) -> Path:
        """The folder that paths and patterns of the settings are relative to."""
        return self.settings.folder or Path.cwd()


def configure(options: Options, start: Path, stack: ExitStack, *, read_baseline: bool = True) -> Configuration:
    """Read the configuration that the options ask for. Raises :class:`UsageError` or :class:`ConfigError`."""
    if options.policy_from is not None:
        return _from_revision(options, options.policy_from, start, stack)
    if options.isolated:
        settings = Settings()
    elif options.config is not None:
        settings = read_settings(options.config)
    else:
        settings = discover_settings(start)
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


def _baseline(path: Path) -> Baseline:
    try:
        read = read_text(path, limit=32 * 1024 * 1024, within=Path(path.absolute().anchor))
    except Refused as problem:
        raise ConfigError(f"the baseline {problem}", path=path) from problem
    if read is None:
        raise ConfigError("there is no such baseline; `evidence-lint baseline write` makes one", path=path)
    return parse_baseline(read[0], str(path))


def _from_revision(options: Options, revision: str, start: Path, stack: ExitStack) -> Configuration:
    from evidence_lint.config.revision import policy_changes, read_policy  # noqa: PLC0415 - Git only when asked for
    from evidence_lint.sources.git import GitRepository, discover  # noqa: PLC0415

    if options.isolated:
        raise UsageError("--policy-from and --isolated contradict each other")
    root = discover(start)
    if root is None:
        raise UsageError(f"--policy-from: {start} lies in no Git work tree")
    repository = stack.enter_context(GitRepository.open(root))
    policy = read_policy(repository, revision, start, options.config)
    folder = policy.settings.folder or policy.tree.root
    name = str(options.baseline.absolute()) if options.baseline is not None else policy.settings.baseline
    baseline = Baseline()
    if name is not None:
        text = policy.file(name)
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
        changes=tuple(policy_changes(policy, start, policy.settings.baseline)),
    )

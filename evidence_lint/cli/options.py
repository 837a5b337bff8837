"""What the command line says about a run, apart from how it is printed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evidence_lint.errors import UsageError
from evidence_lint.model.result import Mode


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a run. Empty values leave the decision to the configuration."""

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    keyword: str = ""
    config: Path | None = None
    isolated: bool = False
    policy_from: str | None = None
    baseline: Path | None = None
    mode: Mode = "auto"
    repo: Path | None = None
    allow_network: tuple[str, ...] = ()
    fail_on: str | None = None
    profile: str | None = None
    jobs: int = 1
    """Bundles that are checked at once; 0 for as many as there are processors."""
    changed: bool = False
    """The paths are changed files: those that belong to no bundle, or are gone, are passed over."""


def split(values: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a repeatable option that also takes commas."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def require_folder(path: Path | None, option: str) -> Path | None:
    """Check that an option names a folder. Raises :class:`UsageError`."""
    if path is not None and not path.is_dir():
        raise UsageError(f"{option} {path}: no such folder")
    return path


def mode_of(*, offline: bool, live: bool) -> Mode:
    """The mode of a run. Raises :class:`UsageError` when both are asked for."""
    if offline and live:
        raise UsageError("--offline and --live contradict each other")
    return "offline" if offline else "live" if live else "auto"

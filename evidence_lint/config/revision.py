"""The policy of a revision (chapter 10, ``--policy-from``): settings, local rules and baseline as a commit holds them.

Nothing of it is read from the work tree, whose author may be the report's. What the work tree would change is told.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import cast

from evidence_lint.config.discover import discover_settings
from evidence_lint.config.load import OWN_FILE, PYPROJECT, TABLE, dotted, load_settings, settings_table
from evidence_lint.config.settings import Settings
from evidence_lint.errors import ConfigError, SourceError, UsageError
from evidence_lint.model.policy import PolicyChange
from evidence_lint.model.repository import EntryKind
from evidence_lint.sources.files import Refused, read_text
from evidence_lint.sources.git import GitRepository
from evidence_lint.sources.places import place_below

_LIMIT = 1024 * 1024
_WORK_LIMIT = 32 * 1024 * 1024
_SHOWN = 120


class RevisionTree:
    """The files of one commit, read through Git."""

    def __init__(self, repository: GitRepository, revision: str, root: Path | None = None) -> None:
        """Resolve the revision. ``root`` is the top of a linked work tree that paths lie in (default: the main one's).

        Raises :class:`UsageError` when there is no such revision.
        """
        found = repository.revision(revision)
        if found is None:
            depth = " The clone is shallow: fetch it first (in CI: fetch-depth: 0)." if repository.is_shallow else ""
            raise UsageError(f"--policy-from {revision}: there is no such revision in this repository.{depth}")
        if repository.root is None:
            raise UsageError("--policy-from needs a work tree, and this repository is bare")
        self.revision = revision
        self.commit = found.commit
        self.name = found.name
        """The full name of what the revision means: a ref, ``HEAD``, or an id."""
        self.root = root or repository.root
        self._repository = repository

    def inside(self, path: Path) -> PurePosixPath:
        """A path of the work tree, relative to its top. Raises :class:`UsageError` when it lies elsewhere.

        Links of the work tree are not followed: its author must not choose by them what is read of the revision.
        """
        place = place_below(path, self.root)
        if place is None:
            raise UsageError(f"--policy-from: {path} lies outside the repository {self.root}")
        return place

    def text(self, path: PurePosixPath, *, limit: int = _LIMIT) -> str | None:
        """The text of a file of the commit; None when it has no such file. Links are not followed."""
        entry = self._repository.entry(self.commit, str(path))
        if entry is None:
            return None
        name = f"{self.revision}:{path}"
        if entry.kind not in {EntryKind.FILE, EntryKind.EXECUTABLE}:
            raise ConfigError("a regular file is expected", path=name)
        try:
            return self._repository.blob(entry.oid, limit=limit).decode("utf-8-sig")
        except SourceError as problem:
            raise ConfigError(f"cannot be read: {problem}", path=name) from problem
        except UnicodeDecodeError as problem:
            raise ConfigError(f"not UTF-8: {problem.reason} at byte {problem.start}", path=name) from problem


@dataclass(frozen=True)
class RevisionPolicy:
    """A policy as a commit holds it."""

    settings: Settings
    tree: RevisionTree
    source: str | None
    """``revision:path`` of the configuration file; None when the commit has none."""

    def file(self, path: str, *, limit: int = _LIMIT) -> str | None:
        """The text of a file that the settings name, relative to their folder."""
        folder = self.settings.folder or self.tree.root
        return self.tree.text(self.tree.inside(folder / path), limit=limit)

    def write_rules(self, folder: Path) -> list[Path]:
        """Write the local rule files of the commit below ``folder``, from where they can be imported."""
        written: list[Path] = []
        for number, name in enumerate(self.settings.rules):
            text = self.file(name)
            if text is None:
                raise ConfigError(
                    "the revision has no such rule file", path=f"{self.tree.revision}:{name}", key="rules"
                )
            target = folder / str(number) / Path(name).name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            written.append(target)
        return written


def read_policy(tree: RevisionTree, start: Path, config: Path | None = None) -> RevisionPolicy:
    """Read the policy that a revision holds for ``start``: the given file's, or the nearest one's upwards.

    Raises :class:`ConfigError` when its configuration is wrong.
    """
    if config is not None:
        path = tree.inside(config)
        text = tree.text(path)
        if text is None:
            raise ConfigError("the revision has no such file", path=f"{tree.revision}:{path}")
        return _policy(tree, path, text)
    for path in _candidates(tree, start):
        text = tree.text(path)
        if text is not None and (path.name == OWN_FILE or _speaks_of_us(text, tree, path)):
            return _policy(tree, path, text)
    return RevisionPolicy(Settings(), tree, None)


def _speaks_of_us(text: str, tree: RevisionTree, path: PurePosixPath) -> bool:
    # Also a file that is no TOML, as long as it does not speak of this tool: others may complain of it.
    with _named(f"{tree.revision}:{path}"):
        return TABLE[1] in text and settings_table(text, Path(path.name)) is not None


def _policy(tree: RevisionTree, path: PurePosixPath, text: str) -> RevisionPolicy:
    name = f"{tree.revision}:{path}"
    with _named(name):
        settings = load_settings(text, Path(path.name))
    return RevisionPolicy(settings.from_source(tree.root / path), tree, name)


@contextmanager
def _named(name: str) -> Generator[None]:
    """Let an error of a configuration speak of ``revision:path``, since a file of that name may stand elsewhere too."""
    try:
        yield
    except ConfigError as problem:
        raise ConfigError(str(problem).partition(": ")[2], path=name) from problem


def _candidates(tree: RevisionTree, start: Path) -> Iterator[PurePosixPath]:
    here = tree.inside(start if start.is_dir() else start.parent)
    for folder in (here, *here.parents):
        for name in (OWN_FILE, PYPROJECT):
            yield folder / name


def policy_changes(policy: RevisionPolicy, start: Path, baseline: str | None) -> list[PolicyChange]:
    """Say in words how the work tree's own policy differs. A work tree whose configuration is broken differs too."""
    try:
        own = discover_settings(start)
    except ConfigError as problem:
        return [PolicyChange("the configuration", f"it cannot be read: {problem}")]
    changes = list(_setting_changes(policy.settings, own))
    folder = policy.settings.folder or policy.tree.root
    for name in policy.settings.rules:
        if policy.file(name) != _read(folder / name):
            changes.append(PolicyChange("a local rule file", f"{name} differs"))
    # What the work tree adds to the rules is told with the setting.
    if baseline is not None and policy.file(baseline, limit=_WORK_LIMIT) != _read(folder / baseline):
        changes.append(PolicyChange("the baseline", f"{baseline} differs"))
    return changes


def _setting_changes(policy: Settings, own: Settings) -> Iterator[PolicyChange]:
    before, after = (dict(_leaves(settings)) for settings in (policy, own))
    for key in sorted({*before, *after}):
        old, new = before.get(key), after.get(key)
        if old != new and ((key in before and key in after) or old or new):
            yield PolicyChange(dotted(key), f"{_shown(old)} → {_shown(new)}")


def _leaves(settings: Settings) -> Iterator[tuple[tuple[str, ...], object]]:
    """The values of the settings by their keys, those in tables included; authority entries by their hosts."""
    document = settings.model_dump(mode="json", by_alias=True)
    hosts: dict[str, list[str]] = {}
    for entry in settings.authority:
        words = [entry.level, f"project {entry.project}" if entry.project else "", entry.reason]
        hosts.setdefault(entry.host, []).append(": ".join(word for word in words if word))
    yield from _flat((), {**document, "authority": hosts})


def _flat(place: tuple[str, ...], value: object) -> Iterator[tuple[tuple[str, ...], object]]:
    if isinstance(value, dict):
        for key, inner in cast("dict[str, object]", value).items():
            yield from _flat((*place, key), inner)
    else:
        yield place, value


def _shown(value: object) -> str:
    if isinstance(value, list):
        text = ", ".join(str(item) for item in cast("list[object]", value)) or "nothing"
    else:
        text = "not set" if value is None else str(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _read(path: Path) -> str | None:
    """The text of a file of the work tree, where anything may stand: a link to a device, a pipe."""
    try:
        read = read_text(path, limit=_WORK_LIMIT)
    except Refused:
        return None
    return read[0] if read is not None else None

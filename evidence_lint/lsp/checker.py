"""Checking the bundles that a file belongs to, as the editor shows them. Runs in a thread; everything is bounded.

A check can be called off: the engine tells every verdict to plug-ins, and one of them, put there by this module, ends
the run at the next verdict. Whatever a check holds open is closed when it ends.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import pluggy

from evidence_lint.dialect import LoadOptions, Resolve
from evidence_lint.engine.catalogue import Catalogue, load_catalogue
from evidence_lint.engine.collect import Argument, Found, collect
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.session import Plan, Session
from evidence_lint.errors import EvidenceLintError
from evidence_lint.hooks import hookimpl
from evidence_lint.lsp.documents import Document
from evidence_lint.lsp.facts import Facts, read_facts
from evidence_lint.lsp.overlay import loader
from evidence_lint.model.result import BundleResult, Mode, RunResult, Summary

_WATCHER = "evidence_lint.lsp.checker"


class Planner(Protocol):
    """Gives the plan of a run by the configuration that holds at a path, without rereading more than it must.

    May raise any :class:`~evidence_lint.errors.EvidenceLintError`. What the plan holds open is closed by ``stack``.
    """

    def __call__(self, path: Path, mode: Mode, stack: ExitStack, /) -> Plan:
        """Return the plan."""
        ...


class Cancelled(BaseException):
    """The check was called off. No :class:`Exception`, so that nothing takes it for a fault of a rule."""


class Token:
    """Calls a check off, from any thread; ``reason`` is for the log."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self.reason = ""

    def cancel(self, reason: str) -> None:
        """Call the check off; the first reason counts."""
        if not self._event.is_set():
            self.reason = reason
            self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether the check was called off."""
        return self._event.is_set()

    def require(self) -> None:
        """Raise :class:`Cancelled` when the check was called off."""
        if self.cancelled:
            raise Cancelled(self.reason)


_CURRENT = threading.local()


class _Watcher:
    """The plug-in that ends a run which was called off."""

    @hookimpl
    def evidence_lint_verdict(self) -> None:
        """Look at the token of this thread's check."""
        token = getattr(_CURRENT, "token", None)
        if isinstance(token, Token):
            token.require()


@dataclass(frozen=True)
class Snapshot:
    """A bundle as it was checked. ``key`` names it across checks; ``result`` is a run of this bundle alone.

    ``suppressible`` says whether an author may suppress the rule of a code.
    """

    key: str
    result: RunResult
    facts: Facts
    locator: Locator
    suppressible: Callable[[str], bool]

    @property
    def row(self) -> BundleResult:
        """The bundle with its verdicts."""
        return self.result.bundles[0]

    @property
    def files(self) -> frozenset[Path]:
        """Every file of the bundle, those that are not there included."""
        return frozenset(artifact.path for artifact in self.row.bundle.artifacts.values())

    def artifact_of(self, path: Path) -> str | None:
        """The name of the artifact that a file is."""
        names = [name for name, artifact in self.row.bundle.artifacts.items() if _same(artifact.path, path)]
        return names[0] if names else None


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why the bundles of a file could not be checked: for the editor to show at the file."""

    path: Path
    message: str


@dataclass
class Job:
    """What one check looks at. ``files`` grows as its bundles become known: a change of any calls the check off."""

    paths: frozenset[Path]
    texts: Mapping[str, Document]
    mode: Mode = "offline"
    token: Token = field(default_factory=Token)
    files: frozenset[Path] = frozenset()

    def concerns(self, path: Path) -> bool:
        """Whether a change of the file makes the check worthless."""
        return path in self.paths or path in self.files


class Checker:
    """Runs checks. One at a time runs to its end; an abandoned one may still be on its way."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner
        self._catalogue: Catalogue | None = None

    def check(self, job: Job) -> Sequence[Snapshot | Trouble]:
        """Check every bundle that a path of the job belongs to. Raises :class:`Cancelled`."""
        done: dict[str, Snapshot | Trouble] = {}
        _CURRENT.token = job.token
        try:
            for path in sorted(job.paths):
                job.token.require()
                try:
                    self._check(path, job, done)
                except EvidenceLintError as problem:
                    if self._concerned(path):
                        done[f"trouble {path}"] = Trouble(path, str(problem))
        finally:
            _CURRENT.token = None
        job.token.require()
        return list(done.values())

    def _concerned(self, path: Path) -> bool:
        """Whether a file is part of a bundle without any settings: broken settings are no fault of other files."""
        try:
            self._catalogue = self._catalogue or load_catalogue()
            found = collect([Argument(path)], self._catalogue.dialects, LoadOptions(changed=True))
        except EvidenceLintError:
            return True
        return any(row.candidate.certain for row in found)

    def _check(self, path: Path, job: Job, done: dict[str, Snapshot | Trouble]) -> None:
        if not os.path.lexists(path):
            return
        with ExitStack() as stack:
            plan = self._planner(path, job.mode, stack)
            _watch(plan.catalogue.manager)
            found = collect([Argument(path)], plan.catalogue.dialects, plan.load)
            # A Markdown file is no report merely because it is open.
            for bundle in (row for row in found if row.candidate.certain):
                key = _key(bundle)
                if key not in done:
                    job.files |= {bundle.candidate.main, *bundle.candidate.files.values()}
                    done[key] = _examine(key, bundle, plan, job)


def _watch(manager: pluggy.PluginManager) -> None:
    if not manager.has_plugin(_WATCHER):
        manager.register(_Watcher(), name=_WATCHER)


def _key(found: Found) -> str:
    return f"{found.dialect.name} {os.path.realpath(found.candidate.main)}"


def _examine(key: str, found: Found, plan: Plan, job: Job) -> Snapshot:
    facts = Facts()
    dialect = found.dialect

    def summarise(resolve: Resolve) -> Summary:
        nonlocal facts
        facts = read_facts(resolve)
        return dialect.summarise(resolve)

    shown = replace(dialect, load=loader(dialect, job.texts), summarise=summarise)
    locator = Locator()
    # One bundle's check, not a run: collectors of finished runs are not told of every keystroke.
    row = Session(plan, locator).check(replace(found, dialect=shown))
    job.token.require()
    result = RunResult((row,), plan.info, plan.catalogue.describe(), locator, notices=plan.notices)
    return Snapshot(key, result, facts, locator, _suppressible(plan))


def _suppressible(plan: Plan) -> Callable[[str], bool]:
    policy = plan.suppression
    if policy is None:
        return lambda code: False
    return lambda code: code not in policy.never and (policy.by_author is None or code in policy.by_author)


def _same(one: Path, other: Path) -> bool:
    return one == other or os.path.realpath(one) == os.path.realpath(other)


def covering(snapshots: Iterable[Snapshot], path: Path) -> list[Snapshot]:
    """The snapshots of bundles that a file belongs to."""
    return [snapshot for snapshot in snapshots if snapshot.artifact_of(path) is not None]

"""Checks drafts with the engine in this process: offline, against the draft's checkout, all rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

from evidence_lint.dialect import LoadOptions
from evidence_lint.engine.catalogue import load_catalogue
from evidence_lint.engine.collect import Argument, collect
from evidence_lint.engine.session import Plan, Session
from evidence_lint.model.policy import Policy
from evidence_lint.model.result import BundleResult
from evidence_lint.model.verdict import Outcome, Severity
from evidence_lint.sources.git import GitRepository
from evidence_lint.sources.ports import Sources
from tests.faults.checkout import Checkout
from tests.faults.draft import Files

Failures: TypeAlias = "Counter[tuple[str, Severity]]"
"""Failed and errored checks by rule and severity."""


class Runner:
    """Runs bundles in a folder of its own; close it to let the repository go."""

    def __init__(self, folder: Path, checkout: Checkout) -> None:
        self._stack = ExitStack()
        repository = self._stack.enter_context(GitRepository.open(checkout.folder))
        self.catalogue = load_catalogue()
        self._folder = folder
        self._folder.mkdir(parents=True, exist_ok=True)
        self._plan = Plan(
            catalogue=self.catalogue,
            checks=lambda path: (self.catalogue.rules, {}),
            sources=Sources(repository=lambda folder: repository),
            policy=Policy(mode="offline"),
        )

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def severities(self) -> Mapping[str, Severity]:
        """The default severity of every rule by its name."""
        return {rule.name: rule.severity for rule in self.catalogue.rules}

    def check(self, files: Files) -> BundleResult:
        """Write a bundle in place of the last one, and check it."""
        for old in self._folder.iterdir():
            old.unlink()
        for name, data in files.items():
            (self._folder / name).write_bytes(data)
        found = collect([Argument(self._folder)], self.catalogue.dialects, LoadOptions())
        assert len(found) == 1, f"{len(found)} bundles in {self._folder}"
        return Session(self._plan).check(found[0])

    def failures(self, files: Files) -> Failures:
        """What failed above the severity of information, and what broke."""
        rows = self.check(files).verdicts
        return Counter(
            (f"broken:{row.name}" if row.outcome is Outcome.ERRORED else row.name, row.severity)
            for row in rows
            if row.outcome is Outcome.ERRORED or (row.outcome is Outcome.FAILED and row.severity is not Severity.INFO)
        )

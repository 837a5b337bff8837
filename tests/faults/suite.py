"""Runs the suite: clean bundles, single faults, harmless edits; tallies what was found."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evidence_lint.model.verdict import Severity
from tests.faults.checkout import make_checkout
from tests.faults.clean import KINDS, clean_bundle
from tests.faults.draft import Draft, Files
from tests.faults.everything import FAULTS, HARMLESS
from tests.faults.kinds import Change, Kind
from tests.faults.runner import Failures, Runner

ADMITTED = frozenset({"excerpt-not-in-content", "missing-evidence"})
"""Warnings of clean bundles: the evidence of a finding that is left out, and told."""


@dataclass
class Tally:
    """What became of one kind: ``hits`` are faults found, or harmless edits that raised an alarm."""

    applied: int = 0
    hits: int = 0
    samples: list[str] = field(default_factory=list)

    def add(self, *, hit: bool, sample: str = "") -> None:
        """Count one application; keep a few samples of what should not be."""
        self.merge(Tally(1, int(hit), [sample] if sample else []))

    def merge(self, other: Tally) -> None:
        """Add what another tally counted."""
        self.applied += other.applied
        self.hits += other.hits
        self.samples = [*self.samples, *other.samples][:3]


@dataclass
class Tallies:
    """All kinds, and the clean bundles."""

    clean: Tally = field(default_factory=Tally)
    faults: dict[str, Tally] = field(default_factory=lambda: {name: Tally() for name in FAULTS})
    harmless: dict[str, Tally] = field(default_factory=lambda: {name: Tally() for name in HARMLESS})

    def add(self, other: Tallies) -> None:
        """Add what another round counted."""
        self.clean.merge(other.clean)
        for mine, theirs in ((self.faults, other.faults), (self.harmless, other.harmless)):
            for name, tally in theirs.items():
                mine[name].merge(tally)


def run_round(seed: str, per_kind: int, only: str = "") -> Tallies:
    """One checkout, one bundle of each kind; ``per_kind`` places of each kind of change in each."""
    tallies = Tallies()
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        checkout = make_checkout(Path(folder) / "checkout", seed)
        with Runner(Path(folder) / "bundle", checkout) as runner:
            for kind in KINDS:
                draft = clean_bundle(seed, checkout, kind)
                _check_bundle(f"{seed}/{kind}", draft, runner, per_kind, tallies, only)
    return tallies


def _check_bundle(name: str, draft: Draft, runner: Runner, per_kind: int, tallies: Tallies, only: str) -> None:
    written = draft.files()
    before = runner.failures(written)
    unexpected = unexpected_of(before)
    tallies.clean.add(hit=bool(unexpected), sample=f"{name}: {unexpected}" if unexpected else "")
    severities = runner.severities()
    for kind in (*FAULTS.values(), *HARMLESS.values()):
        if only and only not in kind.name:
            continue
        for number, change in sampled(kind, draft, f"{name}/{kind.name}", per_kind):
            files = changed(draft, change)
            if kind.name in HARMLESS and files == written:
                continue  # there was nothing to write otherwise
            assert files != written, f"{name}: {kind.name} #{number} changes nothing"
            after = runner.failures(files)
            if kind.name in FAULTS:
                found = answered(kind, before, after, severities)
                sample = "" if found else f"{name} #{number}: {fresh(before, after)}"
                tallies.faults[kind.name].add(hit=found, sample=sample)
            else:
                new = fresh(before, after)
                sample = f"{name} #{number}: {new}" if new else ""
                tallies.harmless[kind.name].add(hit=bool(new), sample=sample)


def unexpected_of(before: Failures) -> list[str]:
    """What a clean bundle should not tell."""
    return sorted(rule for rule, severity in before if severity is Severity.ERROR or rule not in ADMITTED)


def changed(draft: Draft, change: Change) -> Files:
    """The files of a draft after one change."""
    made = draft.copy()
    change(made)
    return made.files()


def sampled(kind: Kind, draft: Draft, seed: str, count: int) -> Iterator[tuple[int, Change]]:
    rng = random.Random(seed)
    changes = list(enumerate(kind.places(draft, rng)))
    yield from rng.sample(changes, min(count, len(changes)))


def answered(kind: Kind, before: Failures, after: Failures, severities: Mapping[str, Severity]) -> bool:
    """Whether a rule that may answer the fault failed anew, at the severity that is due."""
    if any(rule.startswith("broken:") for rule, _ in after):
        return False
    for (rule, severity), count in after.items():
        due = kind.severity or severities.get(rule, Severity.ERROR)
        if rule in kind.answers and severity.rank <= due.rank and count > before[rule, severity]:
            return True
    return False


def fresh(before: Failures, after: Failures) -> str:
    """What failed anew, in words; "" when nothing did."""
    return ", ".join(
        f"{rule} ({severity})" for (rule, severity), count in after.items() if count > before[rule, severity]
    )

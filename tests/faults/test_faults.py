"""A sample of the fault-injection suite: every kind once, with a fixed seed; benchmarks/faults.py runs thousands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from evidence_lint.model.verdict import Severity
from tests.faults.checkout import make_checkout
from tests.faults.clean import KINDS, clean_bundle
from tests.faults.draft import Draft, Files
from tests.faults.everything import FAULTS, HARMLESS
from tests.faults.kinds import Kind
from tests.faults.runner import Failures, Runner
from tests.faults.suite import answered, changed, fresh, sampled, unexpected_of

SEEDS = ("1", "2", "3")

SCREENED = frozenset({"statement: negation added"})
"""Kinds that a screen answers, not a proof: it finds plain contradictions; docs/fault-injection.md tells its recall."""


@dataclass(frozen=True)
class World:
    """Clean bundles with what they tell, and the engine to check changes of them."""

    runner: Runner
    drafts: Mapping[str, Draft]
    before: Mapping[str, Failures]
    severities: Mapping[str, Severity]


@pytest.fixture(scope="module", params=SEEDS[:1])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("faults")
    checkout = make_checkout(folder / "checkout", request.param)
    drafts = {kind: clean_bundle(request.param, checkout, kind) for kind in KINDS}
    with Runner(folder / "bundle", checkout) as runner:
        before = {kind: runner.failures(draft.files()) for kind, draft in drafts.items()}
        yield World(runner, drafts, before, runner.severities())


def places(kind: Kind, world: World) -> Iterator[tuple[str, Files]]:
    """One change of a kind in the first bundle that has a place for it; the bundles take turns."""
    turn = len(kind.name) % len(KINDS)
    for bundle in (*KINDS[turn:], *KINDS[:turn]):
        draft = world.drafts[bundle]
        for _, change in sampled(kind, draft, kind.name, 3):
            files = changed(draft, change)
            if files != draft.files():
                yield bundle, files
                return


def test_there_are_enough_kinds() -> None:
    assert len(FAULTS) >= 60
    assert len(HARMLESS) >= 20


def test_every_answer_is_a_rule(world: World) -> None:
    answers = {answer for kind in FAULTS.values() for answer in kind.answers}
    assert answers <= world.severities.keys()


def test_clean_bundles_are_clean(world: World) -> None:
    assert {kind: unexpected_of(failures) for kind, failures in world.before.items()} == {kind: [] for kind in KINDS}


@pytest.mark.parametrize("seed", SEEDS[1:])
@pytest.mark.parametrize("kind", KINDS)
def test_more_clean_bundles(seed: str, kind: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("clean")
    checkout = make_checkout(folder / "checkout", seed)
    with Runner(folder / "bundle", checkout) as runner:
        assert unexpected_of(runner.failures(clean_bundle(seed, checkout, kind).files())) == []


def test_a_bundle_is_the_same_for_the_same_seed(world: World, tmp_path_factory: pytest.TempPathFactory) -> None:
    checkout = make_checkout(tmp_path_factory.mktemp("again") / "checkout", SEEDS[0])
    assert {kind: clean_bundle(SEEDS[0], checkout, kind).files() for kind in KINDS} == {
        kind: draft.files() for kind, draft in world.drafts.items()
    }


@pytest.mark.parametrize("name", sorted(FAULTS.keys() - SCREENED))
def test_a_single_fault_is_found(name: str, world: World) -> None:
    kind = FAULTS[name]
    found = list(places(kind, world))
    if not found:
        pytest.skip("no bundle of this seed has a place for it")
    for bundle, files in found:
        after = world.runner.failures(files)
        assert answered(kind, world.before[bundle], after, world.severities), fresh(world.before[bundle], after)


@pytest.mark.parametrize("name", sorted(HARMLESS))
def test_a_harmless_edit_raises_no_alarm(name: str, world: World) -> None:
    found = list(places(HARMLESS[name], world))
    if not found:
        pytest.skip("no bundle of this seed has a place for it")
    for bundle, files in found:
        assert fresh(world.before[bundle], world.runner.failures(files)) == ""

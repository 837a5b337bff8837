"""Checking in several processes: the same results in the same order, and nothing lost in silence."""

from __future__ import annotations

import os
import signal
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from evidence_lint.dialect import LoadOptions
from evidence_lint.engine.catalogue import Catalogue
from evidence_lint.engine.collect import Argument, collect
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.session import ExitStatus, Plan, Session
from evidence_lint.errors import SelectionError, Unavailable
from evidence_lint.execute import Work, one_after_another
from evidence_lint.hooks import hookimpl
from evidence_lint.model.capture import Capture
from evidence_lint.model.location import Location, Span
from evidence_lint.model.result import BundleResult, RunResult
from evidence_lint.model.verdict import Problem, Verdict
from evidence_lint.sources.ports import CaptureSource, Sources
from tests.support.engine_support import NoteBundle, make_rule, nodes, notes_catalogue, yields

PARENT = os.getpid()


class Counted:
    """Captures that count who asked for what, in this process."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, tuple[str, ...]]] = []

    def get(self, urls: Collection[str], /) -> Mapping[str, Capture]:
        self.asked.append((os.getpid(), tuple(urls)))
        if "refused" in urls:
            raise Unavailable("offline", "no network here")
        if "broken" in urls:
            raise ValueError("a bug")
        return {}


def note_of(note: NoteBundle) -> str:
    return note.artifacts["note"].text or ""


def check(note: NoteBundle, sources: Sources) -> Iterator[Problem]:
    match note_of(note):
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "raise":
            raise ZeroDivisionError
        case "fetch" | "refused" | "broken" as word:
            sources.captures.get([word])
    where = "" if os.getpid() == PARENT else "1"
    yield Problem(f"checked in worker {where}", Location("note", Span(0, 1)))


def _worker_sources(stack: ExitStack, captures: CaptureSource) -> Sources:
    return Sources(captures=captures)


def run(folder: Path, jobs: int, catalogue: Catalogue | None = None, captures: Counted | None = None) -> RunResult:
    made = catalogue or notes_catalogue([make_rule(check, name="note"), make_rule(yields(), "NOTE102", "holds")])
    plan = Plan(
        catalogue=made,
        checks=lambda path: (made.rules, {}),
        sources=Sources(captures=captures or Counted()),
        jobs=jobs,
        worker_sources=_worker_sources,
    )
    return Session(plan, Locator(folder)).run(collect([Argument(folder)], made.dialects, LoadOptions()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(7):
        (tmp_path / f"{number}.note").write_text("text")
    return tmp_path


def test_results_come_in_order_and_from_workers(folder: Path) -> None:
    one, many = run(folder, 1), run(folder, 3)
    assert nodes(one) == nodes(many)
    assert list(nodes(one)) == list(nodes(many))
    assert one.counts == many.counts
    assert [v.fingerprint for row in one.bundles for v in row.verdicts] == [
        v.fingerprint for row in many.bundles for v in row.verdicts
    ]
    said = {v.problem.message for row in many.bundles for v in row.verdicts if v.problem}
    assert said == {"checked in worker 1"}
    assert not many.bundles[0].passed, "passed verdicts are kept only where they are wanted"


def test_a_rule_that_breaks_in_a_worker_is_errored(folder: Path) -> None:
    (folder / "3.note").write_text("raise")
    result = run(folder, 2)
    assert nodes(result)["3.note::bundle::note"] == "errored"
    assert result.exit_status == ExitStatus.INTERNAL_ERROR


@pytest.mark.parametrize("dying", [["3"], ["0", "1", "2", "3", "4", "5", "6"]])
def test_a_worker_that_dies_loses_its_bundle_aloud(folder: Path, dying: list[str]) -> None:
    for name in dying:
        (folder / f"{name}.note").write_text("die")
    result = run(folder, 2)
    assert len(result.bundles) == 7
    lost = [v for row in result.bundles for v in row.verdicts if v.outcome.value == "errored"]
    assert [v.node for v in lost] == [f"{name}.note::bundle::bundle-not-loaded" for name in dying]
    assert all("its worker process died (status -9)" in (v.error or "") for v in lost)
    assert result.exit_status == ExitStatus.INTERNAL_ERROR


def test_captures_are_made_by_the_parent_alone(folder: Path) -> None:
    for name, word in (("1", "fetch"), ("2", "refused"), ("3", "broken"), ("4", "fetch")):
        (folder / f"{name}.note").write_text(word)
    captures = Counted()
    found = nodes(run(folder, 3, captures=captures))
    assert found["1.note::bundle::note"] == found["4.note::bundle::note"] == "failed"
    assert found["2.note::bundle::note"] == "skipped"
    assert found["3.note::bundle::note"] == "errored"
    assert {pid for pid, _ in captures.asked} == {PARENT}
    assert sorted(urls for _, urls in captures.asked) == [("broken",), ("fetch",), ("fetch",), ("refused",)]


def test_a_node_that_nothing_answers_to_ends_the_run(folder: Path) -> None:
    made = notes_catalogue([make_rule(check, name="note")])
    plan = Plan(
        catalogue=made,
        checks=lambda path: (made.rules, {}),
        sources=Sources(),
        jobs=2,
        worker_sources=_worker_sources,
    )
    arguments = [Argument(folder / "1.note", "nonsense"), Argument(folder)]
    found = collect([arguments[0], Argument(folder / "2.note")], made.dialects, LoadOptions())
    with pytest.raises(SelectionError, match="nonsense"):
        Session(plan, Locator(folder)).run(found)


def test_observers_see_everything_in_the_parent(folder: Path) -> None:
    seen: list[str] = []
    done: list[tuple[int, int]] = []

    class Observer:
        @hookimpl
        def evidence_lint_verdict(self, verdict: Verdict) -> None:
            seen.append(verdict.node)

        @hookimpl
        def evidence_lint_bundle(self, result: BundleResult, done: int, total: int) -> None:
            counts.append((done, total))

    counts = done
    made = notes_catalogue([make_rule(check, name="note"), make_rule(yields(), "NOTE102", "holds")])
    made.manager.register(Observer())
    result = run(folder, 3, made)
    assert len(seen) == len(set(seen)) == 14
    assert counts == [(number, 7) for number in range(1, 8)]
    assert not result.bundles[0].passed


def test_a_plugin_may_bring_its_own_executor(folder: Path) -> None:
    asked: list[int] = []

    def backwards(work: Work) -> Iterator[tuple[int, BundleResult]]:
        yield from reversed(list(one_after_another(work)))

    class Plugin:
        @hookimpl
        def evidence_lint_executor(self, jobs: int) -> object:
            asked.append(jobs)
            return backwards

    made = notes_catalogue([make_rule(check, name="note")])
    made.manager.register(Plugin())
    result = run(folder, 4, made)
    assert asked == [4]
    assert [row.bundle.path.name for row in result.bundles] == [f"{number}.note" for number in range(7)]


def test_an_executor_that_forgets_a_bundle_fails_closed(folder: Path) -> None:
    class Plugin:
        @hookimpl
        def evidence_lint_executor(self, jobs: int) -> object:
            return lambda work: iter([(0, work.check(0))])

    made = notes_catalogue([make_rule(check, name="note")])
    made.manager.register(Plugin())
    result = run(folder, 2, made)
    assert len(result.bundles) == 7
    assert result.exit_status == ExitStatus.INTERNAL_ERROR
    assert "the executor gave no result" in (result.bundles[3].verdicts[0].error or "")


def test_an_interrupt_ends_the_workers(folder: Path) -> None:
    class Plugin:
        @hookimpl
        def evidence_lint_bundle(self, result: BundleResult, done: int, total: int) -> None:
            if done == 2:
                raise KeyboardInterrupt

    made = notes_catalogue([make_rule(check, name="note")])
    made.manager.register(Plugin())
    result = run(folder, 2, made)
    assert result.exit_status == ExitStatus.INTERRUPTED
    assert len(result.bundles) == 2

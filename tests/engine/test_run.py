from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from evidence_lint.engine.run import BundleChecks
from evidence_lint.engine.select import NodeFilter
from evidence_lint.engine.session import ExitStatus
from evidence_lint.errors import Unavailable
from evidence_lint.model.location import Location, Span
from evidence_lint.model.verdict import Outcome, Problem, Severity
from evidence_lint.provide import provide
from tests.support.engine_support import NoteBundle, make_rule, nodes, notes_catalogue, run_notes, verdicts_of, yields

BAD = Problem("bad", Location("note", Span(0, 1)))


@dataclass(frozen=True)
class Part:
    node: str
    location: Location = field(default=Location("note", Span(0, 1)))


@dataclass(frozen=True)
class Absent:
    pass


@provide
def parts(note: NoteBundle) -> Sequence[Part]:
    """Two parts."""
    return [Part("first"), Part("second")]


@provide
def absent(note: NoteBundle) -> Absent:
    """Never there."""
    raise Unavailable("no-absent", "it is not here")


def broken(note: NoteBundle) -> Iterator[Problem]:
    yield BAD
    raise ZeroDivisionError("oops")


def exits(note: NoteBundle) -> Iterator[Problem]:
    sys.exit(0)
    yield BAD


def returns_nothing(note: NoteBundle) -> Iterator[Problem]:  # type: ignore[return]
    pass


def yields_a_word(note: NoteBundle) -> Iterator[Problem]:
    yield "bad"  # type: ignore[misc]


def no_pointer(note: NoteBundle) -> Iterator[Problem]:
    yield Problem("bad", Location("note", pointer="no/pointer"))


def wants_absent(note: NoteBundle, absent: Absent) -> Iterator[Problem]:
    yield BAD


def undecidable(part: Part) -> Iterator[Problem]:
    if part.node == "second":
        raise Unavailable("cannot-tell", "nobody can tell")
    yield from ()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.note").write_text("text")
    return tmp_path


@pytest.mark.parametrize("check", [broken, exits, returns_nothing, yields_a_word])
def test_a_rule_that_breaks_stops_no_other_and_never_passes(folder: Path, check: object) -> None:
    rules = [make_rule(check, "NOTE101", "breaks"), make_rule(yields(), "NOTE102", "holds")]  # type: ignore[arg-type]
    result = run_notes(folder, notes_catalogue(rules))
    assert nodes(result) == {"a.note::bundle::breaks": "errored", "a.note::bundle::holds": "passed"}
    assert result.exit_status == ExitStatus.INTERNAL_ERROR


def test_the_error_names_file_and_line(folder: Path) -> None:
    result = run_notes(folder, notes_catalogue([make_rule(broken)]))
    (verdict,) = verdicts_of(result.bundles[0])
    assert verdict.error is not None
    assert verdict.error.startswith("ZeroDivisionError: oops (")
    assert "test_run.py:" in verdict.error


def test_a_wrong_pointer_breaks_its_rule_alone(tmp_path: Path) -> None:
    (tmp_path / "a.note").write_text("text")
    rules = [make_rule(no_pointer, "NOTE101", "breaks"), make_rule(yields(BAD), "NOTE102", "fails")]
    assert nodes(run_notes(tmp_path, notes_catalogue(rules))) == {
        "a.note::bundle::breaks": "errored",
        "a.note::bundle::fails": "failed",
    }


def test_what_is_absent_skips_with_its_reason(folder: Path) -> None:
    catalogue = notes_catalogue(
        [make_rule(wants_absent, "NOTE101", "wants"), make_rule(undecidable, "NOTE102", "asks")], [parts, absent]
    )
    result = run_notes(folder, catalogue)
    assert nodes(result) == {
        "a.note::bundle::wants": "skipped",
        "a.note::first::asks": "passed",
        "a.note::second::asks": "skipped",
    }
    skips = {v.node: v.skip for v in verdicts_of(result.bundles[0]) if v.skip}
    assert [(skip.code, skip.message) for skip in skips.values()] == [
        ("no-absent", "it is not here"),
        ("cannot-tell", "nobody can tell"),
    ]
    assert result.exit_status == ExitStatus.OK


def test_when_nothing_could_run_the_status_says_so(folder: Path) -> None:
    result = run_notes(folder, notes_catalogue([make_rule(wants_absent)], [absent]))
    assert result.exit_status == ExitStatus.NOTHING_TO_CHECK


def test_problems_are_numbered_from_the_second_on(folder: Path) -> None:
    result = run_notes(folder, notes_catalogue([make_rule(yields(BAD, BAD, BAD), name="bad")]))
    assert list(nodes(result)) == ["a.note::bundle::bad", "a.note::bundle::bad[2]", "a.note::bundle::bad[3]"]


def test_subjects_of_one_name_have_nodes_of_their_own(folder: Path) -> None:
    @provide
    def twins(note: NoteBundle) -> Sequence[Part]:
        """Two of one name."""
        return [Part("twin"), Part("twin")]

    def check(part: Part) -> Iterator[Problem]:
        yield BAD

    result = run_notes(folder, notes_catalogue([make_rule(check, name="bad")], [twins]))
    assert list(nodes(result)) == ["a.note::twin::bad", "a.note::twin::bad[2]"]
    assert len({v.fingerprint for v in result.bundles[0].verdicts}) == 2


def test_a_provider_of_a_sequence_must_return_one(folder: Path) -> None:
    @provide
    def generator(note: NoteBundle) -> Sequence[Part]:
        """No sequence."""
        return (part for part in [Part("first")])  # type: ignore[return-value]

    def check(part: Part) -> Iterator[Problem]:
        yield from ()

    result = run_notes(folder, notes_catalogue([make_rule(check)], [generator]))
    (verdict,) = verdicts_of(result.bundles[0])
    assert verdict.outcome is Outcome.ERRORED
    assert "no sequence" in (verdict.error or "")


def test_a_bundle_that_breaks_its_loader_is_told_and_the_rest_runs(folder: Path) -> None:
    (folder / "b.note").write_text("unloadable")
    result = run_notes(folder, notes_catalogue([make_rule(yields(), name="holds")]))
    assert nodes(result) == {
        "a.note::bundle::holds": "passed",
        "b.note::bundle::bundle-not-loaded": "errored",
    }
    assert result.exit_status == ExitStatus.INTERNAL_ERROR


def test_configured_severities_count(folder: Path) -> None:
    rule = make_rule(yields(BAD))
    catalogue = notes_catalogue([rule])
    result = run_notes(folder, catalogue, checks=lambda path: ([rule], {rule.code: Severity.WARNING}))
    assert result.exit_status == ExitStatus.OK
    assert result.counts.warnings == 1
    grave = run_notes(
        folder, catalogue, checks=lambda path: ([rule], {rule.code: Severity.WARNING}), fail_on=Severity.WARNING
    )
    assert grave.exit_status == ExitStatus.FAILED
    never = run_notes(folder, catalogue, fail_on=None)
    assert (never.exit_status, never.counts.failed) == (ExitStatus.OK, 1)


def test_an_interrupt_keeps_what_was_decided(folder: Path) -> None:
    (folder / "b.note").write_text("stop")

    def check(note: NoteBundle) -> Iterator[Problem]:
        if note.artifacts["note"].text == "stop":
            raise KeyboardInterrupt
        yield BAD

    result = run_notes(folder, notes_catalogue([make_rule(check)]))
    assert [row.bundle.path.name for row in result.bundles] == ["a.note"]
    assert result.exit_status == ExitStatus.INTERRUPTED


def test_an_error_outranks_an_interrupt(folder: Path) -> None:
    (folder / "b.note").write_text("stop")

    def check(note: NoteBundle) -> Iterator[Problem]:
        if note.artifacts["note"].text == "stop":
            raise KeyboardInterrupt
        raise ZeroDivisionError
        yield BAD

    assert run_notes(folder, notes_catalogue([make_rule(check)])).exit_status == ExitStatus.INTERNAL_ERROR


def test_keyword_and_nodes_narrow_the_run(folder: Path) -> None:
    def check(part: Part) -> Iterator[Problem]:
        yield BAD

    catalogue = notes_catalogue([make_rule(check, name="bad"), make_rule(yields(), "NOTE102", "whole")], [parts])
    only = run_notes(folder, catalogue, nodes=NodeFilter(keyword=lambda node, code: "second" in node))
    assert list(nodes(only)) == ["a.note::second::bad"]
    assert only.exit_status == ExitStatus.FAILED
    none = run_notes(folder, catalogue, nodes=NodeFilter(keyword=lambda node, code: False))
    assert none.exit_status == ExitStatus.NOTHING_TO_CHECK


def test_checks_have_sensible_defaults() -> None:
    checks = BundleChecks([])
    assert (checks.severities, checks.nodes.narrows) == ({}, False)

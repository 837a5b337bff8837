"""Whole runs: two dialects, what is collected, and the exit status by its precedence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from evidence_lint.dialect import Candidate, Dialect, LoadOptions
from evidence_lint.engine.collect import Argument, barren, collect, parse_argument
from evidence_lint.engine.session import ExitStatus, exit_status
from evidence_lint.errors import UsageError
from evidence_lint.model.artifact import Bundle
from evidence_lint.model.location import Location
from evidence_lint.model.result import RunResult, Summary
from evidence_lint.model.verdict import Problem, Severity
from tests.support.engine_support import NOTE, NoteBundle, make_rule, nodes, notes_catalogue, run_notes, yields


class OtherBundle(NoteBundle):
    pass


def _load_other(candidate: Candidate, options: LoadOptions) -> Bundle:
    loaded = NOTE.load(candidate, options)
    return OtherBundle(loaded.path, loaded.folder, "other", "note", loaded.artifacts)


def _guess(path: Path, options: LoadOptions) -> Iterable[Candidate]:
    if path.is_file():
        return [Candidate(path, path, {}, certain=False)]
    return NOTE.find(path, options)


OTHER = Dialect("other", "guesses", OtherBundle, _guess, _load_other, lambda resolve: Summary())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "b").mkdir()
    (tmp_path / "a.note").write_text("text")
    (tmp_path / "b/b.note").write_text("text")
    return tmp_path


def test_a_file_of_two_dialects_is_a_bundle_of_each(folder: Path) -> None:
    def other(note: OtherBundle) -> Iterator[Problem]:
        yield Problem("bad", Location("note"))

    catalogue = notes_catalogue(
        [make_rule(yields(), "NOTE101", "note"), make_rule(other, "NOTE102", "other")], (), [NOTE, OTHER]
    )
    result = run_notes(folder / "b", catalogue)
    assert [row.bundle.dialect for row in result.bundles] == ["note", "other"]
    assert nodes(result) == {"b.note::bundle::note": "passed", "b.note::bundle::other": "failed"}


def test_a_guess_gives_way_to_a_dialect_that_knows(folder: Path) -> None:
    options = LoadOptions()
    both = collect([Argument(folder / "a.note")], [NOTE, OTHER], options)
    assert [row.dialect.name for row in both] == ["note"]
    (folder / "a.txt").write_text("text")
    assert [row.dialect.name for row in collect([Argument(folder / "a.txt")], [NOTE, OTHER], options)] == ["other"]


def test_a_bundle_is_found_once(folder: Path) -> None:
    (folder / "link.note").symlink_to("a.note")
    found = collect([Argument(folder / "b"), Argument(folder), Argument(folder / "a.note")], [NOTE], LoadOptions())
    assert [row.candidate.main.name for row in found] == ["b.note", "a.note"]


def test_nodes_narrow_only_what_nobody_asked_for_whole(folder: Path) -> None:
    def found(*nodes: str) -> tuple[str, ...]:
        return collect([Argument(folder / "a.note", node) for node in nodes], [NOTE], LoadOptions())[0].nodes

    assert found("x") == ("x",)
    assert found("x", "y") == ("x", "y")
    assert found("x", "") == found("", "x") == found("x", "", "y") == ()


def test_arguments_without_bundles_are_known(folder: Path) -> None:
    (folder / "empty").mkdir()
    arguments = [Argument(folder / "empty"), Argument(folder / "a.note"), Argument(folder)]
    found = collect(arguments, [NOTE], LoadOptions())
    assert barren(arguments, found) == [arguments[0]]


def test_node_ids_are_parsed_with_any_path(folder: Path) -> None:
    (folder / "odd::name").mkdir()
    (folder / "odd::name/c.note").write_text("text")
    odd = folder / "odd::name/c.note"
    assert parse_argument(str(odd)) == Argument(odd)
    assert parse_argument(f"{odd}::first::rule") == Argument(odd, "first::rule")
    assert parse_argument(f"{folder}/a.note::first") == Argument(folder / "a.note", "first")
    for text in ("", "::x", f"{folder}/c.note", f"{folder}/c.note::x"):
        with pytest.raises(UsageError, match="no such file or folder"):
            parse_argument(text)


def test_the_exit_status_has_its_precedence(folder: Path) -> None:
    def result(text: str) -> RunResult:
        def check(note: NoteBundle) -> Iterator[Problem]:
            if "error" in text and note.path.name == "a.note":
                raise ValueError
            if "failed" in text:
                yield Problem("bad", Location("note"))

        return run_notes(folder, notes_catalogue([make_rule(check)]))

    error = Severity.ERROR
    assert exit_status(result("error failed"), error, interrupted=True) == ExitStatus.INTERNAL_ERROR
    assert exit_status(result("error failed"), None) == ExitStatus.INTERNAL_ERROR
    assert exit_status(result("failed"), error, interrupted=True) == ExitStatus.INTERRUPTED
    assert exit_status(result("failed"), error) == ExitStatus.FAILED
    assert exit_status(result("failed"), None) == ExitStatus.OK
    assert exit_status(replace(result(""), bundles=()), error, interrupted=True) == ExitStatus.INTERRUPTED
    assert exit_status(replace(result(""), bundles=()), error) == ExitStatus.NOTHING_TO_CHECK
    assert exit_status(result(""), error) == ExitStatus.OK

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.model.repository import ExcerptPlace, PlaceKind
from evidence_lint.sources.git_search import occurrences
from tests.sources.git_support import Sample

BODY = b"".join(b"line %d of the file\n" % number for number in range(1, 31))


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    return Sample(tmp_path / "repo")


def test_the_same_file_comes_first_and_is_enough(sample: Sample) -> None:
    oid = sample.commit("one", a_txt=b"x = 1\ny\nx = 1\n", b_txt=b"x = 1\n")
    with sample.open() as repository:
        places = repository.find_lines(oid, [b"x = 1"], "a.txt")
    assert [(place.kind, place.line) for place in places] == [
        (PlaceKind.SAME_FILE, 1),
        (PlaceKind.SAME_FILE, 3),
    ]


def test_several_lines_stand_together_or_not_at_all(sample: Sample) -> None:
    oid = sample.commit("one", a_txt=b"a\na\nb\na\nc\n")
    with sample.open() as repository:
        assert [place.line for place in repository.find_lines(oid, [b"a", b"b"], "a.txt")] == [2]
        assert repository.find_lines(oid, [b"b", b"c"], "a.txt") == ()
        assert repository.find_lines(oid, [b"a", b""], "a.txt") == ()
        assert repository.find_lines(oid, [], "a.txt") == ()
        assert repository.find_lines(oid, [b"", b"  "], "a.txt") == ()


def test_the_same_path_at_head(sample: Sample) -> None:
    old = sample.commit("one", a_txt=b"before\n")
    new = sample.commit("two", a_txt=b"intro\nafter\n")
    with sample.open() as repository:
        assert repository.find_lines(old, [b"after"], "a.txt") == (
            ExcerptPlace(PlaceKind.SAME_PATH_AT_HEAD, new, b"a.txt", 2),
        )


def test_another_file_of_the_same_name_then_any_file(sample: Sample) -> None:
    oid = sample.commit(
        "one", a__mod_py=b"nothing\n", b__deep__mod_py=b"needle here\n", elsewhere_py=b"\nneedle here\n"
    )
    with sample.open() as repository:
        places = repository.find_lines(oid, [b"needle here"], "a/mod.py")
        gone = repository.find_lines(oid, [b"needle here"], "absent.py")
    assert [(place.path, place.line) for place in places] == [(b"b/deep/mod.py", 1), (b"elsewhere.py", 2)]
    assert all(place.kind is PlaceKind.OTHER_FILE for place in places)
    assert {place.path for place in gone} == {b"b/deep/mod.py", b"elsewhere.py"}


def test_places_are_few(sample: Sample) -> None:
    oid = sample.commit("one", a_txt=b"same\n" * 1000)
    with sample.open() as repository:
        assert len(repository.find_lines(oid, [b"same"], "a.txt")) == 5


@pytest.mark.parametrize(
    "line", [b"--open-files-in-pager=touch canary", b"-Otouch canary", b"\xff\xfe\xfd\xfc", b".*.*"]
)
def test_an_excerpt_is_a_fixed_string_and_no_option(sample: Sample, line: bytes) -> None:
    oid = sample.commit("one", a_txt=b"x\n", b_txt=line + b"\n")
    with sample.open() as repository:
        places = repository.find_lines(oid, [line], "a.txt")
    assert [place.path for place in places] == [b"b.txt"]
    assert not (sample.root / "canary").exists()


def test_the_commit_that_changed_the_lines(sample: Sample) -> None:
    pinned = sample.commit("one", f_txt=BODY)
    sample.commit("elsewhere", other_txt=b"x\n")
    sample.commit("another line", f_txt=BODY.replace(b"line 20 of", b"row 20 of"))
    changed = sample.commit("the line", f_txt=BODY.replace(b"line 5 of", b"row 5 of"))
    sample.commit("later", f_txt=BODY.replace(b"line 5 of", b"row 5 of").replace(b"line 9 ", b"row 9 "))
    with sample.open() as repository:
        assert repository.last_change("f.txt", 5, 5, pinned) == changed
        assert repository.last_change("f.txt", 4, 6, pinned) == changed
        assert repository.last_change("f.txt", 1, 3, pinned) is None
        assert repository.last_change("f.txt", 29, 40, pinned) is None
        assert repository.last_change("f.txt", 0, 1, pinned) is None
        assert repository.last_change("absent", 1, 1, pinned) is None
        assert repository.last_change("../f.txt", 1, 1, pinned) is None
        assert repository.last_change("f\0.txt", 1, 1, pinned) is None
        assert repository.last_change("f.txt", 5, 5, "--all") is None
        assert repository.last_change("f.txt", 5, 5, "0" * 40) is None


def test_lines_that_only_moved_name_the_commit_that_moved_them(sample: Sample) -> None:
    pinned = sample.commit("one", f_txt=BODY)
    moved = sample.commit("push down", f_txt=b"new first\n" + BODY)
    sample.commit("below", f_txt=b"new first\n" + BODY + b"end\n")
    with sample.open() as repository:
        assert repository.last_change("f.txt", 5, 5, pinned) == moved


def test_a_deleted_file_names_its_deletion(sample: Sample) -> None:
    pinned = sample.commit("one", f_txt=BODY)
    (sample.root / "f.txt").unlink()
    deleted = sample.commit("delete")
    with sample.open() as repository:
        assert repository.last_change("f.txt", 1, 2, pinned) == deleted


def test_an_old_side_branch_is_not_blamed(sample: Sample) -> None:
    sample.commit("base", f_txt=b"old\nkeep\n")
    sample.git("checkout", "-q", "-b", "side")
    sample.commit("side work", f_txt=b"old\nkeep\nside\n")
    sample.git("checkout", "-q", "main")
    pinned = sample.commit("pinned", f_txt=b"pinned text\nkeep\n")
    changed = sample.commit("change", f_txt=b"changed text\nkeep\n")
    sample.run("merge", "-q", "--no-ff", "-m", "merge", "-X", "ours", "side")
    with sample.open() as repository:
        assert repository.head() != changed
        assert repository.last_change("f.txt", 1, 1, pinned) == changed


@given(
    st.lists(st.sampled_from([b"a", b"b", b""]), max_size=12),
    st.lists(st.sampled_from([b"a", b"b", b""]), max_size=3),
)
def test_occurrences_are_every_place_where_the_lines_are_equal(lines: list[bytes], excerpt: list[bytes]) -> None:
    expected = [at + 1 for at in range(len(lines)) if excerpt and lines[at : at + len(excerpt)] == excerpt]
    assert list(occurrences(lines, excerpt)) == expected


def test_repetition_costs_no_more_than_length() -> None:
    started = time.monotonic()
    assert list(occurrences([b"x"] * 500_000, [b"x"] * 100_000 + [b"y"])) == []
    assert time.monotonic() - started < 20

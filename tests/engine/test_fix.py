from __future__ import annotations

import codecs
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.engine.fix import apply_changes, fixed_files, write_fixed
from evidence_lint.engine.locate import Locator
from evidence_lint.errors import EvidenceLintError, OutputError
from evidence_lint.model.artifact import Artifact, Bundle, Medium
from evidence_lint.model.location import Location
from evidence_lint.model.result import BundleResult, Counts, RunInfo, RunResult, Summary
from evidence_lint.model.verdict import Applicability, Edit, Fix, Outcome, Problem, Severity, Verdict
from evidence_lint.sources.files import read_artifact

UNSAFE = Applicability.UNSAFE


def verdict(fix: Fix | None, outcome: Outcome = Outcome.FAILED) -> Verdict:
    problem = Problem("bad", Location("report"), fix=fix)
    return Verdict("n", "NOTE101", "note", outcome, Severity.ERROR, problem=problem)


def bundle(path: Path, name: str = "report") -> Bundle:
    found = read_artifact(name, path, Medium.MARKDOWN)
    return Bundle(path, path.parent, "note", name, {name: found})


def result(*rows: tuple[Bundle, list[Verdict]]) -> RunResult:
    made = tuple(BundleResult(b, Summary(), tuple(v), Counts()) for b, v in rows)
    return RunResult(made, RunInfo(), {}, Locator())


def fixed(path: Path, *fixes: Fix, unsafe: bool = False) -> str:
    (file,) = fixed_files(result((bundle(path), [verdict(fix) for fix in fixes])), unsafe=unsafe)
    write_fixed([file])
    return path.read_bytes().decode()


def edit(start: int, end: int, text: str, artifact: str = "report") -> Edit:
    return Edit(artifact, start, end, text)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "report.md"
    path.write_bytes(b"0123456789")
    return path


def test_edits_apply_in_any_order(path: Path) -> None:
    assert fixed(path, Fix("b", (edit(8, 9, "B"), edit(0, 1, "a")))) == "a1234567B9"


def test_of_two_that_overlap_the_first_counts_whole(path: Path) -> None:
    second = Fix("two", (edit(3, 5, "xx"), edit(9, 10, "lost")))
    assert fixed(path, Fix("one", (edit(2, 4, "--"),)), second) == "01--456789"


def test_neighbours_do_not_overlap(path: Path) -> None:
    fixes = (Fix("a", (edit(2, 4, "A"),)), Fix("b", (edit(4, 6, "B"),)), Fix("c", (edit(4, 4, "|"),)))
    assert fixed(path, *fixes) == "01A|B6789"


def test_an_insertion_inside_a_replacement_overlaps(path: Path) -> None:
    assert fixed(path, Fix("a", (edit(2, 6, "A"),)), Fix("b", (edit(4, 4, "|"),))) == "01A6789"


def test_two_insertions_in_one_place_have_no_order(path: Path) -> None:
    assert fixed(path, Fix("a", (edit(4, 4, "A"),)), Fix("b", (edit(4, 4, "B"),))) == "0123A456789"


def test_the_same_edit_satisfies_two(path: Path) -> None:
    same = edit(2, 4, "--")
    (file,) = fixed_files(
        result((bundle(path), [verdict(Fix("one", (same,))), verdict(Fix("two", (same, edit(9, 10, "!"))))])),
        unsafe=False,
    )
    assert (file.after, file.fixes) == ("01--45678!", 2)


def test_unsafe_fixes_are_asked_for(path: Path) -> None:
    fix = Fix("u", (edit(0, 1, "U"),), UNSAFE)
    assert fixed_files(result((bundle(path), [verdict(fix)])), unsafe=False) == []
    assert fixed(path, fix, unsafe=True) == "U123456789"


@pytest.mark.parametrize("outcome", [o for o in Outcome if o is not Outcome.FAILED])
def test_only_failures_are_fixed(path: Path, outcome: Outcome) -> None:
    row = verdict(Fix("f", (edit(0, 1, "x"),)), outcome)
    assert fixed_files(result((bundle(path), [row])), unsafe=True) == []


def test_an_edit_that_changes_nothing_is_no_fix(path: Path) -> None:
    assert fixed_files(result((bundle(path), [verdict(Fix("f", (edit(0, 1, "0"),)))])), unsafe=True) == []


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (5, 3), (8, 11)])
def test_an_edit_outside_the_text_is_an_error_of_the_rule(path: Path, start: int, end: int) -> None:
    with pytest.raises(EvidenceLintError, match=r"NOTE101 edits .* outside its text"):
        fixed(path, Fix("f", (edit(start, end, "x"),)))


def test_edits_of_one_fix_must_not_overlap(path: Path) -> None:
    with pytest.raises(EvidenceLintError, match="NOTE101 overlap"):
        fixed(path, Fix("f", (edit(0, 3, "x"), edit(2, 4, "y"))))


def test_a_fix_of_an_absent_file_is_left_whole(path: Path) -> None:
    fix = Fix("f", (edit(0, 1, "x"), edit(0, 0, "x", "findings")))
    assert fixed_files(result((bundle(path), [verdict(fix)])), unsafe=True) == []


def test_mark_and_line_ends_stay(path: Path) -> None:
    path.write_bytes(codecs.BOM_UTF8 + "äöü\r\nx\ry\n".encode())
    assert fixed(path, Fix("f", (edit(1, 2, "O"),))).encode() == codecs.BOM_UTF8 + "äOü\r\nx\ry\n".encode()


def test_a_file_that_changed_is_left_alone(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("other")
    files = fixed_files(
        result(
            (bundle(other), [verdict(Fix("f", (edit(0, 1, "O"),)))]),
            (bundle(path), [verdict(Fix("f", (edit(0, 1, "x"),)))]),
        ),
        unsafe=False,
    )
    path.write_text("meanwhile")
    with pytest.raises(OutputError, match="changed while it was checked"):
        write_fixed(files)
    assert (path.read_text(), other.read_text()) == ("meanwhile", "other"), "not even the first one is written"


def test_a_file_that_is_gone_is_an_error(path: Path) -> None:
    files = fixed_files(result((bundle(path), [verdict(Fix("f", (edit(0, 1, "x"),)))])), unsafe=False)
    path.unlink()
    with pytest.raises(OutputError, match="cannot be read again"):
        write_fixed(files)


def test_a_file_that_would_not_be_text_is_left_alone(path: Path) -> None:
    with pytest.raises(OutputError, match="would not be text"):
        fixed(path, Fix("f", (edit(0, 1, "\ud800"),)))
    assert path.read_text() == "0123456789"


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.md"
    link.symlink_to(path.name)
    fixed(link, Fix("f", (edit(0, 1, "x"),)))
    assert link.is_symlink()
    assert path.read_text() == "x123456789"


def test_the_mode_of_a_file_stays(path: Path) -> None:
    path.chmod(0o640)
    fixed(path, Fix("f", (edit(0, 1, "x"),)))
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_bundles_share_is_fixed_once(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.md"
    link.symlink_to(path.name)
    files = fixed_files(
        result(
            (bundle(path), [verdict(Fix("f", (edit(0, 1, "x"),)))]),
            (bundle(link, "other"), [verdict(Fix("f", (edit(0, 1, "x", "other"), edit(5, 6, "y", "other"))))]),
        ),
        unsafe=False,
    )
    write_fixed(files)
    assert path.read_text() == "x1234y6789"


def test_a_diff_can_be_applied(path: Path, tmp_path: Path) -> None:
    # U+2028, form feed and a lone CR end no line for Git.
    text = "one\u2028still one\x0c\ntwo\rstill two\r\nthree\nlast without end"
    path.write_bytes(text.encode())
    start = text.index("last")
    fixes = [verdict(Fix("f", (edit(start, start + 4, "LAST"), edit(4, 9, "STILL"))))]
    (file,) = fixed_files(result((bundle(path), fixes)), unsafe=False)
    patch = tmp_path / "fix.patch"
    patch.write_bytes(file.diff("report.md").encode())
    subprocess.run(["git", "apply", "--unsafe-paths", patch.name], cwd=tmp_path, check=True, capture_output=True)
    assert path.read_bytes().decode() == file.after == text.replace("still one", "STILL one").replace("last", "LAST")


@given(
    st.text(alphabet="ab\r\n", max_size=20),
    st.lists(st.tuples(st.integers(0, 20), st.text("xy", max_size=2)), max_size=4),
)
def test_changes_touch_nothing_else(text: str, wanted: list[tuple[int, str]]) -> None:
    places = sorted({min(start, len(text)) for start, _ in wanted})
    changes = [(start, start, new) for start, (_, new) in zip(places, wanted, strict=False)]
    after = apply_changes(text, changes)
    assert after.replace("x", "").replace("y", "") == text


def test_an_unread_artifact_has_no_fix(tmp_path: Path) -> None:
    artifact = Artifact("report", tmp_path / "report.md", Medium.MARKDOWN, present=False)
    absent = Bundle(tmp_path, tmp_path, "note", "report", {"report": artifact})
    assert fixed_files(result((absent, [verdict(Fix("f", (edit(0, 0, "x"),)))])), unsafe=True) == []

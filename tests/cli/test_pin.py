from __future__ import annotations

import json
from pathlib import Path

import pytest

from evidence_lint.cli import run
from tests.sources.git_support import Sample

CODE = b"one = 1\ntwo = 2\n\nfour = 4\n"


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    made = Sample(tmp_path / "checkout")
    made.commit("first", src__app_py=CODE)
    monkeypatch.chdir(made.root)
    return made


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_a_line_is_pinned_to_head(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pin", "src/app.py:2"]) == 0
    assert printed(capsys) == {
        "id": "code-1",
        "kind": "code",
        "path": "src/app.py",
        "line": 2,
        "excerpt": "two = 2",
        "commit": sample.git("rev-parse", "HEAD"),
        "snapshot": "commit",
    }


def test_lines_that_end_blank_keep_their_number(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pin", "src/app.py:2-3", "--id", "code-two"]) == 0
    record = printed(capsys)
    assert (record["id"], record["excerpt"]) == ("code-two", "two = 2\n\n")


def test_the_path_counts_from_here_and_is_told_from_the_top(
    sample: Sample, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sample.root / "src")
    assert run(["pin", "./app.py:1"]) == 0
    assert printed(capsys)["path"] == "src/app.py"


def test_with_repo_the_path_counts_from_there(
    sample: Sample, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["pin", "src/app.py:1", "--repo", str(sample.root)]) == 0
    assert printed(capsys)["path"] == "src/app.py"


def test_a_path_may_hold_colons_spaces_and_begin_with_a_dash(
    sample: Sample, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a:3", "-n ü", "x:1-2:y.py"):
        sample.put(name, b"text\n")
    sample.commit("odd names")
    for name in ("a:3", "./-n ü", "x:1-2:y.py"):
        assert run(["pin", f"{name}:1"]) == 0
        assert printed(capsys)["path"] == name.removeprefix("./")


def test_the_excerpt_is_the_commits_text_not_the_work_trees_line_ends(
    sample: Sample, capsys: pytest.CaptureFixture[str]
) -> None:
    sample.put("latin.py", b"# coding: latin-1\r\nname = '\xe9'\r\n")
    sample.commit("coding")
    assert run(["pin", "latin.py:2"]) == 0
    assert printed(capsys)["excerpt"] == "name = 'é'"


def test_a_changed_line_is_refused_and_another_is_not(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    sample.put("src/app.py", CODE.replace(b"2", b"22"))
    assert run(["pin", "src/app.py:2"]) == 1
    told = capsys.readouterr()
    assert not told.out
    assert "not committed" in told.err
    assert "'two = 22'" in told.err
    assert "'two = 2'" in told.err
    assert run(["pin", "src/app.py:4"]) == 0


def test_a_line_that_moved_is_refused(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    sample.put("src/app.py", b"zero = 0\n" + CODE)
    assert run(["pin", "src/app.py:4-5"]) == 1
    sample.put("src/app.py", CODE + b"five = 5\n")
    assert run(["pin", "src/app.py:5"]) == 1
    assert "of commit" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("new.py:1", "is not in the commit"),
        ("gone.py:1", "there is no file"),
        ("src:1", "is a folder"),
        ("src/app.py:9", "has 4 lines"),
        ("src/app.py:3", "white space alone"),
        ("link.py:1", "symbolic link"),
        ("raw.bin:1", "is no text"),
        ("big.bin:1", "LFS pointer"),
    ],
)
def test_what_cannot_be_pinned_is_refused_with_the_reason(
    sample: Sample, capsys: pytest.CaptureFixture[str], place: str, words: str
) -> None:
    (sample.root / "link.py").symlink_to("src/app.py")
    sample.put("raw.bin", b"\0\1\2\xff\xfe\n")
    sample.put("big.bin", b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 9\n")
    sample.commit("files")
    sample.put("new.py", b"x = 1\n")
    assert run(["pin", place]) == 1
    told = capsys.readouterr()
    assert not told.out
    assert words in told.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["src/app.py"],
        ["src/app.py:0"],
        ["src/app.py:3-2"],
        ["../outside.py:1"],
        [".git/config:1"],
        ["src/app.py:1", "--worktree", "--commit", "abcdef1"],
    ],
)
def test_a_wrong_command_line_is_a_usage_error(
    sample: Sample, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert run(["pin", *arguments]) == 4
    assert not capsys.readouterr().out


def test_outside_a_repository_is_a_usage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["pin", "a.py:1"]) == 4


def test_the_work_tree_gives_a_record_that_says_what_it_is(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    sample.put("new.py", b"x = 1\n")
    assert run(["pin", "new.py:1", "--worktree"]) == 0
    record = printed(capsys)
    assert (record["commit"], record["snapshot"]) == ("working-tree-unpinned", "worktree")


def test_another_commit_is_given_by_digits_and_never_by_a_label(
    sample: Sample, capsys: pytest.CaptureFixture[str]
) -> None:
    first = sample.git("rev-parse", "HEAD")
    sample.commit("second", src__app_py=b"other\n")
    assert run(["pin", "src/app.py:2", "--commit", first[:10]]) == 0
    assert printed(capsys)["commit"] == first
    assert run(["pin", "src/app.py:2", "--commit", "main"]) == 1
    assert "label" in capsys.readouterr().err


def test_append_makes_the_file_and_then_only_adds(sample: Sample, tmp_path: Path) -> None:
    target = tmp_path / "bundle" / "code_evidence.json"
    assert run(["pin", "src/app.py:1", "--append", str(target)]) == 0
    assert json.loads(target.read_text())["root"] == str(sample.root)
    before = target.read_text()
    target.chmod(0o640)
    assert run(["pin", "src/app.py:2", "--append", str(target)]) == 0
    after = target.read_text()
    assert [row["id"] for row in json.loads(after)["evidence"]] == ["code-1", "code-2"]
    assert after.startswith(before.rstrip().removesuffix("]\n}").rstrip())
    assert target.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in target.parent.iterdir()] == ["code_evidence.json"]


def test_append_never_takes_an_id_twice(sample: Sample, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "code_evidence.json"
    assert run(["pin", "src/app.py:1", "--id", "a", "--append", str(target)]) == 0
    before = target.read_bytes()
    assert run(["pin", "src/app.py:2", "--id", "a", "--append", str(target)]) == 4
    assert target.read_bytes() == before
    assert "never overwritten" in capsys.readouterr().err


def test_append_counts_paths_from_the_root_that_the_file_declares(sample: Sample, tmp_path: Path) -> None:
    target = tmp_path / "code_evidence.json"
    row = {"id": "x", "kind": "code", "path": "app.py", "line": 1, "excerpt": "one = 1"}
    row["commit"] = sample.git("rev-parse", "HEAD")
    target.write_text(json.dumps({"root": "/home/ann/checkout/src", "evidence": [row]}))
    assert run(["pin", "src/app.py:2", "--append", str(target)]) == 0
    assert json.loads(target.read_text())["evidence"][1]["path"] == "app.py"


def test_a_file_that_is_no_object_is_left_alone(sample: Sample, tmp_path: Path) -> None:
    target = tmp_path / "code_evidence.json"
    for text in ("[1]", "{", '{"evidence": {}}'):
        target.write_text(text)
        assert run(["pin", "src/app.py:1", "--append", str(target)]) == 4
        assert target.read_text() == text

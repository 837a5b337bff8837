from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evidence_lint.cli import run
from evidence_lint.recording.receipt import complete, execution_id, is_changed
from tests.receipt_support import record

FIELDS: dict[str, Any] = {
    "id": "test-1",
    "argv": ["pytest", "tests/test_a.py"],
    "command": "pytest tests/test_a.py",
    "framework": "pytest",
    "selectors": ["tests/test_a.py"],
    "tested_paths": ["tests/test_a.py"],
    "covers": ["finding-1"],
    "repository": {"root": "/srv/checkout", "head_commit": "a" * 40, "tree_hash": "b" * 40, "dirty": False},
    "started_at": "2026-01-01T00:00:00.000001+00:00",
    "finished_at": "2026-01-01T00:00:01.000001+00:00",
    "duration_seconds": 1.0,
    "exit_code": 0,
    "status": "passed",
    "summary": "1 passed in 1.00s",
    "run": {"recorder": "evidence-lint 0", "directory": ".", "pytest": "9", "python": "3"},
}
APPROVAL = ["--reviewer", "Ann", "--rationale", "it calls the function"]


def written(path: Path, **changes: Any) -> Path:
    path.write_text(json.dumps(complete(FIELDS) | changes, indent=2) + "\n")
    return path


def test_the_execution_id_covers_every_field_but_itself_and_the_review() -> None:
    receipt = complete(FIELDS)
    assert not is_changed(receipt)
    for name in receipt:
        for changed in ({**receipt, name: "other"}, {key: receipt[key] for key in receipt if key != name}):
            same = name in ("execution_id", "relevance_review")
            assert (execution_id(changed) == receipt["execution_id"]) is same, name
    assert execution_id({**receipt, "more": 1}) != receipt["execution_id"]
    nested = {**receipt, "repository": {**FIELDS["repository"], "dirty": 0}}
    assert is_changed(nested)


def test_approval_changes_the_review_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "r.json")
    before, text = record(path), path.read_text()
    assert run(["receipt", "approve", str(path), *APPROVAL]) == 0
    after = record(path)
    review = after.pop("relevance_review")
    assert review.pop("reviewed_at").endswith("+00:00")
    assert review == {"status": "approved", "reviewer": "Ann", "rationale": "it calls the function"}
    assert before.pop("relevance_review") == {"status": "pending"}
    assert after == before
    assert path.read_text().startswith(text[: text.index('"relevance_review"')])


@pytest.mark.parametrize(
    ("layout", "newline"), [(2, "\n"), (None, "\n"), ("\t", "\r\n"), (4, "\n")], ids=["two", "none", "tab-crlf", "four"]
)
def test_a_file_of_records_keeps_its_layout(tmp_path: Path, layout: int | str | None, newline: str) -> None:
    other = {"id": "code-1", "kind": "code", "note": "ü 😀", "number": 1.0}
    document = {"root": "/srv/checkout", "evidence": [other, complete(FIELDS)], "x": [1, {"y": None}]}
    text = "\ufeff" + json.dumps(document, indent=layout, ensure_ascii=False) + "\n"
    path = tmp_path / "code_evidence.json"
    path.write_bytes(text.replace("\n", newline).encode())
    assert run(["receipt", "approve", str(path), *APPROVAL]) == 0
    after = path.read_bytes().decode()
    cut = text.replace("\n", newline).index('"relevance_review"')
    assert after[:cut] == text.replace("\n", newline)[:cut]
    assert after.count("\n") == after.count(newline)
    read = json.loads(after.removeprefix("\ufeff"))
    assert read["evidence"][1]["relevance_review"]["status"] == "approved"
    assert (read["evidence"][0], read["x"]) == (other, document["x"])
    if layout is not None:
        read["evidence"][1]["relevance_review"]["reviewed_at"] = "?"
        laid_out = "\ufeff" + json.dumps(read, indent=layout, ensure_ascii=False) + "\n"
        lines = after.replace(newline, "\n").splitlines()
        assert [line for line in lines if "reviewed_at" not in line] == [
            line for line in laid_out.splitlines() if "reviewed_at" not in line
        ]


@pytest.mark.parametrize("empty", [["--reviewer", " ", "--rationale", "x"], ["--reviewer", "x", "--rationale", ""]])
def test_an_approval_needs_a_person_and_a_reason(tmp_path: Path, empty: list[str]) -> None:
    path = written(tmp_path / "r.json")
    before = path.read_bytes()
    assert run(["receipt", "approve", str(path), *empty]) == 4
    assert run(["receipt", "approve", str(path), *empty[:2]]) == 4
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"relevance_review": {"status": "rejected", "reviewer": "Bob"}}, "rejected already, by 'Bob'"),
        ({"summary": "9 passed in 1.00s"}, "not what the run left behind"),
        ({"kind": "code"}, "no test receipt"),
    ],
)
def test_what_may_not_be_approved_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], words: str
) -> None:
    path = written(tmp_path / "r.json", **changes)
    before = path.read_bytes()
    assert run(["receipt", "approve", str(path), *APPROVAL]) == 4
    assert words in capsys.readouterr().err
    assert path.read_bytes() == before


def test_an_approval_is_not_given_twice(tmp_path: Path) -> None:
    path = written(tmp_path / "r.json")
    assert run(["receipt", "approve", str(path), *APPROVAL]) == 0
    before = path.read_bytes()
    assert run(["receipt", "approve", str(path), *APPROVAL]) == 4
    assert path.read_bytes() == before


def test_a_receipt_without_a_review_gets_one(tmp_path: Path) -> None:
    receipt = complete(FIELDS)
    del receipt["relevance_review"]
    path = tmp_path / "r.json"
    path.write_text(json.dumps(receipt))
    assert run(["receipt", "approve", str(path), *APPROVAL]) == 0
    assert record(path)["relevance_review"]["reviewer"] == "Ann"


def test_which_of_several_receipts_is_said_by_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    second = complete({**FIELDS, "id": "test-2"})
    path = tmp_path / "code_evidence.json"
    path.write_text(json.dumps({"root": "/srv/checkout", "evidence": [complete(FIELDS), second]}))
    assert run(["receipt", "approve", str(path), *APPROVAL]) == 4
    assert "'test-1', 'test-2'" in capsys.readouterr().err
    assert run(["receipt", "approve", str(path), *APPROVAL, "--id", "test-3"]) == 4
    assert run(["receipt", "approve", str(path), *APPROVAL, "--id", "test-2"]) == 0
    states = [row["relevance_review"]["status"] for row in record(path)["evidence"]]
    assert states == ["pending", "approved"]


def test_add_makes_the_file_and_refuses_what_does_not_belong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, target = written(tmp_path / "r.json"), tmp_path / "new" / "code_evidence.json"
    assert run(["receipt", "add", str(path), "--to", str(target)]) == 0
    assert record(target) == {"root": "/srv/checkout", "evidence": [record(path)]}
    before = target.read_bytes()
    assert run(["receipt", "add", str(path), "--to", str(target)]) == 4
    target.write_text('{"root": "/elsewhere", "evidence": []}')
    assert run(["receipt", "add", str(path), "--to", str(target)]) == 4
    assert "declares the root /elsewhere" in capsys.readouterr().err
    target.write_text('{"evidence": []}')
    assert run(["receipt", "add", str(path), "--to", str(target)]) == 0
    assert record(target)["root"] == "/srv/checkout"
    assert before != target.read_bytes()


def test_show_says_what_ran_and_what_is_wrong_with_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["receipt", "show", str(written(tmp_path / "r.json"))]) == 0
    told = capsys.readouterr().out
    for words in ("passed, exit code 0", "pytest tests/test_a.py", "covers    finding-1", "clean", "pending"):
        assert words in told
    assert "as evidence-lint recorded it" in told
    hostile = {"command": "a\x1b[2Jb", "repository": {"dirty": True}, "status": "failed", "covers": None}
    assert run(["receipt", "show", str(written(tmp_path / "s.json", **hostile))]) == 0
    told = capsys.readouterr().out
    assert "\x1b" not in told
    for words in ("DIRTY", "CHANGED since the run", "the run did not pass", "covers    (absent)"):
        assert words in told


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    for action in (["show"], ["approve", *APPROVAL], ["add", "--to", str(tmp_path / "x")]):
        assert run(["receipt", action[0], str(tmp_path / "absent.json"), *action[1:]]) == 4

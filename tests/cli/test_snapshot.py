from __future__ import annotations

import json
from pathlib import Path

import pytest

from evidence_lint.cli import run
from tests.sources.git_support import Sample


def test_a_snapshot_is_what_a_receipt_says_of_its_repository(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = Sample(tmp_path / "checkout")
    head = sample.commit("first", a_py=b"x\n")
    assert run(["snapshot", "--repo", str(sample.root)]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "root": str(sample.root),
        "head_commit": head,
        "tree_hash": sample.git("rev-parse", "HEAD^{tree}"),
        "dirty": False,
    }
    sample.put("new.py", b"")
    assert run(["snapshot", "--repo", str(sample.root), "--format", "text"]) == 0
    assert "dirty" in capsys.readouterr().out


def test_where_there_is_nothing_to_snapshot_it_is_a_usage_error(tmp_path: Path) -> None:
    assert run(["snapshot", "--repo", str(tmp_path)]) == 4
    assert run(["snapshot", "--repo", str(tmp_path / "absent")]) == 4
    assert run(["snapshot", "--repo", str(Sample(tmp_path / "empty").root)]) == 4

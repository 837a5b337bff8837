"""The story of issue 4 with real tools: pin, run, receipt, approval, report, check; then the code changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evidence_lint.cli import run
from tests.receipt_support import CODE, pytest_run, record, repository, write_report
from tests.sources.git_support import Sample


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    return repository(tmp_path / "checkout")


@pytest.fixture
def bundle(sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(sample.root)
    folder = tmp_path / "research"
    evidence, receipt = folder / "code_evidence.json", tmp_path / "receipt.json"
    assert run(["pin", "store/copies.py:4-5", "--append", str(evidence)]) == 0
    done = pytest_run(
        sample.root,
        "--evidence-receipt",
        str(receipt),
        "--evidence-covers",
        "finding-copies,code-1",
        "tests/test_copies.py::test_missing",
    )
    assert done.returncode == 0, done.stdout.decode()
    assert run(["receipt", "add", str(receipt), "--to", str(evidence)]) == 0
    return folder


def approve(bundle: Path) -> None:
    words = ["--reviewer", "Ann", "--rationale", "test_missing calls missing() with one copy present"]
    assert run(["receipt", "approve", str(bundle / "code_evidence.json"), *words]) == 0


def checked(bundle: Path, sample: Sample, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, Any]]]:
    capsys.readouterr()
    arguments = ["check", str(bundle), "--repo", str(sample.root), "--offline", "--format", "json", "--isolated", "-q"]
    status = run(arguments)
    rows = json.loads(capsys.readouterr().out)["bundles"][0]["verdicts"]
    return status, [row for row in rows if row["outcome"] in ("failed", "errored")]


def names(rows: list[dict[str, Any]], *severities: str) -> set[str]:
    return {row["name"] for row in rows if row["severity"] in severities}


def test_an_approved_receipt_earns_a_runtime_high(
    sample: Sample, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    approve(bundle)
    write_report(bundle)
    status, rows = checked(bundle, sample, capsys)
    assert (status, rows) == (0, [])


def test_a_receipt_that_nobody_approved_does_not(
    sample: Sample, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_report(bundle)
    status, rows = checked(bundle, sample, capsys)
    assert status == 1
    assert "test-relevance-unapproved" in names(rows, "error")


def test_code_that_changes_afterwards_is_told_and_old_pins_stay_true(
    sample: Sample, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    approve(bundle)
    write_report(bundle)
    sample.commit("feat: count from four", store__copies_py=CODE.replace(b"COPIES - present", b"4 - present"))
    status, rows = checked(bundle, sample, capsys)
    assert status == 0
    assert names(rows, "info") == {"code-changed-since"}


def test_a_new_pin_needs_a_new_receipt(sample: Sample, bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    approve(bundle)
    sample.commit("feat: count from four", store__copies_py=CODE.replace(b"COPIES - present", b"4 - present"))
    evidence = bundle / "code_evidence.json"
    document = record(evidence)
    document["evidence"] = [row for row in document["evidence"] if row["kind"] == "test"]
    evidence.write_text(json.dumps(document))
    assert run(["pin", "store/copies.py:4-5", "--append", str(evidence)]) == 0
    write_report(bundle)
    status, rows = checked(bundle, sample, capsys)
    assert status == 1
    told = [row["message"] for row in rows if row["name"] == "runtime-support-insufficient"]
    assert len(told) == 1
    assert "another commit than the cited code" in told[0]
    assert "confidence-inflated" in names(rows, "error")
    # Each record is true by itself: what fails is that they do not belong together.
    assert not [row for row in rows if row["rule"].startswith(("CODE", "TEST", "EVID"))]

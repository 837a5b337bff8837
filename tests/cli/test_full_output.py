"""Snapshots of what a person reads: the default format of whole runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from evidence_lint.model.example import base_sections
from tests.support.cli_support import faulty, lint, write_bundle


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_clean_bundle(here: Path, capfd: pytest.CaptureFixture[str], snapshot: SnapshotAssertion) -> None:
    write_bundle(here / "docs")
    assert lint("check", "docs", "--offline", "--select", "WEB104,WEB101") == 0
    assert capfd.readouterr().out == snapshot


def test_a_paraphrased_excerpt(here: Path, capfd: pytest.CaptureFixture[str], snapshot: SnapshotAssertion) -> None:
    faulty(here / "docs")
    assert lint("check", "docs", "--offline", "--select", "WEB104") == 1
    assert capfd.readouterr().out == snapshot


def test_suppressions(here: Path, capfd: pytest.CaptureFixture[str], snapshot: SnapshotAssertion) -> None:
    mark = "<!-- evidence-lint: ignore[CONF103] labels follow -->\n"
    write_bundle(here / "docs", sections={4: mark + base_sections()[4]})
    faulty(here / "other", block={"ignore": ["WEB104"], "reason": "the page is quoted freely"})
    lint("check", ".", "--offline", "--select", "WEB104,META,CONF103", "--format", "full")
    assert capfd.readouterr().out == snapshot


def test_nothing(here: Path, capfd: pytest.CaptureFixture[str], snapshot: SnapshotAssertion) -> None:
    assert lint("check", ".", "--offline") == 5
    assert capfd.readouterr().out == snapshot

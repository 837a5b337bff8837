"""Profiles: ``strict`` makes warnings errors, unless the configuration says otherwise of a rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evidence_lint.cli import run
from evidence_lint.model.example import base_sections, research_example

UNCITED = {8: base_sections()[8] + "\n[2] Backup guide — https://www.example.gov/other — website (T1) — date: unknown"}


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    example = research_example(
        "a source that is never cited",
        sections=UNCITED,
        results=[{"url": "https://www.example.gov/guides/backups"}, {"url": "https://www.example.gov/other"}],
    )
    folder = tmp_path / "bundle"
    folder.mkdir()
    for name, text in example.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def severity(bundle: Path, capfdbinary: pytest.CaptureFixture[bytes], *options: str) -> tuple[int, str]:
    status = run(["check", str(bundle), "--offline", "--select", "CIT102", "--format", "json", *options])
    verdicts = json.loads(capfdbinary.readouterr().out)["bundles"][0]["verdicts"]
    return status, next(row["severity"] for row in verdicts if row["rule"] == "CIT102")


def test_strict_makes_warnings_errors(bundle: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert severity(bundle, capfdbinary) == (0, "warning")
    assert severity(bundle, capfdbinary, "--profile", "strict") == (1, "error")
    assert severity(bundle, capfdbinary, "--profile", "default") == (0, "warning")


def test_a_configured_severity_counts(bundle: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    config = bundle.parent / "own.toml"
    config.write_text('profile = "strict"\n', encoding="utf-8")
    assert severity(bundle, capfdbinary, "--config", str(config)) == (1, "error")
    assert severity(bundle, capfdbinary, "--config", str(config), "--profile", "default") == (0, "warning")
    config.write_text('profile = "strict"\n[severity]\nCIT102 = "warning"\n', encoding="utf-8")
    assert severity(bundle, capfdbinary, "--config", str(config)) == (0, "warning")


def test_an_unknown_profile_is_refused(bundle: Path) -> None:
    assert run(["check", str(bundle), "--profile", "lax"]) == 4

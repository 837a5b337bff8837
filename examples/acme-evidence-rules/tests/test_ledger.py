"""The format, through the command that people use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from evidence_lint.model.example import research_example


def test_every_finding_is_a_row(tmp_path: Path) -> None:
    """A header, then one line a finding."""
    for name, text in research_example("a clean bundle").files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "evidence_lint", "check", ".", "--isolated", "--offline", "--format", "acme"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split("\t") for line in done.stdout.splitlines()] == [
        ["report", "finding", "stated", "effective", "verified", "evidence"],
        ["report.md", "Three copies are required", "medium", "medium", "1", "1"],
    ]

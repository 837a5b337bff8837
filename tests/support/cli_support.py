"""Bundles on disk, and the command line as a user has it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evidence_lint.cli import run
from evidence_lint.model.example import BASE_FINDING, base_sections, research_example

PARAPHRASE = {"evidence": [{**BASE_FINDING["evidence"][0], "excerpt": "Three copies of each record should be kept."}]}


def write_bundle(folder: Path, **parts: Any) -> Path:
    """A clean web bundle that differs as :func:`research_example` is told."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in research_example("", **parts).files.items():
        (folder / name).write_bytes(text.encode())
    return folder


def faulty(folder: Path, mark: str = "", block: Mapping[str, object] | None = None) -> Path:
    """A bundle whose excerpt is a paraphrase (WEB104), perhaps with suppressions."""
    finding = {**BASE_FINDING, **PARAPHRASE, **({"evidence_lint": block} if block else {})}
    sections = {4: mark + base_sections()[4]} if mark else None
    return write_bundle(folder, findings=[finding], sections=sections)


def lint(*arguments: str | Path) -> int:
    """The exit status of ``evidence-lint …``, run here."""
    return run([str(argument) for argument in arguments])


def program(
    *arguments: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    python: Sequence[str] = (),
    **options: Any,
) -> subprocess.CompletedProcess[bytes]:
    """``python -m evidence_lint …`` as a process of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "COV_"))}
    options.setdefault("capture_output", True)
    return subprocess.run(
        [sys.executable, *python, "-m", "evidence_lint", *map(str, arguments)],
        cwd=cwd,
        env={**environment, **(env or {})},
        check=False,
        timeout=60,
        **options,
    )


def results(text: str | bytes) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    return document


def outcomes(document: Mapping[str, Any], outcome: str = "failed") -> set[str]:
    return {row["rule"] for bundle in document["bundles"] for row in bundle["verdicts"] if row["outcome"] == outcome}

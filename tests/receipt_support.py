"""A small repository with a test, and a report about it, as an author would make them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from evidence_lint.model.example import base_report
from tests.sources.git_support import Sample

CODE = b"COPIES = 3\n\n\ndef missing(present):\n    return max(0, COPIES - present)\n"
TEST = b"""from store.copies import missing


def test_missing():
    assert missing(1) == 2


def test_none_missing():
    assert missing(5) == 0
"""
FILES = {"conftest.py": b"", "store/__init__.py": b"", "store/copies.py": CODE, "tests/test_copies.py": TEST}


def repository(root: Path, files: Mapping[str, bytes] = FILES) -> Sample:
    """A repository of one commit."""
    sample = Sample(root)
    for name, data in files.items():
        sample.put(name, data)
    sample.commit("feat: keep three copies")
    return sample


def environment() -> dict[str, str]:
    """An environment without what an outer pytest, xdist or Git has put there."""
    dropped = ("GIT_", "PYTEST_", "COV_", "COVERAGE_", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    return kept | {"COLUMNS": "120", "PYTHONPATH": str(Path(__file__).parent.parent)}


def pytest_run(folder: Path, *arguments: str, program: tuple[str, ...] = ()) -> subprocess.CompletedProcess[bytes]:
    """Run pytest as a person would, with the plug-in even where the package is not installed."""
    plugins = ("-p", "no:syrupy", "-p", "no:hypothesispytest", "-p", "no:anyio")
    command = program or (sys.executable, "-m", "pytest")
    return subprocess.run(
        [*command, *plugins, *arguments], cwd=folder, env=environment(), capture_output=True, check=False, timeout=120
    )


def record(path: Path) -> dict[str, Any]:
    """A JSON object from a file."""
    return cast("dict[str, Any]", json.loads(path.read_text()))


def write_report(bundle: Path, label: str = "High") -> None:
    """Write findings.json and report.md over the code_evidence.json that stands in the bundle."""
    evidence = record(bundle / "code_evidence.json")["evidence"]
    code = next(row for row in evidence if row["kind"] == "code")
    test = next(row for row in evidence if row["kind"] == "test")
    analysis = "With one copy present, two are missing."
    finding = {
        "id": "finding-copies",
        "title": "Missing copies are counted",
        "claim_type": "runtime_behavior",
        "confidence": label.lower(),
        "analysis": analysis,
        "evidence": [{"kind": "code", "id": code["id"]}, {"kind": "test", "id": test["id"]}],
    }
    (bundle / "findings.json").write_text(json.dumps({"findings": [finding]}, indent=2))
    repo, review = test["repository"], test["relevance_review"]
    sections = {
        3: analysis,
        4: f"- **Missing copies are counted** ({label} confidence): {analysis} [1] [2]",
        5: "### Copies\n\nMissing copies are counted. [1]",
        8: f"[1] code evidence `{code['id']}` — {code['path']}:{code['line']} — {code['excerpt']} — "
        f"commit: {code['commit']}\n"
        f"[2] test evidence `{test['id']}` — pytest / {test['test_target']} — {test['status']} "
        f"(exit {test['exit_code']}) — commit: {repo['head_commit']}; tree: {repo['tree_hash']}; "
        f"dirty: {str(repo['dirty']).lower()}; covers: {', '.join(test['covers'])}; "
        f"relevance: {review['status']} — {test['summary']}",
        9: "- One machine ran the test.",
    }
    report = base_report(sections, kind="codebase", results=0, pages=0, units=2, cited=2)
    (bundle / "report.md").write_text(report.replace("Single-source findings: 1", "Single-source findings: 0"))

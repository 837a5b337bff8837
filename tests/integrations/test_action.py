"""The shell of the composite action, run as a runner would run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from evidence_lint.model.example import BASE_FINDING, Example, research_example

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "action" / "check.sh"
CLEAN = research_example("clean")
FAULTY = research_example(
    "faulty", findings=[{**BASE_FINDING, "evidence": [{**BASE_FINDING["evidence"][0], "excerpt": "Keep nine copies."}]}]
)


def write(folder: Path, example: Example) -> Path:
    folder.mkdir(parents=True)
    for name, text in example.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the check step with these inputs; the other variables are as a runner without extras sets them."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "OFFLINE": "true",
        **inputs,
    }
    return subprocess.run(
        ["bash", str(SCRIPT)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_a_clean_bundle_passes_with_summary_and_sarif(tmp_path: Path) -> None:
    write(tmp_path / "docs", CLEAN)
    done = run(tmp_path, PATHS="docs\n\n", SARIF="out.sarif")
    assert done.returncode == 0, done.stderr
    assert "::error" not in done.stdout
    assert json.loads((tmp_path / "out.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert "passed" in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_a_fault_is_annotated_and_fails(tmp_path: Path) -> None:
    write(tmp_path / "docs", FAULTY)
    done = run(tmp_path, PATHS="docs", SARIF="out.sarif")
    assert done.returncode == 1
    assert "::error file=docs/findings.json" in done.stdout
    results = json.loads((tmp_path / "out.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert "WEB104" in {row["ruleId"] for row in results}


@pytest.mark.parametrize("hostile", ["$(touch canary)", "`touch canary`", "; touch canary", "--help", "-o canary"])
def test_inputs_are_only_ever_arguments(tmp_path: Path, hostile: str) -> None:
    write(tmp_path / "docs", CLEAN)
    done = run(tmp_path, PATHS=hostile, SARIF="", POLICY_FROM="")
    assert done.returncode == 4
    assert not (tmp_path / "canary").exists()


def test_several_paths_and_the_severity_that_fails(tmp_path: Path) -> None:
    write(tmp_path / "one", CLEAN)
    write(tmp_path / "with blank", FAULTY)
    assert run(tmp_path, PATHS="one\nwith blank\n", SARIF="").returncode == 1
    assert run(tmp_path, PATHS="one\nwith blank\n", SARIF="", FAIL_ON="never").returncode == 0


def test_the_definition_names_the_scripts_and_passes_inputs_as_variables() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    steps = action["runs"]["steps"]
    scripts = [step["run"] for step in steps if "run" in step]
    assert all("${{" not in script for script in scripts)
    for script in scripts:
        assert (ROOT / script.split("/", 1)[1].strip('"')).is_file()
    given = {key for step in steps for key in step.get("env", {})}
    assert {"PATHS", "POLICY_FROM", "OFFLINE", "FAIL_ON", "SARIF", "VERSION"} <= given

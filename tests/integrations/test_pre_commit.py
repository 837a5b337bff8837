"""The pre-commit hook in a real repository: `pre-commit try-repo`, without the network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from evidence_lint.model.example import research_example

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def _run(command: list[str], folder: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a tool that builds the hook from this checkout with what is installed here, never from an index."""
    site = sysconfig.get_paths()["purelib"]
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PIP_", "COV_"))},
        "HOME": str(home),
        "PRE_COMMIT_HOME": str(home / "pre-commit"),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this one the other way round: no isolation
        "PYTHONPATH": site,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def hook_repository(tmp_path: Path, home: Path) -> Path:
    """This checkout's tracked files as a repository of one commit, which is what pre-commit clones."""
    folder = tmp_path / "hook"
    for name in ("evidence_lint", "rules", "plugins"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, folder / name)
    for command in (["git", "init", "-q"], ["git", "add", "-A"], ["git", "commit", "-qm", "hook"]):
        assert _run(command, folder, home).returncode == 0
    return folder


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Path:
    """A project with a clean bundle and files that are no reports."""
    folder = tmp_path / "project"
    bundle = folder / "docs" / "research"
    bundle.mkdir(parents=True)
    for name, text in research_example("clean").files.items():
        (bundle / name).write_text(text, encoding="utf-8")
    (folder / "README.md").write_text("# A project\n", encoding="utf-8")
    (folder / "package.json").write_text("{}\n", encoding="utf-8")
    for command in (["git", "init", "-q"], ["git", "add", "-A"], ["git", "commit", "-qm", "start"]):
        assert _run(command, folder, home).returncode == 0
    return folder


def test_the_hook_runs_on_changed_records(project: Path, hook_repository: Path, home: Path) -> None:
    commit = [sys.executable, "-m", "pre_commit", "try-repo", str(hook_repository), "evidence-lint", "--verbose"]
    clean = _run([*commit, "--all-files"], project, home)
    assert clean.returncode == 0, clean.stdout + clean.stderr
    assert "0 failed" in clean.stdout

    findings = project / "docs" / "research" / "findings.json"
    document = json.loads(findings.read_text(encoding="utf-8"))
    document["findings"][0]["evidence"][0]["excerpt"] = "Keep nine copies of every record."
    findings.write_text(json.dumps(document), encoding="utf-8")
    changed = _run([*commit, "--files", "docs/research/findings.json"], project, home)
    assert changed.returncode == 1
    assert "WEB104" in changed.stdout

    others = _run([*commit, "--files", "README.md", "package.json"], project, home)
    assert others.returncode == 0, others.stdout + others.stderr

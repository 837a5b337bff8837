"""The third-party plug-in of examples/, built from its own folder and installed apart, without network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "examples" / "acme-evidence-rules"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed the built plug-in, and nothing else."""
    folder = tmp_path_factory.mktemp("site")
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    done = _python("-m", "pip", "install", "-q", *options, "--target", str(folder), str(PLUGIN))
    assert done.returncode == 0, done.stderr
    assert {path.name for path in folder.iterdir()} == {"acme_evidence_rules", "acme_evidence_rules-1.0.0.dist-info"}
    return folder


def _python(*arguments: str, path: Path | None = None, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    command = [sys.executable, "-P", "-B", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def test_rule_is_listed_and_explained(installed: Path) -> None:
    listed = _python("-m", "evidence_lint", "rules", "ACME", path=installed)
    assert listed.returncode == 0, listed.stderr
    assert listed.stdout.split(maxsplit=3)[:3] == ["ACME101", "sponsored-alone", "warning"]
    explained = _python("-m", "evidence_lint", "explain", "sponsored-alone", path=installed)
    assert explained.returncode == 0, explained.stderr
    assert "whoever sells a thing" in explained.stdout


def test_nothing_of_it_without_installation() -> None:
    listed = _python("-m", "evidence_lint", "rules", "ACME")
    assert (listed.returncode, listed.stdout) == (4, "")
    assert "ACME" in listed.stderr


def test_rule_and_provider_run(installed: Path, tmp_path: Path) -> None:
    """The vendor's own claim in clean-web is Low, as Acme wants it; stated as Medium it is told."""
    bundle = tmp_path / "bundle"
    bundle.mkdir()
    for source in (ROOT / "examples" / "clean-web").iterdir():
        text = source.read_text(encoding="utf-8")
        (bundle / source.name).write_text(text, encoding="utf-8")
    command = ["-m", "evidence_lint", "check", str(bundle), "--isolated", "--offline", "--format", "concise"]
    clean = _python(*command, "--select", "ACME", path=installed)
    assert (clean.returncode, clean.stderr) == (0, "")
    assert "3 passed" in clean.stdout
    report = bundle / "report.md"
    text = report.read_text(encoding="utf-8")
    report.write_text(text.replace("(Low confidence)", "(Medium confidence)"), encoding="utf-8")
    told = _python(*command, "--select", "ACME", "--fail-on", "warning", path=installed)
    assert told.returncode == 1, told.stderr
    assert "ACME101 stated as Medium, but its only source is sponsored: sold by the publisher" in told.stdout


def test_format(installed: Path) -> None:
    command = ["-m", "evidence_lint", "check", "examples/faulty-web", "--isolated", "--offline", "--format", "acme"]
    done = _python(*command, path=installed)
    assert (done.returncode, done.stderr) == (1, "")
    assert [line.split("\t")[1:] for line in done.stdout.splitlines()] == [
        ["finding", "stated", "effective", "verified", "evidence"],
        ["Ceilings stay cooler in July", "high", "medium", "1", "1"],
        ["Thin soil stops cooling", "medium", "", "0", "1"],
        ["Wet mats weigh 18 kilograms", "low", "low", "1", "1"],
    ]


def test_its_own_tests_pass(installed: Path) -> None:
    done = _python("-m", "pytest", "-q", "-p", "no:cacheprovider", path=installed, folder=PLUGIN)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 passed" in done.stdout

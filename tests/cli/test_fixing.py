from __future__ import annotations

import codecs
import json
import subprocess
from pathlib import Path

import pytest

from evidence_lint.engine.catalogue import load_catalogue
from evidence_lint.model.example import base_sections
from evidence_lint.parse.markdown import parse_report
from evidence_lint.testing import ExampleCase, example_cases
from tests.support.cli_support import lint, outcomes, results, write_bundle

UNUSED = "<!-- evidence-lint: ignore[CONF103] labels follow -->"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_fix_changes_nothing_else(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs", sections={4: f"{UNUSED}\n{base_sections()[4]}"})
    report = here / "docs/report.md"
    crlf = codecs.BOM_UTF8 + report.read_bytes().replace(b"\n", b"\r\n")
    report.write_bytes(crlf)
    others = {path: path.read_bytes() for path in (here / "docs").glob("*.json")}
    assert lint("check", "docs", "--offline", "--fix", "--format", "json") == 0
    out, err = capfd.readouterr()
    assert outcomes(results(out)) == set()
    assert "1 fix applied to 1 file" in err
    assert report.read_bytes() == crlf.replace(UNUSED.encode(), b"")
    assert {path: path.read_bytes() for path in others} == others
    before, after = (parse_report(data.decode("utf-8-sig")) for data in (crlf, report.read_bytes()))
    assert [finding.title for finding in before.findings] == [finding.title for finding in after.findings]
    assert [c.number for c in before.citations] == [c.number for c in after.citations]


def test_a_diff_changes_nothing_and_can_be_applied(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs", sections={4: f"{UNUSED}\n{base_sections()[4]}"})
    before = (here / "docs/report.md").read_bytes()
    assert lint("check", "docs", "--offline", "--diff", "--fix") == 0
    patch = capfd.readouterr().out
    assert patch.startswith("--- a/docs/report.md\n+++ b/docs/report.md\n@@")
    assert (here / "docs/report.md").read_bytes() == before
    subprocess.run(["git", "apply"], input=patch.encode(), check=True, capture_output=True)
    applied = (here / "docs/report.md").read_bytes()
    (here / "docs/report.md").write_bytes(before)
    lint("check", "docs", "--offline", "--fix")
    assert (here / "docs/report.md").read_bytes() == applied


def test_nothing_to_fix_says_nothing(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs")
    assert lint("check", "docs", "--offline", "--diff") == 0
    assert capfd.readouterr() == ("", "")
    assert lint("check", "docs", "--offline", "--fix", "--format", "concise") == 0
    assert "applied" not in capfd.readouterr().err


def test_a_suppressed_problem_is_not_fixed(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs", sections={4: f"{UNUSED}\n{base_sections()[4]}"})
    before = (here / "docs/report.md").read_bytes()
    assert lint("check", "docs", "--offline", "--fix", "--ignore", "META101") == 0
    assert (here / "docs/report.md").read_bytes() == before


FIXABLE = [rule for rule in load_catalogue().rules if rule.fixable]
CASES = [case for case in example_cases(FIXABLE) if case.example.problems and not case.example.repository]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_fixes_of_failing_examples_settle(case: ExampleCase, here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Fixed once, a report has nothing more to fix, no rule is newly broken, and the records still parse."""
    folder = here / "docs"
    folder.mkdir()
    for name, text in case.example.files.items():
        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    command = ("check", "docs", "--offline", "--fix", "--unsafe-fixes", "--format", "json", "--select", case.rule.code)
    lint(*command)
    first = results(capfd.readouterr().out)
    once = {path.name: path.read_bytes() for path in folder.iterdir()}
    lint(*command)
    second = results(capfd.readouterr().out)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == once
    assert not outcomes(second, "errored")
    assert first["counts"] == second["counts"]
    for name, text in case.example.files.items():
        if name.endswith(".json") and text != once[name].decode("utf-8", "surrogatepass"):
            json.loads(once[name])

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.cli_support import faulty, lint, outcomes, results, write_bundle


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(capfd: pytest.CaptureFixture[str], *arguments: str, status: int) -> dict[str, object]:
    capfd.readouterr()
    got = lint("check", *arguments, "--offline", "--format", "json")
    out, err = capfd.readouterr()
    assert got == status, (out, err)
    return results(out)


def test_known_failures_pass_and_new_ones_fail(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs/one")
    known = outcomes(checked(capfd, "docs", status=1))
    assert lint("baseline", "write", "docs", "--offline", "--baseline", "b.json") == 0
    assert "b.json: " in capfd.readouterr().out
    document = checked(capfd, "docs", "--baseline", "b.json", status=0)
    assert outcomes(document, "suppressed") == known
    report = here / "docs/one/report.md"
    report.write_text("\n\n" + report.read_text().replace("requires three copies", "requires\n  three copies"))
    assert "WEB104" in outcomes(checked(capfd, "docs", "--baseline", "b.json", status=0), "suppressed")
    faulty(here / "docs/two")
    assert "WEB104" in outcomes(checked(capfd, "docs", "--baseline", "b.json", status=1))


def test_a_baseline_written_twice_is_the_same(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs/one")
    lint("baseline", "write", "docs", "--offline")
    first = (here / "evidence-lint-baseline.json").read_bytes()
    lint("baseline", "write", "docs", "--offline")
    assert (here / "evidence-lint-baseline.json").read_bytes() == first
    assert {row["path"] for row in json.loads(first)["entries"]} == {"docs/one/report.md"}


def test_stale_entries_are_told(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    lint("baseline", "write", "docs", "--offline", "--baseline", "b.json")
    write_bundle(here / "docs")
    document = checked(capfd, "docs", "--baseline", "b.json", status=0)
    assert outcomes(document) == {"META104"}
    checked(capfd, "docs", "--baseline", "b.json", "--fail-on", "warning", status=1)
    assert not outcomes(checked(capfd, "docs", "--baseline", "b.json", "-k", "finding", status=0))


def test_the_configured_baseline_counts(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    (here / "evidence-lint.toml").write_text('baseline = "known/b.json"\n')
    assert lint("baseline", "write", "docs", "--offline") == 0
    checked(capfd, "docs", status=0)
    assert json.loads((here / "known/b.json").read_text())["entries"][0]["path"] == str(here / "docs/report.md")


def test_what_may_never_be_suppressed_is_not_written(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    mark = "<!-- evidence-lint: ignore[NOPE999] x -->\n"
    faulty(here / "docs", mark)
    (here / "evidence-lint.toml").write_text('baseline = "b.json"\n[gate]\nunsuppressible = ["WEB104"]\n')
    assert lint("baseline", "write", "docs", "--offline") == 0
    assert "that no baseline may hold stay (META102, WEB104)" in capfd.readouterr().err
    assert {"META102", "WEB104"} == outcomes(checked(capfd, "docs", status=1))


def test_reports_that_were_not_checked_keep_what_is_known(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two", "gone"):
        faulty(here / name)
    lint("baseline", "write", "one", "two", "gone", "--offline", "--baseline", "b.json")
    (here / "gone/report.md").unlink()
    write_bundle(here / "one")
    assert lint("baseline", "write", "one", "--offline", "--baseline", "b.json") == 0
    entries = json.loads((here / "b.json").read_text())["entries"]
    assert {row["path"] for row in entries} == {"two/report.md"}


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (["docs", "--policy-from", "HEAD"], 4, "written from the work tree"),
        (["docs", "-k", "x"], 4, "leave -k, --select"),
        (["docs", "--select", "WEB"], 4, "leave -k, --select"),
        (["docs/report.md::finding-1"], 4, "leave -k, --select"),
        (["absent"], 4, "no such file"),
        (["empty"], 5, "nothing to check"),
    ],
)
def test_a_baseline_of_part_of_a_run_is_refused(
    here: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], status: int, told: str
) -> None:
    faulty(here / "docs")
    (here / "empty").mkdir()
    (here / "b.json").write_text(json.dumps({"schema": "evidence-lint/baseline-v1", "entries": []}))
    before = (here / "b.json").read_text()
    assert lint("baseline", "write", *arguments, "--offline", "--baseline", "b.json") == status
    assert told in capfd.readouterr().err
    assert (here / "b.json").read_text() == before


def test_a_file_that_is_no_baseline_is_not_replaced(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    (here / "b.json").write_text('{"precious": 1}')
    assert lint("baseline", "write", "docs", "--offline", "--baseline", "b.json") == 4
    assert (here / "b.json").read_text() == '{"precious": 1}'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema": "x"}',
        "[" * 100_000,
        '{"schema": "evidence-lint/baseline-v1"}',
        '{"schema": "evidence-lint/baseline-v1", "entries": [5]}',
    ],
)
def test_a_broken_baseline_is_status_4(here: Path, capfd: pytest.CaptureFixture[str], text: str) -> None:
    write_bundle(here / "docs")
    (here / "b.json").write_text(text)
    assert lint("check", "docs", "--offline", "--baseline", "b.json") == 4
    assert "b.json" in capfd.readouterr().err


def test_no_baseline_is_written_from_a_broken_run(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    (here / "acme.py").write_text(
        "from evidence_lint.model.artifact import Bundle\n"
        "from evidence_lint.model.example import Example, Expected\n"
        "from evidence_lint.rule import rule\n"
        "@rule('ACME101', 'acme', passes=[Example('p', {})], fails=[Example('f', {}, (Expected('x'),))])\n"
        "def check(bundle: Bundle):\n"
        "    '''X.\n\n    Why: x.\n\n    Fix: x.\n    '''\n"
        "    raise ValueError\n"
    )
    (here / "evidence-lint.toml").write_text('rules = ["acme.py"]\n')
    assert lint("baseline", "write", "docs", "--offline", "--baseline", "b.json") == 3
    assert not (here / "b.json").exists()

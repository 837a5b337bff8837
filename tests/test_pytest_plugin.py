"""The pytest plug-in in real runs of pytest, each a process of its own."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from evidence_lint.model.example import BASE_FINDING, BASE_URL, research_example
from evidence_lint.recording.receipt import is_changed
from tests.receipt_support import pytest_run, record, repository
from tests.sources.git_support import Sample

TESTED = ["conftest.py", "store/__init__.py", "store/copies.py", "tests/test_copies.py"]
FABRICATED = {**BASE_FINDING, "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": "Keep nine copies."}]}


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    return repository(tmp_path / "checkout")


def recorded(sample: Sample, *arguments: str, status: int = 0) -> dict[str, Any]:
    """Run pytest with a receipt and return the receipt, its hashes proven."""
    path = sample.root.parent / "receipt.json"
    path.unlink(missing_ok=True)
    done = pytest_run(sample.root, "--evidence-receipt", str(path), "--evidence-covers", "f-1,c-1", *arguments)
    assert done.returncode == status, (done.stdout + done.stderr).decode()
    receipt = record(path)
    assert receipt["stdout_sha256"] == hashlib.sha256(done.stdout).hexdigest()
    assert receipt["stderr_sha256"] == hashlib.sha256(done.stderr).hexdigest()
    assert receipt["exit_code"] == status
    assert not is_changed(receipt)
    return receipt


def test_a_receipt_says_what_really_ran(sample: Sample) -> None:
    receipt = recorded(
        sample, "--evidence-covers", "c-2", "-p", "no:cacheprovider", "tests/test_copies.py::test_missing"
    )
    assert receipt["argv"][:3] == [Path(sys.executable).name, "-m", "pytest"]
    assert receipt["argv"][-1] == "tests/test_copies.py::test_missing"
    assert receipt["selectors"] == ["tests/test_copies.py::test_missing"]
    assert receipt["covers"] == ["f-1", "c-1", "c-2"]
    assert receipt["tested_paths"] == TESTED
    assert receipt["repository"] == {
        "root": str(sample.root),
        "head_commit": sample.git("rev-parse", "HEAD"),
        "tree_hash": sample.git("rev-parse", "HEAD^{tree}"),
        "dirty": False,
    }
    assert receipt["status"] == "passed"
    assert receipt["summary"].startswith("1 passed in ")
    assert "1 passed" in receipt["stdout_summary"]
    assert receipt["relevance_review"] == {"status": "pending"}
    assert not sample.git("status", "--porcelain"), "the run itself leaves nothing behind"


def test_output_under_s_and_of_children_is_hashed(sample: Sample) -> None:
    sample.put(
        "tests/test_loud.py",
        b"import os, subprocess, sys\n\n\ndef test_loud():\n    print('py')\n    os.write(2, b'fd\\n')\n"
        b"    subprocess.run([sys.executable, '-c', 'print(123)'], check=True)\n",
    )
    sample.commit("loud")
    receipt = recorded(sample, "-s", "tests/test_loud.py")
    assert receipt["stderr_summary"] == "fd"
    assert receipt["run"]["stderr_bytes"] == 3


def test_a_failed_run_has_a_receipt_that_says_so(sample: Sample) -> None:
    sample.commit("broken", store__copies_py=b"def missing(present):\n    return 2\n")
    receipt = recorded(sample, "tests", status=1)
    assert (receipt["status"], receipt["summary"].partition(" in ")[0]) == ("failed", "1 failed, 1 passed")


@pytest.mark.parametrize(
    ("body", "arguments", "status", "summary"),
    [
        (b"", ["-k", "nosuch"], 5, "no tests ran"),
        (b"import pytest\n\n\n@pytest.mark.skip\ndef test_a(): ...\n", ["tests/test_b.py"], 0, "1 skipped"),
        (b"import nosuch\n", ["tests/test_b.py"], 2, "1 error"),
    ],
)
def test_a_run_in_which_nothing_passed_is_not_passed(
    sample: Sample, body: bytes, arguments: list[str], status: int, summary: str
) -> None:
    sample.commit("more", tests__test__b_py=b"")
    sample.put("tests/test_b.py", body)
    sample.commit("more")
    receipt = recorded(sample, *arguments, status=status)
    assert receipt["status"] == "failed"
    assert summary in receipt["summary"] or "deselected" in receipt["summary"]


def test_a_checkout_that_differs_is_dirty_before_or_after(sample: Sample) -> None:
    sample.put("tests/test_writes.py", b"def test_writes():\n    open('left.txt', 'w').close()\n")
    sample.commit("writes")
    assert recorded(sample, "tests/test_writes.py")["repository"]["dirty"] is True, "the test left a file"
    (sample.root / "left.txt").unlink()
    sample.put("tests/new.py", b"")
    receipt = recorded(sample, "tests/test_copies.py")
    assert receipt["repository"]["dirty"] is True
    assert receipt["tested_paths"] == TESTED


def test_a_commit_during_the_run_is_no_clean_snapshot(sample: Sample) -> None:
    sample.put(
        "tests/test_commits.py",
        b"import subprocess\n\n\ndef test_commits():\n    subprocess.run(['git', '-c', 'user.name=a', '-c', "
        b"'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x'], check=True)\n",
    )
    head = sample.commit("commits")
    receipt = recorded(sample, "tests/test_commits.py")
    assert receipt["repository"]["dirty"] is True
    assert receipt["repository"]["head_commit"] == head


def test_workers_of_xdist_say_what_they_loaded(sample: Sample) -> None:
    receipt = recorded(sample, "-n", "1", "tests/test_copies.py")
    assert receipt["tested_paths"] == TESTED
    assert receipt["summary"].startswith("2 passed")


def test_coverage_adds_what_children_ran(sample: Sample) -> None:
    sample.put(".gitignore", b".coverage*\n")
    sample.put("tool.py", b"print('ran')\n")
    sample.put(
        "tests/test_tool.py",
        b"import subprocess, sys\n\n\ndef test_tool():\n    subprocess.run([sys.executable, 'tool.py'])\n",
    )
    sample.put(".coveragerc", b"[run]\npatch = subprocess\n")
    sample.commit("tool")
    receipt = recorded(sample, "--cov=.", "--cov-report=", "tests/test_tool.py")
    assert receipt["tested_paths"] == ["conftest.py", "tests/test_tool.py", "tool.py"]
    assert receipt["repository"]["dirty"] is False


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "says which tests ran"),
        (["."], "says which tests ran"),
        (["--collect-only", "tests"], "runs no test"),
        (["--evidence-covers=", "tests"], ""),
    ],
)
def test_a_receipt_that_could_not_stand_is_refused_first(sample: Sample, arguments: list[str], words: str) -> None:
    path = sample.root.parent / "receipt.json"
    covers = [] if "--evidence-covers=" in arguments else ["--evidence-covers", "f-1"]
    done = pytest_run(sample.root, "--evidence-receipt", str(path), *covers, *arguments)
    assert done.returncode == 4
    assert words in done.stderr.decode()
    assert not path.exists()


def test_an_existing_file_and_a_missing_repository_are_refused(sample: Sample, tmp_path: Path) -> None:
    path = tmp_path / "receipt.json"
    path.write_text("mine")
    options = ["--evidence-receipt", str(path), "--evidence-covers", "f-1"]
    done = pytest_run(sample.root, *options, "tests")
    assert (done.returncode, path.read_text()) == (4, "mine")
    (tmp_path / "plain").mkdir()
    path.unlink()
    assert pytest_run(tmp_path / "plain", *options, ".").returncode == 4
    program = (sys.executable, "-c", "import pytest, sys; sys.exit(pytest.main(sys.argv[1:]))")
    done = pytest_run(sample.root, *options, "tests", program=program)
    assert done.returncode == 4
    assert b"was not started by the command" in done.stderr


def test_a_receipt_that_cannot_be_written_fails_the_run(sample: Sample) -> None:
    path = sample.root / "conftest.py" / "receipt.json"
    done = pytest_run(sample.root, "--evidence-receipt", str(path), "--evidence-covers", "f-1", "tests")
    assert done.returncode == 3
    assert b"cannot be written" in done.stderr


def test_without_an_option_nothing_of_evidence_lint_is_loaded(sample: Sample) -> None:
    sample.put(
        "tests/test_light.py",
        b"import sys\n\n\ndef test_light():\n    found = {n for n in sys.modules if n.startswith('evidence_lint')}\n"
        b"    assert found <= {'evidence_lint', 'evidence_lint.version', 'evidence_lint.pytest_plugin'}\n",
    )
    sample.put("report.md", research_example("x").files["report.md"].encode())
    done = pytest_run(sample.root, "-W", "error", "-q")
    assert done.returncode == 0, done.stdout.decode()
    assert b"3 passed" in done.stdout


# Reports as tests


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    for name, example in {
        "good": research_example("good"),
        "bad": research_example("bad", findings=[FABRICATED]),
    }.items():
        folder = tmp_path / "docs" / name
        folder.mkdir(parents=True)
        for file, text in example.files.items():
            (folder / file).write_text(text)
    (tmp_path / "docs" / "notes.md").write_text("# Notes\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers -p no:cacheprovider\n")
    return tmp_path


NODE = "docs/bad/report.md::finding-1/evidence-1::excerpt-not-in-content"


def lines(folder: Path, *arguments: str, status: int) -> list[str]:
    done = pytest_run(folder, "-q", "--evidence-lint", *arguments)
    assert done.returncode == status, (done.stdout + done.stderr).decode()
    return done.stdout.decode().splitlines()


def test_a_sound_report_passes_and_a_fabricated_quote_fails_with_its_place(reports: Path) -> None:
    assert " passed" in lines(reports, "docs/good", "-W", "error", status=0)[-1]
    told = lines(reports, "docs", status=1)
    assert any(line.startswith(f"FAILED {NODE} - docs/bad/findings.json:") for line in told)
    assert not any("docs/good" in line for line in told if line.startswith("FAILED"))
    assert any("Keep nine copies." in line for line in told)


@pytest.mark.parametrize(
    "arguments",
    [[NODE], ["docs", "-k", "WEB104 and bad"], ["docs/bad", "-k", "excerpt-not-in-content", "-m", "evidence_lint"]],
)
def test_checks_are_chosen_as_tests_are(reports: Path, arguments: list[str]) -> None:
    told = lines(reports, *arguments, status=1)
    assert [line.split(" - ")[0] for line in told if line.startswith("FAILED")] == [f"FAILED {NODE}"]
    assert told[-1].startswith("1 failed")
    assert "passed" not in told[-1]


def test_node_ids_are_those_of_the_command_line(reports: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from evidence_lint.cli import run

    monkeypatch.chdir(reports)
    output = reports / "out.json"
    run(
        [
            "check",
            "docs",
            "--offline",
            "--isolated",
            "-q",
            "--show",
            "passed",
            "--format",
            "json",
            "--output",
            str(output),
        ]
    )
    bundles = json.loads(output.read_text())["bundles"]
    rows = [row for bundle in bundles for row in bundle["verdicts"]]
    # Rules about the verdicts of the others cannot be chosen alone; `bundle::everything-else` stands for them.
    checked = {row["node"].partition("[")[0] for row in rows if not row["rule"].startswith("META")}
    told = lines(reports, "docs", "--collect-only", status=0)
    collected = {line for line in told if "::" in line and "::everything-else" not in line}
    late = {row["node"] for row in rows if row["rule"].startswith("META")}
    assert collected - late == checked


def test_xdist_last_failed_and_junit(reports: Path) -> None:
    told = lines(reports, "docs/bad", "-n", "1", "--junitxml=out.xml", status=1)
    assert any(line.startswith(f"FAILED {NODE}") for line in told)
    assert 'name="excerpt-not-in-content"' in (reports / "out.xml").read_text()
    (reports / "pytest.ini").unlink()
    lines(reports, "docs", status=1)
    told = lines(reports, "docs", "--lf", status=1)
    assert "passed" not in told[-1]


def test_records_without_their_report_fail(reports: Path) -> None:
    (reports / "docs" / "good" / "report.md").unlink()
    told = lines(reports, "docs/good", status=1)
    assert any("artifact-unreadable" in line for line in told if line.startswith("FAILED"))


def test_mild_problems_are_told_and_do_not_fail(reports: Path) -> None:
    (reports / "pyproject.toml").write_text('[tool.evidence-lint.severity]\nexcerpt-not-in-content = "warning"\n')
    told = lines(reports, "docs/bad", "-k", "WEB104", "-W", "error", status=0)
    assert told[-1].startswith("1 passed")
    assert any("warning WEB104 excerpt-not-in-content" in line for line in told)


def test_a_check_that_breaks_is_an_error_and_no_pass(reports: Path) -> None:
    (reports / "evidence-lint.toml").write_text('rules = ["local.py"]\n')
    (reports / "local.py").write_text(
        "from evidence_lint.model.bundle import ResearchBundle\n"
        "from evidence_lint.model.example import Expected, research_example\n"
        "from evidence_lint.rule import rule\n\n\n"
        "@rule('LOCAL001', 'breaks', passes=[research_example('a')], fails=[research_example('b', Expected('c'))])\n"
        "def breaks(bundle: ResearchBundle):\n"
        '    """It breaks.\n\n    Why: a test.\n\n    Fix: nothing.\n    """\n'
        "    raise RuntimeError('boom')\n"
    )
    told = lines(reports, "docs/good", "-k", "LOCAL001", status=1)
    assert "1 error" in told[-1]
    assert "passed" not in told[-1]
    assert any("RuntimeError: boom" in line for line in told)


def test_a_wrong_configuration_is_a_usage_error(reports: Path) -> None:
    (reports / "evidence-lint.toml").write_text("nosuch = 1\n")
    lines(reports, "docs", status=4)


def test_what_pytest_does_not_look_into_is_named(reports: Path) -> None:
    (reports / "docs" / "bad").rename(reports / "docs" / "build")
    told = lines(reports, "docs", status=0)
    assert any(line.startswith("not collected") and line.endswith("docs/build/report.md") for line in told)

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from evidence_lint.model.example import BASE_FINDING
from evidence_lint.model.output import results_schema
from tests.support.cli_support import faulty, lint, outcomes, program, results, write_bundle

LOCAL_RULE = '''
from evidence_lint.model.artifact import Bundle
from evidence_lint.model.example import Example, Expected
from evidence_lint.rule import rule


@rule("ACME101", "acme-rule", passes=[Example("p", {})], fails=[Example("f", {}, (Expected("x"),))])
def check(bundle: Bundle):
    """A local rule.

    Why: a test.

    Fix: nothing.
    """
    BODY
    yield from ()
'''


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def json_of(capfd: pytest.CaptureFixture[str], *arguments: str | Path, status: int | None = None) -> dict[str, object]:
    got = lint("check", "--offline", "--format", "json", *arguments)
    out, err = capfd.readouterr()
    assert status is None or got == status, (out, err)
    document = results(out)
    jsonschema.validate(document, results_schema())
    assert document["exit_status"] == got
    return document


# Exit statuses


def test_status_0_all_passed(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs")
    document = json_of(capfd, status=0)
    assert document["bundles"][0]["path"] == "docs"  # type: ignore[index]
    assert document["counts"]["failed"] == 0  # type: ignore[index]


def test_status_1_some_failed(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    document = json_of(capfd, "docs", status=1)
    assert "WEB104" in outcomes(document)


@pytest.mark.parametrize("body", ["1 / 0", "raise SystemExit(0)"])
def test_status_3_a_rule_broke(here: Path, capfd: pytest.CaptureFixture[str], body: str) -> None:
    faulty(here / "docs")
    (here / "acme.py").write_text(LOCAL_RULE.replace("BODY", body))
    (here / "evidence-lint.toml").write_text('rules = ["acme.py"]\n')
    document = json_of(capfd, "docs", status=3)
    assert outcomes(document, "errored") == {"ACME101"}
    assert "WEB104" in outcomes(document), "the others still ran"
    (row,) = [row for row in document["bundles"][0]["verdicts"] if row["outcome"] == "errored"]  # type: ignore[index]
    assert "acme.py:" in row["message"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["absent"], "no such file or folder: absent"),
        (["absent::x"], "no such file or folder: absent"),
        ([""], "no such file or folder"),
        (["--no-such-option"], "No such option"),
        (["--offline", "--live"], "contradict"),
        (["--isolated", "--config", "x"], "contradict"),
        (["--isolated", "--policy-from", "HEAD"], "contradict"),
        (["--repo", "absent"], "--repo absent: no such folder"),
        (["--select", "WEB14"], "did you mean 'WEB1"),
        (["--select", "W"], "names no rule or family"),
        (["--ignore", "nonsense"], "names no rule or family"),
        (["--extend-select", "nonsense"], "names no rule or family"),
        (["-k", "a and"], "a word is missing"),
        (["--config", "absent.toml"], "there is no such file"),
        (["--baseline", "absent.json"], "no such baseline"),
        (["--fail-on", "info"], "'info'"),
        (["--format", "yaml"], "there is no format 'yaml'"),
        (["--format", "json", "--format", "sarif"], "two formats for standard output"),
        (["--format", "json", "--output", "a", "--format", "sarif", "--output", "a"], "two formats for one file"),
        (["--output", "docs"], "this is a folder"),
        (["--show", "skipped"], "'skipped'"),
        (["--color", "blue"], "'blue'"),
        (["--unsafe-fixes"], "goes with --fix or --diff"),
        (["--allow-network", "nonsense"], "nonsense"),
        (["docs/report.md::finding-9"], "no selected check answers to docs/report.md::finding-9"),
        (["docs/report.md::bundle::no-such-rule"], "no selected check answers"),
    ],
)
def test_status_4_wrong_usage(here: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], told: str) -> None:
    write_bundle(here / "docs")
    status = lint("check", *arguments, *(() if "--live" in arguments else ("--offline",)))
    out, err = capfd.readouterr()
    assert (status, out) == (4, ""), err
    assert told in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('selct = ["WEB"]', "selct: there is no such key; did you mean 'select'?"),
        ('fail-on = "warnings"', "did you mean 'warning'"),
        ("[gate]\nmax-mediun = 1", "gate.max-mediun: there is no such key; did you mean 'max-medium'?"),
        ('[per-path."a"]\nignor = []', "did you mean 'ignore'?"),
        ("[severity]\nWEB14 = 'off'", "did you mean 'WEB1"),
        ("select = 5", "select: an array is expected"),
        ("select = [", "not valid TOML"),
        ('rules = ["absent.py"]', "absent.py"),
        ('plugins = ["absent_module"]', "absent_module"),
        ('baseline = "absent.json"', "no such baseline"),
        ('[gate]\nrequired-rules = ["nonsense"]', "names no rule"),
        ('suppressible = ["nonsense"]', "names no rule"),
    ],
)
def test_status_4_wrong_configuration(here: Path, capfd: pytest.CaptureFixture[str], text: str, told: str) -> None:
    write_bundle(here / "docs")
    (here / "evidence-lint.toml").write_text(text)
    assert lint("check", "docs", "--offline") == 4
    out, err = capfd.readouterr()
    assert out == ""
    assert told in err


def test_status_5_nothing_to_check(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (here / "empty").mkdir()
    document = json_of(capfd, "empty", status=5)
    assert document["bundles"] == []
    assert "no report was found at or below empty" in document["notices"]  # type: ignore[operator]
    write_bundle(here / "docs")
    json_of(capfd, "docs", "-k", "nothing-is-called-so", status=5)
    json_of(capfd, "docs", "--select", "CODE108", status=5)


def test_an_argument_without_reports_is_told_beside_others(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs")
    (here / "empty").mkdir()
    document = json_of(capfd, "docs", "empty", status=0)
    assert document["notices"] == ["no report was found at or below empty"]


def test_a_record_names_its_bundle(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    assert "WEB104" in outcomes(json_of(capfd, "docs/findings.json", status=1))


def test_an_unreadable_report_fails(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs")
    (here / "docs/report.md").write_bytes(b"\xff\xfe\x00")
    document = json_of(capfd, "docs/report.md", status=1)
    assert any(rule.startswith("IN") for rule in outcomes(document))


def test_folders_that_cannot_be_read_are_no_traceback(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (here / "docs").mkdir()
    (here / "docs/findings.json").symlink_to("findings.json")
    os.mkfifo(here / "docs/report.md")
    document = json_of(capfd, "docs")
    assert document["exit_status"] in {1, 5}


# What counts


@pytest.mark.parametrize(("word", "status"), [("error", 0), ("warning", 1), ("never", 0)])
def test_fail_on(here: Path, capfd: pytest.CaptureFixture[str], word: str, status: int) -> None:
    faulty(here / "docs")
    (here / "evidence-lint.toml").write_text("[severity]\nALL = 'warning'\n")
    json_of(capfd, "docs", "--fail-on", word, status=status)
    (here / "evidence-lint.toml").write_text(f"fail-on = '{word}'\n[severity]\nALL = 'warning'\n")
    json_of(capfd, "docs", status=status)


def test_never_fails_and_still_tells_what_broke(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    assert "WEB104" in outcomes(json_of(capfd, "docs", "--fail-on", "never", status=0))


def test_selection(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    config = here / "evidence-lint.toml"
    assert outcomes(json_of(capfd, "docs", "--select", "WEB104,WEB105", status=1)) == {"WEB104"}
    json_of(capfd, "docs", "--select", "WEB", "--ignore", "WEB104", status=0)
    config.write_text('select = ["IN"]\n')
    json_of(capfd, "docs", status=0)
    assert outcomes(json_of(capfd, "docs", "--extend-select", "WEB104", status=1)) == {"WEB104"}
    config.write_text('ignore = ["WEB"]\n')
    assert "WEB104" not in outcomes(json_of(capfd, "docs"))
    assert "WEB104" in outcomes(json_of(capfd, "docs", "--extend-select", "WEB104"))
    assert outcomes(json_of(capfd, "docs", "--select", "WEB104", status=1)) == {"WEB104"}
    config.write_text('extend-select = ["WEB104"]\nignore = ["WEB"]\n')
    assert "WEB104" in outcomes(json_of(capfd, "docs"))
    json_of(capfd, "docs", "--select", "IN", status=0)
    config.write_text("[severity]\nWEB104 = 'off'\n")
    assert "WEB104" not in outcomes(json_of(capfd, "docs"))


def test_settings_by_path_are_relative_to_the_configuration(
    here: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty(here / "project/drafts/one")
    faulty(here / "project/docs/one")
    (here / "project/evidence-lint.toml").write_text('[per-path."drafts/**"]\nselect = ["IN"]\n')
    for place, argument in ((here, "project"), (here / "project", "."), (here / "project/drafts", "..")):
        monkeypatch.chdir(place)
        document = json_of(capfd, argument, status=1)
        found = {Path(row["path"]).absolute().parent.name: row["counts"]["failed"] for row in document["bundles"]}  # type: ignore
        assert found["drafts"] == 0, place
        assert found["docs"] > 0


def test_a_link_chooses_no_settings(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "drafts/one")
    (here / "docs").mkdir()
    (here / "docs/one").symlink_to("../drafts/one")
    (here / "evidence-lint.toml").write_text('[per-path."drafts/**"]\nselect = ["IN"]\n')
    json_of(capfd, "docs/one", status=1)
    json_of(capfd, "drafts/one", status=0)


def test_excluded_paths_are_relative_to_the_configuration(
    here: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bundle(here / "docs/old/one")
    write_bundle(here / "docs/new/one")
    (here / "evidence-lint.toml").write_text('exclude = ["docs/old/**"]\n')
    for place, argument in ((here, "."), (here, "docs"), (here / "docs", ".")):
        monkeypatch.chdir(place)
        document = json_of(capfd, argument, status=0)
        assert [Path(row["path"]).parent.name for row in document["bundles"]] == ["new"], place  # type: ignore


def test_paths_with_different_configurations_are_refused(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in "ab":
        faulty(here / name)
        (here / name / "evidence-lint.toml").write_text("")
    assert lint("check", "a", "b", "--offline") == 4
    assert "different configurations" in capfd.readouterr().err
    json_of(capfd, "a", "b", "--config", "a/evidence-lint.toml", status=1)


def test_node_ids_narrow_the_run(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    document = json_of(capfd, "docs", status=1)
    nodes = [row["node"] for row in document["bundles"][0]["verdicts"] if row["rule"] == "WEB104"]  # type: ignore[index]
    again = json_of(capfd, nodes[0], status=1)
    assert [row["node"] for row in again["bundles"][0]["verdicts"]] == [nodes[0]]  # type: ignore[index]
    folder = json_of(capfd, nodes[0].replace("docs/report.md", "docs"), status=1)
    assert folder["bundles"] == again["bundles"]
    json_of(capfd, nodes[0] + "[2]", status=1)
    whole = json_of(capfd, nodes[0], "docs", status=1)
    assert whole["counts"] == document["counts"], "an argument that asks for all is not narrowed"


def test_keywords_narrow_the_run(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    assert outcomes(json_of(capfd, "docs", "-k", "excerpt-not-in-content and not other", status=1)) == {"WEB104"}


# Printing


def test_several_formats_in_one_run(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    status = lint(
        "check", "docs", "--offline",
        "--format", "json", "--output", "a/r.out",
        "--output", "r.sarif",
        "--output=r.sarif.json",
        "--format=concise",
        "--output", "r.xml",
        "--output", "r.md",
    )  # fmt: skip
    out, err = capfd.readouterr()
    assert (status, out) == (1, ""), err
    assert results((here / "a/r.out").read_text())["exit_status"] == 1
    assert json.loads((here / "r.sarif").read_text())["version"] == "2.1.0"
    assert json.loads((here / "r.sarif.json").read_text())["version"] == "2.1.0"
    assert (here / "r.xml").read_text().startswith("docs/"), "--format concise stood before it"
    assert "WEB104" in (here / "r.md").read_text()
    assert lint("check", "docs", "--offline", "--format", "concise", "--format", "json", "--output", "b.json") == 1
    assert "WEB104" in capfd.readouterr().out
    assert lint("check", "docs", "--offline", "--format", "json", "--output", "-") == 1
    assert results(capfd.readouterr().out)["bundles"]
    assert not (here / "-").exists()


def test_passed_checks_are_listed_on_demand(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs")
    assert not outcomes(json_of(capfd, "docs"), "passed")
    shown = json_of(capfd, "docs", "--show", "passed")
    assert len([r for r in shown["bundles"][0]["verdicts"] if r["outcome"] == "passed"]) == shown["counts"]["passed"]  # type: ignore


def test_an_output_that_cannot_be_written(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs")
    (here / "file").write_text("")
    status = lint("check", "docs", "--offline", "--output", "file/x.json", "--output", "ok.json")
    assert status == 4
    assert "file/x.json cannot be written" in capfd.readouterr().err
    assert results((here / "ok.json").read_text())["exit_status"] == 0, "the others are written"


def test_colours(here: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    faulty(here / "docs")
    lint("check", "docs", "--offline")
    assert "\x1b[" not in capfd.readouterr().out
    lint("check", "docs", "--offline", "--color", "always")
    assert "\x1b[" in capfd.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colours_on_a_terminal(here: Path, env: dict[str, str], coloured: bool) -> None:
    import pty

    faulty(here / "docs")
    parent, child = pty.openpty()
    try:
        done = program(
            "check",
            "docs",
            "--offline",
            env={"TERM": "xterm", "NO_COLOR": "", **env},
            stdout=child,
            stderr=subprocess.PIPE,
            capture_output=False,
        )
        text = os.read(parent, 100_000)
    finally:
        os.close(child)
        os.close(parent)
    assert done.returncode == 1
    assert (b"\x1b[" in text) is coloured


def test_paths_in_any_script(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "文書/レポート 😀")
    document = json_of(capfd, "文書", status=1)
    assert document["bundles"][0]["path"] == "文書/レポート 😀"  # type: ignore[index]
    odd = os.fsdecode(b"caf\xe9")
    faulty(here / odd)
    done = program("check", odd, "--offline", env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1, done.stderr
    assert program("explain", "WEB104", env={"PYTHONIOENCODING": "ascii"}).returncode == 0


# As a process


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_pipe_that_is_closed_early_is_no_traceback(here: Path, unbuffered: str) -> None:
    for number in range(30):
        faulty(here / f"docs/{number}")
    command = [
        sys.executable,
        "-m",
        "evidence_lint",
        "check",
        "docs",
        "--offline",
        "--format",
        "json",
        "--show",
        "passed",
    ]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.read(10) == b'{\n  "schem'
        running.stdout.close()
        told = running.stderr.read()
        assert running.wait(60) == 2
    assert told == b""


def test_a_full_disk_and_a_closed_output_are_told(here: Path) -> None:
    write_bundle(here / "docs")
    with Path("/dev/full").open("wb") as full:
        done = program("check", "docs", "--offline", stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert (done.returncode, b"cannot be written" in done.stderr) == (4, True), done.stderr
    command = f"{sys.executable} -m evidence_lint check docs --offline >&-"
    closed = subprocess.run(["bash", "-c", command], capture_output=True, check=False, timeout=60)
    assert closed.returncode == 4
    assert b"standard output is closed" in closed.stderr


def test_what_a_small_offline_run_imports(here: Path) -> None:
    write_bundle(here / "docs")
    done = program("check", "docs", "--offline", "--format", "concise", python=["-X", "importtime"])
    assert done.returncode == 0
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.decode().splitlines()}
    assert "evidence_lint_rules" in imported
    assert not imported & {"httpx", "httpcore", "git", "ssl", "jinja2", "rich", "hypothesis", "selectolax", "asyncio"}


@pytest.mark.parametrize("python", [[], ["-P"], ["-I"]])
def test_nothing_of_the_current_folder_is_imported(here: Path, python: list[str]) -> None:
    write_bundle(here / "docs")
    for name in ("json", "click", "pluggy", "evidence_lint_rules", "dataclasses", "conftest", "sitecustomize"):
        (here / f"{name}.py").write_text(f"open({str(here / 'imported')!r}, 'w').close()\n")
    done = program("check", "docs", "--offline", cwd=here, python=python)
    assert done.returncode == 0, done.stderr
    assert not (here / "imported").exists()


def test_an_interrupt_gives_status_2(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    (here / "acme.py").write_text(LOCAL_RULE.replace("BODY", "raise KeyboardInterrupt"))
    (here / "evidence-lint.toml").write_text('rules = ["acme.py"]\n')
    json_of(capfd, "docs", status=2)
    before = (here / "docs/report.md").read_bytes()
    assert lint("check", "docs", "--offline", "--fix", "--unsafe-fixes") == 2
    assert (here / "docs/report.md").read_bytes() == before


def test_a_broken_plugin_is_told_without_a_traceback(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs")
    (here / "acme.py").write_text("import no_such_module_anywhere\n")
    (here / "evidence-lint.toml").write_text('rules = ["acme.py"]\n')
    assert lint("check", "docs", "--offline") == 4
    err = capfd.readouterr().err
    assert "acme.py cannot be loaded: ModuleNotFoundError" in err


def test_changed_files_that_belong_to_no_bundle_are_fine(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    (here / "notes.md").write_text("# Notes\n")
    assert lint("check", "--changed", "--offline", "notes.md", "gone.md") == 0
    assert lint("check", "--changed", "--offline", "gone.md") == 0
    assert lint("check", "--changed", "--offline", "notes.md", "docs/content.json") == 1


def test_every_finding_is_in_machine_output(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs", findings=[BASE_FINDING, {**BASE_FINDING, "id": "second"}, "broken"])
    document = json_of(capfd, "docs")
    assert len(document["bundles"][0]["findings"]) == 3  # type: ignore[index]


def test_several_jobs_print_what_one_prints(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for number in range(4):
        (write_bundle if number % 2 else faulty)(here / f"docs/{number}")
    one = json_of(capfd, "docs", status=1)
    assert json_of(capfd, "docs", "-j", "3", status=1) == one
    assert json_of(capfd, "docs", "--jobs", "0", "--show", "passed") == json_of(capfd, "docs", "--show", "passed")
    assert lint("check", "docs", "--offline", "-j", "-1") == 4

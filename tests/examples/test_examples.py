"""Every row of the table in examples/README.md, through the real command line and without network."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import jsonschema
import pytest
from click.testing import CliRunner

from evidence_lint.cli import cli, run

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
REPOSITORY = "/tmp/demo"


class Row(NamedTuple):
    bundle: str
    command: str
    status: int
    rules: frozenset[str]


def _rows() -> list[Row]:
    found = []
    for line in (EXAMPLES / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| [`") and len(cells) == 5:
            name = re.findall(r"`([^`]+)`", cells[0])[0]
            found.append(Row(name, cells[2].strip("`"), int(cells[3]), frozenset(cells[4].split())))
    return found


ROWS = _rows()


def _script(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # A dataclass looks its module up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository that the records speak about."""
    folder = tmp_path_factory.mktemp("demo")
    _script(EXAMPLES / "build_repository.py").build(folder)
    return folder


@pytest.fixture(scope="session")
def schema() -> jsonschema.Draft202012Validator:
    """What ``evidence-lint schema results`` prints."""
    done = CliRunner().invoke(cli, ["schema", "results"])
    assert done.exit_code == 0
    return jsonschema.Draft202012Validator(json.loads(done.stdout))


@pytest.fixture(scope="module")
def site() -> Iterator[tuple[str, list[str]]]:
    """The local site on a free port: its authority, and the paths that were asked for."""
    module = _script(EXAMPLES / "hybrid-live" / "serve.py")
    asked: list[str] = []

    def note(handler: Any, form: str, *args: object) -> None:
        asked.append(handler.path)

    module.Site.log_message = note
    with module.make_server(0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()
        thread.join()


def _check(
    command: str, demo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, dict[str, Any]]:
    """Run a command of the table as it stands, with JSON output."""
    monkeypatch.chdir(ROOT)
    program, *words = shlex.split(command.replace(REPOSITORY, str(demo)))
    assert program == "evidence-lint"
    capsys.readouterr()
    status = run([*words, "--isolated", "--format", "json"])
    out, err = capsys.readouterr()
    assert err == ""
    return status, json.loads(out)


def _speaking(document: dict[str, Any]) -> set[str]:
    verdicts = [verdict for bundle in document["bundles"] for verdict in bundle["verdicts"]]
    undecided = [
        (verdict["node"], verdict["outcome"]) for verdict in verdicts if verdict["outcome"] in ("skipped", "errored")
    ]
    assert not undecided
    return {verdict["rule"] for verdict in verdicts if verdict["outcome"] == "failed"}


def test_every_bundle_has_its_row() -> None:
    reports = {path.parent.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*report.md")}
    assert reports == {row.bundle for row in ROWS}
    assert all(f"examples/{row.bundle} " in f"{row.command} " for row in ROWS)


@pytest.mark.parametrize("row", [row for row in ROWS if "--live" not in row.command], ids=lambda row: row.bundle)
def test_bundle(
    row: Row,
    demo: Path,
    schema: jsonschema.Draft202012Validator,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, document = _check(row.command, demo, monkeypatch, capsys)
    schema.validate(document)
    assert document["captures"] == []
    assert _speaking(document) == row.rules
    assert status == document["exit_status"] == row.status


@pytest.mark.parametrize("row", [row for row in ROWS if "--live" in row.command], ids=lambda row: row.bundle)
def test_live_bundle(
    row: Row,
    demo: Path,
    site: tuple[str, list[str]],
    schema: jsonschema.Draft202012Validator,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    authority, asked = site
    folder = _at(authority, EXAMPLES / row.bundle, tmp_path)
    asked.clear()
    status, document = _check(row.command.replace(f"examples/{row.bundle}", str(folder)), demo, monkeypatch, capsys)
    schema.validate(document)
    assert asked == ["/lending-rules"]
    [capture] = document["captures"]
    assert (capture["outcome"], capture["via_allowed_network"]) == ("ok", True)
    assert document["run"]["allow_network"] == ["127.0.0.0/8"]
    assert _speaking(document) == row.rules
    assert status == document["exit_status"] == row.status


def test_no_connection_without_the_allowed_network(
    demo: Path,
    site: tuple[str, list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    authority, asked = site
    folder = _at(authority, EXAMPLES / "hybrid-live" / "medium", tmp_path)
    asked.clear()
    status, document = _check(f"evidence-lint check {folder} --repo {demo} --live", demo, monkeypatch, capsys)
    assert (status, asked) == (1, [])
    assert _speaking(document) == {"LIVE102"}


def _at(authority: str, bundle: Path, folder: Path) -> Path:
    """Copy a bundle that cites the port of serve.py to one that cites ``authority``."""
    target = folder / "bundle"
    shutil.copytree(bundle, target)
    for path in target.iterdir():
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("127.0.0.1:8765", authority), encoding="utf-8")
    return target


def test_wrong_checkout_is_never_a_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    builder = _script(EXAMPLES / "build_repository.py")
    monkeypatch.setattr(builder, "HISTORY", builder.HISTORY[:1])
    builder.build(other)
    monkeypatch.chdir(ROOT)
    assert run(["check", "examples/runtime", "--repo", str(other), "--isolated", "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    failed = {verdict["rule"] for verdict in document["bundles"][0]["verdicts"]}
    assert {"CODE105", "TEST112", "CIT113"} <= failed
    assert {finding["effective_confidence"] for finding in document["bundles"][0]["findings"]} == {None}


def test_faults_stand_where_they_are(
    demo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each planted fault of faulty-web is found at the words that hold it."""
    _, document = _check("evidence-lint check examples/faulty-web", demo, monkeypatch, capsys)
    lines = {
        name: (EXAMPLES / "faulty-web" / name).read_text(encoding="utf-8").splitlines()
        for name in ("report.md", "findings.json")
    }
    planted = {
        "WEB104": "Roofs with under eight centimetres",
        "CONF101": "Ceilings stay cooler in July",
        "CIT116": "3.2 °C",
        "OUT115": "Retrieved sources: 8",
        "CIT101": "[5]",
        "CIT115": "“the",
        "CIT118": "utm_source=chatgpt.com",
    }
    seen = {}
    for verdict in document["bundles"][0]["verdicts"]:
        place = verdict["location"]
        seen[verdict["rule"]] = lines[Path(place["path"]).name][place["line"] - 1]
    assert {rule: words in seen[rule] for rule, words in planted.items()} == dict.fromkeys(planted, True)


def test_suppression_is_told_with_its_reason(
    demo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, document = _check("evidence-lint check examples/two-reports", demo, monkeypatch, capsys)
    noise, vibration = document["bundles"]
    assert (noise["path"], vibration["path"]) == (
        "examples/two-reports/noise.report.md",
        "examples/two-reports/vibration.report.md",
    )
    [verdict] = [verdict for verdict in noise["verdicts"] if verdict["outcome"] == "suppressed"]
    assert verdict["rule"] == "CIT102"
    assert verdict["suppression"]["reason"].startswith("kept as further reading")


def test_repository_is_the_same_everywhere(demo: Path) -> None:
    """The ids that the committed records hold are those that the script makes."""
    records = json.loads((EXAMPLES / "codebase" / "code_evidence.json").read_text(encoding="utf-8"))["evidence"]
    pinned = {record["commit"] for record in records}
    made = (demo / ".git" / "logs" / "HEAD").read_text(encoding="utf-8")
    assert pinned == {line.split()[1] for line in made.splitlines()}


def test_script_refuses_a_folder_that_is_not_empty(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept", encoding="utf-8")
    with pytest.raises(SystemExit, match="not empty"):
        _script(EXAMPLES / "build_repository.py").build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]

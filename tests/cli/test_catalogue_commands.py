"""``rules``, ``explain``, ``schema`` and ``new-rule``."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from evidence_lint.engine.catalogue import load_catalogue
from evidence_lint.engine.plugins import import_file
from evidence_lint.model.records import schemas
from evidence_lint.testing import check_example, example_cases
from evidence_lint.version import __version__
from tests.support.cli_support import lint, program, results, write_bundle

RULES = load_catalogue().rules


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_rules_as_text_and_as_json(capfd: pytest.CaptureFixture[str]) -> None:
    assert lint("rules") == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [rule.code for rule in RULES]
    assert lint("rules", "--format", "json") == 0
    document = results(capfd.readouterr().out)
    assert document["schema"] == "evidence-lint/rules-v1"
    assert [row["code"] for row in document["rules"]] == [rule.code for rule in RULES]
    for row in document["rules"]:
        assert row["summary"] and row["why"] and row["fix"] and row["dialects"], row["code"]
        assert {example["outcome"] for example in row["examples"]} == {"passed", "failed"}


def test_rules_of_a_family(capfd: pytest.CaptureFixture[str]) -> None:
    assert lint("rules", "WEB104", "META") == 0
    codes = [line.split()[0] for line in capfd.readouterr().out.splitlines()]
    assert "WEB104" in codes
    assert {code.rstrip("0123456789") for code in codes} == {"META", "WEB"}
    assert lint("rules", "WEB14") == 4
    assert "did you mean" in capfd.readouterr().err


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_is_explained(rule: object, capfd: pytest.CaptureFixture[str]) -> None:
    assert lint("explain", rule.name, "--isolated") == 0  # type: ignore[attr-defined]
    text = capfd.readouterr().out
    assert text.startswith(f"{rule.code} {rule.name} (")  # type: ignore[attr-defined]
    for word in ("\nWhy: ", "\nFix: ", "\nPasses: ", "\nFails: ", "    → "):
        assert word in text


def test_explain_offers_the_nearest(capfd: pytest.CaptureFixture[str]) -> None:
    assert lint("explain", "excerpt-not-in-contents") == 4
    assert "did you mean 'excerpt-not-in-content'?" in capfd.readouterr().err


def test_every_schema_is_one(capfd: pytest.CaptureFixture[str]) -> None:
    assert lint("schema") == 0
    names = capfd.readouterr().out.split()
    assert names == ["results", *schemas()]
    for name in names:
        assert lint("schema", name) == 0
        schema = results(capfd.readouterr().out)
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert lint("schema", "nonsense") == 4
    assert "there are results, " in capfd.readouterr().err


def test_schemas_fit_clean_records_and_the_program_s_own_output(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs")
    write_bundle(here / "code", kind="codebase")
    kinds = {
        "findings.json": "findings",
        "results.json": "results",
        "content.json": "items",
        "code_evidence.json": "evidence",
    }
    models = schemas()
    for path in sorted(here.glob("*/*.json")):
        document = json.loads(path.read_text())
        rows = document[kinds[path.name]]
        fitting = [
            name
            for name, model in models.items()
            if all(_fits(row, model.model_json_schema(by_alias=True)) for row in rows)
            or _fits(document, model.model_json_schema(by_alias=True))
        ]
        assert fitting, path
    lint("check", "docs", "--offline", "--format", "json", "--show", "passed")
    document = results(capfd.readouterr().out)
    lint("schema", "results")
    jsonschema.validate(document, results(capfd.readouterr().out))


def _fits(value: object, schema: dict[str, object]) -> bool:
    return jsonschema.Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize(
    ("place", "configured"),
    [
        ("acme_rules/titles.py", False),
        ("acme_rules/web/titles.py", False),
        ("acme/titles.py", True),
        ("plain_rules/titles.py", True),
    ],
)
def test_a_rule_in_a_package_of_rules_needs_no_configuration(
    here: Path, capfd: pytest.CaptureFixture[str], place: str, configured: bool
) -> None:
    for package in ("acme_rules", "acme_rules/web", "acme"):
        (here / package).mkdir()
        (here / package / "__init__.py").touch()
    (here / "plain_rules").mkdir()
    assert lint("new-rule", "ACME101", "finding-title-lost", "--output", place) == 0
    out = capfd.readouterr().out
    assert (f'rules = ["{place}"]' in out) is configured
    assert ("the package acme_rules" in out and "nothing needs to be configured" in out) is not configured


def test_doctor_says_which_path_is_wrong(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert lint("doctor", "nowhere") == 1
    rows = [line.split() for line in capfd.readouterr().out.splitlines()]
    assert rows[-1] == ["problem", "path", "no", "such", "file", "or", "folder:", "nowhere"]
    assert not any(row[1] == "configuration" for row in rows)


def test_a_new_rule_runs_and_its_examples_pass(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert lint("new-rule", "ACME101", "finding-title-lost") == 0
    assert 'rules = ["finding_title_lost.py"]' in capfd.readouterr().out
    (here / "evidence-lint.toml").write_text('rules = ["finding_title_lost.py"]\n')
    write_bundle(here / "docs", sections={4: "- (Medium confidence): Something holds. [1]"})
    assert lint("check", "docs", "--offline", "--format", "json") == 1
    rows = results(capfd.readouterr().out)["bundles"][0]["verdicts"]
    assert [row["message"] for row in rows if row["rule"] == "ACME101"] == ["this finding has no title"]
    assert lint("explain", "ACME101") == 0
    assert lint("rules", "ACME") == 0
    assert "finding-title-lost" in capfd.readouterr().out
    assert lint("rules", "ACME", "--isolated") == 4
    catalogue = load_catalogue(rule_files=[here / "finding_title_lost.py"])
    cases = example_cases(import_file(here / "finding_title_lost.py"))
    assert len(cases) == 2
    for number, case in enumerate(cases):
        check_example(case, here / str(number), catalogue)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["acme101", "x"], "is no code"),
        (["ACME1", "x"], "is no code"),
        (["ACME101", "Not_A_Name"], "is no name"),
        (["WEB104", "mine"], "WEB104 is the rule WEB104 excerpt-not-in-content already"),
        (["ACME101", "excerpt-not-in-content"], "is the rule WEB104"),
        (["ACME101", "x", "--output", "absent/x.py"], "cannot be written"),
        (["ACME101", "x", "--output", "there.py"], "exists already"),
    ],
)
def test_new_rule_refuses(here: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], told: str) -> None:
    (here / "there.py").write_text("precious")
    assert lint("new-rule", *arguments) == 4
    assert told in capfd.readouterr().err
    assert (here / "there.py").read_text() == "precious"


def test_a_rule_named_by_a_keyword_is_python_all_the_same(here: Path) -> None:
    assert lint("new-rule", "ACME101", "class") == 0
    assert load_catalogue(rule_files=[here / "class_.py"]).rule("class") is not None


def test_the_program_tells_its_version_and_its_commands() -> None:
    assert program("--version").stdout.decode().strip() == f"evidence-lint, version {__version__}"
    told = program("--help").stdout.decode()
    assert "Exit status: 0 all passed" in told
    unknown = program("chekc")
    assert (unknown.returncode, b"No such command" in unknown.stderr) == (4, True)

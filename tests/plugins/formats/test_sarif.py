"""SARIF: the structure that consumers rely on, and the official schema where a copy lies beside the checkout."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from evidence_lint.model.result import FormatOptions
from evidence_lint_plugins.formats.sarif import render
from tests.plugins.formats import format_support as made

SCHEMA = Path(__file__).resolve().parents[4] / "shared" / "schemas" / "sarif-2.1.0.json"


@pytest.fixture(params=["typical", "hostile"])
def log(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return json.loads(render(getattr(made, request.param)(tmp_path), FormatOptions()))


@pytest.mark.skipif(not SCHEMA.is_file(), reason="no copy of the SARIF schema beside the checkout")
def test_official_schema(log):
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.validators.validator_for(schema)(schema).validate(log)


def test_structure(log):
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted(rule["id"] for rule in rules)
    for rule in rules:
        assert rule["help"]["text"]
        assert "evidence" in rule["properties"]["tags"]
        assert rule["defaultConfiguration"]["level"] in {"error", "warning", "note"}
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"].endswith("/")
    assert run["results"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["partialFingerprints"]["evidenceLint/v1"]
        assert result["message"]["text"].isprintable() or "\n" in result["message"]["text"]
        for location in [*result["locations"], *result.get("relatedLocations", [])]:
            physical = location["physicalLocation"]
            assert physical["region"]["startLine"] >= 1
            assert physical["region"].get("startColumn", 1) >= 1
            assert physical["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
            assert physical["artifactLocation"]["uri"].isascii()
            assert " " not in physical["artifactLocation"]["uri"]


def test_results_of_a_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    [run] = json.loads(render(made.typical(tmp_path), FormatOptions()))["runs"]
    by_rule = {result["ruleId"]: result for result in run["results"] if "suppressions" not in result}
    assert set(by_rule) == {"CODE108", "WEB104", "CIT101", "OUT117"}
    assert by_rule["OUT117"]["level"] == "warning"
    dangling = by_rule["CIT101"]
    location = dangling["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "docs/retries/report.md"
    assert location["region"] == {"startLine": 6, "startColumn": 56, "endLine": 6, "endColumn": 59}
    [fix] = dangling["fixes"]
    [replacement] = fix["artifactChanges"][0]["replacements"]
    assert replacement == {"deletedRegion": location["region"], "insertedContent": {"text": ""}}
    assert by_rule["CODE108"]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "/findings/0/title"
    assert by_rule["CODE108"]["relatedLocations"][0]["message"]["text"] == "cited here"
    [suppressed] = [result for result in run["results"] if "suppressions" in result]
    assert suppressed["suppressions"][0]["kind"] == "inSource"
    assert suppressed["suppressions"][0]["justification"] == "shortened on purpose"
    [invocation] = run["invocations"]
    assert invocation["exitCode"] == 1
    assert invocation["executionSuccessful"] is True
    words = [item["message"]["text"] for item in invocation["toolExecutionNotifications"]]
    assert "skipped 2 checks: this run makes no network requests (LIVE101)" in words


def test_errored_checks_are_notifications(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    [run] = json.loads(render(made.hostile(tmp_path), FormatOptions()))["runs"]
    [invocation] = run["invocations"]
    assert invocation["executionSuccessful"] is False
    [error] = [item for item in invocation["toolExecutionNotifications"] if item["level"] == "error"]
    assert error["associatedRule"]["id"] == "CIT101"
    assert "CIT101" not in {result["ruleId"] for result in run["results"]}


def test_text_never_becomes_a_link(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    locator = made.Locator(tmp_path)
    bundle = made.bundle(tmp_path)
    verdict = made.Maker(bundle, locator).fail(
        "CIT101", "[x](http://evil.example) and [7]", made.at(made.REPORT, "[7]")
    )
    [run] = json.loads(render(made.run(made.result([verdict], bundle), locator=locator), FormatOptions()))["runs"]
    assert run["results"][0]["message"]["text"].startswith("\\[x](http://evil.example) and [7]")

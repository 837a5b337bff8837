"""The document that ``--format json`` prints fits its published schema, whatever the bundle holds."""

from __future__ import annotations

import json
import subprocess
import sys

import jsonschema
import pytest

from evidence_lint.model.output import results_schema
from evidence_lint.model.result import FormatOptions
from evidence_lint_plugins.formats import formats
from evidence_lint_plugins.formats.json_results import render
from tests.plugins.formats import format_support as made


@pytest.fixture(params=["typical", "hostile"])
def run(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return getattr(made, request.param)(tmp_path)


def test_every_document_fits_the_schema(run):
    schema = results_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    for passed in (False, True):
        text = render(run, FormatOptions(show_passed=passed))
        jsonschema.Draft202012Validator(schema).validate(json.loads(text))
        text.encode("utf-8")
        assert text.endswith("}\n")
        assert not set(text) & set("\x1b\x00\x7f\x9b\u202e\u2028")


def test_schema_refuses_what_is_no_result():
    validator = jsonschema.Draft202012Validator(results_schema())
    assert not validator.is_valid({"schema": "evidence-lint/results-v1"})
    assert not validator.is_valid([])


def test_names_and_nulls_of_chapter_10(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = json.loads(render(made.typical(tmp_path), FormatOptions()))
    assert document["schema"] == "evidence-lint/results-v1"
    assert document["exit_status"] == 1
    assert document["run"]["mode"] == "offline"
    assert document["run"]["policy"] == {"source": None, "revision": None, "commit": None}
    assert document["captures"][0]["hops"][0]["connected"] == "93.184.216.34"
    [bundle] = document["bundles"]
    assert bundle["path"] == "docs/retries"
    assert bundle["report"] == "docs/retries/report.md"
    assert (bundle["degradation"], bundle["declared_degradation"]) == ("Partial", "Full")
    assert bundle["counts"] == document["counts"]
    assert bundle["counts"] == {
        "passed": 42,
        "failed": 3,
        "warnings": 1,
        "infos": 0,
        "skipped": 3,
        "errored": 0,
        "suppressed": 1,
    }
    first, second, third = bundle["findings"]
    assert first["effective_confidence"] == "medium"
    assert first["evidence"][0] | {"kind": "code", "id": "code-1", "verified": False} == first["evidence"][0]
    assert second["usable"] is False
    assert second["effective_confidence"] is None
    assert second["evidence"][0]["id"] is None
    assert third["title"] is None
    assert third["usable"] is None


def test_verdicts_are_sorted_and_located(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    [bundle] = json.loads(render(made.typical(tmp_path), FormatOptions()))["bundles"]
    keys = [
        (row["location"]["path"], row["location"]["line"], row["location"]["column"], row["rule"])
        for row in bundle["verdicts"]
    ]
    assert keys == sorted(keys)
    assert {row["outcome"] for row in bundle["verdicts"]} == {"failed", "skipped", "suppressed"}
    by_rule = {row["rule"]: row for row in bundle["verdicts"] if row["outcome"] == "failed"}
    dangling = by_rule["CIT101"]
    assert dangling["node"] == "docs/retries/report.md::finding-2::citation-dangling"
    assert dangling["location"] == {
        "path": "docs/retries/report.md",
        "line": 6,
        "column": 56,
        "end_line": 6,
        "end_column": 59,
        "pointer": None,
    }
    start = made.REPORT.index("[7]")
    assert dangling["fix"] == {
        "applicability": "unsafe",
        "description": "Remove the citation",
        "edits": [{"path": "docs/retries/report.md", "start": start, "end": start + 3, "text": ""}],
    }
    record = by_rule["CODE108"]
    assert record["location"]["pointer"] == "/findings/0/title"
    assert record["location"]["line"] == 5
    assert record["help"] == "Copy the lines again with `evidence-lint pin`."
    assert record["related"][0]["message"] == "cited here"
    assert len(record["fingerprint"]) == 32
    [suppressed] = [row for row in bundle["verdicts"] if row["outcome"] == "suppressed"]
    assert suppressed["suppression"]["kind"] == "inline"
    assert suppressed["suppression"]["location"]["line"] == 1


def test_passed_rows_only_when_asked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    [bundle] = json.loads(render(made.typical(tmp_path), FormatOptions(show_passed=True)))["bundles"]
    [passed] = [row for row in bundle["verdicts"] if row["outcome"] == "passed"]
    assert passed["message"] is None
    assert passed["fingerprint"] is None


def test_absent_artifact_is_located_at_its_first_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    [bundle] = json.loads(render(made.hostile(tmp_path), FormatOptions()))["bundles"]
    [row] = [row for row in bundle["verdicts"] if row["rule"] == "IN008"]
    assert row["location"]["path"] == "docs/100% done #2/absent.json"
    assert row["location"]["line"] == 1
    [errored] = [row for row in bundle["verdicts"] if row["outcome"] == "errored"]
    assert errored["message"].startswith("ValueError: ")
    facts = bundle["findings"][0]["evidence"][0]
    assert None in next(value for value in facts.values() if isinstance(value, list))


def test_half_a_fix_is_never_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    locator = made.Locator(tmp_path)
    bundle = made.bundle(tmp_path)
    fix = made.Fix("both", (made.Edit("report", 0, 1, ""), made.Edit("gone", 0, 1, "")))
    verdict = made.Maker(bundle, locator).fail("CIT101", "m", made.at(made.REPORT, "[7]"), fix=fix)
    document = json.loads(render(made.run(made.result([verdict], bundle), locator=locator), FormatOptions()))
    assert document["bundles"][0]["verdicts"][0]["fix"] is None


def test_json_imports_no_library_of_another_format():
    program = (
        "import sys, evidence_lint_plugins.formats as f\n"
        "assert 'pydantic' not in sys.modules, 'listing formats costs nothing'\n"
        "import evidence_lint_plugins.formats.json_results\n"
        "print([m for m in ('rich', 'jinja2', 'httpx', 'git', 'click') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_names_of_formats():
    names = [item.name for item in formats()]
    assert names == ["full", "concise", "json", "sarif", "junit", "github", "gitlab", "markdown", "html"]
    assert all(item.description for item in formats())


def test_formats_render_by_name(run):
    by_name = {item.name: item for item in formats()}
    assert by_name["json"].render(run, FormatOptions()) == render(run, FormatOptions())

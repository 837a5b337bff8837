"""JUnit, GitHub and GitLab output, read back as their consumers read it."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import pytest

from evidence_lint.model.result import FormatOptions
from evidence_lint_plugins.formats import github, gitlab, junit
from tests.plugins.formats import format_support as made

COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)\Z")


@pytest.fixture(params=["typical", "hostile"])
def run(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return getattr(made, request.param)(tmp_path)


def test_junit_is_xml_with_sound_counts(run):
    root = ET.fromstring(junit.render(run, FormatOptions()).encode())
    [suite] = root.findall("testsuite")
    cases = suite.findall("testcase")
    assert int(suite.get("tests")) == len(cases) == int(root.get("tests"))
    assert int(suite.get("failures")) == len(suite.findall(".//failure")) == run.counts.failed
    assert int(suite.get("errors")) == len(suite.findall(".//error")) == run.counts.errored
    assert int(suite.get("skipped")) == run.counts.skipped + run.counts.suppressed
    assert all(set(case.attrib) == {"name", "classname"} for case in cases)
    assert suite.find("properties/property[@name='evidence-lint.passed']").get("value").endswith("passed")


def test_junit_cases(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    root = ET.fromstring(junit.render(made.typical(tmp_path), FormatOptions()).encode())
    by_name = {case.get("name"): case for case in root.iter("testcase")}
    failure = by_name["CIT101 finding-2::citation-dangling"].find("failure")
    assert failure.get("message") == "citation [7] has no entry in section 8"
    assert failure.text.startswith("docs/retries/report.md:6:56: citation [7]")
    assert len(by_name["IN008 finding-1::required-findings-missing"]) == 0
    warning = by_name["OUT117 bundle::partial-summary-unmarked"]
    assert warning.find("failure") is None
    assert warning.find("system-out").text.startswith("warning: ")
    assert by_name["LIVE101 finding-2::live-required"].find("skipped") is not None


def test_github_commands_are_escaped(run):
    text = github.render(run, FormatOptions())
    text.encode("utf-8")
    for line in text.splitlines():
        match = COMMAND.fullmatch(line)
        assert match, line
        properties = dict(item.split("=", 1) for item in match[2].split(","))
        assert set(properties) <= {"file", "line", "endLine", "col", "endColumn", "title"}
        assert all("%" not in re.sub("%(25|0A|0D|3A|2C)", "", value) for value in [*properties.values(), match[3]])
    last = COMMAND.fullmatch(text.splitlines()[-1])
    assert last[1] == "notice"
    assert last[3].startswith("1 bundle")


def test_github_annotations(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = github.render(made.typical(tmp_path), FormatOptions()).splitlines()
    assert lines[1] == (
        "::error file=docs/retries/report.md,line=6,col=56,endColumn=58,title=CIT101 citation-dangling"
        "::citation [7] has no entry in section 8%0AAdd an entry numbered 7, or cite an entry that exists."
    )
    hostile = github.render(made.hostile(tmp_path), FormatOptions())
    assert "file=docs/100%25 done #2/ü%3A%2C%0A<U+DCFF>.md,line=3" in hostile


@pytest.mark.parametrize("number", [10, 11, 60])
def test_github_says_what_it_leaves_out(number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    locator = made.Locator(tmp_path)
    bundle = made.bundle(tmp_path)
    maker = made.Maker(bundle, locator)
    verdicts = [maker.fail("CIT101", f"::error::m {n}", made.at(made.REPORT, "[7]"), f"s{n}") for n in range(number)]
    run = made.run(made.result(verdicts, bundle), locator=locator)
    lines = github.render(run, FormatOptions()).splitlines()
    errors = [line for line in lines if line.startswith("::error")]
    assert len(errors) == 10
    assert sum("m " in line for line in lines) == number
    assert (f"{number - 9} more problems" in errors[-1]) == (number > 10)


def test_gitlab_report(run):
    issues = json.loads(gitlab.render(run, FormatOptions()))
    assert len(issues) == run.counts.failed + run.counts.warnings + run.counts.infos + run.counts.errored
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    for issue in issues:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert issue["location"]["lines"]["begin"] >= 1
        assert not issue["location"]["path"].startswith("./")
        assert issue["description"].isprintable()

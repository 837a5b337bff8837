"""What a run says of itself: the configuration in force, open networks, expressions that fit nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.cli_support import faulty, lint, write_bundle

CONFIGURATION = """\
extend-select = ["META"]
ignore = ["WEB", "CIT", "OUT", "CONF"]
exclude = ["old/**"]
fail-on = "never"
[severity]
EVID = "info"
SUP = "off"
[per-path."drafts/**"]
ignore = ["LIVE"]
severity = {IN = "warning"}
[layout]
content = "pages.json"
[[authority]]
host = "blog.example.org"
level = "project-owned"
reason = "our own"
project = "blog"
"""
TOLD = (
    "configuration docs/evidence-lint.toml: selects besides META; ignores WEB, CIT, OUT, CONF; "
    "severity EVID info, SUP off; for drafts/** it ignores LIVE; for drafts/** severity IN warning; excludes old/**; "
    "never fails (fail-on never); counts as T1 blog.example.org; has a layout for content"
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def notices(capfd: pytest.CaptureFixture[str], *arguments: str, offline: bool = True) -> list[str]:
    lint("check", *(["--offline"] if offline else []), "--format", "json", *arguments)
    out, err = capfd.readouterr()
    assert out, err
    found: list[str] = json.loads(out)["notices"]
    return found


def test_what_a_configuration_changes(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    (here / "docs/evidence-lint.toml").write_text(CONFIGURATION)
    assert notices(capfd, "docs") == [TOLD]


@pytest.mark.parametrize("format_", ["full", "concise", "markdown", "html", "github", "sarif", "json"])
def test_every_format_for_people_names_it(here: Path, capfd: pytest.CaptureFixture[str], format_: str) -> None:
    faulty(here / "docs")
    (here / "docs/evidence-lint.toml").write_text('ignore = ["WEB", "EVID"]\n')
    lint("check", "docs", "--offline", "--format", format_)
    out = " ".join(capfd.readouterr().out.split())
    assert "configuration docs/evidence-lint.toml: ignores WEB, EVID" in out


def test_a_configuration_that_changes_nothing_is_named(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs")
    (here / "evidence-lint.toml").write_text("")
    assert notices(capfd, "docs") == ["configuration evidence-lint.toml is in force"]
    assert notices(capfd, "docs", "--isolated") == []


def test_what_the_command_line_replaces_is_not_told(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    (here / "evidence-lint.toml").write_text('ignore = ["WEB"]\nfail-on = "never"\n')
    told = notices(capfd, "docs", "--select", "WEB", "--fail-on", "error")
    assert told == ["configuration evidence-lint.toml is in force"]


def test_a_baseline_is_told(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    (here / "evidence-lint.toml").write_text('baseline = "known.json"\nselect = ["WEB104"]\n')
    assert lint("baseline", "write", "docs", "--offline") == 0
    capfd.readouterr()
    told = notices(capfd, "docs")
    assert told == [
        "configuration evidence-lint.toml: selects WEB104; baseline known.json with 1 known failure"
    ]  # fmt: skip


def test_long_lists_are_cut_and_no_line_is_forged(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs")
    many = ", ".join(f'"p{number}"' for number in range(20))
    (here / "evidence-lint.toml").write_text(f'exclude = ["x\\n::error::\\u202e", "{"y" * 900}", {many}]\n')
    (told,) = notices(capfd, "docs")
    assert "x\\x0a::error::\\x202e, " in told
    assert told.endswith("and 14 more")
    assert len(told) < 500


def test_an_offline_run_reaches_no_network(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bundle(here / "docs")
    assert notices(capfd, "docs", "--allow-network", "10.0.0.0/8") == []
    (told,) = notices(capfd, "docs", "--allow-network", "10.0.0.0/8", offline=False)
    assert "captures may reach 10.0.0.0/8" in told


@pytest.mark.parametrize("expression", ["WEB104", "web104", "WEB104 and finding-1", "WEB10 and not WEB101"])
def test_keywords_fit_codes(here: Path, capfd: pytest.CaptureFixture[str], expression: str) -> None:
    faulty(here / "docs")
    assert lint("check", "docs", "--offline", "--format", "json", "-k", expression) == 1
    document = json.loads(capfd.readouterr().out)
    assert {row["rule"] for row in document["bundles"][0]["verdicts"] if row["outcome"] == "failed"} == {"WEB104"}
    assert document["notices"] == []


def test_families_can_be_left_out(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty(here / "docs")
    lint("check", "docs", "--offline", "--format", "json", "--show", "passed", "-k", "not WEB1 and not CIT1")
    rules = {row["rule"] for row in json.loads(capfd.readouterr().out)["bundles"][0]["verdicts"]}
    assert rules
    assert not {rule for rule in rules if rule.startswith(("WEB", "CIT"))}


@pytest.mark.parametrize(
    ("expression", "hint"),
    [("WEB14", "; did you mean 'WEB"), ("no and thing", "code"), ("zzzzz", "evidence-lint rules")],
)
def test_an_expression_that_fits_nothing_is_told(
    here: Path, capfd: pytest.CaptureFixture[str], expression: str, hint: str
) -> None:
    faulty(here / "docs")
    (told,) = notices(capfd, "docs", "-k", expression)
    assert told.startswith(f"-k '{expression}' fits no check")
    assert hint in told

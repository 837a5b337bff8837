"""One line a problem, and nothing that could not be checked is hidden."""

from __future__ import annotations

import re

from evidence_lint.model.result import FormatOptions
from evidence_lint_plugins.formats.concise import render
from tests.plugins.formats import format_support as made


def test_lines_of_a_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert render(made.typical(tmp_path), FormatOptions()).splitlines() == [
        "docs/retries/findings.json:5:13: CODE108 the excerpt is not what stands at the pinned lines",
        "docs/retries/report.md:3:1: OUT117 section 3 does not say that the report is partial",
        "docs/retries/report.md:6:56: CIT101 citation [7] has no entry in section 8",
        "docs/retries/report.md:12:34: WEB104 the excerpt does not stand on its page",
        "note: policy read from origin/main",
        "skipped 3 checks: 2 this run makes no network requests (LIVE101); 1 no repository was found (IN008)",
        "1 bundle, 47 checks ran: 42 passed, 3 failed, 1 warning, 1 suppressed, 3 skipped",
    ]


def test_hostile_text_keeps_to_its_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = render(made.hostile(tmp_path), FormatOptions())
    text.encode("utf-8")
    assert not set(text) & set("\x1b\x00\x9b\u202e\ud800\ufffe\r")
    lines = text.splitlines()
    assert len(lines) == 6
    assert "CIT101 the check itself broke: ValueError: ␛[31mred␀" in text
    assert lines[-1].endswith("1 bundle, 45 checks ran: 41 passed, 2 failed, 1 errored, 1 suppressed, 1 skipped")


def test_colours_only_when_asked_and_statistics(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = made.typical(tmp_path)
    plain = render(run, FormatOptions(show_passed=True, statistics=True))
    colored = render(run, FormatOptions(show_passed=True, statistics=True, color=True))
    assert "\x1b[31m" in colored
    assert re.sub(r"\x1b\[\d*m", "", colored) == plain
    assert "IN008 passed: required-findings-missing" in plain
    assert "    1 failed     0 skipped     0 errored  CIT101 citation-dangling" in plain
    assert plain.splitlines()[-1].startswith("1 bundle")


def test_hidden_skips_are_still_counted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = render(made.typical(tmp_path), FormatOptions(show_skipped=False))
    assert "skipped 3 checks" not in text
    assert text.splitlines()[-1].endswith("3 skipped")

"""The default output: snapshots of what a person reads, and what a hostile file cannot do to a terminal."""

from __future__ import annotations

import re
import unicodedata

import pytest
from rich.cells import cell_len

from evidence_lint.model.result import FormatOptions
from evidence_lint_plugins.formats.full import render
from tests.plugins.formats import format_support as made


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("width", [40, 100, 160])
@pytest.mark.parametrize("kind", ["typical", "hostile"])
def test_snapshots(kind, width, tmp_path):
    text = render(getattr(made, kind)(tmp_path), FormatOptions(width=width))
    made.matches_snapshot(f"full-{kind}-{width}.txt", text)


def test_everything_asked_for(tmp_path):
    text = render(made.typical(tmp_path), FormatOptions(show_passed=True, statistics=True))
    made.matches_snapshot("full-typical-everything.txt", text)


@pytest.mark.parametrize("width", [30, 40, 60, 100, 160, None])
@pytest.mark.parametrize("kind", ["typical", "hostile"])
def test_no_line_is_wider_than_the_terminal(kind, width, tmp_path):
    text = render(getattr(made, kind)(tmp_path), FormatOptions(width=width))
    text.encode("utf-8")
    wide = [line for line in text.split("\n") if cell_len(line) > (width or 120)]
    assert wide == []


def test_nothing_of_a_hostile_file_acts(tmp_path):
    text = render(made.hostile(tmp_path), FormatOptions(width=100))
    acting = [c for c in text if unicodedata.category(c) in {"Cc", "Cf", "Cs"} and c != "\n"]
    assert acting == []
    colored = render(made.hostile(tmp_path), FormatOptions(width=100, color=True))
    assert "\x1b" not in re.sub(r"\x1b\[[\d;]*m", "", colored)


def test_colour_changes_no_word(tmp_path):
    run = made.typical(tmp_path)
    colored = re.sub(r"\x1b\[[\d;]*m", "", render(run, FormatOptions(width=100, color=True)))
    plain = render(run, FormatOptions(width=100))
    assert [line.rstrip() for line in colored.split("\n")] == plain.split("\n")


def test_wide_characters_stand_over_their_underline(tmp_path):
    locator = made.Locator(tmp_path)
    bundle = made.bundle(tmp_path)
    verdict = made.Maker(bundle, locator).fail("CIT101", "m", made.at(made.REPORT, "**幅の広い文字**"))
    lines = render(made.run(made.result([verdict], bundle), locator=locator), FormatOptions(width=100)).split("\n")
    [number] = [n for n, line in enumerate(lines) if "再試行" in line]
    source, marks = lines[number], lines[number + 1]
    assert cell_len(source[: source.index("**")]) == marks.index("━")
    assert marks.count("━") == cell_len("**幅の広い文字**")


def test_a_clean_run_says_what_ran(tmp_path):
    locator = made.Locator(tmp_path)
    text = render(made.run(made.result([], made.bundle(tmp_path)), locator=locator), FormatOptions(width=80))
    assert "41 checks passed" in text
    assert "41 checks ran on 1 bundle: 41 passed, 0 failed, 0 skipped" in text
    assert "could not be checked" not in text


def test_no_bundle_is_no_success(tmp_path):
    text = render(made.run(locator=made.Locator(tmp_path), exit_status=5), FormatOptions(width=80))
    assert "0 checks ran on 0 bundles" in text
    assert "Nothing was checked." in text


def test_long_lists_are_shortened(tmp_path):
    locator = made.Locator(tmp_path)
    bundle = made.bundle(tmp_path)
    place = made.at(made.REPORT, "[7]")
    verdict = made.Maker(bundle, locator).fail(
        "CIT101",
        "m",
        place,
        related=tuple(made.Related(place, f"place {n}") for n in range(9)),
        shown=(
            made.Excerpted("blob", tuple(f"line {n}" for n in range(40)), 1),
            made.Excerpted("page", (), None, (("equal", "word " * 400), ("delete", "x"), ("equal", "word " * 400))),
        ),
        fix=made.Fix("f", tuple(made.Edit("report", n, n + 1, "z") for n in range(9))),
    )
    text = render(made.run(made.result([verdict], bundle), locator=locator), FormatOptions(width=100))
    assert "and 3 more places" in text
    assert "… 28 more lines" in text
    assert "and 5 more edits" in text
    assert text.count("word") < 60
    assert "[-x-]" in text


def test_spans_over_several_lines_and_passages_without_a_diff(tmp_path):
    locator = made.Locator(tmp_path)
    bundle = made.bundle(tmp_path)
    start, end = made.REPORT.index("## 4"), made.REPORT.index("## 8")
    verdict = made.Maker(bundle, locator).fail(
        "IN008",
        "m",
        made.Location("report", made.Span(start, end)),
        shown=(made.Excerpted("https://a.example", ("a passage",)),),
        fix=made.Fix(
            "f",
            (made.Edit("content", 0, 1, "a\nb\nc\nd\ne\nf"), made.Edit("report", 3, 4, "x")),
        ),
    )
    result = made.result([verdict], bundle)
    info = made.RunInfo("live", policy_revision="origin/main", policy_source="evidence-lint.toml", repo="/srv/r")
    text = render(made.run(result, locator=locator, info=info), FormatOptions(width=100))
    made.matches_snapshot("full-several-lines.txt", text)


def test_many_bundles_show_findings_only_where_something_is_wrong(tmp_path):
    locator = made.Locator(tmp_path)
    bundle = made.bundle(tmp_path)
    finding = made.FindingRow("f", "the title", "high", "high", "high", True, tuple(f"r{n}" for n in range(9)))
    good = made.result([], bundle, (finding,))
    bad = made.result([made.Maker(bundle, locator).fail("IN008", "m", made.Location("report"))], bundle, (finding,))
    text = render(made.run(*[good] * 6, bad, locator=locator), FormatOptions(width=100))
    assert text.count("the title") == 1
    assert "and 3 more reasons" in text
    assert "7 bundles" in text

"""The job summary: what a stranger wrote stays in its cell and is nothing but text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evidence_lint.model.result import FormatOptions
from evidence_lint_plugins.formats.characters import one_line
from evidence_lint_plugins.formats.markdown import escape, render
from tests.plugins.formats import format_support as made

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("kind", ["typical", "hostile"])
def test_snapshots(kind, tmp_path):
    text = render(getattr(made, kind)(tmp_path), FormatOptions(show_passed=True, statistics=True))
    made.matches_snapshot(f"markdown-{kind}.md", text)


@given(st.text(st.sampled_from("ab1 |`*_~<>&[]()!#@:/.\\\n-+=\"'$w"), max_size=60))
def test_escaped_text_is_text(text):
    escaped = escape(text)
    inline = PARSER.parse(f"| x {escaped} x |\n| --- |\n")
    [cell] = [token for token in inline if token.type == "inline"]
    assert {child.type for child in cell.children or []} <= {"text"}
    shown = "".join(child.content for child in cell.children or []).replace("\u200b", "")
    assert " ".join(shown.split()) == " ".join(f"x {one_line(text)} x".split())


@pytest.mark.parametrize("text", ["@team", "see #12", "https://evil.example/x", "www.evil.example", "a@b.example"])
def test_nothing_is_linked_or_mentioned(text):
    rendered = escape(text)
    assert not re.search(r"(?<!&)[@#]\w|://|www\.", rendered)


def test_every_table_row_has_its_cells(tmp_path):
    text = render(made.hostile(tmp_path), FormatOptions(show_passed=True))
    for table in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE):
        widths = {line.count("|") for line in table.strip().splitlines()}
        assert len(widths) == 1


def test_many_problems_are_cut(tmp_path):
    locator = made.Locator(tmp_path)
    bundle = made.bundle(tmp_path)
    maker = made.Maker(bundle, locator)
    verdicts = [maker.fail("CIT101", f"m {n}", made.at(made.REPORT, "[7]"), f"s{n}") for n in range(400)]
    text = render(made.run(made.result(verdicts, bundle), locator=locator), FormatOptions())
    assert "… and 100 more problems." in text
    assert "400 failed" in text

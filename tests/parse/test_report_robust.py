from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evidence_lint.model.location import Span
from evidence_lint.model.report import Report, contract_heading
from evidence_lint.parse.markdown import parse_report

PIECES = st.sampled_from(
    [
        *(f"## {contract_heading(n)}\n" for n in range(1, 10)),
        *("### Consensus\n", "# T\n", "\n", "\n\n", "\r\n", "\r", "> ", "- ", "  ", "\t", "1. ", "    ", "+ item\n"),
        *(
            "[1]",
            "[2][3]",
            "[1-3]",
            "[1]: https://a.example/c\n",
            "[1] code evidence `c` — a:1 — ",
            "x\ny",
            " — commit: abc",
        ),
        *("https://a.example/(c)", "**", "*", "_", "`", "```\n", "~~~", "<!--", "-->", "<div>", "</a>", '<a href="x">'),
        *("(High confidence)", ": ", "Downgrade: ", "|", "|--|--|\n", "---\n", "===\n", "\\", "&amp;", "&#0;", "\0"),
        *(
            "é",
            "中文",
            "🙂",
            "![",
            "](",
            "[",
            "]",
            "(",
            ")",
            "<https://x.example>",
            "Label: value",
            "\u2028",
            "\x0b",
            "—",
        ),
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=40).map("".join)


def spans(report: Report) -> Iterator[Span]:
    yield from (span for section in report.sections for span in (section.span, section.body))
    yield from (span for heading in report.headings for span in (heading.span, heading.text_span))
    yield from (span for field in report.fields for span in (field.span, field.label_span, field.value_span))
    yield from (span for finding in report.findings for span in (finding.span, finding.title_span))
    yield from (span for passage in report.passages for span in (passage.span, passage.anchor))
    yield from (span for entry in report.entries for span in (entry.span, entry.number_span))
    yield from (span for citation in report.citations for span in (citation.span, citation.marker))
    yield from (link.span for link in report.links)


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_any_text_is_some_report(text: str):
    report = parse_report(text, evidence={"c": ["x\ny", "[1]", ""]}, urls=["https://a.example/c"])
    assert report.text == text
    assert all(span.end <= len(text) for span in spans(report))
    assert all(citation.marker.covers(citation.span) for citation in report.citations)
    for prose in (report.prose, *(section.prose for section in report.sections)):
        assert len(prose.text) == len(prose.origins)
        assert all(0 <= origin <= len(text) for origin in prose.origins)


@given(TEXTS)
@example("\u2028\n[1]")
@example("\\x\ny")
@settings(max_examples=100, deadline=None)
def test_plain_characters_find_their_way_back(text: str):
    report = parse_report(text)
    for char, origin in zip(report.prose.text, report.prose.origins, strict=True):
        if char.isalnum() and "&" not in text:
            assert text[origin] == char


def test_a_quote_in_a_list_in_a_quote():
    # B017
    assert parse_report("> q\n+ item\n  > q2\n\n\n").sections == ()


@pytest.mark.parametrize(
    "hostile",
    [
        "[" * 5000,
        "[1" * 5000,
        "![" * 2000 + "x" + "](u)" * 2000,
        ">" * 5000,
        "\n".join(" " * depth + "- a" for depth in range(300)),
        "`a" * 5000,
        "*a_ " * 5000,
        "<!-- " * 5000,
        "<script>\n" * 3000,
        "https://a.example/(" * 3000,
        "- **T**" + " (x)" * 5000,
        "- **T** " + "(" * 5000,
        "[1] " + "[a](" * 5000,
        "[1] a" + " " * 20000 + "b",
        "## 9" + " " * 10000 + "#" * 10000 + "x",
        "[1] code evidence `c` — " + "x — " * 5000,
        "<!--\n" * 5000,
        "```\n" * 5000,
        "## 8) Sources\n" * 1000,
    ],
)
def test_hostile_text_takes_bounded_time(hostile: str):
    for number in (4, 8):
        started = time.process_time()
        parse_report(f"## {contract_heading(number)}\n\n{hostile}\n", evidence={"c": ["x", "y"]})
        # Linear work takes well under a second; quadratic work would take minutes.
        assert time.process_time() - started < 20

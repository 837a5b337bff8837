from __future__ import annotations

import pytest

from evidence_lint.model.report import TITLES, HeadingMatch, contract_heading
from evidence_lint.parse.markdown import parse_report


def report(**changes: str) -> str:
    """A report with the nine headings; ``h4`` replaces a heading, ``s4`` a body."""
    parts = []
    for number in range(1, 10):
        parts.append(changes.get(f"h{number}", f"## {contract_heading(number)}"))
        parts.append(changes.get(f"s{number}", "Some text."))
    return "\n\n".join(parts) + "\n"


def odd(text: str) -> list[tuple[int | None, str, str]]:
    found = parse_report(text).sections
    return [(s.number, str(s.match), s.heading.text) for s in found if s.match is not HeadingMatch.EXACT]


def missing(text: str) -> set[int]:
    return set(range(1, 10)) - set(parse_report(text).by_number)


def test_nine_sections_in_order_with_their_bodies():
    text = report(s3="The answer.")
    found = parse_report(text)
    assert [s.number for s in found.sections] == list(range(1, 10))
    assert all(s.match is HeadingMatch.EXACT and not s.empty for s in found.sections)
    third = found.by_number[3]
    assert third.heading.span.of(text) == "## 3) Executive Summary"
    assert third.heading.text_span.of(text) == "3) Executive Summary"
    assert third.body.of(text).strip() == "The answer."
    assert third.prose.text.strip() == "The answer."
    assert found.by_number[9].span.end == len(text)


@pytest.mark.parametrize(
    "heading",
    [
        "## 9) Gaps & Limitations ##",
        "##   9) Gaps & Limitations   ",
        "   ## 9) Gaps & Limitations",
        "## 9\\) Gaps \\& Limitations",
        "9\\) Gaps & Limitations\n----------",
    ],
)
def test_exact_headings(heading: str):
    text = report(h9=heading)
    assert odd(text) == []
    assert missing(text) == set()


def test_headings_are_compared_in_nfc():
    # U+212B (angstrom sign) composes to U+00C5; a plain combining mark must not make a contract heading of another.
    assert missing(report(h2="## 2) Me\u0301thod")) == set()
    assert odd(report(h2="## 2) Me\u0301thod"))[0][1] == "renamed"


@pytest.mark.parametrize(
    "hidden",
    [
        "```\n## 4) Key Findings\n```",
        "<!--\n## 4) Key Findings\n-->",
        "> ## 4) Key Findings",
        "- ## 4) Key Findings",
        "    ## 4) Key Findings",
        "##4) Key Findings",
        "3) Executive\n---",
    ],
)
def test_what_is_no_heading(hidden: str):
    assert missing(report(h4=hidden)) == {4}


@pytest.mark.parametrize(
    ("heading", "number"),
    [
        ("## 4) Main Findings", 4),
        ("## 4. Key Findings", 4),
        ("## Key Findings", 4),
        ("## 5) Key Findings", 4),
        ("## 4) **Key Findings**", 4),
        ("## (4) Key findings", 4),
        ("## Key Finding", 4),
        ("## 4）Key Findings", 4),
        ("## 4)  Key Findings", 4),
    ],
)
def test_renamed(heading: str, number: int):
    ((found, match, _),) = odd(report(h4=heading))
    assert (found, match) == (number, "renamed")
    assert missing(report(h4=heading)) == set()


def test_near_titles_of_every_section():
    for number, title in enumerate(TITLES, 1):
        assert odd(report(**{f"h{number}": f"## {title}"})) == [(number, "renamed", title)]


def test_a_title_of_a_present_section_is_unexpected():
    text = report(s5="Text.\n\n## Key Findings\n\nMore.")
    assert odd(text) == [(None, "unexpected", "Key Findings")]


@pytest.mark.parametrize("heading", ["### 4) Key Findings", "# 4) Key Findings", "#### Key Findings", "# Key Findings"])
def test_other_levels(heading: str):
    text = report(h4=heading, s4="- **T** (High confidence): s")
    assert [(n, m) for n, m, _ in odd(text)] == [(4, "level")]
    assert [f.title for f in parse_report(text).findings] == ["T"]


def test_subtopics_with_contract_words_are_subtopics():
    text = report(s5="### Sources\n\nText.\n\n### Key Findings\n\nText.\n\n### Method\n\nText.")
    assert odd(text) == []
    assert [p.title for p in parse_report(text).subtopics] == ["Sources", "Key Findings", "Method"]


def test_a_document_title_is_not_taken_for_a_section():
    text = "# Method\n\nAn answer.\n\n" + report(h2="", s2="")
    assert missing(text) == {2}
    assert parse_report(text).title == "Method"


def test_unexpected_and_duplicated():
    text = report(s9="Text.\n\n## Appendix\n\nText.\n\n## 9) Gaps & Limitations\n\nAgain.")
    found = parse_report(text)
    assert [s.number for s in found.sections][-3:] == [9, None, 9]
    assert odd("## Summary\n\nText.\n\n" + report()) == [(None, "unexpected", "Summary")]


def test_front_matter_and_title():
    text = "---\ntitle: x\n## 1) Research Question\n---\n\n# Title\n\nAnswer.\n\n" + report()
    assert missing(text) == set()
    plain = parse_report("---\ntitle: x\n---\n# Title\n\n" + report())
    assert plain.title == "Title"
    assert "title" not in plain.prose.text


def test_thematic_breaks_around_a_section_are_no_front_matter():
    text = "---\n\n" + report(s1="Text.\n\n---")
    assert missing(text) == set()


def test_level_one_after_the_sections_is_no_title_but_a_further_section():
    found = parse_report(report(s9="Text.\n\n# Appendix\n\nMore."))
    assert odd(report(s9="Text.\n\n# Appendix\n\nMore.")) == [(None, "unexpected", "Appendix")]
    assert found.title == ""
    assert "More." not in found.by_number[9].prose.text


def test_html_headings_are_told_but_open_no_section():
    found = parse_report(report(s9="Text.\n\n<h2 id='x'>Conclusion</h2>\n\nMore."))
    assert [(heading.level, heading.text) for heading in found.stray_headings] == [(2, "Conclusion")]
    assert "More." in found.by_number[9].prose.text
    assert not parse_report(report(s9="<!--\n<h2>A</h2>\n-->\n\n```html\n<h2>A</h2>\n```\n\nText.")).stray_headings


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<!-- to be written -->",
        "[ref]: https://a.example/",
        "---",
        "### Heading only",
        "<!--\n\n-->\n\n<!-- b -->",
        "&nbsp;",
    ],
)
def test_empty(body: str):
    assert parse_report(report(s5=body)).by_number[5].empty


@pytest.mark.parametrize(
    "body", ["x", "```\ncode\n```", "![plot](a.png)", "| a |\n|---|\n| b |", "<div>text</div>", "> q"]
)
def test_not_empty(body: str):
    assert not parse_report(report(s5=body)).by_number[5].empty


def test_unclosed_fence_hides_and_is_told():
    text = report(s9="Text.\n\n```md\n# inner\n```text\nx\n## Lost\n")
    (fence,) = parse_report(text).unclosed_fences
    assert fence.span.of(text).startswith("```md")
    assert [span.of(text) for span in fence.hidden_headings] == ["# inner", "## Lost"]


def test_fences_close_as_commonmark_says():
    # B012: the closing run closes, whatever it was meant as; what follows is visible again.
    text = report(s5="```md\n# inner\n```text\nx\n```\n\n### Real\n\ntext")
    assert parse_report(text).unclosed_fences == ()
    assert [p.title for p in parse_report(text).subtopics] == ["", "Real"]
    for closed in ("```\nx\n```", "- a\n\n  ~~~\n  x\n  ~~~", "```\n```", "````\n```\n````\n\n\n"):
        assert parse_report(report(s9=closed)).unclosed_fences == ()
    for unclosed in ("```", "```\n", "```\nx\n\n", "- ~~~\n  x", "```\n    ```", "```\n~~~\n"):
        assert len(parse_report(report(s9=unclosed)).unclosed_fences) == 1, unclosed


def test_line_ends_and_byte_offsets_survive():
    text = report(s3="A\tb\0c.", s4="- **T** (High confidence): s [1]").replace("\n", "\r\n")
    found = parse_report(text)
    assert found.text == text
    assert [s.number for s in found.sections] == list(range(1, 10))
    assert found.by_number[3].heading.span.of(text) == "## 3) Executive Summary"
    (citation,) = found.citations
    assert citation.marker.of(text) == "[1]"
    assert found.findings[0].title_span.of(text) == "T"

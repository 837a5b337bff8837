from __future__ import annotations

import pytest

from evidence_lint.model.report import Passage, StatedFinding, contract_heading
from evidence_lint.parse.markdown import parse_report


def section(number: int, body: str) -> str:
    return f"## {contract_heading(number)}\n\n{body}\n"


def findings(body: str) -> tuple[StatedFinding, ...]:
    return parse_report(section(4, body)).findings


def one(body: str) -> StatedFinding:
    (finding,) = findings(body)
    return finding


def test_the_contract_form():
    text = section(4, "- **Title** (High confidence): statement [1][2] Downgrade: one; two.")
    (finding,) = parse_report(text).findings
    assert (finding.title, finding.label, finding.confidence) == ("Title", "High", "high")
    assert finding.prose.text == "statement [1][2]"
    assert finding.downgrade == "one; two."
    assert finding.downgrade_span is not None
    assert finding.downgrade_span.of(text) == "Downgrade: one; two."
    assert finding.label_span is not None
    assert finding.label_span.of(text) == "High"
    assert finding.title_span.of(text) == "Title"
    assert [c.number for c in finding.citations] == [1, 2]
    assert finding.span.of(text) == "- **Title** (High confidence): statement [1][2] Downgrade: one; two."
    assert not finding.placeholder


@pytest.mark.parametrize(
    "body",
    [
        "- **T** (Confidence: High): s",
        "- **T** [High confidence]: s",
        "- **T** (High): s",
        "- **T (High confidence)**: s",
        "- **T (High confidence):** s",
        "- **T:** (High confidence) s",
        "- **T** (**High** confidence): s",
        "- **T** (`High` confidence): s",
        "- **T** (High\n  confidence): s",
        "- **T** (confidence high): s",
        "- **T** (High confidence, one source): s",
        "- **T** (High-confidence): s",
        "- **T** — High confidence: s",
        "- **T** (RFC 9110) (High confidence): s",
        "- (High confidence) **T**: s",
        "- T (High confidence): s",
        "- *T* (High confidence): s",
        "* __T__ (High confidence) - s",
        "1. **T** (High confidence): s",
        "- [ ] **T** (High confidence): s",
        "- **T**(High confidence): s",
        "- **T**: s (High confidence)",
        "**T** (High confidence): s",
        "> - **T** (High confidence): s",
        "### T (High confidence)\n\ns",
        "### 1. T\n\nConfidence: High\n\ns",
        "### T\n\n**Confidence:** High\n\ns",
        "| Finding | Confidence | Statement |\n|---|---|---|\n| **T** | High | s |",
    ],
)
def test_variants_of_title_and_label(body: str):
    finding = one(body)
    assert (finding.title, finding.confidence) == ("T", "high")
    assert finding.prose.text.strip() == "s"


@pytest.mark.parametrize(
    ("body", "label"),
    [
        ("- **T** (95% confidence): s", "95%"),
        ("- **T** (Certain confidence): s", "Certain"),
        ("- **T** (Medium-to-High confidence): s", "Medium-to-High"),
        ("- **T** （高置信度）：s", "高"),
        ("- **T**: s", None),
        ("- **T** (RFC 9110): s", None),
        ("- **T** (Unknown): s", None),
        ("- **T**: s with (95% confidence) intervals", None),
        ("- s [1]", None),
    ],
)
def test_labels_that_are_not_of_the_contract(body: str, label: str | None):
    assert one(body).label == label
    assert one(body).confidence is None


def test_titles_hold_anything_and_nothing_in_them_is_a_citation():
    text = section(4, "- **Array [1] of `x[3]`, (RFC 9110) and [7]** (Medium confidence): s [2]")
    found = parse_report(text)
    assert found.findings[0].title == "Array [1] of x[3], (RFC 9110) and [7]"
    assert [c.number for c in found.findings[0].citations] == [2]
    assert [c.number for c in found.citations] == [2]


def test_nested_blocks_belong_to_their_bullet():
    body = (
        "- **T** (High confidence): s\n  - nested [2]\n\n  | a | b |\n  |---|---|\n  | x | [3] |\n\n"
        "  ```\n  [9]\n  ```\n\n"
        "- **U** (Low confidence): t"
    )
    first, second = findings(body)
    assert first.prose.text == "s\nnested [2]\na | b\nx | [3]\n[9]"
    assert [c.number for c in first.citations] == [2, 3]
    assert second.title == "U"


def test_paragraphs_and_headings_stand_for_findings():
    body = "Intro.\n\n**T** (High confidence): s [1]\n\n- detail [2]\n\n**U** (Low confidence): t"
    assert [(f.title, [c.number for c in f.citations]) for f in findings(body)] == [("T", [1, 2]), ("U", [])]
    grouped = "### Strong\n\n- **A** (High confidence): x\n\n### Weak\n\n- **B** (Low confidence): y"
    assert [f.title for f in findings(grouped)] == ["A", "B"]
    assert [f.title for f in findings("### Group\n\n- plain [1]\n- plain [2]")] == ["", ""]
    assert [f.title for f in findings("### A (High confidence)\n\ntext\n\n- more\n\n### B\n\ntext")] == ["A", "B"]
    assert [f.prose.text for f in findings("A claim [1].\n\nAnother claim.")] == ["A claim [1].", "Another claim."]


def test_an_introduction_is_no_finding():
    assert [f.title for f in findings("These follow.\n\n- **T** (High confidence): s")] == ["T"]


def test_a_downgrade_ends_with_its_block():
    finding = one("- **T** (High confidence): s\n\n  Downgrade: one;\n  two.\n\n  A claim [2].")
    assert finding.downgrade == "one; two."
    assert finding.prose.text.split() == ["s", "A", "claim", "[2]."]


@pytest.mark.parametrize("mark", ["- ", "* ", ""])
def test_placeholders_of_section_four(mark: str):
    for text in (
        "None captured with verified evidence.",
        "No finding had verified supporting evidence.",
        "Nothing could be supported by the records at hand.",
        "*None captured with verified evidence.*",
        "N/A",
    ):
        assert one(mark + text).placeholder, text
    assert one("### None\n\nNo finding had verified evidence.").placeholder
    assert not one(mark + "No CVSS field exists in the schema.").placeholder
    assert not one(mark + "No finding had verified evidence [1].").placeholder
    assert not one(mark + "**T** (High confidence): No finding had verified evidence.").placeholder
    assert not any(f.placeholder for f in findings("- No finding had verified evidence.\n- None captured."))


def test_subtopics():
    text = section(5, "Before [1].\n\n### A\n\ntext [2]\n\n#### Deeper\n\nmore [3]\n\n### B [4]\n")
    subtopics = parse_report(text).subtopics
    assert [(p.title, [c.number for c in p.citations]) for p in subtopics] == [("", [1]), ("A", [2, 3]), ("B [4]", [4])]
    assert subtopics[1].prose.text == "text [2]\nDeeper\nmore [3]"
    assert subtopics[1].anchor.of(text) == "### A"
    assert [p.number for p in subtopics] == [1, 2, 3]
    assert not any(p.placeholder for p in subtopics)


def test_placeholder_subtopics():
    for body in (
        "### Main Analysis\n\nNo analysis section had verified evidence.",
        "### Overview\nThe key findings above carry the whole analysis.",
        "- None.",
    ):
        (passage,) = parse_report(section(5, body)).subtopics
        assert passage.placeholder, body
    for body in (
        "### Overview\nThe key findings above carry the whole analysis. [1]",
        "### Overview\nThe key findings above carry the risk of loss to every user.\n\n### B\n\ntext",
        "### Overview\nTimeouts are a common topic.",
    ):
        assert not parse_report(section(5, body)).subtopics[0].placeholder, body


def rows(passages: tuple[Passage, ...]) -> list[str]:
    return [p.prose.text for p in passages]


def test_the_two_sides():
    text = section(
        6, "### Consensus\n\n- a [1]\n- b\n  - c\n\n### Debate / Contradictory Evidence\n\nd [2]\n\n| e |\n|---|\n| f |"
    )
    found = parse_report(text)
    assert rows(found.consensus) == ["a [1]", "b\nc"]
    assert rows(found.debate) == ["d [2]", "f"]
    assert found.consensus_heading is not None
    assert found.debate_heading is not None
    assert [p.node for p in found.passages] == ["consensus-1", "consensus-2", "debate-1", "debate-2"]
    assert found.consensus[1].span.of(text) == "- b\n  - c"


@pytest.mark.parametrize(
    "body",
    [
        "**Consensus**\n\n- a [1]\n\n**Debate / Contradictory Evidence**\n\n- b [2]",
        "#### Consensus\n\n- a [1]\n\n## Debate / Contradictory Evidence\n\n- b [2]",
        "### Areas of consensus\n\n- a [1]\n\n### Debate\n\n- b [2]",
        "### Consensus:\n\na [1]\n\n### debate / contradictory evidence\n\nb [2]",
    ],
)
def test_rows_are_read_where_a_reader_finds_them(body: str):
    found = parse_report(section(6, body))
    assert found.consensus_heading is None
    assert found.debate_heading is None
    assert rows(found.consensus) == ["a [1]"]
    assert rows(found.debate) == ["b [2]"]
    assert [(c.number, c.section) for c in found.citations] == [(1, 6), (2, 6)]


def test_sides_without_headings():
    found = parse_report(section(6, "- **Consensus**: a [1]\n- **Debate**: b [2]"))
    assert rows(found.consensus) == ["Consensus: a [1]"]
    assert rows(found.debate) == ["Debate: b [2]"]


def test_text_before_the_sides_counts_when_it_cites():
    found = parse_report(section(6, "Intro.\n\nMost agree [3].\n\n### Consensus\n\n- a [1]"))
    assert [(p.number, p.prose.text) for p in found.consensus] == [(1, "Most agree [3]."), (2, "a [1]")]


def test_placeholder_rows_stand_alone():
    found = parse_report(
        section(6, "### Consensus\n\n- None collected.\n\n### Debate / Contradictory Evidence\n\n- None.\n- b")
    )
    assert [p.placeholder for p in found.consensus] == [True]
    assert [p.placeholder for p in found.debate] == [False, False]


def test_fields():
    body = (
        "- Normalized question: When does\n  it end?\n- **Research kind**: `web`\n* Depth mode：**quick**\n"
        "- **Chain:** x\n- Empty:\n"
        "- Retrieval plan / subtopics (a: b): one\n- Counts:\n  - Retrieved sources: 3\n- no label\n"
        "- Question: <question>\n- Cover: see\n\n  ```\n  more\n  ```\n- At: 12:30 <b>UTC</b> https://a.example/"
    )
    text = section(1, body)
    found = {field.label: field for field in parse_report(text).fields}
    assert {label: field.value for label, field in found.items()} == {
        "Normalized question": "When does it end?",
        "Research kind": "web",
        "Depth mode": "quick",
        "Chain": "x",
        "Empty": "",
        "Retrieval plan / subtopics (a: b)": "one",
        "Counts": "Retrieved sources: 3",
        "Retrieved sources": "3",
        "Question": "<question>",
        "Cover": "see more",
        "At": "12:30 UTC https://a.example/",
    }
    assert found["Research kind"].value_span.of(text) == "web"
    assert found["Research kind"].label_span.of(text) == "Research kind"
    assert found["Research kind"].span.of(text) == "- **Research kind**: `web`"
    assert len(found["Empty"].value_span) == 0
    assert len(parse_report(text).fields_of(1)) == len(found)


def test_fields_as_paragraphs_and_tables():
    text = section(
        2, "**Execution mode:** `quick`\n**Degradation level**: Full\n\n| Field | Value |\n|---|---|\n| Dedup | none |"
    )
    assert [(f.label, f.value) for f in parse_report(text).fields] == [
        ("Execution mode", "quick"),
        ("Degradation level", "Full"),
        ("Dedup", "none"),
    ]
    assert parse_report(section(3, "- A: b")).fields == ()

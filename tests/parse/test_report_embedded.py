from __future__ import annotations

import time

import pytest

from evidence_lint.model.report import StatedFinding, contract_heading
from evidence_lint.parse.markdown import parse_report

TITLE = "The handbook asks for a new login"
FINDING = f"- **{TITLE}** (Medium confidence): Sessions end after 15 minutes. [1]"
HIDDEN = "**Sessions never expire** (High confidence): No session ever expires. [1]"
INDEX = "[1] A — https://a.example/c — official (T2) — date: unknown"


def report(**bodies: str) -> str:
    parts = {"s3": "Short.", "s4": FINDING, "s8": INDEX, **bodies}
    return parts.get("s0", "") + "".join(
        f"## {contract_heading(number)}\n\n{parts.get(f's{number}', 'Text.')}\n\n" for number in range(1, 10)
    )


def findings(**bodies: str) -> tuple[StatedFinding, ...]:
    return parse_report(report(**bodies)).findings


@pytest.mark.parametrize(
    "after",
    [
        "\n  - " + HIDDEN,
        "\n  - detail\n    - " + HIDDEN,
        "\n  1. " + HIDDEN,
        "\n\n  " + HIDDEN,
        "\n" + HIDDEN,
        " " + HIDDEN,
        "<br>" + HIDDEN,
        "\n\n| a |\n|---|\n| " + HIDDEN,
        "\n\n<p>" + HIDDEN + "</p>",
        "\n\n<ul><li><b>Sessions never expire</b> (High confidence): No session ever expires. [1]</li></ul>",
        "\n\n<details><summary>more</summary>\n\n" + HIDDEN + "\n\n</details>",
        "\n\n[^1]: " + HIDDEN,
        "\n  - **Sessions never expire**: No session ever expires. [1] (High confidence)",
        "\n  - **Sessions never expire**\n\n    Confidence: High\n\n    No session ever expires. [1]",
        "\n- " + "- " * 40 + HIDDEN,
        "\n\n| finding | c |\n|---|---|\n| **Sessions never expire** | High confidence |",
    ],
)
def test_a_labelled_claim_in_section_4_is_seen_wherever_it_stands(after: str):
    found = findings(s4=FINDING + after)
    assert [(one.title, one.confidence) for one in found] == [(TITLE, "medium"), ("Sessions never expire", "high")]
    assert "never" not in found[0].prose.text
    assert [citation.number for citation in found[0].citations] == [1]
    if "[1]" in after:
        assert [citation.number for citation in found[1].citations] == [1]
        assert "No session ever expires." in found[1].prose.text


@pytest.mark.parametrize("number", [0, 1, 2, 3, 5, 6, 7, 8, 9])
def test_and_in_any_other_section(number: int):
    body = f"{INDEX}\n\n- {HIDDEN}\n\n" if number == 8 else f"Text.\n\n- {HIDDEN}\n\n"
    text = report(**{f"s{number}": body})
    (own, hidden) = parse_report(text).findings
    assert not own.embedded
    assert hidden.embedded
    assert (hidden.title, hidden.confidence) == ("Sessions never expire", "high")
    assert hidden.span.of(text).startswith("Sessions never expire**")
    assert hidden.label_span is not None
    assert hidden.label_span.of(text) == "High"


@pytest.mark.parametrize(
    ("section", "body"),
    [
        (3, "We have high confidence that sessions end."),
        (5, "### A\n\nSessions end after 15 minutes (high confidence). [1]"),
        (5, "### A\n\nThe value is **required** (high confidence) by the handbook. [1]"),
        (5, "### A\n\n**Risk** (High): the token leaks. [1]\n\n**Mean** (95% confidence): 12. [1]"),
        (5, "### A\n\n**Idle** (see section 4): sessions end. **Interval** (95% confidence interval): 2. [1]"),
        (2, "- **Validation**: labels of high confidence were checked"),
        (3, f"- **{TITLE}** (Medium confidence)\n- **{TITLE}.** (Low confidence)"),
        (7, f"| Finding | Label |\n|---|---|\n| **{TITLE}** | Medium confidence |"),
        (7, "| Source | Reliability |\n|---|---|\n| **Handbook** | High |"),
        (7, "**Distribution of labels**\n\n- High confidence: 2\n- Medium confidence: 1"),
        (9, "- **Confidence downgrades**: High confidence was lowered once."),
        (9, "- **Sessions never expire** (High confidence) was omitted: its excerpt was not found."),
        (9, "- **Sessions never expire** (requested High confidence): no evidence."),
        (8, f"{INDEX}\n[2] **A study** (High confidence) — https://a.example/d — official (T2) — date: unknown"),
        (5, "### A\n\n`**Sessions never expire** (High confidence)` is a form. [1]"),
        (5, "### A\n\n<!-- **Sessions never expire** (High confidence) -->\n\nText. [1]"),
    ],
)
def test_honest_prose_is_no_finding(section: int, body: str):
    (finding,) = findings(**{f"s{section}": body})
    assert finding.confidence == "medium"


def test_a_repetition_with_a_higher_label_is_what_the_report_states():
    text = report(s3=f"- **{TITLE}** (High confidence)")
    (finding,) = parse_report(text).findings
    assert finding.confidence == "high"
    assert finding.label_span is not None
    assert finding.label_span.start < text.index("## 4)")


@pytest.mark.parametrize(
    "bullet",
    [
        "- **T** (Medium confidence) (High confidence): s",
        "- **T** (Medium confidence): High confidence: s",
        "- **T** (Medium confidence): s [1] (High confidence)",
        "- **T** (Medium confidence; practically High confidence): s",
        "- **T** (Medium confidence): s\n  - Confidence: High",
        "- **T** (Medium confidence): s\n  Confidence: **High**",
        "- (High confidence) **T** (Medium confidence): s",
        "- (Medium confidence) **T** (High confidence): s",
        "- **T (Medium confidence)** (High confidence): s",
        "### T (Medium confidence)\n\ns\n\nConfidence: High",
    ],
)
def test_of_several_labels_the_highest_counts(bullet: str):
    (finding,) = findings(s4=bullet)
    assert (finding.title, finding.confidence) == ("T", "high")


@pytest.mark.parametrize(
    "bullet",
    [
        "- **T** (Medium confidence; High confidence was requested): s",
        "- **T** (Medium confidence): the panel calls it certain (high confidence), and goes on. [1]",
        "- **T** (Medium confidence): s Downgrade: one source only (High confidence)",
        "- **T** (Medium confidence): s\n  - Requested confidence: High",
        "- **T** (Medium confidence): High confidence needs a second source.",
        "- **T** (Medium confidence): s\n  - Confidence: High (requested), Medium (effective)",
    ],
)
def test_words_about_another_label_are_none(bullet: str):
    (finding,) = findings(s4=bullet)
    assert finding.confidence == "medium"


def test_a_bullet_that_only_groups_is_no_finding():
    first, second = findings(s4="- Sessions\n  - **A** (High confidence): a [1]\n  - **B** (Low confidence): b [1]")
    assert [(one.title, one.confidence) for one in (first, second)] == [("A", "high"), ("B", "low")]


@pytest.mark.parametrize(
    "paragraph",
    [
        "Moreover, no session of any bank ever expires, which is certain.",
        "Sessions of banks never end [1].",
        "<p>Sessions of banks never end.</p>",
    ],
)
def test_a_paragraph_that_claims_something_after_the_bullets_is_a_finding(paragraph: str):
    found = findings(s4=f"{FINDING}\n\n{paragraph}")
    assert [one.title for one in found] == [TITLE, ""]


@pytest.mark.parametrize(
    "body",
    [
        f"Three findings, strongest first:\n\n{FINDING}",
        f"The handbook was read in full.\n\n{FINDING}",
        f"{FINDING}\n\nAll findings rest on one source each. Section 9 says what was omitted.",
        f"{FINDING}\n\nFurther:\n\n---",
        f"{FINDING}\n\n上述结论均来自同一来源。",
    ],
)
def test_lead_ins_and_remarks_on_the_findings_are_none(body: str):
    assert [one.title for one in findings(s4=body)] == [TITLE]


def test_a_claim_beside_the_placeholder():
    none = "- No finding had verified supporting evidence."
    assert [one.placeholder for one in findings(s4=none)] == [True]
    assert [one.placeholder for one in findings(s4=f"{none}\n\nNo page could be retrieved.")] == [True]
    assert [one.placeholder for one in findings(s4=f"{none}\n\nStill, sessions never expire.")] == [True, False]


@pytest.mark.parametrize(
    "hidden",
    [
        "<span hidden>[1]</span>",
        '<span style="display:none">[1]</span>',
        "<i style='visibility: hidden'><b>[1]</b></i>",
        "\n\n  <div hidden>\n\n  [1]\n\n  </div>",
        "\n\n  <p hidden>[1]</p>",
    ],
)
def test_what_a_reader_does_not_see_cites_nothing(hidden: str):
    parsed = parse_report(report(s4=FINDING.replace("[1]", hidden)))
    assert not parsed.findings[0].citations
    assert not parsed.citations


@pytest.mark.parametrize(
    "shown", ["<span>[1]</span>", "<span hidden>x</span> [1]", "<details>[1]</details>", "<b>[1]</b>"]
)
def test_what_a_reader_sees_does(shown: str):
    assert findings(s4=FINDING.replace("[1]", shown))[0].citations


def test_an_index_of_which_one_part_leads_nowhere_is_none():
    parsed = parse_report(report(s5="### A\n\nUse matrix[1][2] and x[1]; this is one. [1][2] But so is this[1]."))
    numbers = [citation.number for citation in parsed.citations if citation.section == 5]
    assert numbers == [1, 1, 2, 1]


@pytest.mark.parametrize("depth", [10, 30, 60, 400])
def test_deep_lists_hide_nothing_that_follows(depth: int):
    nested = "\n".join("  " * level + "- x" for level in range(depth))
    parsed = parse_report(report(s5=f"### A\n\n{nested}\n\nText. [1]"))
    assert sorted(parsed.by_number) == list(range(1, 10))
    assert parsed.prose.text.count("x") >= depth
    assert [citation.number for citation in parsed.citations if citation.section == 5] == [1]


def test_very_many_labelled_claims_take_linear_time():
    hostile = " ".join(f"**Claim {number}** (High confidence): so it is. [1]" for number in range(3000))
    started = time.perf_counter()
    found = findings(s4=f"{FINDING} {hostile}", s9=f"Text.\n\n{hostile}")
    assert len(found) == 3001
    assert time.perf_counter() - started < 15

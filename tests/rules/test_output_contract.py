"""What examples cannot show of families IN, OUT and BUD: skipped checks, fixes, and bounded time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from evidence_lint.engine.catalogue import Catalogue, load_catalogue
from evidence_lint.model.artifact import JSON
from evidence_lint.model.example import (
    ABSENT,
    BASE_FINDING,
    BASE_PAGE,
    Example,
    base_report,
    base_sections,
    research_example,
)
from evidence_lint.model.records import Records, Row, SessionRecord
from evidence_lint.model.report import TITLES
from evidence_lint.model.verdict import Applicability, Outcome, Verdict
from evidence_lint.parse.markdown import parse_report
from evidence_lint.testing import ExampleCase, run_example
from evidence_lint.witness.budget import exhausted_event
from evidence_lint.witness.report_fields import KINDS, LEVELS, STATUSES, word_of
from evidence_lint_rules.output_contract.counts import count_mismatch
from evidence_lint_rules.output_contract.placeholders import placeholder_text
from evidence_lint_rules.output_contract.tiers import read_tiers

BODIES = base_sections()
UNCLOSED = "### A\n\n```\nText. [1]"
LIVE_HIGH: list[JSON] = [{**BASE_FINDING, "confidence": "high"}]
HIGH_LINE = BODIES[4].replace("Medium confidence", "High confidence")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def verdicts(catalogue: Catalogue, code: str, example: Example, folder: Path) -> list[Verdict]:
    rule = catalogue.rule(code)
    assert rule is not None
    found, _, _ = run_example(ExampleCase(rule, example), folder, catalogue)
    return found


@pytest.mark.parametrize("code", ["OUT101", "OUT108", "OUT117", "OUT119", "OUT120", "BUD104"])
def test_what_a_fence_hides_is_skipped(catalogue: Catalogue, code: str, tmp_path: Path) -> None:
    number = 5 if code != "OUT117" else 3
    example = research_example(
        "x",
        sections={number: UNCLOSED, 7: BODIES[7].replace("T1: 1", "T1: 3")},
        findings=LIVE_HIGH,
        content={"items": [BASE_PAGE], "budget_exhausted": True},
    )
    found = verdicts(catalogue, code, example, tmp_path)
    assert [(v.outcome, v.skip and v.skip.code) for v in found] == [(Outcome.SKIPPED, "unclosed-fence")]


def test_a_fence_does_not_excuse_a_section_that_it_does_not_hide(catalogue: Catalogue, tmp_path: Path) -> None:
    report = "\n".join(f"## {n}) {TITLES[n - 1]}\n\n{BODIES[n]}\n" for n in (1, 2, 3, 4, 6, 7, 8)) + "```\n## 9) "
    report += "Gaps & Limitations\n"
    found = verdicts(catalogue, "OUT101", research_example("x", report=report), tmp_path)
    assert [v.problem and v.problem.message[:20] for v in found] == ["section 5 is missing"]


def test_fields_that_a_fence_may_hide_are_not_missing(catalogue: Catalogue, tmp_path: Path) -> None:
    example = research_example("x", sections={2: "- Execution mode: quick\n\n```\n" + BODIES[2]})
    (found,) = verdicts(catalogue, "OUT110", example, tmp_path)
    assert found.outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "code", ["IN004", "IN005", "IN006", "OUT114", "OUT115", "OUT118", "OUT120", "BUD102", "BUD104"]
)
def test_without_findings_nothing_is_held_against_records(catalogue: Catalogue, code: str, tmp_path: Path) -> None:
    example = research_example("x", findings=ABSENT, content=ABSENT, results=ABSENT, session={"mode": "deep"})
    (found,) = verdicts(catalogue, code, example, tmp_path)
    assert (found.outcome, found.skip and found.skip.code) == (Outcome.SKIPPED, "no-records")


@pytest.mark.parametrize("code", ["OUT111", "OUT112", "OUT119", "OUT121", "OUT122", "IN003", "IN007", "BUD103"])
def test_without_findings_the_rest_is_checked(catalogue: Catalogue, code: str, tmp_path: Path) -> None:
    example = research_example("x", findings=ABSENT, session={"mode": "deep", "research_kind": "web"})
    (found,) = verdicts(catalogue, code, example, tmp_path)
    assert found.outcome is Outcome.PASSED


@pytest.mark.parametrize("code", ["OUT114", "OUT117", "OUT118", "OUT120"])
def test_what_hangs_on_a_live_capture_is_skipped(catalogue: Catalogue, code: str, tmp_path: Path) -> None:
    example = research_example("x", findings=LIVE_HIGH, sections={4: HIGH_LINE})
    (found,) = verdicts(catalogue, code, example, tmp_path)
    assert (found.outcome, found.skip and found.skip.code) == (Outcome.SKIPPED, "live-pending")


def test_a_chain_status_outside_the_list_does_not_hang_on_it(catalogue: Catalogue, tmp_path: Path) -> None:
    sections = {4: HIGH_LINE, 7: BODIES[7].replace("`satisfied`", "excellent")}
    (found,) = verdicts(catalogue, "OUT118", research_example("x", findings=LIVE_HIGH, sections=sections), tmp_path)
    assert found.outcome is Outcome.FAILED


def test_tiers_that_rest_on_a_registry_are_skipped(catalogue: Catalogue, tmp_path: Path) -> None:
    entry = "[1] Guide — https://docs.example.net/a — official (preclassified T1); basis: registry:project-owned:x"
    (found,) = verdicts(catalogue, "OUT119", research_example("x", sections={8: entry}), tmp_path)
    assert (found.outcome, found.skip and found.skip.code) == (Outcome.SKIPPED, "registry-unknown")


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("- Live Web captures / validator-derived T1 references: 2 / 1", Outcome.SKIPPED),
        ("- Live Web verification: 6/6 verified Web evidence references were freshly captured", Outcome.SKIPPED),
        ("- Budget consumed: retrieval 2/10, extractions 5/5, live verifications 4/5", Outcome.SKIPPED),
        ("- Live Web captures / validator-derived T1 references: 0 / 0", Outcome.FAILED),
        ("- Budget consumed: retrieval 2/10, live verifications 0/5", Outcome.FAILED),
        ("- Classification basis, and live-capture count: 3 hosts by heuristics; no live capture", Outcome.FAILED),
    ],
)
def test_counts_of_pages_after_a_live_run(catalogue: Catalogue, line: str, outcome: Outcome, tmp_path: Path) -> None:
    text = BODIES[2].replace("items processed: 1", "items processed: 3")
    (found,) = verdicts(catalogue, "OUT115", research_example("x", sections={2: f"{text}\n{line}"}), tmp_path)
    assert found.outcome is outcome


def test_a_live_run_explains_no_other_count(catalogue: Catalogue, tmp_path: Path) -> None:
    text = BODIES[2].replace("items processed: 1", "items processed: 3").replace("sources: 1", "sources: 9")
    section = f"{text}\n- Live Web captures / validator-derived T1 references: 2 / 1"
    (found,) = verdicts(catalogue, "OUT115", research_example("x", sections={2: section}), tmp_path)
    assert found.problem is not None
    assert found.problem.message.startswith("retrieved sources: 9 stated")


def fixed(report: str, verdict: Verdict) -> str:
    assert verdict.problem is not None
    assert verdict.problem.fix is not None
    for edit in sorted(verdict.problem.fix.edits, key=lambda edit: -edit.start):
        report = report[: edit.start] + edit.text + report[edit.end :]
    return report


@pytest.mark.parametrize(
    ("code", "wrong", "right"),
    [
        ("OUT104", "## 2. Method\n", "## 2) Method\n"),
        ("OUT104", "Method\n------\n", "## 2) Method\n"),
        ("OUT104", "##  2)  method ##  \n", "## 2) Method  \n"),
        ("OUT107", "### 2) Method\n", "## 2) Method\n"),
        ("OUT107", "2\\) Method\n===\n", "## 2) Method\n"),
        ("OUT115", "Retrieved sources: **12** (of 20)", "Retrieved sources: **1** (of 20)"),
        ("OUT118", "status: `partially satisfied` (so far)", "status: `satisfied` (so far)"),
        ("OUT114", "level: `partial` — one", "level: `Full` — one"),
    ],
)
def test_fixes(catalogue: Catalogue, code: str, wrong: str, right: str, tmp_path: Path) -> None:
    good = {"OUT115": "Retrieved sources: 1", "OUT118": "status: `satisfied`", "OUT114": "level: `Full`"}
    report = base_report().replace(good.get(code, "## 2) Method\n"), wrong)
    assert wrong in report
    (found,) = [
        v
        for v in verdicts(catalogue, code, research_example("x", report=report), tmp_path)
        if v.outcome is Outcome.FAILED
    ]
    assert fixed(report, found) == report.replace(wrong, right)
    assert found.problem is not None
    assert found.problem.fix is not None
    assert (found.problem.fix.applicability is Applicability.UNSAFE) == (code in {"OUT114", "OUT118"})


@pytest.mark.parametrize(
    ("value", "words", "expected"),
    [
        ("Web", KINDS, "web"),
        ("`web`.", KINDS, "web"),
        ("**hybrid**", KINDS, "hybrid"),
        ("web research", KINDS, None),
        ("webpage", KINDS, None),
        ("web, codebase", KINDS, None),
        ("Partial (two pages failed)", LEVELS, "Partial"),
        ("Partial — two pages failed", LEVELS, "Partial"),
        ("Partial; see 9", LEVELS, "Partial"),
        ("Partially", LEVELS, None),
        ("Full/Partial", LEVELS, None),
        ("Full | Partial | Blocked", LEVELS, None),
        ("partially-satisfied", STATUSES, "partially satisfied"),
        ("not satisfied", STATUSES, None),
        ("", LEVELS, None),
    ],
)
def test_words_of_a_vocabulary(value: str, words: tuple[str, ...], expected: str | None) -> None:
    assert word_of(value, words) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("T1: 3, T2: 0, T3: 0, T4: 1, T5: 0", {1: 3, 2: 0, 3: 0, 4: 1, 5: 0}),
        ("T1 (2), T4 (1)", {1: 2, 4: 1}),
        ("T1 – 2; T2 – 1", {1: 2, 2: 1}),
        ("2 T1, 1 T4", {1: 2, 4: 1}),
        ("2×T1 and 1×T4", {1: 2, 4: 1}),
        ("no web sources", {}),
        ("not applicable", {}),
        ("0", {}),
        ("mostly T1", None),
        ("T1–T5 were considered", None),
    ],
)
def test_tiers_as_people_write_them(value: str, expected: dict[int, int] | None) -> None:
    assert read_tiers(value) == expected


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ({"type": "budget_exhausted"}, True),
        ({"event": "budgetExhausted", "at": "2025"}, True),
        ({"type": "retrieval", "status": "exhausted"}, True),
        ({"type": "retrieval", "retrieval_budget": "exhausted"}, True),
        ({"type": "retrieval", "exhausted": True}, True),
        ({"type": "stop", "message": "The retrieval budget is exhausted."}, True),
        ("content budget exhausted", True),
        ({"type": "budget_exhausted", "exhausted": False}, False),
        ({"type": "budget", "status": "not exhausted"}, False),
        ({"type": "budget_not_exhausted"}, False),
        ({"type": "exhaustive_search"}, False),
        ({"type": "note", "message": "All ideas are exhausted."}, False),
        ({"type": "search", "query": "budget exhausted error"}, False),
        (7, False),
    ],
)
def test_events_that_say_that_a_budget_ran_out(event: JSON, expected: bool) -> None:
    row = Row("session", "", 1, {"events": [event]}, SessionRecord.model_validate({"events": [event]}))
    assert (exhausted_event(Records(session=row)) is not None) is expected


@pytest.mark.parametrize(
    "noise",
    [
        "<!--" * 20_000,
        "\n".join("- <x y>" for _ in range(20_000)),
        "`a` " * 20_000 + "\n\n" + "\n".join("- <value>" for _ in range(5_000)),
        "quick | " * 20_000,
        "\n".join(f"### T{n}\n\nText." for n in range(5_000)),
    ],
    ids=["comments", "tags", "code", "choices", "titles"],
)
def test_placeholders_are_found_in_bounded_time(noise: str) -> None:
    report = parse_report(base_report({5: noise}))
    begin = time.process_time()
    list(placeholder_text(report))
    assert time.process_time() - begin < 3


def test_a_value_of_many_digits_is_no_count(catalogue: Catalogue, tmp_path: Path) -> None:
    text = BODIES[2].replace("Retrieved sources: 1", "Retrieved sources: " + "9" * 5000)
    (found,) = verdicts(catalogue, count_mismatch.code, research_example("x", sections={2: text}), tmp_path)
    assert found.problem is not None
    assert "is no whole number" in found.problem.message


def test_what_is_found_before_a_fence_is_told(catalogue: Catalogue, tmp_path: Path) -> None:
    sections = {1: BODIES[1].replace("- Depth mode: `quick`\n", ""), 2: "- Retrieved sources: 9\n\n```\n" + BODIES[2]}
    example = research_example("x", sections=sections)
    (field,) = verdicts(catalogue, "OUT110", example, tmp_path / "a")
    assert field.problem is not None
    assert "depth mode" in field.problem.message
    (count,) = verdicts(catalogue, "OUT115", example, tmp_path / "b")
    assert count.problem is not None
    assert count.problem.message.startswith("retrieved sources: 9 stated")

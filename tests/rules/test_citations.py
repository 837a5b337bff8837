"""Family CIT where an example cannot show it: what is skipped, what is fixed, and cases from the field."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.engine.catalogue import Catalogue, load_catalogue
from evidence_lint.model.artifact import JSON
from evidence_lint.model.example import (
    ABSENT,
    BASE_CODE,
    BASE_CODE_ENTRY,
    BASE_CODE_FINDING,
    BASE_CODE_PATH,
    BASE_CODE_RECORD,
    BASE_ENTRY,
    BASE_FINDING,
    BASE_PAGE,
    BASE_RESULT,
    BASE_URL,
    Example,
    base_report,
    base_sections,
    research_example,
)
from evidence_lint.model.verdict import Outcome, Verdict
from evidence_lint.parse.markdown import parse_report
from evidence_lint.rule import Rule
from evidence_lint.testing import ExampleCase, run_example
from evidence_lint_rules.citations import (
    coverage,
    evidence,
    findings,
    markers,
    mismatch,
    numbering,
    numbers,
    quotations,
    resolution,
    urls,
)
from evidence_lint_rules.receipts._examples import RECEIPT, TEST_CODE, TEST_PATH

TITLE = "- **Three copies are required** (Medium confidence): "
CODE_TITLE = TITLE.replace("Medium", "High")


@cache
def catalogue() -> Catalogue:
    return load_catalogue()


def run(rule: object, example: Example, folder: Path) -> list[Verdict]:
    assert isinstance(rule, Rule)
    verdicts, _, _ = run_example(ExampleCase(rule, example), folder, catalogue())
    return verdicts


def outcomes(verdicts: list[Verdict]) -> set[Outcome]:
    return {verdict.outcome for verdict in verdicts}


def messages(verdicts: list[Verdict]) -> list[str]:
    return [verdict.problem.message for verdict in verdicts if verdict.problem is not None]


def reasons(verdicts: list[Verdict]) -> list[tuple[str, str]]:
    return [(verdict.skip.code, verdict.skip.message) for verdict in verdicts if verdict.skip is not None]


def without_section(number: int) -> str:
    parts = base_report().split("\n## ")
    kept = [part for part in parts if not part.startswith(f"{number})")]
    return "\n## ".join(kept)


@pytest.mark.parametrize(
    "rule",
    [
        markers.citation_dangling,
        numbering.number_duplicated,
        numbering.numbering_gap,
        resolution.source_duplicated,
        resolution.source_unresolved,
        quotations.quote_not_in_evidence,
    ],
)
def test_without_an_index_nothing_is_looked_up(rule: Rule, tmp_path: Path) -> None:
    verdicts = run(rule, research_example("x", report=without_section(8)), tmp_path)
    assert [code for code, _ in reasons(verdicts)] == ["no-index"]


def test_an_index_behind_an_unclosed_fence_is_not_absent(tmp_path: Path) -> None:
    report = base_report({5: "### Copies\n\n```\nEvery record is kept three times. [1]"})
    verdicts = run(markers.citation_dangling, research_example("x", report=report), tmp_path)
    assert outcomes(verdicts) == {Outcome.SKIPPED}
    assert "fence" in reasons(verdicts)[0][1]


def test_findings_behind_an_unclosed_fence_are_not_omitted(tmp_path: Path) -> None:
    report = base_report({3: "Three copies.\n\n```\nunclosed"})
    verdicts = run(findings.finding_omitted, research_example("x", report=report), tmp_path)
    assert outcomes(verdicts) == {Outcome.SKIPPED}


def test_citations_that_are_also_link_definitions(tmp_path: Path) -> None:
    """B001: every marker of ``[1][2][3]`` is seen, although each is a link definition too."""
    index = "\n".join(f"[{n}]: https://www.example.gov/{n}" for n in (1, 2, 3))
    example = research_example("x", sections={5: "### A\n\nA fact [1][2][3].", 8: index})
    assert outcomes(run(numbering.source_uncited, example, tmp_path)) == {Outcome.PASSED}


def test_conflicting_undefined_and_unused_definitions(tmp_path: Path) -> None:
    """B002: three findings, each with its own line."""
    index = "[1]: https://a.example.gov/\n[1]: https://z.example.gov/\n[4]: https://d.example.gov/"
    example = research_example("x", sections={5: "### A\n\nX [1] and Y [2].", 8: index})
    (conflict,) = messages(run(numbering.number_duplicated, example, tmp_path / "a"))
    assert "a.example.gov" in conflict
    assert "z.example.gov" in conflict
    (dangling,) = messages(run(markers.citation_dangling, example, tmp_path / "b"))
    assert dangling.startswith("[2] has no entry")
    (unused,) = messages(run(numbering.source_uncited, example, tmp_path / "c"))
    assert unused.startswith("[4] https://d.example.gov/")


def test_a_tier_from_a_registry_that_this_policy_lacks(tmp_path: Path) -> None:
    entry = (
        "[1] Backup guide — https://go.example.net/a — official (preclassified T1) — date: unknown; "
        "basis: registry:project-owned:the project's own documentation; sponsorship: unknown"
    )
    example = research_example("x", results=[{"title": "t", "url": "https://go.example.net/a"}], sections={8: entry})
    assert [code for code, _ in reasons(run(mismatch.source_mismatch, example, tmp_path / "a"))] == ["registry"]
    heuristic = entry.replace("registry:project-owned", "heuristic")
    other = research_example("x", results=[{"title": "t", "url": "https://go.example.net/a"}], sections={8: heuristic})
    assert outcomes(run(mismatch.source_mismatch, other, tmp_path / "b")) == {Outcome.FAILED}


def test_a_quotation_is_undecided_without_the_checkout(tmp_path: Path) -> None:
    sections = {4: f'{CODE_TITLE}It says "return max(0, COPIES - present)" there. [1]'}
    example = replace(research_example("x", kind="codebase", sections=sections), repository=None)
    example = replace(example, files={name: text.replace("@COMMIT@", "1" * 40) for name, text in example.files.items()})
    verdicts = run(quotations.quote_not_in_evidence, example, tmp_path)
    assert Outcome.FAILED not in outcomes(verdicts)
    assert [code for code, _ in reasons(verdicts)] == ["source-text"]


@pytest.mark.parametrize(("kind", "outcome"), [("web", Outcome.SKIPPED), ("codebase", Outcome.FAILED)])
def test_absent_pages_excuse_a_quotation_only_where_their_absence_is_an_error(
    kind: str, outcome: Outcome, tmp_path: Path
) -> None:
    entry = BASE_ENTRY.replace("[1]", "[2]")
    example = research_example(
        "x",
        kind=kind,
        results=[BASE_RESULT],
        content=ABSENT,
        sections={5: "### A\n\nIt says “nobody ever counts the copies” there. [2]", 8: f"{BASE_CODE_ENTRY}\n{entry}"},
    )
    assert outcome in outcomes(run(quotations.quote_not_in_evidence, example, tmp_path))


def test_one_found_fabrication_outweighs_an_undecided_quotation(tmp_path: Path) -> None:
    sections = {
        4: f"{TITLE}It says “Keep four copies of every record” here. [1]",
        5: "### A\n\nIt says “nobody ever counts the copies” there. [1][9]",
    }
    verdicts = run(quotations.quote_not_in_evidence, research_example("x", sections=sections), tmp_path)
    assert {Outcome.FAILED, Outcome.SKIPPED} <= outcomes(verdicts)


def test_a_quotation_of_the_page_as_it_is_now(tmp_path: Path) -> None:
    sections = {4: f"{TITLE.replace('Medium', 'High')}It says “a fourth copy is kept abroad”. [1]"}
    cited: list[JSON] = [{"kind": "web", "url": BASE_URL, "excerpt": "Keep three copies of every record."}]
    example = research_example(
        "x",
        sections=sections,
        findings=[{**BASE_FINDING, "confidence": "high", "evidence": cited}],
        pages={BASE_URL: "Keep three copies of every record. A fourth copy is kept abroad."},
    )
    assert outcomes(run(quotations.quote_not_in_evidence, example, tmp_path)) == {Outcome.PASSED}


@pytest.mark.parametrize(
    "quotation",
    [
        "“Keep three copies\nof every record”",
        "‘Keep three copies of every record’",
        "「Keep three copies of every record」",
        '"Keep three copies of every record."',
        "„Keep **three** copies of *every* record“",
        "“[k]eep three copies of every record”",
        "“Keep three copies of every record. One copy must be stored in another building”",
        "“Restore drills are held twice a year, and the result … is written down”",
    ],
)
def test_honest_quotations_in_any_dress(quotation: str, tmp_path: Path) -> None:
    example = research_example("x", sections={4: f"{TITLE}The guide: {quotation}. [1]"})
    assert outcomes(run(quotations.quote_not_in_evidence, example, tmp_path)) == {Outcome.PASSED}


@pytest.mark.parametrize(
    "quotation",
    [
        "“Keep three copies of each record”",
        "“Keep copies of every record”",
        "「Keep three copies of no record」",
        "“One copy must be stored … Keep three copies”",
        "“Keep three copies of every record, always”",
        "'nobody may keep three copies'",
        "“每条记录必须保存三份”",
    ],
)
def test_altered_quotations(quotation: str, tmp_path: Path) -> None:
    example = research_example(
        "x",
        sections={
            6: f"### Consensus\n\n- The guide: {quotation}. [1]\n\n### Debate / Contradictory Evidence\n\n- None."
        },
    )
    assert len(messages(run(quotations.quote_not_in_evidence, example, tmp_path))) == 1


def test_a_page_that_was_cut_excuses_nothing_and_is_told(tmp_path: Path) -> None:
    example = research_example(
        "x",
        content=[{**BASE_PAGE, "truncated": True}],
        sections={4: f"{TITLE}It says “the building may never be entered”. [1]"},
    )
    (message,) = messages(run(quotations.quote_not_in_evidence, example, tmp_path))
    assert message.endswith("was cut")


def test_the_nearest_title_is_offered(tmp_path: Path) -> None:
    statement = base_sections()[4].replace("Three copies are", "Three copies were")
    (verdict,) = (
        verdict
        for verdict in run(findings.finding_unmatched, research_example("x", sections={4: statement}), tmp_path)
        if verdict.problem is not None
    )
    assert verdict.problem is not None
    assert "Is “Three copies are required” meant?" in verdict.problem.help
    assert verdict.problem.related[0].location.pointer == "/findings/0/title"


def test_tracking_is_taken_out_of_the_source(tmp_path: Path) -> None:
    dirty = f"{BASE_URL}?utm_source=chatgpt.com&a=1"
    example = research_example("x", sections={8: BASE_ENTRY.replace(BASE_URL, dirty)})
    (verdict,) = (v for v in run(urls.tracking_parameter, example, tmp_path) if v.problem is not None)
    assert verdict.problem is not None
    assert verdict.problem.fix is not None
    (edit,) = verdict.problem.fix.edits
    text = example.files["report.md"]
    assert text[: edit.start] + edit.text + text[edit.end :] == text.replace(dirty, f"{BASE_URL}?a=1")


def test_a_leftover_marker_is_taken_out_with_its_space(tmp_path: Path) -> None:
    example = research_example(
        "x", sections={5: "### A\n\nKept. [1] :contentReference[oaicite:2]{index=2}\n\nMore. [1]"}
    )
    (verdict,) = (v for v in run(markers.marker_leftover, example, tmp_path) if v.problem is not None)
    assert verdict.problem is not None
    assert verdict.problem.fix is not None
    (edit,) = verdict.problem.fix.edits
    text = example.files["report.md"]
    assert "Kept. [1]\n\nMore. [1]" in text[: edit.start] + edit.text + text[edit.end :]


@pytest.mark.parametrize(
    "marker",
    [
        "【12†source】",
        "【4:0†guide.pdf】",
        "【53†L7-L15】",
        "[oaicite:3]",
        "citeturn0search0",
        "turn12news3",
        "【turn0search0】",
        "[cite: 1, 2]",
        "[cite:7]",
        "[cite_start]",
        "[cite_end]",
        "[span_3](start_span)",
        "\ue200cite\ue202turn0search1\ue202turn0search4\ue201",
        "\ue203",
    ],
)
def test_leftover_markers(marker: str, tmp_path: Path) -> None:
    example = research_example("x", sections={5: f"### A\n\nKept three times. [1] {marker}"})
    assert len(messages(run(markers.marker_leftover, example, tmp_path))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "【重要】",
        "【1】",
        "[citation needed]",
        "[cite]",
        "the turn0 of events",
        "return0value1",
        "a † dagger",
        "\uf8ff",
        "oaicite",
    ],
)
def test_text_that_only_looks_like_a_marker(text: str, tmp_path: Path) -> None:
    example = research_example("x", sections={5: f"### A\n\nKept three times. [1] {text}"})
    assert messages(run(markers.marker_leftover, example, tmp_path)) == []


def test_numbers_of_an_unverified_record_are_undecided(tmp_path: Path) -> None:
    code = {
        "id": "code-1",
        "kind": "code",
        "path": "store/copies.py",
        "line": 2,
        "excerpt": "COPIES = 31",
        "commit": "@COMMIT@",
    }
    example = research_example(
        "x",
        kind="codebase",
        code=[code],
        sections={4: f"{CODE_TITLE}The constant is 31. [1]", 8: BASE_CODE_ENTRY},
    )
    assert outcomes(run(numbers.number_not_in_evidence, example, tmp_path)) == {Outcome.SKIPPED}


def test_an_uncited_claim_needs_no_records(tmp_path: Path) -> None:
    example = research_example("x", sections={4: f"{TITLE}They are."})
    files = {name: text for name, text in example.files.items() if name == "report.md"}
    assert outcomes(run(coverage.finding_uncited, replace(example, files=files), tmp_path)) == {Outcome.FAILED}


@given(st.text(alphabet=" \n#`[]()<>*_:/.\"'“”‘’«»「」【】†\ue200\ue201%?&=a1x-—", max_size=300))
def test_patterns_never_break_on_a_report(text: str) -> None:
    report = parse_report(f"## 5) Detailed Analysis\n\n{text}\n\n## 8) Sources\n\n{text}\n")
    for cited in [*urls.cited_urls(report), *urls.template_urls(report)]:
        assert 0 <= cited.span.start <= cited.span.end <= len(report.text)
    for quotation in quotations.prose_quotations(report.prose):
        assert report.prose.text[quotation.start : quotation.end]
    for problem in markers.marker_leftover.check(report):
        assert problem.fix is not None


@pytest.mark.parametrize("covers", [["finding-copies", "code-1"], ["finding-else", "code-1"]])
def test_a_test_counts_only_where_it_covers_the_finding(covers: list[str], tmp_path: Path) -> None:
    example = research_example(
        "x",
        kind="codebase",
        repository={BASE_CODE_PATH: BASE_CODE, TEST_PATH: TEST_CODE},
        findings=[
            {**BASE_CODE_FINDING, "evidence": [{"kind": "code", "id": "code-1"}, {"kind": "test", "id": "test-1"}]}
        ],
        code=[BASE_CODE_RECORD, {**RECEIPT, "covers": list(covers)}],
        sections={
            4: f"{CODE_TITLE}The constant is 3. [1][2]",
            8: f"{BASE_CODE_ENTRY}\n[2] test evidence `test-1` — pytest / copies — passed (exit 0)",
        },
    )
    found = messages(run(evidence.evidence_mismatch, example, tmp_path))
    covered = "finding-copies" in covers
    assert found == [] if covered else "is a test that does not cover finding #1" in found[0]

"""Support states, caps and totals, end to end on bundles, and the reading of attestations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from evidence_lint.dialect import LoadOptions
from evidence_lint.engine.catalogue import load_catalogue
from evidence_lint.engine.collect import Argument, collect
from evidence_lint.engine.session import Plan, Session
from evidence_lint.model.artifact import JSON
from evidence_lint.model.example import (
    BASE_CODE_FINDING,
    BASE_CODE_RECORD,
    BASE_FINDING,
    BASE_PAGE,
    BASE_TEXT,
    BASE_URL,
    Example,
    Expected,
    research_example,
)
from evidence_lint.model.policy import Policy
from evidence_lint.model.records import FindingRecord, Row
from evidence_lint.model.result import BundleResult
from evidence_lint.model.verdict import Outcome
from evidence_lint.sources.ports import Sources
from evidence_lint.testing import ExampleCase, run_example
from evidence_lint.witness.claims import Claim, ClaimKind
from evidence_lint.witness.support import SupportState, SupportTotals
from evidence_lint.witness.support_review import InvalidReview, Stance, SupportReview, has_review, read_review

REVIEW: dict[str, JSON] = {"stance": "supports", "rationale": "The quoted line states it.", "reviewed_by": "A. Reader"}
DENIED = "The archive does not keep deleted records."
ASSERTED = "The archive keeps deleted records."
LONG = "The page speaks of drafts, which are no records."
EXCERPT: list[JSON] = [{"kind": "web", "url": BASE_URL, "excerpt": DENIED}]
PAGE: list[JSON] = [{**BASE_PAGE, "content": f"{BASE_TEXT}\n\n{DENIED}"}]


def claim(block: JSON) -> Claim:
    raw: JSON = {**BASE_FINDING, "support_review": block}
    row = Row("findings", "/findings/0", 1, raw, FindingRecord.model_validate(raw))
    return Claim(ClaimKind.FINDING, 1, row, "", "", None, ())


@pytest.mark.parametrize("stance", ["supports", "partial", "context-only", "contradicts", " Supports "])
def test_a_known_stance_is_read(stance: str) -> None:
    review = read_review(claim({**REVIEW, "stance": stance, "derived_numbers": True}))
    assert isinstance(review, SupportReview)
    assert review.stance is Stance(stance.strip().lower())
    assert review.derived_numbers
    assert review.reviewed_by == "A. Reader"


@pytest.mark.parametrize(
    "block",
    [
        "supports",
        ["supports"],
        True,
        {},
        {"stance": "yes"},
        {"stance": 1},
        {"stance": ["supports"]},
        {**REVIEW, "rationale": 5},
        {**REVIEW, "reviewed_by": {"name": "A"}},
        {**REVIEW, "derived_numbers": "false"},
        {**REVIEW, "derived_numbers": 1},
    ],
)
def test_a_malformed_block_attests_nothing(block: JSON) -> None:
    review = read_review(claim(block))
    assert isinstance(review, InvalidReview)
    assert review.faults
    assert has_review(claim(block))


def test_null_is_no_block() -> None:
    assert read_review(claim(None)) is None
    assert not has_review(claim(None))


@pytest.mark.parametrize(("rationale", "overrides"), [("x" * 19, False), ("x" * 20, True), (f"a{' ' * 30}b", False)])
def test_an_override_takes_twenty_characters(rationale: str, overrides: bool) -> None:
    review = read_review(claim({**REVIEW, "rationale": rationale}))
    assert isinstance(review, SupportReview)
    assert review.overrides is overrides


@pytest.mark.parametrize(
    ("states", "word"),
    [
        ([], "none"),
        (["attested"], "reviewed"),
        (["attested", "unreviewed"], "partially-reviewed"),
        (["attested", "qualified"], "partially-reviewed"),
        (["attested", "qualified", "disputed"], "disputed"),
        (["disputed", "contradicted"], "conflicted"),
    ],
)
def test_the_worst_state_is_the_word_of_all(states: list[str], word: str) -> None:
    counts = {SupportState(state): states.count(state) for state in states}
    assert SupportTotals(counts).word == word


def code_bundle(review: JSON, text: str = "The constant COPIES is 3.", **more: JSON) -> Example:
    finding: dict[str, JSON] = {**BASE_CODE_FINDING, "analysis": text, **more}
    if review is not None:
        finding["support_review"] = review
    rest: list[JSON] = [{**BASE_CODE_FINDING, "id": "other", "title": "Another", "support_review": REVIEW}]
    return research_example("x", Expected("…"), kind="codebase", findings=[finding, *rest])


def checked(example: Example, tmp_path: Path) -> BundleResult:
    """Every rule of family SUP and CONF on an example."""
    catalogue = load_catalogue()
    rules = [rule for rule in catalogue.rules if rule.family in {"SUP", "CONF"}]
    case = ExampleCase(next(rule for rule in rules if rule.code == "SUP101"), example)
    run_example(case, tmp_path, catalogue)  # writes the bundle and the repository
    sources = Sources()
    if (tmp_path / "checkout").exists():
        from evidence_lint.sources.git import GitRepository

        sources = Sources(repository=lambda folder: GitRepository.open(tmp_path / "checkout"))
    plan = Plan(
        catalogue=catalogue, checks=lambda path: (rules, {}), sources=sources, policy=Policy(mode="offline"),
        keep_passed=True,
    )  # fmt: skip
    (bundle,) = collect([Argument(tmp_path / "bundle")], catalogue.dialects, LoadOptions())
    return Session(plan).check(bundle)


def failed(result: BundleResult) -> Mapping[str, str]:
    assert not [verdict for verdict in result.verdicts if verdict.outcome is Outcome.ERRORED]
    return {v.code: v.severity.value for v in result.verdicts if v.outcome is Outcome.FAILED}


def effective(result: BundleResult) -> str | None:
    return result.summary.findings[0].effective_confidence


def test_an_attested_finding_keeps_its_high(tmp_path: Path) -> None:
    result = checked(code_bundle(REVIEW), tmp_path)
    assert effective(result) == "high"
    assert "SUP103" not in failed(result)


@pytest.mark.parametrize(
    ("review", "code"),
    [
        (None, "SUP103"),
        ({**REVIEW, "stance": "certainly"}, "SUP103"),
        ({**REVIEW, "stance": "partial"}, "SUP104"),
        ({**REVIEW, "stance": "context-only"}, "SUP104"),
    ],
)
def test_in_the_later_edition_only_an_attested_finding_is_high(review: JSON, code: str, tmp_path: Path) -> None:
    result = checked(code_bundle(review), tmp_path)
    assert effective(result) == "medium"
    assert result.summary.findings[0].reasons
    assert failed(result)[code] == "warning"
    assert failed(result)["CONF101"] == "error"


def test_numbers_that_no_excerpt_has_qualify_unless_they_are_derived(tmp_path: Path) -> None:
    text = "The constant COPIES is 3, which makes 36 in 12 archives."
    assert effective(checked(code_bundle(REVIEW, text), tmp_path / "a")) == "medium"
    assert effective(checked(code_bundle({**REVIEW, "derived_numbers": True}, text), tmp_path / "b")) == "high"


def test_in_the_base_edition_the_screens_warn_only(tmp_path: Path) -> None:
    example = research_example(
        "x", Expected("…"), findings=[{**BASE_FINDING, "analysis": ASSERTED, "evidence": EXCERPT}], content=PAGE
    )
    result = checked(example, tmp_path)
    assert failed(result)["SUP101"] == "warning"
    assert effective(result) == "medium"
    assert result.summary.findings[0].usable


def web_bundle(review: JSON, **more: JSON) -> Example:
    finding: dict[str, JSON] = {**BASE_FINDING, "analysis": ASSERTED, "evidence": EXCERPT, "support_review": review}
    return research_example("x", Expected("…"), findings=[{**finding, **more}], content=PAGE)


@pytest.mark.parametrize(
    "review",
    [
        {**REVIEW, "stance": "contradicts"},
        {**REVIEW, "stance": "partial", "rationale": LONG},
        {**REVIEW, "rationale": "It is fine."},
        {**REVIEW, "stance": "certainly", "rationale": LONG},
    ],
)
def test_a_contradicted_finding_is_not_publishable(review: JSON, tmp_path: Path) -> None:
    result = checked(web_bundle(review), tmp_path)
    assert failed(result)["SUP101"] == "error"
    assert effective(result) is None
    assert result.summary.findings[0].usable is False


def test_a_disputed_finding_is_published_below_high(tmp_path: Path) -> None:
    result = checked(web_bundle({**REVIEW, "rationale": LONG}), tmp_path)
    assert failed(result)["SUP102"] == "warning"
    assert "SUP101" not in failed(result)
    assert effective(result) == "medium"


def test_an_omitted_contradicted_finding_that_is_disclosed_warns(tmp_path: Path) -> None:
    contradicted: dict[str, JSON] = {
        **BASE_FINDING, "id": "finding-deleted", "title": "Deleted records are kept", "analysis": ASSERTED,
        "evidence": EXCERPT, "support_review": {**REVIEW, "stance": "contradicts"},
    }  # fmt: skip
    example = research_example(
        "x",
        Expected("…"),
        findings=[{**BASE_FINDING, "support_review": REVIEW}, contradicted],
        content=PAGE,
        sections={9: "- finding #2 was omitted: the page contradicts it."},
    )
    assert failed(checked(example, tmp_path))["SUP101"] == "warning"


def test_a_block_that_only_an_analysis_section_carries_does_not_change_the_edition(tmp_path: Path) -> None:
    findings: dict[str, JSON] = {
        "findings": [BASE_FINDING],
        "analysis_sections": [{"title": "A", "content": "B", "evidence": EXCERPT, "support_review": REVIEW}],
    }
    example = research_example("x", Expected("…"), findings=findings, content=PAGE)
    assert "SUP103" not in failed(checked(example, tmp_path))


def test_code_records_are_not_screened_for_polarity(tmp_path: Path) -> None:
    text = "missing present is not max copies"
    record: dict[str, JSON] = {**BASE_CODE_RECORD, "line": 5, "excerpt": "    return max(0, COPIES - present)"}
    finding: dict[str, JSON] = {**BASE_CODE_FINDING, "analysis": text}
    example = research_example("x", Expected("…"), kind="codebase", findings=[finding], code=[record])
    assert "SUP101" not in failed(checked(example, tmp_path))

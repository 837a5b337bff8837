"""Degradation and evidence chain, recomputed (chapter 1)."""

from __future__ import annotations

import pytest

from evidence_lint.model.records import (
    AnalysisRecord,
    CodeRecord,
    CommitRecord,
    ContentRecord,
    ReceiptRecord,
    Record,
    Records,
    ResultRecord,
    Row,
    SessionRecord,
)
from evidence_lint.witness.captures import Live
from evidence_lint.witness.claims import Claims, read_claims
from evidence_lint.witness.confidence import FindingAssessment, assess
from evidence_lint.witness.degradation import CHAIN, missing_halves, recompute, required_artifacts
from evidence_lint.witness.units import Unit, Units
from evidence_lint.witness.web import read_pages
from tests.support.evidence import claim, code, commit, missing, receipt, stated, web

RESULT = Row("results", "/results/0", 1, {}, ResultRecord())
PAGE = Row("content", "/items/0", 1, {}, ContentRecord(url="https://www.example.gov/a", content="Some text."))
FAILED = Row("content", "/items/1", 2, {}, ContentRecord(url="https://www.example.gov/b", content="", error="time-out"))
CODE = Row("code_evidence", "/evidence/0", 1, {}, CodeRecord(id="code-1", kind="code"))
WEB_RECORDS = Records(results=(RESULT,), content=(PAGE,))
CODE_RECORDS = Records(code=(CODE,))
HYBRID_RECORDS = Records(results=(RESULT,), content=(PAGE,), code=(CODE,))


def finding(*units: Unit, requested: str = "medium", label: str = "High", kind: str = "code_fact") -> FindingAssessment:
    return assess(claim(kind), stated(label), requested, list(units), Live())


def level(kind: str, records: Records, *findings: FindingAssessment, extra: tuple[Unit, ...] = ()) -> str:
    units = Units([*(unit for row in findings for unit in row.units), *extra])
    claims = Claims(tuple(row.claim for row in findings), (), (), ())
    return recompute(kind, records, claims, units, read_pages(records), findings).level


def test_full_when_all_is_well() -> None:
    assert level("web", WEB_RECORDS, finding(web())) == "Full"
    assert level("codebase", CODE_RECORDS, finding(code(), requested="high")) == "Full"
    assert level("hybrid", HYBRID_RECORDS, finding(web()), finding(code())) == "Full"


@pytest.mark.parametrize(
    ("kind", "records"),
    [
        ("web", Records(content=(PAGE,))),
        ("web", Records(results=(RESULT,))),
        ("codebase", Records()),
        ("hybrid", Records(results=(RESULT,), content=(PAGE,))),
        ("hybrid", Records(results=(RESULT,), code=(CODE,))),
        ("hybrid", Records(content=(PAGE,), code=(CODE,))),
    ],
)
def test_blocked_without_a_required_artifact(kind: str, records: Records) -> None:
    assert level(kind, records, finding(web()), finding(code())) == "Blocked"


def test_blocked_without_findings_or_without_a_usable_one() -> None:
    assert level("web", WEB_RECORDS) == "Blocked"
    assert level("codebase", CODE_RECORDS, finding(code(verified=False))) == "Blocked"


def test_web_research_needs_no_code_and_codebase_research_no_pages() -> None:
    assert required_artifacts("web") == ("results", "content")
    assert required_artifacts("codebase") == ("code_evidence",)
    assert required_artifacts("hybrid") == ("results", "content", "code_evidence")
    assert required_artifacts(None) == ()


def test_partial_for_an_unusable_finding() -> None:
    assert level("codebase", CODE_RECORDS, finding(code()), finding(missing())) == "Partial"


def test_partial_for_a_downgraded_finding() -> None:
    assert level("codebase", CODE_RECORDS, finding(code(pinned=False), requested="high")) == "Partial"


def test_partial_for_a_page_that_was_not_extracted() -> None:
    assert level("web", Records(results=(RESULT,), content=(PAGE, FAILED)), finding(web())) == "Partial"


def test_partial_for_a_content_row_that_is_no_object() -> None:
    broken: Row[ContentRecord] = Row("content", "/items/1", 2, 7, None)
    assert level("web", Records(results=(RESULT,), content=(PAGE, broken)), finding(web())) == "Partial"


def test_partial_for_an_entry_that_does_not_verify_beside_one_that_does() -> None:
    assert level("codebase", CODE_RECORDS, finding(code(), code("code-2", verified=False))) == "Partial"
    assert level("codebase", CODE_RECORDS, finding(code(), receipt(sound=False))) == "Partial"


def test_partial_for_an_exhausted_budget() -> None:
    assert level("web", Records(results=(RESULT,), content=(PAGE,), budget_exhausted=True), finding(web())) == "Partial"
    session = Row("session", "", 1, {}, SessionRecord(events=[{"type": "retrieval_exhausted"}]))
    records = Records(results=(RESULT,), content=(PAGE,), session=session)
    assert level("web", records, finding(web())) == "Partial"


def test_partial_for_a_saved_page_that_was_altered() -> None:
    altered = Row("content", "/items/0", 1, {}, ContentRecord(url="u", content="Some text.", content_sha256="0" * 64))
    assert level("web", Records(results=(RESULT,), content=(altered,)), finding(web())) == "Partial"


@pytest.mark.parametrize(
    ("units", "missing_words"),
    [
        ((web(),), ["repository"]),
        ((code(),), ["web"]),
        ((commit(),), ["web"]),
        ((web(), code()), []),
        ((web(), receipt()), []),
        ((code(verified=False), web()), ["repository"]),
    ],
)
def test_a_hybrid_needs_both_halves(units: tuple[Unit, ...], missing_words: list[str]) -> None:
    row = finding(*units)
    assert missing_halves([row]) == missing_words
    assert (level("hybrid", HYBRID_RECORDS, row) == "Full") == (not missing_words and all(u.verified for u in units))


class TestWaitingForLive:
    def test_a_level_that_hangs_on_a_capture_is_undecided(self) -> None:
        row = finding(web(), requested="high", kind="single_fact")
        units = Units(row.units)
        claims = Claims((row.claim,), (), (), ())
        found = recompute("web", WEB_RECORDS, claims, units, read_pages(WEB_RECORDS), [row])
        assert found.level == "Partial"
        assert found.undecided is not None

    def test_but_not_when_something_else_lowers_it_anyway(self) -> None:
        waiting = finding(web(), requested="high", kind="single_fact")
        unusable = finding(missing())
        units = Units([*waiting.units, *unusable.units])
        claims = Claims((waiting.claim, unusable.claim), (), (), ())
        found = recompute("web", WEB_RECORDS, claims, units, read_pages(WEB_RECORDS), [waiting, unusable])
        assert found.level == "Partial"
        assert found.undecided is None

    def test_nor_when_the_report_admits_less(self) -> None:
        row = finding(web(), requested="high", label="Medium", kind="single_fact")
        claims = Claims((row.claim,), (), (), ())
        found = recompute("web", WEB_RECORDS, claims, Units(row.units), read_pages(WEB_RECORDS), [row])
        assert (found.level, found.undecided) == ("Partial", None)


def test_the_chain_follows_the_level() -> None:
    assert CHAIN == {"Full": "satisfied", "Partial": "partially satisfied", "Blocked": "insufficient"}
    row = finding(code())
    found = recompute(
        "codebase",
        CODE_RECORDS,
        Claims((row.claim,), (), (), ()),
        Units(row.units),
        read_pages(CODE_RECORDS),
        [row],
    )
    assert found.chain == "satisfied"
    assert found.reasons == ()


class TestRows:
    def analysis(self, *units: Unit) -> str:
        row = finding(code())
        raw = {"title": "S", "evidence": [{"kind": "code", "id": "code-1"}]}
        section = read_claims(
            Records(analysis=(Row("findings", "/analysis_sections/0", 1, raw, AnalysisRecord.model_validate(raw)),))
        ).analysis[0]
        made = [Unit(section.refs[0], code=unit.code) for unit in units]
        claims = Claims((row.claim,), (section,), (), ())
        units_ = Units([*row.units, *made])
        return recompute("codebase", CODE_RECORDS, claims, units_, read_pages(CODE_RECORDS), [row]).level

    def test_a_section_without_verified_evidence_makes_it_partial(self) -> None:
        assert self.analysis(code()) == "Full"
        assert self.analysis() == "Partial"
        assert self.analysis(code(verified=False)) == "Partial"


def test_any_repository_record_is_repository_evidence() -> None:
    row = finding(code())
    commits = (Row("code_evidence", "/evidence/0", 1, {}, CommitRecord(id="c")),)
    receipts = (Row("code_evidence", "/evidence/0", 1, {}, ReceiptRecord(id="t")),)
    other: Row[Record] = Row("code_evidence", "/evidence/0", 1, {}, Record())
    for records in (Records(commits=commits), Records(receipts=receipts), Records(other_evidence=(other,))):
        assert level("codebase", records, row) == "Full"


def test_reasons_count_in_words() -> None:
    def reasons(*units: Unit) -> tuple[str, ...]:
        row = finding(*units)
        claims = Claims((row.claim,), (), (), ())
        return recompute("codebase", CODE_RECORDS, claims, Units(units), read_pages(CODE_RECORDS), [row]).reasons

    assert "1 cited evidence entry does not verify" in reasons(code(), missing())
    assert "2 cited evidence entries do not verify" in reasons(code(), missing(), missing(name="x"))


def test_an_unusable_finding_says_why() -> None:
    row = finding(missing())
    other = finding(code())
    claims = Claims((row.claim, other.claim), (), (), ())
    units = Units([*row.units, *other.units])
    found = recompute("codebase", CODE_RECORDS, claims, units, read_pages(CODE_RECORDS), [row, other])
    assert found.reasons[0].endswith("is unusable: none of its evidence verifies")

"""Placeholders are exempt only while the records agree (chapter 1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evidence_lint.model.records import ContentRecord, FindingRecord, Records, ResultRecord, Row
from evidence_lint.model.report import Report
from evidence_lint.parse.markdown import parse_report
from evidence_lint.witness.absence import UsableRows
from evidence_lint.witness.claims import ClaimKind, Claims
from evidence_lint.witness.units import Units, join_units
from evidence_lint.witness.web import examine_web, read_pages, read_results

NOTHING = """## 4) Key Findings

- No finding had verified supporting evidence.

## 6) Consensus vs Debate

### Consensus

- None.
"""
SOMETHING = "## 4) Key Findings\n\n- **A** (High confidence): B. [1]\n"


def finding(**fields: Any) -> Records:
    return Records(findings=(Row("findings", "/findings/0", 1, dict(fields), FindingRecord.model_validate(fields)),))


def usable(records: Records, calls: list[Claims]) -> UsableRows:
    def join(claims: Claims) -> Units:
        calls.append(claims)
        web = examine_web(claims, read_results(records), read_pages(records))
        return join_units(claims, records, web, [], [], [])

    return UsableRows(records, join)


def report(text: str) -> Report:
    return parse_report(text)


def test_nothing_is_verified_where_nothing_is_claimed_absent() -> None:
    calls: list[Claims] = []
    rows = usable(finding(title="A", evidence=[{"kind": "code", "id": "c"}]), calls)
    assert [stated.title for stated in rows.findings(report(SOMETHING))] == ["A"]
    assert calls == []


def test_no_rows_no_work() -> None:
    calls: list[Claims] = []
    rows = usable(Records(), calls)
    assert rows.findings(report(NOTHING)) == []
    assert rows.passages(report(NOTHING)) == []
    assert calls == []


def test_a_verified_row_makes_a_claim_of_the_placeholder() -> None:
    page = {"url": "https://a.example.gov/", "content": "Keep three copies of every record."}
    claimed = finding(title="A", evidence=[{"kind": "web", "url": page["url"], "excerpt": page["content"]}])
    records = replace(
        claimed,
        results=(Row("results", "/results/0", 1, {"url": page["url"]}, ResultRecord(url=page["url"])),),
        content=(Row("content", "/items/0", 1, dict(page), ContentRecord.model_validate(page)),),
    )
    (stated,) = usable(records, []).findings(report(NOTHING))
    assert stated.placeholder


def test_unverified_rows_leave_a_placeholder_true() -> None:
    calls: list[Claims] = []
    rows = usable(finding(title="A", evidence=[{"kind": "code", "id": "c"}]), calls)
    assert rows.findings(report(NOTHING)) == []
    assert not rows.holds(ClaimKind.CONSENSUS)
    assert len(calls) == 1

"""SUP106: honest ways to count are accepted, and the fix writes the recomputed line and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_lint.engine.catalogue import load_catalogue
from evidence_lint.model.artifact import JSON
from evidence_lint.model.example import BASE_FINDING, BASE_URL, Expected, base_sections, research_example
from evidence_lint.model.verdict import Outcome, Verdict
from evidence_lint.testing import ExampleCase, run_example

REVIEW: dict[str, JSON] = {"stance": "supports", "rationale": "The line states it.", "reviewed_by": "A. Reader"}
EVIDENCE: list[JSON] = [{"kind": "web", "url": BASE_URL, "excerpt": "Keep three copies of every record."}]
FINDINGS: dict[str, JSON] = {
    "findings": [{**BASE_FINDING, "support_review": REVIEW}, {**BASE_FINDING, "id": "b", "title": "B", "evidence": []}],
    "analysis_sections": [{"title": "Copies", "content": "Kept three times.", "evidence": EVIDENCE}],
    "consensus": [{"statement": "Three copies are kept.", "evidence": EVIDENCE}],
}


def verdicts(tmp_path: Path, line: str) -> tuple[list[Verdict], str]:
    catalogue = load_catalogue()
    example = research_example(
        "x",
        Expected("…"),
        findings=FINDINGS,
        sections={2: f"{base_sections()[2]}\n- Claim support (a verdict): {line}"},
    )
    case = ExampleCase(next(rule for rule in catalogue.rules if rule.code == "SUP106"), example)
    found, bundle, _ = run_example(case, tmp_path, catalogue)
    return [v for v in found if v.outcome is Outcome.FAILED], bundle.artifacts[bundle.main].text or ""


@pytest.mark.parametrize(
    "line",
    [
        "partially-reviewed — attested 1, qualified 0, unreviewed 2, disputed 0, blocked 0",
        "reviewed — attested 1, qualified 0, unreviewed 0, disputed 0, blocked 0",
        "partially-reviewed (attested 1, qualified 0, unreviewed 3, disputed 0, blocked 0)",
        "`partially-reviewed`: attested: 1; unreviewed: 1; contradicted: 0",
    ],
)
def test_all_rows_or_findings_alone_with_or_without_unverified_ones(line: str, tmp_path: Path) -> None:
    assert verdicts(tmp_path, line)[0] == []


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        (
            "reviewed — attested 3, qualified 0, unreviewed 0, disputed 0, blocked 0 (by hand)",
            "partially-reviewed — attested 1, qualified 0, unreviewed 2, disputed 0, blocked 0 (by hand)",
        ),
        ("attested 2; 4 claim(s) tripped the polarity screen", "attested 1; 0 claim(s) tripped the polarity screen"),
    ],
)
def test_the_fix_writes_what_is_recomputed(line: str, fixed: str, tmp_path: Path) -> None:
    (verdict,), text = verdicts(tmp_path, line)
    assert verdict.problem is not None
    assert verdict.problem.fix is not None
    (edit,) = verdict.problem.fix.edits
    assert text[: edit.start] + edit.text + text[edit.end :] == text.replace(line, fixed)


def test_a_line_without_word_or_counts(tmp_path: Path) -> None:
    (verdict,), _ = verdicts(tmp_path, "all good")
    assert verdict.problem is not None
    assert "neither a word nor counts" in verdict.problem.message

from __future__ import annotations

import json
import textwrap

import pytest

from evidence_lint.engine.fingerprint import Fingerprints
from evidence_lint.engine.locate import Locator
from evidence_lint.model.artifact import Medium
from evidence_lint.model.location import Location, Span
from evidence_lint.model.verdict import Problem
from tests.support.engine_support import artifact, bundle_of

REPORT = """## 4) Key Findings

- **Copies** (High confidence): Three copies of every record are kept in two buildings. [1]
- **Drills** (High confidence): Restore drills are held twice a year, with a written result. [2]

## 9) Limitations

- None is known.
"""
FINDINGS = {
    "findings": [
        {"id": "copies", "confidence": "high", "evidence": [{"url": "https://a.example", "excerpt": "x"}]},
        {"id": "drills", "confidence": "high", "evidence": [{"url": "https://b.example", "excerpt": "x"}]},
    ]
}


def of_text(report: str, words: str, after: str = "", message: str = "wrong label") -> str:
    bundle = bundle_of(artifact("report", report))
    start = report.index(words, report.index(after))
    return Fingerprints(bundle, Locator()).of(
        "a-rule", Problem(message, Location("report", Span(start, start + len(words))))
    )


def of_pointer(findings: object, pointer: str, message: str = "wrong label") -> str:
    text = json.dumps(findings)
    bundle = bundle_of(artifact("findings", text, Medium.JSON))
    return Fingerprints(bundle, Locator()).of("a-rule", Problem(message, Location("findings", pointer=pointer)))


LABEL = of_text(REPORT, "High", "Copies")


@pytest.mark.parametrize(
    "edited",
    [
        "# Title\n\nA paragraph.\n\n" + REPORT,
        REPORT.replace("\n", "\r\n"),
        REPORT.replace("every record are", "every\n  record are"),
        REPORT.replace("[1]", "[7][12]"),
        REPORT.replace("Restore drills", "No drills"),
        "\n".join([REPORT.splitlines()[0], "", *reversed(REPORT.splitlines()[2:4]), ""]),
        REPORT.replace("- **Drills**", "\n- **Drills**"),
    ],
)
def test_moved_rewrapped_and_reordered_text_keeps_its_fingerprint(edited: str) -> None:
    assert of_text(edited, "High", "Copies") == LABEL


def test_rewrapping_a_whole_report_keeps_fingerprints() -> None:
    wrapped = "\n".join(
        textwrap.fill(line, 30, subsequent_indent="  ") if line.startswith("- ") else line
        for line in REPORT.split("\n")
    )
    assert wrapped != REPORT
    assert of_text(wrapped, "High", "Copies") == LABEL
    assert of_text(wrapped, "High", "Drills") == of_text(REPORT, "High", "Drills")


def test_the_same_fault_elsewhere_is_another() -> None:
    assert of_text(REPORT, "High", "Drills") != LABEL


def test_another_fault_in_the_same_place_is_another() -> None:
    assert of_text(REPORT, "High", "Copies", "no such label") != LABEL
    assert of_text(REPORT, "High", "Copies", "wrong label (3 of 5) 'quoted' #4") == LABEL


def test_a_claim_that_was_changed_is_another() -> None:
    assert of_text(REPORT.replace("Three copies", "Nine copies"), "High", "Copies") != LABEL


def test_equal_problems_are_told_apart_by_their_order() -> None:
    bundle = bundle_of(artifact("report", REPORT))
    problem = Problem("x", Location("report", Span(0, 2)))
    made = Fingerprints(bundle, Locator())
    both = [made.of("a-rule", problem), made.of("a-rule", problem)]
    assert len({*both, made.of("other-rule", problem)}) == 3
    again = Fingerprints(bundle, Locator())
    assert [again.of("a-rule", problem), again.of("a-rule", problem)] == both
    assert all(len(fingerprint) == 32 for fingerprint in both)


def test_records_may_be_reordered_and_reformatted() -> None:
    label = of_pointer(FINDINGS, "/findings/0/confidence")
    turned = {"findings": FINDINGS["findings"][::-1]}
    assert of_pointer(turned, "/findings/1/confidence") == label
    assert of_pointer(turned, "/findings/0/confidence") != label, "the other finding states High too"


def test_evidence_is_told_apart_by_its_source() -> None:
    rows = [{"url": f"https://{n}.example", "excerpt": "x"} for n in "ab"]
    document = {"findings": [{"id": "one", "evidence": rows}]}
    assert of_pointer(document, "/findings/0/evidence/0/excerpt") != of_pointer(
        document, "/findings/0/evidence/1/excerpt"
    )


def test_a_changed_value_is_another_fault() -> None:
    changed = json.loads(json.dumps(FINDINGS))
    changed["findings"][0]["confidence"] = "low"
    assert of_pointer(changed, "/findings/0/confidence") != of_pointer(FINDINGS, "/findings/0/confidence")


def test_absent_members_are_told_apart_by_their_record() -> None:
    assert of_pointer(FINDINGS, "/findings/0/title") != of_pointer(FINDINGS, "/findings/1/title")
    assert of_pointer(FINDINGS, "/no/such/place") != of_pointer(FINDINGS, "/findings/1/title")


def test_a_problem_of_a_whole_file_is_known_by_its_words() -> None:
    bundle = bundle_of(artifact("report", REPORT))

    def of(message: str) -> str:
        return Fingerprints(bundle, Locator()).of("a-rule", Problem(message, Location("report")))

    assert of("section 5 is missing") != of("section 6 is missing")
    assert of("/home/me/checkout is no repository, see line 4") == of("/build/x is no repository, see line 12")


def test_a_pointer_that_is_none_is_an_error() -> None:
    with pytest.raises(ValueError, match="not a JSON pointer"):
        of_pointer(FINDINGS, "findings/0")

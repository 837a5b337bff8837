"""OUT120: what the records lower or leave out is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_lint.errors import Unavailable
from evidence_lint.model.artifact import JSON
from evidence_lint.model.bundle import FINDINGS, ResearchBundle
from evidence_lint.model.example import BASE_FINDING, BASE_PAGE, BASE_URL, Expected, base_sections, research_example
from evidence_lint.model.location import Location
from evidence_lint.model.report import REPORT, Report
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.assessment import Assessment
from evidence_lint.witness.confidence import FindingAssessment
from evidence_lint.witness.disclosure import downgrade_disclosed, omission_disclosed, says_nothing
from evidence_lint.witness.report_fields import visible_section

_BODIES = base_sections()
_HIGH: list[JSON] = [{**BASE_FINDING, "confidence": "high"}]
_OMITTED: list[JSON] = [
    BASE_FINDING,
    {
        "id": "finding-tapes",
        "title": "Tapes last ten years",
        "claim_type": "single_fact",
        "confidence": "medium",
        "analysis": "Tapes are kept for ten years.",
        "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": "Tapes are kept for ten years."}],
    },
]
_FAILED_PAGE: list[JSON] = [
    BASE_PAGE,
    {"url": "https://www.example.gov/guides/tapes", "content": "", "error": "timeout"},
]


@rule(
    "OUT120",
    "downgrade-undisclosed",
    severity=Severity.WARNING,
    passes=[
        research_example("nothing is lowered or left out"),
        research_example("None documented, and nothing is", sections={9: "None documented."}),
        research_example(
            "a downgrade told on the line",
            findings=_HIGH,
            sections={4: _BODIES[4] + " Downgrade: no live capture was made."},
        ),
        research_example(
            "a downgrade told in section 9 by number",
            findings=_HIGH,
            sections={9: "- finding #1 confidence downgraded from high to medium"},
        ),
        research_example(
            "a downgrade told in section 9 by its reason",
            findings=_HIGH,
            sections={
                9: "- The page was not captured again in this run, so its excerpt cannot support High confidence."
            },
        ),
        research_example(
            "an omission told by its subject",
            findings=_OMITTED,
            sections={9: "- How long tapes last could not be supported over the years."},
        ),
        research_example(
            "in own words, on the line and in Chinese",
            findings=_HIGH,
            sections={4: _BODIES[4] + " 降级：没有实时抓取。", 9: "- 第1条的置信度由高降为中。"},
        ),
        research_example(
            "omissions in a list below the line that says so",
            findings=_OMITTED,
            sections={9: "- Omitted, since nothing could be verified:\n  - finding #2"},
        ),
        research_example("an omission told by id", findings=_OMITTED, sections={9: "- `finding-tapes` was left out."}),
        research_example(
            "an omission told by section 7's count and a reason",
            findings=_OMITTED,
            sections={7: _BODIES[7].replace("omitted: 0", "omitted: 1"), 9: "- One excerpt was not on its page."},
        ),
    ],
    fails=[
        research_example(
            "a downgrade that nothing tells",
            Expected(
                "the records ask for high, medium is earned, and the report does not tell it",
                at="Three copies are required",
            ),
            findings=_HIGH,
        ),
        research_example(
            "a line that says no",
            Expected("the records ask for high, medium is earned, and the report does not tell it"),
            findings=_HIGH,
            sections={9: "- Confidence downgrades: none\n- Sponsorship is unknown."},
        ),
        *(
            research_example(
                f"a denial on the line: {words}",
                Expected("the records ask for high, medium is earned, and the report does not tell it"),
                findings=_HIGH,
                sections={4: f"{_BODIES[4]} {words}"},
            )
            for words in ("Downgrade: none.", "Downgrade: n/a", "No downgrade.", "This was not downgraded at all.")
        ),
        *(
            research_example(
                f"nothing is lowered by: {words}",
                Expected("the records ask for high, medium is earned, and the report does not tell it"),
                findings=_HIGH,
                sections={9: f"- {words}"},
            )
            for words in (
                "Three copies are required: High requested and earned.",
                "finding #1 is fine",
                "finding #1 has no problems",
                f"{BASE_URL} is a good page",
                "No finding was downgraded or omitted, finding #1 included.",
            )
        ),
        *(
            research_example(
                f"nothing is left out by: {words}",
                Expected("finding #2 (Tapes last ten years) has no verified evidence and is left out; the…"),
                findings=_OMITTED,
                sections={9: f"- {words}"},
            )
            for words in (
                "All findings verified; finding #2 too.",
                "It is not true that finding #2 was omitted.",
                f"Useful further reading: {BASE_URL}",
            )
        ),
        research_example(
            "an omission that nothing tells",
            Expected(
                "finding #2 (Tapes last ten years) has no verified evidence and is left out; the…",
                at="## 9) Gaps & Limitations",
            ),
            findings=_OMITTED,
        ),
        research_example(
            "None documented, though a page failed",
            Expected(
                "section 9 says that nothing is missing: 1 of 2 pages could not be extracted", at="None documented."
            ),
            content=_FAILED_PAGE,
            sections={9: "None documented."},
        ),
    ],
)
def downgrade_undisclosed(report: Report, bundle: ResearchBundle, assessment: Assessment) -> Iterator[Problem]:
    """Every downgrade and every omission is told to the reader.

    Why: a finding that quietly became Medium, or quietly vanished, tells a reader nothing about what was tried and did
    not hold.

    Fix: add `Downgrade: reason.` to the finding's line, or a line to section 9 that names the finding by its number, id
    or URL, or gives the reason.
    """
    problems = [*_undisclosed(report, assessment), *_nothing_documented(report, bundle, assessment)]
    if problems:
        visible_section(report, 9)
        yield from problems
        return
    waiting = [row for row in _downgraded(assessment) if row.waits_for_live and not downgrade_disclosed(report, row)]
    if waiting:
        names = ", ".join(f"#{row.claim.number}" for row in waiting)
        raise Unavailable(
            "live-pending", f"whether finding {names} is downgraded hangs on a live capture that did not run"
        )


def _downgraded(assessment: Assessment) -> Sequence[FindingAssessment]:
    return [row for row in assessment.findings if row.downgraded]


def _undisclosed(report: Report, assessment: Assessment) -> Iterator[Problem]:
    for row in _downgraded(assessment):
        if not row.waits_for_live and not downgrade_disclosed(report, row):
            yield Problem(
                f"the records ask for {row.requested}, {row.effective} is earned, and the report does not tell it",
                row.location if row.stated is not None else _section_9(report),
                help="; ".join(row.reasons),
                related=(Related(row.claim.row.at("confidence"), f"{row.requested} is asked for here"),),
            )
    omitted = assessment.omitted
    for row in omitted:
        if not omission_disclosed(report, row, len(omitted)):
            yield Problem(
                f"{row.claim.words} has no verified evidence and is left out; the report does not tell it",
                _section_9(report),
                related=(Related(row.claim.location, "the finding that is left out"),),
            )


def _nothing_documented(report: Report, bundle: ResearchBundle, assessment: Assessment) -> Iterator[Problem]:
    section = report.section(9)
    found = assessment.degradation
    if section is None or found is None or not says_nothing(report):
        return
    reasons = () if found.undecided is not None else found.reasons
    gaps = _recorded_gaps(bundle)
    if reasons or gaps:
        what = reasons[0] if reasons else f"findings.json lists {gaps} {'gap' if gaps == 1 else 'gaps'}"
        place = section.prose.span(0, len(section.prose.text.rstrip()))
        yield Problem(f"section 9 says that nothing is missing: {what}", Location(REPORT, place))


def _recorded_gaps(bundle: ResearchBundle) -> int:
    artifact = bundle.artifacts.get(FINDINGS)
    data = artifact.data if artifact is not None else None
    gaps = data.get("gaps") if isinstance(data, dict) else None
    return sum(isinstance(gap, str) and bool(gap.strip()) for gap in gaps) if isinstance(gaps, list) else 0


def _section_9(report: Report) -> Location:
    section = report.section(9)
    return section.location if section is not None else report.location

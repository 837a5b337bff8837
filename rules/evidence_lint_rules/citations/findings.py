"""Findings of the report against those of findings.json: each is there, and usable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz, process

from evidence_lint.errors import Unavailable
from evidence_lint.model.example import (
    BASE_CODE_ENTRY,
    BASE_CODE_FINDING,
    BASE_FINDING,
    BASE_RESULT,
    Expected,
    base_sections,
    research_example,
)
from evidence_lint.model.report import Report, StatedFinding
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.assessment import Assessment, stated_word
from evidence_lint.witness.claims import Claim, Claims
from evidence_lint.witness.confidence import FindingAssessment
from evidence_lint.witness.matching import Matching, title_key
from evidence_lint.witness.report_fields import DEGRADATION, visible_section
from evidence_lint.witness.units import Unit
from evidence_lint_rules.citations._naming import shortened

_DRILLS = "https://www.example.gov/guides/drills"
_DRILLS_ENTRY = f"[2] Restore drills — {_DRILLS} — government (preclassified T1) — date: unknown"
_STATEMENT = base_sections()[4]
_UNVERIFIED = {**BASE_FINDING, "evidence": [{"kind": "web", "url": _DRILLS, "excerpt": "Tapes are kept for ever."}]}
_LEAST_ALIKE = 50
_MOST_COMPARED = 500


@rule(
    "CIT111",
    "finding-unmatched",
    passes=[
        research_example("The titles are equal"),
        research_example(
            "Markdown marks, white space and a full stop aside",
            sections={4: _STATEMENT.replace("**Three copies are required**", "**Three  *copies* are required.**")},
        ),
        research_example(
            "Two findings of one title",
            findings=[BASE_FINDING, {**BASE_FINDING, "id": "finding-2"}],
            sections={4: f"{_STATEMENT}\n{_STATEMENT}"},
        ),
        research_example(
            "A summary that repeats title and label, and prose that speaks of confidence",
            sections={
                3: "We have high confidence that the guide is current.\n\n"
                "- **Three copies are required** (Medium confidence)"
            },
        ),
    ],
    fails=[
        research_example(
            "An altered title",
            Expected(
                "no finding of findings.json has the title “Four copies are required”", at="Four copies are required"
            ),
            sections={4: _STATEMENT.replace("Three copies are", "Four copies are", 1)},
        ),
        research_example(
            "Stated once more than recorded",
            Expected(
                "findings.json holds the finding “Three copies are required” 1 time, and this is one more",
                at="Three copies are required",
            ),
            sections={4: f"{_STATEMENT}\n{_STATEMENT}"},
        ),
        research_example(
            "No title at all",
            Expected("the finding has no title by which its record could be found", at="- Copies are required. [1]"),
            sections={4: "- Copies are required. [1]"},
        ),
        research_example(
            "A labelled claim below another finding, and one in another section",
            Expected("no finding of findings.json has the title “Tapes last for ever”", at="Tapes last for ever"),
            Expected("no finding of findings.json has the title “Drills are useless”", at="Drills are useless"),
            sections={
                4: f"{_STATEMENT}\n  - **Tapes last for ever** (High confidence): No tape ever fails. [1]",
                9: "- **Drills are useless** (High confidence): Nobody needs them. [1]",
            },
        ),
        research_example(
            "A claim in a paragraph after the findings",
            Expected(
                "the finding has no title by which its record could be found", at="Moreover, no tape ever fails. [1]"
            ),
            sections={4: f"{_STATEMENT}\n\nMoreover, no tape ever fails. [1]"},
        ),
    ],
)
def finding_unmatched(stated: StatedFinding, matching: Matching, claims: Claims) -> Iterator[Problem]:
    """Every finding of the report is one of findings.json.

    Why: a finding without a record was never verified, and nothing says what it rests on.

    Fix: use the record's title word for word, or add the record with its evidence.
    """
    if stated.placeholder or matching.claim_of(stated) is not None:
        return
    title = shortened(stated.title)
    same = [claim for claim in claims.findings if title_key(claim.title) == title_key(stated.title)]
    near = same[0] if same else _nearest(stated, matching, claims.findings)
    if not title_key(stated.title):
        message = "the finding has no title by which its record could be found"
    elif same:
        times = "time" if len(same) == 1 else "times"
        message = f"findings.json holds the finding “{title}” {len(same)} {times}, and this is one more"
    else:
        message = f"no finding of findings.json has the title “{title}”"
    advice = "Use the title of its record word for word, or add the record with its evidence."
    if near is not None and not same:
        advice = f"Is “{shortened(near.title)}” meant? {advice}"
    related = (
        (Related(near.row.at("title"), "the finding of this title" if same else "the nearest title"),) if near else ()
    )
    yield Problem(message, stated.location, help=advice, related=related)


def _nearest(stated: StatedFinding, matching: Matching, claims: Sequence[Claim]) -> Claim | None:
    """The record of the title most alike; one that the report does not state yet comes first."""
    for candidates in ([claim for claim in claims if matching.stated_of(claim) is None], claims):
        titled = [claim for claim in candidates if claim.title][:_MOST_COMPARED]
        best = process.extractOne(
            title_key(stated.title).casefold(),
            [title_key(claim.title).casefold() for claim in titled],
            scorer=fuzz.ratio,
            score_cutoff=_LEAST_ALIKE,
        )
        if best is not None:
            return titled[best[2]]
    return None


@rule(
    "CIT112",
    "finding-omitted",
    severity=Severity.WARNING,
    passes=[
        research_example("The finding is stated"),
        research_example(
            "An unusable finding is rightly left out", findings=[BASE_FINDING, {**_UNVERIFIED, "title": "Tapes"}]
        ),
        research_example(
            "A Blocked report claims nothing",
            sections={
                2: base_sections()[2].replace("`Full`", "`Blocked`"),
                4: "- No finding had verified supporting evidence.",
            },
            content=[],
        ),
    ],
    fails=[
        research_example(
            "A usable finding that the report does not state",
            Expected(
                "finding #2 (Drills are held twice a year) is usable, but the report does not state it",
                artifact="findings",
                pointer="/findings/1/title",
            ),
            findings=[
                BASE_FINDING,
                {
                    **BASE_FINDING,
                    "id": "finding-drills",
                    "title": "Drills are held twice a year",
                    "evidence": [
                        {"kind": "web", "url": BASE_RESULT["url"], "excerpt": "Restore drills are held twice a year"}
                    ],
                },
            ],
        ),
    ],
)
def finding_omitted(finding: FindingAssessment, report: Report, assessment: Assessment) -> Iterator[Problem]:
    """Every usable finding stands in the report, unless the report is Blocked.

    Why: a finding that was verified and is then left out may be the one that did not fit the story.

    Fix: state the finding in section 4, or take it out of findings.json.
    """
    if finding.stated is not None or not finding.usable:
        return
    section = visible_section(report, 4)
    if section is None:
        raise Unavailable("no-findings-section", "the report has no section 4 in which the finding could stand")
    recomputed = assessment.degradation.level if assessment.degradation is not None else ""
    if recomputed == "Blocked" or stated_word(report, DEGRADATION) == "Blocked":
        return
    yield Problem(
        f"{finding.claim.words} is usable, but the report does not state it",
        finding.claim.row.at("title"),
        help="State it in section 4, or take it out of findings.json.",
        related=(Related(section.location, "the findings of the report"),),
    )


@rule(
    "CIT113",
    "unverified-finding-published",
    passes=[
        research_example("The finding has verified evidence"),
        research_example(
            "One of two pieces of evidence verifies",
            kind="codebase",
            findings=[{**BASE_CODE_FINDING, "evidence": [{"kind": "code", "id": i} for i in ("code-1", "code-9")]}],
        ),
        research_example(
            "Not published",
            findings=[BASE_FINDING, {**_UNVERIFIED, "title": "Tapes are kept for ever"}],
        ),
        research_example(
            "Told in section 9 as left out",
            findings=[BASE_FINDING, {**_UNVERIFIED, "title": "Tapes are kept for ever"}],
            sections={9: "- **Tapes are kept for ever** (High confidence) was omitted: its excerpt was not found."},
        ),
    ],
    fails=[
        research_example(
            "No evidence of it verifies",
            Expected(
                "none of the evidence of finding #1 (Three copies are required) verifies, yet the report states it",
                at="Three copies are required",
            ),
            findings=[_UNVERIFIED],
        ),
        research_example(
            "It has no evidence at all",
            Expected(
                "finding #1 (Three copies are required) has no evidence, yet the report states it",
                at="Three copies are required",
            ),
            kind="codebase",
            findings=[{**BASE_CODE_FINDING, "evidence": []}],
            sections={8: BASE_CODE_ENTRY},
        ),
        research_example(
            "Inside another finding's paragraph",
            Expected(
                "none of the evidence of finding #2 (Tapes are kept for ever) verifies, yet the report states it",
                at="Tapes are kept for ever",
            ),
            findings=[BASE_FINDING, {**_UNVERIFIED, "title": "Tapes are kept for ever"}],
            sections={4: f"{_STATEMENT}<br>**Tapes are kept for ever** (High confidence): They are. [1]"},
        ),
    ],
)
def unverified_published(finding: FindingAssessment) -> Iterator[Problem]:
    """No finding without verified evidence stands in the report.

    Why: such a finding is not weak but unusable: nothing that was checked supports it. A low label does not mend that.

    Fix: repair its evidence, or leave the finding out and say so in section 9.
    """
    if finding.stated is None or finding.usable:
        return
    related = [Related(unit.ref.location, _why(unit)) for unit in finding.units[:8]]
    what = f"none of the evidence of {finding.claim.words} verifies"
    yield Problem(
        f"{what if finding.units else f'{finding.claim.words} has no evidence'}, yet the report states it",
        finding.stated.location,
        help="Repair its evidence, or leave it out and say in section 9 that and why it was left out.",
        related=tuple(related) or (Related(finding.claim.row.at("evidence"), "its record"),),
    )


def _why(unit: Unit) -> str:
    if unit.fault is not None:
        return f"does not count: {unit.fault.value.replace('-', ' ')}"
    if unit.web is not None and unit.web.match is None and unit.web.extracted:
        return "its excerpt is not in the saved page"
    if unit.web is not None and not unit.web.extracted:
        return "no text of the page was saved"
    return "does not verify"

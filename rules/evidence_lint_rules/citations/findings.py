"""Findings of the report against those of findings.json: each is there, usable, and cites its own evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz, process

from evidence_lint.errors import Unavailable
from evidence_lint.model.example import (
    BASE_CODE_ENTRY,
    BASE_CODE_FINDING,
    BASE_CODE_RECORD,
    BASE_ENTRY,
    BASE_FINDING,
    BASE_PAGE,
    BASE_RESULT,
    COMMIT,
    Expected,
    base_sections,
    research_example,
)
from evidence_lint.model.report import Citation, Report, StatedFinding
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.assessment import Assessment, stated_word
from evidence_lint.witness.claims import Claim, Claims, EvidenceKind
from evidence_lint.witness.confidence import FindingAssessment
from evidence_lint.witness.index import EntryTarget, EntryTargets, WebIdentity
from evidence_lint.witness.matching import Matching, title_key
from evidence_lint.witness.report_fields import DEGRADATION, visible_section
from evidence_lint.witness.units import RefFault, Unit
from evidence_lint_rules.citations._naming import named, shortened

_DRILLS = "https://www.example.gov/guides/drills"
_DRILLS_ENTRY = f"[2] Restore drills — {_DRILLS} — government (preclassified T1) — date: unknown"
_TWO_RESULTS = [BASE_RESULT, {**BASE_RESULT, "url": _DRILLS, "title": "Restore drills"}]
_TWO_PAGES = [BASE_PAGE, {**BASE_PAGE, "url": _DRILLS}]
_STATEMENT = base_sections()[4]
_CITES_TWO = {4: _STATEMENT.replace("[1]", "[1][2]"), 8: f"{BASE_ENTRY}\n{_DRILLS_ENTRY}"}
_UNVERIFIED = {**BASE_FINDING, "evidence": [{"kind": "web", "url": _DRILLS, "excerpt": "Tapes are kept for ever."}]}
_COMMIT_RECORD = {"id": "commit-1", "kind": "commit", "commit": COMMIT, "subject": "feat: keep three copies"}
_LEAST_ALIKE = 50
_MOST_COMPARED = 500


@rule(
    "CIT110",
    "citation-evidence-mismatch",
    passes=[
        research_example("The cited page is the finding's evidence"),
        research_example(
            "One of two pieces of evidence is enough, in another spelling",
            findings=[
                {
                    **BASE_FINDING,
                    "evidence": [
                        *BASE_FINDING["evidence"],
                        {"kind": "web", "url": _DRILLS + "/?utm_source=x", "excerpt": "One copy must be stored"},
                    ],
                }
            ],
            results=_TWO_RESULTS,
            content=_TWO_PAGES,
            sections={4: _STATEMENT.replace("[1]", "[2]"), 8: f"{BASE_ENTRY}\n{_DRILLS_ENTRY}"},
        ),
        research_example("An unusable finding is told by `unverified-finding-published`", findings=[_UNVERIFIED]),
    ],
    fails=[
        research_example(
            "A page that is not the finding's evidence",
            Expected(f"[2] {_DRILLS} is not among the evidence of finding #1 (Three copies are required)", at="2"),
            results=_TWO_RESULTS,
            content=_TWO_PAGES,
            sections=_CITES_TWO,
        ),
        research_example(
            "A page whose excerpt does not verify",
            Expected(
                f"[2] {_DRILLS} is evidence of finding #1 (Three copies are required) that does not verify", at="2"
            ),
            findings=[{**BASE_FINDING, "evidence": [*BASE_FINDING["evidence"], *_UNVERIFIED["evidence"]]}],
            results=_TWO_RESULTS,
            content=_TWO_PAGES,
            sections=_CITES_TWO,
        ),
        research_example(
            "Another record than the evidence",
            Expected(
                "[1] commit evidence commit-1 is not among the evidence of finding #1 (Three copies are required)",
                at="1",
            ),
            kind="codebase",
            code=[BASE_CODE_RECORD, _COMMIT_RECORD],
            sections={8: f"[1] commit evidence `commit-1` — {COMMIT} — feat: keep three copies"},
        ),
    ],
)
def evidence_mismatch(finding: FindingAssessment, targets: EntryTargets, identity: WebIdentity) -> Iterator[Problem]:
    """A finding cites its own verified evidence, and nothing else.

    Why: the records prove what was verified for this finding. A number that leads elsewhere shows the reader another
    source than the one that carries the claim, perhaps one that was never held against it.

    Fix: cite the sources that the finding's record names, or add the cited source to its evidence with an excerpt.
    """
    if finding.stated is None or not finding.usable:
        return
    for citation in _first_of_each(finding.stated.citations):
        cited = targets.of(citation.number)
        # Dangling and unresolved numbers are told by the rules of those names.
        if not cited or not all(target.resolved for target in cited):
            continue
        units = [unit for target in cited for unit in finding.units if _is_unit(target, unit, identity)]
        if not any(unit.verified for unit in units):
            yield _foreign(finding, citation, cited[0], units)


def _first_of_each(citations: Sequence[Citation]) -> list[Citation]:
    found: dict[int, Citation] = {}
    for citation in citations:
        found.setdefault(citation.number, citation)
    return list(found.values())


def _is_unit(target: EntryTarget, unit: Unit, identity: WebIdentity) -> bool:
    if unit.ref.kind is EvidenceKind.WEB:
        return any(identity.same(web.shown.value, unit.ref.url) for web in target.web)
    kind = unit.ref.kind
    return bool(
        kind is not None
        and target.entry.id is not None
        and target.entry.id.value == unit.ref.id
        and target.entry.kind.value == kind.value
    )


def _foreign(finding: FindingAssessment, citation: Citation, target: EntryTarget, units: Sequence[Unit]) -> Problem:
    claim, entry = finding.claim, target.entry
    if any(unit.fault is RefFault.NOT_COVERED for unit in units):
        what = f"is a test that does not cover {claim.words}"
    elif units:
        what = f"is evidence of {claim.words} that does not verify"
    else:
        what = f"is not among the evidence of {claim.words}"
    record = units[0].ref.location if units else claim.row.at("evidence")
    return Problem(
        f"{named(entry)} {what}",
        citation.location,
        help="Cite what the finding's record names and verifies, or add the source to its evidence.",
        related=(
            Related(record, "the evidence of the finding" if not units else "the evidence entry"),
            Related(entry.location, "the cited entry"),
        ),
    )


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

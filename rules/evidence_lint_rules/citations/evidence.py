"""A finding cites the evidence that was verified for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_lint.model.example import (
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
from evidence_lint.model.report import Citation
from evidence_lint.model.verdict import Problem, Related
from evidence_lint.rule import rule
from evidence_lint.witness.claims import EvidenceKind
from evidence_lint.witness.confidence import FindingAssessment
from evidence_lint.witness.index import EntryTarget, EntryTargets, WebIdentity
from evidence_lint.witness.units import RefFault, Unit
from evidence_lint_rules.citations._naming import named

_DRILLS = "https://www.example.gov/guides/drills"
_DRILLS_ENTRY = f"[2] Restore drills — {_DRILLS} — government (preclassified T1) — date: unknown"
_TWO_RESULTS = [BASE_RESULT, {**BASE_RESULT, "url": _DRILLS, "title": "Restore drills"}]
_TWO_PAGES = [BASE_PAGE, {**BASE_PAGE, "url": _DRILLS}]
_STATEMENT = base_sections()[4]
_CITES_TWO = {4: _STATEMENT.replace("[1]", "[1][2]"), 8: f"{BASE_ENTRY}\n{_DRILLS_ENTRY}"}
_UNVERIFIED = {**BASE_FINDING, "evidence": [{"kind": "web", "url": _DRILLS, "excerpt": "Tapes are kept for ever."}]}
_COMMIT_RECORD = {"id": "commit-1", "kind": "commit", "commit": COMMIT, "subject": "feat: keep three copies"}


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

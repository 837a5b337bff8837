"""Acme's rules."""

from __future__ import annotations

from collections.abc import Iterator

from acme_evidence_rules.sponsors import Sponsors
from evidence_lint.model.example import BASE_FINDING, BASE_RESULT, Expected, research_example
from evidence_lint.model.location import Location
from evidence_lint.model.report import REPORT, Report, StatedFinding
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule

_SPONSORED = {**BASE_RESULT, "sponsorship": "sold by the publisher"}
_AS_LOW = "- **Three copies are required** (Low confidence): The guide requires three copies of every record. [1]"


@rule(
    "ACME101",
    "sponsored-alone",
    severity=Severity.WARNING,
    passes=[
        research_example("no sponsor is known"),
        research_example(
            "a sponsored source, stated as Low",
            sections={4: _AS_LOW},
            findings=[{**BASE_FINDING, "confidence": "low"}],
            results=[_SPONSORED],
        ),
        research_example("sponsorship is unknown", results=[{**BASE_RESULT, "sponsorship": "unknown"}]),
    ],
    fails=[
        research_example(
            "the only source is sponsored",
            Expected("stated as Medium, but its only source is sponsored: sold by the publisher", at="Medium"),
            results=[_SPONSORED],
        ),
    ],
)
def sponsored_alone(finding: StatedFinding, report: Report, sponsors: Sponsors) -> Iterator[Problem]:
    """A finding whose every source is sponsored is stated as Low.

    Why: whoever sells a thing chooses what to publish about it. The words may be exact and still be one side.

    Fix: state Low, or cite a source that nobody with a stake has paid for.
    """
    if finding.confidence not in {"high", "medium"} or finding.label_span is None:
        return
    numbers = {citation.number for citation in finding.citations}
    cited = [entry for entry in report.entries if entry.number in numbers]
    found = [sponsors.of(entry.url.value) if entry.url is not None else None for entry in cited]
    sponsored = [sponsorship for sponsorship in found if sponsorship is not None]
    if not cited or len(sponsored) < len(cited):
        return
    which = "its only source is" if len(cited) == 1 else f"all of its {len(cited)} sources are"
    statements = "; ".join(dict.fromkeys(sponsorship.statement for sponsorship in sponsored))
    yield Problem(
        f"stated as {finding.confidence.title()}, but {which} sponsored: {statements}",
        Location(REPORT, finding.label_span),
        help="State Low, or cite a source without a stake in the matter.",
        related=tuple(Related(sponsorship.location, "declared here") for sponsorship in sponsored),
    )

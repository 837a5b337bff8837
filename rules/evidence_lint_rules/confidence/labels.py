"""Labels: there is one, it is a word of the contract, and it is not higher than what is earned."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import BASE_CODE_RECORD, BASE_FINDING, Expected, research_example
from evidence_lint.model.location import Location
from evidence_lint.model.report import REPORT, Report, StatedFinding
from evidence_lint.model.verdict import Applicability, Edit, Fix, Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.confidence import FindingAssessment, rank
from evidence_lint.witness.disclosure import downgrade_disclosed
from evidence_lint.witness.labels import ConfidenceLabel

_UNPINNED = {**BASE_CODE_RECORD, "commit": "HEAD"}
_HIGH = "- **Three copies are required** (High confidence): The guide requires three copies of every record. [1]"


def because(reasons: tuple[str, ...]) -> str:
    """Reasons as the end of a sentence."""
    return f": {'; '.join(reasons)}" if reasons else ""


@rule(
    "CONF101",
    "confidence-inflated",
    fixable=True,
    passes=[
        research_example("The label that is earned", kind="codebase"),
        research_example(
            "Less than is earned",
            kind="codebase",
            sections={4: "- **Three copies are required** (Medium confidence): The constant COPIES is 3. [1]"},
        ),
    ],
    fails=[
        research_example(
            "The record requests Medium",
            Expected("the report says High, but the record requests Medium", at="High"),
            sections={4: _HIGH},
        ),
        research_example(
            "Code that is not pinned earns no High",
            Expected(
                "the report says High, but Medium is earned: no cited code record is pinned to a commit", at="High"
            ),
            kind="codebase",
            code=[_UNPINNED],
        ),
    ],
)
def confidence_inflated(finding: FindingAssessment) -> Iterator[Problem]:
    """The report states no higher confidence than the finding has earned.

    Why: the label is what readers act on. A High that the evidence does not carry is the fault that this tool exists to
    find.

    Fix: lower the label and say why (``Downgrade: …``), or add the evidence that the label needs.
    """
    stated = finding.stated
    if stated is None or stated.confidence is None or stated.label_span is None or not finding.usable:
        return
    if finding.waits_for_live or rank(stated.confidence) <= rank(finding.effective):
        return
    if rank(stated.confidence) > rank(finding.requested):
        cause = f"the record requests {finding.requested.capitalize()}"
    else:
        cause = f"{(finding.effective or '').capitalize()} is earned{because(finding.reasons)}"
    lowered = (finding.effective or "low").capitalize()
    yield Problem(
        f"the report says {stated.confidence.capitalize()}, but {cause}",
        _label(stated),
        help=f"State {lowered} and say why, or add the evidence that the label needs.",
        related=(Related(finding.claim.row.at("confidence"), "what the record requests"),),
        fix=Fix(
            f"state {lowered}",
            (Edit("report", stated.label_span.start, stated.label_span.end, lowered),),
            Applicability.UNSAFE,
        ),
    )


@rule(
    "CONF102",
    "confidence-downgraded",
    severity=Severity.WARNING,
    passes=[research_example("The requested label is earned", kind="codebase")],
    fails=[
        research_example(
            "A downgrade that the report does not tell",
            Expected(
                "High is requested, Medium is earned: no cited code record is pinned to a commit",
                pointer="/findings/0/confidence",
                artifact="findings",
            ),
            kind="codebase",
            code=[_UNPINNED],
            sections={4: "- **Three copies are required** (Medium confidence): The constant COPIES is 3. [1]"},
        ),
        research_example(
            "A downgrade that it tells",
            Expected(
                "High is requested, Medium is earned: …",
                pointer="/findings/0/confidence",
                artifact="findings",
                severity=Severity.INFO,
            ),
            kind="codebase",
            code=[_UNPINNED],
            sections={
                4: "- **Three copies are required** (Medium confidence): The constant COPIES is 3. [1] "
                "Downgrade: the code is not pinned."
            },
        ),
    ],
)
def confidence_downgraded(finding: FindingAssessment, report: Report) -> Iterator[Problem]:
    """A finding earns the confidence that its record requests.

    Why: the author asked for more than the evidence carries; the reasons say what is missing.

    Fix: add what the reasons name, or request less. A downgrade that the report tells is honest, and only noted.
    """
    if finding.downgraded:
        yield Problem(
            f"{finding.requested.capitalize()} is requested, {(finding.effective or '').capitalize()} is earned"
            f"{because(finding.reasons)}",
            finding.claim.row.at("confidence"),
            help="Add the missing evidence, or request less and tell the downgrade.",
            severity=Severity.INFO if downgrade_disclosed(report, finding) else None,
        )


@rule(
    "CONF103",
    "confidence-label-missing",
    passes=[research_example("A label on every finding")],
    fails=[
        research_example(
            "A finding without a label",
            Expected("this finding states no confidence", at="Three copies are required"),
            sections={4: "- **Three copies are required**: The guide requires three copies of every record. [1]"},
        ),
        research_example(
            "A record without a label",
            Expected("this record states no confidence", pointer="/findings/0", artifact="findings"),
            findings=[{key: value for key, value in BASE_FINDING.items() if key != "confidence"}],
        ),
    ],
)
def label_missing(label: ConfidenceLabel) -> Iterator[Problem]:
    """Every finding, in the report and in the records, states its confidence.

    Why: without a label a reader takes a lead for a fact.

    Fix: write ``(High confidence)``, ``(Medium confidence)`` or ``(Low confidence)`` behind the title, and the same
    word as ``confidence`` in the record.
    """
    if label.text is None:
        yield Problem(f"{label.where} states no confidence", label.location, help="Write High, Medium or Low.")


@rule(
    "CONF104",
    "confidence-label-invalid",
    passes=[
        research_example("A word of the contract, in any case", findings=[{**BASE_FINDING, "confidence": "MEDIUM"}])
    ],
    fails=[
        research_example(
            "A percentage",
            Expected("'95%' is no confidence: High, Medium or Low", at="95%"),
            sections={4: _HIGH.replace("High", "95%")},
        ),
        research_example(
            "An unknown word in the record counts as Low",
            Expected("'sure' is no confidence: …", pointer="/findings/0/confidence", artifact="findings"),
            findings=[{**BASE_FINDING, "confidence": "sure"}],
        ),
    ],
)
def label_invalid(label: ConfidenceLabel) -> Iterator[Problem]:
    """A confidence is High, Medium or Low.

    Why: other words and percentages suggest a precision that nobody measured, and no rule can hold them to anything.

    Fix: use one of the three words.
    """
    if label.text is not None and not label.valid:
        yield Problem(
            f"{label.text!r} is no confidence: High, Medium or Low", label.location, help="Use High, Medium or Low."
        )


@rule(
    "CONF105",
    "confidence-understated",
    severity=Severity.INFO,
    passes=[research_example("The label that is earned", kind="codebase")],
    fails=[
        research_example(
            "Medium where High is earned",
            Expected("the report says Medium, and High is earned", at="Medium"),
            kind="codebase",
            sections={4: "- **Three copies are required** (Medium confidence): The constant COPIES is 3. [1]"},
        ),
    ],
)
def confidence_understated(finding: FindingAssessment) -> Iterator[Problem]:
    """The report states what the finding has earned.

    Why: saying less is allowed; the reader may want to know that the evidence would carry more.

    Fix: nothing needs to be done; raise the label if the caution has no other reason.
    """
    stated = finding.stated
    if stated is None or stated.confidence is None or finding.effective is None:
        return
    if rank(stated.confidence) < rank(finding.effective):
        yield Problem(
            f"the report says {stated.confidence.capitalize()}, and {finding.effective.capitalize()} is earned",
            _label(stated),
        )


def _label(stated: StatedFinding) -> Location:
    return stated.location if stated.label_span is None else Location(REPORT, stated.label_span)

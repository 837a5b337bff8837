"""High that lacks its support: a covering receipt for runtime claims, independent units for others."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import (
    BASE_CODE_FINDING,
    BASE_CODE_RECORD,
    BASE_FINDING,
    BASE_PAGE,
    BASE_RESULT,
    BASE_TEXT,
    BASE_URL,
    Expected,
    research_example,
)
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.captures import Live
from evidence_lint.witness.confidence import FindingAssessment, claim_type
from evidence_lint.witness.independence import independent_units, mirrored

_RUNTIME = {**BASE_CODE_FINDING, "claim_type": "runtime_behavior"}
_OTHER = {**BASE_CODE_FINDING, "claim_type": "recommendation"}
_HIGH = "- **Three copies are required** (High confidence): The guide requires three copies of every record. [1]"
_MIRROR = "https://mirror.example.org/backups"
_COMPARISON = {
    **BASE_FINDING,
    "claim_type": "recommendation",
    "confidence": "high",
    "evidence": [
        {"kind": "web", "url": BASE_URL, "excerpt": "Keep three copies of every record."},
        {"kind": "web", "url": _MIRROR, "excerpt": "Keep three copies of every record."},
    ],
}


@rule(
    "CONF106",
    "runtime-support-insufficient",
    passes=[
        research_example("A code fact needs no receipt", kind="codebase"),
        research_example(
            "A runtime claim that states Medium",
            kind="codebase",
            findings=[{**_RUNTIME, "confidence": "medium"}],
            sections={4: "- **Three copies are required** (Medium confidence): The constant COPIES is 3. [1]"},
        ),
    ],
    fails=[
        research_example(
            "Code alone does not show behaviour",
            Expected("no receipt covers this runtime High: no test receipt is cited", at="Three copies are required"),
            kind="codebase",
            findings=[_RUNTIME],
        ),
    ],
)
def runtime_support_insufficient(finding: FindingAssessment) -> Iterator[Problem]:
    """A runtime claim that is stated as High has one receipt that covers all of it.

    Why: code shows what was written, not what happens. One test run on the clean snapshot of the same commit, covering
    the finding and every code item, reviewed by a person, shows it; several partial runs do not add up.

    Fix: run the tests with ``pytest --evidence-receipt``, have the receipt approved, and cite it; or state Medium.
    """
    if claim_type(finding.claim) != "runtime_behavior" or not finding.states_high or not finding.usable:
        return
    reasons = [reason for reason in finding.reasons if reason not in finding.support_reasons]
    if finding.effective != "high" and finding.requested == "high" and reasons:
        yield Problem(
            f"no receipt covers this runtime High: {'; '.join(reasons)}",
            finding.location,
            help="Cite one approved receipt that covers the finding and all its code, or state Medium.",
        )


@rule(
    "CONF107",
    "independence-insufficient",
    passes=[
        research_example("A code fact stands by its code alone", kind="codebase"),
        research_example(
            "Two code records of different lines",
            kind="codebase",
            findings=[{**_OTHER, "evidence": [{"kind": "code", "id": "code-1"}, {"kind": "code", "id": "code-2"}]}],
            code=[
                BASE_CODE_RECORD,
                {**BASE_CODE_RECORD, "id": "code-2", "line": 4, "excerpt": "def missing(present):"},
            ],
        ),
    ],
    fails=[
        research_example(
            "One unit",
            Expected("this High rests on 1 independent unit, two are needed", at="Three copies are required"),
            kind="codebase",
            findings=[_OTHER],
        ),
        research_example(
            "Two records of one line are one unit",
            Expected("this High rests on 1 independent unit, two are needed", at="Three copies are required"),
            kind="codebase",
            findings=[{**_OTHER, "evidence": [{"kind": "code", "id": "code-1"}, {"kind": "code", "id": "code-2"}]}],
            code=[BASE_CODE_RECORD, {**BASE_CODE_RECORD, "id": "code-2"}],
        ),
    ],
)
def independence_insufficient(finding: FindingAssessment, live: Live) -> Iterator[Problem]:
    """A comparison, trend or recommendation that is stated as High rests on two independent units.

    Why: one source can be wrong, and one source quoted twice is still one. Pages of one registrable domain, and records
    of one line, count once.

    Fix: add evidence from an independent place, or state Medium.
    """
    if claim_type(finding.claim) != "other" or not finding.states_high or not finding.usable:
        return
    count = independent_units(finding.verified, live)
    if finding.effective != "high" and count < 2:
        yield Problem(
            f"this High rests on {count} independent unit{'' if count == 1 else 's'}, two are needed",
            finding.location,
            help="Add evidence from an independent place, or state Medium.",
        )


@rule(
    "CONF108",
    "independence-mirrored",
    passes=[
        research_example(
            "Two pages of their own words",
            findings=[_COMPARISON],
            results=[BASE_RESULT, {**BASE_RESULT, "url": _MIRROR}],
            content=[
                BASE_PAGE,
                {
                    **BASE_PAGE,
                    "url": _MIRROR,
                    "content": "Our field notes. We asked nine archives how they work. Keep three copies of every "
                    "record, said eight of them; the ninth keeps two and regrets it since a flood in spring.",
                },
            ],
            sections={4: _HIGH},
        ),
    ],
    fails=[
        research_example(
            "A mirror of the same page",
            Expected(f"{BASE_URL} and {_MIRROR} carry one text, so they are one unit", at="Three copies are required"),
            findings=[_COMPARISON],
            results=[BASE_RESULT, {**BASE_RESULT, "url": _MIRROR}],
            content=[BASE_PAGE, {**BASE_PAGE, "url": _MIRROR, "content": "Mirror. " + BASE_TEXT}],
            sections={4: _HIGH},
        ),
    ],
)
def independence_mirrored(finding: FindingAssessment) -> Iterator[Problem]:
    """The independent units of a stated High are not copies of one text.

    Why: a press release on ten sites is one source. Pages whose texts are (nearly) the same count once.

    Fix: find a source with words of its own, or state Medium.
    """
    if claim_type(finding.claim) != "other" or not finding.states_high:
        return
    for one, other in mirrored(finding.verified):
        yield Problem(
            f"{one.ref.url} and {other.ref.url} carry one text, so they are one unit",
            finding.location,
            help="Cite a source with words of its own, or state Medium.",
        )

"""Rows of findings.json: each is an object; prose instead of rows is not verified."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.model.example import BASE_FINDING, Expected, research_example
from evidence_lint.model.records import Records
from evidence_lint.model.verdict import Problem, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.claims import Claim, ClaimKind

_ROW = {"statement": "Three copies.", "evidence": BASE_FINDING["evidence"]}


def _invalid(claim: Claim, kind: ClaimKind) -> Iterator[Problem]:
    if claim.kind is kind and not claim.valid:
        yield Problem(
            f"{claim.words} is no object",
            claim.location,
            help="Write an object with the statement and its `evidence`, or take the row out.",
        )


@rule(
    "EVID105",
    "invalid-finding",
    passes=[research_example("Findings are objects")],
    fails=[
        research_example(
            "A finding that is a sentence",
            Expected("finding #2 is no object", pointer="/findings/1", artifact="findings"),
            findings=[BASE_FINDING, "Copies are kept for years."],
        ),
    ],
)
def invalid_finding(claim: Claim) -> Iterator[Problem]:
    """Every finding of findings.json is an object.

    Why: what is no object has no title, no evidence and no confidence, so it cannot be checked and counts as unusable.

    Fix: write the finding as an object with ``title``, ``claim_type``, ``confidence``, ``analysis`` and ``evidence``.
    """
    yield from _invalid(claim, ClaimKind.FINDING)


@rule(
    "EVID106",
    "invalid-analysis-section",
    passes=[research_example("No analysis sections")],
    fails=[
        research_example(
            "A section that is a sentence",
            Expected("analysis section #1 is no object", pointer="/analysis_sections/0", artifact="findings"),
            findings={"findings": [BASE_FINDING], "analysis_sections": ["Copies are kept."]},
        ),
    ],
)
def invalid_analysis(claim: Claim) -> Iterator[Problem]:
    """Every analysis section of findings.json is an object.

    Why: a section that is no object carries no evidence, so what the report says there is unsupported.

    Fix: write it as an object with ``title``, ``content`` and ``evidence``.
    """
    yield from _invalid(claim, ClaimKind.ANALYSIS)


@rule(
    "EVID107",
    "invalid-consensus-statement",
    passes=[research_example("A row", findings={"findings": [BASE_FINDING], "consensus": [_ROW]})],
    fails=[
        research_example(
            "A number among the rows",
            Expected("consensus statement #2 is no object", pointer="/consensus/1", artifact="findings"),
            findings={"findings": [BASE_FINDING], "consensus": [_ROW, 42]},
        ),
    ],
)
def invalid_consensus(claim: Claim) -> Iterator[Problem]:
    """Every consensus row of findings.json is an object.

    Why: a row that is no object carries no evidence for the agreement that it asserts.

    Fix: write it as an object with ``statement`` and ``evidence``.
    """
    yield from _invalid(claim, ClaimKind.CONSENSUS)


@rule(
    "EVID108",
    "invalid-debate-statement",
    passes=[research_example("A row", findings={"findings": [BASE_FINDING], "debate": [_ROW]})],
    fails=[
        research_example(
            "A number among the rows",
            Expected("debate statement #1 is no object", pointer="/debate/0", artifact="findings"),
            findings={"findings": [BASE_FINDING], "debate": [42]},
        ),
    ],
)
def invalid_debate(claim: Claim) -> Iterator[Problem]:
    """Every debate row of findings.json is an object.

    Why: a row that is no object carries no evidence for the disagreement that it asserts.

    Fix: write it as an object with ``statement`` and ``evidence``.
    """
    yield from _invalid(claim, ClaimKind.DEBATE)


@rule(
    "EVID109",
    "legacy-consensus-unverified",
    severity=Severity.WARNING,
    passes=[research_example("Rows with evidence", findings={"findings": [BASE_FINDING], "consensus": [_ROW]})],
    fails=[
        research_example(
            "Prose where rows belong",
            Expected("the consensus is prose without evidence", pointer="/consensus", artifact="findings"),
            findings={"findings": [BASE_FINDING], "consensus": "Everybody keeps three copies."},
        ),
    ],
)
def legacy_consensus(bundle: ResearchBundle, records: Records) -> Iterator[Problem]:
    """The consensus is recorded as rows with evidence.

    Why: prose says that sources agree without naming one, so nobody can tell whether they do.

    Fix: write one row for each statement, with its evidence.
    """
    if records.legacy_consensus is not None:
        yield Problem(
            "the consensus is prose without evidence",
            records.legacy_consensus,
            help="Write rows with `statement` and `evidence`.",
        )


@rule(
    "EVID110",
    "legacy-debate-unverified",
    severity=Severity.WARNING,
    passes=[research_example("Rows with evidence", findings={"findings": [BASE_FINDING], "debate": [_ROW]})],
    fails=[
        research_example(
            "Prose where rows belong",
            Expected("the debate is prose without evidence", pointer="/debate", artifact="findings"),
            findings={"findings": [BASE_FINDING], "debate": "Some keep two copies."},
        ),
    ],
)
def legacy_debate(bundle: ResearchBundle, records: Records) -> Iterator[Problem]:
    """The debate is recorded as rows with evidence.

    Why: prose says that sources disagree without naming one, so nobody can tell whether they do.

    Fix: write one row for each statement, with its evidence.
    """
    if records.legacy_debate is not None:
        yield Problem(
            "the debate is prose without evidence",
            records.legacy_debate,
            help="Write rows with `statement` and `evidence`.",
        )

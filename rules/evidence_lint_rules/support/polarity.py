"""SUP101 and SUP102: what the evidence denies, and what its author says to that."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import Expected, research_example
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.standing import Standing
from evidence_lint.witness.support import ClaimSupport, Edition, SupportState
from evidence_lint_rules.support._examples import REVIEW, finding, page

_DENIED = "The archive does not keep deleted records."
_ASSERTED = "The archive keeps deleted records for nine years."
_CONFLICT = "the excerpt denies what the claim asserts at “archive keeps deleted records”"


@rule(
    "SUP101",
    "claim-contradicts-evidence",
    passes=[
        research_example("Claim and excerpt agree"),
        research_example(
            "Both deny it",
            findings=[finding("Deleted records are not kept by the archive.", _DENIED)],
            content=page(_DENIED),
        ),
        research_example(
            "A bound prefix denies nothing",
            findings=[
                finding("The guide asks to keep non-public records in three copies.", "Keep non-public records safe.")
            ],
            content=page("Keep non-public records safe."),
        ),
        research_example(
            "A conflict that the author answers is another rule's business",
            findings=[
                finding(_ASSERTED, _DENIED, {**REVIEW, "rationale": "The page speaks of drafts, not of records."})
            ],
            content=page(_DENIED),
        ),
    ],
    fails=[
        research_example(
            "The excerpt denies the claim; in the base edition this warns",
            Expected(_CONFLICT, at="Three copies are required", severity=Severity.WARNING),
            findings=[finding(_ASSERTED, _DENIED)],
            content=page(_DENIED),
        ),
        research_example(
            "In the later edition it is an error",
            Expected(
                f"{_CONFLICT}; its author says that the evidence is partial support",
                at="Three copies are required",
                severity=Severity.ERROR,
            ),
            findings=[finding(_ASSERTED, _DENIED, {**REVIEW, "stance": "partial"})],
            content=page(_DENIED),
        ),
        research_example(
            "A rationale too short to answer it",
            Expected(
                f"{_CONFLICT}; the rationale of its review is shorter than 20 characters and overrides nothing",
                at="Three copies are required",
            ),
            findings=[finding(_ASSERTED, _DENIED, {**REVIEW, "rationale": "It is fine."})],
            content=page(_DENIED),
        ),
        research_example(
            "The report drops a “not” that the record still has",
            Expected("the excerpt denies what the claim asserts at “archive keeps …”", at="Three copies are required"),
            findings=[finding(_DENIED, _DENIED)],
            content=page(_DENIED),
            sections={4: "- **Three copies are required** (Medium confidence): The archive keeps deleted records. [1]"},
        ),
        research_example(
            "The author says so",
            Expected("its author says that the evidence contradicts it", at="Three copies are required"),
            findings=[finding(review={**REVIEW, "stance": "contradicts"})],
        ),
        research_example(
            "Chinese",
            Expected(
                "the excerpt denies what the claim asserts at “档案馆保存删除记录”", at="Three copies are required"
            ),
            findings=[finding("档案馆保存已删除的记录。", "档案馆不保存已删除的记录。")],
            content=page("档案馆不保存已删除的记录。"),
        ),
    ],
)
def claim_contradicts_evidence(support: ClaimSupport, standing: Standing) -> Iterator[Problem]:
    """The evidence does not deny what the claim asserts.

    Why: an exact excerpt can say the contrary of the sentence that is built on it; a lost “not” is the commonest way.
    The screen compares the clauses around shared phrases. It warns in the base edition of the contract, and in
    the later one such a claim is not publishable.

    Fix: correct the claim. Where claim and excerpt agree in meaning with opposite words, say so in a `support_review`
    with stance `supports` and a rationale of 20 characters or more; the claim then stays below High.
    """
    if support.state is not SupportState.CONTRADICTED:
        return
    later = support.edition is Edition.LATER
    yield Problem(
        "; ".join(support.reasons),
        support.location,
        help="Correct the claim, or review it with a rationale that answers the conflict.",
        related=_places(support),
        severity=standing.of_claim(support.claim.kind, support.claim.number) if later else Severity.WARNING,
    )


@rule(
    "SUP102",
    "claim-support-disputed",
    severity=Severity.WARNING,
    passes=[
        research_example("Nothing conflicts", findings=[finding(review=REVIEW)]),
        research_example(
            "A conflict that nobody answers is another rule's business",
            findings=[finding(_ASSERTED, _DENIED)],
            content=page(_DENIED),
        ),
    ],
    fails=[
        research_example(
            "A conflict that its author answers",
            Expected(
                f"{_CONFLICT}; the author overrides that: “The page speaks of drafts, not of records.”",
                at="Three copies are required",
            ),
            findings=[
                finding(_ASSERTED, _DENIED, {**REVIEW, "rationale": "The page speaks of drafts, not of records."})
            ],
            content=page(_DENIED),
        )
    ],
)
def claim_support_disputed(support: ClaimSupport) -> Iterator[Problem]:
    """No conflict between a claim and its evidence had to be overridden.

    Why: the author may be right, and a reader should know that a screen objected and why it was overruled. Such a claim
    cannot be High.

    Fix: quote a passage that says what the claim says, or read the rationale and keep the claim below High.
    """
    if support.state is SupportState.DISPUTED:
        rationale = getattr(support.review, "rationale", "")
        yield Problem(
            f"{'; '.join(flag.words for flag in support.flags[:3])}; the author overrides that: “{rationale[:300]}”",
            support.location,
            help="Quote a passage that says what the claim says, or keep the claim below High.",
            related=_places(support),
        )


def _places(support: ClaimSupport) -> tuple[Related, ...]:
    review = getattr(support.review, "location", None)
    return (
        *(Related(flag.unit.ref.at("excerpt"), "the excerpt that conflicts") for flag in support.flags[:3]),
        *((Related(review, "what the author attests"),) if review is not None else ()),
    )

"""SUP103 to SUP105: attestations that are missing, weaker than full support, or malformed."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import BASE_FINDING, BASE_URL, Expected, research_example
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.claims import EvidenceKind
from evidence_lint.witness.support import ClaimSupport, Edition, SupportState, listed
from evidence_lint.witness.support_review import InvalidReview, Stance, SupportReview
from evidence_lint_rules.support._examples import REVIEW, finding

_OTHER = {**BASE_FINDING, "id": "finding-drills", "title": "Drills are held twice a year"}
_TAPES = "Tapes older than 7 years are replaced."


@rule(
    "SUP103",
    "claim-support-unreviewed",
    severity=Severity.WARNING,
    passes=[
        research_example("The base edition asks for no attestation"),
        research_example("An attested finding", findings=[finding(review=REVIEW)]),
    ],
    fails=[
        research_example(
            "One finding of two is attested",
            Expected(
                "nobody attests that the evidence supports finding #2 (Drills are held twice a year)",
                pointer="/findings/1",
                artifact="findings",
            ),
            findings=[finding(review=REVIEW), _OTHER],
        ),
        research_example(
            "A malformed block attests nothing",
            Expected(
                "the `support_review` of finding #1 (Three copies are required) is malformed, so nobody attests …"
            ),
            findings=[finding(review={**REVIEW, "stance": "certainly"})],
        ),
    ],
)
def claim_support_unreviewed(support: ClaimSupport) -> Iterator[Problem]:
    """In the later edition, somebody attests that the evidence of each finding supports it.

    Why: no machine decides whether a sentence follows from its sources. A finding that nobody has read against its
    evidence cannot be High.

    Fix: read the finding beside its excerpts and add a `support_review` with stance, rationale and reviewer.
    """
    if not support.is_finding or support.edition is not Edition.LATER or not support.verified:
        return
    if support.state is SupportState.UNREVIEWED:
        words = support.claim.words
        yield Problem(
            f"nobody attests that the evidence supports {words}"
            if support.review is None
            else f"the `support_review` of {words} is malformed, so nobody attests that the evidence supports it",
            support.location,
            help="Add a `support_review` with stance, rationale and reviewer.",
            related=(Related(support.claim.location, "the record without an attestation"),),
        )


@rule(
    "SUP104",
    "claim-support-qualified",
    severity=Severity.WARNING,
    passes=[
        research_example("The claim has no number"),
        research_example(
            "The excerpt has the claim's number", findings=[finding("Tapes older than 7 years are replaced.", _TAPES)]
        ),
        research_example(
            "A number that is marked as derived",
            findings=[finding("Tapes live 84 months at most.", _TAPES, {**REVIEW, "derived_numbers": True})],
        ),
    ],
    fails=[
        research_example(
            "A number that no excerpt has",
            Expected("no excerpt that the finding cites has 9 years", at="Three copies are required"),
            findings=[finding("Tapes older than 9 years are replaced.", _TAPES)],
        ),
        research_example(
            "A number from elsewhere on the page",
            Expected("no excerpt that the finding cites has 7 years", at="Three copies are required"),
            findings=[finding("Three copies are kept, and tapes last 7 years.")],
        ),
        research_example(
            "Weaker than full support",
            Expected("its author says that the evidence is context only", at="Three copies are required"),
            findings=[finding(review={**REVIEW, "stance": "context-only"})],
        ),
    ],
)
def claim_support_qualified(support: ClaimSupport) -> Iterator[Problem]:
    """The evidence supports the claim in full, its numbers included.

    Why: a figure that no excerpt has was computed, remembered or made up, even where the rest of the sentence is
    quoted; and partial support carries only a part of the claim.

    Fix: quote the passage with the figure, correct it, or mark it as derived (`"derived_numbers": true`) in a
    `support_review`; narrow the claim to what the evidence says.
    """
    if not support.verified or (not support.is_finding and support.review is None):
        return
    stance = support.review.stance if isinstance(support.review, SupportReview) else None
    if stance in {Stance.PARTIAL, Stance.CONTEXT_ONLY} and support.state is SupportState.QUALIFIED:
        yield Problem(
            support.reasons[0],
            support.location,
            help="Narrow the claim to what the evidence says, or cite what supports all of it.",
        )
    if support.numbers:
        yield Problem(
            f"no excerpt that the {support.claim.kind.words} cites has {listed(support.numbers)}",
            support.location,
            help="Quote the passage with the figure, correct it, or mark it as derived in a `support_review`.",
            related=tuple(
                Related(ref.at("excerpt"), "an excerpt without it")
                for ref in support.claim.refs[:3]
                if ref.kind is EvidenceKind.WEB and ref.url
            ),
        )


@rule(
    "SUP105",
    "support-review-invalid",
    passes=[
        research_example("No block"),
        research_example("A complete block", findings=[finding(review=REVIEW)]),
        research_example(
            "Without a word on derived numbers",
            findings=[finding(review={key: value for key, value in REVIEW.items() if key != "derived_numbers"})],
        ),
    ],
    fails=[
        research_example(
            "An unknown stance",
            Expected(
                "'certainly' is no stance: one of supports, partial, context-only, contradicts",
                pointer="/findings/0/support_review/stance",
                artifact="findings",
                severity=Severity.ERROR,
            ),
            findings=[finding(review={**REVIEW, "stance": "certainly"})],
        ),
        research_example(
            "No object",
            Expected("the block is no object", pointer="/findings/0/support_review", artifact="findings"),
            findings=[finding(review="supports")],
        ),
        research_example(
            "A flag as text",
            Expected(
                "`derived_numbers` is 'yes', not true or false",
                pointer="/findings/0/support_review/derived_numbers",
                artifact="findings",
            ),
            findings=[finding(review={**REVIEW, "derived_numbers": "yes"})],
        ),
        research_example(
            "An attestation of nobody",
            Expected(
                "the attestation has no `reviewed_by`",
                pointer="/findings/0/support_review",
                artifact="findings",
                severity=Severity.WARNING,
            ),
            findings=[finding(review={key: value for key, value in REVIEW.items() if key != "reviewed_by"})],
        ),
        research_example(
            "A statement's block",
            Expected("there is no stance: …", pointer="/consensus/0/support_review", artifact="findings"),
            findings={
                "findings": [BASE_FINDING],
                "consensus": [
                    {
                        "statement": "Three copies are kept.",
                        "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": "Keep three copies of every record."}],
                        "support_review": {"rationale": "Read."},
                    }
                ],
            },
        ),
    ],
)
def support_review_invalid(support: ClaimSupport) -> Iterator[Problem]:
    """A `support_review` is well-formed: a known stance, and who says so and why.

    Why: a block that cannot be read attests nothing, and the claim counts as unreviewed.

    Fix: write stance (supports, partial, context-only or contradicts), rationale and reviewed_by as texts, and
    derived_numbers as true or false.
    """
    if isinstance(support.review, InvalidReview):
        for fault in support.review.faults:
            yield Problem(fault.message, fault.location, help="Write the block as chapter 3 of the contract says.")
    elif support.review is not None:
        missing = [name for name in ("rationale", "reviewed_by") if not getattr(support.review, name)]
        if missing:
            yield Problem(
                f"the attestation has no {' and no '.join(f'`{name}`' for name in missing)}",
                support.review.location or support.claim.location,
                help="Say who attests it, and why.",
                severity=Severity.WARNING,
            )

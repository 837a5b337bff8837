"""What a citation has to do with the claim: shared words, and the DOIs that are named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from evidence_lint.model.example import (
    BASE_ENTRY,
    BASE_FINDING,
    BASE_PAGE,
    BASE_TEXT,
    BASE_URL,
    Expected,
    research_example,
)
from evidence_lint.model.report import SourceEntry, StatedFinding
from evidence_lint.model.verdict import Problem, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.alignment import align
from evidence_lint.witness.claims import ClaimKind, Claims
from evidence_lint.witness.doi import contains_doi, dois_in, malformed_dois_in
from evidence_lint.witness.matching import Matching
from evidence_lint.witness.units import Unit, Units
from evidence_lint.witness.web import WebEvidence

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")
_DOI = "10.1000/copies.2024"


@rule(
    "WEB108",
    "claim-excerpt-unaligned",
    severity=Severity.WARNING,
    passes=[
        research_example("Claim and excerpt speak of the same things"),
        research_example(
            "Chinese claim and excerpt",
            findings=[
                {
                    **BASE_FINDING,
                    "analysis": "每条记录保留三份副本。",
                    "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": "所有记录都要保留三份副本"}],
                }
            ],
            content=[{**BASE_PAGE, "content": "规定：所有记录都要保留三份副本。"}],
        ),
    ],
    fails=[
        research_example(
            "A true sentence about something else",
            Expected(
                "claim and excerpt share too few content words: …",
                pointer="/findings/0/evidence/0/excerpt",
                artifact="findings",
            ),
            findings=[
                {
                    **BASE_FINDING,
                    "title": "Encryption is mandatory",
                    "analysis": "Encryption with modern ciphers is mandatory everywhere.",
                }
            ],
        ),
    ],
)
def claim_unaligned(evidence: WebEvidence, claims: Claims, units: Units) -> Iterator[Problem]:
    """The excerpt of a finding speaks of what the finding says.

    Why: an exact sentence about something else proves nothing about the claim that it is attached to. This is a screen
    on shared words, not a judgement of meaning.

    Fix: quote the sentence that carries the claim, or reword the claim to what the source says.
    """
    claim = claims.of(evidence.ref)
    if evidence.ref.claim_kind is not ClaimKind.FINDING or not evidence.verified or not claim.valid:
        return
    texts = [claim.title, *_SENTENCE.split(claim.text), claim.text]
    aligned = [align(text, evidence.ref.excerpt) for text in texts if text.strip()]
    shared = sorted(set[str]().union(*(result.shared for result in aligned)))
    # Of several units each may carry a part of the claim only, so one word in common is enough there.
    part = bool(shared) and sum(unit.verified for unit in units.of(claim)) > 1
    if aligned and not part and not any(result.sufficient for result in aligned):
        yield Problem(
            f"claim and excerpt share too few content words: {', '.join(shared) or 'none'}",
            evidence.ref.at("excerpt"),
            help="Quote the sentence that carries the claim, or say what the source says.",
        )


@rule(
    "WEB110",
    "doi-malformed",
    passes=[
        research_example(
            "A well-formed DOI",
            sections={8: BASE_ENTRY + f"; doi: {_DOI}"},
        ),
    ],
    fails=[
        research_example(
            "A registrant of three digits",
            Expected("'10.100/copies' is no DOI: 10., four to nine digits, a slash and a suffix"),
            sections={8: BASE_ENTRY + "; doi: 10.100/copies"},
        ),
    ],
)
def doi_malformed(entry: SourceEntry) -> Iterator[Problem]:
    """A DOI in the index is well-formed.

    Why: a malformed DOI resolves to nothing; invented references often carry one.

    Fix: copy the DOI from the publication itself.
    """
    for doi in malformed_dois_in(entry.text):
        yield Problem(
            f"{doi!r} is no DOI: 10., four to nine digits, a slash and a suffix",
            entry.location,
            help="Copy the DOI from the publication.",
        )


@rule(
    "WEB111",
    "doi-not-in-source",
    passes=[
        research_example(
            "The page names the DOI",
            sections={
                4: f"- **Three copies are required** (Medium confidence): The guide requires three (doi:{_DOI}). [1]"
            },
            content=[{**BASE_PAGE, "content": BASE_TEXT + f" https://doi.org/{_DOI}"}],
        ),
    ],
    fails=[
        research_example(
            "A DOI that no cited page has",
            Expected(f"the DOI {_DOI} belongs to no page that this finding cites", at="Three copies are required"),
            sections={
                4: f"- **Three copies are required** (Medium confidence): The guide requires three (doi:{_DOI}). [1]"
            },
        ),
    ],
)
def doi_not_in_source(finding: StatedFinding, matching: Matching, units: Units) -> Iterator[Problem]:
    """A DOI that a finding names belongs to a page that it cites.

    Why: a real DOI beside a page that does not carry it lends the finding the weight of a paper that nobody read.

    Fix: cite the page of the publication, or take the DOI out.
    """
    claim = matching.claim_of(finding)
    if claim is None:
        return
    texts = list(_texts(units.of(claim)))
    for doi in dois_in(finding.prose.text):
        if not any(contains_doi(text, doi) for text in texts):
            yield Problem(
                f"the DOI {doi} belongs to no page that this finding cites",
                finding.location,
                help="Cite the page of the publication, or take the DOI out.",
            )


def _texts(units: Iterable[Unit]) -> Iterator[str]:
    for unit in units:
        yield unit.ref.url
        if unit.web is not None:
            for page in unit.web.candidates:
                yield page.text.original
            for result in unit.web.results:
                yield result.title

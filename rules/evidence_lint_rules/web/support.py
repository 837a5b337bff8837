"""What a citation has to do with the claim: shared words, and the DOIs that are named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

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
from evidence_lint.witness.alignment import Alignment, align, content_words
from evidence_lint.witness.block_quotes import without_spans
from evidence_lint.witness.claims import Claim, ClaimKind, Claims
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
        research_example(
            "The report says something that neither the record nor its evidence is about",
            Expected(
                "the published statement shares too few content words with its record and its evidence: none",
                at="Three copies are required",
            ),
            sections={
                4: "- **Three copies are required** (Medium confidence): Vaccines of one maker harm patients. [1]"
            },
        ),
    ],
)
def claim_unaligned(evidence: WebEvidence, claims: Claims, units: Units, matching: Matching) -> Iterator[Problem]:
    """The excerpt of a finding speaks of what the finding says, and so does the statement that is published.

    Why: an exact sentence about something else proves nothing about the claim that it is attached to. This is a screen
    on shared words, not a judgement of meaning.

    Fix: quote the sentence that carries the claim, or reword the claim to what the source says.
    """
    if evidence.ref.claim_kind is not ClaimKind.FINDING:
        return
    claim = claims.of(evidence.ref)
    if (stated := matching.stated_of(claim)) is not None and _first_web(units.of(claim)) is evidence:
        yield from _unaligned_statement(stated, claim, units.of(claim))
    if not evidence.verified or not claim.valid:
        return
    texts = [claim.title, *_SENTENCE.split(claim.text), claim.text]
    aligned: list[Alignment] = []
    for text in texts:
        if text.strip():
            aligned.append(align(text, evidence.ref.excerpt))
            if aligned[-1].sufficient:
                return
    shared = sorted(set[str]().union(*(result.shared for result in aligned)))
    # Of several units each may carry a part of the claim only, so one word in common is enough there.
    part = bool(shared) and sum(unit.verified for unit in units.of(claim)) > 1
    if aligned and not part:
        yield Problem(
            f"claim and excerpt share too few content words: {', '.join(shared) or 'none'}",
            evidence.ref.at("excerpt"),
            help="Quote the sentence that carries the claim, or say what the source says.",
        )


def _first_web(units: Iterable[Unit]) -> WebEvidence | None:
    return next((unit.web for unit in units if unit.web is not None), None)


def _unaligned_statement(stated: StatedFinding, claim: Claim, units: Sequence[Unit]) -> Iterator[Problem]:
    """Whether the published prose is about what its record says, or what its evidence says; one sentence is enough."""
    prose = stated.prose
    statement = without_spans(prose.text, prose.citations)
    if not claim.valid or not statement.strip() or not any(unit.verified for unit in units):
        return
    ours = [text for text in (*_SENTENCE.split(statement), statement) if content_words(text)]
    theirs = [f"{claim.title}. {claim.text}", *(text for unit in units if unit.verified for text in _said(unit))]
    shared: set[str] = set()
    for said in (*theirs, " ".join(theirs)):
        for text in ours:
            result = align(text, said)
            if result.sufficient:
                return
            shared |= result.shared
    if ours:
        yield Problem(
            "the published statement shares too few content words with its record and its evidence: "
            + (", ".join(sorted(shared)) or "none"),
            stated.location,
            help="State what the record and its evidence say.",
        )


def _said(unit: Unit) -> Iterator[str]:
    if unit.web is not None:
        yield unit.ref.excerpt
    if unit.code is not None:
        yield f"{unit.code.path} {unit.code.blob_window or unit.code.excerpt}"
    if unit.commit is not None:
        yield unit.commit.subject
    if unit.test is not None:
        yield unit.test.summary


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

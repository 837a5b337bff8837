"""Evidence entries: there are some, and each is an object of a known kind."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import BASE_FINDING, Expected, research_example
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.claims import Claim, EvidenceRef
from evidence_lint.witness.standing import Standing

_KINDS = "web, code, commit or test"


@rule(
    "EVID101",
    "missing-evidence",
    passes=[
        research_example("A finding with an evidence entry"),
        research_example("No rows, no evidence", findings=[]),
    ],
    fails=[
        research_example(
            "An empty list",
            Expected(
                "finding #1 (Three copies are required) has no evidence",
                pointer="/findings/0/evidence",
                artifact="findings",
            ),
            findings=[{**BASE_FINDING, "evidence": []}],
        ),
        research_example(
            "One object where a list belongs",
            Expected(
                "finding #1 (Three copies are required) has no evidence: …",
                pointer="/findings/0/evidence",
                artifact="findings",
            ),
            findings=[{**BASE_FINDING, "evidence": {"kind": "web"}}],
        ),
        research_example(
            "An analysis section without the field",
            Expected(
                "analysis section #1 (Copies) has no evidence", pointer="/analysis_sections/0", artifact="findings"
            ),
            findings={"findings": [BASE_FINDING], "analysis_sections": [{"title": "Copies", "content": "Three."}]},
        ),
    ],
)
def missing_evidence(claim: Claim, standing: Standing) -> Iterator[Problem]:
    """Every finding, analysis section, consensus and debate row names its evidence.

    Why: a statement without evidence is an opinion; a report that publishes it looks sourced and is not.

    Fix: add an ``evidence`` list with at least one entry, or take the row out.
    """
    if not claim.valid or claim.refs:
        return
    written = claim.row.raw.get("evidence") if isinstance(claim.row.raw, dict) else None
    shape = "" if written is None or isinstance(written, list) else ": `evidence` is no list"
    yield Problem(
        f"{claim.words} has no evidence{shape}",
        claim.row.at("evidence"),
        help="Name the pages or records that support it, or leave it out.",
        severity=standing.of_claim(claim.kind, claim.number),
    )


@rule(
    "EVID102",
    "invalid-evidence",
    passes=[research_example("Entries are objects")],
    fails=[
        research_example(
            "A bare URL among the entries",
            Expected(
                "this evidence entry is a string, not an object", pointer="/findings/0/evidence/1", artifact="findings"
            ),
            findings=[{**BASE_FINDING, "evidence": [*BASE_FINDING["evidence"], "https://www.example.gov/"]}],
        ),
    ],
)
def invalid_evidence(ref: EvidenceRef, standing: Standing) -> Iterator[Problem]:
    """Every evidence entry is a JSON object.

    Why: an entry that is no object names neither a kind nor a source, so nothing can be looked up.

    Fix: write ``{"kind": "web", "url": …, "excerpt": …}``, or ``{"kind": "code", "id": …}``.
    """
    if not ref.is_object:
        yield Problem(
            f"this evidence entry is {_json_word(ref.raw)}, not an object",
            ref.location,
            help="Write an object with `kind` and what the kind needs (`url` and `excerpt`, or `id`).",
            severity=standing.of_ref(ref),
        )


@rule(
    "EVID103",
    "unsupported-evidence-kind",
    passes=[research_example("A kind of the contract")],
    fails=[
        research_example(
            "A kind that nobody can verify",
            Expected(
                "the evidence kind 'expert' is unknown: web, code, commit or test",
                pointer="/findings/0/evidence/1/kind",
                artifact="findings",
            ),
            findings=[{**BASE_FINDING, "evidence": [*BASE_FINDING["evidence"], {"kind": "expert", "id": "me"}]}],
        ),
        research_example(
            "No kind at all",
            Expected(
                "the evidence kind is absent: web, code, commit or test",
                pointer="/findings/0/evidence/0",
                artifact="findings",
            ),
            findings=[{**BASE_FINDING, "evidence": [{"url": "https://www.example.gov/guides/backups"}]}],
        ),
    ],
)
def unsupported_kind(ref: EvidenceRef, standing: Standing) -> Iterator[Problem]:
    """Every evidence entry is of a kind that can be verified.

    Why: only pages, code, commits and test receipts can be held against something that their author does not control.

    Fix: use one of the four kinds; what is none of them is no evidence.
    """
    if ref.is_object and ref.kind is None:
        word = ref.raw.get("kind") if isinstance(ref.raw, dict) else None
        said = "is absent" if word is None else f"{word!r} is unknown"
        yield Problem(
            f"the evidence kind {said}: {_KINDS}",
            ref.at("kind"),
            help=f"Use {_KINDS}.",
            severity=standing.of_ref(ref),
        )


@rule(
    "EVID104",
    "legacy-citations-unverified",
    passes=[
        research_example("Typed evidence"),
        research_example(
            "Bare URLs beside typed evidence are only notes",
            findings=[{**BASE_FINDING, "citations": ["https://www.example.gov/guides/backups"]}],
        ),
    ],
    fails=[
        research_example(
            "Bare URLs instead of evidence",
            Expected(
                "finding #1 (Three copies are required) cites bare URLs instead of typed evidence",
                pointer="/findings/0/citations",
                artifact="findings",
            ),
            findings=[{**BASE_FINDING, "evidence": [], "citations": ["https://www.example.gov/guides/backups"]}],
        ),
    ],
)
def legacy_citations(claim: Claim, standing: Standing) -> Iterator[Problem]:
    """A finding rests on typed evidence, not on bare URLs.

    Why: a bare URL says which page was meant, not which words of it carry the claim; there is nothing to verify.

    Fix: turn each URL into a web entry with the exact excerpt that supports the finding.
    """
    if claim.legacy_citations and not claim.refs:
        yield Problem(
            f"{claim.words} cites bare URLs instead of typed evidence",
            claim.row.at("citations"),
            help="Write evidence entries with `kind`, `url` and `excerpt`.",
            severity=standing.of_claim(claim.kind, claim.number),
        )


def _json_word(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    return "a string" if isinstance(value, str) else "a list"

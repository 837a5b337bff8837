"""Saved pages and results: what they claim of themselves."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.model.example import BASE_PAGE, BASE_RESULT, BASE_TEXT, Expected, research_example
from evidence_lint.model.policy import Policy
from evidence_lint.model.verdict import Problem, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.authority import classify
from evidence_lint.witness.claims import Claims, EvidenceKind
from evidence_lint.witness.web import RetrievedSources, SavedPage, SavedPages

_HASH = hashlib.sha256(BASE_TEXT.encode()).hexdigest()


@rule(
    "WEB106",
    "content-hash-mismatch",
    passes=[
        research_example("No hash, nothing to compare"),
        research_example("The text's own hash", content=[{**BASE_PAGE, "content_sha256": _HASH}]),
    ],
    fails=[
        research_example(
            "The text was changed after it was hashed",
            Expected(
                "content_sha256 is not the hash of the saved text",
                pointer="/items/0/content_sha256",
                artifact="content",
            ),
            content=[{**BASE_PAGE, "content": BASE_TEXT + " Or four.", "content_sha256": _HASH}],
        ),
        research_example(
            "No SHA-256 value at all",
            Expected("content_sha256 is no SHA-256 value", pointer="/items/0/content_sha256", artifact="content"),
            content=[{**BASE_PAGE, "content_sha256": "abc"}],
        ),
    ],
)
def content_hash_mismatch(page: SavedPage) -> Iterator[Problem]:
    """The hash of a saved page is that of its text.

    Why: a text that does not fit its hash was changed after it was captured, by accident or to make an excerpt match.

    Fix: capture the page again; never edit a saved text.
    """
    if page.hash_matches is not False:
        return
    claimed = page.row.value.content_sha256 if page.row.value is not None else None
    proper = isinstance(claimed, str) and len(claimed) == 64 and all(c in "0123456789abcdefABCDEF" for c in claimed)
    yield Problem(
        "content_sha256 is not the hash of the saved text" if proper else "content_sha256 is no SHA-256 value",
        page.row.at("content_sha256"),
        help="Capture the page again (the hash is SHA-256 over the UTF-8 text).",
    )


@rule(
    "WEB107",
    "content-truncated",
    severity=Severity.WARNING,
    passes=[
        research_example("A whole page"),
        research_example(
            "A page that nothing cites may be cut",
            results=[BASE_RESULT, {**BASE_RESULT, "url": "https://www.example.gov/long"}],
            content=[BASE_PAGE, {**BASE_PAGE, "url": "https://www.example.gov/long", "truncated": True}],
        ),
    ],
    fails=[
        research_example(
            "The extractor says that it cut the text",
            Expected(
                "the saved text of … is cut: it ends with '[truncated]'", pointer="/items/0/content", artifact="content"
            ),
            content=[{**BASE_PAGE, "content": BASE_TEXT + "\n\n[truncated]"}],
        ),
    ],
)
def content_truncated(page: SavedPage, pages: SavedPages, claims: Claims) -> Iterator[Problem]:
    """The text of a cited page was saved whole.

    Why: what is absent from a cut text may stand on the page after all, and what contradicts the excerpt may too.

    Fix: capture the page again with a higher limit.
    """
    cut = page.truncated
    if cut is None:
        return
    cited = any(page in pages.find(ref.url) for ref in claims.refs if ref.kind is EvidenceKind.WEB)
    if cited:
        yield Problem(
            f"the saved text of {page.url} is cut: {cut}",
            page.row.at("content"),
            help="Capture the page again with a higher limit.",
        )


@rule(
    "WEB109",
    "authority-self-asserted",
    severity=Severity.INFO,
    passes=[
        research_example("Nothing claimed"),
        research_example("The tier that the host name earns", results=[{**BASE_RESULT, "source_tier": "T1"}]),
    ],
    fails=[
        research_example(
            "A blog that calls itself an authority",
            Expected(
                "the record calls https://blog.example.org/backups T1; its host earns T4",
                pointer="/results/1/source_tier",
                artifact="results",
            ),
            results=[BASE_RESULT, {**BASE_RESULT, "url": "https://blog.example.org/backups", "source_tier": "T1"}],
        ),
        research_example(
            "A saved page that calls itself live",
            Expected(
                "the record calls itself live-verified, which a saved page cannot be",
                pointer="/items/0/live_verified",
                artifact="content",
            ),
            content=[{**BASE_PAGE, "live_verified": True}],
        ),
    ],
)
def authority_self_asserted(
    bundle: ResearchBundle, retrieved: RetrievedSources, pages: SavedPages, policy: Policy
) -> Iterator[Problem]:
    """No record claims an authority that its host does not earn, or a live status.

    Why: the tier is derived from where a page really is, and *live* is a fact about the run that checks. What a record
    says of itself is ignored, and its reader should know.

    Fix: leave the field out; name a host that deserves a tier in the policy's authority registry.
    """
    for source in retrieved.all:
        claimed = source.row.value.source_tier if source.row.value is not None else None
        if source.key is not None and isinstance(claimed, str) and claimed.strip():
            derived = str(classify(source.url, policy.authority).tier)
            if claimed.strip().upper() != derived:
                yield Problem(
                    f"the record calls {source.url} {claimed.strip()}; its host earns {derived}",
                    source.row.at("source_tier"),
                    help="The claim is ignored. Leave it out, or register the host in the policy.",
                )
    for page in pages.all:
        if page.row.value is not None and page.row.value.live_verified is True:
            yield Problem(
                "the record calls itself live-verified, which a saved page cannot be",
                page.row.at("live_verified"),
                help="The claim is ignored. Leave it out; a run with the network fetches the page again.",
            )

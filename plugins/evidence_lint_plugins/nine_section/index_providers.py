"""Providers about the index and about what the sources cited in the report say."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from evidence_lint.errors import Unavailable
from evidence_lint.model.bundle import CONTENT, ResearchBundle
from evidence_lint.model.records import Records
from evidence_lint.model.report import Report
from evidence_lint.provide import provide
from evidence_lint.sources.interface import RepositorySource
from evidence_lint.witness import cited_texts, index, receipts, repository, units, web
from evidence_lint.witness.absence import UsableRows
from evidence_lint.witness.assessment import research_kind
from evidence_lint.witness.captures import Live
from evidence_lint.witness.cited_texts import CitedPassage, CitedTexts
from evidence_lint.witness.claims import Claims
from evidence_lint.witness.degradation import required_artifacts
from evidence_lint.witness.index import EntryTarget, EntryTargets, SourceIndex, WebIdentity
from evidence_lint.witness.report_fields import QUESTION, find_field
from evidence_lint.witness.repository import CodeEvidence, CommitEvidence
from evidence_lint.witness.units import Units
from evidence_lint.witness.web import RetrievedSources, SavedPages


@provide
def usable_rows(
    bundle: ResearchBundle,
    retrieved: RetrievedSources,
    pages: SavedPages,
    checkout: RepositorySource | Unavailable,
) -> UsableRows:
    """Which rows of the records contradict a statement of absence; it stands also without findings.json."""
    records = bundle.records

    def join(claims: Claims) -> Units:
        return units.join_units(
            claims,
            records,
            web.examine_web(claims, retrieved, pages),
            repository.examine_code(records, claims, checkout),
            repository.examine_commits(records, claims, checkout),
            receipts.examine_receipts(records, claims, checkout, datetime.now(UTC)),
        )

    return UsableRows(records, join)


@provide
def source_index(report: Report) -> SourceIndex:
    """Section 8 as numbers and entries, and what is cited of it."""
    return index.read_index(report)


@provide
def web_identity(retrieved: RetrievedSources, pages: SavedPages) -> WebIdentity:
    """Which URLs are one source."""
    return WebIdentity(retrieved, pages)


@provide
def entry_targets(
    source_index: SourceIndex, records: Records, retrieved: RetrievedSources, pages: SavedPages
) -> EntryTargets:
    """The record that each entry of the index names."""
    return index.resolve_entries(source_index, records, retrieved, pages)


@provide
def entry_target_rows(targets: EntryTargets) -> Sequence[EntryTarget]:
    """The targets as subjects."""
    return targets.all


@provide
def citing_passages(report: Report) -> Sequence[CitedPassage]:
    """Every passage of sections 4 to 6 that cites something."""
    return cited_texts.cited_passages(report)


@provide
def words_of_sources(
    bundle: ResearchBundle,
    targets: EntryTargets,
    code: Sequence[CodeEvidence],
    commits: Sequence[CommitEvidence],
    live: Live,
    identity: WebIdentity,
) -> CitedTexts:
    """What the sources in the index say."""
    question = find_field(bundle.report, QUESTION) if bundle.report is not None else None
    # An absent file is told where it is required; elsewhere its absence excuses nothing.
    required = CONTENT in required_artifacts(research_kind(bundle.report, bundle.records))
    unreadable = CONTENT in bundle.records.broken or (required and CONTENT in bundle.records.absent)
    return CitedTexts(
        targets,
        code,
        commits,
        live,
        identity,
        question=question.value if question is not None else "",
        pages_unreadable="content.json is not at hand, so no page can be read" if unreadable else "",
    )

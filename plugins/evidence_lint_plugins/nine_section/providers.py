"""What rules about nine-section bundles may ask for: the model, the witnesses' facts, and the subjects."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from evidence_lint.errors import Unavailable
from evidence_lint.model.artifact import Artifact
from evidence_lint.model.bundle import FINDINGS, RECORD_ARTIFACTS, ResearchBundle
from evidence_lint.model.policy import Policy
from evidence_lint.model.records import ContentRecord, Records, ResultRecord, Row
from evidence_lint.model.report import Citation, Passage, Report, Section, SourceEntry, StatedFinding
from evidence_lint.provide import provide
from evidence_lint.sources.interface import RepositorySource
from evidence_lint.sources.ports import Sources
from evidence_lint.witness import (
    assessment,
    captures,
    claims,
    confidence,
    labels,
    receipts,
    repository,
    support,
    units,
    web,
)
from evidence_lint.witness.absence import UsableRows
from evidence_lint.witness.assessment import Assessment
from evidence_lint.witness.captures import Live, LiveEvidence
from evidence_lint.witness.claims import Claim, Claims, EvidenceRef
from evidence_lint.witness.confidence import FindingAssessment
from evidence_lint.witness.labels import ConfidenceLabel
from evidence_lint.witness.matching import Matching
from evidence_lint.witness.receipts import TestReceipt
from evidence_lint.witness.repository import CodeEvidence, CommitEvidence
from evidence_lint.witness.standing import Standing
from evidence_lint.witness.support import ClaimSupport, Supports
from evidence_lint.witness.units import Unit, Units
from evidence_lint.witness.web import RecordedUrl, RetrievedSources, SavedPage, SavedPages, WebEvidence


@provide
def report(bundle: ResearchBundle) -> Report:
    """The parsed report."""
    if bundle.report is None:
        raise Unavailable("no-report", "the report could not be read")
    return bundle.report


@provide
def artifacts(bundle: ResearchBundle) -> Sequence[Artifact]:
    """Every file of the bundle, absent ones included: the report, then the records."""
    return [bundle.artifacts[name] for name in (bundle.main, *RECORD_ARTIFACTS) if name in bundle.artifacts]


@provide
def records(bundle: ResearchBundle) -> Records:
    """The records; without findings.json nothing that needs records can be checked (chapter 1)."""
    if FINDINGS in bundle.records.absent:
        raise Unavailable("no-records", "findings.json is absent, so nothing can be held against the records")
    if FINDINGS in bundle.records.broken:
        raise Unavailable("broken-records", "findings.json cannot be read, so nothing can be held against it")
    return bundle.records


@provide
def sections(report: Report) -> Sequence[Section]:
    """The top-level sections."""
    return report.sections


@provide
def stated_findings(report: Report, usable: UsableRows) -> Sequence[StatedFinding]:
    """The findings that section 4 states; a placeholder is none unless the records hold a usable finding."""
    return usable.findings(report)


@provide
def passages(report: Report, usable: UsableRows) -> Sequence[Passage]:
    """Subtopics of section 5 and rows of section 6; a placeholder is none unless the records hold a usable row."""
    return usable.passages(report)


@provide
def citations(report: Report) -> Sequence[Citation]:
    """Every citation of sections 3 to 6."""
    return report.citations


@provide
def entries(report: Report) -> Sequence[SourceEntry]:
    """The entries of the index."""
    return report.entries


@provide
def result_rows(bundle: ResearchBundle) -> Sequence[Row[ResultRecord]]:
    """The rows of results.json, which stand also without findings."""
    return bundle.records.results


@provide
def content_rows(bundle: ResearchBundle) -> Sequence[Row[ContentRecord]]:
    """The rows of content.json, which stand also without findings."""
    return bundle.records.content


@provide
def all_claims(records: Records) -> Claims:
    """The claims of findings.json with their evidence entries."""
    return claims.read_claims(records)


@provide
def claim_rows(claims: Claims) -> Sequence[Claim]:
    """Every row of findings.json that states something."""
    return list(claims)


@provide
def evidence_refs(claims: Claims) -> Sequence[EvidenceRef]:
    """Every evidence entry of findings.json."""
    return list(claims.refs)


@provide
def matching(claims: Claims, bundle: ResearchBundle) -> Matching:
    """Which finding of the report is which of findings.json."""
    return Matching(bundle.report.findings if bundle.report is not None else (), claims.findings)


@provide
def saved_pages(bundle: ResearchBundle) -> SavedPages:
    """The saved pages by URL."""
    return web.read_pages(bundle.records)


@provide
def saved_page_rows(pages: SavedPages) -> Sequence[SavedPage]:
    """The saved pages as subjects."""
    return pages.all


@provide
def recorded_urls(bundle: ResearchBundle) -> Sequence[RecordedUrl]:
    """The URLs of results and web evidence; results are there without findings too."""
    return web.recorded_urls(bundle.records, claims.read_claims(bundle.records))


@provide
def retrieved_sources(bundle: ResearchBundle) -> RetrievedSources:
    """The retrieval results by URL."""
    return web.read_results(bundle.records)


@provide
def web_evidence(claims: Claims, retrieved: RetrievedSources, pages: SavedPages) -> Sequence[WebEvidence]:
    """Every web entry, held against the saved records."""
    return web.examine_web(claims, retrieved, pages)


@provide
def checkout(bundle: ResearchBundle, sources: Sources) -> RepositorySource | Unavailable:
    """The checkout at hand, or why there is none: then no repository record verifies."""
    if not any(bundle.records.repository_rows):
        return Unavailable("no-repository-records", "no record speaks about a repository, so none was opened")
    try:
        return sources.repository(bundle.folder)
    except Unavailable as reason:
        return reason


@provide
def code_evidence(records: Records, claims: Claims, checkout: RepositorySource | Unavailable) -> Sequence[CodeEvidence]:
    """Every code record, held against Git."""
    return repository.examine_code(records, claims, checkout)


@provide
def commit_evidence(
    records: Records, claims: Claims, checkout: RepositorySource | Unavailable
) -> Sequence[CommitEvidence]:
    """Every commit record, held against Git."""
    return repository.examine_commits(records, claims, checkout)


@provide
def test_receipts(records: Records, claims: Claims, checkout: RepositorySource | Unavailable) -> Sequence[TestReceipt]:
    """Every test receipt, its static checks made."""
    return receipts.examine_receipts(records, claims, checkout, datetime.now(UTC))


@provide
def all_units(
    claims: Claims,
    records: Records,
    web_rows: Sequence[WebEvidence],
    code: Sequence[CodeEvidence],
    commits: Sequence[CommitEvidence],
    tests: Sequence[TestReceipt],
) -> Units:
    """Every evidence entry joined with what was found about it."""
    return units.join_units(claims, records, web_rows, code, commits, tests)


@provide
def unit_rows(units: Units) -> Sequence[Unit]:
    """The units as subjects."""
    return units.all


@provide
def live(claims: Claims, units: Units, matching: Matching, sources: Sources, policy: Policy) -> Live:
    """The captures of this run: of every cited page (``--live``), or of what a stated High needs (auto)."""
    wanted = [
        unit for claim in claims.findings for unit in _wanted(claim, units, matching, everything=policy.mode == "live")
    ]
    if policy.mode == "live":
        rest = (*claims.analysis, *claims.consensus, *claims.debate)
        wanted += [unit for claim in rest for unit in units.of(claim) if _fetchable(unit)]
    if not wanted:
        return Live()
    try:
        found = sources.captures.get({unit.ref.url for unit in wanted})
    except Unavailable as reason:
        return Live((), reason.message)
    return captures.examine_captures(wanted, found, policy.authority)


def _wanted(claim: Claim, units: Units, matching: Matching, *, everything: bool) -> Sequence[Unit]:
    cited = units.of(claim)
    if everything:
        return [unit for unit in cited if _fetchable(unit)]
    stated = matching.stated_of(claim)
    requested = confidence.requested_confidence(getattr(claim.row.value, "confidence", None))
    if stated is None or stated.confidence != "high" or requested != "high":
        return []
    return confidence.wanted_captures(claim, cited)


def _fetchable(unit: Unit) -> bool:
    return unit.web is not None and unit.web.key is not None


@provide
def live_rows(live: Live) -> Sequence[LiveEvidence]:
    """The web units whose page was fetched in this run; what was wanted and not fetched cannot be looked at."""
    if live.refused is not None:
        raise Unavailable("no-captures", live.refused)
    return live.all


@provide
def finding_assessments(
    claims: Claims, matching: Matching, units: Units, live: Live, supports: Supports
) -> Sequence[FindingAssessment]:
    """Every finding with what it has earned."""
    return assessment.assess_findings(claims, matching, units, live, supports)


@provide
def whole_assessment(
    bundle: ResearchBundle,
    records: Records,
    claims: Claims,
    units: Units,
    pages: SavedPages,
    findings: Sequence[FindingAssessment],
) -> Assessment:
    """The assessment of the bundle, degradation included."""
    return assessment.assess_bundle(bundle.report, records, claims, units, pages, findings)


@provide
def standing(bundle: ResearchBundle, findings: Sequence[FindingAssessment]) -> Standing:
    """How grave a fault of the evidence is."""
    return assessment.standing(bundle.report, findings)


@provide
def confidence_labels(bundle: ResearchBundle) -> Sequence[ConfidenceLabel]:
    """The confidence labels of the report and of the records."""
    return labels.read_labels(bundle.report, bundle.records)


@provide
def supports(claims: Claims, units: Units, matching: Matching) -> Supports:
    """Whether the evidence of each claim supports it."""
    return support.read_supports(claims, units, matching)


@provide
def support_rows(supports: Supports) -> Sequence[ClaimSupport]:
    """The support of each claim, as subjects."""
    return supports.all

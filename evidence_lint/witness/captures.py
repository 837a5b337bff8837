"""Live evidence: what this run's own fetch of a cited page shows (chapters 3 and 4); saved records prove nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from evidence_lint.model.authority import AuthorityEntry
from evidence_lint.model.capture import Capture, CaptureOutcome
from evidence_lint.model.location import Location
from evidence_lint.witness.authority import Judgement, classify
from evidence_lint.witness.claims import EvidenceRef
from evidence_lint.witness.excerpts import Match, MatchKind, PageText
from evidence_lint.witness.units import Unit


class LiveFault(StrEnum):
    """Why a live capture does not support its excerpt; each is the name of a rule of family LIVE."""

    UNSAFE = "live-target-unsafe"
    FAILED = "live-fetch-failed"
    BLOCKED = "live-blocked"
    SOFT_404 = "live-soft-404"
    MISSING = "live-excerpt-missing"
    TRUNCATED = "live-truncated"


_FAULTS = {
    CaptureOutcome.UNSAFE_TARGET: LiveFault.UNSAFE,
    CaptureOutcome.BLOCKED: LiveFault.BLOCKED,
    CaptureOutcome.SOFT_404: LiveFault.SOFT_404,
}


@dataclass(frozen=True, eq=False)
class LiveEvidence:
    """A web unit and the capture of its page in this run."""

    unit: Unit
    capture: Capture
    page: PageText
    match: Match | None
    hidden: bool
    """The excerpt stands only in text that a reader of the page does not see (WEB113)."""
    authority: Judgement
    fault: LiveFault | None

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return self.unit.ref.node

    @property
    def location(self) -> Location:
        """The evidence entry."""
        return self.unit.ref.location

    @property
    def supports(self) -> bool:
        """Whether the exact excerpt stands, visibly, in the page as it is now."""
        return self.fault is None and self.match is not None and self.match.kind is MatchKind.EXACT and not self.hidden

    @property
    def t1(self) -> bool:
        """Whether the effective final URL is T1, and was reached on the public network."""
        return self.authority.tier == 1 and not self.capture.via_allowed_network

    @property
    def earns(self) -> bool:
        """Whether the capture may carry High: supporting, T1, and never over plain http."""
        return self.supports and self.t1 and not self.capture.insecure


class Live:
    """The live evidence of a bundle, by unit. ``refused`` says why no page was fetched, when none was."""

    def __init__(self, rows: Collection[LiveEvidence] = (), refused: str | None = None) -> None:
        self.all = tuple(rows)
        self.refused = refused
        self._by_unit = {row.unit: row for row in self.all}
        self._by_ref = {row.unit.ref: row for row in self.all}

    def of(self, unit: Unit) -> LiveEvidence | None:
        """The live evidence of a unit, or None when its page was not fetched in this run."""
        return self._by_unit.get(unit)

    def of_ref(self, ref: EvidenceRef) -> LiveEvidence | None:
        """The live evidence of an evidence entry, or None when its page was not fetched in this run."""
        return self._by_ref.get(ref)


def examine_captures(
    units: Collection[Unit], captures: Mapping[str, Capture], registry: Collection[AuthorityEntry]
) -> Live:
    """Hold each unit's excerpt against the capture of its URL."""
    pages: dict[str, tuple[PageText, PageText]] = {}
    rows: list[LiveEvidence] = []
    for unit in units:
        capture = captures.get(unit.ref.url)
        if capture is None:
            continue
        if capture.requested_url not in pages:
            pages[capture.requested_url] = (PageText(capture.text), PageText(capture.hidden_text))
        visible, unseen = pages[capture.requested_url]
        rows.append(_examine(unit, capture, visible, unseen, registry))
    return Live(rows)


def _examine(
    unit: Unit, capture: Capture, page: PageText, unseen: PageText, registry: Collection[AuthorityEntry]
) -> LiveEvidence:
    excerpt = unit.ref.excerpt
    match = page.find(excerpt) if excerpt and capture.searchable else None
    hidden = match is None and bool(capture.hidden_text) and unseen.find(excerpt) is not None
    return LiveEvidence(
        unit=unit,
        capture=capture,
        page=page,
        match=match,
        hidden=hidden,
        authority=classify(capture.final_url or capture.requested_url, registry),
        fault=_fault(capture, found=match is not None or hidden),
    )


def _fault(capture: Capture, *, found: bool) -> LiveFault | None:
    outcome = capture.outcome_given(found)
    if outcome is not CaptureOutcome.OK:
        return _FAULTS.get(outcome, LiveFault.FAILED)
    if found:
        return None
    return LiveFault.TRUNCATED if capture.truncated else LiveFault.MISSING


def could_be_captured(unit: Unit) -> bool:
    """Whether a live capture could make the unit carry High: its saved excerpt matched exactly, over https."""
    web = unit.web
    return unit.verified and web is not None and not web.loose and urlsplit(unit.ref.url).scheme.lower() == "https"

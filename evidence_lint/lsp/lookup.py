"""What stands at a character of a bundle: a citation, an index entry, a finding, a record, an evidence entry.

Everything is joined with what it means elsewhere: a citation with its entry and records, an evidence entry with the
record that it names, a record with the entries and evidence that name it.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from evidence_lint.lsp.checker import Snapshot
from evidence_lint.lsp.facts import Facts
from evidence_lint.model.location import Location, Span
from evidence_lint.model.records import Record, Records, Row
from evidence_lint.model.report import REPORT, Citation, SourceEntry, StatedFinding
from evidence_lint.model.result import EvidenceRow, FindingRow
from evidence_lint.witness.claims import Claim, ClaimKind, EvidenceRef
from evidence_lint.witness.index import EntryTarget
from evidence_lint.witness.units import Unit


class Located(Protocol):
    """Anything that stands somewhere."""

    @property
    def location(self) -> Location:
        """Where."""
        ...


L = TypeVar("L", bound=Located)


@dataclass(frozen=True)
class Found:
    """What stands at a place; ``location`` is all of it. Only what applies is set.

    ``targets`` are the cited or shown entries, ``rows`` the records that they or the evidence entry name, or the record
    itself.
    """

    location: Location
    citation: Citation | None = None
    targets: tuple[EntryTarget, ...] = ()
    stated: StatedFinding | None = None
    claim: Claim | None = None
    unit: Unit | None = None
    rows: tuple[Row[Record], ...] = ()


class Lookup:
    """Looks up places in one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.facts: Facts = snapshot.facts

    def at(self, artifact: str, offset: int) -> Found | None:
        """What stands at a character of an artifact: the smallest thing that is known there."""
        if self.facts.bundle is None:
            return None
        return self._in_report(offset) if artifact == REPORT else self._in_record(artifact, offset)

    def finding_row(self, claim: Claim | None, stated: StatedFinding | None) -> FindingRow | None:
        """The output row of a finding: one for each row of findings.json in order, else the report's own."""
        rows = self._snapshot.row.summary.findings
        if claim is not None and claim.kind is ClaimKind.FINDING:
            return rows[claim.number - 1] if claim.number <= len(rows) else None
        if stated is not None:
            return next((row for row in rows if row.location == stated.location), None)
        return None

    def evidence_row(self, unit: Unit) -> EvidenceRow | None:
        """The output row of an evidence entry of a finding."""
        claims = self.facts.claims
        if claims is None or unit.ref.claim_kind is not ClaimKind.FINDING:
            return None
        row = self.finding_row(claims.of(unit.ref), None)
        number = unit.ref.number
        return row.evidence[number - 1] if row is not None and number <= len(row.evidence) else None

    def units_of(self, claim: Claim) -> Sequence[Unit]:
        """The evidence units of a claim."""
        return self.facts.units.of(claim) if self.facts.units is not None else ()

    def units_naming(self, rows: Sequence[Row[Record]]) -> list[Unit]:
        """The evidence entries that name any of these records."""
        units = self.facts.units.all if self.facts.units is not None else ()
        wanted = {_key(row) for row in rows}
        return [unit for unit in units if any(_key(row) in wanted for row in self.records_of(unit))]

    def records_of(self, unit: Unit) -> tuple[Row[Record], ...]:
        """The records that an evidence entry names, valid or not; a page comes before its retrieval."""
        if unit.web is not None:
            return (*(page.row for page in unit.web.candidates), *(source.row for source in unit.web.results))
        if self.facts.bundle is None or not unit.ref.id:
            return ()
        rows = (*self.facts.bundle.records.repository_rows, *self.facts.bundle.records.other_evidence)
        return tuple(row for row in rows if _id(row) == unit.ref.id)

    def targets_naming(self, rows: Sequence[Row[Record]]) -> tuple[EntryTarget, ...]:
        """The index entries that name any of these records."""
        wanted = {_key(row) for row in rows}
        targets = self.facts.targets.all if self.facts.targets is not None else ()
        return tuple(target for target in targets if any(_key(row) in wanted for row in rows_of(target)))

    def citations_of(self, entries: Sequence[SourceEntry]) -> list[Citation]:
        """The citations of some entries, in order."""
        report = self.facts.bundle.report if self.facts.bundle is not None else None
        numbers = {entry.number for entry in entries}
        return [citation for citation in report.citations if citation.number in numbers] if report is not None else []

    def _in_report(self, offset: int) -> Found | None:
        report = self.facts.bundle.report if self.facts.bundle is not None else None
        if report is None:
            return None
        citation = self._citation(report.citations, offset)
        if citation is not None:
            targets = tuple(self.facts.targets.of(citation.number)) if self.facts.targets is not None else ()
            return Found(citation.location, citation=citation, targets=targets, rows=_all_rows(targets))
        for target in self.facts.targets.all if self.facts.targets is not None else ():
            if _holds(target.entry.span, offset):
                return Found(target.location, targets=(target,), rows=_all_rows((target,)))
        for stated in report.findings:
            if _holds(stated.span, offset):
                claim = self.facts.matching.claim_of(stated) if self.facts.matching is not None else None
                return Found(Location(REPORT, stated.span), stated=stated, claim=claim)
        return None

    def _unit(self, claim: Claim, ref: EvidenceRef | None) -> Unit | None:
        return next((unit for unit in self.units_of(claim) if unit.ref is ref), None)

    def _citation(self, citations: Sequence[Citation], offset: int) -> Citation | None:
        """The citation whose digits are there, else the first of the bracket that is."""
        here = [citation for citation in citations if _holds(citation.marker, offset)]
        exact = [citation for citation in here if _holds(citation.span, offset)]
        return next(iter(exact or here), None)

    def _in_record(self, artifact: str, offset: int) -> Found | None:
        claim = next((found for group in self._claims(artifact) if (found := self._holding(group, offset))), None)
        if claim is not None:
            ref = self._holding(claim.refs, offset)
            unit = self._unit(claim, ref)
            if unit is not None:
                rows = self.records_of(unit)
                return Found(unit.ref.location, claim=claim, unit=unit, rows=rows, targets=self.targets_naming(rows))
            stated = self.facts.matching.stated_of(claim) if self.facts.matching is not None else None
            return Found(claim.location, stated=stated, claim=claim)
        records = self.facts.bundle.records if self.facts.bundle is not None else Records()
        for rows in (records.results, records.content, records.code, records.commits, records.receipts):
            row = self._holding([row for row in rows if row.artifact == artifact], offset)
            if row is not None:
                return Found(row.location, rows=(row,), targets=self.targets_naming((row,)))
        return None

    def _claims(self, artifact: str) -> Iterator[Sequence[Claim]]:
        claims = self.facts.claims
        if claims is not None:
            for group in (claims.findings, claims.analysis, claims.consensus, claims.debate):
                yield [claim for claim in group if claim.location.artifact == artifact]

    def _holding(self, things: Sequence[L], offset: int) -> L | None:
        """The thing whose value holds the character. They stand in order, so that few of them are looked up."""

        def start(thing: L) -> int:
            span = self._span(thing)
            return span.start if span is not None else 0

        index = bisect.bisect_right(things, offset, key=start)
        return things[index - 1] if index and _holds(self._span(things[index - 1]), offset) else None

    def _span(self, thing: Located) -> Span | None:
        return self._snapshot.locator.span(self._snapshot.row.bundle, thing.location)


def rows_of(target: EntryTarget) -> tuple[Row[Record], ...]:
    """The records that an index entry names; a page comes before its retrieval."""
    pages = (page.row for web in target.web for page in web.pages)
    results = (source.row for web in target.web for source in web.results)
    return (*target.rows, *target.others, *pages, *results)


def _all_rows(targets: Sequence[EntryTarget]) -> tuple[Row[Record], ...]:
    return tuple(row for target in targets for row in rows_of(target))


def _holds(span: Span | None, offset: int) -> bool:
    return span is not None and span.start <= offset <= span.end


def _key(row: Row[Record]) -> tuple[str, str]:
    return row.artifact, row.pointer


def _id(row: Row[Record]) -> str:
    name = getattr(row.value, "id", None)
    return name.strip() if isinstance(name, str) else ""

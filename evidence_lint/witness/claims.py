"""The claims of findings.json and the evidence that each names, before any of it is believed (chapter 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from evidence_lint.model.artifact import JSON
from evidence_lint.model.location import Location
from evidence_lint.model.records import (
    AnalysisRecord,
    FindingRecord,
    Record,
    Records,
    Row,
    StatementRecord,
)


class ClaimKind(StrEnum):
    """Which list of findings.json a claim stands in."""

    FINDING = "finding"
    ANALYSIS = "analysis"
    CONSENSUS = "consensus"
    DEBATE = "debate"

    @property
    def words(self) -> str:
        """What to call such a claim in a message."""
        return {
            ClaimKind.FINDING: "finding",
            ClaimKind.ANALYSIS: "analysis section",
            ClaimKind.CONSENSUS: "consensus statement",
            ClaimKind.DEBATE: "debate statement",
        }[self]


class EvidenceKind(StrEnum):
    """The four kinds of evidence."""

    WEB = "web"
    CODE = "code"
    COMMIT = "commit"
    TEST = "test"


@dataclass(frozen=True, slots=True, eq=False)
class EvidenceRef:
    """One entry of a claim's ``evidence`` list.

    ``kind`` is None when the entry is no object or names no known kind; then it supports nothing. ``url``, ``excerpt``
    and ``id`` are "" where the entry has no such text.
    """

    claim_kind: ClaimKind
    claim_number: int
    number: int
    location: Location
    raw: JSON
    kind: EvidenceKind | None
    url: str = ""
    excerpt: str = ""
    id: str = ""
    row: Row[Record] | None = None

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return f"{self.claim_kind}-{self.claim_number}/evidence-{self.number}"

    @property
    def is_object(self) -> bool:
        """Whether the entry is a JSON object at all."""
        return isinstance(self.raw, dict)

    def at(self, *parts: str | int) -> Location:
        """A field of the entry, or the entry where the field is absent."""
        if self.row is None:
            return self.location
        return self.row.at("evidence", self.number - 1, *parts)


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A row of findings.json that states something: a finding, an analysis section, a consensus or debate row.

    ``number`` counts the rows of its list from 1, invalid ones included (chapter 3: ``finding #2``). ``valid`` is
    false for a row that is no object. ``refs`` is empty when ``evidence`` is absent or no list.
    """

    kind: ClaimKind
    number: int
    row: Row[Record]
    title: str
    text: str
    id: str | None
    refs: tuple[EvidenceRef, ...]
    legacy_citations: bool = False

    @property
    def valid(self) -> bool:
        """Whether the row is an object."""
        return self.row.value is not None

    @property
    def node(self) -> str:
        """The subject's part of a node id: a finding's own id where it has a unique one."""
        return self.id if self.kind is ClaimKind.FINDING and self.id else f"{self.kind}-{self.number}"

    @property
    def location(self) -> Location:
        """The row."""
        return self.row.location

    @property
    def words(self) -> str:
        """How messages name the claim: ``finding #2 (The title)``."""
        name = f"{self.kind.words} #{self.number}"
        return f"{name} ({self.title})" if self.title else name


@dataclass(frozen=True)
class Claims:
    """All claims of a bundle, by kind and in order."""

    findings: tuple[Claim, ...]
    analysis: tuple[Claim, ...]
    consensus: tuple[Claim, ...]
    debate: tuple[Claim, ...]

    def __iter__(self) -> Iterator[Claim]:
        yield from self.findings
        yield from self.analysis
        yield from self.consensus
        yield from self.debate

    @property
    def refs(self) -> Iterator[EvidenceRef]:
        """Every evidence entry, in order of the claims."""
        for claim in self:
            yield from claim.refs

    def of(self, ref: EvidenceRef) -> Claim:
        """The claim that an entry belongs to."""
        group: Sequence[Claim] = {
            ClaimKind.FINDING: self.findings,
            ClaimKind.ANALYSIS: self.analysis,
            ClaimKind.CONSENSUS: self.consensus,
            ClaimKind.DEBATE: self.debate,
        }[ref.claim_kind]
        return group[ref.claim_number - 1]


def read_claims(records: Records) -> Claims:
    """Gather the claims and their evidence entries; nothing is verified here."""
    ids = Counter(_text(row.value.id) for row in records.findings if row.value is not None)
    unique = {name for name, count in ids.items() if name and count == 1}
    return Claims(
        findings=tuple(_finding(row, unique) for row in records.findings),
        analysis=tuple(_analysis(row) for row in records.analysis),
        consensus=tuple(_statement(row, ClaimKind.CONSENSUS) for row in records.consensus),
        debate=tuple(_statement(row, ClaimKind.DEBATE) for row in records.debate),
    )


def _finding(row: Row[FindingRecord], unique: set[str]) -> Claim:
    value = row.value
    name = _text(value.id) if value is not None else ""
    citations: object = value.citations if value is not None else None
    legacy = isinstance(citations, list) and len(citations) > 0
    return Claim(
        ClaimKind.FINDING,
        row.number,
        row,
        _text(value.title) if value is not None else "",
        _text(value.analysis) if value is not None else "",
        name if name in unique else None,
        _refs(row, ClaimKind.FINDING, value.evidence if value is not None else None),
        legacy_citations=legacy,
    )


def _analysis(row: Row[AnalysisRecord]) -> Claim:
    value = row.value
    return Claim(
        ClaimKind.ANALYSIS,
        row.number,
        row,
        _text(value.title) if value is not None else "",
        _text(value.content) if value is not None else "",
        None,
        _refs(row, ClaimKind.ANALYSIS, value.evidence if value is not None else None),
    )


def _statement(row: Row[StatementRecord], kind: ClaimKind) -> Claim:
    value = row.value
    return Claim(
        kind,
        row.number,
        row,
        "",
        _text(value.statement) if value is not None else "",
        None,
        _refs(row, kind, value.evidence if value is not None else None),
    )


def _refs(row: Row[Record], kind: ClaimKind, evidence: object) -> tuple[EvidenceRef, ...]:
    if not isinstance(evidence, list):
        return ()
    entries = cast("list[JSON]", evidence)
    return tuple(_ref(row, kind, number, raw) for number, raw in enumerate(entries, start=1))


def _ref(
    row: Row[Record],
    claim_kind: ClaimKind,
    number: int,
    raw: JSON,
) -> EvidenceRef:
    location = row.at("evidence", number - 1)
    if not isinstance(raw, dict):
        return EvidenceRef(claim_kind, row.number, number, location, raw, None, row=row)
    word = raw.get("kind")
    kind = EvidenceKind(word) if isinstance(word, str) and word in set(EvidenceKind) else None
    return EvidenceRef(
        claim_kind,
        row.number,
        number,
        location,
        raw,
        kind,
        url=_text(raw.get("url")),
        excerpt=_excerpt(raw.get("excerpt")),
        id=_text(raw.get("id")),
        row=row,
    )


def _text(value: object) -> str:
    """A text without outer white space; a text of white space alone is empty (chapter 2)."""
    return value.strip() if isinstance(value, str) else ""


def _excerpt(value: object) -> str:
    return value if isinstance(value, str) and value.strip() else ""

"""Evidence units: each evidence entry joined with the record it names and what a witness found about that."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evidence_lint.model.records import Records
from evidence_lint.witness.authority import independence_key
from evidence_lint.witness.claims import Claim, ClaimKind, Claims, EvidenceKind, EvidenceRef
from evidence_lint.witness.receipts import TestReceipt
from evidence_lint.witness.repository import CodeEvidence, CommitEvidence, RepositoryFault
from evidence_lint.witness.web import WebEvidence


class RefFault(StrEnum):
    """Why an entry names no usable record; each is the name of a rule of family EVID."""

    INVALID = "invalid-evidence"
    KIND = "unsupported-evidence-kind"
    NOT_FOUND = "repository-evidence-not-found"
    DUPLICATE_ID = "duplicate-repository-evidence-id"
    NOT_COVERED = "test-does-not-cover-finding"


@dataclass(frozen=True, eq=False)
class Unit:
    """One evidence entry of a claim. Exactly one of the four facts is set, unless ``fault`` says why none is."""

    ref: EvidenceRef
    fault: RefFault | None = None
    web: WebEvidence | None = None
    code: CodeEvidence | None = None
    commit: CommitEvidence | None = None
    test: TestReceipt | None = None

    @property
    def verified(self) -> bool:
        """Whether the unit counts for its claim at all (chapter 3, rules 1 and 6)."""
        if self.fault is not None:
            return False
        return (
            (self.web is not None and self.web.verified)
            or (self.code is not None and self.code.verified)
            or (self.commit is not None and self.commit.verified)
            or (self.test is not None and self.test.sound)
        )

    @property
    def primary(self) -> bool:
        """Whether the unit is primary without a live capture: verified code or commit, or a receipt that earns it."""
        if not self.verified:
            return False
        return self.code is not None or self.commit is not None or (self.test is not None and self.test.primary)

    @property
    def artifact_key(self) -> Hashable:
        """What the unit is counted by (chapter 1, cited evidence units): the normalised URL, or kind and id."""
        if self.ref.kind is EvidenceKind.WEB:
            return self.web.key if self.web is not None else self.ref.url
        return (self.ref.kind, self.ref.id)

    def independent_of(self, other: Unit, urls: Mapping[Unit, str] | None = None) -> bool:
        """Whether two units may stand side by side as independent (chapter 3, rule 5).

        Web units are told apart by the registrable domain of the URL where they effectively stand (``urls``, for those
        that were captured live), repository units by kind and id; two records of one line are one, whether
        of one commit or of two that leave it unchanged.
        """
        if self.web is not None and other.web is not None:
            return self._domain(urls) != other._domain(urls)
        if self.code is not None and other.code is not None:
            return not _same_lines(self.code, other.code)
        if self.commit is not None and other.commit is not None:
            return self.commit.commit_id != other.commit.commit_id
        if self.test is not None and other.test is not None:
            return (self.ref.id, self.test.execution_id) != (other.ref.id, other.test.execution_id) and (
                not self.test.execution_id or self.test.execution_id != other.test.execution_id
            )
        return True

    def _domain(self, urls: Mapping[Unit, str] | None) -> str:
        url = (urls or {}).get(self) or self._saved_url()
        return independence_key(url)

    def _saved_url(self) -> str:
        return self.ref.url


def _same_lines(one: CodeEvidence, other: CodeEvidence) -> bool:
    """Whether two records share a line: of one commit, or of two between which it did not change."""
    if one.row.pointer == other.row.pointer:
        return True
    if one.path != other.path or one.lines is None or other.lines is None:
        return False
    first, last = max(one.lines[0], other.lines[0]), min(one.lines[1], other.lines[1])
    if first > last:
        return False
    return one.commit_id == other.commit_id or _read(one, first, last) == _read(other, first, last)


def _read(code: CodeEvidence, first: int, last: int) -> Sequence[str]:
    """What a record reads in some of its lines, their ends aside."""
    start = code.lines[0] if code.lines is not None else first
    return [line.rstrip("\r") for line in code.excerpt.split("\n")[first - start : last - start + 1]]


_NOT_HERE = frozenset({RepositoryFault.ROOT_NOT_FOUND, RepositoryFault.COMMIT_NOT_FOUND})


class Units:
    """The units of all claims."""

    def __init__(self, units: Iterable[Unit]) -> None:
        self.all: tuple[Unit, ...] = tuple(units)
        self._by_claim: dict[tuple[ClaimKind, int], list[Unit]] = defaultdict(list)
        for unit in self.all:
            self._by_claim[unit.ref.claim_kind, unit.ref.claim_number].append(unit)

    def of(self, claim: Claim) -> Sequence[Unit]:
        """The units of a claim, in order."""
        return self._by_claim.get((claim.kind, claim.number), [])

    @property
    def at_hand(self) -> bool:
        """Whether the checkout and the commits that the units speak about were here to be looked at.

        Where they were not, what is recomputed holds for this run, and the report may yet be right elsewhere.
        """
        return not any(
            diagnosis.fault in _NOT_HERE
            for unit in self.all
            for evidence in (unit.code, unit.commit)
            if evidence is not None
            for diagnosis in evidence.diagnoses
        )

    @property
    def cited(self) -> int:
        """Distinct verified artifacts over all claims (``Cited evidence units``)."""
        return len({unit.artifact_key for unit in self.all if unit.verified})


def duplicate_ids(records: Records) -> frozenset[str]:
    """Ids that several records of code_evidence.json share: no record of such an id verifies."""
    ids = Counter(row.value.id.strip() for row in records.repository_rows if row.value is not None and row.value.id)
    ids.update(
        identifier.strip()
        for row in records.other_evidence
        if row.value is not None and isinstance(identifier := getattr(row.value, "id", None), str)
    )
    return frozenset(name for name, count in ids.items() if name and count > 1)


def join_units(
    claims: Claims,
    records: Records,
    web: Sequence[WebEvidence],
    code: Sequence[CodeEvidence],
    commits: Sequence[CommitEvidence],
    receipts: Sequence[TestReceipt],
) -> Units:
    """Join every evidence entry with what the witnesses found about the record that it names."""
    ambiguous = duplicate_ids(records)
    by_entry = {evidence.ref: evidence for evidence in web}
    code_by_id = {evidence.id: evidence for evidence in code}
    commit_by_id = {evidence.id: evidence for evidence in commits}
    receipt_by_id = {evidence.id: evidence for evidence in receipts}

    def join(ref: EvidenceRef) -> Unit:
        if not ref.is_object:
            return Unit(ref, RefFault.INVALID)
        if ref.kind is None:
            return Unit(ref, RefFault.KIND)
        if ref.kind is EvidenceKind.WEB:
            return Unit(ref, web=by_entry[ref])
        if ref.id in ambiguous:
            return Unit(ref, RefFault.DUPLICATE_ID)
        if ref.kind is EvidenceKind.CODE and ref.id in code_by_id:
            return Unit(ref, code=code_by_id[ref.id])
        if ref.kind is EvidenceKind.COMMIT and ref.id in commit_by_id:
            return Unit(ref, commit=commit_by_id[ref.id])
        if ref.kind is EvidenceKind.TEST and ref.id in receipt_by_id:
            receipt = receipt_by_id[ref.id]
            fault = RefFault.NOT_COVERED if _uncovered(claims.of(ref), receipt) else None
            return Unit(ref, fault, test=receipt)
        return Unit(ref, RefFault.NOT_FOUND)

    return Units(join(ref) for ref in claims.refs)


def _uncovered(claim: Claim, receipt: TestReceipt) -> bool:
    """A test counts for a finding only if it covers the finding's id (chapter 3, rule 6)."""
    return claim.kind is ClaimKind.FINDING and (claim.id is None or claim.id not in receipt.covers)

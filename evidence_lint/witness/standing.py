"""How grave a fault of the evidence is: an honest omission is told, not punished (chapter 3)."""

from __future__ import annotations

from collections.abc import Collection

from evidence_lint.model.verdict import Severity
from evidence_lint.witness.claims import ClaimKind, EvidenceRef


class Standing:
    """Severities of evidence faults by the claim that rests on the evidence.

    A fault is an error, except where it can mislead nobody: the finding is not published and its omission is disclosed,
    or nothing cites the record at all. Then it is a warning.
    """

    def __init__(self, honestly_omitted: Collection[int]) -> None:
        self._omitted = frozenset(honestly_omitted)

    def of_claim(self, kind: ClaimKind, number: int) -> Severity:
        """The severity of a fault in the evidence of a claim."""
        omitted = kind is ClaimKind.FINDING and number in self._omitted
        return Severity.WARNING if omitted else Severity.ERROR

    def of_ref(self, ref: EvidenceRef) -> Severity:
        """The severity of a fault in one evidence entry."""
        return self.of_claim(ref.claim_kind, ref.claim_number)

    def of_record(self, cited_by: Collection[EvidenceRef]) -> Severity:
        """The severity of a fault in a record: that of the gravest claim that rests on it."""
        if any(self.of_ref(ref) is Severity.ERROR for ref in cited_by):
            return Severity.ERROR
        return Severity.WARNING

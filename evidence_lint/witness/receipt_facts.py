"""What is known of host test receipts once they have been examined (chapter 5)."""

from __future__ import annotations

from dataclasses import dataclass

from evidence_lint.model.artifact import JSON
from evidence_lint.model.location import Location
from evidence_lint.model.records import ReceiptRecord, Row
from evidence_lint.model.verdict import Severity
from evidence_lint.witness.claims import EvidenceRef


@dataclass(frozen=True, slots=True)
class ReceiptFault:
    """A static check that a receipt fails. ``rule`` is the rule's name, as ``test-tree-mismatch``."""

    rule: str
    message: str
    location: Location
    help: str = ""
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, eq=False)
class TestReceipt:
    """A receipt with its faults and its facts, each fact None or empty where the receipt does not hold it.

    ``sound`` means that no static check of severity error fails: the receipt may be evidence. What it earns depends
    on ``passed``, ``clean`` and ``approved`` besides.
    """

    __test__ = False  # the name begins with "Test": pytest shall not collect it

    row: Row[ReceiptRecord]
    id: str
    faults: tuple[ReceiptFault, ...]
    cited_by: tuple[EvidenceRef, ...]
    covers: frozenset[str] = frozenset()
    tested_paths: frozenset[str] = frozenset()
    """Normalised as code paths are."""
    commit_id: str | None = None
    """The full id of ``repository.head_commit``, resolved."""
    passed: bool = False
    """Status passed and exit code 0."""
    clean: bool = False
    """``dirty`` is false."""
    approved: bool = False
    """An approval with reviewer, rationale and a valid date."""
    review: str = ""
    """What the relevance review lacks to be an approval, in words; "" when it is one."""
    execution_id: str = ""
    summary: str = ""

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return self.id or f"test@{self.row.pointer}"

    @property
    def location(self) -> Location:
        """The record."""
        return self.row.location

    @property
    def sound(self) -> bool:
        """Whether no static check of severity error fails."""
        return all(fault.severity is not Severity.ERROR for fault in self.faults)

    @property
    def primary(self) -> bool:
        """Whether the receipt may be the primary unit of an independent pair (chapter 3, rule 5)."""
        return self.sound and self.passed and self.clean and self.approved


class Sheet:
    """A receipt's fields as they stand, and the faults that are found in it."""

    def __init__(self, row: Row[ReceiptRecord]) -> None:
        self.row = row
        self.raw: dict[str, JSON] = row.raw if isinstance(row.raw, dict) else {}
        self.faults: list[ReceiptFault] = []

    def get(self, name: str) -> JSON:
        """A field; None when it is absent or null."""
        return self.raw.get(name)

    def text(self, name: str) -> str:
        """A field's text without outer white space; "" when it is no text."""
        value = self.raw.get(name)
        return value.strip() if isinstance(value, str) else ""

    def fault(
        self,
        rule: str,
        message: str,
        *at: str | int,
        help: str = "",
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Note a fault at a field of the receipt."""
        self.faults.append(ReceiptFault(rule, message, self.row.at(*at), help, severity))


def texts(value: JSON) -> list[str] | None:
    """A non-empty list of texts that say something; None for anything else."""
    if not isinstance(value, list) or not value:
        return None
    found = [item for item in value if isinstance(item, str) and item.strip() and "\0" not in item]
    return found if len(found) == len(value) else None

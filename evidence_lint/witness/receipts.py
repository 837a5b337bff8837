"""Host test receipts (chapter 5): static checks of each, and what it may be believed for. Nothing is run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from evidence_lint.errors import Unavailable
from evidence_lint.model.records import ReceiptRecord, Records, Row
from evidence_lint.sources.interface import RepositorySource
from evidence_lint.witness.base_folder import base_folder
from evidence_lint.witness.checkout import Checkout
from evidence_lint.witness.claims import Claims, EvidenceKind, EvidenceRef
from evidence_lint.witness.receipt_argv import check_invocation
from evidence_lint.witness.receipt_facts import ReceiptFault, Sheet, TestReceipt
from evidence_lint.witness.receipt_identity import check_covers, check_identity, check_output_hashes, check_review
from evidence_lint.witness.receipt_result import check_result
from evidence_lint.witness.receipt_snapshot import check_snapshot, check_tested_paths
from evidence_lint.witness.receipt_tests import check_selectors
from evidence_lint.witness.receipt_times import check_duration, check_times
from evidence_lint.witness.repository import cited_by, root_fault

__all__ = ["ReceiptFault", "TestReceipt", "examine_receipts"]


def examine_receipts(
    records: Records, claims: Claims, repository: RepositorySource | Unavailable, now: datetime
) -> Sequence[TestReceipt]:
    """Examine every receipt; never raises on what a record or the repository holds.

    ``repository`` may be the reason why no checkout is at hand; then no receipt is sound. ``now`` is zoned: no run
    ends after it.
    """
    if not records.receipts:
        return []
    citing = cited_by(claims, EvidenceKind.TEST)
    root = root_fault(records, repository)
    checkout = None
    if root is None and not isinstance(repository, Unavailable):
        checkout = Checkout(repository, base_folder(records, repository))
    told = () if root is None else (ReceiptFault(root.fault.value, root.message, root.location, root.help),)
    found = [_examine(row, citing, records.root, checkout, now, told) for row in records.receipts]
    return _without_reuse(found)


def _examine(
    row: Row[ReceiptRecord],
    citing: Mapping[str, tuple[EvidenceRef, ...]],
    declared_root: str | None,
    checkout: Checkout | None,
    now: datetime,
    told: tuple[ReceiptFault, ...],
) -> TestReceipt:
    sheet = Sheet(row)
    check_identity(sheet)
    invocation = check_invocation(sheet)
    covers = check_covers(sheet)
    snapshot = check_snapshot(sheet, declared_root, checkout)
    files = check_tested_paths(sheet, checkout, snapshot.commit_id)
    if invocation is not None and files.names and checkout is not None and snapshot.commit_id is not None:
        check_selectors(sheet, invocation, files)
    result = check_result(sheet)
    times = check_times(sheet, now, snapshot.committed_at)
    check_duration(sheet, times, result.duration)
    check_output_hashes(sheet)
    review = check_review(sheet, now, times)
    name = (row.value.id or "").strip() if row.value is not None else ""
    return TestReceipt(
        row=row,
        id=name,
        faults=(*told, *sheet.faults),
        cited_by=citing.get(name, ()),
        covers=covers,
        tested_paths=files.names,
        commit_id=snapshot.commit_id,
        passed=result.passed,
        clean=snapshot.clean,
        approved=not review,
        review=review,
        execution_id=sheet.text("execution_id"),
        summary="\n".join(filter(None, (sheet.text(part) for part in ("summary", "stdout_summary", "stderr_summary")))),
    )


def _without_reuse(found: Sequence[TestReceipt]) -> Sequence[TestReceipt]:
    """Fault every receipt whose execution another one claims too: which of them is honest cannot be told."""
    by_execution: dict[str, list[TestReceipt]] = defaultdict(list)
    for receipt in found:
        if receipt.execution_id:
            by_execution[receipt.execution_id.lower()].append(receipt)
    return [_reused(receipt, by_execution.get(receipt.execution_id.lower(), [])) for receipt in found]


def _reused(receipt: TestReceipt, same: Sequence[TestReceipt]) -> TestReceipt:
    others = [other for other in same if other is not receipt]
    if not others:
        return receipt
    named = ", ".join(other.id or other.row.pointer for other in others[:3])
    fault = ReceiptFault(
        "test-execution-id-reused",
        f"the execution id is that of {named} as well, but every run has its own",
        receipt.row.at("execution_id"),
        "Make one receipt for each run; one receipt may cover several findings.",
    )
    return replace(receipt, faults=(*receipt.faults, fault))

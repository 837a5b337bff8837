"""From a fault that the witness found in a receipt to a problem that a person can act on."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.witness.receipts import ReceiptFault, TestReceipt
from evidence_lint.witness.standing import Standing

_CITING = 3


def told(receipt: TestReceipt, rule: str, standing: Standing) -> Iterator[Problem]:
    """The problems of one rule in a receipt, as grave as the gravest claim that rests on it."""
    for fault in receipt.faults:
        if fault.rule == rule:
            yield Problem(
                fault.message,
                fault.location,
                help=fault.help,
                related=tuple(Related(ref.location, "cited here") for ref in receipt.cited_by[:_CITING]),
                severity=_severity(fault, receipt, standing),
            )


def _severity(fault: ReceiptFault, receipt: TestReceipt, standing: Standing) -> Severity | None:
    if fault.severity is not Severity.ERROR:
        return fault.severity
    return Severity.WARNING if standing.of_record(receipt.cited_by) is Severity.WARNING else None

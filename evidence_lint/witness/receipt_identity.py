"""What a receipt says of itself: schema, origin, execution, coverage, output hashes, review (chapter 5)."""

from __future__ import annotations

import re

from evidence_lint.model.artifact import JSON
from evidence_lint.parse.record_fields import described
from evidence_lint.witness.receipt_facts import Sheet, texts
from evidence_lint.witness.receipt_times import read_date

SCHEMA = "deep-research/host-test-receipt-v2"
ORIGIN = "host-tool"
_EXECUTION = re.compile(r"[0-9a-f]{64}")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_STATES = ("approved", "pending", "rejected")


def stands(value: JSON) -> str:
    """A field's value for a sentence: ``absent``, or what it is."""
    return "absent" if value is None else described(value)


def check_identity(sheet: Sheet) -> None:
    """Schema, origin and execution id."""
    schema, origin, execution = sheet.get("schema"), sheet.get("origin"), sheet.get("execution_id")
    if schema != SCHEMA:
        sheet.fault("unsupported-test-receipt-schema", f"`schema` is {stands(schema)}, not {SCHEMA!r}", "schema")
    if origin != ORIGIN:
        sheet.fault("test-receipt-origin-invalid", f"`origin` is {stands(origin)}, not {ORIGIN!r}", "origin")
    if not isinstance(execution, str) or not _EXECUTION.fullmatch(execution):
        message = f"`execution_id` is {stands(execution)}, where 64 lower-case hexadecimal digits are expected"
        sheet.fault("test-execution-id-invalid", message, "execution_id")


def check_covers(sheet: Sheet) -> frozenset[str]:
    """The ids of findings and code records that the run covers."""
    covers = sheet.get("covers")
    names = texts(covers)
    if names is None:
        message = f"`covers` is {_list(covers)}, where a list of ids is expected"
        sheet.fault("test-covers-invalid", message, "covers", help="List the finding's id and every code id it cites.")
        return frozenset()
    return frozenset(name.strip() for name in names)


def _list(value: JSON) -> str:
    if isinstance(value, list):
        return "a list with an entry that is no text" if value else "an empty list"
    return stands(value)


def check_output_hashes(sheet: Sheet) -> None:
    """Both streams' hashes are SHA-256 values."""
    for name in ("stdout_sha256", "stderr_sha256"):
        value = sheet.get(name)
        if not isinstance(value, str) or not _SHA256.fullmatch(value):
            message = f"`{name}` is {stands(value)}, where the 64 hexadecimal digits of a SHA-256 value are expected"
            sheet.fault("test-output-hash-invalid", message, name)


def check_review(sheet: Sheet) -> str:
    """Judge the relevance review; return what it lacks to be an approval, in words, "" when it is one."""
    review = sheet.get("relevance_review")
    if not isinstance(review, dict):
        message = f"`relevance_review` is {stands(review)}, where an object with a status is expected"
        sheet.fault("test-relevance-review-missing", message, "relevance_review")
        return "there is no relevance review"
    status = review.get("status")
    if status not in _STATES:
        message = f"the review's `status` is {stands(status)}, not one of {', '.join(_STATES)}"
        sheet.fault("test-relevance-review-invalid", message, "relevance_review", "status")
        return "its relevance review has no known status"
    if wrong := _malformed(review):
        name, message = wrong
        sheet.fault("test-relevance-review-invalid", message, "relevance_review", name)
        return f"the {name} of its relevance review is invalid"
    if status != "approved":
        return f"its relevance review is {status}"
    lacking = [name for name in ("reviewer", "rationale", "reviewed_at") if not _said(review.get(name))]
    return f"its approval has no {' and no '.join(lacking)}" if lacking else ""


def _said(value: JSON) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _malformed(review: dict[str, JSON]) -> tuple[str, str] | None:
    for name in ("reviewer", "rationale", "reviewed_at"):
        value = review.get(name)
        if value is not None and not isinstance(value, str):
            return name, f"the review's `{name}` is {described(value)}, where text is expected"
    when = review.get("reviewed_at")
    if _said(when) and isinstance(when, str) and read_date(when) is None:
        return "reviewed_at", f"the review's `reviewed_at` is {described(when)}, which is no ISO 8601 date or timestamp"
    return None

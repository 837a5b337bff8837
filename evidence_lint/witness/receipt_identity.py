"""What a receipt says of itself: schema, origin, execution, coverage, output hashes, review (chapter 5)."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime, timedelta

from evidence_lint.model.artifact import JSON
from evidence_lint.parse.record_fields import described
from evidence_lint.witness.receipt_facts import Sheet, texts
from evidence_lint.witness.receipt_times import CLOCK_SKEW, RunTimes, read_timestamp

SCHEMA = "deep-research/host-test-receipt-v2"
ORIGIN = "host-tool"
_EXECUTION = re.compile(r"[0-9a-f]{64}")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_EMPTY_OUTPUT = hashlib.sha256(b"").hexdigest()
_SAYS_EMPTY = re.compile(r"\W*(?:none|empty|no output|nothing(?: printed| written)?|n/?a|无|無)?\W*", re.IGNORECASE)
_PLACEHOLDERS = frozenset(
    {"na", "nil", "none", "null", "todo", "tbd", "tba", "fixme", "placeholder", "unknown", "xxx", "nobody", "noone",
     "noreviewer",
     "reviewer", "rationale", "name", "reason", "无", "無", "没有", "待定", "暂无"}
)  # fmt: skip
_DAY = timedelta(days=1)
"""A date has no zone: it may begin or end a day apart from the same one elsewhere."""
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
            continue
        told = name.replace("_sha256", "_summary")
        if value.lower() == _EMPTY_OUTPUT and not _SAYS_EMPTY.fullmatch(sheet.text(told)):
            message = f"`{name}` is the hash of empty output, but `{told}` holds text"
            sheet.fault("test-output-hash-invalid", message, name)


def check_review(sheet: Sheet, now: datetime, times: RunTimes) -> str:
    """Judge the relevance review; return what it lacks to be an approval, in words, "" when it is one.

    ``now`` is zoned: nothing was reviewed after it, nor before the run ended.
    """
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
    if wrong := _malformed(review) or _untimely(review, now, times):
        name, message = wrong
        sheet.fault("test-relevance-review-invalid", message, "relevance_review", name)
        return f"the {name} of its relevance review is invalid"
    if status != "approved":
        return f"its relevance review is {status}"
    lacking = [name for name in ("reviewer", "rationale") if not _names_something(review.get(name))]
    lacking += [] if _said(review.get("reviewed_at")) else ["reviewed_at"]
    return f"its approval has no {' and no '.join(lacking)}" if lacking else ""


def _said(value: JSON) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _names_something(value: JSON) -> bool:
    """Whether a text holds letters or ideographs, and is no placeholder."""
    letters = "".join(filter(str.isalpha, value)).casefold() if isinstance(value, str) else ""
    return bool(letters) and letters not in _PLACEHOLDERS


def _untimely(review: dict[str, JSON], now: datetime, times: RunTimes) -> tuple[str, str] | None:
    """Whether the review lies in the future, or before the end of the run that it judges."""
    when = review.get("reviewed_at")
    moment = read_timestamp(when) if isinstance(when, str) else None
    if moment is None:
        return None
    zoned = moment.utcoffset() is not None
    first = last = moment if zoned else moment.replace(tzinfo=UTC)
    shown = described(when)
    if not 1 < moment.year < 9999:
        return "reviewed_at", f"the review's `reviewed_at` is {shown}, which is no time of a review"
    # Without a zone it is only known to within a day; a date alone lasts for one besides.
    first -= timedelta() if zoned else _DAY
    last += CLOCK_SKEW if zoned else _DAY if _has_time(str(when)) else 2 * _DAY
    if first > now + CLOCK_SKEW:
        return "reviewed_at", f"the review's `reviewed_at` is {shown}, which lies in the future"
    if times.finished is not None and last < times.finished <= now + CLOCK_SKEW:
        return (
            "reviewed_at",
            f"the review's `reviewed_at` is {shown}, before the run ended at {times.finished.isoformat()}",
        )
    return None


def _has_time(text: str) -> bool:
    return ":" in text or "t" in text.casefold()


def _malformed(review: dict[str, JSON]) -> tuple[str, str] | None:
    for name in ("reviewer", "rationale", "reviewed_at"):
        value = review.get(name)
        if value is not None and not isinstance(value, str):
            return name, f"the review's `{name}` is {described(value)}, where text is expected"
    when = review.get("reviewed_at")
    if _said(when) and isinstance(when, str) and read_timestamp(when) is None:
        return "reviewed_at", f"the review's `reviewed_at` is {described(when)}, which is no ISO 8601 date or timestamp"
    return None

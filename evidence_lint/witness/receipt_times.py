"""When a receipt's test ran: timestamps, their order, and the duration that is claimed (chapter 5)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from evidence_lint.model.verdict import Severity
from evidence_lint.parse.record_fields import described
from evidence_lint.witness.receipt_facts import Sheet

CLOCK_SKEW = timedelta(minutes=5)
"""How far the clocks of two honest machines may differ."""
_ROUNDING = 2.0
"""Seconds that whole-second timestamps and process start-up can account for."""
_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class RunTimes:
    """Start and end of a run, zoned; None where the receipt does not say."""

    started: datetime | None
    finished: datetime | None


def read_timestamp(text: str) -> datetime | None:
    """An ISO 8601 timestamp, with or without a zone, or None."""
    stripped = text.strip()
    if not stripped.isascii() or len(stripped) > 64:
        return None
    try:
        moment = datetime.fromisoformat(stripped.upper())
        moment.utcoffset()
    except (ValueError, OverflowError):
        return None
    return moment


def check_times(sheet: Sheet, now: datetime, committed_at: datetime | None) -> RunTimes:
    """Presence, form, order, and whether the run can have happened then. ``now`` is zoned."""
    started, finished = _moment(sheet, "started_at"), _moment(sheet, "finished_at")
    if started is not None and finished is not None and finished < started:
        message = f"the run ends at {finished.isoformat()}, before it starts at {started.isoformat()}"
        sheet.fault("test-timestamp-invalid", message, "finished_at")
        return RunTimes(started, finished)
    for name, moment in (("started_at", started), ("finished_at", finished)):
        if moment is not None and moment > now + CLOCK_SKEW:
            message = (
                f"`{name}` is {moment.isoformat()}, which lies in the future (now: {now.isoformat(timespec='seconds')})"
            )
            sheet.fault("test-timestamp-in-future", message, name)
            break
    if finished is not None and committed_at is not None and finished < committed_at:
        message = (
            f"the run ended at {finished.isoformat()}, "
            f"before its commit was made at {committed_at.isoformat()}: it cannot have tested that commit"
        )
        sheet.fault("test-timestamp-before-commit", message, "finished_at")
    return RunTimes(started, finished)


def check_duration(sheet: Sheet, times: RunTimes, duration: float | None) -> None:
    """The duration agrees with the timestamps, up to rounding."""
    if duration is None or times.started is None or times.finished is None or times.finished < times.started:
        return
    elapsed = (times.finished - times.started).total_seconds()
    if abs(duration - elapsed) > max(_ROUNDING, _SHARE * elapsed):
        message = f"`duration_seconds` is {duration:g}, but {elapsed:g} s lie between start and end"
        sheet.fault("test-duration-inconsistent", message, "duration_seconds", severity=Severity.WARNING)


def _moment(sheet: Sheet, name: str) -> datetime | None:
    value = sheet.get(name)
    if value is None or (isinstance(value, str) and not value.strip()):
        sheet.fault("test-timestamp-missing", f"`{name}` is {'absent' if value is None else 'empty'}", name)
        return None
    moment = read_timestamp(value) if isinstance(value, str) else None
    if moment is None:
        message = f"`{name}` is {described(value)}, which is no ISO 8601 timestamp"
        sheet.fault("test-timestamp-invalid", message, name)
        return None
    if moment.utcoffset() is None:
        message = f"`{name}` is {described(value)}, which has no time zone"
        sheet.fault("test-timestamp-invalid", message, name, help="Write the zone: `Z`, or an offset such as `+02:00`.")
        return None
    return moment

"""How a receipt's test ended: exit code, duration, status, and what its own summary says of that (chapter 5)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from evidence_lint.witness.receipt_facts import Sheet
from evidence_lint.witness.receipt_identity import stands
from evidence_lint.witness.receipt_summary import read_summary

_LONGEST = 10.0**9
_SUMMARIES = ("summary", "stdout_summary", "stderr_summary")


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result as far as it is valid; ``passed`` is status passed with exit code 0 and nothing that belies it."""

    passed: bool
    duration: float | None


def check_result(sheet: Sheet) -> RunResult:
    """Exit code and duration are numbers, the status is known and agrees with the exit code and the summary."""
    code, status = _exit_code(sheet), sheet.get("status")
    if status not in ("passed", "failed"):
        sheet.fault("test-result-invalid", f"`status` is {stands(status)}, not passed or failed", "status")
        return RunResult(False, _duration(sheet))
    duration = _duration(sheet)
    if code is None:
        return RunResult(False, duration)
    if (code == 0) != (status == "passed"):
        why = " (pytest: no test was collected)" if code == 5 and sheet.get("framework") == "pytest" else ""
        message = f"`status` is {status}, but the exit code is {code}{why}"
        sheet.fault("test-result-inconsistent", message, "status")
        return RunResult(False, duration)
    if status == "passed" and (belied := _belied(sheet)):
        name, words = belied
        message = f"`status` is passed, but the `{name}` says that {words}"
        advice = "A run without a passed test supports no claim; run the test that is meant."
        sheet.fault("test-result-inconsistent", message, name, help=advice)
        return RunResult(False, duration)
    return RunResult(status == "passed", duration)


def _belied(sheet: Sheet) -> tuple[str, str] | None:
    """Which summary of a passed run says otherwise, and what."""
    for name in _SUMMARIES:
        text = sheet.get(name)
        if isinstance(text, str) and (words := read_summary(text)):
            return name, words
    return None


def _exit_code(sheet: Sheet) -> int | None:
    value = sheet.get("exit_code")
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    sheet.fault("test-result-invalid", f"`exit_code` is {stands(value)}, where a whole number is expected", "exit_code")
    return None


def _duration(sheet: Sheet) -> float | None:
    value = sheet.get("duration_seconds")
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or (isinstance(value, float) and math.isnan(value))
    ):
        message = f"`duration_seconds` is {stands(value)}, where a number of seconds is expected"
    elif value < 0:
        message = f"`duration_seconds` is {stands(value)}, and nothing takes less than no time"
    elif value > _LONGEST:
        message = f"`duration_seconds` is {stands(value)}, which is no time that a test took"
    else:
        return float(value)
    sheet.fault("test-result-invalid", message, "duration_seconds")
    return None

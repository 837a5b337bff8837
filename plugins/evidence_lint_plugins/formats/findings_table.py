"""The findings of a bundle on a terminal: three confidences each, evidence that verified, and the reasons."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_lint.model.result import FindingRow
from evidence_lint_plugins.formats.characters import one_line
from evidence_lint_plugins.formats.rows import evidence_words
from evidence_lint_plugins.formats.terminal import BAD, FAINT, GOOD, MILD, Page, Piece, fit, pad

_WIDE_ENOUGH = 76
_COLUMN = 11
_MOST_REASONS = 6
_LEVELS = {"low": 1, "medium": 2, "high": 3}


def print_findings(page: Page, findings: Sequence[FindingRow]) -> None:
    """Put the table on the page; on a narrow terminal each finding takes a few lines instead of one."""
    if page.width < _WIDE_ENOUGH:
        for finding in findings:
            _narrow(page, finding)
        return
    room = page.width - 3 - 4 * _COLUMN
    heads = "".join(f"{head:<{_COLUMN}}" for head in ("stated", "requested", "effective", "evidence"))
    page.line(("   " + pad("finding", room) + heads, FAINT))
    for finding in findings:
        effective, style = effective_words(finding)
        page.line(
            ("   ", ""),
            (pad(_name(finding), room - 2) + "  ", "bold"),
            (pad(finding.stated_confidence or "–", _COLUMN), ""),
            (pad(finding.requested_confidence or "–", _COLUMN), ""),
            (pad(effective, _COLUMN), style),
            (evidence_words(finding.evidence), ""),
        )
        _reasons(page, finding)


def _narrow(page: Page, finding: FindingRow) -> None:
    effective, style = effective_words(finding)
    page.line(("   ", ""), (fit(_name(finding), page.width - 4), "bold"))
    pieces: list[Piece] = [
        (f"stated {one_line(finding.stated_confidence or '–')}, ", ""),
        (f"requested {one_line(finding.requested_confidence or '–')}, effective ", ""),
        (effective, style),
        (f", evidence {evidence_words(finding.evidence)}", ""),
    ]
    page.flow(pieces, first=[("     ", "")])
    _reasons(page, finding)


def _name(finding: FindingRow) -> str:
    return " ".join(part for part in (finding.id, finding.title) if part) or "(without a title)"


def _reasons(page: Page, finding: FindingRow) -> None:
    for reason in finding.reasons[:_MOST_REASONS]:
        page.flow([(one_line(reason), "")], first=[("     · ", FAINT)])
    if len(finding.reasons) > _MOST_REASONS:
        page.line((f"     · and {len(finding.reasons) - _MOST_REASONS} more reasons", FAINT))


def effective_words(finding: FindingRow) -> tuple[str, str]:
    """Return the effective confidence as a word and its style."""
    if finding.usable is False:
        return "unusable", BAD
    effective = finding.effective_confidence
    if effective is None:
        return "undecided", MILD
    stated = _LEVELS.get((finding.stated_confidence or finding.requested_confidence or "").casefold(), 0)
    return effective, MILD if _LEVELS.get(effective.casefold(), 0) < stated else GOOD

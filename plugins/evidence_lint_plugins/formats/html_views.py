"""What the HTML page shows, as plain values; the template decides only how."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from evidence_lint.model.artifact import JSON
from evidence_lint.model.location import Location, Position
from evidence_lint.model.result import BundleResult, EvidenceRow, FindingRow, FormatOptions, RunResult
from evidence_lint.model.verdict import Excerpted, Fix, Outcome
from evidence_lint_plugins.formats.rows import Row, help_of, rows_of

_MOST_LINES = 12
_AROUND = 160
_LONGEST = 2000
_SHOWN_APART = frozenset({"excerpt", "url", "kind", "verified"})

Words = list[tuple[str, str]]
"""Pieces of a text with an operation: ``equal``, ``delete``, ``insert``."""


@dataclass(frozen=True, slots=True)
class LineView:
    """A line of source in three parts; the middle one is what it is shown for. ``number`` 0: lines left out."""

    number: int
    before: str
    marked: str
    after: str


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A place and its lines."""

    where: str
    pointer: str | None
    message: str
    absent: bool
    lines: list[LineView]


@dataclass(frozen=True, slots=True)
class SourceView:
    """Text from outside the bundle: lines, or the two sides of a word diff."""

    origin: str
    url: str | None
    lines: list[LineView]
    record: Words
    source: Words


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """One evidence entry of a finding, its excerpt beside the sources."""

    kind: str
    status: str
    excerpt: str
    url: str | None
    facts: list[tuple[str, str]]
    sources: list[SourceView]


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding; ``effective`` is a level, ``undecided`` or ``unusable``."""

    name: str
    claim: str
    stated: str
    requested: str
    effective: str
    reasons: list[str]
    where: str
    evidence: list[EvidenceView]


@dataclass(frozen=True, slots=True)
class VerdictView:
    """A verdict; ``kind`` is its outcome, for a failed one its severity."""

    kind: str
    code: str
    name: str
    message: str
    help: str
    places: list[PlaceView]
    sources: list[SourceView]
    fix: str


@dataclass(frozen=True, slots=True)
class BundleView:
    """A bundle."""

    path: str
    about: str
    degradation: str
    declared: str
    findings: list[FindingView]
    verdicts: list[VerdictView]


def bundle_views(run: RunResult, options: FormatOptions) -> list[BundleView]:
    """Return the views of all bundles of a run."""
    return [_bundle(run, result, options) for result in run.bundles]


def _bundle(run: RunResult, result: BundleResult, options: FormatOptions) -> BundleView:
    summary = result.summary
    rows = rows_of(run, result, passed=options.show_passed)
    rows.sort(key=lambda row: _ORDER.index(_kind(row)))
    kind = f"{summary.research_kind} research" if summary.research_kind else "research kind unknown"
    return BundleView(
        path=run.places.display_path(result.bundle.path),
        about=f"{kind}, {result.bundle.dialect}",
        degradation=summary.degradation or "undecided",
        declared=summary.declared_degradation or "nothing",
        findings=[_finding(run, result, finding) for finding in summary.findings],
        verdicts=[_verdict(run, row) for row in rows],
    )


_ORDER = ("errored", "error", "warning", "info", "suppressed", "skipped", "passed")


def _kind(row: Row) -> str:
    outcome = row.verdict.outcome
    return row.verdict.severity.value if outcome is Outcome.FAILED else outcome.value


def _finding(run: RunResult, result: BundleResult, finding: FindingRow) -> FindingView:
    where = ""
    if finding.location is not None:
        where = _where(run.places.position(result.bundle, finding.location))
    effective = "unusable" if finding.usable is False else (finding.effective_confidence or "undecided").lower()
    return FindingView(
        name=" ".join(part for part in (finding.id, finding.title) if part) or "(without a title)",
        claim=finding.claim or "",
        stated=finding.stated_confidence or "–",
        requested=finding.requested_confidence or "–",
        effective=effective,
        reasons=list(finding.reasons),
        where=where,
        evidence=[_evidence(row) for row in finding.evidence],
    )


def _evidence(row: EvidenceRow) -> EvidenceView:
    status = {True: "verified", False: "not verified", None: "undecided"}[row.verified]
    return EvidenceView(
        kind=row.kind,
        status=status,
        excerpt=_cell(row.facts.get("excerpt")),
        url=safe_url(_cell(row.facts.get("url"))),
        facts=[(name, _cell(value)) for name, value in row.facts.items() if name not in _SHOWN_APART and _cell(value)],
        sources=[_source(shown) for shown in row.shown],
    )


def _cell(value: JSON) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 64 else "…"
    if isinstance(value, list):
        return ", ".join(_cell(item) for item in value[:_MOST_LINES])
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_cell(item)}" for key, item in list(value.items())[:_MOST_LINES])
    return str(value)[:_LONGEST]


def _verdict(run: RunResult, row: Row) -> VerdictView:
    verdict, problem, bundle = row.verdict, row.verdict.problem, row.bundle
    message = row.message
    if verdict.outcome is Outcome.ERRORED:
        message = f"the check itself broke: {message}"
    if verdict.suppression is not None:
        message += f" (suppressed, {verdict.suppression.kind}: {verdict.suppression.reason})"
    places = [_place(run, bundle, verdict.location, row.position, "")]
    for related in problem.related if problem is not None else ():
        position = run.places.position(bundle.bundle, related.location)
        places.append(_place(run, bundle, related.location, position, related.message))
    return VerdictView(
        kind=_kind(row),
        code=verdict.code,
        name=verdict.name,
        message=message,
        help=help_of(run, verdict),
        places=places,
        sources=[_source(shown) for shown in (problem.shown if problem is not None else ())],
        fix=_fix(problem.fix) if problem is not None and problem.fix is not None else "",
    )


def _fix(fix: Fix) -> str:
    return f"{fix.description} ({fix.applicability.value})"


def _where(position: Position) -> str:
    return f"{position.path}:{position.line}:{position.column}"


def _place(
    run: RunResult, result: BundleResult, location: Location | None, position: Position, message: str
) -> PlaceView:
    artifact = result.bundle.artifacts.get(location.artifact) if location is not None else None
    lines: list[LineView] = []
    if location is not None and (location.span is not None or location.pointer is not None):
        lines = _lines(run, result, location, position)
    return PlaceView(
        where=_where(position),
        pointer=position.pointer or None,
        message=message,
        absent=artifact is not None and not artifact.present,
        lines=lines,
    )


def _lines(run: RunResult, result: BundleResult, location: Location, at: Position) -> list[LineView]:
    last = at.end_line - 1 if at.end_line > at.line and at.end_column == 1 else at.end_line
    shown = run.places.source_lines(result.bundle, location.artifact, at.line, min(last, at.line + _MOST_LINES - 1))
    views: list[LineView] = []
    for number, text in shown:
        start = at.column - 1 if number == at.line else 0
        end = at.end_column - 1 if number == at.end_line else len(text)
        views.append(_line(number, text, start, end))
    if last - at.line >= _MOST_LINES:
        views.append(LineView(0, f"… {last - at.line + 1 - _MOST_LINES} more lines", "", ""))
    return views


def _line(number: int, text: str, start: int, end: int) -> LineView:
    """Return a line around its marked part; what is far from it is left out."""
    before, marked, after = text[:start], text[start:end], text[end:]
    return LineView(
        number,
        before if len(before) <= _AROUND else "…" + before[-_AROUND:],
        _short(marked, _LONGEST),
        _short(after, _AROUND),
    )


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"


def _source(shown: Excerpted) -> SourceView:
    first = shown.first_line or 0
    lines = [
        LineView(first + index if first else 0, _short(text, _LONGEST), "", "")
        for index, text in enumerate(shown.lines[:_MOST_LINES])
    ]
    if len(shown.lines) > _MOST_LINES:
        lines.append(LineView(0, f"… {len(shown.lines) - _MOST_LINES} more lines", "", ""))
    pieces = [(operation, _short(text, _LONGEST)) for operation, text in shown.diff]
    return SourceView(
        origin=shown.origin,
        url=safe_url(shown.origin),
        lines=lines if shown.first_line is not None or not shown.diff else [],
        record=[piece for piece in pieces if piece[0] != "insert"],
        source=[piece for piece in pieces if piece[0] != "delete"],
    )


def safe_url(text: str) -> str | None:
    """Return a URL that may stand in a link: http or https, a host, no credentials, nothing that hides; else None."""
    if not text.isprintable() or any(character in text for character in "\\ <>\"'`"):
        return None
    try:
        parts = urlsplit(text)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username is not None:
            return None
    except ValueError:
        return None
    return text

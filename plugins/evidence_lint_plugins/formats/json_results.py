"""``--format json``: the document ``evidence-lint/results-v1`` (chapter 10, "Machine output")."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import cast

from pydantic import JsonValue

from evidence_lint.model.location import Location, Position
from evidence_lint.model.output import (
    BundleOutput,
    CaptureOutput,
    CountsOutput,
    DiffOutput,
    EditOutput,
    EvidenceOutput,
    FindingOutput,
    FixOutput,
    PlaceOutput,
    PolicyOutput,
    RelatedOutput,
    ResultsOutput,
    RunOutput,
    ShownOutput,
    SkipOutput,
    SuppressionOutput,
    VerdictOutput,
)
from evidence_lint.model.result import BundleResult, Counts, EvidenceRow, FindingRow, FormatOptions, RunInfo, RunResult
from evidence_lint.model.verdict import Fix, Outcome, Problem
from evidence_lint.version import __version__
from evidence_lint_plugins.formats.characters import whole
from evidence_lint_plugins.formats.rows import Row, help_of, rows_of

# Valid JSON, but a terminal or an editor that shows the document would act on them.
_ACTING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_MOST_BITS = 64


def render(run: RunResult, options: FormatOptions) -> str:
    """Return the document as UTF-8 text with a final line end."""
    text = document(run, options).model_dump_json(by_alias=True, indent=2)
    return _ACTING.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def document(run: RunResult, options: FormatOptions) -> ResultsOutput:
    """Return a result as the published models have it."""
    return ResultsOutput(
        version=__version__,
        bundles=[_bundle(run, result, options) for result in run.bundles],
        captures=[CaptureOutput.model_validate(_clean(capture.facts())) for capture in run.captures],
        notices=[whole(notice) for notice in run.notices],
        run=_run(run.info),
        counts=_counts(run.counts),
        exit_status=run.exit_status,
    )


def _run(info: RunInfo) -> RunOutput:
    return RunOutput(
        mode=info.mode,
        allow_network=list(info.allow_network),
        policy=PolicyOutput(
            source=_text(info.policy_source), revision=_text(info.policy_revision), commit=info.policy_commit
        ),
        select=[whole(item) for item in info.select],
        ignore=[whole(item) for item in info.ignore],
        keyword=whole(info.keyword),
        repo=_text(info.repo),
    )


def _bundle(run: RunResult, result: BundleResult, options: FormatOptions) -> BundleOutput:
    bundle, summary = result.bundle, result.summary
    main = bundle.artifacts.get(bundle.main)
    return BundleOutput(
        path=whole(run.places.display_path(bundle.path)),
        report=whole(run.places.display_path(main.path if main is not None else bundle.path)),
        dialect=bundle.dialect,
        research_kind=_text(summary.research_kind),
        degradation=_text(summary.degradation),
        declared_degradation=_text(summary.declared_degradation),
        findings=[_finding(run, result, finding) for finding in summary.findings],
        verdicts=[_verdict(run, row) for row in rows_of(run, result, passed=options.show_passed)],
        counts=_counts(result.counts),
    )


def _counts(counts: Counts) -> CountsOutput:
    return CountsOutput(
        passed=counts.passed,
        failed=counts.failed,
        warnings=counts.warnings,
        infos=counts.infos,
        skipped=counts.skipped,
        errored=counts.errored,
        suppressed=counts.suppressed,
    )


def _finding(run: RunResult, result: BundleResult, finding: FindingRow) -> FindingOutput:
    return FindingOutput(
        id=_text(finding.id),
        title=_text(finding.title),
        stated_confidence=_text(finding.stated_confidence),
        requested_confidence=_text(finding.requested_confidence),
        effective_confidence=_text(finding.effective_confidence),
        usable=finding.usable,
        reasons=[whole(reason) for reason in finding.reasons],
        evidence=[_evidence(row) for row in finding.evidence],
        location=_place(run, result, finding.location),
    )


def _evidence(row: EvidenceRow) -> EvidenceOutput:
    facts = {whole(name): _clean(value) for name, value in row.facts.items()}
    facts.pop("kind", None)
    facts.pop("verified", None)
    return EvidenceOutput.model_validate({"kind": whole(row.kind), "id": None, "verified": row.verified, **facts})


def _verdict(run: RunResult, row: Row) -> VerdictOutput:
    verdict, problem = row.verdict, row.verdict.problem
    suppression = verdict.suppression
    return VerdictOutput(
        node=whole(verdict.node),
        rule=verdict.code,
        name=verdict.name,
        outcome=verdict.outcome.value,
        severity=verdict.severity.value,
        message=None if verdict.outcome is Outcome.PASSED else whole(row.message),
        help=whole(help_of(run, verdict)) or None,
        location=_position(row.position),
        related=_related(run, row.bundle, problem) if problem is not None else [],
        shown=_shown(problem) if problem is not None else [],
        fix=_fix(run, row.bundle, problem.fix) if problem is not None else None,
        fingerprint=verdict.fingerprint or None,
        skip=SkipOutput(code=verdict.skip.code, message=whole(verdict.skip.message)) if verdict.skip else None,
        suppression=SuppressionOutput(
            kind=suppression.kind,
            reason=whole(suppression.reason),
            location=_place(run, row.bundle, suppression.location),
        )
        if suppression is not None
        else None,
    )


def _position(position: Position) -> PlaceOutput:
    return PlaceOutput(
        path=whole(position.path),
        line=position.line,
        column=position.column,
        end_line=position.end_line,
        end_column=position.end_column,
        pointer=_text(position.pointer),
    )


def _place(run: RunResult, result: BundleResult, location: Location | None) -> PlaceOutput | None:
    return None if location is None else _position(run.places.position(result.bundle, location))


def _related(run: RunResult, result: BundleResult, problem: Problem) -> list[RelatedOutput]:
    rows: list[RelatedOutput] = []
    for related in problem.related:
        place = _position(run.places.position(result.bundle, related.location))
        rows.append(RelatedOutput(**place.model_dump(), message=whole(related.message)))
    return rows


def _shown(problem: Problem) -> list[ShownOutput]:
    return [
        ShownOutput(
            origin=whole(shown.origin),
            first_line=shown.first_line,
            lines=[whole(line) for line in shown.lines],
            diff=[DiffOutput(op=op, text=whole(text)) for op, text in shown.diff],
        )
        for shown in problem.shown
    ]


def _fix(run: RunResult, result: BundleResult, fix: Fix | None) -> FixOutput | None:
    artifacts = result.bundle.artifacts
    if fix is None or any(edit.artifact not in artifacts for edit in fix.edits):
        return None  # All edits or none: a reader must never see half a fix.
    return FixOutput(
        applicability=fix.applicability.value,
        description=whole(fix.description),
        edits=[
            EditOutput(
                path=whole(run.places.display_path(artifacts[edit.artifact].path)),
                start=edit.start,
                end=edit.end,
                text=whole(edit.text),
            )
            for edit in fix.edits
        ],
    )


def _text(value: str | None) -> str | None:
    return None if value is None else whole(value)


def _clean(value: object) -> JsonValue:
    """Return a value as JSON can carry it; a number that JSON readers cannot hold becomes null."""
    if isinstance(value, str):
        return whole(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if value.bit_length() <= _MOST_BITS else None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        members = cast("Mapping[object, object]", value)
        return {whole(str(key)): _clean(item) for key, item in members.items()}
    if isinstance(value, Sequence):
        return [_clean(item) for item in cast("Sequence[object]", value)]
    return whole(str(value))

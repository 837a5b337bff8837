"""``--format sarif``: SARIF 2.1.0, for code scanning and editors.

Failed and suppressed verdicts are results. What was skipped or errored is told as a notification of the run: consumers
that do not read a result's ``kind`` would show each skipped check as an alert.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from evidence_lint.model.location import Location, Position, Span
from evidence_lint.model.result import BundleResult, FormatOptions, RuleInfo, RunResult
from evidence_lint.model.verdict import Fix, Outcome, Severity, Suppression, Verdict
from evidence_lint.version import __version__
from evidence_lint_plugins.formats.characters import visible, whole
from evidence_lint_plugins.formats.rows import Row, all_rows, counted, help_of, listed, skip_groups
from evidence_lint_plugins.formats.uris import uri_of

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE = "%SRCROOT%"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_LIKE_A_LINK = re.compile(r"\[(?=[^\]\n]*\]\()")
_RAN_TO_ITS_END = frozenset({0, 1, 5})

Object = dict[str, object]


def render(run: RunResult, options: FormatOptions) -> str:
    """Return the log as JSON text."""
    return json.dumps(_log(run, options), indent=2) + "\n"


def _log(run: RunResult, options: FormatOptions) -> Object:
    rules = _rules(run)
    index = {code: number for number, code in enumerate(rules)}
    rows = all_rows(run, options)
    results: list[object] = [
        _result(run, row, index)
        for row in rows
        if row.verdict.outcome in {Outcome.FAILED, Outcome.SUPPRESSED} and row.verdict.problem is not None
    ]
    base: Object = {"uri": uri_of(Path.cwd().as_posix()).rstrip("/") + "/"}
    described: list[object] = [_rule(code, rules[code]) for code in rules]
    driver: Object = {
        "name": "evidence-lint",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": described,
    }
    document: Object = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_BASE: base},
        "invocations": [_invocation(run, rows, index)],
        "results": results,
        "properties": {"mode": run.info.mode, "counts": _counts(run)},
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [document]}


def _counts(run: RunResult) -> Object:
    counts = run.counts
    return {
        "passed": counts.passed,
        "failed": counts.failed,
        "warnings": counts.warnings,
        "infos": counts.infos,
        "skipped": counts.skipped,
        "errored": counts.errored,
        "suppressed": counts.suppressed,
    }


def _rules(run: RunResult) -> dict[str, RuleInfo | Verdict]:
    """Every rule of the run, and a stand-in for the rule of a verdict that is described nowhere."""
    rules: dict[str, RuleInfo | Verdict] = dict(run.rules)
    for result in run.bundles:
        for verdict in result.verdicts:
            rules.setdefault(verdict.code, verdict)
    return dict(sorted(rules.items()))


def _rule(code: str, info: RuleInfo | Verdict) -> Object:
    rule: Object = {"id": code, "name": info.name, "defaultConfiguration": {"level": _LEVELS[info.severity]}}
    if isinstance(info, Verdict):
        return rule
    text = "\n\n".join(part for part in (info.why, info.fix) if part) or info.summary
    markdown = f"**{info.name}** ({code})\n\n{info.summary}\n\n{info.why}\n\n## How to fix\n\n{info.fix}".strip()
    return rule | {
        "shortDescription": {"text": info.summary},
        "fullDescription": {"text": info.why or info.summary},
        "help": {"text": text, "markdown": markdown},
        "properties": {
            "tags": ["evidence", info.family],
            "problem.severity": "recommendation" if info.severity is Severity.INFO else info.severity.value,
            "precision": "very-high",
        },
    }


def _result(run: RunResult, row: Row, index: Mapping[str, int]) -> Object:
    verdict, problem = row.verdict, row.verdict.problem
    help_text = help_of(run, verdict)
    result: Object = {
        "ruleId": verdict.code,
        "ruleIndex": index[verdict.code],
        "kind": "fail",
        "level": _LEVELS[verdict.severity],
        "message": {"text": _text(f"{row.message}\n{help_text}" if help_text else row.message)},
        "locations": [_location(row.position, node=verdict.node)],
        "properties": {"node": _text(verdict.node)},
    }
    if verdict.fingerprint:
        result["partialFingerprints"] = {"evidenceLint/v1": verdict.fingerprint}
    if problem is not None and problem.related:
        related: list[object] = []
        for number, item in enumerate(problem.related, start=1):
            place = _location(run.places.position(row.bundle.bundle, item.location))
            related.append({"id": number, **place, "message": {"text": _text(item.message)}})
        result["relatedLocations"] = related
    fix = _fix(run, row.bundle, problem.fix) if problem is not None and problem.fix is not None else None
    if fix is not None:
        result["fixes"] = [fix]
    if verdict.suppression is not None:
        result["suppressions"] = [_suppression(run, row.bundle, verdict.suppression)]
    return result


def _location(position: Position, node: str | None = None) -> Object:
    location: Object = {"physicalLocation": {"artifactLocation": _artifact(position.path), "region": _region(position)}}
    logical: list[object] = []
    if position.pointer:
        logical.append({"fullyQualifiedName": _text(position.pointer), "kind": "value"})
    elif node is not None:
        logical.append({"fullyQualifiedName": _text(node), "kind": "element"})
    return location | {"logicalLocations": logical} if logical else location


def _artifact(path: str) -> Object:
    uri = uri_of(path)
    return {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": _BASE}


def _region(position: Position) -> Object:
    """Lines and columns as SARIF has them: 1-based, ends exclusive; a place without an extent is its line."""
    if (position.line, position.column) == (position.end_line, position.end_column):
        region: Object = {"startLine": position.line}
        return region | ({"startColumn": position.column} if position.column > 1 else {})
    return {
        "startLine": position.line,
        "startColumn": position.column,
        "endLine": position.end_line,
        "endColumn": position.end_column,
    }


def _fix(run: RunResult, result: BundleResult, fix: Fix) -> Object | None:
    artifacts = result.bundle.artifacts
    if not fix.edits or any(edit.artifact not in artifacts for edit in fix.edits):
        return None
    changes: dict[str, list[object]] = {}
    for edit in fix.edits:
        place = run.places.position(result.bundle, Location(edit.artifact, Span(edit.start, edit.end)))
        deleted: Object = {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        }
        replacement: Object = {"deletedRegion": deleted, "insertedContent": {"text": whole(edit.text)}}
        changes.setdefault(place.path, []).append(replacement)
    return {
        "description": {"text": _text(fix.description)},
        "artifactChanges": [
            {"artifactLocation": _artifact(path), "replacements": replacements}
            for path, replacements in changes.items()
        ],
        "properties": {"applicability": fix.applicability.value},
    }


def _suppression(run: RunResult, result: BundleResult, suppression: Suppression) -> Object:
    made: Object = {
        "kind": "external" if suppression.kind == "baseline" else "inSource",
        "status": "accepted",
        "justification": _text(suppression.reason),
        "properties": {"kind": suppression.kind},
    }
    if suppression.location is not None:
        made["location"] = _location(run.places.position(result.bundle, suppression.location))
    return made


def _invocation(run: RunResult, rows: list[Row], index: Mapping[str, int]) -> Object:
    notifications: list[object] = [
        {
            "level": "error",
            "message": {"text": _text(f"the check itself broke: {row.message}")},
            "locations": [_location(row.position, node=row.verdict.node)],
            "associatedRule": {"id": row.verdict.code, "index": index[row.verdict.code]},
        }
        for row in rows
        if row.verdict.outcome is Outcome.ERRORED
    ]
    for group in skip_groups(row.verdict for row in rows):
        words = f"skipped {counted(group.count, 'check')}: {group.message} ({listed(group.rules)})"
        notifications.append({"level": "note", "message": {"text": _text(words)}, "properties": {"skip": group.code}})
    notifications += [{"level": "note", "message": {"text": _text(notice)}} for notice in run.notices]
    return {
        "executionSuccessful": run.exit_status in _RAN_TO_ITS_END,
        "exitCode": run.exit_status,
        "toolExecutionNotifications": notifications,
    }


def _text(text: str) -> str:
    """Return text for a SARIF message: visible, and never read as an embedded link (SARIF 2.1.0, 3.11.6)."""
    return _LIKE_A_LINK.sub(r"\\[", visible(text))

"""Code actions: fixes of single problems, all safe fixes at once, suppressions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from evidence_lint.engine.fix import fixed_files
from evidence_lint.lsp.changes import differences
from evidence_lint.lsp.diagnostics import diagnostic_of
from evidence_lint.lsp.places import Places
from evidence_lint.lsp.suppressing import suppression
from evidence_lint.lsp.words import visible
from evidence_lint.model.verdict import Applicability, Edit, Outcome, Verdict

FIX_ALL = "source.fixAll.evidence-lint"
_MOST_SUPPRESSIONS = 20
"""Problems of a range that may be suppressed; more are no choice any more."""
KINDS = (types.CodeActionKind.QuickFix.value, FIX_ALL)


def actions_at(
    places: Places, artifact: str, wanted: types.Range, only: Sequence[str] | None
) -> list[types.CodeAction]:
    """The actions for a range of an artifact; ``only`` are the kinds that the editor asks for (None: any)."""
    return list(_actions(places, artifact, wanted, only))


def _actions(
    places: Places, artifact: str, wanted: types.Range, only: Sequence[str] | None
) -> Iterator[types.CodeAction]:
    here = [
        (verdict, diagnostic)
        for verdict in places.snapshot.row.verdicts
        if verdict.outcome is Outcome.FAILED and verdict.problem is not None
        for path, diagnostic in [diagnostic_of(verdict, places)]
        if places.snapshot.artifact_of(path) == artifact and _touch(diagnostic.range, wanted)
    ]
    if _asked(types.CodeActionKind.QuickFix.value, only):
        for verdict, diagnostic in here:
            yield from _fix(verdict, diagnostic, places)
        for verdict, diagnostic in here[:_MOST_SUPPRESSIONS]:
            yield from _suppress(verdict, diagnostic, places)
    # An editor that asks for any kind asks at every move of the cursor.
    mendable = any(verdict.problem is not None and verdict.problem.fix is not None for verdict, _ in here)
    if _asked(FIX_ALL, only) and (only is not None or mendable):
        yield from _fix_all(places)


def _asked(kind: str, only: Sequence[str] | None) -> bool:
    return only is None or any(kind == asked or kind.startswith(f"{asked}.") for asked in only)


def _touch(one: types.Range, other: types.Range) -> bool:
    return _key(one.start) <= _key(other.end) and _key(other.start) <= _key(one.end)


def _key(position: types.Position) -> tuple[int, int]:
    return position.line, position.character


def _fix(verdict: Verdict, diagnostic: types.Diagnostic, places: Places) -> Iterator[types.CodeAction]:
    fix = verdict.problem.fix if verdict.problem is not None else None
    edit = places.edits(fix.edits) if fix is not None else None
    if fix is None or edit is None:
        return
    safe = fix.applicability is Applicability.SAFE
    yield types.CodeAction(
        title=f"{verdict.code}: {visible(fix.description)}" + ("" if safe else " (unsafe: look at what it changes)"),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic],
        is_preferred=safe,
        edit=edit,
    )


def _suppress(verdict: Verdict, diagnostic: types.Diagnostic, places: Places) -> Iterator[types.CodeAction]:
    made = suppression(verdict, places.snapshot)
    edit = places.edits([made]) if made is not None else None
    if edit is not None:
        yield types.CodeAction(
            title=f"Suppress {verdict.code} here (counts once you write the reason)",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[diagnostic],
            is_preferred=False,
            edit=edit,
        )


def _fix_all(places: Places) -> Iterator[types.CodeAction]:
    """All safe fixes of the bundle that do not clash, as ``check --fix`` would apply them."""
    edits: list[Edit] = []
    for file in fixed_files(places.snapshot.result, unsafe=False):
        edits += [Edit(file.artifact.name, *changed) for changed in differences(file.before, file.after)]
    edit = places.edits(edits)
    if edit is not None:
        yield types.CodeAction(title="Apply all safe fixes of evidence-lint", kind=FIX_ALL, edit=edit)

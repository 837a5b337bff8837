"""Edits that suppress a problem at its place, their reason left for the author to write (chapter 10).

Until it is written the suppression silences nothing and is a problem itself (META103): an editor's keystroke must not
make a fault disappear.
"""

from __future__ import annotations

import re
from dataclasses import replace

from evidence_lint.engine.locate import line_starts
from evidence_lint.lsp.checker import Snapshot
from evidence_lint.model.artifact import JSON, Artifact, Medium
from evidence_lint.model.location import Location, pointer, pointer_parts
from evidence_lint.model.verdict import Edit, Verdict
from evidence_lint.parse.suppressions import find_marks

_BLOCK = "evidence_lint"
_OWN_LINE = re.compile(r" {0,3}(?:#{1,6}[ \t]|[-*+][ \t]|[0-9]{1,9}[.)][ \t]|\[)")
"""Lines that begin a block, before which a comment may stand without taking a sentence apart."""


def suppression(verdict: Verdict, snapshot: Snapshot) -> Edit | None:
    """The edit that would suppress a problem once it has a reason; None where none can."""
    problem = verdict.problem
    bundle = snapshot.row.bundle
    if problem is None or not snapshot.suppressible(verdict.code):
        return None
    artifact = bundle.artifacts.get(problem.location.artifact)
    if artifact is None or artifact.text is None or not artifact.present:
        return None
    if artifact.medium is Medium.MARKDOWN:
        line = snapshot.locator.position(bundle, problem.location).line
        return _comment(artifact, line, verdict.code)
    if problem.location.pointer is not None:
        return _block(artifact, problem.location.pointer, verdict.code, snapshot)
    return None


def _comment(artifact: Artifact, line: int, code: str) -> Edit | None:
    text = artifact.text or ""
    starts = line_starts(text)
    start = starts[line - 1]
    end = starts[line] if line < len(starts) else len(text)
    content = text[start:end].rstrip("\r\n")
    comment = f"<!-- evidence-lint: ignore[{code}] -->"
    before = line == 1 or not text[starts[line - 2] : start].strip() or _OWN_LINE.match(content) is not None
    if before and content.strip():
        edit = Edit(artifact.name, start, start, comment + _line_end(text))
        expected = line + 1
    else:
        at = start + len(content)
        edit = Edit(artifact.name, at, at, f" {comment}" if content.strip() else comment)
        expected = line
    # In a fence it would be an example of a suppression. And it must speak about this very line.
    marks = find_marks(replace(artifact, text=text[: edit.start] + edit.text + text[edit.end :]))
    here = edit.start + len(edit.text) - len(edit.text.lstrip(" "))
    speaks = any(
        mark.location.span is not None
        and mark.location.span.start == here
        and mark.lines is not None
        and mark.lines[0] <= expected <= mark.lines[1]
        for mark in marks
    )
    return edit if speaks else None


def _line_end(text: str) -> str:
    found = re.search(r"\r\n|\n|\r", text)
    return found[0] if found is not None else "\n"


def _block(artifact: Artifact, where: str, code: str, snapshot: Snapshot) -> Edit | None:
    """A block in the nearest object around the problem; one that is there already gets one code more."""
    try:
        parts = pointer_parts(where)
    except ValueError:
        return None
    for length in range(len(parts), 0, -1):
        here = pointer(*parts[:length])
        value = _value(artifact.data, parts[:length])
        if isinstance(value, dict):
            return _in_object(artifact, here, value, code, snapshot)
    return None


def _in_object(artifact: Artifact, here: str, value: dict[str, JSON], code: str, snapshot: Snapshot) -> Edit | None:
    text = artifact.text or ""
    present = value.get(_BLOCK)
    inner = here + pointer(_BLOCK, "ignore") if isinstance(present, dict) else here
    if _BLOCK in value and not (isinstance(present, dict) and isinstance(present.get("ignore"), list)):
        return None
    span = snapshot.locator.span(snapshot.row.bundle, Location(artifact.name, pointer=inner))
    if span is None or text[span.start] not in "[{":
        return None
    at = span.start + 1
    if isinstance(present, dict):
        return Edit(artifact.name, at, at, f'"{code}"' + (", " if present.get("ignore") else ""))
    space = re.compile(r"[ \t\r\n]*").match(text, at)
    indent = space[0] if space is not None and value else ""
    member = f'"{_BLOCK}": {{"ignore": ["{code}"], "reason": ""}}'
    return Edit(artifact.name, at, at, f"{indent}{member}" + ("," + ("" if indent else " ") if value else ""))


def _value(data: JSON, parts: tuple[str, ...]) -> JSON:
    here = data
    for part in parts:
        if isinstance(here, dict):
            here = here.get(part)
        elif isinstance(here, list) and part.isdecimal() and int(part) < len(here):
            here = here[int(part)]
        else:
            return None
    return here

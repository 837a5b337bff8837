"""Examples: the tests and the documentation of a rule.

An example is a small whole bundle, as the files of a folder. :func:`research_example` composes one from a clean
base, so that a rule shows only what matters to it. The runner in :mod:`evidence_lint.testing` checks that a
passing example yields no problem and a failing one exactly the listed problems.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evidence_lint.model.capture import CaptureOutcome
from evidence_lint.model.policy import Policy
from evidence_lint.model.report import TITLES
from evidence_lint.model.suppression import BaselineEntry
from evidence_lint.model.verdict import Severity

COMMIT = "@COMMIT@"
"""Stands for the object id of the example repository's commit, wherever it occurs in an example."""
TREE = "@TREE@"
"""Stands for the object id of that commit's tree."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A problem that a failing example must show.

    ``message`` is the whole message; ``…`` in it stands for any text. ``at`` is the text that
    the primary location covers (the first line of it is enough), ``pointer`` the JSON pointer; ``artifact`` the
    file's name in the bundle.
    """

    message: str
    at: str | None = None
    pointer: str | None = None
    artifact: str = "report"
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class LivePage:
    """What a live capture of this run would have brought; ``final_url`` is "" where nothing redirects."""

    text: str = ""
    outcome: CaptureOutcome = CaptureOutcome.OK
    reason: str = ""
    status: int = 200
    final_url: str = ""
    hidden_text: str = ""
    truncated: bool = False
    soft_404_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A bundle as files, with what a rule must say about it.

    ``files`` maps file names to texts. ``repository`` maps paths to texts of one commit; the ids of that commit
    and its tree replace :data:`COMMIT` and :data:`TREE` in the files and the messages. ``pages`` maps URLs to what
    a live capture would bring in this run (a text, or more than that; any other URL answers 404); without it the
    example runs offline.
    """

    title: str
    files: Mapping[str, str]
    problems: tuple[Expected, ...] = ()
    repository: Mapping[str, str | bytes] | None = None
    pages: Mapping[str, str | LivePage] | None = None
    policy: Policy | None = None
    """The policy in force, where the rule depends on it."""
    baseline: tuple[BaselineEntry, ...] = ()


BASE_URL = "https://www.example.gov/guides/backups"
BASE_TEXT = (
    "Backup guide\n\nKeep three copies of every record. One copy must be stored in another building. "
    "Restore drills are held twice a year, and the result of each drill is written down.\n\n"
    "Tapes older than 7 years are replaced."
)
BASE_EXCERPT = "Keep three copies of every record."
BASE_FINDING: dict[str, Any] = {
    "id": "finding-copies",
    "title": "Three copies are required",
    "claim_type": "single_fact",
    "confidence": "medium",
    "analysis": "The guide requires three copies of every record.",
    "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": BASE_EXCERPT}],
}
BASE_RESULT: dict[str, Any] = {
    "query": "backup copies guide",
    "title": "Backup guide",
    "url": BASE_URL,
    "source_type": "government",
}
BASE_PAGE: dict[str, Any] = {"url": BASE_URL, "title": "Backup guide", "content": BASE_TEXT, "error": ""}
BASE_ENTRY = f"[1] Backup guide — {BASE_URL} — government (preclassified T1) — date: unknown"

BASE_CODE_PATH = "store/copies.py"
BASE_CODE = "COPIES = 3\n\n\ndef missing(present):\n    return max(0, COPIES - present)\n"
BASE_CODE_RECORD: dict[str, Any] = {
    "id": "code-1",
    "kind": "code",
    "path": BASE_CODE_PATH,
    "line": 1,
    "excerpt": "COPIES = 3",
    "commit": COMMIT,
}
BASE_CODE_FINDING: dict[str, Any] = {
    "id": "finding-copies",
    "title": "Three copies are required",
    "claim_type": "code_fact",
    "confidence": "high",
    "analysis": "The constant COPIES is 3.",
    "evidence": [{"kind": "code", "id": "code-1"}],
}
BASE_CODE_ENTRY = f"[1] code evidence `code-1` — {BASE_CODE_PATH}:1 — COPIES = 3 — commit: {COMMIT}"


def base_sections(
    kind: str = "web", *, results: int = 1, pages: int = 1, units: int = 0, cited: int = 1
) -> dict[int, str]:
    """The nine sections of a clean report of this research kind, without their headings."""
    web = kind == "web"
    return {
        1: "- Normalized question: How many copies of a record are kept?\n"
        f"- Research kind: `{kind}`\n- Depth mode: `quick`\n- Evidence chain requirements: one unit a claim",
        2: "- Execution mode: `quick`\n- Degradation level: `Full`\n- Retrieval plan: one query\n"
        f"- Dedup strategy: by URL\n- Retrieved sources: {results}\n- Content items processed: {pages}\n"
        f"- Successfully extracted: {pages}\n- Repository evidence units: {units}\n- Cited evidence units: {cited}\n"
        "- Validation checks performed: excerpts",
        3: "Three copies of every record are required.",
        4: "- **Three copies are required** (Medium confidence): The guide requires three copies of every record. [1]"
        if web
        else "- **Three copies are required** (High confidence): The constant COPIES is 3. [1]",
        5: "### Copies\n\nEvery record is kept three times. [1]",
        6: "### Consensus\n\n- No statement with evidence was recorded.\n\n"
        "### Debate / Contradictory Evidence\n\n- No statement with evidence was recorded.",
        7: f"- Source tier distribution: T1: {1 if web else 0}, T2: 0, T3: 0, T4: 0, T5: 0\n"
        "- Classification basis: host names\n- Potential sponsorship: unknown\n- Methodology: unknown\n"
        "- Single-source findings: 1\n- Unverified findings omitted: 0\n- Evidence chain status: `satisfied`",
        8: BASE_ENTRY if web else BASE_CODE_ENTRY,
        9: "- Sponsorship of the source is unknown.",
    }


def base_report(sections: Mapping[int, str] | None = None, *, kind: str = "web", **counts: int) -> str:
    """A clean report; ``sections`` replaces the bodies of some sections by number (1 to 9)."""
    bodies = {**base_sections(kind, **counts), **(sections or {})}
    return "\n".join(f"## {n}) {title}\n\n{bodies[n]}\n" for n, title in enumerate(TITLES, start=1))


@dataclass(frozen=True, slots=True)
class _Absent:
    """Marks a record file that an example leaves out."""


ABSENT = _Absent()
RecordFile = Sequence[object] | Mapping[str, object] | str | _Absent | None


def research_example(
    title: str,
    *problems: Expected,
    kind: str = "web",
    sections: Mapping[int, str] | None = None,
    report: str | None = None,
    findings: RecordFile = None,
    results: RecordFile = None,
    content: RecordFile = None,
    code: RecordFile = None,
    session: RecordFile = None,
    repository: Mapping[str, str | bytes] | None = None,
    pages: Mapping[str, str | LivePage] | None = None,
    policy: Policy | None = None,
    baseline: Sequence[BaselineEntry] = (),
) -> Example:
    """A nine-section bundle that differs from a clean one of ``kind`` (web, codebase, hybrid) as told.

    ``sections`` replaces section bodies, ``report`` the whole report. A record file is given as its rows, as the
    whole document (a mapping), as text (to show malformed JSON), or as :data:`ABSENT`. Codebase and hybrid
    examples have a repository with ``store/copies.py``.
    """
    web, codebase = kind in {"web", "hybrid"}, kind in {"codebase", "hybrid"}
    files = {"report.md": report if report is not None else base_report(sections, kind=kind, **_counts(kind))}
    base_finding = BASE_FINDING if web else BASE_CODE_FINDING
    for name, key, given, default in (
        ("findings.json", "findings", findings, [base_finding]),
        ("results.json", "results", results, [BASE_RESULT] if web else ABSENT),
        ("content.json", "items", content, [BASE_PAGE] if web else ABSENT),
        ("code_evidence.json", "evidence", code, [BASE_CODE_RECORD] if codebase else ABSENT),
        ("session.json", "", session, ABSENT),
    ):
        value = default if given is None else given
        if isinstance(value, _Absent):
            continue
        files[name] = value if isinstance(value, str) else json.dumps(_document(key, value), indent=2)
    if codebase and repository is None:
        repository = {BASE_CODE_PATH: BASE_CODE}
    return Example(title, files, problems, repository, pages, policy, tuple(baseline))


def base_files(example: Example) -> Mapping[str, str]:
    """The files of the clean bundle that an example of :func:`research_example` starts from."""
    names = example.files.keys()
    kind = "hybrid" if {"results.json", "code_evidence.json"} <= names else "codebase" if example.repository else "web"
    return research_example("", kind=kind).files


def _counts(kind: str) -> dict[str, int]:
    if kind == "codebase":
        return {"results": 0, "pages": 0, "units": 1, "cited": 1}
    if kind == "hybrid":
        return {"results": 1, "pages": 1, "units": 1, "cited": 1}
    return {}


def _document(key: str, value: Sequence[object] | Mapping[str, object]) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return value
    document: dict[str, object] = {key: value}
    if key == "evidence":
        document = {"root": "/srv/checkout", **document}
    return document


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of one rule."""

    passes: tuple[Example, ...] = field(default=())
    fails: tuple[Example, ...] = field(default=())

"""From parsed JSON artifacts to evidence records (chapter 2; rule ``artifact-schema``).

Nothing is lost here: every row of a list becomes a :class:`Row`, however broken, since a row that is dropped
is a row that no rule can judge. What has the wrong shape is told with its JSON pointer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from evidence_lint.model.artifact import JSON, Artifact
from evidence_lint.model.bundle import CODE_EVIDENCE, CONTENT, FINDINGS, RECORD_ARTIFACTS, RESULTS, SESSION
from evidence_lint.model.location import Location, pointer
from evidence_lint.model.records import (
    AnalysisRecord,
    CodeRecord,
    CommitRecord,
    ContentRecord,
    FieldFault,
    FindingRecord,
    ReceiptRecord,
    Record,
    Records,
    ResultRecord,
    Row,
    SessionRecord,
    StatementRecord,
)
from evidence_lint.parse.record_fields import Validator, described

R = TypeVar("R", bound=Record)

_ABSOLUTE = re.compile(r"/|[A-Za-z]:[\\/]|\\\\")
"""A path from the root, on the machines of this world."""
_FINDING = Validator(FindingRecord)
_ANALYSIS = Validator(AnalysisRecord)
_STATEMENT = Validator(StatementRecord)
_RESULT = Validator(ResultRecord)
_CONTENT = Validator(ContentRecord)
_CODE = Validator(CodeRecord)
_COMMIT = Validator(CommitRecord)
_RECEIPT = Validator(ReceiptRecord)
_OTHER = Validator(Record)
_SESSION = Validator(SessionRecord)


def read_records(artifacts: Mapping[str, Artifact]) -> Records:
    """Read the records of a bundle from its parsed artifacts, by the names of :mod:`evidence_lint.model.bundle`.

    An artifact that is not in ``artifacts`` counts as absent, one with faults as broken; neither has rows.
    Never raises on a record's content.
    """
    absent = frozenset(name for name in RECORD_ARTIFACTS if name not in artifacts or not artifacts[name].present)
    broken = frozenset(name for name in RECORD_ARTIFACTS if name not in absent and not artifacts[name].usable)
    files = {name: _File(name, artifacts[name].data) for name in RECORD_ARTIFACTS if name not in absent | broken}
    faults: list[FieldFault] = []
    findings = _findings(files.get(FINDINGS), faults)
    results = _results(files.get(RESULTS), faults)
    content, exhausted = _content(files.get(CONTENT), faults)
    code = _code_evidence(files.get(CODE_EVIDENCE), faults)
    return Records(
        findings=findings.findings,
        analysis=findings.analysis,
        consensus=findings.consensus,
        debate=findings.debate,
        legacy_consensus=findings.legacy_consensus,
        legacy_debate=findings.legacy_debate,
        results=results,
        content=content,
        budget_exhausted=exhausted,
        code=tuple(code.code),
        commits=tuple(code.commits),
        receipts=tuple(code.receipts),
        other_evidence=tuple(code.other),
        root=code.root,
        session=_session(files.get(SESSION)),
        absent=absent,
        broken=broken,
        faults=tuple(faults),
    )


@dataclass(frozen=True, slots=True)
class _File:
    """The data of one artifact."""

    name: str
    data: JSON

    def fault(self, path: str, message: str) -> FieldFault:
        return FieldFault(Location(self.name, pointer=path), message)

    def members(self, faults: list[FieldFault]) -> dict[str, JSON]:
        """The members of the top-level object; none, and a fault, when it is something else."""
        if isinstance(self.data, dict):
            return self.data
        faults.append(self.fault("", f"the file holds {described(self.data)}, where an object is expected"))
        return {}

    def rows(self, value: JSON, path: str, validator: Validator[R], faults: list[FieldFault]) -> tuple[Row[R], ...]:
        """Every entry of a list as a row; no rows, and a fault, when ``value`` is no list."""
        if not isinstance(value, list):
            faults.append(self.fault(path, f"{_named(path)} is {described(value)}, where a list is expected"))
            return ()
        rows: list[Row[R]] = []
        for index, raw in enumerate(value):
            row = validator.row(self.name, f"{path}/{index}", index + 1, raw)
            faults.extend(row.faults)
            rows.append(row)
        return tuple(rows)


@dataclass(frozen=True, slots=True)
class _Findings:
    findings: tuple[Row[FindingRecord], ...] = ()
    analysis: tuple[Row[AnalysisRecord], ...] = ()
    consensus: tuple[Row[StatementRecord], ...] = ()
    debate: tuple[Row[StatementRecord], ...] = ()
    legacy_consensus: Location | None = None
    legacy_debate: Location | None = None


def _findings(file: _File | None, faults: list[FieldFault]) -> _Findings:
    """findings.json. Rows that are no objects have rules of their own (EVID105 to EVID108): no fault here."""
    if file is None:
        return _Findings()
    members = file.members(faults)
    if members is file.data and "findings" not in members:
        faults.append(file.fault("", "the file has no list `findings`"))
    consensus, legacy_consensus = _statements(file, members, "consensus", faults)
    debate, legacy_debate = _statements(file, members, "debate", faults)
    _check_gaps(file, members, faults)
    return _Findings(
        findings=file.rows(members.get("findings", []), "/findings", _FINDING, faults),
        analysis=file.rows(members.get("analysis_sections", []), "/analysis_sections", _ANALYSIS, faults),
        consensus=consensus,
        debate=debate,
        legacy_consensus=legacy_consensus,
        legacy_debate=legacy_debate,
    )


def _statements(
    file: _File, members: dict[str, JSON], name: str, faults: list[FieldFault]
) -> tuple[tuple[Row[StatementRecord], ...], Location | None]:
    """Rows of section 6, or the place of legacy prose: one text, or a list of nothing but texts.

    Among rows that are objects a text is an invalid row, since its author knew the typed form.
    """
    value = members.get(name, [])
    path = pointer(name)
    texts = value if isinstance(value, list) else [value]
    if texts and all(isinstance(text, str) for text in texts):
        prose = any(isinstance(text, str) and text.strip() for text in texts)
        return (), Location(file.name, pointer=path) if prose else None
    return file.rows(value, path, _STATEMENT, faults), None


def _check_gaps(file: _File, members: dict[str, JSON], faults: list[FieldFault]) -> None:
    value = members.get("gaps", [])
    if not isinstance(value, list):
        faults.append(file.fault("/gaps", f"`gaps` is {described(value)}, where a list is expected"))
        return
    for index, gap in enumerate(value):
        if not isinstance(gap, str):
            message = f"entry {index + 1} of `gaps` is {described(gap)}, where a string is expected"
            faults.append(file.fault(pointer("gaps", index), message))


def _results(file: _File | None, faults: list[FieldFault]) -> tuple[Row[ResultRecord], ...]:
    if file is None:
        return ()
    if isinstance(file.data, list):
        return file.rows(file.data, "", _RESULT, faults)
    return file.rows(file.members(faults).get("results", []), "/results", _RESULT, faults)


def _content(file: _File | None, faults: list[FieldFault]) -> tuple[tuple[Row[ContentRecord], ...], bool]:
    if file is None:
        return (), False
    if isinstance(file.data, list):
        return file.rows(file.data, "", _CONTENT, faults), False
    members = file.members(faults)
    exhausted = members.get("budget_exhausted")
    if exhausted is not None and not isinstance(exhausted, bool):
        message = f"`budget_exhausted` is {described(exhausted)}, where true or false is expected"
        faults.append(file.fault("/budget_exhausted", message))
    return file.rows(members.get("items", []), "/items", _CONTENT, faults), exhausted is True


@dataclass(slots=True)
class _Repository:
    root: str | None = None
    code: list[Row[CodeRecord]] = field(default_factory=list[Row[CodeRecord]])
    commits: list[Row[CommitRecord]] = field(default_factory=list[Row[CommitRecord]])
    receipts: list[Row[ReceiptRecord]] = field(default_factory=list[Row[ReceiptRecord]])
    other: list[Row[Record]] = field(default_factory=list[Row[Record]])


def _code_evidence(file: _File | None, faults: list[FieldFault]) -> _Repository:
    found = _Repository()
    if file is None:
        return found
    members = file.members(faults)
    root = members.get("root")
    if isinstance(root, str):
        found.root = root
        if root.strip() and not _ABSOLUTE.match(root.strip()):
            faults.append(file.fault("/root", f"`root` is {described(root)}, where an absolute path is expected"))
    elif root is not None:
        faults.append(file.fault("/root", f"`root` is {described(root)}, where a string is expected"))
    rows = members.get("evidence", [])
    if not isinstance(rows, list):
        faults.append(file.fault("/evidence", f"`evidence` is {described(rows)}, where a list is expected"))
        return found
    for index, raw in enumerate(rows):
        faults.extend(_repository_row(file, found, index, raw).faults)
    return found


def _repository_row(
    file: _File, found: _Repository, index: int, raw: JSON
) -> Row[Record] | Row[CodeRecord] | (Row[CommitRecord] | Row[ReceiptRecord]):
    """Sort a row by its kind, which is taken at its word: nothing else of a row says what it is."""
    place = (file.name, pointer("evidence", index), index + 1, raw)
    match raw.get("kind") if isinstance(raw, dict) else None:
        case "code":
            found.code.append(row := _code_row(_CODE.row(*place)))
            return row
        case "commit":
            found.commits.append(commit := _COMMIT.row(*place))
            return commit
        case "test":
            found.receipts.append(receipt := _RECEIPT.row(*place))
            return receipt
        case _:
            found.other.append(other := _other_row(_OTHER.row(*place)))
            return other


def _code_row(row: Row[CodeRecord]) -> Row[CodeRecord]:
    snapshot = row.value.snapshot if row.value is not None else None
    if snapshot is None or snapshot in ("commit", "worktree"):
        return row
    message = f'`snapshot` is {described(snapshot)}, where "commit" or "worktree" is expected'
    fault = FieldFault(row.at("snapshot"), message)
    return Row(row.artifact, row.pointer, row.number, row.raw, row.value, (*row.faults, fault))


def _other_row(row: Row[Record]) -> Row[Record]:
    if not isinstance(row.raw, dict):
        return row
    kind = row.raw.get("kind")
    stands = f"is {described(kind)}" if "kind" in row.raw else "is absent"
    message = f'`kind` {stands}, where "code", "commit" or "test" is expected'
    fault = FieldFault(row.at("kind"), message)
    return Row(row.artifact, row.pointer, row.number, row.raw, row.value, (*row.faults, fault))


def _session(file: _File | None) -> Row[SessionRecord] | None:
    """The ledger, whatever it is: rule ``session-invalid`` judges all of it, so nothing is a fault here."""
    if file is None:
        return None
    row = _SESSION.row(file.name, "", 1, file.data)
    return Row(row.artifact, row.pointer, row.number, row.raw, row.value)


def _named(path: str) -> str:
    return f"`{path.removeprefix('/')}`" if path else "the file"

"""Claims and units made by hand, for tests of what they earn."""

from __future__ import annotations

from datetime import UTC, datetime

from evidence_lint.model.capture import Capture, CaptureOutcome, Hop
from evidence_lint.model.location import Location, Span
from evidence_lint.model.records import (
    CodeRecord,
    CommitRecord,
    ContentRecord,
    FindingRecord,
    ReceiptRecord,
    Records,
    ResultRecord,
    Row,
)
from evidence_lint.model.report import EMPTY_PROSE, StatedFinding
from evidence_lint.witness.captures import Live, examine_captures
from evidence_lint.witness.claims import Claim, EvidenceRef, read_claims
from evidence_lint.witness.receipts import ReceiptFault, TestReceipt
from evidence_lint.witness.repository import CodeEvidence, CommitEvidence, Diagnosis, RepositoryFault
from evidence_lint.witness.units import RefFault, Unit
from evidence_lint.witness.web import examine_web, read_pages, read_results

COMMIT = "a" * 40
OTHER_COMMIT = "b" * 40
TEXT = "Keep three copies of every record. Store one of them in another building."
EXCERPT = "Keep three copies of every record."


def claim(
    claim_type: str = "code_fact", *, evidence: list[dict[str, str]] | None = None, id: str | None = "f-1"
) -> Claim:
    raw = {"id": id, "title": "T", "claim_type": claim_type, "confidence": "high", "evidence": evidence or []}
    if id is None:
        del raw["id"]
    row = Row("findings", "/findings/0", 1, raw, FindingRecord.model_validate(raw))
    return read_claims(Records(findings=(row,))).findings[0]


def refs(kind: str, *ids: str, claim_type: str = "code_fact") -> tuple[EvidenceRef, ...]:
    return claim(claim_type, evidence=[{"kind": kind, "id": name} for name in ids]).refs


def code(
    name: str = "code-1",
    *,
    path: str = "a.py",
    lines: tuple[int, int] = (1, 1),
    commit: str | None = COMMIT,
    pinned: bool = True,
    verified: bool = True,
) -> Unit:
    raw = {"id": name, "kind": "code"}
    row = Row("code_evidence", f"/evidence/{name}", 1, raw, CodeRecord.model_validate(raw))
    fault = Diagnosis(RepositoryFault.EXCERPT_MISMATCH, "differs", row.location)
    evidence = CodeEvidence(row, name, path, lines, "x", pinned, commit, () if verified else (fault,), ())
    return Unit(refs("code", name)[0], code=evidence)


def commit(name: str = "commit-1", *, oid: str = COMMIT, verified: bool = True) -> Unit:
    raw = {"id": name, "kind": "commit"}
    row = Row("code_evidence", f"/evidence/{name}", 1, raw, CommitRecord.model_validate(raw))
    fault = Diagnosis(RepositoryFault.COMMIT_NOT_FOUND, "absent", row.location)
    evidence = CommitEvidence(row, name, oid, "subject", () if verified else (fault,), ())
    return Unit(refs("commit", name)[0], commit=evidence)


def receipt(
    name: str = "test-1",
    *,
    covers: frozenset[str] = frozenset({"f-1", "code-1"}),
    paths: frozenset[str] = frozenset({"a.py"}),
    oid: str | None = COMMIT,
    passed: bool = True,
    clean: bool = True,
    approved: bool = True,
    sound: bool = True,
    fault: RefFault | None = None,
    execution_id: str = "e" * 64,
) -> Unit:
    raw = {"id": name, "kind": "test"}
    row = Row("code_evidence", f"/evidence/{name}", 1, raw, ReceiptRecord.model_validate(raw))
    faults = () if sound else (ReceiptFault("test-tree-mismatch", "another tree", row.location),)
    made = TestReceipt(row, name, faults, (), covers, paths, oid, passed, clean, approved, execution_id=execution_id)
    return Unit(refs("test", name)[0], fault, test=made)


def missing(kind: str = "code", name: str = "code-9") -> Unit:
    return Unit(refs(kind, name)[0], RefFault.NOT_FOUND)


def web(
    url: str = "https://www.example.gov/a", *, excerpt: str = EXCERPT, text: str = TEXT, retrieved: bool = True
) -> Unit:
    evidence = [{"kind": "web", "url": url, "excerpt": excerpt}]
    made = claim("single_fact", evidence=evidence)
    page = {"url": url, "content": text}
    records = Records(
        findings=(Row("findings", "/findings/0", 1, made.row.raw, made.row.value),),  # type: ignore[arg-type]
        results=(Row("results", "/results/0", 1, {"url": url}, ResultRecord.model_validate({"url": url})),)
        if retrieved
        else (),
        content=(Row("content", "/items/0", 1, page, ContentRecord.model_validate(page)),),
    )
    row = examine_web(read_claims(records), read_results(records), read_pages(records))[0]
    return Unit(row.ref, web=row)


def live(*captures: tuple[Unit, Capture]) -> Live:
    return examine_captures([unit for unit, _ in captures], {unit.ref.url: capture for unit, capture in captures}, ())


def capture(unit: Unit, *, text: str = TEXT, final_url: str = "", **facts: object) -> Capture:
    url = unit.ref.url
    final = final_url or url
    hops = tuple(Hop(hop, insecure=hop.startswith("http://")) for hop in dict.fromkeys((url, final)))
    values: dict[str, object] = {"outcome": CaptureOutcome.OK, "reason": "read", "status": 200, "hops": hops, **facts}
    return Capture(url, final, fetched_at=datetime.now(UTC), text=text, **values)  # type: ignore[arg-type]


def stated(label: str | None = "High", number: int = 1) -> StatedFinding:
    span = Span(0, 1)
    return StatedFinding(number, "T", span, label, span if label else None, EMPTY_PROSE, "", None, (), span, False)


LOCATION = Location("report")

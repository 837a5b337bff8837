"""Evidence records (chapter 2): each a claim by its author, kept as it was written.

The pydantic models are the contract of the files and the source of the published JSON Schemas. Validation is
strict (``"false"`` is no boolean) and never lossy: a field that does not fit is reported by rule
``artifact-schema`` and read as absent, unless a rule of its own names the fault; such fields are typed
:data:`Judged` here, so that they reach that rule as they stand. Unknown fields are kept and ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Generic, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from evidence_lint.model.artifact import JSON
from evidence_lint.model.location import Location, pointer

Judged: TypeAlias = Annotated[object, WithJsonSchema({})]
"""A field that a rule judges: any JSON is accepted, the published schema says what is right."""
JudgedText: TypeAlias = Annotated[object, WithJsonSchema({"type": "string"})]
JudgedStrings: TypeAlias = Annotated[object, WithJsonSchema({"type": "array", "items": {"type": "string"}})]
JudgedObject: TypeAlias = Annotated[object, WithJsonSchema({"type": "object"})]
JudgedFlag: TypeAlias = Annotated[object, WithJsonSchema({"type": "boolean"})]
JudgedTime: TypeAlias = Annotated[object, WithJsonSchema({"type": "string", "format": "date-time"})]
JudgedSha256: TypeAlias = Annotated[object, WithJsonSchema({"type": "string", "pattern": "^[0-9a-f]{64}$"})]
JudgedUrl: TypeAlias = Annotated[object, WithJsonSchema({"type": "string", "format": "uri", "pattern": "^https?://"})]
JudgedEvidence: TypeAlias = Annotated[
    object,
    WithJsonSchema(
        {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["kind"],
                "properties": {
                    "kind": {"enum": ["web", "code", "commit", "test"]},
                    "url": {"type": "string", "format": "uri"},
                    "excerpt": {"type": "string"},
                    "id": {"type": "string"},
                },
            },
        }
    ),
]


class Record(BaseModel):
    """Base of all records: strict, frozen, unknown fields kept."""

    model_config = ConfigDict(strict=True, frozen=True, extra="allow", protected_namespaces=())


class FindingRecord(Record):
    """A finding of findings.json."""

    title: str | None = None
    id: str | None = None
    claim_type: str | None = None
    confidence: Annotated[object, WithJsonSchema({"enum": ["high", "medium", "low"]})] = None
    analysis: str | None = None
    evidence: JudgedEvidence = None
    citations: list[object] | None = None
    support_review: JudgedObject = None


class AnalysisRecord(Record):
    """An analysis section of findings.json."""

    title: str | None = None
    content: str | None = None
    evidence: JudgedEvidence = None


class StatementRecord(Record):
    """A consensus or debate row of findings.json."""

    statement: str | None = None
    evidence: JudgedEvidence = None


class ResultRecord(Record):
    """A retrieval result. Tier, type and domain are the author's words and grant nothing."""

    query: str | None = None
    title: str | None = None
    url: JudgedUrl = None
    normalized_url: str | None = None
    domain: str | None = None
    source_type: str | None = None
    snippet: str | None = None
    date: str | None = None
    source_tier: JudgedText = None
    classification_basis: str | None = None
    sponsorship: str | None = None
    methodology: str | None = None


class ContentRecord(Record):
    """An extracted page. ``live_verified`` is always read as false; the network fields are audit data."""

    url: str | None = None
    title: str | None = None
    content: str | None = None
    word_count: int | None = None
    error: str | bool | None = None
    final_url: str | None = None
    http_status: int | None = None
    fetched_at: str | None = None
    raw_sha256: str | None = None
    content_sha256: JudgedSha256 = None
    resolved_ips: list[str] | None = None
    capture_method: str | None = None
    live_verified: JudgedFlag = None
    truncated: bool | None = None


class CodeRecord(Record):
    """A line or lines of a file, pinned to a commit or seen in a work tree (chapter 5)."""

    id: str | None = None
    kind: str | None = None
    path: JudgedText = None
    line: Annotated[object, WithJsonSchema({"type": "integer", "minimum": 1})] = None
    excerpt: JudgedText = None
    commit: str | None = None
    snapshot: Annotated[str | None, WithJsonSchema({"enum": ["commit", "worktree"]})] = None


class CommitRecord(Record):
    """A commit and its subject (chapter 5)."""

    id: str | None = None
    kind: str | None = None
    commit: JudgedText = None
    subject: JudgedText = None


class ReceiptRecord(Record):
    """A host test receipt, schema ``deep-research/host-test-receipt-v2`` (chapter 5); family TEST judges it."""

    id: str | None = None
    kind: str | None = None
    schema_: Annotated[object, WithJsonSchema({"const": "deep-research/host-test-receipt-v2"})] = Field(
        None, alias="schema"
    )
    origin: Annotated[object, WithJsonSchema({"const": "host-tool"})] = None
    execution_id: JudgedSha256 = None
    argv: JudgedStrings = None
    command: str | None = None
    framework: JudgedText = None
    test_target: JudgedText = None
    selectors: JudgedStrings = None
    tested_paths: JudgedStrings = None
    covers: JudgedStrings = None
    repository: JudgedObject = None
    started_at: JudgedTime = None
    finished_at: JudgedTime = None
    duration_seconds: Annotated[object, WithJsonSchema({"type": "number", "minimum": 0})] = None
    exit_code: Annotated[object, WithJsonSchema({"type": "integer"})] = None
    status: Annotated[object, WithJsonSchema({"enum": ["passed", "failed"]})] = None
    summary: str | None = None
    stdout_summary: str | None = None
    stderr_summary: str | None = None
    stdout_sha256: JudgedSha256 = None
    stderr_sha256: JudgedSha256 = None
    relevance_review: JudgedObject = None


class SessionRecord(Record):
    """The budget ledger, schema ``deep-research/session-v1``; family BUD judges all of it."""

    schema_: Annotated[object, WithJsonSchema({"const": "deep-research/session-v1"})] = Field(None, alias="schema")
    mode: Annotated[object, WithJsonSchema({"enum": ["quick", "standard", "deep"]})] = None
    research_kind: Annotated[object, WithJsonSchema({"enum": ["web", "codebase", "hybrid"]})] = None
    budget: JudgedObject = None
    usage: JudgedObject = None
    events: Annotated[object, WithJsonSchema({"type": "array"})] = None
    session_id: JudgedText = None
    created_at: JudgedText = None
    updated_at: JudgedText = None


R_co = TypeVar("R_co", bound=Record, covariant=True)


@dataclass(frozen=True, slots=True)
class FieldFault:
    """A field that does not fit its schema: where and what, in words."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Row(Generic[R_co]):
    """One record of a file, in order.

    ``value`` is None when the row is not an object; ``raw`` is the row as it stands. ``artifact`` and
    ``pointer`` locate it. Rows count in the file's own order from 1 (``number``).
    """

    artifact: str
    pointer: str
    number: int
    raw: JSON
    value: R_co | None
    faults: tuple[FieldFault, ...] = ()

    @property
    def location(self) -> Location:
        """The row as a whole."""
        return Location(self.artifact, pointer=self.pointer)

    def at(self, *parts: str | int) -> Location:
        """A field of the row; where it is absent, the nearest part above it that is there."""
        here: JSON = self.raw
        found: list[str | int] = []
        for part in parts:
            if isinstance(here, dict) and part in here:
                here = here[str(part)]
            elif isinstance(here, list) and isinstance(part, int) and 0 <= part < len(here):
                here = here[part]
            else:
                break
            found.append(part)
        return Location(self.artifact, pointer=self.pointer + pointer(*found))


@dataclass(frozen=True)
class Records:
    """All records of a bundle. A file that is absent or unreadable has no rows and stands in ``absent``.

    ``faults`` are faults of a file's own shape and of its rows' fields (rule ``artifact-schema``).
    """

    findings: tuple[Row[FindingRecord], ...] = ()
    analysis: tuple[Row[AnalysisRecord], ...] = ()
    consensus: tuple[Row[StatementRecord], ...] = ()
    debate: tuple[Row[StatementRecord], ...] = ()
    legacy_consensus: Location | None = None
    """Consensus written as prose instead of rows (rule ``legacy-consensus-unverified``)."""
    legacy_debate: Location | None = None
    results: tuple[Row[ResultRecord], ...] = ()
    content: tuple[Row[ContentRecord], ...] = ()
    budget_exhausted: bool = False
    code: tuple[Row[CodeRecord], ...] = ()
    commits: tuple[Row[CommitRecord], ...] = ()
    receipts: tuple[Row[ReceiptRecord], ...] = ()
    other_evidence: tuple[Row[Record], ...] = ()
    """Rows of code_evidence.json of an unknown kind, or that are no objects."""
    root: str | None = None
    """The author's declared checkout: a mere name (chapter 2), never opened."""
    session: Row[SessionRecord] | None = None
    absent: frozenset[str] = frozenset()
    """Names of artifacts without a file."""
    broken: frozenset[str] = frozenset()
    """Names of artifacts that are there and could not be read or parsed."""
    faults: tuple[FieldFault, ...] = ()

    def findings_location(self) -> Location:
        """The list of findings as a whole."""
        return Location("findings", pointer="/findings")

    def has(self, artifact: str) -> bool:
        """Whether the artifact's file was there and could be parsed."""
        return artifact not in self.absent and artifact not in self.broken

    @property
    def repository_rows(self) -> Iterator[Row[CodeRecord] | Row[CommitRecord] | Row[ReceiptRecord]]:
        """Code, commit and test records, by kind, each in file order."""
        yield from self.code
        yield from self.commits
        yield from self.receipts


def schemas() -> Mapping[str, type[Record]]:
    """The record types by the name under which ``evidence-lint schema`` publishes them."""
    return {
        "finding": FindingRecord,
        "result": ResultRecord,
        "content": ContentRecord,
        "code": CodeRecord,
        "commit": CommitRecord,
        "receipt": ReceiptRecord,
        "session": SessionRecord,
    }

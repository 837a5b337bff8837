"""The document ``evidence-lint/results-v1`` that ``--format json`` prints (chapter 10), as pydantic models.

The published JSON Schema is made from these models, so a document and its schema cannot drift apart. Additions are
allowed within a version, renamings are not; a reader must therefore accept members that it does not know.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

SCHEMA: Literal["evidence-lint/results-v1"] = "evidence-lint/results-v1"

Count = Annotated[int, Field(ge=0)]
Ordinal = Annotated[int, Field(ge=1)]


class OutputModel(BaseModel):
    """Base of all parts of the document: frozen, further members allowed."""

    model_config = ConfigDict(frozen=True, extra="allow", protected_namespaces=(), populate_by_name=True)


class PlaceOutput(OutputModel):
    """A place in a file. Lines and columns are 1-based, columns in characters, ends exclusive."""

    path: str = Field(description="Relative to the current directory where it lies below it, else absolute.")
    line: Ordinal
    column: Ordinal
    end_line: Ordinal
    end_column: Ordinal
    pointer: str | None = Field(default=None, description="JSON pointer (RFC 6901), where the file is JSON.")


class RelatedOutput(PlaceOutput):
    """A second place that explains a problem."""

    message: str


class DiffOutput(OutputModel):
    """A piece of a word diff: ``delete`` stands only in the record, ``insert`` only in the source."""

    op: str
    text: str


class ShownOutput(OutputModel):
    """Text from outside the bundle beside a problem: a passage of a page, lines of a blob."""

    origin: str
    first_line: int | None
    lines: list[str]
    diff: list[DiffOutput]


class EditOutput(OutputModel):
    """Replace the characters ``start..end`` of the decoded file by ``text``."""

    path: str
    start: Count
    end: Count
    text: str


class FixOutput(OutputModel):
    """Edits that mend the problem; all or none are to be applied."""

    applicability: Literal["safe", "unsafe"]
    description: str
    edits: list[EditOutput]


class SkipOutput(OutputModel):
    """Why a check could not run: a stable code, and words."""

    code: str
    message: str


class SuppressionOutput(OutputModel):
    """What silenced a problem, and where that stands."""

    kind: str = Field(description="inline, record or baseline")
    reason: str
    location: PlaceOutput | None


class VerdictOutput(OutputModel):
    """One row a problem, or the outcome of a check without a problem."""

    node: str = Field(description="path::subject::rule-name, with [2] and so on from the second problem on")
    rule: str = Field(description="The rule's code; stable, never reused.")
    name: str
    outcome: Literal["passed", "failed", "skipped", "errored", "suppressed"]
    severity: Literal["error", "warning", "info"]
    message: str | None = Field(description="Null for a passed check only.")
    help: str | None
    location: PlaceOutput | None = Field(description="Never null where the outcome is failed or suppressed.")
    related: list[RelatedOutput]
    shown: list[ShownOutput]
    fix: FixOutput | None
    fingerprint: str | None = Field(description="Survives moved lines; null where there is no problem.")
    skip: SkipOutput | None
    suppression: SuppressionOutput | None


class CountsOutput(OutputModel):
    """Verdicts by outcome; ``failed`` counts severity error alone."""

    passed: Count
    failed: Count
    warnings: Count
    infos: Count
    skipped: Count
    errored: Count
    suppressed: Count


class EvidenceOutput(OutputModel):
    """One evidence entry of a finding; further members depend on the kind."""

    kind: str
    id: JsonValue = None
    verified: bool | None = Field(description="Null when this run could not decide it.")


class FindingOutput(OutputModel):
    """A finding with its three confidences; what is undecided or absent is null."""

    id: str | None
    title: str | None
    stated_confidence: str | None
    requested_confidence: str | None
    effective_confidence: str | None
    usable: bool | None
    reasons: list[str]
    evidence: list[EvidenceOutput]
    location: PlaceOutput | None


class BundleOutput(OutputModel):
    """All verdicts on one bundle, sorted by path, line, column and code."""

    path: str
    report: str
    dialect: str
    research_kind: str | None
    degradation: str | None = Field(description="Recomputed from the records.")
    declared_degradation: str | None
    findings: list[FindingOutput]
    verdicts: list[VerdictOutput]
    counts: CountsOutput


class HopOutput(OutputModel):
    """One request of a capture."""

    url: str
    status: int | None
    addresses: list[str]
    connected: str
    insecure: bool
    via_allowed_network: bool
    attempts: int


class CaptureOutput(OutputModel):
    """The facts of one live capture (chapter 4)."""

    requested_url: str
    final_url: str
    outcome: str
    reason: str
    status: int | None
    fetched_at: str
    hops: list[HopOutput]
    media_type: str
    charset: str | None
    extractor: str
    title: str | None
    raw_sha256: str
    text_sha256: str
    size: int
    truncated: bool
    insecure: bool
    via_allowed_network: bool
    elapsed: float
    attempts: int
    notes: list[str]


class PolicyOutput(OutputModel):
    """Where the configuration came from; with ``--policy-from`` the revision, and the commit that it means."""

    source: str | None
    revision: str | None
    commit: str | None = Field(default=None, description="The full id of the commit that the revision means.")


class RunOutput(OutputModel):
    """How the run was made."""

    mode: Literal["offline", "auto", "live"]
    allow_network: list[str]
    policy: PolicyOutput
    select: list[str]
    ignore: list[str]
    keyword: str
    repo: str | None


class ResultsOutput(OutputModel):
    """The whole document."""

    schema_: Literal["evidence-lint/results-v1"] = Field(default=SCHEMA, alias="schema")
    version: str = Field(description="The version of evidence-lint that made the document.")
    bundles: list[BundleOutput]
    captures: list[CaptureOutput]
    notices: list[str]
    run: RunOutput
    counts: CountsOutput
    exit_status: Annotated[int, Field(ge=0, le=5)]


def results_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) that every document of this version fits."""
    schema = ResultsOutput.model_json_schema(mode="serialization", by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{SCHEMA.replace('/', ':')}",
        **schema,
    }

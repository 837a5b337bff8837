"""Host test receipts as records: what makes one, what tells that it was changed, what a review adds (chapter 5)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast

from evidence_lint.errors import UsageError
from evidence_lint.model.artifact import JSON
from evidence_lint.model.location import pointer
from evidence_lint.recording.document import EVIDENCE, Document, with_value
from evidence_lint.version import __version__
from evidence_lint.witness.receipt_identity import ORIGIN, SCHEMA

RECORDER = f"evidence-lint {__version__}"
_OURS = "evidence-lint "
_APART = frozenset({"execution_id", "relevance_review"})


def complete(fields: Mapping[str, object]) -> dict[str, object]:
    """A whole receipt of this recorder from what the run was: schema, execution id and a pending review are added."""
    record: dict[str, object] = {
        "id": fields["id"],
        "kind": "test",
        "schema": SCHEMA,
        "origin": ORIGIN,
        "execution_id": "",
        **fields,
        "relevance_review": {"status": "pending"},
    }
    record["execution_id"] = execution_id(record)
    return record


def execution_id(record: Mapping[str, object]) -> str:
    """SHA-256, as 64 hexadecimal digits, over the canonical JSON of everything that the run left behind.

    Canonical is: keys sorted, no white space, UTF-8. Two fields are not covered: the id itself, and the relevance
    review, which a person adds later. The times have microseconds, so that each run has an id of its own. It is no
    signature: whoever changes a record can compute it anew; what it tells is that nobody changed one by hand.
    """
    covered = {name: value for name, value in record.items() if name not in _APART}
    text = json.dumps(covered, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def is_ours(record: Mapping[str, object]) -> bool:
    """Whether evidence-lint recorded the receipt, so that its execution id is to agree with it."""
    run = record.get("run")
    recorder = cast("dict[str, object]", run).get("recorder") if isinstance(run, dict) else None
    return isinstance(recorder, str) and recorder.startswith(_OURS)


def is_changed(record: Mapping[str, object]) -> bool:
    """Whether a receipt of ours was changed after the run."""
    return is_ours(record) and record.get("execution_id") != execution_id(record)


@dataclass(frozen=True, slots=True)
class Held:
    """A receipt and where it stands: ``pointer`` is "" for a file that is the bare record."""

    document: Document
    pointer: str
    record: dict[str, JSON]


def find_receipt(document: Document, name: str | None) -> Held:
    """The receipt of a file that is a bare record, or of a code_evidence.json (by its id, if there are several).

    Raises :class:`UsageError` when there is none, or more than one that could be meant.
    """
    if document.data.get("kind") == "test":
        if name is not None and document.data.get("id") != name:
            raise UsageError(f"{document.path} is the receipt {document.data.get('id')!r}, not {name!r}")
        return Held(document, "", document.data)
    found = [
        Held(document, pointer(EVIDENCE, index), row)
        for index, row in enumerate(document.records)
        if isinstance(row, dict) and row.get("kind") == "test" and name in (None, row.get("id"))
    ]
    if len(found) == 1:
        return found[0]
    names = ", ".join(repr(held.record.get("id")) for held in found)
    if found and name is None:
        raise UsageError(f"{document.path} holds {len(found)} receipts ({names}); say which with --id")
    if found:
        raise UsageError(f"{document.path} holds {len(found)} receipts of the id {name!r}; give each its own")
    raise UsageError(f"{document.path} holds no test receipt{f' {name!r}' if name is not None else ''}")


def approve(held: Held, reviewer: str, rationale: str, *, status: str = "approved") -> Document:
    """The document with a decided relevance review of the receipt; nothing else in it changes.

    Raises :class:`UsageError` when reviewer or rationale say nothing, when the review is decided already, or when a
    receipt of ours was changed after its run.
    """
    for option, text in (("--reviewer", reviewer), ("--rationale", rationale)):
        if not text.strip():
            raise UsageError(f"{option} is empty: an approval needs a person and a reason")
    before = held.record.get("relevance_review")
    decided = before.get("status") if isinstance(before, dict) else None
    if decided in ("approved", "rejected") and isinstance(before, dict):
        raise UsageError(
            f"the receipt is {decided} already, by {before.get('reviewer')!r}; a review is never overwritten"
        )
    if is_changed(held.record):
        raise UsageError(
            "the receipt is not what the run left behind (its execution id does not fit): record a new run"
        )
    review = {
        "status": status,
        "reviewer": reviewer.strip(),
        "rationale": rationale.strip(),
        "reviewed_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    return with_value(held.document, held.pointer, "relevance_review", review)

"""Examples of receipts: a sound one, and ways to change one field of it."""

from __future__ import annotations

from collections.abc import Mapping

from evidence_lint.model.artifact import JSON
from evidence_lint.model.example import (
    BASE_CODE,
    BASE_CODE_FINDING,
    BASE_CODE_PATH,
    BASE_CODE_RECORD,
    COMMIT,
    TREE,
    Example,
    Expected,
    research_example,
)

TEST_PATH = "tests/test_copies.py"
TEST_CODE = """from store.copies import missing


def test_none_is_missing():
    assert missing(3) == 0


class TestShortage:
    def test_one_is_missing(self):
        assert missing(2) == 1
"""
SELECTOR = f"{TEST_PATH}::TestShortage::test_one_is_missing"

REPOSITORY: dict[str, JSON] = {"root": "/srv/checkout", "head_commit": COMMIT, "tree_hash": TREE, "dirty": False}
REVIEW: dict[str, JSON] = {
    "status": "approved",
    "reviewer": "R. Viewer",
    "rationale": "The test asks for two of three copies.",
    "reviewed_at": "2025-01-04",
}
RECEIPT: dict[str, JSON] = {
    "schema": "deep-research/host-test-receipt-v2",
    "id": "test-1",
    "kind": "test",
    "origin": "host-tool",
    "execution_id": "5e" * 32,
    "argv": ["pytest", SELECTOR],
    "command": f"pytest {SELECTOR}",
    "framework": "pytest",
    "test_target": SELECTOR,
    "selectors": [SELECTOR],
    "tested_paths": [BASE_CODE_PATH, TEST_PATH],
    "covers": ["finding-copies", "code-1"],
    "repository": REPOSITORY,
    "started_at": "2025-01-03T10:00:00+00:00",
    "finished_at": "2025-01-03T10:00:02+00:00",
    "duration_seconds": 2.0,
    "exit_code": 0,
    "status": "passed",
    "summary": "1 passed in 0.02s",
    "stdout_summary": "",
    "stderr_summary": "",
    "stdout_sha256": "0a" * 32,
    "stderr_sha256": "0b" * 32,
    "relevance_review": REVIEW,
}
FINDING: dict[str, JSON] = {
    **BASE_CODE_FINDING,
    "claim_type": "runtime_behavior",
    "evidence": [{"kind": "code", "id": "code-1"}, {"kind": "test", "id": "test-1"}],
}


def without(field: str) -> Mapping[str, JSON]:
    """The sound receipt without one field."""
    return {name: value for name, value in RECEIPT.items() if name != field}


def receipt_example(
    title: str,
    *problems: Expected,
    receipt: Mapping[str, JSON] | None = None,
    more: tuple[Mapping[str, JSON], ...] = (),
    finding: Mapping[str, JSON] | None = None,
    others: tuple[Mapping[str, JSON], ...] = (),
    **changes: JSON,
) -> Example:
    """A bundle with one code record and one receipt (``more`` follow it), whose fields are changed as told.

    ``finding`` replaces the finding that cites it, ``others`` follow that one.
    """
    records: list[JSON] = [dict(BASE_CODE_RECORD), {**(receipt or RECEIPT), **changes}, *(dict(row) for row in more)]
    return research_example(
        title,
        *problems,
        kind="codebase",
        code=records,
        findings=[dict(finding or FINDING), *(dict(row) for row in others)],
        repository={BASE_CODE_PATH: BASE_CODE, TEST_PATH: TEST_CODE},
    )


def expect(message: str, field: str = "", **rest: str) -> Expected:
    """A problem at a field of the receipt, or at the receipt where the field is absent."""
    return Expected(message, pointer=f"/evidence/1{field}", artifact="code_evidence", **rest)  # type: ignore[arg-type]

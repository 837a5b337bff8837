"""IN003: records fit their schemas."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.model.example import (
    BASE_CODE_RECORD,
    BASE_FINDING,
    BASE_PAGE,
    BASE_RESULT,
    Expected,
    research_example,
)
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule


@rule(
    "IN003",
    "artifact-schema",
    passes=[
        research_example("records that fit"),
        research_example("unknown fields are kept and ignored", content=[{**BASE_PAGE, "mood": ["good"]}]),
        research_example("bare lists instead of objects", results='[{"url": "https://www.example.gov/a"}]'),
        research_example("a finding that is no object has a rule of its own", findings=["a sentence"]),
        research_example("a confidence of an unknown word has one too", findings=[{**BASE_FINDING, "confidence": 3}]),
        research_example("so has everything about the ledger", session="[]"),
        research_example(
            "roots of two machines",
            kind="codebase",
            code={"root": "C:\\src\\store", "evidence": [{**BASE_CODE_RECORD, "snapshot": "commit"}]},
        ),
    ],
    fails=[
        research_example(
            "text where a number belongs",
            Expected(
                '`word_count` is the string "forty", where a whole number is expected',
                pointer="/items/0/word_count",
                artifact="content",
            ),
            content=[{**BASE_PAGE, "word_count": "forty"}],
        ),
        research_example(
            "a row that is no object",
            Expected(
                "the entry is the number 7, where an object is expected", pointer="/results/1", artifact="results"
            ),
            results=[BASE_RESULT, 7],
        ),
        research_example(
            "a list where an object belongs",
            Expected("the file holds a list, where an object is expected", pointer="", artifact="findings"),
            findings="[]",
        ),
        research_example(
            "a root that is not absolute, and a snapshot of another word",
            Expected(
                '`root` is the string "store", where an absolute path is expected',
                pointer="/root",
                artifact="code_evidence",
            ),
            Expected(
                '`snapshot` is the string "xx", where "commit" or "worktree" is expected',
                pointer="/evidence/0/snapshot",
                artifact="code_evidence",
            ),
            kind="codebase",
            code={"root": "store", "evidence": [{**BASE_CODE_RECORD, "snapshot": "xx"}]},
        ),
        research_example(
            "citations that are no list",
            Expected(
                "`citations` is the number 5, where a list is expected",
                pointer="/findings/0/citations",
                artifact="findings",
            ),
            findings=[{**BASE_FINDING, "citations": 5}],
        ),
        research_example(
            "a receipt's words that are none",
            Expected("`command` is the number 1, where a string is expected", artifact="code_evidence"),
            Expected("`stdout_summary` is a list, where a string is expected", artifact="code_evidence"),
            kind="codebase",
            code=[BASE_CODE_RECORD, {"id": "test-1", "kind": "test", "command": 1, "stdout_summary": []}],
        ),
        research_example(
            "a word is no flag",
            Expected('`budget_exhausted` is the string "false"…', pointer="/budget_exhausted", artifact="content"),
            content={"items": [BASE_PAGE], "budget_exhausted": "false"},
        ),
    ],
)
def artifact_schema(bundle: ResearchBundle) -> Iterator[Problem]:
    """Every record fits its schema.

    Why: a field that does not fit is read as absent, so what its author meant by it was not checked. Fields whose fault
    has a rule of its own are left to that rule.

    Fix: give the field the type that `evidence-lint schema` publishes for its record.
    """
    for fault in bundle.records.faults:
        yield Problem(fault.message, fault.location)

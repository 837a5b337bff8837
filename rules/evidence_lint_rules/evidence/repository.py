"""Repository records that evidence entries name: there is exactly one of each id."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.model.example import (
    BASE_CODE_FINDING,
    BASE_CODE_RECORD,
    BASE_FINDING,
    Expected,
    research_example,
)
from evidence_lint.model.records import Record, Records, Row
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.assessment import Assessment
from evidence_lint.witness.degradation import missing_halves
from evidence_lint.witness.standing import Standing
from evidence_lint.witness.units import RefFault, Unit, duplicate_ids


@rule(
    "EVID111",
    "hybrid-evidence-incomplete",
    severity=Severity.WARNING,
    passes=[
        research_example("Web research needs no code"),
        research_example("Both halves", kind="hybrid", findings=[BASE_FINDING, BASE_CODE_FINDING]),
    ],
    fails=[
        research_example(
            "Hybrid research that rests on pages alone",
            Expected(
                "hybrid research, but no verified repository evidence supports its findings",
                pointer="/findings",
                artifact="findings",
            ),
            kind="hybrid",
        ),
    ],
)
def hybrid_incomplete(bundle: ResearchBundle, assessment: Assessment) -> Iterator[Problem]:
    """The findings of hybrid research rest on web and on repository evidence.

    Why: a hybrid report promises that the outside word was held against the code; with one half missing it was not.

    Fix: add the missing half, or declare the research kind that was really done. The report is Partial meanwhile.
    """
    if assessment.kind != "hybrid" or not assessment.findings:
        return
    for half in missing_halves(assessment.findings):
        yield Problem(
            f"hybrid research, but no verified {half} evidence supports its findings",
            bundle.records.findings_location(),
            help="Add the missing evidence, or declare `web` or `codebase` research.",
        )


@rule(
    "EVID112",
    "repository-evidence-not-found",
    passes=[research_example("The record is there", kind="codebase")],
    fails=[
        research_example(
            "An id that no record has",
            Expected("no code record has the id 'code-9'", pointer="/findings/0/evidence/0/id", artifact="findings"),
            kind="codebase",
            findings=[{**BASE_CODE_FINDING, "evidence": [{"kind": "code", "id": "code-9"}]}],
        ),
        research_example(
            "The id of a record of another kind",
            Expected("no commit record has the id 'code-1'", pointer="/findings/0/evidence/0/id", artifact="findings"),
            kind="codebase",
            findings=[{**BASE_CODE_FINDING, "evidence": [{"kind": "commit", "id": "code-1"}]}],
        ),
    ],
)
def record_not_found(unit: Unit, standing: Standing) -> Iterator[Problem]:
    """Every repository entry names a record of its id and kind.

    Why: an id without a record proves nothing, however much it looks like a reference.

    Fix: add the record to code_evidence.json (``evidence-lint pin`` writes one), or cite the id that is there.
    """
    if unit.fault is RefFault.NOT_FOUND:
        kind = unit.ref.kind.value if unit.ref.kind is not None else ""
        named = f"has the id {unit.ref.id!r}" if unit.ref.id else "can be meant: the entry has no id"
        yield Problem(
            f"no {kind} record {named}",
            unit.ref.at("id"),
            help="Add the record to code_evidence.json, or correct the id.",
            severity=standing.of_ref(unit.ref),
        )


@rule(
    "EVID113",
    "duplicate-repository-evidence-id",
    passes=[
        research_example(
            "Two records, two ids", kind="codebase", code=[BASE_CODE_RECORD, {**BASE_CODE_RECORD, "id": "code-2"}]
        )
    ],
    fails=[
        research_example(
            "Two records share an id",
            Expected(
                "the id 'code-1' is that of 2 records, so none of them verifies",
                pointer="/evidence/1/id",
                artifact="code_evidence",
            ),
            kind="codebase",
            code=[BASE_CODE_RECORD, {**BASE_CODE_RECORD, "line": 4}],
        ),
    ],
)
def duplicate_id(bundle: ResearchBundle, records: Records) -> Iterator[Problem]:
    """No two repository records share an id.

    Why: when an id names two records, nobody knows which of them carries the claim; a forged one could hide behind a
    true one.

    Fix: give each record an id of its own, and cite the one that is meant.
    """
    for name in sorted(duplicate_ids(records)):
        rows: list[Row[Record]] = [row for row in records.repository_rows if _id(row) == name]
        rows += [row for row in records.other_evidence if _id(row) == name]
        first, second, *_ = rows
        yield Problem(
            f"the id {name!r} is that of {len(rows)} records, so none of them verifies",
            second.at("id"),
            help="Give each record its own id.",
            related=(Related(first.at("id"), "the first record of this id"),),
        )


def _id(row: Row[Record]) -> str:
    identifier: object = getattr(row.value, "id", None)
    return identifier.strip() if isinstance(identifier, str) else ""

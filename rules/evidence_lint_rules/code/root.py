"""The checkout that repository records are held against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.model.example import BASE_CODE_RECORD, Expected, research_example
from evidence_lint.model.location import Location
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.claims import EvidenceRef
from evidence_lint.witness.receipts import TestReceipt
from evidence_lint.witness.repository import CodeEvidence, CommitEvidence, RepositoryFault
from evidence_lint.witness.standing import Standing
from evidence_lint_rules.code._faults import both, graded


@rule(
    "CODE101",
    "repository-root-missing",
    passes=[
        research_example("The root is declared", kind="codebase"),
        research_example("Web research has no repository"),
    ],
    fails=[
        research_example(
            "No root is declared",
            Expected("the repository evidence declares no root…", artifact="code_evidence"),
            kind="codebase",
            code={"evidence": [BASE_CODE_RECORD]},
        ),
        research_example(
            "The root is blank",
            Expected("the repository evidence declares no root…", pointer="/root", artifact="code_evidence"),
            kind="codebase",
            code={"root": " ", "evidence": [BASE_CODE_RECORD]},
        ),
    ],
)
def root_missing(
    bundle: ResearchBundle,
    code: Sequence[CodeEvidence],
    commits: Sequence[CommitEvidence],
    receipts: Sequence[TestReceipt],
    standing: Standing,
) -> Iterator[Problem]:
    """Repository evidence declares the root of the checkout where it was made.

    Why: without a root nothing says which repository the paths and commits belong to, and no receipt can be told to
    come from the same one.

    Fix: write the absolute path of that checkout into ``root`` of code_evidence.json.
    """
    yield from _about_root(RepositoryFault.ROOT_MISSING, code, commits, receipts, standing)


@rule(
    "CODE102",
    "repository-root-not-found",
    passes=[research_example("The checkout is at hand", kind="codebase")],
    fails=[
        replace(
            research_example(
                "No checkout is at hand",
                Expected(
                    "no checkout is at hand for the repository '/srv/checkout': …",
                    pointer="/root",
                    artifact="code_evidence",
                ),
                kind="codebase",
            ),
            repository=None,
        ),
    ],
)
def root_not_found(
    bundle: ResearchBundle,
    code: Sequence[CodeEvidence],
    commits: Sequence[CommitEvidence],
    receipts: Sequence[TestReceipt],
    standing: Standing,
) -> Iterator[Problem]:
    """A checkout of the repository is at hand, so that its records can be held against it.

    Why: a record is a claim by its author; what no repository confirms is not verified. The declared root is a mere
    name, and is never opened: its author could point it anywhere on this machine.

    Fix: run inside the checkout, or give it with ``--repo``.
    """
    yield from _about_root(RepositoryFault.ROOT_NOT_FOUND, code, commits, receipts, standing)


def _about_root(
    fault: RepositoryFault,
    code: Sequence[CodeEvidence],
    commits: Sequence[CommitEvidence],
    receipts: Sequence[TestReceipt],
    standing: Standing,
) -> Iterator[Problem]:
    """One problem for the file, whatever the number of records that it leaves unverified."""
    told: list[tuple[str, Location, str]] = []
    citing: list[EvidenceRef] = []
    for item in both(code, commits):
        found = [diagnosis for diagnosis in item.diagnoses if diagnosis.fault is fault]
        told += [(diagnosis.message, diagnosis.location, diagnosis.help) for diagnosis in found]
        citing += item.cited_by if found else ()
    for receipt in receipts:
        faults = [entry for entry in receipt.faults if entry.rule == fault.value]
        told += [(entry.message, entry.location, entry.help) for entry in faults]
        citing += receipt.cited_by if faults else ()
    if told:
        message, location, advice = told[0]
        yield Problem(message, location, help=advice, severity=graded(citing, standing))

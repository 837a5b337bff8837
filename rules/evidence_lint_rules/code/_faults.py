"""From a witness's diagnosis of a code or commit record to a problem that a person can act on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from evidence_lint.model.verdict import Excerpted, Problem, Related, Severity
from evidence_lint.witness.claims import EvidenceRef
from evidence_lint.witness.repository import CodeEvidence, CommitEvidence, Diagnosis, RepositoryFault
from evidence_lint.witness.standing import Standing

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_DIFFED = 400
"""Tokens on either side up to which a diff is worth its time."""
_CITING = 3


def told(
    evidence: Iterable[CodeEvidence | CommitEvidence], fault: RepositoryFault, standing: Standing
) -> Iterator[Problem]:
    """The problems of one fault, as grave as the gravest claim that rests on the record."""
    for item in evidence:
        for diagnosis in item.diagnoses:
            if diagnosis.fault is fault:
                yield _problem(diagnosis, item.cited_by, standing)


def both(code: Sequence[CodeEvidence], commits: Sequence[CommitEvidence]) -> list[CodeEvidence | CommitEvidence]:
    """All records that Git alone can confirm."""
    return [*code, *commits]


def graded(cited_by: Sequence[EvidenceRef], standing: Standing) -> Severity | None:
    """A warning where the fault can mislead nobody, else the rule's own severity."""
    return Severity.WARNING if standing.of_record(cited_by) is Severity.WARNING else None


def citing(cited_by: Sequence[EvidenceRef]) -> tuple[Related, ...]:
    """Where the record is cited."""
    return tuple(Related(ref.location, "cited here") for ref in cited_by[:_CITING])


def _problem(diagnosis: Diagnosis, cited_by: Sequence[EvidenceRef], standing: Standing) -> Problem:
    return Problem(
        diagnosis.message,
        diagnosis.location,
        help=diagnosis.help,
        related=citing(cited_by),
        shown=_shown(diagnosis),
        severity=graded(cited_by, standing),
    )


def _shown(diagnosis: Diagnosis) -> tuple[Excerpted, ...]:
    if not diagnosis.origin:
        return ()
    diff = _diff("\n".join(diagnosis.expected), "\n".join(diagnosis.found)) if diagnosis.expected else ()
    return (Excerpted(diagnosis.origin, diagnosis.found, diagnosis.first_line, diff),)


def _diff(claimed: str, found: str) -> tuple[tuple[str, str], ...]:
    """A word diff: *delete* stands only in the record, *insert* only in the repository."""
    old, new = _TOKEN.findall(claimed), _TOKEN.findall(found)
    if not new or len(old) > _DIFFED or len(new) > _DIFFED:
        return ()
    parts: list[tuple[str, str]] = []
    for operation, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if operation == "equal":
            parts.append(("equal", "".join(old[i1:i2])))
            continue
        if i2 > i1:
            parts.append(("delete", "".join(old[i1:i2])))
        if j2 > j1:
            parts.append(("insert", "".join(new[j1:j2])))
    return tuple(parts)

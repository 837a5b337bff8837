"""Commit records: the commit can be read, and its subject is the one declared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_lint.model.artifact import JSON
from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.model.example import BASE_CODE_FINDING, COMMIT, Expected, research_example
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.repository import CodeEvidence, CommitEvidence, RepositoryFault
from evidence_lint.witness.standing import Standing
from evidence_lint_rules.code._faults import both, told
from evidence_lint_rules.code._history import with_damage

_RECORD: dict[str, JSON] = {
    "id": "commit-1",
    "kind": "commit",
    "commit": COMMIT,
    "subject": "feat: keep three copies",
}
_FINDING: dict[str, JSON] = {**BASE_CODE_FINDING, "evidence": [{"kind": "commit", "id": "commit-1"}]}
_DAMAGED, _DAMAGED_COMMIT = with_damage()


@rule(
    "CODE114",
    "commit-subject-mismatch",
    passes=[research_example("The subject as Git prints it", kind="codebase", code=[_RECORD], findings=[_FINDING])],
    fails=[
        research_example(
            "Another subject",
            Expected(
                "the subject of commit … is 'feat: keep three copies', not the one declared",
                pointer="/evidence/0/subject",
                artifact="code_evidence",
            ),
            kind="codebase",
            code=[{**_RECORD, "subject": "feat: keep four copies"}],
            findings=[_FINDING],
        ),
        research_example(
            "No subject",
            Expected("the subject of commit … is …, and the record declares none", artifact="code_evidence"),
            kind="codebase",
            code=[{name: value for name, value in _RECORD.items() if name != "subject"}],
            findings=[_FINDING],
        ),
    ],
)
def subject_mismatch(evidence: CommitEvidence, standing: Standing) -> Iterator[Problem]:
    """The subject of a commit record is the first line of that commit's message.

    Why: the subject is what the record says about the commit; under another commit's words the id proves nothing.

    Fix: write the subject as ``git log --format=%s`` prints it, or give the id of the commit that is meant.
    """
    yield from told([evidence], RepositoryFault.SUBJECT_MISMATCH, standing)


@rule(
    "CODE115",
    "git-commit-unreadable",
    passes=[research_example("A commit that can be read", kind="codebase", code=[_RECORD], findings=[_FINDING])],
    fails=[
        research_example(
            "A commit whose object is damaged",
            Expected("commit … cannot be read: …", pointer="/evidence/0/commit", artifact="code_evidence"),
            kind="codebase",
            code=[{**_RECORD, "commit": _DAMAGED_COMMIT}],
            findings=[_FINDING],
            repository=_DAMAGED,
        ),
    ],
)
def commit_unreadable(
    bundle: ResearchBundle, code: Sequence[CodeEvidence], commits: Sequence[CommitEvidence], standing: Standing
) -> Iterator[Problem]:
    """Git can read the commit of a record.

    Why: a damaged object, a message that is not valid in its own coding, or a Git that fails confirms nothing; what
    could not be checked is no pass.

    Fix: repair the clone (``git fsck`` names what is wrong), and check again.
    """
    yield from told(both(code, commits), RepositoryFault.COMMIT_UNREADABLE, standing)

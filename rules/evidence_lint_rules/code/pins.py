"""The commits that records are pinned to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.model.example import (
    BASE_CODE_FINDING,
    BASE_CODE_RECORD,
    COMMIT,
    Expected,
    research_example,
)
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.confidence import FindingAssessment
from evidence_lint.witness.repository import CodeEvidence, CommitEvidence, RepositoryFault
from evidence_lint.witness.standing import Standing
from evidence_lint_rules.code._faults import both, citing, told
from evidence_lint_rules.code._history import with_branch, with_orphan

_UNPINNED = {**BASE_CODE_RECORD, "commit": "HEAD", "snapshot": "worktree"}
_ORPHANED, _ORPHAN = with_orphan()


@rule(
    "CODE105",
    "git-commit-not-found",
    passes=[
        research_example("The commit is in the repository", kind="codebase"),
        research_example("A label is no pin, and the work tree is read", kind="codebase", code=[_UNPINNED]),
    ],
    fails=[
        research_example(
            "An id that no commit has",
            Expected(
                "this repository has no commit feedfacefeedfacefeedfacefeedfacefeedface",
                pointer="/evidence/0/commit",
                artifact="code_evidence",
            ),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "commit": "feedface" * 5}],
        ),
        research_example(
            "A label where a commit record needs an id",
            Expected('`commit` is the string "HEAD", where …', pointer="/evidence/0/commit", artifact="code_evidence"),
            kind="codebase",
            code=[{"id": "commit-1", "kind": "commit", "commit": "HEAD", "subject": "feat: keep three copies"}],
            findings=[{**BASE_CODE_FINDING, "evidence": [{"kind": "commit", "id": "commit-1"}]}],
        ),
    ],
)
def commit_not_found(
    bundle: ResearchBundle, code: Sequence[CodeEvidence], commits: Sequence[CommitEvidence], standing: Standing
) -> Iterator[Problem]:
    """The commit of a record is in the repository.

    Why: what was read at a commit that the repository does not have cannot be read again. Shallow and partial clones,
    the default of many CI systems, lack commits that exist; they are named as such.

    Fix: cite a commit of this repository, or fetch it in full (``fetch-depth: 0``).
    """
    yield from told(both(code, commits), RepositoryFault.COMMIT_NOT_FOUND, standing)


@rule(
    "CODE111",
    "commit-label-ambiguous",
    passes=[
        research_example("Enough digits of the id", kind="codebase", code=[{**BASE_CODE_RECORD, "commit": COMMIT}])
    ],
    fails=[
        research_example(
            "A branch that is named like an id",
            Expected(
                "abcdef1 is the name of refs/heads/abcdef1, which can move, not a pinned id",
                pointer="/evidence/0/commit",
                artifact="code_evidence",
            ),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "commit": "abcdef1"}],
            repository=with_branch("abcdef1"),
        ),
    ],
)
def label_ambiguous(
    bundle: ResearchBundle, code: Sequence[CodeEvidence], commits: Sequence[CommitEvidence], standing: Standing
) -> Iterator[Problem]:
    """The digits of a pin are the beginning of one object's id, and of nothing else's name.

    Why: a branch or tag called ``abcdef1`` looks like an id, and moves; a prefix that several objects share pins none.

    Fix: give the full id of the commit that is meant.
    """
    yield from told(both(code, commits), RepositoryFault.LABEL_AMBIGUOUS, standing)


@rule(
    "CODE112",
    "commit-unreachable",
    severity=Severity.WARNING,
    passes=[research_example("A commit of a branch", kind="codebase")],
    fails=[
        research_example(
            "A commit that was left behind by a rebase",
            Expected(
                f"no branch or tag reaches commit {_ORPHAN[:12]}: a reader elsewhere cannot fetch it",
                pointer="/evidence/0/commit",
                artifact="code_evidence",
                severity=Severity.WARNING,
            ),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "commit": _ORPHAN}],
            repository=_ORPHANED,
        ),
    ],
)
def unreachable(
    bundle: ResearchBundle, code: Sequence[CodeEvidence], commits: Sequence[CommitEvidence]
) -> Iterator[Problem]:
    """Some branch or tag reaches the commit of a record.

    Why: an amended or abandoned commit lives on in the author's clone alone, and not for long; no reader can fetch it.

    Fix: cite the commit that was published instead, or tag this one.
    """
    for evidence in both(code, commits):
        if evidence.unreachable and evidence.commit_id is not None:
            yield Problem(
                f"no branch or tag reaches commit {evidence.commit_id[:12]}: a reader elsewhere cannot fetch it",
                evidence.row.at("commit"),
                help="Cite the commit that was published, or tag this one.",
                related=citing(evidence.cited_by),
            )


@rule(
    "CODE113",
    "code-unpinned",
    passes=[
        research_example("A stated High cites pinned code", kind="codebase"),
        research_example(
            "Medium may rest on the work tree",
            kind="codebase",
            code=[_UNPINNED],
            findings=[{**BASE_CODE_FINDING, "confidence": "medium"}],
            sections={4: "- **Three copies are required** (Medium confidence): The constant COPIES is 3. [1]"},
        ),
    ],
    fails=[
        research_example(
            "A stated High cites the work tree",
            Expected(
                "the finding is stated as High, but its code record code-1 is pinned to no commit",
                at="Three copies are required",
            ),
            kind="codebase",
            code=[_UNPINNED],
        ),
        research_example(
            "Beside pinned code that earns the High, a warning",
            Expected("…its code record code-2 is pinned to no commit", severity=Severity.WARNING),
            kind="codebase",
            code=[BASE_CODE_RECORD, {**_UNPINNED, "id": "code-2"}],
            findings=[
                {**BASE_CODE_FINDING, "evidence": [{"kind": "code", "id": "code-1"}, {"kind": "code", "id": "code-2"}]}
            ],
        ),
    ],
)
def unpinned(finding: FindingAssessment) -> Iterator[Problem]:
    """A finding that is stated as High cites code that is pinned to a commit.

    Why: files of a work tree change under the report; what was read there yesterday may be gone. Unpinned code can
    carry Medium, never High.

    Fix: pin the record to the full id of a commit that has the lines, or state Medium.
    """
    if not finding.states_high:
        return
    for unit in finding.units:
        if unit.code is not None and not unit.code.pinned:
            yield Problem(
                f"the finding is stated as High, but its code record {unit.code.id} is pinned to no commit",
                finding.location,
                help="Pin the record to the full id of a commit, or state Medium.",
                related=(Related(unit.code.row.at("commit"), "the record"), Related(unit.ref.location, "cited here")),
                severity=Severity.WARNING if finding.effective == "high" else None,
            )

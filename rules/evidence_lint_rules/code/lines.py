"""The lines that code records quote."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import BASE_CODE_RECORD, Expected, research_example
from evidence_lint.model.verdict import Excerpted, Problem, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.repository import CodeEvidence, RepositoryFault
from evidence_lint.witness.standing import Standing
from evidence_lint_rules.code._faults import citing, told
from evidence_lint_rules.code._history import with_parent

_TWO_LINES = "def missing(present):\n    return max(0, COPIES - present)"
_OLDER, _OLDER_COMMIT = with_parent("COPIES = 2\n\n\ndef missing(present):\n    return max(0, COPIES - present)\n")


@rule(
    "CODE104",
    "repository-evidence-incomplete",
    passes=[research_example("An excerpt", kind="codebase")],
    fails=[
        research_example(
            "No excerpt",
            Expected(
                "the record has no excerpt, so there is nothing to compare with the file",
                pointer="/evidence/0",
                artifact="code_evidence",
            ),
            kind="codebase",
            code=[{name: value for name, value in BASE_CODE_RECORD.items() if name != "excerpt"}],
        ),
        research_example(
            "An excerpt of white space",
            Expected("the record has an empty excerpt…", pointer="/evidence/0/excerpt", artifact="code_evidence"),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "excerpt": " \n"}],
        ),
    ],
)
def no_excerpt(evidence: CodeEvidence, standing: Standing) -> Iterator[Problem]:
    """A code record quotes the lines that it stands for.

    Why: a path and a line number alone would be confirmed by any file that is long enough.

    Fix: copy the cited lines into ``excerpt``, whole and unchanged.
    """
    yield from told([evidence], RepositoryFault.INCOMPLETE, standing)


@rule(
    "CODE107",
    "code-line-out-of-range",
    passes=[
        research_example(
            "The last line", kind="codebase", code=[{**BASE_CODE_RECORD, "line": 4, "excerpt": _TWO_LINES}]
        ),
        research_example("A number written as text", kind="codebase", code=[{**BASE_CODE_RECORD, "line": "1"}]),
    ],
    fails=[
        research_example(
            "A line that the file does not have",
            Expected(
                "line 9 is not in store/copies.py at commit …, which has 5 lines",
                pointer="/evidence/0/line",
                artifact="code_evidence",
            ),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "line": 9}],
        ),
        research_example(
            "An excerpt that runs over the end",
            Expected("lines 5–6 are not in store/copies.py…", pointer="/evidence/0/line", artifact="code_evidence"),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "line": 5, "excerpt": _TWO_LINES}],
        ),
        research_example(
            "Line 0",
            Expected("`line` is the number 0, where …", pointer="/evidence/0/line", artifact="code_evidence"),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "line": 0}],
        ),
    ],
)
def line_out_of_range(evidence: CodeEvidence, standing: Standing) -> Iterator[Problem]:
    """The quoted lines exist in the file, and ``line`` is the positive number of the first of them.

    Why: files shrink and lines move; a number beyond the end points at nothing. Lines are Git's, split at line feeds
    alone, so that a form feed or a U+2028 does not shift the numbers.

    Fix: give the 1-based number of the excerpt's first line in that file of that commit.
    """
    yield from told([evidence], RepositoryFault.LINE_OUT_OF_RANGE, standing)


@rule(
    "CODE108",
    "code-excerpt-mismatch",
    passes=[
        research_example(
            "Several lines, indentation included",
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "line": 4, "excerpt": _TWO_LINES + "\n"}],
        ),
    ],
    fails=[
        research_example(
            "A changed number",
            Expected(
                "the excerpt is not line 1 of store/copies.py at commit …",
                pointer="/evidence/0/excerpt",
                artifact="code_evidence",
            ),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "excerpt": "COPIES = 4"}],
        ),
        research_example(
            "The line above",
            Expected("the excerpt is not line 3 of store/copies.py…", artifact="code_evidence"),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "line": 3, "excerpt": "def missing(present):"}],
        ),
        research_example(
            "A part of the line",
            Expected("…: it is a part of the line, and whole lines are compared", artifact="code_evidence"),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "line": 5, "excerpt": "    return max(0, COPIES"}],
        ),
    ],
)
def excerpt_mismatch(evidence: CodeEvidence, standing: Standing) -> Iterator[Problem]:
    """The excerpt of a code record is exactly the lines that stand there.

    Why: a quoted line that differs by one character can say the opposite. Whole lines are compared, indentation and
    letter case included; for an unpinned record with the file as it is in the work tree.

    Fix: copy the lines as they stand. The message shows them, and where the excerpt does stand when it was found.
    """
    yield from told([evidence], RepositoryFault.EXCERPT_MISMATCH, standing)


@rule(
    "CODE116",
    "code-changed-since",
    severity=Severity.INFO,
    passes=[research_example("Pinned to the commit that is checked out", kind="codebase")],
    fails=[
        research_example(
            "A line that was changed later",
            Expected(
                "line 1 of store/copies.py reads differently at the checkout's HEAD since commit …",
                pointer="/evidence/0/excerpt",
                artifact="code_evidence",
                severity=Severity.INFO,
            ),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "excerpt": "COPIES = 2", "commit": _OLDER_COMMIT}],
            repository=_OLDER,
        ),
    ],
)
def changed_since(evidence: CodeEvidence) -> Iterator[Problem]:
    """Pinned lines still read the same at the HEAD of the checkout.

    Why: the record holds for its commit whatever came later; but a reader who opens the file today sees something else.

    Fix: nothing has to be mended. Where the claim is about the present, pin the lines as they are now.
    """
    if evidence.head_lines is None or evidence.lines is None:
        return
    first, last = evidence.lines
    named = f"line {first} of" if first == last else f"lines {first}–{last} of"
    reads = "read differently" if last != first else "reads differently"
    since = f" since commit {evidence.changed_by[:12]}" if evidence.changed_by else ""
    moved = f"; the excerpt stands at line {evidence.moved_to} now" if evidence.moved_to else ""
    gone = "" if evidence.head_lines else ": there is nothing any more"
    yield Problem(
        f"{named} {evidence.path} {reads} at the checkout's HEAD{since}{gone}{moved}",
        evidence.row.at("excerpt"),
        help="Where the claim is about the present, pin the lines as they are now.",
        related=citing(evidence.cited_by),
        shown=(Excerpted(f"{evidence.path}:{first} @ HEAD", evidence.head_lines[:40], first),)
        if evidence.head_lines
        else (),
    )

"""The files that code records name."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import BASE_CODE, BASE_CODE_PATH, BASE_CODE_RECORD, Expected, research_example
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.repository import CodeEvidence, RepositoryFault
from evidence_lint.witness.standing import Standing
from evidence_lint_rules.code._faults import told

_UNPINNED = {**BASE_CODE_RECORD, "commit": "working-tree-unpinned", "snapshot": "worktree"}


@rule(
    "CODE103",
    "repository-path-escape",
    passes=[
        research_example(
            "Dots and doubled slashes name the same file",
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "path": "./store//copies.py"}],
        ),
    ],
    fails=[
        research_example(
            "A path that climbs",
            Expected(
                "the path '../other/x.py' has a `..` component", pointer="/evidence/0/path", artifact="code_evidence"
            ),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "path": "../other/x.py"}],
        ),
        research_example(
            "An absolute path",
            Expected("the path '/etc/hosts' is absolute…", pointer="/evidence/0/path", artifact="code_evidence"),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "path": "/etc/hosts"}],
        ),
        research_example(
            "Git's own directory",
            Expected("the path '.git/config' leads into Git's own directory", artifact="code_evidence"),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "path": ".git/config"}],
        ),
        research_example(
            "No text at all",
            Expected("the path is no text", pointer="/evidence/0/path", artifact="code_evidence"),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "path": 7}],
        ),
    ],
)
def path_escape(evidence: CodeEvidence, standing: Standing) -> Iterator[Problem]:
    """The path of a code record stays inside the repository: relative, POSIX, without ``..`` or ``.git``.

    Why: a path that leaves the repository cites a file that no reader of the repository has, and would let a report
    read files of the machine that checks it.

    Fix: give the path relative to the root of the repository, with ``/`` between folders.
    """
    yield from told([evidence], RepositoryFault.PATH_ESCAPE, standing)


@rule(
    "CODE106",
    "git-blob-not-found",
    passes=[research_example("The file is in the commit", kind="codebase")],
    fails=[
        research_example(
            "A file that the commit does not have",
            Expected(
                "there is no file store/copy.py in commit …", pointer="/evidence/0/path", artifact="code_evidence"
            ),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "path": "store/copy.py"}],
        ),
        research_example(
            "A folder",
            Expected("store is a folder in commit …, not a file", artifact="code_evidence"),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "path": "store"}],
        ),
    ],
)
def blob_not_found(evidence: CodeEvidence, standing: Standing) -> Iterator[Problem]:
    """The file of a pinned code record is in that commit.

    Why: lines of a file that the commit does not have were not read there. Folders, submodules and symbolic links are
    no files; content that a partial clone left out cannot be compared.

    Fix: correct the path or the commit; the message says where the excerpt does stand, when it was found.
    """
    yield from told([evidence], RepositoryFault.BLOB_NOT_FOUND, standing)


@rule(
    "CODE109",
    "repository-path-not-found",
    passes=[research_example("The file is in the work tree", kind="codebase", code=[_UNPINNED])],
    fails=[
        research_example(
            "An unpinned file that is not there",
            Expected(
                "there is no file store/copy.py in the work tree",
                pointer="/evidence/0/path",
                artifact="code_evidence",
            ),
            kind="codebase",
            code=[{**_UNPINNED, "path": "store/copy.py"}],
        ),
    ],
)
def path_not_found(evidence: CodeEvidence, standing: Standing) -> Iterator[Problem]:
    """The file of an unpinned code record is in the work tree of the checkout.

    Why: an unpinned record speaks about files as they are now; what is not there cannot be confirmed.

    Fix: correct the path, or pin the record to a commit that has the file.
    """
    yield from told([evidence], RepositoryFault.PATH_NOT_FOUND, standing)


@rule(
    "CODE110",
    "repository-path-unreadable",
    passes=[
        research_example(
            "Another coding than UTF-8, declared",
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "line": 2, "excerpt": "NAME = 'café'"}],
            repository={BASE_CODE_PATH: "# coding: latin-1\nNAME = 'café'\n".encode("latin-1")},
        ),
    ],
    fails=[
        research_example(
            "A file that is no text",
            Expected("store/copies.py at commit … is no text: …", pointer="/evidence/0/path", artifact="code_evidence"),
            kind="codebase",
            code=[{**BASE_CODE_RECORD, "excerpt": "COPIES = 4"}],
            repository={BASE_CODE_PATH: b"\x00\xff\xfe\x80" + BASE_CODE.encode()},
        ),
    ],
)
def path_unreadable(evidence: CodeEvidence, standing: Standing) -> Iterator[Problem]:
    """The file of a code record can be read as text.

    Why: an excerpt is compared with text. A file that is neither UTF-8 nor in a coding that it declares or that can be
    detected, that is too large, or that Git or the system cannot read, confirms nothing.

    Fix: cite a text file; declare the file's coding in it where it is not UTF-8.
    """
    yield from told([evidence], RepositoryFault.PATH_UNREADABLE, standing)

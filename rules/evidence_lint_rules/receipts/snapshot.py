"""Which state of which repository a test ran on."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import COMMIT, TREE
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.receipts import TestReceipt
from evidence_lint.witness.standing import Standing
from evidence_lint_rules.receipts._examples import REPOSITORY, expect, receipt_example, without
from evidence_lint_rules.receipts._faults import told


@rule(
    "TEST109",
    "test-repository-identity-missing",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "No repository", expect("`repository` is absent, where an object …"), receipt=without("repository")
        ),
        receipt_example(
            "A path instead",
            expect('`repository` is the string "/srv/checkout", where an object …', "/repository"),
            repository="/srv/checkout",
        ),
    ],
)
def identity(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """A receipt says on which state of which repository the test ran.

    Why: a test that passed on other code says nothing about the code that is cited.

    Fix: write ``repository`` with ``root``, ``head_commit``, ``tree_hash`` and ``dirty`` (``evidence-lint snapshot``
    prints it).
    """
    yield from told(receipt, "test-repository-identity-missing", standing)


@rule(
    "TEST110",
    "test-repository-root-invalid",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "A relative root",
            expect(
                'the receipt\'s `root` is the string "checkout", where an absolute path is expected', "/repository/root"
            ),
            repository={**REPOSITORY, "root": "checkout"},
        ),
        receipt_example(
            "No root",
            expect("the receipt's `root` is absent, …", "/repository"),
            repository={"head_commit": COMMIT, "tree_hash": TREE, "dirty": False},
        ),
    ],
)
def root_invalid(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """The root of a receipt's repository is an absolute path.

    Why: a relative path names a different place for every reader.

    Fix: record the absolute path of the checkout in which the test ran.
    """
    yield from told(receipt, "test-repository-root-invalid", standing)


@rule(
    "TEST111",
    "test-repository-root-mismatch",
    passes=[
        receipt_example(
            "The declared root, written with a final slash", repository={**REPOSITORY, "root": "/srv/checkout/"}
        )
    ],
    fails=[
        receipt_example(
            "Another checkout",
            expect(
                "the receipt was made in '/srv/other', but the records declare the root '/srv/checkout'",
                "/repository/root",
            ),
            repository={**REPOSITORY, "root": "/srv/other"},
        )
    ],
)
def root_mismatch(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """A receipt was made in the checkout that the records declare.

    Why: a test run of another checkout, perhaps of another project, is no evidence for this one.

    Fix: run the test in the declared checkout, or declare the root where both were made.
    """
    yield from told(receipt, "test-repository-root-mismatch", standing)


@rule(
    "TEST112",
    "test-commit-not-found",
    passes=[
        receipt_example("The full id"),
    ],
    fails=[
        receipt_example(
            "A label",
            expect('`head_commit` is the string "HEAD", where …', "/repository/head_commit"),
            repository={**REPOSITORY, "head_commit": "HEAD"},
        ),
        receipt_example(
            "A commit that is not there",
            expect("this repository has no commit feedface…", "/repository/head_commit"),
            repository={**REPOSITORY, "head_commit": "feedface" * 5},
        ),
    ],
)
def commit(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """The commit that was tested is in the repository.

    Why: a label moves, and a commit that nobody has cannot be compared with the cited code.

    Fix: record the full id of the commit that was checked out.
    """
    yield from told(receipt, "test-commit-not-found", standing)


@rule(
    "TEST113",
    "test-tree-mismatch",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "The tree of another commit",
            expect("`tree_hash` is …, but the tree of its commit is …", "/repository/tree_hash"),
            repository={**REPOSITORY, "tree_hash": "4b825dc642cb6eb9a060e54bf8d69288fbee4904"},
        ),
        receipt_example(
            "No tree",
            expect("`tree_hash` is absent, but the tree of its commit is …", "/repository"),
            repository={"root": "/srv/checkout", "head_commit": COMMIT, "dirty": False},
        ),
    ],
)
def tree(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """The tree hash is the full id of the tested commit's tree.

    Why: it ties the receipt to the files themselves; a wrong one shows that commit and files were not recorded
    together.

    Fix: record ``git rev-parse HEAD^{tree}`` of the checkout in which the test ran.
    """
    yield from told(receipt, "test-tree-mismatch", standing)


@rule(
    "TEST114",
    "test-dirty-state-invalid",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "A word",
            expect('`dirty` is the string "no", where true or false is expected', "/repository/dirty"),
            repository={**REPOSITORY, "dirty": "no"},
        ),
        receipt_example(
            "Absent",
            expect("`dirty` is absent, where true or false is expected", "/repository"),
            repository={"root": "/srv/checkout", "head_commit": COMMIT, "tree_hash": TREE},
        ),
    ],
)
def dirty(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """A receipt says, by true or false, whether the checkout had uncommitted changes.

    Why: on a dirty checkout the tested code is not that of the commit; a word such as "no" can be read either way.

    Fix: record whether ``git status --porcelain`` printed anything.
    """
    yield from told(receipt, "test-dirty-state-invalid", standing)

"""Faults of host test receipts: every field of the schema, and what a receipt is cited for."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias, cast

from tests.faults.draft import Draft, sha256
from tests.faults.faults_repository import put, records
from tests.faults.kinds import Change, fault

_HIGH = ("runtime-support-insufficient", "confidence-inflated")
_SHA = sha256("another")


def _values(name: str, field: str, answers: Sequence[str], values: Sequence[object], *, warning: bool = False) -> None:
    """Register the fault of a field that has one of the values; None stands for its absence."""

    @fault(f"receipt: {name}", *answers, warning=warning)
    def places(draft: Draft, rng: random.Random) -> Iterator[Change]:
        for at in records(draft, "test"):
            for value in values:
                yield _put(at, field, value)


def _put(at: int, field: str, value: object) -> Change:
    """Change a field, or one of a part (``repository.dirty``), or several that make one fault (``*``)."""
    if field == "*":
        return put(at, **cast("dict[str, object]", value))
    part, _, inner = field.partition(".")
    if not inner:
        return put(at, **{field: value})

    def change(draft: Draft) -> None:
        target: dict[str, Any] = draft.repository[at][part]
        if value is None:
            target.pop(inner, None)
        else:
            target[inner] = value

    return change


_TEXTS = (None, "", 5, [])
_values("schema", "schema", ["unsupported-test-receipt-schema"], (*_TEXTS, "deep-research/host-test-receipt-v1"))
_values("origin", "origin", ["test-receipt-origin-invalid"], (*_TEXTS, "model", "Host-Tool"))
_values("execution id", "execution_id", ["test-execution-id-invalid"], (*_TEXTS, _SHA[:-1], _SHA.upper(), "g" * 64))
_values("argv", "argv", ["test-argv-invalid"], (None, "pytest tests", [], [1, 2], ["pytest", None], {}))
_values(
    "argv runs another program",
    "argv",
    ["test-argv-framework-mismatch"],
    (["echo", "ok"], ["go", "test", "./..."], ["pytest"], ["pytestx", "tests"], ["bash", "-c", "pytest || true"]),
)
_values("command", "command", ["artifact-schema", "test-argv-invalid"], (5, [], {}))
_values("summary of another type", "summary", ["artifact-schema", "test-result-invalid"], (5, [], {}))
_values("stdout summary", "stdout_summary", ["artifact-schema", "test-result-invalid"], (5, [], {}))
_values("stderr summary", "stderr_summary", ["artifact-schema", "test-result-invalid"], (5, [], {}))
_values("kind", "kind", ["repository-evidence-not-found"], (None, "", "code", "commit", "tests", 5))
_values("id", "id", ["repository-evidence-not-found"], (None, "", "other", 5))
_values("framework", "framework", ["test-framework-invalid"], (*_TEXTS, "nose", "PyTest!"))
_values("framework swapped", "framework", ["test-argv-framework-mismatch"], ("go-test", "cargo-test", "npm-test"))
_values("target", "test_target", ["test-target-invalid"], _TEXTS)
_values("selectors", "selectors", ["test-target-invalid"], (None, [], "test_x", [5], [""]))
_values("covers", "covers", ["test-covers-invalid"], (None, [], "finding", [7]))
_values("repository absent", "repository", ["test-repository-identity-missing"], (None, [], "x"))
_values("root", "repository.root", ["test-repository-root-invalid", "test-repository-root-mismatch"],
        (None, "", "srv/author/checkout", 5, "/srv/other/checkout", "/srv/author"))  # fmt: skip
_values("head commit", "repository.head_commit", ["test-commit-not-found"], (None, "", "0" * 40, "HEAD", 5, "main"))
_values("tree", "repository.tree_hash", ["test-tree-mismatch"], (None, "", "0" * 40, 5))
_values("dirty state", "repository.dirty", ["test-dirty-state-invalid"], (None, "false", 0, "no", []))
_values("tested paths", "tested_paths", ["test-paths-missing", "test-path-invalid"], (None, [], "tests", [5], [""]))
_values("exit code", "exit_code", ["test-result-invalid"], (None, "0", 0.9, True, False, []))
_values("exit code and status disagree", "exit_code", ["test-result-inconsistent"], (1, 5, -1, 137))
_values("status", "status", ["test-result-invalid"], (None, "", "ok", 5, "PASSED!"))
_values("status and exit code disagree", "status", ["test-result-inconsistent"], ("failed",))
_values("duration", "duration_seconds", ["test-result-invalid"], (None, "2", -1, -0.5, True, [2]))
_values("duration disagrees", "duration_seconds", ["test-duration-inconsistent"], (0.0, 2, 60, 7200.5), warning=True)
_values("start missing", "started_at", ["test-timestamp-missing"], (None, ""))
_values("end missing", "finished_at", ["test-timestamp-missing"], (None, ""))
_BAD_TIMES = ("yesterday", "2025-03-06", "2025-13-01T00:00:00Z", "2025-03-06T07:00:00", "2025-03-06T25:00:00+00:00")
_values("start", "started_at", ["test-timestamp-invalid"], (*_BAD_TIMES, 5, "2025-03-06T07:00:42+00:00"))
_values("end", "finished_at", ["test-timestamp-invalid"], (*_BAD_TIMES, 5, "2025-03-06T06:59:59+00:00"))
_values("end in the future", "finished_at", ["test-timestamp-in-future"], ("2099-01-01T00:00:00+00:00",))
_values("hash of the output", "stdout_sha256", ["test-output-hash-invalid"], (*_TEXTS, _SHA[1:], "z" * 64))
_values("hash of the errors", "stderr_sha256", ["test-output-hash-invalid"], (*_TEXTS, _SHA[1:], "z" * 64))
_values("summary tells of a failure", "summary", ["test-result-inconsistent"],
        ("1 failed, 2 passed in 0.1s", "no tests ran in 0.01s", "FAILED (failures=1)"))  # fmt: skip
_values(
    "review missing",
    "relevance_review",
    ["test-relevance-review-missing", "test-relevance-review-invalid"],
    (None, {}, [], "approved"),
)
_values("review's status", "relevance_review.status", ["test-relevance-review-invalid"], (None, "", "yes", 5))
_values("review not approved", "relevance_review.status", ["test-relevance-unapproved", *_HIGH],
        ("pending", "rejected"))  # fmt: skip
_UNAPPROVED = ["test-relevance-unapproved", "test-relevance-review-invalid", *_HIGH]
_values("reviewer", "relevance_review.reviewer", _UNAPPROVED, (None, "", "  ", 5))
_values("review's rationale", "relevance_review.rationale", _UNAPPROVED, (None, "", 5))
_values("review's date", "relevance_review.reviewed_at", _UNAPPROVED, (None, "", "soon", 5))
_values("selector of no test", "selectors", ["test-argv-framework-mismatch", "test-selector-not-in-snapshot"],
        (["tests/test_nothing.py::test_x"], ["test_made_up"]))  # fmt: skip
_values("dirty", "repository.dirty", ["test-snapshot-dirty", *_HIGH], (True,))


Fields: TypeAlias = Iterator[tuple[str, object]]
Values: TypeAlias = Callable[[Draft, dict[str, Any]], Fields]


def _per_receipt(name: str, *answers: str, warning: bool = False) -> Callable[[Values], Values]:
    """Register a fault whose changes depend on the receipt."""

    def register(values: Values) -> Values:
        @fault(f"receipt: {name}", *answers, warning=warning)
        def places(draft: Draft, rng: random.Random) -> Iterator[Change]:
            for at in records(draft, "test"):
                for field, value in values(draft, draft.repository[at]):
                    yield _put(at, field, value)

        return values

    return register


@_per_receipt("another commit's", "test-tree-mismatch", *_HIGH)
def other_commit(draft: Draft, row: dict[str, Any]) -> Fields:
    for commit, tree in zip(draft.checkout.commits, draft.checkout.trees, strict=True):
        if commit != row["repository"]["head_commit"]:
            yield "repository.head_commit", commit
            yield "repository", {**row["repository"], "head_commit": commit, "tree_hash": tree}


@_per_receipt("tree of another commit or cut", "test-tree-mismatch")
def other_tree(draft: Draft, row: dict[str, Any]) -> Fields:
    for tree in (draft.checkout.trees[0], draft.checkout.trees[2], row["repository"]["tree_hash"][:12]):
        yield "repository.tree_hash", tree


@_per_receipt("finding not covered", "test-does-not-cover-finding")
def finding_uncovered(draft: Draft, row: dict[str, Any]) -> Fields:
    yield "covers", row["covers"][1:]
    yield "covers", ["finding-other", *row["covers"][1:]]
    yield "covers", [row["covers"][0] + "x", *row["covers"][1:]]


@_per_receipt("a code record not covered", *_HIGH)
def code_uncovered(draft: Draft, row: dict[str, Any]) -> Fields:
    for at in range(1, len(row["covers"])):
        yield "covers", row["covers"][:at] + row["covers"][at + 1 :]
        yield "covers", [*row["covers"][:at], "code-99", *row["covers"][at + 1 :]]


@_per_receipt("a tested path not in the snapshot", "test-path-not-in-snapshot")
def path_forged(draft: Draft, row: dict[str, Any]) -> Fields:
    for at, path in enumerate(row["tested_paths"]):
        for other in (path + "x", "tests", path.upper(), "docs/none.md"):
            yield "tested_paths", [*row["tested_paths"], other]
            yield "tested_paths", [*row["tested_paths"][:at], other, *row["tested_paths"][at + 1 :]]


@_per_receipt("a tested path leaves the repository", "test-path-invalid")
def path_escapes(draft: Draft, row: dict[str, Any]) -> Fields:
    for other in ("/etc/passwd", "../x.py", ".git/config", f"{row['tested_paths'][0]}\0"):
        yield "tested_paths", [*row["tested_paths"], other]


@_per_receipt("the cited path not tested", *_HIGH)
def path_untested(draft: Draft, row: dict[str, Any]) -> Fields:
    yield "tested_paths", row["tested_paths"][1:]
    yield "tested_paths", [*row["tested_paths"][1:], "README.md"]


@_per_receipt("selector of a test that is not there", "test-selector-not-in-snapshot")
def selector_unknown(draft: Draft, row: dict[str, Any]) -> Fields:
    selector = row["selectors"][0]
    for other in (selector + "_x", selector.replace("test_", "test_un", 2) if "::" in selector else selector + "y"):
        argv = [other if word == selector else word for word in row["argv"]]
        yield "*", {"selectors": [other], "argv": argv, "test_target": other, "command": " ".join(argv)}


@_per_receipt("selector not among the arguments", "test-argv-framework-mismatch")
def selector_not_run(draft: Draft, row: dict[str, Any]) -> Fields:
    selector = row["selectors"][0]
    argv = [word for word in row["argv"] if word != selector]
    yield "argv", argv
    yield "argv", [*argv, selector + "x"]
    yield "argv", [*argv, selector[:-1]]
    yield "argv", [*argv, "--deselect", selector]


@_per_receipt("a failed run", "test-failed", *_HIGH)
def failed(draft: Draft, row: dict[str, Any]) -> Fields:
    yield "*", {"status": "failed", "exit_code": 1, "summary": ""}


@_per_receipt("ended before its commit", "test-timestamp-before-commit")
def before_commit(draft: Draft, row: dict[str, Any]) -> Fields:
    for day in ("2025-02-05T10", "2024-12-31T23", "2025-02-01T00"):
        yield "*", {"started_at": f"{day}:00:00+00:00", "finished_at": f"{day}:00:02+00:00"}


@fault("receipt: an execution told twice", "test-execution-id-reused")
def execution_reused(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "test"):

        def change(made: Draft, at: int = at) -> None:
            made.repository.append({**made.repository[at], "id": "test-again"})

        yield change

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_lint.errors import Unavailable
from evidence_lint.model.artifact import JSON
from evidence_lint.model.verdict import Severity
from evidence_lint.sources.git import GitRepository
from evidence_lint.witness.receipts import TestReceipt, examine_receipts
from tests.support.repositories import Builder, records_of

NOW = datetime(2025, 6, 1, tzinfo=UTC)
TESTS = "import unittest\n\n\nclass LimitTest(unittest.TestCase):\n    def test_over(self):\n        pass\n"
SELECTOR = "tests/test_limits.py::LimitTest::test_over"


class Fixture:
    def __init__(self, folder: Path) -> None:
        self.git = Builder(folder)
        self.git.put("app/limits.py", "LIMIT = 3\n")
        self.git.put("tests/test_limits.py", TESTS)
        self.git.link("link.py", "app/limits.py")
        self.commit = self.git.commit()
        self.tree = self.git.tree()
        self.other = self.git.commit({"app/limits.py": "LIMIT = 4\n"})
        self.repository: GitRepository = self.git.open()

    def receipt(self, **changes: JSON) -> dict[str, JSON]:
        return {
            "schema": "deep-research/host-test-receipt-v2",
            "id": "test-1",
            "kind": "test",
            "origin": "host-tool",
            "execution_id": "5e" * 32,
            "argv": ["pytest", SELECTOR],
            "command": f"pytest {SELECTOR}",
            "framework": "pytest",
            "test_target": SELECTOR,
            "selectors": [SELECTOR],
            "tested_paths": ["app/limits.py", "tests/test_limits.py"],
            "covers": ["finding-1", "code-1"],
            "repository": self.state(),
            "started_at": "2025-01-03T10:00:00Z",
            "finished_at": "2025-01-03T12:00:02+02:00",
            "duration_seconds": 2,
            "exit_code": 0,
            "status": "passed",
            "summary": "1 passed in 0.02s",
            "stdout_summary": "",
            "stderr_summary": "",
            "stdout_sha256": "0a" * 32,
            "stderr_sha256": "0B" * 32,
            "relevance_review": review(),
        } | changes

    def state(self, **changes: JSON) -> dict[str, JSON]:
        state: dict[str, JSON] = {
            "root": "/srv/checkout",
            "head_commit": self.commit,
            "tree_hash": self.tree,
            "dirty": False,
        }
        return state | changes


def review(**changes: JSON) -> dict[str, JSON]:
    done: dict[str, JSON] = {"status": "approved", "reviewer": "R.", "rationale": "r", "reviewed_at": "2025-01-04"}
    return done | changes


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fixture]:
    made = Fixture(tmp_path_factory.mktemp("receipts") / "demo")
    with made.repository:
        yield made


def look(
    repository: GitRepository | Unavailable, *rows: Mapping[str, JSON], root: JSON = "/srv/checkout"
) -> list[TestReceipt]:
    finding: JSON = {"id": "finding-1", "evidence": [{"kind": "test", "id": "test-1"}]}
    records, claims = records_of([dict(row) for row in rows], root=root, findings=[finding])
    return list(examine_receipts(records, claims, repository, NOW))


def rules(receipt: TestReceipt) -> list[str]:
    return [fault.rule for fault in receipt.faults]


def changed(sample: Fixture, **changes: JSON) -> list[str]:
    (found,) = look(sample.repository, sample.receipt(**changes))
    return rules(found)


def test_a_sound_receipt(sample: Fixture) -> None:
    (found,) = look(sample.repository, sample.receipt())
    assert not found.faults
    assert found.primary
    assert (found.commit_id, found.id, len(found.cited_by)) == (sample.commit, "test-1", 1)
    assert found.covers == {"finding-1", "code-1"}
    assert found.tested_paths == {"app/limits.py", "tests/test_limits.py"}
    assert found.summary == "1 passed in 0.02s"


@pytest.mark.parametrize(
    ("field", "value", "rule"),
    [
        ("schema", "deep-research/host-test-receipt-v1", "unsupported-test-receipt-schema"),
        ("origin", "assistant", "test-receipt-origin-invalid"),
        ("argv", "pytest x", "test-argv-invalid"),
        ("argv", [], "test-argv-invalid"),
        ("argv", [" ", "x"], "test-argv-invalid"),
        ("argv", ["pytest", 3], "test-argv-invalid"),
        ("argv", ["pytest", "a\0b"], "test-argv-invalid"),
        ("execution_id", "5E" * 32, "test-execution-id-invalid"),
        ("execution_id", "5e" * 32 + "\n", "test-execution-id-invalid"),
        ("framework", "nose", "test-framework-invalid"),
        ("framework", ["pytest"], "test-framework-invalid"),
        ("test_target", " ", "test-target-invalid"),
        ("selectors", SELECTOR, "test-target-invalid"),
        ("selectors", [SELECTOR, None], "test-target-invalid"),
        ("framework", "unittest", "test-argv-framework-mismatch"),
        ("covers", "finding-1", "test-covers-invalid"),
        ("covers", [], "test-covers-invalid"),
        ("repository", "/srv/checkout", "test-repository-identity-missing"),
        ("tested_paths", [], "test-paths-missing"),
        ("tested_paths", {}, "test-paths-missing"),
        ("exit_code", "0", "test-result-invalid"),
        ("exit_code", False, "test-result-invalid"),
        ("exit_code", 0.9, "test-result-invalid"),
        ("exit_code", 0.0, "test-result-invalid"),
        ("exit_code", 10**400, "test-result-inconsistent"),
        ("duration_seconds", "2", "test-result-invalid"),
        ("duration_seconds", True, "test-result-invalid"),
        ("duration_seconds", -1, "test-result-invalid"),
        ("duration_seconds", float("nan"), "test-result-invalid"),
        ("duration_seconds", float("inf"), "test-result-invalid"),
        ("duration_seconds", 10**400, "test-result-invalid"),
        ("status", "green", "test-result-invalid"),
        ("status", "failed", "test-result-inconsistent"),
        ("exit_code", 5, "test-result-inconsistent"),
        ("started_at", " ", "test-timestamp-missing"),
        ("started_at", "noon", "test-timestamp-invalid"),
        ("started_at", 1_735_900_000, "test-timestamp-invalid"),
        ("started_at", "2025-01-03", "test-timestamp-invalid"),
        ("finished_at", "2025-01-03T10:00:02", "test-timestamp-invalid"),
        ("finished_at", "2025-01-03T09:59:59Z", "test-timestamp-invalid"),
        ("stdout_sha256", "0a" * 31, "test-output-hash-invalid"),
        ("stderr_sha256", 7, "test-output-hash-invalid"),
        ("relevance_review", "approved", "test-relevance-review-missing"),
        ("relevance_review", {}, "test-relevance-review-invalid"),
        ("duration_seconds", 30, "test-duration-inconsistent"),
        ("selectors", ["test_over"], None),
        ("selectors", ["LimitTest::test_over"], None),
        ("selectors", ["test_limits.py::LimitTest"], None),
        ("selectors", ["tests"], None),
        ("selectors", ["test_ove"], "test-argv-framework-mismatch"),
        ("selectors", ["pytest"], "test-argv-framework-mismatch"),
        ("started_at", "2025-01-03T10:00:00.123456789+00:00", None),
        ("started_at", "2025-01-03t10:00:00z", None),
        ("duration_seconds", 0.4, None),
    ],
)
def test_one_field_at_a_time(sample: Fixture, field: str, value: JSON, rule: str | None) -> None:
    assert changed(sample, **{field: value}) == ([] if rule is None else [rule])


@pytest.mark.parametrize(
    ("field", "rule"),
    [
        ("schema", "unsupported-test-receipt-schema"),
        ("origin", "test-receipt-origin-invalid"),
        ("execution_id", "test-execution-id-invalid"),
        ("argv", "test-argv-invalid"),
        ("framework", "test-framework-invalid"),
        ("test_target", "test-target-invalid"),
        ("selectors", "test-target-invalid"),
        ("tested_paths", "test-paths-missing"),
        ("covers", "test-covers-invalid"),
        ("repository", "test-repository-identity-missing"),
        ("started_at", "test-timestamp-missing"),
        ("finished_at", "test-timestamp-missing"),
        ("duration_seconds", "test-result-invalid"),
        ("exit_code", "test-result-invalid"),
        ("status", "test-result-invalid"),
        ("stdout_sha256", "test-output-hash-invalid"),
        ("stderr_sha256", "test-output-hash-invalid"),
        ("relevance_review", "test-relevance-review-missing"),
    ],
)
def test_null_is_absent(sample: Fixture, field: str, rule: str) -> None:
    assert changed(sample, **{field: None}) == [rule]
    without = {name: value for name, value in sample.receipt().items() if name != field}
    (found,) = look(sample.repository, without)
    assert rules(found) == [rule]
    assert found.faults[0].location.pointer == "/evidence/0"


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"root": "checkout"}, "test-repository-root-invalid"),
        ({"root": None}, "test-repository-root-invalid"),
        ({"root": "/srv/other"}, "test-repository-root-mismatch"),
        ({"root": "/srv//checkout/"}, None),
        ({"head_commit": "HEAD"}, "test-commit-not-found"),
        ({"head_commit": None}, "test-commit-not-found"),
        ({"head_commit": "feedface" * 5}, "test-commit-not-found"),
        ({"tree_hash": "4b825dc642cb6eb9a060e54bf8d69288fbee4904"}, "test-tree-mismatch"),
        ({"tree_hash": None}, "test-tree-mismatch"),
        ({"dirty": "no"}, "test-dirty-state-invalid"),
        ({"dirty": 0}, "test-dirty-state-invalid"),
    ],
)
def test_repository_state(sample: Fixture, changes: dict[str, JSON], rule: str | None) -> None:
    assert changed(sample, repository=sample.state(**changes)) == ([] if rule is None else [rule])


def test_commits_are_compared_as_objects(sample: Fixture) -> None:
    state = sample.state(head_commit=sample.commit[:10].upper(), tree_hash=sample.tree.upper())
    (found,) = look(sample.repository, sample.receipt(repository=state))
    assert (found.commit_id, found.faults) == (sample.commit, ())
    assert changed(sample, repository=sample.state(tree_hash=sample.tree[:20])) == ["test-tree-mismatch"]


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("../x.py", "test-path-invalid"),
        (3, "test-path-invalid"),
        ("a\0b", "test-path-invalid"),
        ("app/none.py", "test-path-not-in-snapshot"),
        ("app", "test-path-not-in-snapshot"),
        ("link.py", "test-path-not-in-snapshot"),
        ("./app//limits.py", None),
    ],
)
def test_tested_paths(sample: Fixture, path: JSON, rule: str | None) -> None:
    (found,) = look(sample.repository, sample.receipt(tested_paths=["tests/test_limits.py", path]))
    assert rules(found) == ([] if rule is None else [rule])
    if rule is not None:
        assert found.faults[0].location.pointer == "/evidence/0/tested_paths/1"


class TestTimes:
    def test_a_run_before_its_commit(self, sample: Fixture) -> None:
        times: dict[str, JSON] = {"started_at": "2025-01-01T01:00:00Z", "finished_at": "2025-01-01T01:00:02Z"}
        assert changed(sample, **times) == ["test-timestamp-before-commit"]

    def test_a_run_in_the_future(self, sample: Fixture) -> None:
        times: dict[str, JSON] = {"started_at": "2025-06-01T00:00:00Z", "finished_at": "2025-06-01T00:30:00Z"}
        assert changed(sample, **times, duration_seconds=1800) == ["test-timestamp-in-future"]

    def test_clocks_may_differ_by_minutes(self, sample: Fixture) -> None:
        times: dict[str, JSON] = {"started_at": "2025-06-01T00:00:00Z", "finished_at": "2025-06-01T00:04:00Z"}
        reviewed = review(reviewed_at="2025-06-01T00:01:00Z")
        assert changed(sample, **times, duration_seconds=240, relevance_review=reviewed) == []

    @pytest.mark.parametrize("year", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
    def test_the_ends_of_the_calendar(self, sample: Fixture, year: str) -> None:
        assert changed(sample, started_at=year, finished_at=year)


class TestReviews:
    @pytest.mark.parametrize(
        ("given_review", "words"),
        [
            (review(status="pending"), "is pending"),
            (review(status="rejected"), "is rejected"),
            (review(rationale=" "), "no rationale"),
            (review(reviewer=None, reviewed_at=""), "no reviewer and no reviewed_at"),
        ],
    )
    def test_what_is_no_approval_is_no_fault(self, sample: Fixture, given_review: JSON, words: str) -> None:
        (found,) = look(sample.repository, sample.receipt(relevance_review=given_review))
        assert (found.sound, found.approved, found.primary) == (True, False, False)
        assert words in found.review

    @pytest.mark.parametrize("when", ["last week", "2025-13-01", 20250104, "4 Jan 2025"])
    def test_the_date_is_one(self, sample: Fixture, when: JSON) -> None:
        assert changed(sample, relevance_review=review(reviewed_at=when)) == ["test-relevance-review-invalid"]

    @pytest.mark.parametrize(
        "when", ["2099-01-01", "2025-07-01T00:00:00Z", "2020-01-01", "2025-01-01T00:00:00Z", "9999-12-31", "0001-01-01"]
    )
    def test_neither_in_the_future_nor_before_the_run(self, sample: Fixture, when: str) -> None:
        assert changed(sample, relevance_review=review(reviewed_at=when)) == ["test-relevance-review-invalid"]

    @pytest.mark.parametrize("word", ["\u200b", "-", "n/a", "N/A", "TODO", ".", "none", "TBD", "...", "12"])
    def test_placeholders_approve_nothing(self, sample: Fixture, word: str) -> None:
        for name in ("reviewer", "rationale"):
            (found,) = look(sample.repository, sample.receipt(relevance_review=review(**{name: word})))
            assert (found.approved, found.review) == (False, f"its approval has no {name}")

    @pytest.mark.parametrize("word", ["R. Viewer", "张伟", "nadia", "Никита", "test asks for it"])
    def test_names_and_reasons_of_any_script(self, sample: Fixture, word: str) -> None:
        (found,) = look(sample.repository, sample.receipt(relevance_review=review(reviewer=word, rationale=word)))
        assert found.approved

    @pytest.mark.parametrize("when", ["2025-01-04", "2025-01-04T10:00:00", "2025-01-04T10:00:00Z"])
    def test_a_date_or_timestamp(self, sample: Fixture, when: str) -> None:
        (found,) = look(sample.repository, sample.receipt(relevance_review=review(reviewed_at=when)))
        assert found.approved


class TestFacts:
    def test_an_honest_failure_is_sound(self, sample: Fixture) -> None:
        (found,) = look(sample.repository, sample.receipt(status="failed", exit_code=1, summary="1 failed in 0.1s"))
        assert (found.sound, found.passed) == (True, False)

    def test_a_dirty_checkout_is_sound_and_not_clean(self, sample: Fixture) -> None:
        (found,) = look(sample.repository, sample.receipt(repository=sample.state(dirty=True)))
        assert (found.sound, found.clean) == (True, False)

    def test_warnings_leave_it_sound(self, sample: Fixture) -> None:
        (found,) = look(sample.repository, sample.receipt(duration_seconds=30))
        assert (found.sound, found.faults[0].severity) == (True, Severity.WARNING)

    def test_an_execution_is_claimed_once(self, sample: Fixture) -> None:
        found = look(
            sample.repository,
            sample.receipt(),
            sample.receipt(id="test-2"),
            sample.receipt(id="t3", execution_id="6f" * 32),
        )
        assert [rules(receipt) for receipt in found] == [["test-execution-id-reused"], ["test-execution-id-reused"], []]
        assert "test-2" in found[0].faults[0].message


class TestRoot:
    def test_no_checkout(self, sample: Fixture) -> None:
        (found,) = look(Unavailable("no-checkout", "none here"), sample.receipt(exit_code="0"))
        assert rules(found) == ["repository-root-not-found", "test-result-invalid"]
        assert not found.sound

    def test_no_declared_root(self, sample: Fixture) -> None:
        (found,) = look(sample.repository, sample.receipt(), root=None)
        assert rules(found) == ["repository-root-missing"]

    def test_a_sub_directory_as_root(self, sample: Fixture) -> None:
        row = sample.receipt(tested_paths=["limits.py"], repository=sample.state(root="/srv/x/app"))
        (found,) = look(sample.repository, row, root="/srv/x/app")
        assert "test-path-not-in-snapshot" not in rules(found)


JUNK = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), value=JUNK, inner=st.booleans())
def test_junk_is_a_verdict_and_no_pass(sample: Fixture, data: st.DataObject, value: JSON, inner: bool) -> None:
    row = sample.receipt()
    field = data.draw(st.sampled_from(sorted(row)))
    if inner and isinstance(row[field], dict):
        row[field] = dict.fromkeys(row[field], value)
    elif inner and isinstance(row[field], list):
        row[field] = [value]
    else:
        row[field] = value
    if field == "kind":
        return
    (found,) = look(sample.repository, row)
    harmless = ("id", "kind", "command", "summary", "stdout_summary", "stderr_summary", "test_target", "covers")
    if field not in (*harmless, "duration_seconds", "exit_code"):
        assert found.faults
    assert all(fault.location.artifact == "code_evidence" for fault in found.faults)

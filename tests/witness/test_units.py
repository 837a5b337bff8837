"""Units: joining entries with records, counting them, telling them apart; standing of faults."""

from __future__ import annotations

import pytest

from evidence_lint.model.records import CodeRecord, CommitRecord, ReceiptRecord, Record, Records, Row
from evidence_lint.model.verdict import Severity
from evidence_lint.witness.claims import ClaimKind, Claims
from evidence_lint.witness.standing import Standing
from evidence_lint.witness.units import RefFault, Unit, Units, duplicate_ids, join_units
from tests.support.evidence import OTHER_COMMIT, claim, code, commit, missing, receipt, web


def rows(*ids: str) -> tuple[Row[CodeRecord], ...]:
    return tuple(
        Row("code_evidence", f"/evidence/{n}", n + 1, {}, CodeRecord(id=name, kind="code"))
        for n, name in enumerate(ids)
    )


class TestJoining:
    def join(self, entry: object, *, records: Records | None = None, **kinds: Unit) -> Unit:
        made = claim("code_fact", evidence=[entry])  # type: ignore[list-item]
        claims = Claims((made,), (), (), ())
        code_rows = [unit.code for unit in kinds.values() if unit.code is not None]
        commit_rows = [unit.commit for unit in kinds.values() if unit.commit is not None]
        test_rows = [unit.test for unit in kinds.values() if unit.test is not None]
        return join_units(claims, records or Records(), [], code_rows, commit_rows, test_rows).all[0]

    @pytest.mark.parametrize("entry", ["text", 7, None, ["a"], True])
    def test_what_is_no_object_is_invalid(self, entry: object) -> None:
        assert self.join(entry).fault is RefFault.INVALID

    @pytest.mark.parametrize("entry", [{}, {"kind": "expert"}, {"kind": 3}, {"kind": "Code", "id": "code-1"}])
    def test_an_unknown_kind_supports_nothing(self, entry: object) -> None:
        unit = self.join(entry, a=code())
        assert unit.fault is RefFault.KIND
        assert not unit.verified

    def test_a_record_of_the_id_and_kind_is_found(self) -> None:
        assert self.join({"kind": "code", "id": "code-1"}, a=code()).verified
        assert self.join({"kind": "commit", "id": "commit-1"}, a=commit()).verified
        assert self.join({"kind": "test", "id": "test-1"}, a=receipt()).verified

    @pytest.mark.parametrize(
        "entry",
        [
            {"kind": "code", "id": "commit-1"},
            {"kind": "commit", "id": "code-1"},
            {"kind": "test", "id": "x"},
            {"kind": "code"},
        ],
    )
    def test_any_other_is_not(self, entry: object) -> None:
        unit = self.join(entry, a=code(), b=commit(), c=receipt())
        assert unit.fault is RefFault.NOT_FOUND
        assert not unit.verified

    def test_an_id_of_two_records_means_neither(self) -> None:
        records = Records(code=rows("code-1", "code-1"))
        assert self.join({"kind": "code", "id": "code-1"}, records=records, a=code()).fault is RefFault.DUPLICATE_ID

    def test_a_test_counts_only_for_the_finding_that_it_covers(self) -> None:
        uncovering = receipt(covers=frozenset({"code-1"}))
        assert self.join({"kind": "test", "id": "test-1"}, a=uncovering).fault is RefFault.NOT_COVERED


def test_ids_are_shared_across_kinds() -> None:
    receipts = (Row("code_evidence", "/evidence/5", 6, {}, ReceiptRecord(id="a")),)
    commits = (Row("code_evidence", "/evidence/6", 7, {}, CommitRecord(id=" b ")),)
    other: Row[Record] = Row("code_evidence", "/evidence/7", 8, {}, Record.model_validate({"id": "c"}))
    records = Records(code=rows("a", "b", "c", "d", "e"), receipts=receipts, commits=commits, other_evidence=(other,))
    assert duplicate_ids(records) == {"a", "b", "c"}
    assert duplicate_ids(Records(code=rows("", "", "x"))) == frozenset()


class TestPrimary:
    @pytest.mark.parametrize(
        ("unit", "primary"),
        [
            (code(), True),
            (commit(), True),
            (receipt(), True),
            (receipt(passed=False), False),
            (receipt(clean=False), False),
            (receipt(approved=False), False),
            (receipt(sound=False), False),
            (code(verified=False), False),
            (commit(verified=False), False),
            (web(), False),
            (missing(), False),
        ],
    )
    def test_without_a_live_capture(self, unit: Unit, primary: bool) -> None:
        assert unit.primary is primary


class TestIndependence:
    @pytest.mark.parametrize(
        ("one", "other", "independent"),
        [
            (code(), code("code-2"), False),
            (code(), code("code-2", lines=(2, 2)), True),
            (code(lines=(1, 3)), code("code-2", lines=(3, 5)), False),
            (code(lines=(1, 3)), code("code-2", lines=(4, 5)), True),
            (code(), code("code-2", path="b.py"), True),
            (commit(), commit("commit-2"), False),
            (commit(), commit("commit-2", oid=OTHER_COMMIT), True),
            (receipt(), receipt("test-2"), False),
            (receipt(), receipt("test-2", execution_id="f" * 64), True),
            (receipt(execution_id=""), receipt("test-2", execution_id=""), True),
            (receipt(execution_id=""), receipt(execution_id=""), False),
            (web(), web("https://www.example.gov/b"), False),
            (web(), web("https://www.example.org/b"), True),
            (web("https://a.github.io/"), web("https://b.github.io/"), True),
            (code(), web(), True),
            (code(), commit(), True),
            (receipt(), code(), True),
        ],
    )
    def test_pairs(self, one: Unit, other: Unit, independent: bool) -> None:
        assert one.independent_of(other) is independent
        assert other.independent_of(one) is independent

    def test_a_unit_is_not_independent_of_itself(self) -> None:
        for unit in (code(), commit(), receipt(), web()):
            assert not unit.independent_of(unit)


class TestCounting:
    def test_each_artifact_counts_once_and_only_when_it_verifies(self) -> None:
        units = Units([code(), code(), code("code-2", lines=(9, 9)), commit("code-1"), receipt(), missing()])
        assert units.cited == 4
        assert (
            Units([web(), web("https://www.example.gov/a/?utm_source=x"), web("https://www.example.gov/b")]).cited == 2
        )
        assert Units([code(verified=False)]).cited == 0

    def test_units_are_found_by_their_claim(self) -> None:
        unit = code()
        made = claim()
        assert list(Units([unit]).of(made)) == [unit]
        assert list(Units([]).of(made)) == []

    def test_what_is_not_here_is_not_at_hand(self) -> None:
        assert Units([code(), code(verified=False), web(), receipt()]).at_hand
        assert not Units([code(), commit(verified=False)]).at_hand


class TestStanding:
    def test_a_fault_of_an_honest_omission_is_a_warning(self) -> None:
        standing = Standing([2])
        assert standing.of_claim(ClaimKind.FINDING, 1) is Severity.ERROR
        assert standing.of_claim(ClaimKind.FINDING, 2) is Severity.WARNING
        assert standing.of_claim(ClaimKind.ANALYSIS, 2) is Severity.ERROR
        assert standing.of_claim(ClaimKind.DEBATE, 2) is Severity.ERROR

    def test_a_record_is_as_grave_as_the_gravest_claim_that_rests_on_it(self) -> None:
        ref = code().ref
        assert Standing([]).of_record([ref]) is Severity.ERROR
        assert Standing([1]).of_record([ref]) is Severity.WARNING
        assert Standing([]).of_record([]) is Severity.WARNING
        assert Standing([]).of_ref(ref) is Severity.ERROR

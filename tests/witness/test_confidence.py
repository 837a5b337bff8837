"""The confidence contract, rule by rule (chapter 3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evidence_lint.model.capture import CaptureOutcome
from evidence_lint.witness.captures import Live
from evidence_lint.witness.claims import Claim
from evidence_lint.witness.confidence import assess, earn_high, requested_confidence, wanted_captures
from evidence_lint.witness.units import RefFault, Unit
from tests.support.evidence import (
    OTHER_COMMIT,
    capture,
    claim,
    code,
    commit,
    live,
    missing,
    receipt,
    stated,
    web,
)


def effective(made: Claim, units: list[Unit], seen: Live | None = None, requested: object = "high") -> str | None:
    return assess(made, stated(), requested, units, seen or Live()).effective


class TestLabels:
    @pytest.mark.parametrize(
        ("word", "label"),
        [
            ("high", "high"),
            (" High ", "high"),
            ("MEDIUM", "medium"),
            ("low", "low"),
            ("sure", "low"),
            (None, "low"),
            (1, "low"),
        ],
    )
    def test_requested(self, word: object, label: str) -> None:
        assert requested_confidence(word) == label

    @pytest.mark.parametrize("label", ["medium", "low"])
    def test_less_than_high_stays_as_requested(self, label: str) -> None:
        assert effective(claim(), [code()], requested=label) == label

    def test_an_unknown_word_counts_as_low(self) -> None:
        assert effective(claim(), [code()], requested="certain") == "low"

    @pytest.mark.parametrize("label", ["high", "medium", "low"])
    @pytest.mark.parametrize(
        "units", [[], [code(verified=False)], [missing()], [web(excerpt="no such words on the page")]]
    )
    def test_without_verified_evidence_a_finding_is_unusable(self, label: str, units: list[Unit]) -> None:
        found = assess(claim(), stated(), label, units, Live())
        assert found.effective is None
        assert not found.usable
        assert not found.downgraded


class TestCodeFact:
    def test_a_pinned_code_record_earns_high(self) -> None:
        assert effective(claim("code_fact"), [code()]) == "high"

    def test_one_pinned_among_unpinned_is_enough(self) -> None:
        assert effective(claim("code_fact"), [code("code-2", pinned=False, commit=None), code()]) == "high"

    @pytest.mark.parametrize(
        "units",
        [[code(pinned=False, commit=None)], [commit()], [receipt()], [web()], [code(verified=False), commit()]],
        ids=["unpinned", "commit", "receipt", "web", "unverified-code"],
    )
    def test_nothing_else_does(self, units: list[Unit]) -> None:
        found = assess(claim("code_fact"), stated(), "high", units, Live())
        assert found.effective == "medium"
        assert found.reasons
        assert found.downgraded

    def test_a_live_page_does_not(self) -> None:
        unit = web()
        assert effective(claim("code_fact"), [unit], live((unit, capture(unit)))) == "medium"


class TestSingleFact:
    def test_a_live_t1_page_earns_high(self) -> None:
        unit = web()
        assert effective(claim("single_fact"), [unit], live((unit, capture(unit)))) == "high"

    def test_a_saved_page_earns_medium(self) -> None:
        assert effective(claim("single_fact"), [web()]) == "medium"

    def test_repository_evidence_cannot_stand_in(self) -> None:
        assert effective(claim("single_fact"), [code(), commit(), receipt()]) == "medium"

    def test_the_live_page_must_hold_the_excerpt(self) -> None:
        unit = web()
        seen = live((unit, capture(unit, text="Keep two copies of every record.")))
        assert effective(claim("single_fact"), [unit], seen) == "medium"

    def test_the_final_url_decides_on_authority(self) -> None:
        unit = web()
        seen = live((unit, capture(unit, final_url="https://mirror.example.org/a")))
        assert effective(claim("single_fact"), [unit], seen) == "medium"

    def test_plain_http_on_any_hop_earns_nothing(self) -> None:
        unit = web()
        seen = live((unit, capture(unit, final_url="http://www.example.gov/a")))
        assert effective(claim("single_fact"), [unit], seen) == "medium"

    def test_an_allow_listed_network_earns_nothing(self) -> None:
        unit = web()
        made = capture(unit)
        made = replace(made, hops=tuple(replace(hop, via_allowed_network=True) for hop in made.hops))
        assert effective(claim("single_fact"), [unit], live((unit, made))) == "medium"

    def test_hidden_text_earns_nothing(self) -> None:
        unit = web()
        seen = live((unit, capture(unit, text="Nothing here.", hidden_text="Keep three copies of every record.")))
        assert effective(claim("single_fact"), [unit], seen) == "medium"

    @pytest.mark.parametrize(
        "outcome", [outcome for outcome in CaptureOutcome if outcome not in {CaptureOutcome.OK, CaptureOutcome.BLOCKED}]
    )
    def test_no_failed_capture_earns_anything(self, outcome: CaptureOutcome) -> None:
        unit = web()
        status = 200 if outcome is CaptureOutcome.SOFT_404 else 503
        seen = live((unit, capture(unit, outcome=outcome, status=status, text="")))
        assert effective(claim("single_fact"), [unit], seen) == "medium"

    def test_a_live_page_cannot_save_an_excerpt_that_the_saved_text_lacks(self) -> None:
        unit = web(text="Another page altogether, long enough to be one.")
        assert effective(claim("single_fact"), [unit], live((unit, capture(unit)))) is None


class TestRuntime:
    def test_one_covering_receipt_earns_high(self) -> None:
        assert effective(claim("runtime_behavior"), [code(), receipt()]) == "high"

    @pytest.mark.parametrize(
        ("units", "words"),
        [
            ([code()], "no test receipt"),
            ([receipt()], "no code record"),
            ([code(verified=False), receipt()], "does not verify"),
            ([code(), missing(), receipt()], "does not verify"),
            (
                [
                    code(),
                    code("code-2", pinned=False, commit=None),
                    receipt(covers=frozenset({"f-1", "code-1", "code-2"})),
                ],
                "not pinned",
            ),
            (
                [code(), code("code-2", commit=OTHER_COMMIT), receipt(covers=frozenset({"f-1", "code-1", "code-2"}))],
                "different commits",
            ),
            ([code(), receipt(covers=frozenset({"f-1"}))], "does not cover code-1"),
            ([code(), receipt(covers=frozenset({"code-1"}))], "does not cover f-1"),
            ([code(), receipt(paths=frozenset({"b.py"}))], "tested paths lack a.py"),
            ([code(), receipt(oid=OTHER_COMMIT)], "another commit"),
            ([code(), receipt(oid=None)], "another commit"),
            ([code(), receipt(passed=False)], "did not pass"),
            ([code(), receipt(clean=False)], "not clean"),
            ([code(), receipt(approved=False)], "not a complete approval"),
            ([code(), receipt(sound=False)], "static checks fail"),
        ],
    )
    def test_every_lack_is_told(self, units: list[Unit], words: str) -> None:
        found = assess(claim("runtime_behavior"), stated(), "high", units, Live())
        assert found.effective == "medium"
        assert any(words in reason for reason in found.reasons), found.reasons

    def test_the_finding_needs_an_id(self) -> None:
        found = assess(claim("runtime_behavior", id=None), stated(), "high", [code(), receipt()], Live())
        assert found.effective == "medium"
        assert "no id" in found.reasons[0]

    def test_receipts_never_add_up(self) -> None:
        halves = [
            receipt("test-1", covers=frozenset({"f-1", "code-1"})),
            receipt("test-2", covers=frozenset({"f-1", "code-2"})),
        ]
        assert effective(claim("runtime_behavior"), [code(), code("code-2", lines=(3, 3)), *halves]) == "medium"

    def test_one_good_receipt_among_bad_ones_is_enough(self) -> None:
        assert effective(claim("runtime_behavior"), [code(), receipt("test-2", passed=False), receipt()]) == "high"


class TestOtherClaims:
    @pytest.mark.parametrize(
        "units",
        [
            [code(), code("code-2", lines=(2, 3))],
            [code(), code("code-2", path="b.py")],
            [code(), commit()],
            [code(), web()],
            [code(), receipt()],
            [commit(), commit("commit-2", oid=OTHER_COMMIT)],
            [receipt(), web()],
        ],
    )
    def test_two_independent_units_one_of_them_primary(self, units: list[Unit]) -> None:
        assert effective(claim("recommendation"), units) == "high"

    @pytest.mark.parametrize(
        ("units", "words"),
        [
            ([code()], "fewer than two"),
            ([code(), code("code-2")], "fewer than two"),
            ([code(lines=(1, 4)), code("code-2", lines=(3, 3))], "fewer than two"),
            ([commit(), commit("commit-2")], "fewer than two"),
            ([web(), web("https://sub.example.gov/b")], "fewer than two"),
            ([web(), web("https://www.example.org/b")], "primary"),
            ([receipt(approved=False), web()], "primary"),
            ([receipt(clean=False), web()], "primary"),
            ([receipt(passed=False), web()], "primary"),
            ([code(verified=False), web()], "fewer than two"),
            ([receipt(fault=RefFault.NOT_COVERED), code()], "fewer than two"),
        ],
    )
    def test_anything_less_earns_medium(self, units: list[Unit], words: str) -> None:
        found = assess(claim("trend"), stated(), "high", units, Live())
        assert found.effective in {"medium", None}
        assert any(words in reason for reason in found.reasons), found.reasons

    def test_two_saved_pages_need_a_live_primary(self) -> None:
        one, other = web(), web("https://www.example.org/b")
        assert effective(claim("trend"), [one, other], live((one, capture(one)))) == "high"
        assert effective(claim("trend"), [one, other], live((other, capture(other)))) == "medium"

    def test_pages_that_redirect_to_one_domain_are_one_unit(self) -> None:
        one, other = web(), web("https://www.example.org/b")
        seen = live((one, capture(one)), (other, capture(other, final_url="https://www.example.gov/b")))
        assert effective(claim("trend"), [one, other], seen) == "medium"

    def test_a_page_that_matches_loosely_is_no_leg(self) -> None:
        loose = web(text="Keep three copies ofevery record. And more words.")
        assert loose.web is not None
        assert loose.web.loose
        assert effective(claim("trend"), [code(), loose]) == "medium"

    @pytest.mark.parametrize("kind", ["comparison", "", "SINGLE FACT", "other"])
    def test_any_other_word_is_another_claim(self, kind: str) -> None:
        assert effective(claim(kind), [code()]) == "medium"


class TestWaitingForLive:
    def test_a_stated_high_waits_for_a_capture_that_could_earn_it(self) -> None:
        unit = web()
        assert assess(claim("single_fact"), stated(), "high", [unit], Live()).waits_for_live
        assert wanted_captures(claim("single_fact"), [unit]) == [unit]

    @pytest.mark.parametrize("label", ["Medium", "Low", None, "95%"])
    def test_a_report_that_states_less_does_not(self, label: str | None) -> None:
        assert not assess(claim("single_fact"), stated(label), "high", [web()], Live()).waits_for_live

    def test_nor_one_that_is_not_published(self) -> None:
        assert not assess(claim("single_fact"), None, "high", [web()], Live()).waits_for_live

    def test_nor_where_the_record_requests_less(self) -> None:
        assert not assess(claim("single_fact"), stated(), "medium", [web()], Live()).waits_for_live

    @pytest.mark.parametrize(
        "unit", [web("http://www.example.gov/a"), web(text="Keep three copies ofevery record. And more."), code()]
    )
    def test_nor_where_no_capture_could_help(self, unit: Unit) -> None:
        assert not assess(claim("single_fact"), stated(), "high", [unit], Live()).waits_for_live

    def test_nor_after_the_capture_was_made(self) -> None:
        unit = web()
        seen = live((unit, capture(unit, text="Another text.")))
        assert not assess(claim("single_fact"), stated(), "high", [unit], seen).waits_for_live
        assert wanted_captures(claim("single_fact"), [unit], seen) == []

    def test_what_is_earned_without_the_web_wants_no_capture(self) -> None:
        assert wanted_captures(claim("trend"), [code(), web()]) == []

    def test_only_units_that_help_are_wanted(self) -> None:
        page = web()
        assert wanted_captures(claim("trend"), [page, web("https://www.example.org/b")]) != []
        assert wanted_captures(claim("trend"), [page]) == []
        assert wanted_captures(claim("runtime_behavior"), [page, code()]) == []


def test_earn_high_lists_reasons_only_when_nothing_is_earned() -> None:
    earned = earn_high(claim("code_fact"), [code()], lambda unit: False, Live())
    assert earned.high
    assert earned.reasons == ()


class TestAssessment:
    def test_states_high_is_about_the_report(self) -> None:
        assert assess(claim(), stated("High"), "low", [code()], Live()).states_high
        assert not assess(claim(), stated("Medium"), "high", [code()], Live()).states_high
        assert not assess(claim(), None, "high", [code()], Live()).states_high

    def test_it_stands_where_the_report_states_it_or_else_in_the_record(self) -> None:
        assert assess(claim(), stated(), "high", [code()], Live()).location.artifact == "report"
        assert assess(claim(), None, "high", [code()], Live()).location.artifact == "findings"

    def test_downgraded_is_requesting_more_than_is_earned(self) -> None:
        assert assess(claim(), None, "high", [code(pinned=False)], Live()).downgraded
        assert not assess(claim(), None, "medium", [code()], Live()).downgraded
        assert not assess(claim(), None, "high", [code()], Live()).downgraded

    @pytest.mark.parametrize(
        ("kind", "units", "words"),
        [
            ("single_fact", [code()], "no web evidence is verified"),
            ("single_fact", [web()], "no cited page was captured"),
            ("code_fact", [web()], "none is cited"),
            ("code_fact", [code(pinned=False)], "no cited code record is pinned"),
        ],
    )
    def test_the_reason_is_the_one_to_mend(self, kind: str, units: list[Unit], words: str) -> None:
        found = assess(claim(kind), stated(), "high", units, Live())
        assert len(found.reasons) == 1
        assert words in found.reasons[0]

    def test_ids_are_named_and_their_absence_too(self) -> None:
        reasons = assess(
            claim("runtime_behavior"), None, "high", [missing(name="code-9"), receipt(), web()], Live()
        ).reasons
        assert "code item code-9 does not verify" in reasons
        reasons = assess(claim("runtime_behavior"), None, "high", [code(), receipt(passed=False)], Live()).reasons
        assert reasons == ("receipt test-1: its test did not pass",)

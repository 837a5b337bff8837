"""Live evidence: what a capture of this run shows about an excerpt (chapters 3 and 4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evidence_lint.model.capture import Capture, CaptureOutcome
from evidence_lint.witness.captures import LiveEvidence, LiveFault, could_be_captured, examine_captures
from evidence_lint.witness.units import Unit
from tests.support.evidence import EXCERPT, TEXT, capture, code, live, web


def row(unit: Unit, made: Capture) -> LiveEvidence:
    found = live((unit, made)).of(unit)
    assert found is not None
    return found


def test_the_exact_excerpt_on_a_t1_page_earns() -> None:
    found = row(web(), capture(web()))
    assert found.supports
    assert found.t1
    assert found.earns
    assert found.fault is None


def test_an_absent_excerpt_is_missing_and_on_a_cut_page_unknown() -> None:
    unit = web()
    assert row(unit, capture(unit, text="Other words.")).fault is LiveFault.MISSING
    assert row(unit, capture(unit, text="Other words.", truncated=True)).fault is LiveFault.TRUNCATED
    assert row(unit, capture(unit, truncated=True)).fault is None


def test_hidden_text_is_found_and_supports_nothing() -> None:
    unit = web()
    found = row(unit, capture(unit, text="Seen.", hidden_text=TEXT))
    assert found.hidden
    assert found.fault is None
    assert not found.supports
    both = row(unit, capture(unit, hidden_text=TEXT))
    assert not both.hidden
    assert both.supports
    neither = row(unit, capture(unit, text="Seen.", hidden_text="Something else."))
    assert not neither.hidden
    assert neither.fault is LiveFault.MISSING


def test_a_loose_match_supports_nothing() -> None:
    unit = web()
    found = row(unit, capture(unit, text="Keep three copies ofevery record. And more."))
    assert found.match is not None
    assert not found.supports
    assert not found.earns


@pytest.mark.parametrize(
    ("outcome", "fault"),
    [
        (CaptureOutcome.UNSAFE_TARGET, LiveFault.UNSAFE),
        (CaptureOutcome.BLOCKED, LiveFault.BLOCKED),
        (CaptureOutcome.DNS_FAILURE, LiveFault.FAILED),
        (CaptureOutcome.TLS_FAILURE, LiveFault.FAILED),
        (CaptureOutcome.TIMEOUT, LiveFault.FAILED),
        (CaptureOutcome.HTTP_ERROR, LiveFault.FAILED),
        (CaptureOutcome.EXTRACTION_FAILED, LiveFault.FAILED),
    ],
)
def test_each_failure_has_its_rule(outcome: CaptureOutcome, fault: LiveFault) -> None:
    unit = web()
    found = row(unit, capture(unit, outcome=outcome, status=None, text=TEXT))
    assert found.fault is fault
    assert found.match is None
    assert not found.supports


def test_an_error_page_counts_as_one_only_where_the_excerpt_is_absent() -> None:
    unit = web()
    hint = {"soft_404_reason": "its title says so"}
    assert row(unit, capture(unit, text="Page not found.", **hint)).fault is LiveFault.SOFT_404
    assert row(unit, capture(unit, **hint)).fault is None


@pytest.mark.parametrize(
    ("final", "allowed", "t1", "earns"),
    [
        ("https://www.example.gov/a", False, True, True),
        ("https://www.example.gov/a", True, False, False),
        ("https://www.example.org/a", False, False, False),
        ("http://www.example.gov/a", False, True, False),
    ],
)
def test_authority_is_that_of_the_final_url(final: str, allowed: bool, t1: bool, earns: bool) -> None:
    unit = web()
    made = capture(unit, final_url=final)
    made = replace(made, hops=tuple(replace(hop, via_allowed_network=allowed) for hop in made.hops))
    found = row(unit, made)
    assert (found.t1, found.earns) == (t1, earns)
    assert found.supports


def test_units_without_a_capture_are_passed_over() -> None:
    first, second = web("https://www.example.org/x"), web()
    found = examine_captures([first, second], {second.ref.url: capture(second)}, ())
    assert found.of(first) is None
    assert found.of(second) is not None
    assert len(found.all) == 1


@pytest.mark.parametrize(
    ("unit", "could"),
    [
        (web(), True),
        (web("HTTPS://www.example.gov/a"), True),
        (web("http://www.example.gov/a"), False),
        (web(text="Keep three copies ofevery record. And more."), False),
        (web(text="Nothing of the kind, at length."), False),
        (web(retrieved=False), False),
        (code(), False),
    ],
)
def test_only_an_exact_saved_excerpt_over_https_can_be_captured(unit: Unit, could: bool) -> None:
    assert could_be_captured(unit) is could


def test_an_empty_excerpt_is_found_nowhere() -> None:
    unit = web(excerpt="")
    assert EXCERPT
    assert row(unit, capture(unit, hidden_text=TEXT)).match is None

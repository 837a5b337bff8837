from __future__ import annotations

import time

import pytest

from evidence_lint.witness.lowering import is_reason, lacks, lowers, lowers_confidence

DENIED = (
    "Nothing to add.",
    "None documented.",
    "No finding was omitted, finding #2 included.",
    "We used 2 pages.",
    "See issue #2.",
    "All findings verified; finding #2 too.",
    "Useful further reading: https://arxiv.org/abs/2401.00001",
    "It is not true that finding #2 was omitted.",
    "Downgrade: none.",
    "No downgrade.",
    "This was not downgraded at all.",
    "finding #1 is fine",
    "Login again after 15 minutes: High requested and earned.",
    "Confidence downgrades: none",
    "Unverified findings omitted: 0",
    "finding #1 has no problems",
    "finding #1 was not downgraded or omitted",
    "Nothing was omitted; no downgrade was needed",
    "Finding #1 did not need to be downgraded",
    "finding #1 never failed",
    "finding #1: no issue",
    "(downgrade: -)",
    "finding #1 was captured live",
    "发现2没有被省略",
    "没有降级",
    "结论没有问题",
    "发现1未降级",
    "Downgrades of finding #1 - none",
    "There is nothing wrong with finding #1",
    "finding #1 is supported without exception",
    "No finding was omitted or downgraded: finding #1 holds.",
    "There was no need to downgrade finding #1.",
    "Downgrade of finding #1 is unnecessary.",
    "Follow-up: none planned",
    "Finding #1 wasn't downgraded.",
    "finding #1 is free of errors",
    "Neither a downgrade nor an omission was needed",
    "finding #1 cannot fail",
    "https://example.org/missing-page is worth reading",
    "No downgrades and no omissions",
)
TOLD = (
    "The code observation is not pinned to a commit, so it cannot support High confidence.",
    "finding #1 confidence downgraded from high to medium",
    "No independent laboratory figure for the influence of heat was found, so the third finding stays Low.",
    "Pages were read once, on 2 March 2026, and not captured live, so no finding states more than Medium.",
    "The page was not captured again in this run, so its excerpt cannot support High confidence.",
    "How long tapes last could not be supported over the years.",
    "`finding-tapes` was left out.",
    "One excerpt was not on its page.",
    "Omitted: finding #3 (what lamps cost). The minutes at https://c.example/x answered HTTP 403.",
    "Downgraded: the dimming rule, because the page was not captured live.",
    "The effect of warnings could not be supported.",
    "One finding was omitted.",
    "The second finding was omitted because its excerpt is absent.",
    "Idle sessions cost money: omitted, excerpt not in content.",
    "excerpt-not-in-content",
    "The quotation was not found.",
    "Finding #2 has no verified evidence and is left out",
    "Finding #2 has no verified evidence and was omitted.",
    "发现2因没有证据而被省略",
    "发现2没有得到证据支持",
    "第2条因证据不足未写入报告",
    "结论一的置信度由高降为中",
    "该页面未能实时抓取，因此降级",
    "finding #1: High → Medium",
    "Finding #1 stays at Medium: no live capture was made.",
    "finding #1 is capped at Medium",
    "Finding #1 is stated as Medium only",
    "finding #1 claim support is qualified: claim asserts numbers",
    "Finding #2 is excluded",
    "Finding 2 (tapes) - page returned 404 errors",
    "Omitted without evidence: finding #2",
    "No evidence, therefore finding #2 is not published.",
    "Nothing supports finding #2.",
    "The page of finding #2 isn't available.",
    "Without a live capture, finding #1 stays at Medium.",
    "finding #2 was withdrawn",
    "Not only the page of finding #2 is gone",
    "該当ページは未確認",
    "Befund 2 wurde weggelassen",
)


@pytest.mark.parametrize("text", DENIED)
def test_a_denial_tells_nothing(text: str) -> None:
    assert not lacks(text)


@pytest.mark.parametrize("text", TOLD)
def test_what_is_missing_is_told_in_own_words(text: str) -> None:
    assert lacks(text)


@pytest.mark.parametrize(
    "value", ["none.", "n/a", "-", "", "no downgrade", "none; all fine", "not needed", "无", "N/A (earned)"]
)
def test_no_reason(value: str) -> None:
    assert not is_reason(value)


@pytest.mark.parametrize(
    "value",
    [
        "no live capture was made.",
        "none of the receipts covers it",
        "not pinned",
        "没有实时抓取",
        "none; lowered to Medium",
    ],
)
def test_a_reason(value: str) -> None:
    assert is_reason(value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("High confidence was downgraded, since no page is live.", True),
        ("The confidence is capped at Medium.", True),
        ("This was not downgraded at all; its confidence is High.", False),
        ("The agency downgraded the bond.", False),
    ],
)
def test_a_lowered_confidence(text: str, told: bool) -> None:
    assert lowers_confidence(text) is told


def test_lowering_is_more_than_lacking() -> None:
    assert lowers("finding #1: High → Medium")
    assert not lowers("the page is missing")


@pytest.mark.parametrize(
    "noise", ["no " * 5000, "high " * 5000, "未" * 20_000, "is not " * 4000, "medium, " * 5000, "a" * 50_000]
)
def test_hostile_text_takes_no_time(noise: str) -> None:
    begin = time.process_time()
    lacks(noise)
    lowers_confidence(noise)
    is_reason(noise)
    assert time.process_time() - begin < 2

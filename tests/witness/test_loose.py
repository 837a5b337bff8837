from __future__ import annotations

import random

import pytest

from evidence_lint.witness import loose
from evidence_lint.witness.excerpts import Match, MatchKind, PageText


def find(page: str, excerpt: str) -> Match | None:
    return PageText(page).find(excerpt)


@pytest.mark.parametrize(
    ("page", "excerpt", "repair"),
    [
        ("recurrent orconvolutional networks", "recurrent or convolutional networks", loose.GLUED),
        ("isnot permitted at all", "is not permitted at all", loose.GLUED),
        ("recurrent or convolutional networks", "recurrent orconvolutional networks", loose.DIVIDED),
        ("Wert papierindexfonds", "Wertpapierindexfonds", loose.DIVIDED),
        ("the price-\ndetermining factor", "the price-determining factor", loose.HYPHENATED),
        ("the price-\ndetermining factor", "the pricedetermining factor", loose.HYPHENATED),
        ("it is permit-\nted to go", "it is permitted to go", loose.HYPHENATED),
        ("it is permit- ted to go", "it is permitted to go", loose.HYPHENATED),
        ("power\n-\nenhancing device", "power-enhancing device", loose.HYPHENATED),
        ("power\n-\nenhancing device", "powerenhancing device", loose.HYPHENATED),
        ("CVE-2021-\n44228 is bad", "CVE-2021-44228 is bad", loose.HYPHENATED),
        ("Termination clauseThe lessor shall pay", "The lessor shall pay", loose.BORDER),
        ("Termination clauseThe lessor shall pay", "Termination clause", loose.BORDER),
        ("the o ce is open today", "the office is open today", loose.LIGATURE),
        ("the o\ufffdce is open today", "the office is open today", loose.LIGATURE),
        ("the o\x0ece is open today", "the office is open today", loose.LIGATURE),
        ("the of ce is open today", "the office is open today", loose.LIGATURE),
        ("di erent methods exist", "different methods exist", loose.LIGATURE),
        ("\ufffdrst methods exist here", "first methods exist here", loose.LIGATURE),
        (
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0628\u0631\u0648\u0645",
            "\u0645\u06cc\u062e\u0648\u0627\u0647\u0645 \u0628\u0631\u0648\u0645",
            loose.JOINERS,
        ),
        ("nowhere to be seen at all", "now here to be seen at al", None),
    ],
)
def test_damage_is_repaired_and_named(page: str, excerpt: str, repair: str | None) -> None:
    match = find(page, excerpt)
    if repair is None:
        assert match is None
        return
    assert match is not None
    assert match.kind is MatchKind.LOOSE
    assert match.repairs == (repair,)


def test_the_span_is_the_damaged_text() -> None:
    page = "Before. It is permit-\nted to go. After."
    match = find(page, "It is permitted to go.")
    assert match is not None
    assert page[match.start : match.end] == "It is permit-\nted to go."


@pytest.mark.parametrize(
    ("page", "excerpt"),
    [
        ("you must re-sign the lease", "you must resign the lease"),
        ("you must resign the lease", "you must re-sign the lease"),
        ("it takes 1 5 minutes", "it takes 15 minutes"),
        ("it takes 15 minutes", "it takes 1 5 minutes"),
        ("v 1. 25 users", "v 1.25 users"),
        ("the value - 5 is cold", "the value -5 is cold"),
        ("from 10-\n20 users came", "from 1020 users came"),
        ("it is unable to do so", "able to do so"),
        ("isNotAllowed to do this", "Allowed to do this"),
        ("is notAllowed to do this", "Allowed to do this"),
        ("there was mist in the hall", "there was misfit in the hall"),
        ("he was at home today", "he was flat home today"),
        ("The lessor is not permitted to end it", "the lessor is permitted to end it"),
        ("a typical case is here", "atypical case is here"),
        ("it is useless now for all", "it is use less now for all"),
        ("it is invalid input here", "it is in valid input here"),
        ("word\u2014\nother things here", "wordother things here"),
        ("pre- and post-war years", "pre and post-war years"),
        ("the factor is 10\n000 units", "the factor is 10000 units"),
    ],
)
def test_words_and_numbers_are_never_repaired(page: str, excerpt: str) -> None:
    assert find(page, excerpt) is None


def test_lost_ligatures_need_a_page_that_lost_them_all() -> None:
    filler = "The quick brown dog runs over the lazy cat and never stops to look. " * 50
    assert find(filler + "The oce is open today.", "The office is open today.") is not None
    assert find(filler + "The oce is open today. A first one.", "The office is open today.") is None


def test_every_space_lost_or_moved_is_only_loose() -> None:
    words = [
        "recurrent",
        "networks",
        "process",
        "sequences",
        "by",
        "keeping",
        "state",
        "between",
        "steps",
        "of",
        "computation",
    ]
    rng = random.Random(3)
    text = " ".join(words)
    for _ in range(50):
        gap = rng.randrange(1, len(words))
        damaged = " ".join(words[:gap]) + "".join(words[gap:])
        match = find(damaged, text)
        assert match is not None
        assert match.kind is MatchKind.LOOSE


def test_periodic_text_stays_bounded() -> None:
    assert find("ab" * 40_000, "ab " * 300 + "c") is None
    assert find("a b " * 40_000, "ab" * 300 + " a c") is None
    assert find("fi " * 40_000, "ffi" * 300) is None

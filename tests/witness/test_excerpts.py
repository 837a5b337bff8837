from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evidence_lint.witness.excerpts import MatchKind, PageText, too_short
from evidence_lint.witness.normalize import normalize

PAGE = (
    "The lessor is not permitted to end the lease before 10 years have passed, unless the tenant agrees. "
    "In 2021 the rent was 1,250 euros (about $1,400); it grew by 4.5% a year.\n\n"
    "Version 2.10.3 listens on port 8080 and never retains logs for more than 30 days\u2014except audit logs."
)
WORDS = [
    *("the", "data", "is", "not", "kept", "never", "retains", "logs", "for", "15", "days", "1.25", "port", "8080"),
    *("unless", "tenant", "agrees", "notable", "able", "now", "here", "nowhere", "5", "x-ray", "don't", "a"),
]


def kind(page: str, excerpt: str) -> MatchKind | None:
    match = PageText(page).find(excerpt)
    return match and match.kind


@pytest.mark.parametrize(
    ("page", "excerpt"),
    [
        ("The \ufb01rst \u201co\ufb00er\u201d \u2014 now", 'the first "offer" - now'),
        ("raised $5 million in", "$5 million in"),
        ("the law\u2014compliant with rules", "compliant with rules"),
        ("dans l\u2019homme moderne", "homme moderne"),
        ("\u4f7f\u7528Python\u8fdb\u884c\u6570\u636e\u5206\u6790", "Python\u8fdb\u884c\u6570\u636e\u5206\u6790"),
        (
            "\u6570\u636e\u4e0d\u4f1a\u88ab\u4fdd\u7559\u5728\u670d\u52a1\u5668",
            "\u6570\u636e\u4e0d\u4f1a\u88ab\u4fdd\u7559",
        ),
        ("see _not a problem_ here", "not a problem"),
        ("Table 3\n250 patients were enrolled", "250 patients were enrolled"),
        ("15 minutes, or 5 minutes when warm", "5 minutes when warm"),
        ("Wert\u00adpapier\u200bindexfonds", "Wertpapierindexfonds"),
        ("end.Next sentence is here", "Next sentence is here"),
        ("(see fig.25 for more detail)", "25 for more detail"),
        ("A ... B literally stands here", "a \u2026 b literally stands"),
        ("run with --verbose to see all", "verbose to see all"),
        ("All the data is kept\u00b9 for ever", "All the data is kept"),
        ("\u00b9The lessor may end it", "The lessor may end it"),
        ("It is \u2019quoted words here\u2019 so", "quoted words here"),
        ("within 1\u2075 minutes of idleness", "within 1\u2075 minutes of idleness"),
        ("it takes 1\u00bd hours in all", "It takes 1\u00bd hours in all"),
        ("pure H\u2082O boils here", "pure H2O boils here"),
        ("step 1 \u2461 of the list", "step 1 \u2461 of the list"),
    ],
)
def test_exact(page: str, excerpt: str) -> None:
    assert kind(page, excerpt) is MatchKind.EXACT


@pytest.mark.parametrize(
    ("page", "excerpt"),
    [
        ("a notable problem here", "not a problem"),
        ("a notable problem here", "a not able problem here"),
        ("not able to do this now", "notable to do this now"),
        ("listens on port 8080 always", "listens on port 80"),
        ("it takes 15 minutes to boot", "5 minutes to boot"),
        ("version 1.25 is required", "version 1.2"),
        ("version 1.25 is required", "version 1."),
        ("version 1.25 is required", "25 is required"),
        ("costs 1,250 euros in all", "250 euros in all"),
        ("costs 1 250 euros in all", "250 euros in all"),
        ("costs 1\u202f250 euros in all", "it costs 1"),
        ("costs 1\u202f250 euros in all", "costs 1"),
        ("costs 1'250 euros in all", "250 euros in all"),
        ("the value is -5 degrees now", "5 degrees now"),
        ("the value is \u22125 degrees now", "5 degrees now"),
        ("grew by 5% in 2020", "grew by 5"),
        ("raised $5 million", "5 million"),
        ("is non-compliant with the rule", "compliant with the rule"),
        ("is compliant-free of the rule", "is compliant"),
        ("you can't do that here", "you can"),
        ("you can\u2019t do that here", "you can"),
        ("\u8017\u65f6\u5341\u4e94\u5206\u949f\u5b8c\u6210", "\u4e94\u5206\u949f\u5b8c\u6210"),
        ("\u8017\u65f615\u5206\u949f\u5b8c\u6210", "5\u5206\u949f\u5b8c\u6210"),
        ("\u51715\u4e07\u7528\u6237", "\u51715"),
        ("from 2019-2020 we saw", "2020 we saw"),
        ("from 2019\u20132020 we saw", "2020 we saw"),
        ("starts at 12:30 minutes", "30 minutes"),
        ("on 12/05/2020 it was", "05/2020 it was"),
        ("call foo_bar now please", "bar now please"),
        ("uses C++ always today", "uses C"),
        ("cafe\u0301 is good today", "cafe"),
        ("x\u0331 marks the place", "x"),
        ("The lessor is not permitted to end it", "the lessor is ... permitted to end it"),
        ("The lessor may act. Later, all is lost.", "The lessor may act ... all is lost."),
        ("It is a permit-\nted act", "It is a permit"),
        ("permit-\nted to end it", "ted to end it"),
        ("it needs an area of 100 km\u00b2", "it needs an area of 100 km"),
        ("about 10\u00b2 users came", "about 10"),
        ("runs on python3 today", "runs on python"),
        ("within 1\u2075 minutes of idleness", "within 15 minutes of idleness"),
        ("within 1\u2075 minutes of idleness", "5 minutes of idleness"),
        ("about 10\u00b2 users came", "about 102 users came"),
        ("about 10\u2082 users came", "about 102 users came"),
        ("it takes 1\u00bd hours in all", "it takes 11\u20442 hours in all"),
        ("step 1\u2461 of the list", "step 12 of the list"),
        ("version \u24885 is required", "version 1.5 is required"),
        ("anything", ""),
    ],
)
def test_no_match(page: str, excerpt: str) -> None:
    assert kind(page, excerpt) is None


def test_span_counts_original_characters() -> None:
    text = "\u00a0\u201cO\ufb03ce\u201d  hours:\u2003nine to five"
    match = PageText(text).find('office" hours: nine')
    assert match is not None
    assert text[match.start : match.end] == "O\ufb03ce\u201d  hours:\u2003nine"


@pytest.mark.parametrize(
    ("excerpt", "short"),
    [
        ("twelve chars", False),
        ("eleven char", True),
        ("a   b   c   d   e", True),
        ("\u6570\u636e\u4e0d\u4f1a\u4fdd\u7559", False),
        ("\u6570\u636e\u4e0d\u4fdd\u7559", True),
        ("API \u9650\u6d41\u7b56\u7565", False),
        ("\u30c7\u30fc\u30bf\u306f\u6d88\u3048", False),
        ("------------", True),
        ("", True),
    ],
)
def test_too_short(excerpt: str, short: bool) -> None:
    assert too_short(excerpt) is short


@given(st.text(max_size=120), st.data())
@settings(max_examples=300)
def test_any_slice_of_whole_words_is_exact(text: str, data: st.DataObject) -> None:
    tokens = text.split()
    assume(tokens)
    first = data.draw(st.integers(0, len(tokens) - 1))
    last = data.draw(st.integers(first + 1, len(tokens)))
    pattern = r"\s+".join(map(re.escape, tokens[first:last]))
    found = re.search(rf"(?<!\S){pattern}(?!\S)", text)
    assert found is not None
    excerpt = found[0]
    page = PageText(text)
    assume(normalize(excerpt))
    match = page.find(excerpt)
    spaced_number = re.search(r"\d[\s\u200b]+\d|-[\s\u200b]", page.text)  # "1 250" may be one number
    assert spaced_number or (match is not None and match.kind is MatchKind.EXACT)


def _mutants(words: list[str], at: int) -> list[list[str]]:
    dropped = words[:at] + words[at + 1 :]
    negated = [*words[:at], "not", *words[at:]]
    mutants = [dropped, negated]
    if at + 1 < len(words):
        mutants.append([*words[:at], words[at + 1], words[at], *words[at + 2 :]])
    if digit := re.search(r"\d", words[at]):
        changed = words[at][: digit.start()] + str((int(digit[0]) + 1) % 10) + words[at][digit.end() :]
        mutants.append([*words[:at], changed, *words[at + 1 :]])
    return [mutant for mutant in mutants if mutant != words]


@given(st.lists(st.sampled_from(WORDS), min_size=4, max_size=14), st.data())
@settings(max_examples=300)
def test_a_changed_excerpt_never_matches(words: list[str], data: st.DataObject) -> None:
    page = " ".join(words)
    first = data.draw(st.integers(0, len(words) - 3))
    last = data.draw(st.integers(first + 3, len(words)))
    chosen = words[first:last]
    for mutant in _mutants(chosen, data.draw(st.integers(0, len(chosen) - 1))):
        excerpt = " ".join(mutant)
        if f" {excerpt} " not in f" {page} ":
            assert kind(page, excerpt) is not MatchKind.EXACT
            if excerpt.replace(" ", "") not in page.replace(" ", ""):
                assert kind(page, excerpt) is None


def test_every_changed_word_of_a_real_page_is_caught() -> None:
    page = PageText(PAGE)
    words = PAGE.split()
    for first in range(len(words) - 6):
        chosen = words[first : first + 6]
        excerpt = " ".join(chosen)
        match = page.find(excerpt)
        assert match is not None, excerpt
        assert match.kind is MatchKind.EXACT
        for at in range(1, 5):
            for mutant in _mutants(chosen, at):
                assert page.find(" ".join(mutant)) is None, mutant


def test_many_rejected_occurrences_stay_bounded() -> None:
    assert PageText("1" * 50_000).find("1" * 12) is None
    assert PageText("ab " * 50_000 + "abc").find("ab ab ab ab ab x") is None


def test_context_is_one_line() -> None:
    page = PageText("one\ntwo three\nfour five")
    assert page.context(8, 13, chars=5) == "two three four"

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.witness.excerpts import PageText
from evidence_lint.witness.quotes import is_quotable, quotations, quote_occurs

PAGE = (
    "The lessor is not permitted to end it before ten years. The tenant may leave at any time, "
    "after a notice of three months. Rents rose by -5 percent in a bad year."
)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('He said "the data is never kept" and left.', ["the data is never kept"]),
        ("He said “the data is never kept” and left.", ["the data is never kept"]),
        ("Er sagte „die Daten werden nie gespeichert“ hier.", ["die Daten werden nie gespeichert"]),
        ("Er sagte »die Daten werden nie gespeichert« hier.", ["die Daten werden nie gespeichert"]),
        ("Hon sa ”data sparas aldrig hos oss” idag.", ["data sparas aldrig hos oss"]),
        ("Il dit « ces données sont gardées » ici.", [" ces données sont gardées "]),
        ('他说"数据不会被长期保留"，然后离开', ["数据不会被长期保留"]),
        ("他说“数据不会被长期保留”，然后离开", ["数据不会被长期保留"]),
        ("彼は「データは保存されません」と言った", ["データは保存されません"]),
        ("「他说『数据不会保留』」", ["他说『数据不会保留』"]),
        ("It says 'the data is never kept' here.", ["the data is never kept"]),
        ("It says ‘the data isn’t ever kept’ here.", ["the data isn’t ever kept"]),
        ('“curly open with straight close" and more', ["curly open with straight close"]),
        ('He wrote "foo bar", "the second one is long" and "x".', ["the second one is long"]),
        ("“outer words say ‘inner words are here’ too” ok", ["outer words say ‘inner words are here’ too"]),
        ('"a 5" disk is here today" he said', ['a 5" disk is here today']),
        ('An "unbalanced mark\n\nhere "four words are here" ok', ["four words are here"]),
        ("'the users' data is kept for ten years', it says", ["the users' data is kept for ten years"]),
        ("(“we never_sell user data”)", ["we never_sell user data"]),
    ],
)
def test_quotations(text: str, quoted: list[str]) -> None:
    found = quotations(text)
    assert [quotation.text for quotation in found] == quoted
    for quotation in found:
        assert text[quotation.start + 1 : quotation.end - 1] == quotation.text


@pytest.mark.parametrize(
    "text",
    [
        "根据《中华人民共和国网络安全法》规定",
        "the users' data and the admins' data is here",
        "don't do this, it's what they can't do, isn't it",
        "rock 'n' roll in the '90s and the '80s were great",
        'A 5" disk and a 3.5" disk are both here now',
        "the 6' 2\" man and the 5' 4\" woman went home together",
        "'the terms' were set and the users' data went away",
        'the so-called "agentic" mode and the "fast" one',
        "用了「数据库」和“缓存”两个词",
        "an “unclosed quotation that never ends at all",
        "“a quotation that crosses\n\na blank line here”",
        "「データベース」を使う",
        "“" + "word " * 500 + "”",
        'x["a"] == y["b"] and z["c"] != w["d"]',
        "",
    ],
)
def test_no_quotation(text: str) -> None:
    assert quotations(text) == []


@given(st.text(alphabet="ab 5.\n'\"“”‘’„«»‹›「」『』数s", max_size=80))
def test_any_marks_give_sane_spans(text: str) -> None:
    end = 0
    for quotation in quotations(text):
        assert end <= quotation.start < quotation.end <= len(text)
        assert "\n\n" not in quotation.text
        assert is_quotable(quotation.text)
        end = quotation.end


@pytest.mark.parametrize("unit", ["“a", '"a ', "'a ", '"a" ', "“”", '"a" b" ', "‘a’s ", "« ", '"5" a '])
def test_hostile_marks_stay_linear(unit: str) -> None:
    begun = time.process_time()
    quotations(unit * 50_000)
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "quote",
    [
        "the tenant may leave at any time",
        "The tenant may leave at any time.",
        ", the tenant may leave at any time,",
        "The tenant may leave ... after a notice of three months",
        "The lessor is not permitted […] before ten years",
        "...may leave at any time…",
        "[t]he tenant may leave at any time",
        "the tenant [sic] may leave at any time",
        "rose by -5 percent in a bad year",
    ],
)
def test_occurs(quote: str) -> None:
    assert quote_occurs(quote, ["Another text.", PAGE])
    assert quote_occurs(quote, [PageText(PAGE)])


@pytest.mark.parametrize(
    "quote",
    [
        "the lessor is permitted to end it",
        "the lessor is ... permitted to end it",
        "The lessor is … before ten years",
        "after a notice of three months … the tenant may leave",
        "The lessor ... tenant ... leave",
        "[no tenant] may leave at any time",
        "[It] is permitted to end it before ten years",
        "The tenant may leave after a notice of [5] months",
        "The tenant may leave [only] at any time",
        "rose by 5 percent in a bad year",
        "...",
        "",
    ],
)
def test_does_not_occur(quote: str) -> None:
    assert not quote_occurs(quote, [PAGE])


def test_parts_must_stand_in_one_text_and_near() -> None:
    first, second = "the tenant may leave early", "after a short written notice"
    quote = f"{first} ... {second}"
    assert quote_occurs(quote, [f"{first} today {second}"])
    assert not quote_occurs(quote, [first, second])
    assert not quote_occurs(quote, [first + " some words" * 100 + " " + second])
    assert quote_occurs(quote, [first + " some words" * 100 + " " + f"{first} today {second}"])


def test_damage_of_the_page_is_not_the_quotes_fault() -> None:
    assert quote_occurs("recurrent or convolutional networks", ["recurrent orconvolutional networks"])


@pytest.mark.parametrize(
    ("quote", "page"),
    [
        ("Users may say 'hello, world' at any time", "Users may say “hello, world” at any time."),
        ("press the ‘Start’ button twice and wait", 'Then press the "Start" button twice and wait.'),
        ("我们不会出售用户的『个人数据』给第三方", "他说：我们不会出售用户的‘个人数据’给第三方。"),
        ("[The system] keeps logs for ninety days at least", "It keeps logs for ninety days at least."),
        ("It keeps [access] logs for [some] days or more", "It keeps logs for nine days or more."),
        ("It keeps logs for ninety days [or more]", "It keeps logs for ninety days after that."),
    ],
)
def test_occurs_with_other_inner_marks_or_an_editors_brackets(quote: str, page: str) -> None:
    assert quote_occurs(quote, [page])


@pytest.mark.parametrize(
    ("quote", "page"),
    [
        ("the 'result' of each drill", "the result of each drill"),
        ("a 5' by 6' board of wood", 'a 5" by 6" board of wood'),
        ("[The system] keeps logs for ninety days", "It never keeps logs for ninety days."),
        ("[The system] keeps logs for ninety days", "It keeps logs for nine days."),
        ("It [never] keeps logs for ninety days", "It keeps logs for ninety days."),
        ("It keeps logs for [90] days or more", "It keeps logs for nine days or more."),
        ("It keeps logs for ninety days [or more]", "It keeps logs for ninety days, unless told otherwise."),
        ("Das Gerät ist [stets] für Dauerbetrieb geeignet", "Das Gerät ist nicht für Dauerbetrieb geeignet."),
    ],
)
def test_brackets_and_marks_hide_no_change(quote: str, page: str) -> None:
    assert not quote_occurs(quote, [page])

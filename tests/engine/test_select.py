from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.engine.catalogue import Catalogue, load_catalogue
from evidence_lint.engine.select import NodeFilter, compile_keyword, matching, nearest, select_rules
from evidence_lint.errors import SelectionError, UsageError
from tests.support.engine_support import make_rule, notes_catalogue, yields


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def codes(rules: object) -> set[str]:
    return {rule.code for rule in rules}  # type: ignore[attr-defined]


def test_codes_names_families_and_prefixes(catalogue: Catalogue) -> None:
    assert codes(matching(catalogue, "web104")) == {"WEB104"}
    assert codes(matching(catalogue, " excerpt-not-in-content ")) == {"WEB104"}
    assert codes(matching(catalogue, "WEB")) == {rule.code for rule in catalogue.rules if rule.family == "WEB"}
    assert codes(matching(catalogue, "WEB10")) == {c for c in codes(catalogue.rules) if c.startswith("WEB10")}
    assert matching(catalogue, "all") == frozenset(catalogue.rules)


@pytest.mark.parametrize("word", ["", "W", "WE", "WEB9", "nonsense", "*", "WEB104x"])
def test_what_names_nothing_is_an_error(catalogue: Catalogue, word: str) -> None:
    with pytest.raises(SelectionError, match=f"{re.escape(repr(word))} names no rule or family"):
        matching(catalogue, word)


@pytest.mark.parametrize(("word", "near"), [("WEB14", "WEB104"), ("excerpt-not-in-contents", "excerpt-not-in-content")])
def test_the_nearest_name_is_offered(catalogue: Catalogue, word: str, near: str) -> None:
    assert near[:4] in nearest(catalogue, word)
    assert "did you mean" in nearest(catalogue, word)


def test_the_more_specific_selector_wins(catalogue: Catalogue) -> None:
    assert codes(select_rules(catalogue, ["WEB104"], ["WEB"])) == {"WEB104"}
    assert "WEB104" not in codes(select_rules(catalogue, ["WEB"], ["WEB104"]))
    assert "WEB104" not in codes(select_rules(catalogue, ["WEB104"], ["WEB104"]))
    assert codes(select_rules(catalogue, ["WEB"], ["WEB10"])) == {
        code for code in codes(catalogue.rules) if code.startswith("WEB") and not code.startswith("WEB10")
    }
    assert codes(select_rules(catalogue, ["ALL", "WEB104"], ["WEB"])) >= {"WEB104", "CIT101"}
    assert "WEB105" not in codes(select_rules(catalogue, ["ALL", "WEB104"], ["WEB"]))
    assert not select_rules(catalogue, ["WEB"], ["ALL", "WEB"])


def test_a_family_of_one_rule_is_less_specific_than_its_rule() -> None:
    small = notes_catalogue([make_rule(yields(), "NOTE101", "note-bad")])
    assert codes(select_rules(small, ["NOTE101"], ["NOTE"])) == {"NOTE101"}
    assert not select_rules(small, ["NOTE"], ["NOTE101"])


def test_rules_come_in_the_order_of_the_catalogue(catalogue: Catalogue) -> None:
    chosen = select_rules(catalogue, ["WEB", "IN"], [])
    assert [rule.code for rule in chosen] == sorted(codes(chosen))
    assert select_rules(catalogue, [], []) == list(catalogue.rules)


NODE = "docs/report.md::finding-1::excerpt-not-in-content"


@pytest.mark.parametrize(
    ("expression", "fits"),
    [
        ("finding-1", True),
        ("FINDING", True),
        ("finding-2", False),
        ("not finding-2", True),
        ("finding-1 and excerpt", True),
        ("finding-2 or excerpt and not docs", False),
        ("(finding-2 or excerpt) and docs", True),
        ("not (finding-2 or docs)", False),
        ("not not docs", True),
        ("NOT docs OR report", True),
        ("::finding-1::", True),
    ],
)
def test_keyword_expressions(expression: str, fits: bool) -> None:
    assert compile_keyword(expression)(NODE) is fits


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("", "a word is missing"),
        ("and", "a word is missing"),
        ("a and", "a word is missing"),
        ("a or or b", "a word is missing"),
        ("(a", "a parenthesis is not closed"),
        ("a)", "unexpected '\\)'"),
        ("a b", "unexpected 'b'"),
        ("()", "a word is missing"),
        ("not", "a word is missing"),
        ("(" * 5000 + "a" + ")" * 5000, "more than 100 words"),
        ("not " * 5000 + "a", "more than 100 words"),
    ],
)
def test_wrong_keyword_expressions(expression: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        compile_keyword(expression)


WORDS = ("docs", "finding-1", "absent", "excerpt", "nothing")
TREES = st.recursive(
    st.sampled_from(WORDS),
    lambda inner: st.one_of(st.tuples(st.just("not"), inner), st.tuples(inner, st.sampled_from(["and", "or"]), inner)),
    max_leaves=10,
)


def _text(tree: object) -> str:
    match tree:
        case ("not", inner):
            return f"not {_text(inner)}"
        case (left, word, right):
            return f"({_text(left)} {word} {_text(right)})"
        case _:
            return str(tree)


def _value(tree: object) -> bool:
    match tree:
        case ("not", inner):
            return not _value(inner)
        case (left, "and", right):
            return _value(left) and _value(right)
        case (left, "or", right):
            return _value(left) or _value(right)
        case _:
            return str(tree) in NODE


@given(TREES)
def test_keyword_expressions_mean_what_they_say(tree: object) -> None:
    assert compile_keyword(_text(tree))(NODE) is _value(tree)


@given(st.lists(st.sampled_from(["a", "docs", "and", "or", "not", "(", ")"]), max_size=12))
def test_any_keyword_expression_is_understood_or_refused(tokens: list[str]) -> None:
    try:
        test = compile_keyword(" ".join(tokens))
    except UsageError:
        return
    source = " ".join({"a": "False", "docs": "True"}.get(token, token) for token in tokens)
    assert test("docs") is eval(source)


@given(st.text(max_size=30))
def test_no_text_breaks_the_parser(text: str) -> None:
    try:
        compile_keyword(text)(NODE)
    except UsageError as problem:
        assert str(problem).startswith("-k ")


@pytest.mark.parametrize(
    ("wanted", "allowed"),
    [
        ((), True),
        (("finding-1",), True),
        (("finding-1::excerpt-not-in-content",), True),
        (("finding-1::excerpt-not-in-content[2]",), True),
        (("finding",), False),
        (("finding-2", "finding-1"), True),
        (("finding-1::excerpt",), False),
    ],
)
def test_nodes_of_the_command_line(wanted: tuple[str, ...], allowed: bool) -> None:
    assert NodeFilter(wanted).allows("docs/report.md", "finding-1", "excerpt-not-in-content") is allowed


def test_subjects_may_bear_numbers_of_their_own() -> None:
    assert NodeFilter(("finding-1[2]",)).allows("r.md", "finding-1[2]", "rule")
    assert NodeFilter(("finding-1[2]::rule",)).allows("r.md", "finding-1[2]", "rule")


def test_a_rule_whose_subjects_are_unknown_may_be_wanted() -> None:
    assert NodeFilter(("finding-1",)).may_allow("r.md", "some-rule")
    assert NodeFilter(("finding-1::some-rule",)).may_allow("r.md", "some-rule")
    assert not NodeFilter(("finding-1::other-rule",)).may_allow("r.md", "some-rule")
    assert not NodeFilter(keyword=lambda node, code: False).may_allow("r.md", "some-rule")


def test_nodes_that_nothing_answers_to() -> None:
    wanted = NodeFilter(("finding-1", "finding-2::rule", "finding-3::lost"))
    assert wanted.unanswered({"finding-1::rule"}, {"lost"}) == ["finding-2::rule"]

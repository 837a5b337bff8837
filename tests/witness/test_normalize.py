from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_lint.witness import normalize as module
from evidence_lint.witness.normalize import NormalizedText, normalize

AWKWARD = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            "aAbK1 \n\t'-.\u00e9\u0301\u0323\u0345"
            "\u034f\u00ad\u200b\u200d\u00a8\u00b4\u2026\ufb01\u1e9e\u0130\u3099\uff9e"
            "\uff8a\u30cf\u1100\u1161\u11a8\uac00\u09be\u09c7\u03b1\u1fb4\ufdfa\u2009\u00a0\u3000\u2014\u4e2d\u0085\u2028"
            "\u2075\u00b2\u2081\u00bd\u2460\u2488\u3358\u0664\u207b"
        ),
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  The\u00a0Lessor\u2009may\r\nend  it ", "the lessor may end it"),
        ("\u201cquoted\u201d \u2018it\u2019s\u2019 \u00abso\u00bb", '"quoted" \'it\'s\' "so"'),
        ("a\u2013b\u2014c\u2212d\u2011e", "a-b-c-d-e"),
        ("wait\u2026", "wait..."),
        ("Wert\u00adpapier\u200bindex\u2060fonds\ufeff", "wertpapierindexfonds"),
        ("\u202ertl\u202c\u200f", "rtl"),
        ("o\ufb03ce \ufb01rst", "office first"),
        ("e\u200b\u0301", "\u00e9"),
        ("STRASSE Stra\u00dfe", "strasse strasse"),
        ("\uff21\uff22\uff0c\uff11", "ab,1"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
        ("\u200b \ufeff", ""),
        ("", ""),
    ],
)
def test_formatting_falls_away(text: str, expected: str) -> None:
    assert normalize(text) == expected


@given(AWKWARD)
@settings(max_examples=300)
def test_is_idempotent_and_composed(text: str) -> None:
    once = normalize(text)
    assert normalize(once) == once
    assert unicodedata.is_normalized("NFKC", once)


@pytest.mark.parametrize("block", [1, 3, 7])
@given(text=AWKWARD)
@settings(max_examples=150)
def test_blocks_do_not_change_the_result(block: int, text: str) -> None:
    whole = normalize(text)
    usual = module.BLOCK
    module.BLOCK = block
    try:
        assert NormalizedText(text).text == whole
    finally:
        module.BLOCK = usual


@given(AWKWARD, st.data())
@settings(max_examples=300)
def test_spans_lead_back(text: str, data: st.DataObject) -> None:
    page = NormalizedText(text)
    start = data.draw(st.integers(0, len(page.text)))
    end = data.draw(st.integers(start, len(page.text)))
    first, last = page.original_span(start, end)
    assert 0 <= first <= last <= len(text)
    assert page.text[start:end].strip() in normalize(text[first:last])


def test_spans_are_exact_across_blocks() -> None:
    words = [f"W\u00f6rt{n}\u2019s" for n in range(20_000)]
    text = " \n".join(words)
    page = NormalizedText(text)
    for n in (0, 1, 4_000, 9_999, 19_999):
        wanted = f"w\u00f6rt{n}'s"
        at = page.text.index(wanted + (" " if n < 19_999 else ""))
        first, last = page.original_span(at, at + len(wanted))
        assert text[first:last] == words[n]


def test_a_span_outside_is_refused() -> None:
    with pytest.raises(ValueError, match="outside"):
        NormalizedText("abc").original_span(2, 9)


@pytest.mark.parametrize("text", ["a" + "\u0321\u0300" * 60_000, "\u0323\uff9e" * 40_000, "\u00a8" * 50_000])
def test_hostile_marks_stay_linear(text: str) -> None:
    begun = time.process_time()
    page = NormalizedText(text)
    assert normalize(page.text) == page.text
    assert time.process_time() - begun < 5


def test_wide_ligatures_do_not_make_a_page_many_times_as_long() -> None:
    page = NormalizedText("ﷺ" * 500_000 + " the end")
    assert len(page.text) < 3_000_000
    at = page.text.index("the end")
    assert page.original_span(at, at + 7) == (500_001, 500_008)

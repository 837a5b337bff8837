from __future__ import annotations

import time

import pytest

from evidence_lint.witness.excerpts import DiffPart, PageText
from evidence_lint.witness.nearest import word_diff

FILLER = "Other sentences of the page speak of other matters and fill the space between. "
TRUE = "The lessor is not permitted to end the lease before ten years have passed."


def test_finds_the_passage_and_says_what_differs() -> None:
    text = FILLER * 200 + TRUE + " " + FILLER * 200
    nearest = PageText(text).nearest("The lessor is permitted to end the lease before five years have passed.")
    assert nearest is not None
    assert nearest.passage == TRUE
    assert text[nearest.start : nearest.end] == TRUE
    assert 0.85 < nearest.similarity < 1
    changes = [part for part in nearest.diff if part.op != "equal"]
    assert changes == [DiffPart("delete", "not", ""), DiffPart("replace", "ten", "five")]


def test_long_passages_that_differ_by_a_comma() -> None:
    passage = " ".join(f"word{n} stands" for n in range(300))
    nearest = PageText(FILLER * 20 + passage + " " + FILLER * 20).nearest(passage.replace("word150", "word150,"))
    assert nearest is not None
    assert nearest.similarity > 0.99
    assert [part for part in nearest.diff if part.op != "equal"] == [DiffPart("insert", "", ",")]


def test_chinese() -> None:
    nearest = PageText(
        "\u6570\u636e\u4e0d\u4f1a\u88ab\u957f\u671f\u4fdd\u7559\u5728\u670d\u52a1\u5668\u4e0a\u3002"
    ).nearest("\u6570\u636e\u4f1a\u88ab\u957f\u671f\u4fdd\u7559\u5728\u670d\u52a1\u5668\u4e0a")
    assert nearest is not None
    assert DiffPart("delete", "\u4e0d", "") in nearest.diff


@pytest.mark.parametrize(("page", "excerpt"), [("", "some words"), ("some page", ""), ("abc def", "12345 67890")])
def test_nothing_alike(page: str, excerpt: str) -> None:
    assert PageText(page).nearest(excerpt) is None


def test_a_page_shorter_than_the_excerpt() -> None:
    nearest = PageText("The lessor pays.").nearest(
        "The lessor pays the rent and every other cost of the house at once."
    )
    assert nearest is not None
    assert nearest.passage == "The lessor pays."


def test_diff_keeps_the_spelling_of_both_sides() -> None:
    parts = word_diff("The \u201cRed\u201d House", 'the "red" horse')
    assert parts == (DiffPart("equal", "The \u201cRed\u201d", 'the "red"'), DiffPart("replace", "House", "horse"))


@pytest.mark.parametrize("text", ["the " * 100_000, "a" * 300_000, "\u4e0d" * 200_000])
def test_hostile_pages_stay_bounded(text: str) -> None:
    begun = time.process_time()
    PageText(text).nearest(text[:3000] + " ending differently")
    assert time.process_time() - begun < 10

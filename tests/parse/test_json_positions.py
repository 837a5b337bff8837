"""JSON pointers to characters."""

from __future__ import annotations

import json
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.model.location import Span, pointer
from evidence_lint.parse.json_positions import PointerIndex

TEXT = '  {"a": [1, {"b~/": "x"}], "é\U0001f600": {"k": [true]}, "": -1.5e3, "e": [], "o": {}} \n'


def found(text: str, path: str, *, key: bool = False, lines: bool = False) -> str | None:
    span = PointerIndex(text, lines=lines).span(path, key=key)
    return None if span is None else span.of(text)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("", TEXT.strip()),
        ("/a", '[1, {"b~/": "x"}]'),
        ("/a/0", "1"),
        ("/a/1/b~0~1", '"x"'),
        ("/é\U0001f600/k/0", "true"),
        ("/", "-1.5e3"),
        ("/e", "[]"),
        ("/o", "{}"),
    ],
)
def test_values(path: str, value: str) -> None:
    assert found(TEXT, path) == value


def test_member_names() -> None:
    assert found(TEXT, "/é\U0001f600", key=True) == '"é\U0001f600"'
    assert found(TEXT, "/a/1/b~0~1", key=True) == '"b~/"'
    assert found(TEXT, "/a/0", key=True) == "1", "an entry of an array has no name"
    assert found(TEXT, "", key=True) == TEXT.strip()


@pytest.mark.parametrize(
    ("path", "parent"),
    [
        ("/é\U0001f600/k/7", "[true]"),
        ("/é\U0001f600/k/00", "[true]"),
        ("/é\U0001f600/k/-1", "[true]"),
        ("/é\U0001f600/k/\u0661", "[true]"),
        ("/a/0/x/y", "1"),
        ("/e/0", "[]"),
        ("/o/x", "{}"),
        ("/nowhere", TEXT.strip()),
        ("/a/" + "9" * 10_000, '[1, {"b~/": "x"}]'),
    ],
)
def test_nearest_parent_stands_in(path: str, parent: str) -> None:
    assert found(TEXT, path) == parent
    assert found(TEXT, path, key=True) == parent


@pytest.mark.parametrize("text", ["", "  ", "{", '{"a" 1}', '{"a": 1', "[1 2]", "nope", "{1: 2}", "[" * 100_000, '["a'])
def test_what_is_no_json_has_no_places_and_raises_nothing(text: str) -> None:
    index = PointerIndex(text)
    for path in ("", "/a", "/0", "/0/0"):
        span = index.span(path)
        assert span is None or span.end <= len(text)


def test_a_malformed_pointer_has_no_place() -> None:
    assert found(TEXT, "a/0") is None


def test_the_last_of_equal_keys_counts_as_in_the_parsed_value() -> None:
    assert found('{"a": 1, "\\u0061": 2}', "/a") == "2"


def test_rows_of_jsonl() -> None:
    text = '{"a": 1}\r\n\n{"b": [2, "ü"]}\n3'
    assert found(text, "/0", lines=True) == '{"a": 1}'
    assert found(text, "/1/b/1", lines=True) == '"ü"'
    assert found(text, "/1/b", lines=True, key=True) == '"b"'
    assert found(text, "/2", lines=True) == "3"
    assert found(text, "/3", lines=True) == text
    assert found(text, "", lines=True) == text
    assert found("\n", "/0", lines=True) is None


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


def places(value: object, at: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], object]]:
    here = [(at, value)]
    if isinstance(value, dict):
        return here + [place for key, item in value.items() for place in places(item, (*at, key))]
    if isinstance(value, list):
        return here + [place for index, item in enumerate(value) for place in places(item, (*at, index))]
    return here


@given(VALUES, st.sampled_from([None, 0, 2]), st.booleans())
def test_every_place_of_every_document(value: object, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    index = PointerIndex(text)
    for parts, expected in places(value):
        span = index.span(pointer(*parts))
        assert span is not None
        assert json.loads(span.of(text)) == expected
        if parts and isinstance(parts[-1], str):
            name = index.span(pointer(*parts), key=True)
            assert name is not None
            assert json.loads(name.of(text)) == parts[-1]


def test_many_pointers_into_many_rows_stay_linear() -> None:
    text = json.dumps({"items": [{"url": "u", "n": number, "x": ["y"]} for number in range(20_000)]})
    index = PointerIndex(text)
    began = time.process_time()
    spans = [index.span(f"/items/{number}/n") for number in range(20_000)]
    assert time.process_time() - began < 5
    assert spans[19_999] is not None
    assert spans[19_999].of(text) == "19999"


def test_shared_between_threads() -> None:
    rows = [{"a": [number]} for number in range(300)]
    text = json.dumps(rows)
    index = PointerIndex(text)
    wrong: list[int] = []

    def work() -> None:
        for number in range(300):
            span = index.span(f"/{number}/a/0")
            if span is None or span.of(text) != str(number):
                wrong.append(number)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_span_of_a_deep_value_with_a_byte_heavy_text() -> None:
    text = '{"ключ": "значение", "b": 1}'
    assert PointerIndex(text).span("/b") == Span(26, 27)

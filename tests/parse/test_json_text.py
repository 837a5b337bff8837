"""JSON and JSONL: values of sound texts, exact faults of the others."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.model.artifact import Artifact, ArtifactFault, FaultKind, Medium
from evidence_lint.parse.json_faults import MAX_DEPTH, MAX_FAULTS, diagnose, shorten
from evidence_lint.parse.json_text import parse_artifact, parse_json, parse_jsonl

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def faults(text: str) -> list[tuple[str, str]]:
    """Message and text of each fault."""
    parsed = parse_json(text)
    assert parsed.data is None
    assert all(fault.kind is FaultKind.INVALID_JSON for fault in parsed.faults)
    return [(fault.message, text[fault.offset : fault.end]) for fault in parsed.faults]


@given(JSON_VALUES, st.sampled_from([None, 1]), st.booleans())
def test_sound_texts_give_what_was_written(value: object, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    parsed = parse_json(text)
    assert parsed.faults == ()
    assert parsed.data == value
    assert diagnose(text).faults == []


@given(st.text(alphabet='[]{}:,"\\ \n\ttfn0123eE+-.aNu\x00é', max_size=30))
def test_agrees_with_the_standard_library_on_what_is_json(text: str) -> None:
    try:
        json.loads(text, parse_constant=lambda word: 1 / 0)
        valid = True
    except (ValueError, ZeroDivisionError):
        valid = False
    parsed = parse_json(text)
    if not valid:
        assert parsed.faults
        assert parsed.data is None
        assert diagnose(text).faults, "every refused text is explained"
    for fault in parsed.faults:
        assert fault.offset is not None
        assert fault.end is not None
        assert 0 <= fault.offset <= fault.end <= len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("there is no JSON in it", "")]),
        (" \n", [("there is no JSON in it", " \n")]),
        ("[1,]", [("a comma stands before ], and no value follows", "]")]),
        ('{"a":1,}', [("a comma stands before }, and no member follows", "}")]),
        ("]", [("a value is expected, not ]", "]")]),
        ("[1 2]", [("a comma or ] is expected, not 2", "2")]),
        ('{"a" 1}', [("a colon after the key is expected, not 1", "1")]),
        ("{'a': 1}", [("a key in double quotes or } is expected, not '", "'")]),
        ("[1] // x", [("the document is complete, and / follows", "/")]),
        ("[01]", [("a comma or ] is expected, not 1", "1")]),
        ("[True]", [("a value or ] is expected, not True", "True")]),
        ("\ufeff{}", [("a value is expected, not U+FEFF", "\ufeff")]),
        ('["a\nb"]', [("a line break inside a string, where it has to be escaped", "\n")]),
        ('["a\x07b"]', [("a control character U+0007 inside a string, where it has to be escaped", "\x07")]),
        ('["\\x41"]', [("a backslash that begins no JSON escape", "\\x")]),
        ('["abc', [("it ends inside a string, whose closing quote is missing", '"abc')]),
        ('{"a": 1', [("it ends too early: a comma or } is missing", "")]),
        ("[1}", [("a comma or ] is expected, not }", "}")]),
        ("[NaN, -Infinity]", [("NaN is no JSON number", "NaN"), ("-Infinity is no JSON number", "-Infinity")]),
        ("[1e999]", [("the number 1e999 is too large", "1e999")]),
    ],
)
def test_faults_are_told_in_words_at_exact_characters(text: str, expected: list[tuple[str, str]]) -> None:
    assert faults(text) == expected


def test_duplicate_keys_are_told_at_the_second_key_however_spelled() -> None:
    text = '{"é": 1, "a": {"b": 1, "b": 2}, "\\u0061": 3, "c": [{"b": 1}, {"b": 2}]}'
    assert faults(text) == [
        ('the key "b" occurs twice in one object', '"b"'),
        ('the key "\\u0061" occurs twice in one object', '"\\u0061"'),
    ]
    assert [fault.offset for fault in parse_json(text).faults] == [23, 32]


def test_duplicates_and_the_first_syntax_error_are_both_told() -> None:
    assert [message for message, _ in faults('{"a": 1, "a": 2, oops}')] == [
        'the key "a" occurs twice in one object',
        "a key in double quotes is expected, not oops",
    ]


def test_huge_numbers_are_refused_at_their_place() -> None:
    digits = "9" * 5000
    assert faults(f'{{"n": {digits}}}') == [("a number of 5000 characters", digits)]
    assert faults(f"[0.{digits}]") == [("a number of 5002 characters", f"0.{digits}")]
    assert parse_json("9" * 300).data == int("9" * 300)


def test_depth_is_limited_exactly() -> None:
    assert parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH).faults == ()
    too_deep = '{"a":' * MAX_DEPTH + "[]" + "}" * MAX_DEPTH
    assert faults(too_deep) == [(f"nested deeper than {MAX_DEPTH} levels", "[")]
    assert faults("[" * 500_000) == [(f"nested deeper than {MAX_DEPTH} levels", "[")]


def test_a_nearly_full_stack_is_a_fault_and_not_an_exception() -> None:
    seen: list[tuple[ArtifactFault, ...]] = []

    def dive(depth: int) -> None:
        if depth:
            dive(depth - 1)
        else:
            seen.append(parse_json("[" * 100 + "]" * 100).faults)

    here = len(__import__("inspect").stack(0))
    if sys.version_info < (3, 12):
        dive(sys.getrecursionlimit() - here - 60)
        assert [fault.message for fault in seen[0]] == ["too little stack is left to parse it"]
    else:
        dive(100)
        assert seen == [()]


def test_the_recursion_limit_is_left_alone_and_threads_do_not_disturb_each_other() -> None:
    limit = sys.getrecursionlimit()
    found: list[object] = []

    def work(number: int) -> None:
        for _ in range(50):
            found.append(parse_json(f'{{"k{number}": [{number}, {{"k": {number}}}]}}').data)
            found.append(bool(parse_json("[" * 200 + "]" * 200).faults))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sys.getrecursionlimit() == limit
    assert len(found) == 400
    assert all(item is True or (isinstance(item, dict) and len(item) == 1) for item in found)


def test_half_a_surrogate_pair_becomes_a_replacement_character() -> None:
    parsed = parse_json('{"\\udfff": ["a\\ud800b", "\\ud83d\\ude00", "plain", 1]}')
    assert parsed.data == {"\ufffd": ["a\ufffdb", "\U0001f600", "plain", 1]}
    json.dumps(parsed.data, ensure_ascii=False).encode()


def test_faults_are_bounded_and_the_rest_is_counted() -> None:
    text = "[" + ",".join(["NaN"] * 1000) + "]"
    parsed = parse_json(text)
    assert len(parsed.faults) == MAX_FAULTS + 1
    assert parsed.faults[-1].message == "and 900 more of such faults"


@pytest.mark.parametrize("part", ['"\\', '"a', "[", '{"a":', "1", " ", "\\", "-", ",", "[1,"])
def test_diagnosis_is_linear(part: str) -> None:
    diagnose(part * 300_000)


def test_rows_of_jsonl_stand_alone() -> None:
    text = '{"a": 1}\r\n\n  \n{"b": }\n{"c": "\u2028", "c": 2}\n[3]\n'
    parsed = parse_jsonl(text)
    assert parsed.data == [{"a": 1}, None, None, [3]]
    assert [(fault.message, text[fault.offset : fault.end]) for fault in parsed.faults] == [
        ("a value is expected, not }", "}"),
        ('the key "c" occurs twice in one object', '"c"'),
    ]


@pytest.mark.parametrize("last", ['{"a": "b', '{"a"', '{"a": tr', "[1,", '{"a": -', '{"a": 1'])
def test_a_cut_off_last_line_is_named_as_such(last: str) -> None:
    parsed = parse_jsonl('{"a": 1}\n' + last)
    assert parsed.data == [{"a": 1}, None]
    assert parsed.faults[0].message.startswith("the last line is cut off: ")


def test_only_the_last_line_is_called_cut_off() -> None:
    messages = [fault.message for fault in parse_jsonl('{"a"\n{"b"}\n').faults]
    assert messages == [
        "it ends too early: a colon after the key is missing",
        "a colon after the key is expected, not }",
    ]


def test_many_bad_lines_are_bounded() -> None:
    parsed = parse_jsonl("nope\n" * 1000)
    assert parsed.data == [None] * 1000
    assert len(parsed.faults) == MAX_FAULTS + 1
    assert parsed.faults[-1].message == "and 900 more faults in later lines"


def test_artifacts_are_parsed_by_medium() -> None:
    def artifact(medium: Medium, text: str | None) -> Artifact:
        return parse_artifact(Artifact("x", Path("x"), medium, text=text))

    assert artifact(Medium.JSON, "[1]").data == [1]
    assert artifact(Medium.JSONL, "1\n2").data == [1, 2]
    assert artifact(Medium.MARKDOWN, "[1]").data is None
    assert artifact(Medium.JSON, None).data is None
    broken = artifact(Medium.JSON, "[1")
    assert not broken.usable
    assert broken.text == "[1"


def test_shown_text_is_short_and_printable() -> None:
    assert shorten("a\u202eb") == "aU+202Eb"
    assert len(shorten("x" * 1000)) == 40

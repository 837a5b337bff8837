from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.engine.locate import Locator, line_starts
from evidence_lint.model.artifact import Artifact, Medium
from evidence_lint.model.location import Location, Span, pointer
from tests.support.engine_support import artifact, bundle_of


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("", [0]),
        ("a", [0]),
        ("a\n", [0, 2]),
        ("a\r\nb\nc\rd", [0, 3, 5, 7]),
        ("\r\r\n\n", [0, 1, 3, 4]),
        ("a\x0bb\x0cc\x85d\u2028e", [0]),
    ],
)
def test_lines_end_as_in_editors(text: str, starts: list[int]) -> None:
    assert line_starts(text) == starts


@given(st.text(alphabet="a\r\n\u2028𝒳", max_size=30))
def test_line_starts_follow_their_definition(text: str) -> None:
    plain = text.replace("\r\n", "\n ").replace("\r", "\n")
    expected = [0]
    for index, character in enumerate(plain):
        if character == "\n":
            expected.append(index + (2 if text[index : index + 2] == "\r\n" else 1))
    assert line_starts(text) == expected


def test_a_table_of_a_long_text_is_made_in_linear_time() -> None:
    began = time.process_time()
    assert len(line_starts("some words on a line\n" * 200_000)) == 200_001
    assert time.process_time() - began < 2


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_columns_are_characters(end: str) -> None:
    text = end.join(["first", "\t𝒳 見出し word", "last"])
    bundle = bundle_of(artifact("report", text))
    start = text.index("word")
    place = Locator().position(bundle, Location("report", Span(start, start + 4)))
    assert (place.line, place.column, place.end_line, place.end_column) == (2, 8, 2, 12)
    assert (place.start, place.end) == (start, start + 4)


def test_ends_are_exclusive_and_may_be_on_another_line() -> None:
    bundle = bundle_of(artifact("report", "one\ntwo\n"))
    place = Locator().position(bundle, Location("report", Span(0, 4)))
    assert (place.line, place.column, place.end_line, place.end_column) == (1, 1, 2, 1)
    end = Locator().position(bundle, Location("report", Span(8, 8)))
    assert (end.line, end.column) == (3, 1)


def test_pointers_are_found_in_json_and_jsonl() -> None:
    text = '{\n  "a": [1, {"b/c": "x"}]\n}'
    rows = '{"a": 1}\n\n{"a": 2}\n'
    bundle = bundle_of(
        artifact("findings", text, Medium.JSON),
        Artifact("session", Path("session.jsonl"), Medium.JSONL, text=rows, data=[{"a": 1}, {"a": 2}]),
    )
    locator = Locator()
    value = locator.position(bundle, Location("findings", pointer=pointer("a", 1, "b/c")))
    assert (value.line, value.column, value.end_column, value.pointer) == (2, 20, 23, "/a/1/b~1c")
    key = locator.position(bundle, Location("findings", pointer=pointer("a", 1, "b/c"), key=True))
    assert (key.line, key.column) == (2, 13)
    assert locator.position(bundle, Location("session", pointer="/1/a")).line == 3


def test_what_cannot_be_found_is_the_first_line() -> None:
    bundle = bundle_of(
        artifact("findings", json.dumps({"a": 1}), Medium.JSON),
        Artifact("content", Path("content.json"), Medium.JSON, present=False),
    )
    for location in (
        Location("content", pointer="/a"),
        Location("content"),
        Location("no-such-artifact", Span(3, 4)),
        Location("findings"),
    ):
        place = Locator().position(bundle, location)
        assert (place.line, place.column, place.end_line, place.end_column) == (1, 1, 1, 1)


def test_source_lines_have_no_line_ends_and_no_surplus() -> None:
    bundle = bundle_of(artifact("report", "one\r\ntwo\rthree\n"))
    locator = Locator()
    assert locator.source_lines(bundle, "report", 0, 99) == [(1, "one"), (2, "two"), (3, "three"), (4, "")]
    assert locator.source_lines(bundle, "report", 3, 2) == []
    assert locator.source_lines(bundle, "absent", 1, 2) == []


def test_paths_are_relative_to_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    locator = Locator(tmp_path / "link")
    assert locator.display_path(tmp_path / "link" / "a.md") == "a.md"
    assert locator.display_path(tmp_path / "real" / "a.md") == "a.md"
    assert locator.display_path(tmp_path / "a.md") == f"{tmp_path}/a.md"
    assert locator.display_path(tmp_path / "link") == "."
    assert Locator().display_path(Path("x/../y.md")) == "y.md"
    assert Locator(tmp_path).display_path(Path("/etc/hosts")) == "/etc/hosts"

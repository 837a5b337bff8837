from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_lint.recording.document import Document, with_record, with_root, with_value

NAMES = st.text(max_size=4)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=3)
LAYOUTS = st.sampled_from(
    [
        {"indent": None},
        {"indent": 2},
        {"indent": "\t"},
        {"indent": 0},
        {"separators": (",", ":")},
        {"ensure_ascii": False},
    ]
)


def document(data: dict[str, Any], layout: dict[str, Any]) -> Document:
    return Document(Path("code_evidence.json"), json.dumps(data, **layout), data)


@settings(max_examples=150, deadline=None)
@given(OBJECTS, st.lists(OBJECTS, max_size=3), OBJECTS, LAYOUTS, OBJECTS)
def test_an_edit_changes_its_own_place_and_nothing_else(
    before: dict[str, Any], rows: list[Any], after: dict[str, Any], layout: dict[str, Any], new: dict[str, Any]
) -> None:
    data = {**before, "evidence": rows, **{f"z{name}": value for name, value in after.items()}}
    data["evidence"] = rows
    made = document(data, layout)
    edited = with_record(made, {"id": "\0new", **new, "kind": "code"})
    assert json.loads(edited.text) == {**data, "evidence": [*rows, {"id": "\0new", **new, "kind": "code"}]}
    assert list(json.loads(edited.text)) == list(data)
    common = next(
        (i for i, (one, other) in enumerate(zip(made.text, edited.text, strict=False)) if one != other), len(made.text)
    )
    rest = made.text[common:]
    assert edited.text.endswith(rest.lstrip()) or edited.text.endswith(rest.lstrip().lstrip("]").lstrip())
    again = with_value(edited, f"/evidence/{len(rows)}", "kind", {"a": [1]})
    assert json.loads(again.text)["evidence"][-1]["kind"] == {"a": [1]}
    assert json.loads(with_value(edited, "", "added", 1).text)["added"] == 1


def test_absent_members_are_added() -> None:
    for text in ("{}", '{\n  "x": 1\n}', '{"x": 1}', "{ }"):
        made = Document(Path("f"), text, json.loads(text))
        edited = with_record(with_root(made, "/srv"), {"id": "a"})
        assert edited.data == {**made.data, "root": "/srv", "evidence": [{"id": "a"}]}


def test_bytes_of_names_that_are_no_text_are_escaped() -> None:
    edited = with_record(document({"evidence": []}, {}), {"id": "\udcff"})
    assert "\\udcff" in edited.text
    assert edited.text.encode()

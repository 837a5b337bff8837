"""Records from artifacts: every row is kept, every misfit is told with its pointer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.model.artifact import Artifact, Medium
from evidence_lint.model.bundle import RECORD_ARTIFACTS
from evidence_lint.model.location import pointer_parts
from evidence_lint.model.records import FieldFault, Records
from evidence_lint.parse.json_text import parse_artifact
from evidence_lint.parse.records import read_records


def artifacts(**data: object) -> Mapping[str, Artifact]:
    return {
        name: parse_artifact(Artifact(name, Path(f"{name}.json"), Medium.JSON, text=json.dumps(value)))
        for name, value in data.items()
    }


def records(**data: object) -> Records:
    return read_records(artifacts(**data))


def told(faults: tuple[FieldFault, ...]) -> list[tuple[str | None, str]]:
    return [(fault.location.pointer, fault.message) for fault in faults]


def test_absent_and_broken_files_have_no_rows_and_are_named() -> None:
    given_files = {
        **artifacts(results=[]),
        "content": parse_artifact(Artifact("content", Path("content.json"), Medium.JSON, text="{")),
        "session": Artifact("session", Path("session.json"), Medium.JSON, present=False),
    }
    found = read_records(given_files)
    assert found.absent == {"findings", "code_evidence", "session"}
    assert found.broken == {"content"}
    assert [found.has(name) for name in RECORD_ARTIFACTS] == [False, True, False, False, False]
    assert (found.content, found.session, found.faults) == ((), None, ())


def test_sections_of_findings() -> None:
    found = records(
        findings={
            "findings": [{"title": "T", "id": "finding-1", "own": 1}, {}],
            "analysis_sections": [{"title": "A", "content": "c"}],
            "consensus": [{"statement": "s", "evidence": []}],
            "debate": [],
            "gaps": ["g"],
        }
    )
    assert found.faults == ()
    first = found.findings[0]
    assert (first.pointer, first.number, first.artifact) == ("/findings/0", 1, "findings")
    assert first.value is not None
    assert (first.value.title, first.value.model_extra) == ("T", {"own": 1})
    assert found.findings[1].number == 2
    assert found.analysis[0].pointer == "/analysis_sections/0"
    assert found.consensus[0].pointer == "/consensus/0"
    assert (found.legacy_consensus, found.legacy_debate) == (None, None)


@pytest.mark.parametrize("prose", ["Both agree.", ["Both agree.", "So do we."]])
def test_prose_is_legacy(prose: object) -> None:
    found = records(findings={"findings": [], "consensus": prose, "debate": prose})
    assert found.legacy_consensus is not None
    assert found.legacy_consensus.pointer == "/consensus"
    assert found.legacy_debate is not None
    assert found.legacy_debate.pointer == "/debate"
    assert (found.consensus, found.debate, found.faults) == ((), (), ())


@pytest.mark.parametrize("nothing", ["", " \n", [], ["", " "]])
def test_blank_prose_is_nothing(nothing: object) -> None:
    found = records(findings={"findings": [], "consensus": nothing})
    assert (found.legacy_consensus, found.consensus, found.faults) == (None, (), ())


@pytest.mark.parametrize("rows", [[42], ["text", {"statement": "s"}], [None], [[]]])
def test_rows_that_are_no_objects_are_kept_for_their_own_rule(rows: list[object]) -> None:
    found = records(findings={"findings": rows, "analysis_sections": rows, "consensus": rows, "debate": rows})
    assert found.faults == ()
    for kept in (found.findings, found.analysis, found.consensus, found.debate):
        assert [row.raw for row in kept] == rows
        assert [row.value is None for row in kept] == [not isinstance(raw, dict) for raw in rows]


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("findings", [], [("", "the file holds a list, where an object is expected")]),
        ("findings", None, [("", "the file holds null, where an object is expected")]),
        ("findings", {}, [("", "the file has no list `findings`")]),
        ("findings", {"findings": None}, [("/findings", "`findings` is null, where a list is expected")]),
        (
            "findings",
            {"findings": [], "analysis_sections": {}, "consensus": None, "debate": 3, "gaps": "g"},
            [
                ("/consensus", "`consensus` is null, where a list is expected"),
                ("/debate", "`debate` is the number 3, where a list is expected"),
                ("/gaps", '`gaps` is the string "g", where a list is expected'),
                ("/analysis_sections", "`analysis_sections` is an object, where a list is expected"),
            ],
        ),
        (
            "findings",
            {"findings": [], "gaps": ["g", 1]},
            [("/gaps/1", "entry 2 of `gaps` is the number 1, where a string is expected")],
        ),
        ("results", "x", [("", 'the file holds the string "x", where an object is expected')]),
        ("results", {"results": {}}, [("/results", "`results` is an object, where a list is expected")]),
        ("results", [1], [("/0", "the entry is the number 1, where an object is expected")]),
        ("content", {"items": False}, [("/items", "`items` is false, where a list is expected")]),
        (
            "content",
            {"items": [], "budget_exhausted": "true"},
            [("/budget_exhausted", '`budget_exhausted` is the string "true", where true or false is expected')],
        ),
        ("code_evidence", [], [("", "the file holds a list, where an object is expected")]),
        ("code_evidence", {"root": 1}, [("/root", "`root` is the number 1, where a string is expected")]),
        (
            "code_evidence",
            {"evidence": "x"},
            [("/evidence", '`evidence` is the string "x", where a list is expected')],
        ),
        (
            "code_evidence",
            {"evidence": [7]},
            [("/evidence/0", "the entry is the number 7, where an object is expected")],
        ),
    ],
)
def test_faults_of_shape(name: str, data: object, expected: list[tuple[str, str]]) -> None:
    found = records(**{name: data})
    assert told(found.faults) == expected
    assert {fault.location.artifact for fault in found.faults} == {name}
    assert found.has(name)


def test_fields_that_do_not_fit_are_told_and_the_rest_of_the_record_stands() -> None:
    found = records(
        content=[
            {
                "url": "https://a.example/",
                "title": ["T"],
                "content": "text",
                "word_count": "12",
                "http_status": 200.5,
                "error": {"code": 1},
                "resolved_ips": ["1.1.1.1", 7],
                "content_sha256": 5,
                "live_verified": "false",
                "truncated": 1,
            }
        ]
    )
    (row,) = found.content
    assert told(row.faults) == [
        ("/0/title", "`title` is a list, where a string is expected"),
        ("/0/word_count", '`word_count` is the string "12", where a whole number is expected'),
        ("/0/error", "`error` is an object, where a string or true or false is expected"),
        ("/0/http_status", "`http_status` is the number 200.5, where a whole number is expected"),
        ("/0/resolved_ips/1", "`resolved_ips[1]` is the number 7, where a string is expected"),
        ("/0/truncated", "`truncated` is the number 1, where true or false is expected"),
    ]
    assert found.faults == row.faults
    assert row.value is not None
    assert (row.value.url, row.value.content, row.value.content_sha256) == ("https://a.example/", "text", 5)
    assert (row.value.title, row.value.word_count, row.value.resolved_ips) == (None, None, None)


def test_long_values_are_cut_in_messages() -> None:
    (row,) = records(content=[{"word_count": "x" * 10_000, "http_status": 1.5}]).content
    assert all(len(fault.message) < 200 for fault in row.faults)


@pytest.mark.parametrize(
    ("value", "exhausted"), [(True, True), (False, False), (None, False), ("true", False), (1, False)]
)
def test_budget_is_exhausted_by_the_boolean_alone(value: object, exhausted: bool) -> None:
    assert records(content={"items": [], "budget_exhausted": value}).budget_exhausted is exhausted


def test_repository_rows_are_sorted_by_kind_alone() -> None:
    receipt = {"schema": "deep-research/host-test-receipt-v2", "origin": "host-tool"}
    found = records(
        code_evidence={
            "root": "/home/author/x",
            "evidence": [
                {"id": "c1", "kind": "code", "line": "7"},
                {"id": "k1", "kind": "commit"},
                {"id": "t1", "kind": "test", **receipt},
                {"id": "t2", **receipt},
                {"id": "x", "kind": "Code"},
                {"id": "y", "kind": ["code"]},
                3,
                {"id": "c2", "kind": "code"},
            ],
        }
    )
    assert found.root == "/home/author/x"
    assert [row.pointer for row in found.code] == ["/evidence/0", "/evidence/7"]
    assert [row.number for row in found.code] == [1, 8]
    assert [row.pointer for row in found.commits] == ["/evidence/1"]
    assert [row.pointer for row in found.receipts] == ["/evidence/2"]
    assert [row.pointer for row in found.other_evidence] == [f"/evidence/{index}" for index in (3, 4, 5, 6)]
    assert found.receipts[0].value is not None
    assert found.receipts[0].value.schema_ == "deep-research/host-test-receipt-v2"
    assert told(found.faults) == [
        ("/evidence/3", '`kind` is absent, where "code", "commit" or "test" is expected'),
        ("/evidence/4/kind", '`kind` is the string "Code", where "code", "commit" or "test" is expected'),
        ("/evidence/5/kind", '`kind` is a list, where "code", "commit" or "test" is expected'),
        ("/evidence/6", "the entry is the number 3, where an object is expected"),
    ]
    assert found.code[0].value is not None
    assert found.code[0].value.line == "7", "a rule of its own judges the line"


@pytest.mark.parametrize("data", [[], 3, None, "x"])
def test_a_session_of_any_shape_is_left_to_its_rule(data: object) -> None:
    found = records(session=data)
    assert found.session is not None
    assert (found.session.value, found.session.raw, found.session.pointer) == (None, data, "")
    assert found.faults == ()


def test_session_fields_are_all_judged_elsewhere() -> None:
    found = records(session={"schema": 1, "mode": [], "usage": True, "events": "x"})
    assert found.session is not None
    assert found.session.value is not None
    assert (found.session.value.schema_, found.session.value.usage) == (1, True)
    assert found.faults == ()


def test_hostile_keys_shadow_nothing() -> None:
    keys = ["__class__", "__dict__", "model_fields", "model_extra", "schema_", "__pydantic_extra__", "copy", "", "0"]
    hostile = {key: {"x": 1} for key in keys}
    found = records(
        results=[{"url": "https://a.example/", **hostile}],
        code_evidence={"evidence": [{"kind": "test", "id": "t", "schema": "right", **hostile}]},
    )
    assert found.results[0].value is not None
    assert found.results[0].value.url == "https://a.example/"
    receipt = found.receipts[0].value
    assert receipt is not None
    assert (receipt.id, receipt.schema_, type(receipt).__name__) == ("t", "right", "ReceiptRecord")


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["findings", "consensus", "items", "evidence", "kind", "id", "url", "error", "resolved_ips"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.fixed_dictionaries(dict.fromkeys(RECORD_ARTIFACTS, JSON_VALUES)))
def test_no_content_raises_and_every_fault_points_at_something(data: dict[str, object]) -> None:
    files = {
        name: Artifact(name, Path(name), Medium.JSON, text="", data=value)  # type: ignore[arg-type]
        for name, value in data.items()
    }
    found = read_records(files)
    for fault in found.faults:
        here = data[fault.location.artifact]
        for part in pointer_parts(fault.location.pointer or ""):
            here = here[int(part)] if isinstance(here, list) else here[part]  # type: ignore[index]
    rows = data["results"] if isinstance(data["results"], list) else []
    assert not rows or [row.raw for row in found.results] == rows

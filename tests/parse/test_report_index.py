from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from evidence_lint.model.report import EntryKind, SourceEntry, contract_heading
from evidence_lint.parse.markdown import parse_report

OID = "04198c7eff76dbb95592cae2d11168d9790760ab"
FIELDS = (
    "title",
    "url",
    "tier",
    "date",
    "id",
    "path",
    "line",
    "excerpt",
    "commit",
    "subject",
    "status",
    "exit_code",
    "tree",
)


def with_index(index: str) -> str:
    return f"## {contract_heading(8)}\n\n{index}\n\n## {contract_heading(9)}\n\nNone documented.\n"


def entries(
    index: str, evidence: Mapping[str, Sequence[str]] | None = None, urls: Sequence[str] = ()
) -> list[SourceEntry]:
    """The entries, after a check that every shown value stands where its span says."""
    for text in (with_index(index), with_index(index).replace("\n", "\r\n")):
        found = parse_report(text, evidence=evidence or {}, urls=urls)
        assert [s.number for s in found.sections] == [8, 9]
        assert found.by_number[9].prose.text.strip() == "None documented."
        for entry in found.entries:
            for name in FIELDS:
                shown = getattr(entry, name)
                if shown is not None:
                    assert shown.span.of(text).replace("\r\n", "\n") == shown.value
            assert str(entry.written or entry.number) in entry.number_span.of(text)
    return list(parse_report(with_index(index), evidence=evidence or {}, urls=urls).entries)


def shown(entry: SourceEntry) -> dict[str, str]:
    return {name: value.value for name in FIELDS if (value := getattr(entry, name)) is not None}


def one(index: str, evidence: Mapping[str, Sequence[str]] | None = None, urls: Sequence[str] = ()) -> dict[str, str]:
    (entry,) = entries(index, evidence, urls)
    return shown(entry)


def test_the_four_kinds():
    found = entries(
        f"[1] Title — https://a.example/x — website (preclassified T2) — date: 2026-05-01; basis: b; sponsorship: s\n"
        f"[2] code evidence `c` — app/a.py:12 —     return x — commit: {OID}\n"
        f"[3] commit evidence `k` — {OID} — fix: a — b [2] — c\n"
        f"[4] test evidence `t` — unittest / a.b — passed (exit 0) — commit: {OID}; tree: {OID}; dirty: False"
    )
    assert [entry.kind for entry in found] == [EntryKind.WEB, EntryKind.CODE, EntryKind.COMMIT, EntryKind.TEST]
    assert shown(found[0]) == {"title": "Title", "url": "https://a.example/x", "tier": "2", "date": "2026-05-01"}
    assert shown(found[1]) == {"id": "c", "path": "app/a.py", "line": "12", "excerpt": "return x", "commit": OID}
    assert shown(found[2]) == {"id": "k", "commit": OID, "subject": "fix: a — b [2] — c"}
    assert shown(found[3]) == {"id": "t", "commit": OID, "tree": OID, "status": "passed", "exit_code": "0"}


def test_a_records_text_is_consumed_before_markdown_gets_a_say():
    excerpt = (
        "x = 1\n\n## 9) Gaps & Limitations\n```\n[7] foo — bar — commit: no\n<!--\n# 4) Key Findings\n\ttab\u2028here"
    )
    index = (
        f"[1] code evidence `c` — a.py:3 — {excerpt} — commit: {OID}\n[2] Two — https://b.example/ — w (T4) — date: x"
    )
    found = entries(index, {"c": [excerpt]})
    assert [entry.number for entry in found] == [1, 2]
    assert shown(found[0]) == {"id": "c", "path": "a.py", "line": "3", "excerpt": excerpt, "commit": OID}
    report = parse_report(with_index(index), evidence={"c": [excerpt]})
    assert report.unclosed_fences == ()
    assert "foo" not in report.prose.text


def test_summaries_are_consumed_too():
    summary = "Ran 3 tests\n\nOK [3] x\n---\n## Appendix"
    index = (
        f"[1] test evidence `t` — unittest / a.b — passed (exit 0) — commit: {OID}; tree: {OID} — {summary}\n"
        "[2] Two — https://b.example/ — w (T4)"
    )
    found = entries(index, {"t": [summary]})
    assert [entry.number for entry in found] == [1, 2]
    assert shown(found[0]) == {
        "id": "t",
        "commit": OID,
        "tree": OID,
        "status": "passed",
        "exit_code": "0",
        "excerpt": summary,
    }


@pytest.mark.parametrize(
    ("entry", "texts", "expected"),
    [
        ("a.py:3 — 3 — commit: abc", ["3"], "3"),
        ("a.py:3 — a.py:3 — commit: abc", ["a.py:3"], "a.py:3"),
        ("a.py:3 — { — commit: abc", ["{"], "{"),
        ("`a.py:3` — `x = 1` — commit: `abc`", ["x = 1"], "x = 1"),
        ("a.py:3 —     x — commit: abc", ["    x\n"], "    x"),
        ("a.py:3 — x — y — z — commit: abc", ["x — y — z"], "x — y — z"),
        ("a.py:3 — foo, bar) — commit: abc", ["foo"], "foo, bar)"),
        ("a.py:3 — not foo — commit: abc", ["foo"], "not foo"),
        ("a.py:3 — x — commit: q — commit: abc", ["x — commit: q"], "x — commit: q"),
        ("a.py:3 –\nfoo\nbar\n – commit: abc", ["foo\nbar\n"], "foo\nbar\n"),
    ],
)
def test_which_text_is_the_excerpt(entry: str, texts: list[str], expected: str):
    found = one(f"[1] code evidence `c` — {entry}", {"c": texts})
    assert found["excerpt"] == expected
    assert (found["path"], found["line"], found["commit"]) == ("a.py", "3", "abc")


def test_an_altered_excerpt_of_several_lines_keeps_its_entry_together():
    altered = "x = 2\n```\n[7] foo"
    found = entries(
        f"[1] code evidence `c` — a.py:3 — {altered} — commit: abc\n[2] Two — https://b.example/ — w (T4)",
        {"c": ["x = 1\n```\n[7] foo"]},
    )
    assert [entry.number for entry in found] == [1, 2]
    assert shown(found[0])["excerpt"] == altered
    assert shown(found[0])["commit"] == "abc"


def test_an_altered_excerpt_does_not_swallow_entries():
    index = "[1] code evidence `c` — a.py:3 — x\n[2] code evidence `d` — b.py:1 — y — commit: abc"
    assert [entry.number for entry in entries(index, {"c": ["a\nb"], "d": ["y"]})] == [1, 2]


def test_only_contract_headings_end_the_section():
    index = "[1] A — https://a.example/ — w (T4)\n## Appendix\n### Web\n# x\n[2] B — https://b.example/ — w (T4)"
    assert [entry.number for entry in entries(index)] == [1, 2]


@pytest.mark.parametrize(
    "heading",
    [
        "## 9. Gaps and Limitations",
        "9\\) Gaps & Limitations\n---",
        "## 9) Limits",
        "### 9) Gaps & Limitations",
        "# Gaps & Limitations",
    ],
)
def test_headings_that_end_the_section(heading: str):
    text = f"## 8) Sources\n\n[1] A — https://a.example/ — w (T4)\n{heading}\n\nnone [9]\n"
    found = parse_report(text)
    assert [s.number for s in found.sections] == [8, 9]
    assert [entry.number for entry in found.entries] == [1]
    consumed = "x\n\n## 9) Gaps & Limitations"
    text = f"## 8) Sources\n\n[1] code evidence `c` — a:1 — {consumed} — commit: abc\n{heading}\n\nnone\n"
    assert [s.number for s in parse_report(text, evidence={"c": [consumed]}).sections] == [8, 9]


def test_web_titles_hold_dashes_pipes_and_urls():
    assert one(
        "[1] A | B :: c - d — https://no.example/x — https://web.example/y — site (preclassified T4) — date: unknown"
    ) == {
        "title": "A | B :: c - d — https://no.example/x",
        "url": "https://web.example/y",
        "tier": "4",
        "date": "unknown",
    }
    path = "http://web.archive.org/web/2021/https:/dev.example/doc.html"
    assert one(f"[1] T — {path} — website (T4) — 2021-04-23")["url"] == path
    assert one("[1] T — https://a.example/ — website (T2) — 2021-04-23")["date"] == "2021-04-23"


def test_a_records_url_is_found_where_the_shape_alone_would_cut_it():
    url = "https://a.example/x – y"
    assert one(f"[1] A — {url} — website (T4) — date: x", urls=[url])["url"] == url
    assert one(f"[1] A — {url}", urls=[url])["url"] == url
    other = "[1] A — https://a.example/ — website (T4) — date: x; basis: https://b.example/; sponsorship: none"
    assert one(other, urls=["https://a.example/", "https://b.example/"])["url"] == "https://a.example/"
    assert one("[1] A — https://a.example/ (accessed 2026-05-01)")["url"] == "https://a.example/"
    # A record's URL in the title must not vouch for another one in the entry's own place.
    forged = "[1] https://known.example/ — https://forged.example/ — website (T4) — date: x"
    assert one(forged, urls=["https://known.example/"])["url"] == "https://forged.example/"


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        ("- [1] A — https://a.example/\n- [2] B — https://b.example/", [1, 2]),
        ("**[1]** A — https://a.example/\n\n**[2]** B - https://b.example/ - website (T4)", [1, 2]),
        ("1. A — https://a.example/\n2. B — https://b.example/", [1, 2]),
        ("1) A — https://a.example/\n\n2) B\n   https://b.example/", [1, 2]),
        ("[1]: https://a.example/\n[2]: <https://b.example/> 'T'", [1, 2]),
        ("[1]:\n  https://a.example/\n[2]: https://b.example/\n  'T'", [1, 2]),
        ("\\[1\\] A — https://a.example/\n[2]. B — https://b.example/", [1, 2]),
        ("[1](https://a.example/) A\n[[2]](https://b.example/) B", [1, 2]),
        ("[1] [A](https://a.example/) — website (T2)\n[2] <https://b.example/>", [1, 2]),
        ("| # | Source |\n|---|---|\n| [1] | A — https://a.example/ |\n| [2] | https://b.example/ |", [1, 2]),
        ("### Web\n\n[1] A. *Journal*. https://a.example/.\n\nAnd:\n\n[2] B — https://b.example/", [1, 2]),
    ],
)
def test_shapes_seen_in_the_wild(index: str, expected: list[int]):
    found = entries(index)
    assert [entry.number for entry in found] == expected
    assert [entry.url and entry.url.value for entry in found] == ["https://a.example/", "https://b.example/"]
    assert {entry.kind for entry in found} == {EntryKind.WEB}


def test_wrapped_entries():
    index = (
        "[1] A — https://a.example/ — government (preclassified T1) — date: unknown;\n    basis: x; sponsorship: none\n"
        "[2] B — https://b.example/long\n— website (preclassified T4)\n— date: 2025"
    )
    first, second = entries(index)
    assert shown(first) == {"title": "A", "url": "https://a.example/", "tier": "1", "date": "unknown"}
    assert first.span.of(with_index(index)).endswith("sponsorship: none")
    assert shown(second) == {"title": "B", "url": "https://b.example/long", "tier": "4", "date": "2025"}


def test_list_numbers_are_the_rendered_ones():
    # B016
    lazy = entries("1. https://a.example/\n1. https://b.example/\n1. https://c.example/")
    assert [(entry.number, entry.written) for entry in lazy] == [(1, None), (2, 1), (3, 1)]
    renumbered = entries("1. A — https://a.example/\n33. B — https://b.example/\n789. C — https://c.example/")
    assert [(entry.number, entry.written) for entry in renumbered] == [(1, None), (2, 33), (3, 789)]
    assert [entry.number for entry in entries("1. A — https://a.example/\n   1. nested\n2. B")] == [1, 2]


def test_duplicates_and_conflicts_stay_visible():
    # B002, B008
    index = "[1]: https://a.example/\n[1]: https://z.example/\n[4]: https://d.example/"
    assert [(e.number, e.url and e.url.value) for e in entries(index)] == [
        (1, "https://a.example/"),
        (1, "https://z.example/"),
        (4, "https://d.example/"),
    ]
    assert len(entries("[1] A — https://a.example/ — w (T4)\n\n[1]: https://a.example/")) == 1
    for index in ("1. https://a.example/ https://b.example/", "[1] A — https://a.example/ and https://b.example/"):
        (several,) = entries(index)
        assert several.kind is EntryKind.UNKNOWN
        assert [url.value for url in several.urls] == ["https://a.example/", "https://b.example/"]


def test_odd_urls_are_shown_as_they_stand():
    # B009
    assert one("2. [https://news.example/4? we did not use this, skip]")["url"].endswith("? we did not use this, skip")
    assert one("[1] A — https://a.example/foo bar — website (T4)")["url"] == "https://a.example/foo bar"
    assert one("[1] A — file:///etc/hostname — website (T4)")["url"] == "file:///etc/hostname"


def test_no_entries():
    found = parse_report(with_index("- No source could be listed."))
    assert found.entries == ()
    assert not found.by_number[8].empty
    assert (
        entries("<!-- [9] X -->\n[1] A — https://a.example/\n<!--\n[8] Y\n## 9) Gaps & Limitations\n-->")[0].number == 1
    )
    assert parse_report(with_index("<!-- nothing -->")).by_number[8].empty


def test_a_record_named_without_its_fields():
    assert one("[1] code evidence `c` — record as named by the author") == {"id": "c"}
    assert one("[1] code evidence `c` — :12 — x — commit: abc") == {
        "id": "c",
        "path": "",
        "line": "12",
        "excerpt": "x",
        "commit": "abc",
    }
    assert one("[1] test evidence `t` — framework `unittest`, selector `a.py` — host-attested exit 0 — covers `c`") == {
        "id": "t",
        "exit_code": "0",
    }


def test_a_second_index_is_read():
    index = "## 8) Sources\n\n[1] A — https://a.example/\n\n## 8) Sources\n\n[2] B — https://b.example/\n\n"
    text = index + "## 9) Gaps & Limitations\n\nx"
    found = parse_report(text)
    assert [s.number for s in found.sections] == [8, 8, 9]
    assert [entry.number for entry in found.entries] == [1, 2]

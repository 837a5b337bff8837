"""The index: numbers, targets of entries, and which URLs are one source."""

from __future__ import annotations

import time
from typing import Any

import pytest

from evidence_lint.errors import Unavailable
from evidence_lint.model.records import CodeRecord, CommitRecord, ContentRecord, Records, ResultRecord, Row
from evidence_lint.parse.markdown import parse_report
from evidence_lint.witness.index import EntryTargets, WebIdentity, read_index, resolve_entries, source_urls
from evidence_lint.witness.web import read_pages, read_results

HOST = "https://docs.example.gov"


def records(
    results: list[str] | None = None,
    pages: list[dict[str, Any]] | None = None,
    code: list[str] | None = None,
    commits: list[str] | None = None,
) -> Records:
    return Records(
        results=tuple(
            Row("results", f"/results/{n}", n + 1, {"url": url}, ResultRecord(url=url))
            for n, url in enumerate(results or [])
        ),
        content=tuple(
            Row("content", f"/items/{n}", n + 1, dict(page), ContentRecord.model_validate(page))
            for n, page in enumerate(pages or [])
        ),
        code=tuple(
            Row("code_evidence", f"/evidence/{n}", n + 1, {"id": name}, CodeRecord(id=name, kind="code"))
            for n, name in enumerate(code or [])
        ),
        commits=tuple(
            Row("code_evidence", f"/evidence/{n + 50}", n + 1, {"id": name}, CommitRecord(id=name, kind="commit"))
            for n, name in enumerate(commits or [])
        ),
    )


def targets(index: str, found: Records, body: str = "A fact. [1]") -> EntryTargets:
    report = parse_report(
        f"## 5) Detailed Analysis\n\n{body}\n\n## 8) Sources\n\n{index}\n\n## 9) Gaps & Limitations\n\nx\n"
    )
    return resolve_entries(read_index(report), found, read_results(found), read_pages(found))


def test_numbers_and_citations() -> None:
    report = parse_report(
        "## 3) Executive Summary\n\nA [1-3]. `[9]`\n\n## 8) Sources\n\n[1] A — https://a.example/\n[1] B — https://b.example/\n"
    )
    index = read_index(report)
    assert [len(entries) for entries in index.by_number.values()] == [2]
    assert index.cited == {1, 2, 3}


def test_without_section_8_there_is_no_index() -> None:
    with pytest.raises(Unavailable) as missing:
        read_index(parse_report("## 5) Detailed Analysis\n\nA. [1]\n"))
    assert missing.value.code == "no-index"
    hidden = "## 5) Detailed Analysis\n\nA. [1]\n\n```\n\n## 8) Sources\n\n[1] A — https://a.example/\n"
    with pytest.raises(Unavailable, match="fence"):
        read_index(parse_report(hidden))


def test_a_page_is_found_by_any_spelling_of_its_url() -> None:
    found = records(results=[f"{HOST}/a"], pages=[{"url": f"{HOST}/a", "content": "x"}])
    for url in (f"{HOST}/a", f"{HOST}/a/", "HTTPS://DOCS.example.gov:443/a?utm_source=x#y", f"{HOST}/a#:~:text=b"):
        (target,) = targets(f"[1] T — {url} — website (preclassified T4)", found).all
        assert target.resolved, url
        assert len(target.web[0].results) == len(target.web[0].pages) == 1
    (other,) = targets(f"[1] T — {HOST}/b — website (preclassified T4)", found).all
    assert not other.resolved


def test_a_page_is_found_where_its_redirects_ended() -> None:
    found = records(pages=[{"url": f"{HOST}/old", "final_url": f"{HOST}/new", "content": "x"}])
    (target,) = targets(f"[1] T — {HOST}/new — website (preclassified T4)", found).all
    assert [page.url for page in target.web[0].pages] == [f"{HOST}/old"]


def test_repository_entries_are_found_by_kind_and_id() -> None:
    found = records(code=["code-1", "twice", "twice"], commits=["commit-1"])
    index = (
        "[1] code evidence `code-1` — a.py:1\n[2] commit evidence `commit-1` — abc — s\n"
        "[3] code evidence `commit-1` — a.py:1\n[4] code evidence `twice` — a.py:1\n"
        "[5] test evidence `nosuch` — pytest / t — passed (exit 0)\n[6] see `code-1`, line 1"
    )
    one, two, three, four, five, six = targets(index, found).all
    assert (one.resolved, len(one.code), one.ambiguous) == (True, 1, False)
    assert (two.resolved, len(two.commits)) == (True, 1)
    assert (three.resolved, [getattr(row.value, "kind", "") for row in three.others]) == (False, ["commit"])
    assert (four.resolved, four.ambiguous) == (True, True)
    assert not five.resolved
    assert [row.pointer for row in six.rows] == ["/evidence/0"]


def test_every_url_of_an_entry_needs_a_record_and_notes_do_not() -> None:
    found = records(results=["https://a.example/", "https://b.example/"])
    (both,) = targets("1. https://a.example/ https://b.example/", found).all
    (half,) = targets("1. https://a.example/ https://c.example/", found).all
    assert both.resolved
    assert [web.resolved for web in half.web] == [True, False]
    note = (
        "[1] A — https://a.example/ — website (T4) — date: unknown; sponsorship: see https://d.example/; methodology: x"
    )
    assert targets(note, found).all[0].resolved
    archived = "[1] A — https://a.example/ — website (T4) — https://web.archive.org/web/2020/https://a.example/"
    assert targets(archived, found).all[0].resolved
    assert [shown.value for shown in source_urls(targets(archived, found).all[0].entry)] == ["https://a.example/"]


def test_an_entry_that_names_nothing() -> None:
    (target,) = targets("[1] A book about backups", records()).all
    assert (target.resolved, target.web, target.rows) == (False, (), ())


def test_cited_targets_come_once_and_in_order() -> None:
    found = records(results=["https://a.example/", "https://b.example/"])
    report = parse_report("## 5) Detailed Analysis\n\nA. [2][1][2][7]\n")
    all_targets = targets("[1] A — https://a.example/\n[2] B — https://b.example/", found)
    assert [target.entry.number for target in all_targets.cited(report.citations)] == [2, 1]
    assert all_targets.of(7) == ()


def test_urls_that_are_one_source() -> None:
    found = records(results=[f"{HOST}/a?ref=v1", f"{HOST}/a?ref=v2", f"{HOST}/b?ref=v1"], pages=[{"url": f"{HOST}/b"}])
    identity = WebIdentity(read_results(found), read_pages(found))
    assert not identity.same(f"{HOST}/a?ref=v1", f"{HOST}/a?ref=v2")
    assert identity.same(f"{HOST}/a?ref=v1", f"{HOST}/a")
    assert identity.same(f"{HOST}/b?ref=v1", f"{HOST}/b/")
    assert not identity.same(f"{HOST}/a", f"{HOST}/b")
    assert identity.same("no url ", "no url")


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("- NIST — https://nist.example/x — government (T1)", True),
        ("<p>[2] NIST — https://nist.example/x — government (T1)</p>", True),
        ("<li>NIST <a href='https://nist.example/x'>x</a> (preclassified T1)</li>", True),
        ("A paper – https://papers.example/a – academic", True),
        ("- [A paper](https://papers.example/a) — academic", True),
        ("- code evidence `code-9` — a.py:1 — x", True),
        ("2. NIST — https://nist.example/x — government (T1)", True),
        ("- Archived: https://web.archive.example/x — a copy", False),
        ("All pages were read on 3 March; see https://docs.example.gov/about.", False),
        ("- T1 is a government namespace (T1).", False),
        ("[nist]: https://nist.example/x", False),
        ("<!-- NIST — https://nist.example/x — government (T1) -->", False),
        ("  archived: https://nist.example/x — a copy (T1)", False),
    ],
)
def test_sources_without_a_number(line: str, seen: bool) -> None:
    gap = "\n" if line.startswith("  ") else "\n\n"
    found = targets(f"[1] A — {HOST}/a — docs (T1){gap}{line}", records([f"{HOST}/a"]))
    outside = [target for target in found.all if not target.numbered]
    assert len(outside) == seen
    assert not found.of(0)


def test_many_lines_without_numbers_are_read_in_bounded_time() -> None:
    begin = time.process_time()
    found = targets("\n".join(["- A — https://a.example/x — (T1"] * 3000) + "<a " * 3000, records())
    assert len(found.all) == 200
    assert time.process_time() - begin < 3

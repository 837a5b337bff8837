from __future__ import annotations

import pytest

from evidence_lint.parse.markdown import parse_report
from evidence_lint.parse.urls import find_urls


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("see https://a.example/x.", ["https://a.example/x"]),
        ("(https://a.example/x_(y))", ["https://a.example/x_(y)"]),
        ("https://a.example/a\\(v=vs.85\\).aspx", ["https://a.example/a(v=vs.85).aspx"]),
        ("https://a.example/?q=1&amp;", ["https://a.example/?q=1"]),
        ("https://a.example/?q=1&amp;r=2", ["https://a.example/?q=1&r=2"]),
        ("https://a.example/?q=1;", ["https://a.example/?q=1"]),
        ("https://a.example/?f[a]=b", ["https://a.example/?f[a]=b"]),
        ("https://a.example/x[1]", ["https://a.example/x"]),
        ("[https://a.example/x]", ["https://a.example/x"]),
        ("“https://a.example/x”，https://b.example/y。", ["https://a.example/x", "https://b.example/y"]),
        ("https://a.example/#:~:text=a%20b,c", ["https://a.example/#:~:text=a%20b,c"]),
        ("http://web.archive.org/web/2021/https:/b.example/", ["http://web.archive.org/web/2021/https:/b.example/"]),
        ("https:// https://. xhttps://a.example/ HTTPS://B.example", ["HTTPS://B.example"]),
        ("**https://a.example/x**", ["https://a.example/x"]),
        ("ftp://a.example/ file:///etc/x", ["ftp://a.example/", "file:///etc/x"]),
    ],
)
def test_where_a_bare_url_ends(text: str, urls: list[str]):
    found = list(find_urls(text))
    assert [url for _, _, url in found] == urls
    assert all("\\" in text or "&amp;" in text or text[start:end] == url for start, end, url in found)


def test_bare_urls_keep_their_marks_and_give_way_to_links():
    text = (
        "*https://a.example/__init__.py* `https://code.example/` [https://b.example/](https://c.example/)"
        ' <a href="https://d.example/">d</a>'
        " line<br>break https://e.example/a\\_b https:// alone"
    )
    links = parse_report(text).links
    assert [(link.url, link.text) for link in links] == [
        ("https://a.example/__init__.py", "https://a.example/__init__.py"),
        ("https://c.example/", "https://b.example/"),
        ("https://d.example/", "d"),
        ("https://e.example/a_b", "https://e.example/a_b"),
    ]
    assert links[2].span.of(text) == '<a href="https://d.example/">d</a>'
    assert links[3].span.of(text) == "https://e.example/a\\_b"
    assert "line break" in parse_report(text).prose.text


def test_links_before_the_first_section():
    (link,) = parse_report("Answer: https://a.example/.\n\n## 1) Research Question\n\nx").links
    assert link.section == 0


def test_fences_of_the_index_hide_only_what_is_no_entry():
    fenced = "```\n## 9) Gaps & Limitations\n```"
    text = f"## 8) Sources\n\n{fenced}\n\n[1] A — https://a.example/\n\n## 9) Gaps & Limitations\n\nx"
    found = parse_report(text)
    assert [s.number for s in found.sections] == [8, 9]
    assert len(found.entries) == 1
    loose = (
        "## 8) Sources\n\n[1] A — https://a.example/\n```\n[2] B — https://b.example/\n```\n[3] C — https://c.example/"
    )
    assert [entry.number for entry in parse_report(loose).entries] == [1, 2, 3]

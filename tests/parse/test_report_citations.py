from __future__ import annotations

import pytest

from evidence_lint.model.report import contract_heading
from evidence_lint.parse.markdown import parse_report

INDEX = "\n".join(
    f"[{n}] Page {n} — https://site.example.org/{n} — website (preclassified T4) — date: unknown" for n in (1, 2, 3)
)


def with_analysis(analysis: str, index: str = INDEX) -> str:
    return f"## {contract_heading(5)}\n\n{analysis}\n\n## {contract_heading(8)}\n\n{index}\n"


def cited(analysis: str, index: str = INDEX) -> list[int]:
    return [citation.number for citation in parse_report(with_analysis(analysis, index)).citations]


@pytest.mark.parametrize(
    ("analysis", "numbers"),
    [
        ("a [1][2]", [1, 2]),
        ("a [1] [2]", [1, 2]),
        ("a [1, 2] b [2,3]", [1, 2, 2, 3]),
        ("a [1-3]", [1, 2, 3]),
        ("a [1–3]", [1, 2, 3]),
        ("a [1, 2-3]", [1, 2, 3]),
        ("中文[3]。", [3]),
        ("wrapped [1]\nnext[2]", [1, 2]),
        ("### Topic [3]\n\ntext", [3]),
        ("> quoted [1]", [1]),
        ("- a\n  - b [2]", [2]),
        ("| a | b |\n|---|---|\n| [1] | x \\| y [2] |", [1, 2]),
        ("**Bold**[12] <sup>[13]</sup>.[14]", [12, 13, 14]),
        ("<div>Claim [1]</div>", [1]),
        ("[see [1]](https://z.example/)", [1]),
        ("https://x.example/a[2].", [2]),
        ("[1][] [2](see note)", [1, 2]),
        ("[9]", [9]),
        ("[1-9]", [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("[3-1]", [3, 1]),
        ("[[1]]", [1]),
    ],
)
def test_citations(analysis: str, numbers: list[int]):
    assert cited(analysis) == numbers


@pytest.mark.parametrize(
    "analysis",
    [
        "`[1]` ``[2]``",
        "```\n[1]\n```",
        "x\n\n    [1]",
        "<!-- [1] -->",
        "x <!-- [1] --> y",
        '<a title="[1]">x</a>',
        "[x](https://a.example/[1])",
        "argv[7] x[0] m[5][6]",
        "[0] [1000] [2024] [1, 2024]",
        "\\[1\\]",
        "![1](x.png)",
        "[^1] [x] - [ ] a",
        "[100-200] [1-500]",
        "【1】",
        "https://x.example/?a[]=b",
        "<script>\n[1]\n</script>",
    ],
)
def test_not_citations(analysis: str):
    assert cited(analysis) == []


def test_an_index_after_a_word_that_resolves_is_a_citation():
    assert cited("word[2] argv[7]") == [2]


def test_adjacent_markers_that_are_link_definitions_are_all_seen():
    # B001
    text = "A fact [1][2][3].\n\n[1]: https://a.example/\n[2]: https://b.example/\n[3]: https://c.example/"
    assert cited(text) == [1, 2, 3]
    assert cited("A fact [1][2][3].", "[1]: https://a.example/\n[2]: https://b.example/\n[3]: https://c.example/") == [
        1,
        2,
        3,
    ]


def test_bare_numbers_that_link_to_an_entry():
    assert cited("[1](https://site.example.org/1)") == [1]
    assert cited("[[2]](https://site.example.org/2) [3](#source-3) [\\[1\\]](https://site.example.org/1)") == [2, 3, 1]
    assert cited("[1](https://other.example/) [text](https://site.example.org/1)") == []
    assert cited("[text][r] [1][r]\n\n[r]: https://other.example/") == []
    assert cited("[1][r]\n\n[r]: https://site.example.org/1") == [1]


def test_spans_of_digits_and_markers():
    text = with_analysis("a [1, 2] b [1-3]")
    found = parse_report(text).citations
    assert [c.span.of(text) for c in found] == ["1", "2", "1", "1-3", "3"]
    assert [c.marker.of(text) for c in found] == ["[1, 2]", "[1, 2]", "[1-3]", "[1-3]", "[1-3]"]
    linked = with_analysis("x [1](https://site.example.org/1) y")
    (one,) = parse_report(linked).citations
    assert one.marker.of(linked) == "[1](https://site.example.org/1)"
    assert one.span.of(linked) == "1"


def test_only_sections_three_to_six():
    text = "".join(f"## {contract_heading(n)}\n\n- text [1]\n\n" for n in (1, 2, 3, 4, 5, 6, 7))
    assert [c.section for c in parse_report(text).citations] == [3, 4, 5, 6]
    assert parse_report("Before [1].\n\n## Appendix\n\n[2]").citations == ()


def test_links():
    analysis = (
        "[x](https://w.example/Foo_(album)) and [y](http://m.example/a\\(v=vs.85\\).aspx)"
        " and bare (https://w.example/Foo_(x))."
        " <https://auto.example/> [r][ref] https://e.example/p#:~:text=alpha%20beta,gamma\n\n"
        "https://github.example/a/__init__.py, https://c.example/中。 `https://code.example/`\n\n"
        "```\nhttps://internal.example/\n```\n<!-- https://old.example/ -->\n\n[ref]: https://ref.example/\n"
    )
    text = with_analysis(analysis, "- No source could be listed.")
    links = parse_report(text).links
    assert [link.url for link in links] == [
        "https://w.example/Foo_(album)",
        "http://m.example/a(v=vs.85).aspx",
        "https://w.example/Foo_(x)",
        "https://auto.example/",
        "https://ref.example/",
        "https://e.example/p#:~:text=alpha%20beta,gamma",
        "https://github.example/a/__init__.py",
        "https://c.example/中",
    ]
    assert all(link.section == 5 for link in links)
    assert links[2].span.of(text) == "https://w.example/Foo_(x)"
    assert links[3].span.of(text) == "<https://auto.example/>"
    assert links[0].span.of(text) == "[x](https://w.example/Foo_(album))"


def test_links_of_section_eight_leave_out_consumed_text():
    index = (
        "[1] code evidence `c` — a.py:1 — u = 'https://in.example/' — commit: HEAD\n[2] T — https://a.example/ — w (T4)"
    )
    found = parse_report(with_analysis("x", index), evidence={"c": ["u = 'https://in.example/'"]})
    assert [(link.url, link.section) for link in found.links] == [("https://a.example/", 8)]
    assert "in.example" not in found.prose.text


def test_prose_is_what_a_reader_sees_and_finds_its_way_back():
    analysis = (
        "Some *marked* **text** with `co [1] de`, [a link](https://x.example/), &amp; an entity,\nwrapped <b>here</b>"
        " \\*escaped\\*.\n\n| a | b |\n|---|---|\n| c | d |\n\n- one\n- two\n\n```\nx = 1\ny = 2\n```"
    )
    text = with_analysis(analysis)
    (passage,) = parse_report(text).subtopics
    assert passage.prose.text == (
        "Some marked text with co [1] de, a link, & an entity, wrapped here *escaped*.\n"
        "a | b\nc | d\none\ntwo\nx = 1\ny = 2"
    )
    assert [span.of(passage.prose.text) for span in passage.prose.code] == ["co [1] de", "x = 1\ny = 2"]
    for index, char in enumerate(passage.prose.text):
        if char not in " |\n&":
            assert text[passage.prose.origins[index]] == char
    start = passage.prose.text.index("wrapped here")
    assert passage.prose.span(start, start + len("wrapped here")).of(text) == "wrapped <b>here"


def test_prose_names_its_citations():
    (passage,) = parse_report(with_analysis("a [1][2] `[3]` b[7]")).subtopics
    assert [span.of(passage.prose.text) for span in passage.prose.citations] == ["[1]", "[2]"]


def test_table_cells_with_escaped_pipes_keep_their_origins():
    text = with_analysis("| h | i |\n|---|---|\n| a \\| b [1] | `c \\| d` |")
    (passage,) = parse_report(text).subtopics
    at = passage.prose.text.index("b [1]")
    assert passage.prose.span(at, at + 5).of(text) == "b [1]"
    at = passage.prose.text.index("d", at)
    assert text[passage.prose.origins[at]] == "d"

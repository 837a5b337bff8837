"""The visible text of HTML: order, line breaks, tables, verbatim text (chapter 4, "Text extraction")."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.witness.excerpts import PageText
from evidence_lint_plugins.extractors.html import extract_html


def text(markup: str) -> str:
    return extract_html(markup).text


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>H<sub>2</sub>O is <b>w</b><i>et</i>.", "H2O is wet."),
        ("Wert&shy;papier<wbr>index", "Wert\u00adpapierindex"),
        ("one<br>two<br><br>three", "one\ntwo\n\nthree"),
        ("a\n  b\t<b> c</b> <i> d</i>", "a b c d"),
        ("<b>a </b> <i> b</i>", "a b"),
        ("a&nbsp; b", "a\u00a0 b"),
        ("<div>one<div>two</div>three</div>", "one\ntwo\nthree"),
        ("<p>a<p>b", "a\n\nb"),
        ("<h1>Title</h1>text", "Title\n\ntext"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>d", "a\nb\n\nc\n\nd"),
        ("<dl><dt>t<dd>d</dl>", "t\nd"),
        ("<div></div><div> </div><div>a</div><div></div>b", "a\nb"),
        ("x<hr>y", "x\n\ny"),
        ("a<!-- c -->b", "ab"),
        ("<details><summary>More</summary>inside</details>", "More\ninside"),
        ("<p>before <img alt='a picture'> after", "before after"),
        ("<nav>menu</nav><main>body</main><footer>cookies</footer>", "menu\n\nbody\n\ncookies"),
        ("<span aria-hidden=true>seen</span>", "seen"),
        ("<select><optgroup label=G><option>one<option>two</select>", "G\none\ntwo"),
        ("Name: <input value='Ann'> <input type=submit value=Send>", "Name: Ann Send"),
        ("<textarea>a\n  b</textarea>", "a\n  b"),
        ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>です<p>x", "漢字です\nかん じ\n\nx"),
        ("<svg><title>t</title><text>label</text></svg>", "label"),
        ("<p>x</p><script>y</script><style>z{}</style>", "x"),
        ("<ul><li style='display:inline'>a</li><li style='display:inline'>b</li></ul>", "ab"),
        ("<span style='display:block'>a</span><span style='display: flex'>b</span>", "a\nb"),
        ("<p style='white-space:pre'>a  b", "a  b"),
        ("<iframe srcdoc='<p>in the frame'></iframe>", "in the frame"),
        ("<div><template shadowrootmode=open><p>shadow</template></div>", "shadow"),
        ("", ""),
        ("just words & <unknown>tags</unknown>", "just words & tags"),
    ],
)
def test_layout(markup: str, expected: str) -> None:
    assert text(markup) == expected


def test_pre_is_verbatim() -> None:
    assert text("a<pre>\n  x\r\n\n    <b>y</b>  z\n</pre>b") == "a\n\n  x\n\n    y  z\n\nb"


def test_list_in_a_cell_is_kept() -> None:
    """B051."""
    assert text("<table><tr><td>Mon</td><td><ul><li>10-20</li></ul></td></tr></table>") == "Mon\t10-20"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("<td>a</td><td></td><td>c</td>", "a\t\tc"),
        ("<td></td><td>b</td><td></td>", "\tb"),
        ("<td><p>a</p></td><td><p>b</p></td>", "a\tb"),
        ("<td>a<br>b</td><td>c</td>", "a\nb\tc"),
        ("<th>h</th><td>d</td>", "h\td"),
        ("<td>o<table><tr><td>i<td>j</table></td><td>k", "o\n\ni\tj\tk"),
    ],
)
def test_empty_cells_shift_nothing(row: str, expected: str) -> None:
    """B051."""
    assert text(f"<table><tr>{row}</tr><tr><td>next</table>") == f"{expected}\nnext"


def test_title() -> None:
    page = extract_html("<title> A\n title </title><svg><title>not this</title></svg><p>x")
    assert (page.title, page.text) == ("A title", "x")
    assert extract_html("<svg><title>not this</title></svg><p>x").title is None
    assert extract_html("x").extractor.startswith("selectolax ")


def test_invisible_characters_do_not_break_a_match() -> None:
    """B032."""
    page = PageText(text("<p>Wert&shy;papier&#8203;index<wbr>fonds sind"))
    assert page.find("Wertpapierindexfonds sind") is not None


PAGES = [
    "<title>1</title><p>first <b>page</b><p hidden>h",
    "<style>.x{display:none}</style><p class=x>gone<p>second",
    "<p class=x>seen here<table><tr><td>a<td>b</table>",
    "<pre> a\n b</pre><!-- c --><template>t</template>",
]


def test_no_state_between_pages() -> None:
    """B055: the same page gives the same text whatever was read before it."""
    first = [extract_html(page) for page in PAGES]
    chosen = random.Random(7)
    for _ in range(10):
        order = list(range(len(PAGES)))
        chosen.shuffle(order)
        assert [extract_html(PAGES[number]) for number in order] == [first[number] for number in order]


WORD = st.text("abc ü\n<>&\"'=/!-", max_size=12)
TAG = st.sampled_from(
    [
        "p",
        "div",
        "b",
        "table",
        "tr",
        "td",
        "li",
        "pre",
        "br",
        "script",
        "style",
        "template",
        "select",
        "svg",
        "rt",
        "dialog",
    ]
)


@given(st.lists(st.tuples(TAG, st.sampled_from(["", "/"]), WORD), max_size=30))
def test_any_soup_is_read(pieces: list[tuple[str, str, str]]) -> None:
    markup = "".join(f"<{close}{tag}>{word}" for tag, close, word in pieces)
    page = extract_html(markup)
    assert page.problem is None
    assert page == extract_html(markup)


@given(st.lists(st.text("abcdefg", min_size=1, max_size=5), min_size=1, max_size=20))
def test_every_word_stands_in_order(words: list[str]) -> None:
    tags = ["p", "li", "td", "b", "div", "h2", "dd"]
    markup = "".join(f"<{tags[number % 7]}>{word} </{tags[number % 7]}>" for number, word in enumerate(words))
    assert text(markup).split() == words

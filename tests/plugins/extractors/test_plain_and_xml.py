"""Plain text, Markdown, JSON, XHTML, XML and feeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_lint.witness.excerpts import PageText
from evidence_lint_plugins.extractors.plain import extract_json, extract_markdown, extract_text, unescape_json
from evidence_lint_plugins.extractors.xml import extract_xml


def test_plain_text_is_kept() -> None:
    assert extract_text("a  b\r\nc\rd\n <b>").text == "a  b\nc\nd\n <b>"


def test_markdown_source_and_rendering() -> None:
    page = extract_markdown(
        "# The *title*\n\nSome **bold**ly [linked](https://x.example) words.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    found = PageText(page.text)
    assert found.find("Some **bold**ly [linked](https://x.example) words.") is not None
    assert found.find("Some boldly linked words.") is not None
    assert "1\t2" in page.text
    assert page.title == "The *title*"
    assert extract_markdown("only words").text == "only words"


def test_json_as_it_stands_and_with_its_escapes_read() -> None:
    page = PageText(extract_json('{"a": "It is \\"caf\\u00e9\\"\\nand more \\ud83d\\ude00"}').text)
    assert page.find('is \\"caf\\u00e9\\"\\nand more') is not None
    assert page.find('It is "café" and more 😀') is not None
    assert extract_json('{"a": "b"}').text == '{"a": "b"}'


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("\\\\u0041", "\\u0041"),
        ("\\ud83d alone", "\ufffd\ufffd\ufffd alone"),
        ("\\x stays", "\\x stays"),
        ("a\\/b\\tc", "a/b\tc"),
    ],
)
def test_json_escapes(source: str, expected: str) -> None:
    assert unescape_json(source) == expected


def test_xml_sentences_stay_whole_and_elements_apart() -> None:
    page = extract_xml(
        "<doc><title>T</title><p>The <b>big</b> H<sub>2</sub>O.</p><p>Next<!-- c --></p><script>s</script></doc>"
    )
    assert page.text == "T\nThe big H2O.\nNext"
    assert (page.title, page.hidden_text) == ("T", " c ")


def test_feed_with_pages_in_it() -> None:
    page = extract_xml(
        "<?xml version='1.0'?><rss><channel><title>News</title><item><title>One</title>"
        "<description>&lt;p&gt;Some &lt;b&gt;bold&lt;/b&gt; claim.&lt;/p&gt;&lt;p hidden&gt;no&lt;/p&gt;</description>"
        "<content><![CDATA[<p>Other<p>words]]></content></item></channel></rss>"
    )
    assert page.text == "News\nOne\nSome bold claim.\nOther\n\nwords"
    assert page.hidden_text == "no"


def test_xhtml_is_read_as_a_page() -> None:
    page = extract_xml(
        '<?xml version="1.0"?><!DOCTYPE html PUBLIC "x" "y" [<!ENTITY a "b">]><html xmlns="http://www.w3.org/1999/xhtml">'
        "<head><title/><script src='x'/></head>"
        "<body><div/><p>a<br/>b <![CDATA[<c> & d]]></p><p hidden='hidden'>h</p></body></html>"
    )
    assert page.text == "a\nb <c> & d"
    assert page.hidden_text == "h"


def test_broken_xml_is_read_tolerantly() -> None:
    assert extract_xml("<a><b>one</a> & two").text == "one & two"


def test_entities_are_neither_expanded_nor_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("SECRET")
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    bomb = extract_xml(f'<!DOCTYPE d [<!ENTITY e0 "lol">{levels}]><d>A &e11; B</d>')
    assert bomb.text == "A &e11; B"
    for declaration in (f'<!ENTITY x SYSTEM "{secret.as_uri()}">', f'<!ENTITY % p SYSTEM "{secret.as_uri()}"> %p;'):
        outside = extract_xml(f"<!DOCTYPE d [{declaration}]><d>A &x; B</d>")
        assert "SECRET" not in outside.text
    remote = extract_xml(f'<!DOCTYPE d SYSTEM "{secret.as_uri()}"><d>A &amp; B &#233;</d>')
    assert remote.text == "A & B é"

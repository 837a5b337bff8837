"""Hostile characters are made visible, and paths survive the way into a URI and back (B097, B099)."""

from __future__ import annotations

import unicodedata
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint_plugins.formats.characters import one_line, visible, visible_character, whole, xml_text
from evidence_lint_plugins.formats.uris import path_of, uri_of

ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)


@given(ANY)
def test_nothing_acts_after_visible(text):
    shown = visible(text)
    shown.encode("utf-8")
    assert all(unicodedata.category(c) not in {"Cc", "Cs", "Zl", "Zp"} for c in shown if c not in "\n\t")
    assert visible(shown) == shown
    line = one_line(text)
    assert "\n" not in line
    assert "\t" not in line
    assert len(line.splitlines()) <= 1


@given(ANY)
def test_whole_and_xml_text_can_be_carried(text):
    whole(text).encode("utf-8")
    element = ET.Element("a", b=xml_text(text))
    element.text = xml_text(text)
    back = ET.fromstring(ET.tostring(element, encoding="unicode"))
    assert (back.text or "") == xml_text(text)
    assert back.get("b") == xml_text(text)


def test_what_is_kept_and_what_is_shown():
    assert visible("می‌خواهم 👩‍👧 再e\u0301") == "می‌خواهم 👩‍👧 再e\u0301"
    assert visible("\x1b[31m\x7f\u200b") == "␛[31m␡<U+200B>"
    assert visible_character("\t") == "    "
    assert whole("a\udc80") == "a\\udc80"
    assert xml_text("\x00\U0001f600\ufffe\r") == "\\x00\U0001f600\\ufffe\\x0d"


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("docs/100% done #2.md", "docs/100%25%20done%20%232.md"),
        ("ü.md", "%C3%BC.md"),
        ("C:\\r\\x.md", "file:///C:/r/x.md"),
        ("C:/r/a b.md", "file:///C:/r/a%20b.md"),
        ("\\\\host\\share\\x y.md", "file://host/share/x%20y.md"),
        ("/abs/a?b.md", "file:///abs/a%3Fb.md"),
        ("a:b/c.md", "a%3Ab/c.md"),
        ("\udcff.md", "%FF.md"),
        ("\ud800.md", "%ED%A0%80.md"),
    ],
)
def test_uris(path, uri):
    assert uri_of(path) == uri


SEGMENT = st.text(st.characters(exclude_characters="/\x00", exclude_categories=("Cs",)), min_size=1, max_size=12)


@given(st.lists(SEGMENT, min_size=1, max_size=4), st.booleans())
def test_paths_come_back(segments, absolute):
    path = ("/" if absolute else "x/") + "/".join(segments)
    uri = uri_of(path)
    assert uri.isascii()
    assert path_of(uri) == path

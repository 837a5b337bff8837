"""From bytes to characters, with the precedence of browsers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint_plugins.extractors.charsets import codec, decode

META = b'<!doctype html><meta charset="%s"><p>'


@pytest.mark.parametrize(
    ("body", "declared", "markup", "charset", "expected"),
    [
        (b"\xef\xbb\xbfcaf\xc3\xa9", "iso-8859-1", True, "utf-8", "café"),
        (b"\xff\xfea\0\xe9\0", "utf-8", True, "utf-16le", "aé"),
        (b"\xfe\xff\0a\0\xe9", None, False, "utf-16be", "aé"),
        (b"caf\xc3\xa9", "utf8", True, "utf-8", "café"),
        (b"\x93caf\xe9\x94 \x80", "ISO-8859-1", True, "windows-1252", "“café” €"),
        (b"\x93caf\xe9\x94", "us-ascii", True, "windows-1252", "“café”"),
        (META % b"windows-1251" + b"\xcf\xf0\xe8", None, True, "windows-1251", "При"),
        (META % b"windows-1251" + b"\xd0\x9f", "utf-8", True, "utf-8", "П"),
        (META % b"utf-16" + b"caf\xc3\xa9", None, True, "utf-8", "café"),
        (b"<!-- <meta charset=koi8-r> --><meta charset=windows-1252>\xe9", None, True, "windows-1252", "é"),
        (
            b"<meta http-equiv=Content-Type content='text/html; charset=gb2312'>" + "限流".encode("gbk"),
            None,
            True,
            "gb18030",
            "限流",
        ),
        (b"<meta name=description content='charset=koi8-r'>caf\xc3\xa9", None, True, "utf-8", "café"),
        (
            b'<meta content="text/html; charset=iso-8859-15" http-equiv="Content-Type" />\xa4',
            None,
            True,
            "iso-8859-15",
            "€",
        ),
        (b"<?xml version='1.0' encoding='ISO-8859-2'?><a>\xb1", None, True, "iso-8859-2", "ą"),
        ("日本語".encode("shift_jis"), "Shift_JIS", True, "shift_jis", "日本語"),
        ("안녕".encode("cp949"), "ks_c_5601-1987", True, "euc-kr", "안녕"),
        (b"caf\xc3\xa9", "no-such-charset", False, "utf-8", "café"),
        (b"caf\xc3\xa9 \xe2\x82", None, False, "utf-8", "café �"),  # cut within a character
        ("words in UTF-16".encode("utf-16-le"), None, False, "utf-16le", "words in UTF-16"),
        (b"", None, True, "utf-8", ""),
    ],
)
def test_precedence(body: bytes, declared: str | None, markup: bool, charset: str, expected: str) -> None:
    decoded = decode(body, declared, markup=markup)
    assert decoded.charset == charset
    assert decoded.text.endswith(expected)


def test_meta_counts_in_markup_only() -> None:
    assert decode(META % b"koi8-r" + b"\xc3\xa9", None).text.endswith("é")


@pytest.mark.parametrize(
    ("encoding", "sentence"),
    [
        ("windows-1251", "Это предложение написано по-русски и достаточно длинное, чтобы его узнать. "),
        ("windows-1252", "Une phrase française où les accents sont nombreux, évidemment, à l'été. "),
        ("shift_jis", "これは日本語の文章です。エンコーディングを推測します。"),
    ],
)
def test_detection(encoding: str, sentence: str) -> None:
    assert decode((sentence * 20).encode(encoding), None).text == sentence * 20


@pytest.mark.parametrize(
    "label", ["utf-7", "rot13", "base64", "idna", "unicode_escape", "zlib", "", None, "x" * 99, "\0"]
)
def test_labels_that_no_browser_knows(label: str | None) -> None:
    assert codec(label) is None


def test_damage_is_told_when_there_is_much_of_it() -> None:
    assert decode(b"one \xff byte among many words", "utf-8").problem is None
    damaged = decode(b"\xff\xfd\xff\xfa ab" * 50, "utf-8")
    assert "\ufffd" in damaged.text
    assert damaged.problem is not None
    assert "not valid utf-8" in damaged.problem


@given(st.binary(max_size=300), st.none() | st.text(max_size=12), st.booleans())
def test_never_raises(body: bytes, declared: str | None, markup: bool) -> None:
    decoded = decode(body, declared, markup=markup)
    assert decoded.text.encode("utf-8", "surrogatepass") or not decoded.text
    assert decoded == decode(body, declared, markup=markup)

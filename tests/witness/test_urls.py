from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.witness.urls import (
    exact_url,
    host_of,
    is_address,
    is_example_host,
    malformed,
    normalize_url,
    registrable_domain,
    tracking_parameters,
    without_tracking,
)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTPS://Example.COM:443/a//b/?b=2&a=1#frag", "https://example.com/a/b?a=1&b=2"),
        ("http://example.com:80", "http://example.com/"),
        ("http://example.com:8080/", "http://example.com:8080/"),
        ("https://example.com:80/x", "https://example.com:80/x"),
        (
            "https://e.com/?utm_source=x&UTM_Medium=y&fbclid=1&gclid=2&mc_cid=3&mc_eid=4&ref=5&ref_src=6&spm=7",
            "https://e.com/",
        ),
        ("https://e.com/p?blank=&bare&x=1", "https://e.com/p?x=1"),
        ("https://e.com/p?refer=1&reference=2", "https://e.com/p?refer=1&reference=2"),
        ("https://e.com/p?b=2&a=2&a=1", "https://e.com/p?a=1&a=2&b=2"),
        ("https://e.com/Foo_%28album%29", "https://e.com/Foo_(album)"),
        ("https://e.com/Foo_(album)", "https://e.com/Foo_(album)"),
        ("https://e.com/%7euser/%e9%A0", "https://e.com/~user/%E9%A0"),
        ("https://e.com/p#:~:text=alpha%20beta,gamma", "https://e.com/p"),
        ("https://[2001:DB8:0::1]:8443/x", "https://[2001:db8::1]:8443/x"),
        ("https://[2001:db8::1]/", "https://[2001:db8::1]/"),
        ("https://b\u00fccher.example/", "https://xn--bcher-kva.example/"),
        ("https://XN--BCHER-KVA.example", "https://xn--bcher-kva.example/"),
        ("https://e\uff0ecom/", "https://e.com/"),
        ("https://e.com./x", "https://e.com/x"),
        (" https://e.com/x ", "https://e.com/x"),
        ("https://e.com/a/../b", "https://e.com/a/../b"),
        ("https://e.com/?q=a+b%20c", "https://e.com/?q=a+b+c"),
    ],
)
def test_identity(url: str, expected: str) -> None:
    assert normalize_url(url) == expected
    assert normalize_url(expected) == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "ftp://e.com/",
        "mailto:a@e.com",
        "e.com/path",
        "https://user@e.com/",
        "https://user:pw@e.com/",
        "https://ok.example@evil.example/",
        "http://127.0.0.1:6666\\@1.1.1.1/",
        "http://a.example\t.evil.example/",
        "http://a.example/\n",
        "https://e.com/a b",
        "https:///path",
        "https://e.com:99999/",
        "https://e.com:port/",
        "https://<host>/",
        "https://[::1/",
        "https://-bad.com/",
        "https://a..b/",
        "javascript:alert(1)",
    ],
)
def test_no_identity(url: str) -> None:
    if url.endswith("\n"):
        assert normalize_url(url) == "http://a.example/"
    else:
        assert normalize_url(url) is None


@given(st.text(max_size=60))
def test_identity_is_idempotent(tail: str) -> None:
    once = normalize_url("https://e.com/" + tail)
    if once is not None:
        assert normalize_url(once) == once
    malformed("https://e.com/" + tail)
    malformed("https://" + tail)
    malformed(tail)


def test_exact_keeps_parameters() -> None:
    assert exact_url(" https://e.com/p?ref=v1 ") == "https://e.com/p?ref=v1"
    assert exact_url("https://e.com/p#:~:text=a") == "https://e.com/p"
    assert exact_url("https://e.com/p#part:~:text=a") == "https://e.com/p#part"


@pytest.mark.parametrize(
    ("url", "part"),
    [
        ("https://news.example/4? we did not use this, skip", "white space"),
        ("https://e.com/very/long/pa...", "cut off"),
        ("https://e.com/very/long/pa\u2026", "cut off"),
        ("https://", "cut off"),
        ("https://www.com", "cut off"),
        ("https://e.com/100%", "%"),
        ("https://e.com/%zz", "%"),
        ("https://<host>/x", "placeholder"),
        ("https://{host}/x", "placeholder"),
        ("https://your-domain.com/x", "placeholder"),
        ("https://api.yourdomain.com/x", "placeholder"),
        ("http://localhost:3000/", "own machine"),
        ("http://printer.local/", "own machine"),
        ("https://intranet/", "no public host"),
        ("https://e.com:99999/", "port"),
        ("https://a..b/", "not a host name"),
        ("e.com/path", "no scheme"),
        ("", "empty"),
        ("https://e.com\\x", "backslash"),
    ],
)
def test_malformed(url: str, part: str) -> None:
    assert part in (malformed(url) or "")


@pytest.mark.parametrize(
    "url",
    [
        "https://en.wikipedia.org/wiki/Foo_(album)",
        "https://example.org/x",
        "https://[2001:db8::1]:8443/x",
        "http://127.0.0.1:8000/page",
        "https://e.com/?q=100%25",
        "https://mydomain.photography/",
        "https://b\u00fccher.de/\u00fcber",
        "mailto:someone@e.com",
        "https://host.com.au/",
        "https://www.example.co/",
    ],
)
def test_well_formed(url: str) -> None:
    assert malformed(url) is None


def test_example_hosts() -> None:
    assert is_example_host("https://www.example.org/x")
    assert is_example_host("https://shop.example/")
    assert not is_example_host("https://example.org.evil.com/")
    assert not is_example_host("https://notexample.org/")


def test_tracking() -> None:
    url = "https://e.com/p?a=1&utm_source=chatgpt.com&ref=main&gclid=2#:~:text=utm_source=x"
    assert tracking_parameters(url) == ("utm_source", "gclid")
    assert without_tracking(url) == "https://e.com/p?a=1&ref=main#:~:text=utm_source=x"
    assert without_tracking("https://e.com/p?utm_source=a#x") == "https://e.com/p#x"
    assert tracking_parameters("https://e.com/p#:~:text=utm_source=x") == ()
    assert without_tracking("https://e.com/p?b&&a=%zz") == "https://e.com/p?b&&a=%zz"


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.bbc.co.uk", "bbc.co.uk"),
        ("a.github.io", "a.github.io"),
        ("github.io", None),
        ("docs.python.org", "python.org"),
        ("1.2.3.4", None),
        ("0x7f.1", None),
        ("2130706433", None),
        ("[::1]", None),
        ("WWW.Example.COM.", "example.com"),
        ("", None),
    ],
)
def test_registrable_domain(host: str, domain: str | None) -> None:
    assert registrable_domain(host) == domain


def test_hosts() -> None:
    assert host_of("https://[2001:db8::1]/") == "2001:db8::1"
    assert host_of("nonsense") is None
    assert is_address("127.1")
    assert not is_address("3com.com")

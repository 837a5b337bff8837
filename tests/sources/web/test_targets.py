from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.sources.web.addresses import judge
from evidence_lint.sources.web.targets import UnsafeTarget, join_target, parse_target
from tests.sources.web.hostile import HOSTILE_HOSTS, HOSTILE_URLS


def refused(url: str) -> bool:
    """The URL is refused outright, or it is read as an address that the judgement refuses."""
    try:
        target = parse_target(url)
    except UnsafeTarget as error:
        assert error.reason
        return True
    return target.address is not None and not judge(target.address).public


def test_the_table_is_long_enough() -> None:
    assert len(set(HOSTILE_HOSTS)) == len(HOSTILE_HOSTS)
    assert len(HOSTILE_HOSTS) >= 150


@pytest.mark.parametrize("scheme", ["http", "HTTPS"])
@pytest.mark.parametrize("host", HOSTILE_HOSTS, ids=ascii)
def test_hostile_host_is_refused(host: str, scheme: str) -> None:
    assert refused(f"{scheme}://{host}/x")


@pytest.mark.parametrize("url", HOSTILE_URLS, ids=lambda url: ascii(url)[:40])
def test_hostile_url_is_refused(url: str) -> None:
    assert refused(url)


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("http://example.org", "http://example.org/"),
        ("HTTP://EXAMPLE.ORG:80/a?b#c", "http://example.org/a?b"),
        ("https://example.org:443/", "https://example.org/"),
        ("https://example.org:8443/x", "https://example.org:8443/x"),
        ("https://example.org:/x", "https://example.org/x"),
        ("https://example.org./x", "https://example.org/x"),
        ("https://example.org?q=1", "https://example.org/?q=1"),
        ("https://example.org/p#:~:text=alpha%20beta", "https://example.org/p"),
        ("https://w.example/Foo_(album)", "https://w.example/Foo_(album)"),
        ("https://example.org/ü?ö=ß", "https://example.org/%C3%BC?%C3%B6=%C3%9F"),
        ("https://example.org/100%", "https://example.org/100%25"),
        ("https://example.org/%7Ea/%e4", "https://example.org/%7Ea/%e4"),
        ("https://example.org/a@b:c", "https://example.org/a@b:c"),
        ("https://example.org/?u=http://127.0.0.1/", "https://example.org/?u=http://127.0.0.1/"),
        ('https://example.org/"<>', "https://example.org/%22%3C%3E"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://BÜCHER。example/", "https://xn--bcher-kva.example/"),
        ("https://exam\u00adple.org/", "https://example.org/"),
        ("https://my_site.example.org/", "https://my_site.example.org/"),
        ("https://faß.example/", "https://xn--fa-hia.example/"),
        ("http://8.8.8.8/", "http://8.8.8.8/"),
        ("http://134744072/", "http://8.8.8.8/"),
        ("http://0x8.8.2056/", "http://8.8.8.8/"),
        ("http://[2606:4700:0:0::1111]:8080/", "http://[2606:4700::1111]:8080/"),
        ("https://localhost.example.org/", "https://localhost.example.org/"),
        ("https://notlocal.example/", "https://notlocal.example/"),
        ("https://1.example.org/", "https://1.example.org/"),
        ("https://0x7f.example.org/", "https://0x7f.example.org/"),
    ],
)
def test_canonical_form(url: str, canonical: str) -> None:
    target = parse_target(url)
    assert target.url == canonical
    assert target.url.isascii()
    assert parse_target(canonical) == target


def test_parts_of_a_target() -> None:
    target = parse_target("http://[2606:4700::1111]:8080/a?b")
    assert (target.host, target.port, target.path, target.insecure) == ("2606:4700::1111", 8080, "/a?b", True)
    assert target.authority == "[2606:4700::1111]:8080"
    assert target.address == ipaddress.ip_address("2606:4700::1111")


@pytest.mark.parametrize(
    ("location", "joined"),
    [
        ("/b", "https://example.org/b"),
        ("b", "https://example.org/x/b"),
        ("?q", "https://example.org/x/y?q"),
        ("../b", "https://example.org/b"),
        ("//other.example/b", "https://other.example/b"),
        ("http://other.example/b#f", "http://other.example/b"),
        ("/a b", "https://example.org/a%20b"),
        (" /b\t", "https://example.org/b"),
        ("/b#frag", "https://example.org/b"),
    ],
)
def test_join(location: str, joined: str) -> None:
    assert join_target(parse_target("https://example.org/x/y"), location).url == joined


@pytest.mark.parametrize(
    "location",
    ["http:/127.0.0.1/", "http:127.0.0.1", "\\\\127.0.0.1\\", "/\\127.0.0.1/", "//localhost/", "//user@example.org/", "file:///etc/passwd",
     "javascript:1", "https://a b.example/", "//exa\tmple.org", "//[::1%25lo]/", "//[::1", "http://localhost:80/", "http://wiki/"],
)  # fmt: skip
def test_join_refuses(location: str) -> None:
    with pytest.raises(UnsafeTarget):
        join_target(parse_target("https://example.org/x/y"), location)


@pytest.mark.parametrize(
    "location", ["//127.1/", "http://0x7f000001/", "//[::ffff:10.0.0.1]/", "https://169.254.169.254/latest"]
)
def test_join_recognises_addresses(location: str) -> None:
    address = join_target(parse_target("https://example.org/x/y"), location).address
    assert address is not None
    assert not judge(address).public


@given(st.text(max_size=40), st.sampled_from(["http://", "https://", ""]))
def test_any_text_is_read_or_refused(text: str, scheme: str) -> None:
    try:
        target = parse_target(scheme + text)
    except UnsafeTarget:
        return
    parts = urlsplit(target.url)
    assert parts.hostname == target.host
    assert parts.username is None
    assert (parts.port or {"http": 80, "https": 443}[parts.scheme]) == target.port
    assert parse_target(target.url) == target


@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.sampled_from(["{}", "0x{:x}", "0{:o}"]), min_size=4, max_size=4),
    st.integers(1, 4),
)
def test_every_notation_of_an_ipv4_address_is_the_same_address(value: int, forms: list[str], parts: int) -> None:
    octets = value.to_bytes(4, "big")
    numbers = [*octets[: parts - 1], int.from_bytes(octets[parts - 1 :], "big")]
    host = ".".join(form.format(number) for form, number in zip(forms, numbers, strict=False))
    assert parse_target(f"http://{host}/").address == ipaddress.IPv4Address(value)

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.errors import ConfigError
from evidence_lint.sources.web.addresses import AddressPolicy, judge

NOT_PUBLIC = {
    "unspecified": ["0.0.0.0", "::"],
    "this network": ["0.0.0.1", "0.255.255.255"],
    "private": ["10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255"],
    "carrier-grade NAT": ["100.64.0.0", "100.127.255.255"],
    "loopback": ["127.0.0.1", "127.255.255.254", "::1"],
    "link-local": ["169.254.0.0", "169.254.169.254", "169.254.255.255", "fe80::1", "febf::1"],
    "IETF protocol assignments": [
        "192.0.0.1",
        "192.0.0.9",
        "192.0.0.170",
        "2001:1::1",
        "2001:3::1",
        "2001:4:112::1",
        "2001:1ff::1",
    ],
    "documentation": ["192.0.2.1", "198.51.100.7", "203.0.113.255", "2001:db8::1", "3fff::1", "3fff:fff::1"],
    "6to4 relay": ["192.88.99.1"],
    "benchmarking": ["198.18.0.0", "198.19.255.255", "2001:2::1", "2001:2:0:ffff::1"],
    "multicast": ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
    "reserved": ["240.0.0.1", "255.255.255.254"],
    "broadcast": ["255.255.255.255"],
    "IPv4-mapped": ["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8"],
    "IPv4-translated": ["::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8"],
    "IPv4-compatible": ["::127.0.0.1", "::8.8.8.8", "::2"],
    "local NAT64": ["64:ff9b:1::1", "64:ff9b:1:ffff::8.8.8.8"],
    "discard": ["100::1", "100::ffff:ffff:ffff:ffff"],
    "Teredo": ["2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    "ORCHID": ["2001:10::1", "2001:1f:ffff::1", "2001:20::1", "2001:2f::1"],
    "segment routing": ["5f00::1", "5f00:ffff::1"],
    "unique local": ["fc00::1", "fd00::2", "fdff:ffff::1"],
    "site-local": ["fec0::1", "feff::1"],
    "outside global unicast": ["100:0:0:1::1", "200::1", "1fff::1", "4000::1", "8000::1", "e000::1", "fe00::1"],
}

PUBLIC = [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
    "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0",
    "192.0.3.0", "192.88.98.255", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.101.0",
    "203.0.114.0", "223.255.255.255", "2000::1", "2001:200::1", "2001:4860:4860::8888", "2606:4700::1111",
    "2a00:1450:4001::1", "2002:808:808::1", "64:ff9b::8.8.8.8", "3ffe:ffff::1", "2a00::200:5efe:8.8.8.8",
]  # fmt: skip

EMBEDDED = [
    "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b::", "64:ff9b::192.168.1.1",
    "2002:7f00:1::1", "2002:a00:1::", "2002:c0a8:101::1", "2002:a9fe:a9fe::", "2002:e000:1::",
    "2a00::5efe:10.0.0.1", "2a00:1:2:3:200:5efe:192.168.0.1", "2a00::5efe:127.0.0.1",
]  # fmt: skip


@pytest.mark.parametrize(("reason", "address"), [(reason, a) for reason, many in NOT_PUBLIC.items() for a in many])
def test_class_of_a_non_public_address(reason: str, address: str) -> None:
    judgement = judge(ipaddress.ip_address(address))
    assert (judgement.public, judgement.reason) == (False, reason)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_up_to_the_borders_of_the_tables(address: str) -> None:
    assert judge(address).public


@pytest.mark.parametrize("address", EMBEDDED)
def test_an_embedded_ipv4_address_is_judged(address: str) -> None:
    judgement = judge(address)
    assert not judgement.public
    assert " of " in judgement.reason


@pytest.mark.parametrize("text", ["fe80::1%eth0", "2606:4700::1111%1", "", "example.org", "1.2.3", "::1::", "١.١.١.١"])
def test_what_is_no_plain_address_is_not_public(text: str) -> None:
    assert not judge(text).public


def test_a_zone_in_an_address_object_is_refused() -> None:
    assert judge(ipaddress.ip_address("2606:4700::1111%eth0")).reason == "address with a zone"


@given(st.ip_addresses(v=4))
def test_never_more_public_than_the_standard_library(ip: ipaddress.IPv4Address) -> None:
    judgement = judge(ip)
    if judgement.public:
        assert not (ip.is_private or ip.is_multicast or ip.is_reserved or ip.is_loopback or ip.is_link_local)
    else:
        assert not ip.is_global or ip.is_multicast or ip in ipaddress.ip_network("192.0.0.0/8")


@given(st.ip_addresses(v=4))
def test_mapped_is_never_public_and_embedded_follows_its_inner_address(inner: ipaddress.IPv4Address) -> None:
    value = int(inner)
    assert not judge(ipaddress.IPv6Address((0xFFFF << 32) | value)).public
    assert not judge(ipaddress.IPv6Address(value)).public
    expected = judge(inner).public
    assert judge(ipaddress.IPv6Address((0x64FF9B << 96) | value)).public is expected
    assert judge(ipaddress.IPv6Address((0x2002 << 112) | (value << 80) | 1)).public is expected


@given(st.ip_addresses(v=6))
def test_public_ipv6_is_global_unicast(ip: ipaddress.IPv6Address) -> None:
    if judge(ip).public:
        assert ip in ipaddress.ip_network("2000::/3") or ip in ipaddress.ip_network("64:ff9b::/96")


def test_exceptions_cover_their_network_alone() -> None:
    policy = AddressPolicy.from_cidrs(["127.0.0.0/8", " ::1/128 "])
    permitted = [a for a in ("127.0.0.9", "::1", "10.0.0.1", "::2", "::ffff:127.0.0.1", "::1%lo") if
                 policy.permits(ipaddress.ip_address(a))]  # fmt: skip
    assert permitted == ["127.0.0.9", "::1"]


@pytest.mark.parametrize("cidr", ["", "localhost", "10.0.0.1/8", "10.0.0.0/33", "::1%lo/128"])
def test_a_wrong_exception_is_a_configuration_error(cidr: str) -> None:
    with pytest.raises(ConfigError, match="CIDR"):
        AddressPolicy.from_cidrs([cidr])

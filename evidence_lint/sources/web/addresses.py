"""Judge whether an IP address is on the public internet (chapter 4, "Public-network-only egress").

The tables are written out here and not taken from :mod:`ipaddress`, whose ``is_global`` follows another
question (may the address be forwarded?) and another answer with each Python release.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

from evidence_lint.errors import ConfigError

IPAddress: TypeAlias = IPv4Address | IPv6Address
IPNetwork: TypeAlias = IPv4Network | IPv6Network

#: Addresses that VPN and proxy programs hand out instead of the real ones ("fake IP").
FAKE_DNS_NETWORK = IPv4Network("198.18.0.0/15")

# The first network that holds the address gives the reason, so narrower ones stand before wider ones.
_V4: tuple[tuple[IPv4Network, str], ...] = tuple(
    (IPv4Network(network), reason)
    for network, reason in (
        ("0.0.0.0/32", "unspecified"),
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "carrier-grade NAT"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "IETF protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("255.255.255.255/32", "broadcast"),
        ("240.0.0.0/4", "reserved"),
    )
)

_V6: tuple[tuple[IPv6Network, str], ...] = tuple(
    (IPv6Network(network), reason)
    for network, reason in (
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("::ffff:0:0/96", "IPv4-mapped"),
        ("::ffff:0:0:0/96", "IPv4-translated"),
        ("::/96", "IPv4-compatible"),
        ("64:ff9b:1::/48", "local NAT64"),
        ("100::/64", "discard"),
        ("2001::/32", "Teredo"),
        ("2001:2::/48", "benchmarking"),
        ("2001:10::/28", "ORCHID"),
        ("2001:20::/28", "ORCHID"),
        ("2001:db8::/32", "documentation"),
        ("2001::/23", "IETF protocol assignments"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "segment routing"),
        ("fc00::/7", "unique local"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)

_NAT64 = IPv6Network("64:ff9b::/96")
_SIX_TO_FOUR = IPv6Network("2002::/16")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
# Interface identifiers of ISATAP: the IPv4 address follows 0000:5efe or 0200:5efe.
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether an address is public, and the class that makes it so or not."""

    public: bool
    reason: str


def judge(ip: IPAddress | str) -> Judgement:
    """Judge *ip*; only public unicast is public, and what cannot be read is not.

    An IPv6 address with a zone (``fe80::1%eth0``) names an interface of this machine and is refused.
    """
    if isinstance(ip, str):
        if "%" in ip:
            return Judgement(False, "address with a zone")
        try:
            ip = ip_address(ip)
        except ValueError:
            return Judgement(False, "not an IP address")
    return _judge_v4(ip) if isinstance(ip, IPv4Address) else _judge_v6(ip)


def _judge_v4(ip: IPv4Address) -> Judgement:
    for network, reason in _V4:
        if ip in network:
            return Judgement(False, reason)
    return Judgement(True, "public")


def _judge_v6(ip: IPv6Address) -> Judgement:
    if ip.scope_id is not None:
        return Judgement(False, "address with a zone")
    for network, reason in _V6:
        if ip in network:
            return Judgement(False, reason)
    embedded = _embedded_v4(ip)
    if embedded is not None:
        inner, how = embedded
        judgement = _judge_v4(inner)
        if not judgement.public:
            return Judgement(False, f"{how} of {inner} ({judgement.reason})")
        if ip in _NAT64:
            # The well-known prefix lies outside 2000::/3, but a network with DNS64 reaches every
            # IPv4-only site through it, and only public addresses get this far.
            return Judgement(True, "public (NAT64)")
    if ip not in _GLOBAL_UNICAST:
        return Judgement(False, "outside global unicast")
    return Judgement(True, "public")


def _embedded_v4(ip: IPv6Address) -> tuple[IPv4Address, str] | None:
    value = int(ip)
    if ip in _NAT64:
        return IPv4Address(value & 0xFFFFFFFF), "NAT64"
    if ip in _SIX_TO_FOUR:
        return IPv4Address((value >> 80) & 0xFFFFFFFF), "6to4"
    if (value >> 32) & 0xFFFFFFFF in _ISATAP:
        return IPv4Address(value & 0xFFFFFFFF), "ISATAP"
    return None


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Public addresses, and the networks that a person allowed by name (``--allow-network``)."""

    allowed: tuple[IPNetwork, ...] = ()

    @classmethod
    def from_cidrs(cls, cidrs: Iterable[str]) -> AddressPolicy:
        """Read CIDR blocks; raises :class:`ConfigError` for what is none."""
        networks: list[IPNetwork] = []
        for cidr in cidrs:
            try:
                if "%" in cidr:
                    raise ValueError("a zone is no part of a network")  # noqa: TRY301 - one message for both
                networks.append(ip_network(cidr.strip()))
            except ValueError as error:
                raise ConfigError(f"not a network in CIDR form: {cidr!r} ({error})", key="allow-network") from error
        return cls(tuple(networks))

    def permits(self, ip: IPAddress) -> bool:
        """Whether an explicit exception covers *ip*; a zone is never covered."""
        if isinstance(ip, IPv6Address) and ip.scope_id is not None:
            return False
        return any(ip.version == network.version and ip in network for network in self.allowed)

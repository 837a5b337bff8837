"""Resolve a target once and judge every answer (chapter 4, "Public-network-only egress")."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address
from typing import TypeAlias

from evidence_lint.errors import SourceError
from evidence_lint.sources.web.addresses import FAKE_DNS_NETWORK, AddressPolicy, IPAddress, judge
from evidence_lint.sources.web.targets import Target, UnsafeTarget
from evidence_lint.sources.web.threads import call_in_thread

#: Looks a host name up: all addresses of all families, as text. Blocking; called in a thread of its own.
#: Raises ``OSError`` (``socket.gaierror``) when the name has none.
Resolver: TypeAlias = Callable[[str], Sequence[str]]

RESERVED_RESOLVER = (
    "your resolver returns reserved addresses (198.18.0.0/15) for this name, as VPN and proxy programs with "
    "'fake IP' do, so the real address is unknown and was not contacted"
)


class ResolutionError(SourceError):
    """A host name has no address, or its look-up failed or took too long."""


class ReservedResolver(UnsafeTarget):
    """The resolver of this machine hides the real addresses; the source is not to blame (B075)."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The judged addresses of a target; only these may be dialled."""

    addresses: tuple[IPAddress, ...]
    via_allowed_network: bool


def system_resolver(host: str) -> list[str]:
    """Ask the system for every address of *host*, IPv4 and IPv6."""
    # Bytes keep Python's own (older) IDNA codec out of the way: the name was encoded already.
    rows = socket.getaddrinfo(host.encode("ascii"), None, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    addresses: list[str] = []
    for _family, _type, _protocol, _name, address in rows:
        text = str(address[0])
        if len(address) == 4 and address[3] and "%" not in text:
            text = f"{text}%{address[3]}"
        if text not in addresses:
            addresses.append(text)
    return addresses


async def resolve(target: Target, resolver: Resolver, policy: AddressPolicy, seconds: float) -> Resolved:
    """Look *target* up exactly once and judge every answer.

    Raises :class:`ResolutionError` when there is no answer within *seconds*, and :class:`UnsafeTarget` when
    any answer is neither public nor covered by an explicit exception. An address in the URL
    needs no look-up and gets the same judgement.
    """
    if target.address is not None:
        return _judge_all(target.host, (str(target.address),), policy)
    try:
        answers = await call_in_thread(lambda: tuple(resolver(target.host)), seconds)
    except TimeoutError as error:
        raise ResolutionError(f"the look-up of {target.host} took longer than {seconds:g} s") from error
    except (OSError, UnicodeError) as error:
        raise ResolutionError(_lookup_words(target.host, error)) from error
    if not answers:
        raise ResolutionError(f"{target.host} has no address")
    return _judge_all(target.host, answers, policy)


def _judge_all(host: str, answers: Sequence[str], policy: AddressPolicy) -> Resolved:
    addresses: list[IPAddress] = []
    refusals: list[str] = []
    excepted = False
    for answer in answers:
        judgement = judge(answer)
        try:
            address = ip_address(answer)
        except ValueError:
            refusals.append(f"{answer!r} ({judgement.reason})")
            continue
        addresses.append(address)
        if not judgement.public:
            if policy.permits(address):
                excepted = True
            else:
                refusals.append(f"{address} ({judgement.reason})")
    if refusals:
        if len(refusals) == len(answers) and all(_is_fake(address) for address in addresses) and addresses:
            raise ReservedResolver(RESERVED_RESOLVER)
        shown = ", ".join(refusals[:3]) + (", …" if len(refusals) > 3 else "")
        named = "is" if answers == (host,) else "resolves to"
        raise UnsafeTarget(f"{host} {named} {shown}, not a public address")
    return Resolved(tuple(addresses), excepted)


def _is_fake(address: IPAddress) -> bool:
    return isinstance(address, IPv4Address) and address in FAKE_DNS_NETWORK


def _lookup_words(host: str, error: Exception) -> str:
    if isinstance(error, socket.gaierror):
        if error.errno in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)):
            return f"{host} does not exist in the DNS"
        if error.errno == socket.EAI_AGAIN:
            return f"the look-up of {host} failed for now (no answer from the resolver)"
    return f"the look-up of {host} failed ({error})"

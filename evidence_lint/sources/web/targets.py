"""Turn a URL into the one object that is both judged and connected to (chapter 4).

Two parsers that read one URL differently are how a check is slipped past (B070), so there is
exactly one here: it is stricter than any browser, and the request is built from its result, never from the
text again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import quote, urljoin

import idna

from evidence_lint.errors import SourceError
from evidence_lint.sources.web.addresses import IPAddress

_DEFAULT_PORTS = {"http": 80, "https": 443}
_MAX_URL = 8192
_URL = re.compile(r"(?P<scheme>[a-z]+)://(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?:#.*)?", re.I)
_BRACKETED = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::([0-9]*))?")
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# Reserved for the machine itself or for the network around it (RFC 6761, 6762, 7686, 8375, ICANN's .internal).
_LOCAL_NAMES = ("localhost", "local", "internal", "localdomain", "home.arpa", "onion")
# Everything that a URL may carry unescaped; the rest is escaped as UTF-8.
_PATH_SAFE = "/%:@!$&'()*+,;=~-._"
_QUERY_SAFE = _PATH_SAFE + "?[]|{}`^"
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


class UnsafeTarget(SourceError):
    """A URL that is not contacted; ``reason`` says to a person why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Target:
    """A URL that was read once. ``host`` is ASCII in lower case, without brackets and trailing dot."""

    scheme: str
    host: str
    port: int
    #: Path and query as sent, ASCII.
    path: str
    #: The host as an address when the URL holds one in any spelling.
    address: IPAddress | None

    @property
    def insecure(self) -> bool:
        """Plain http."""
        return self.scheme == "http"

    @property
    def authority(self) -> str:
        """Host, with a port that is not the scheme's own: what ``Host`` says."""
        host = f"[{self.host}]" if isinstance(self.address, IPv6Address) else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The canonical URL, without a fragment."""
        return f"{self.scheme}://{self.authority}{self.path}"


def parse_target(url: str) -> Target:
    """Read *url*; raises :class:`UnsafeTarget` for all that is not a plain http(s) URL of a public-looking host.

    Whether an address is public is the resolver's judgement: here it is only recognised.
    """
    _refuse_characters(url)
    match = _URL.fullmatch(url)
    if match is None:
        raise UnsafeTarget("not an absolute http or https URL")
    scheme = match["scheme"].lower()
    if scheme not in _DEFAULT_PORTS:
        raise UnsafeTarget(f"the scheme {scheme!r} is not http or https")
    authority = match["authority"]
    if "@" in authority:
        raise UnsafeTarget("the URL holds credentials (user@host)")
    raw_host, port = _split_port(authority, _DEFAULT_PORTS[scheme])
    host, address = _read_host(raw_host)
    path = _escape(match["path"] or "/", _PATH_SAFE) + _escape(match["query"] or "", _QUERY_SAFE)
    return Target(scheme, host, port, path, address)


def join_target(base: Target, location: str) -> Target:
    """Read a ``Location`` relative to *base*; raises :class:`UnsafeTarget` as :func:`parse_target` does."""
    # Servers send unescaped spaces; in a path they are harmless, and in a host the escape is refused.
    location = location.strip(" \t").replace(" ", "%20")
    _refuse_characters(location)
    scheme = _SCHEME.match(location)
    if scheme is not None and not location[scheme.end() :].startswith("//"):
        raise UnsafeTarget(f"the redirect to {scheme[0]!r} is not to an absolute http or https URL")
    try:
        joined = location if scheme is not None else urljoin(base.url, location)
    except ValueError as error:
        raise UnsafeTarget(f"the redirect is not to a URL ({error})") from error
    return parse_target(joined)


def _refuse_characters(url: str) -> None:
    if len(url) > _MAX_URL:
        raise UnsafeTarget(f"the URL is longer than {_MAX_URL} characters")
    for character in url:
        if character == "\\":
            raise UnsafeTarget("the URL holds a backslash, which programs read in different ways")
        if character.isspace():
            raise UnsafeTarget(f"the URL holds white space (U+{ord(character):04X})")
        if character < " " or "\x7f" <= character <= "\x9f" or "\ud800" <= character <= "\udfff":
            raise UnsafeTarget(f"the URL holds a control character (U+{ord(character):04X})")


def _split_port(authority: str, default: int) -> tuple[str, int]:
    if authority.startswith("["):
        match = _BRACKETED.fullmatch(authority)
        if match is None:
            raise UnsafeTarget("the host in brackets is not a plain IPv6 address")
        host, port = f"[{match[1]}]", match[2]
    else:
        host, _, port = authority.partition(":")
    if not host:
        raise UnsafeTarget("the URL names no host")
    if not port:
        return host, default
    if not (port.isascii() and port.isdigit()) or len(port) > 5 or not 1 <= int(port) <= 65535:
        raise UnsafeTarget(f"{port!r} is not a port")
    return host, int(port)


def _read_host(raw: str) -> tuple[str, IPAddress | None]:
    if raw.startswith("["):
        try:
            v6 = IPv6Address(raw[1:-1])
        except AddressValueError as error:
            raise UnsafeTarget(f"{raw} is not an IPv6 address") from error
        return v6.compressed, v6
    if "%" in raw:
        raise UnsafeTarget("the host is percent-encoded; write it in plain characters")
    host = _ascii_host(raw)
    if _NUMBER.fullmatch(host.rpartition(".")[2]):
        v4 = _read_ipv4(host)
        return str(v4), v4
    _refuse_name(host)
    return host, None


def _ascii_host(raw: str) -> str:
    """Apply UTS 46, so that look-alike dots and digits are seen for what they are, then Punycode."""
    try:
        mapped = idna.uts46_remap(raw, std3_rules=False).removesuffix(".")
        host = mapped if mapped.isascii() else idna.encode(mapped, strict=True).decode("ascii")
    except (idna.IDNAError, UnicodeError) as error:
        raise UnsafeTarget(f"the host is not a valid domain name ({error})") from error
    if len(host) > 253:
        raise UnsafeTarget("the host name is longer than 253 characters")
    for label in host.split("."):
        if not label:
            raise UnsafeTarget("the host name has an empty label")
        if not _LABEL.fullmatch(label):
            raise UnsafeTarget(f"{label!r} cannot be part of a host name")
    return host


def _read_ipv4(host: str) -> IPv4Address:
    """Read the notations of ``inet_aton``: one to four numbers, each decimal, octal or hexadecimal."""
    parts = host.split(".")
    if len(parts) > 4 or not all(_NUMBER.fullmatch(part) for part in parts):
        raise UnsafeTarget(f"{host!r} ends in a number and is not an IPv4 address")
    try:
        numbers = [_read_number(part) for part in parts]
    except ValueError as error:
        raise UnsafeTarget(f"{host!r} is not an IPv4 address") from error
    *head, last = numbers
    if any(number > 255 for number in head) or last >= 256 ** (5 - len(numbers)):
        raise UnsafeTarget(f"{host!r} overflows an IPv4 address")
    value = last
    for index, number in enumerate(head):
        value += number << (8 * (3 - index))
    return IPv4Address(value)


def _read_number(text: str) -> int:
    if text.startswith("0x"):
        return int(text[2:] or "0", 16)
    return int(text, 8) if text.startswith("0") and text != "0" else int(text)


def _refuse_name(host: str) -> None:
    for name in _LOCAL_NAMES:
        if host == name or host.endswith(f".{name}"):
            raise UnsafeTarget(f"{host!r} is a name of the local machine or network")
    if not host.rpartition(".")[2][0].isalpha():
        raise UnsafeTarget(f"{host!r} does not end in a top-level domain")
    if "." not in host:
        raise UnsafeTarget(f"{host!r} is a single label, which only a local network resolves")


def _escape(text: str, safe: str) -> str:
    return quote(_STRAY_PERCENT.sub("%25", text), safe=safe)

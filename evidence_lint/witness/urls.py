"""Identity and well-formedness of web addresses (chapter 2, "URL normalisation"; CIT117, CIT118). No I/O."""

from __future__ import annotations

import ipaddress
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

import idna

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_DEFAULT_PORTS = {"http": 80, "https": 443}
_IGNORED_PARAMETERS = frozenset({"fbclid", "gclid", "mc_cid", "mc_eid", "ref", "ref_src", "spm"})
# ``ref`` names a branch or a chapter often enough that it is no residue by itself.
_RESIDUE = _IGNORED_PARAMETERS - {"ref"} | {
    "gclsrc", "dclid", "wbraid", "gbraid", "msclkid", "yclid", "ttclid", "twclid", "igshid", "igsh", "li_fat_id",
    "mkt_tok", "_hsenc", "_hsmi", "oly_enc_id", "oly_anon_id", "vero_id", "srsltid", "__twitter_impression",
}  # fmt: skip
_UNSAFE = re.compile(r"[\s\x00-\x1f\x7f\\]")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_HOST = re.compile(r"(?!-)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.(?!-)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*")
_KEPT_LITERAL = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~()")
_PATH_SAFE = "/:@!$&'()*+,;=-._~%"
_QUERY_SAFE = "/:@!$'()*,;-._~?"
_CUT_OFF = re.compile(r"(?:\.\.\.|\u2026|\[\u2026\])\Z")
_TEXT_FRAGMENT = re.compile(r"#?:~:.*\Z", re.S)
_PLACEHOLDER_HOST = re.compile(
    r"(?:.*\.)?(?:your|my|some)[-_]?(?:domain|site|website|company|org|organization|host|server|app|blog)"
    r"(?:\.(?:com|org|net|io|dev|tld|example))?|(?:.*\.)?(?:domain|hostname|host|site|server|website)(?:\.tld)?"
    r"|(?:.*\.)?(?:x{3,}|foo|bar|placeholder)\.(?:com|tld)|(?:.*\.)?domainname\.com"
)
_LOCAL_SUFFIXES = ("localhost", "local", "internal", "localdomain")
_EXAMPLE_SUFFIXES = ("example", "invalid", "test", "example.com", "example.org", "example.net", "example.edu")


def exact_url(url: str) -> str:
    """Return the exact form of a URL, which wins over the normalised one: white space and text directive aside."""
    return _TEXT_FRAGMENT.sub("", url.strip())


@lru_cache(maxsize=65536)
def normalize_url(url: str) -> str | None:
    """Return the identity of a web source (chapter 2), or None for what is no http(s) URL without credentials.

    Beyond the list in chapter 2 only spellings that RFC 3986 and UTS 46 call the same are folded: the case of
    escapes, escapes of unreserved characters and of parentheses, and international host names.
    """
    parts = _split(url.strip())
    if parts is None:
        return None
    host = _host(parts)
    if host is None:
        return None
    port = _port(parts)
    if port is not None and port != _DEFAULT_PORTS[parts.scheme]:
        host = f"{host}:{port}"
    path = re.sub(r"/{2,}", "/", _same_escapes(parts.path))
    path = path.rstrip("/") or "/"
    return urlunsplit((parts.scheme, host, path, _query(parts.query), ""))


def host_of(url: str) -> str | None:
    """Return the host of an http(s) URL in ASCII, lower case and without brackets, or None."""
    parts = _split(url.strip())
    host = _host(parts) if parts else None
    return host.strip("[]") if host else None


def is_address(host: str) -> bool:
    """Tell whether a host is an IP address rather than a name, in any spelling that resolvers accept."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        last = host.rstrip(".").rpartition(".")[2]
        return bool(re.fullmatch(r"\d+|0[xX][0-9a-fA-F]*", last))
    return True


def malformed(url: str) -> str | None:
    """Return, in words, why a cited URL cannot be one (CIT117), or None when it can.

    Hosts that are reserved for examples are left to ``is_example_host``, since only some citations of them are wrong.
    """
    text = url.strip()
    if not text:
        return "it is empty"
    if re.search(r"[\s\x00-\x1f\x7f]", text):
        return "it contains white space or a control character"
    if _CUT_OFF.search(text):
        return "it is cut off: it ends in an ellipsis"
    scheme, mark, rest = text.partition("://")
    if not mark:
        return None if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:[^/0-9]", text) else "it has no scheme"
    if scheme.lower() not in _DEFAULT_PORTS:
        return None if re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme) else "its scheme is not one"
    if "\\" in text:
        return "it contains a backslash, which programs read differently"
    if not rest:
        return "it is cut off: it has no host"
    if _BAD_ESCAPE.search(text):
        return "it has a % that no two hexadecimal digits follow"
    return _bad_host(text)


def _bad_host(text: str) -> str | None:
    authority = re.split(r"[/?#]", text.partition("://")[2], maxsplit=1)[0]
    if re.search(r"[<>{}|^`\"$]", authority) or (re.search(r"[\[\]]", authority) and not _ipv6(authority)):
        return f"its host {authority} is a placeholder"
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return "its host or port is not valid"
    if "@" in authority:
        return None  # credentials are the business of WEB114
    host = _host(parts)
    if host is None:
        return f"{authority or 'an empty text'} is not a host name"
    if host.startswith("[") or is_address(host):
        return None
    if _under(host, _LOCAL_SUFFIXES):
        return f"{host} is a name for the reader's own machine or network"
    if _PLACEHOLDER_HOST.fullmatch(host):
        return f"{host} is a placeholder"
    if "." not in host:
        return f"{host} is no public host name: it has no domain"
    return "it is cut off: its host is only www" if re.fullmatch(r"www\.[a-z]{2,3}", host) else None


def _ipv6(authority: str) -> bool:
    return bool(re.fullmatch(r"(?:[^@\[\]]*@)?\[[0-9A-Fa-f:.]+\](?::\d*)?", authority))


def is_example_host(url: str) -> bool:
    """Tell whether a URL's host is reserved for examples (RFC 2606 and RFC 6761)."""
    host = host_of(url)
    return host is not None and _under(host, _EXAMPLE_SUFFIXES)


def tracking_parameters(url: str) -> tuple[str, ...]:
    """Return the names of the tracking parameters in a URL, in order (CIT118); a text directive is none."""
    return tuple(name for name in (_name(field) for field in _fields(url)[1]) if _is_residue(name))


def without_tracking(url: str) -> str:
    """Return a URL without its tracking parameters, otherwise as it was written."""
    before, fields, after = _fields(url)
    kept = [field for field in fields if not _is_residue(_name(field))]
    if len(kept) == len(fields):
        return url
    return before + ("?" + "&".join(kept) if kept else "") + after


@cache
def _suffixes(*, icann_only: bool) -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - reading the list takes longer than most runs need

    return PublicSuffixList(only_icann=icann_only)


def public_suffix(host: str, *, icann_only: bool = False) -> str | None:
    """Return the part of a host under which anybody can register names, or None for addresses."""
    host = host.lower().rstrip(".")
    return None if not host or is_address(host) else _suffixes(icann_only=icann_only).publicsuffix(host)


def registrable_domain(host: str) -> str | None:
    """Return the domain that one owner registered, or None for addresses and bare suffixes.

    Suffixes of hosting companies count as public: two sites on ``github.io`` have different owners.
    """
    host = host.lower().rstrip(".")
    return None if not host or is_address(host) else _suffixes(icann_only=False).privatesuffix(host)


def _split(url: str) -> SplitResult | None:
    if _UNSAFE.search(url):
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    if parts.scheme not in _DEFAULT_PORTS or "@" in parts.netloc or not parts.hostname:
        return None
    return parts


def _port(parts: SplitResult) -> int | None:
    return parts.port


def _host(parts: SplitResult) -> str | None:
    """Return the host as identity sees it: ASCII, lower case, IPv6 compressed and in brackets; None if it is none."""
    name = unquote(parts.hostname or "")
    if ":" in name:
        try:
            return f"[{ipaddress.IPv6Address(name).compressed}]"
        except ValueError:
            return None
    if not name.isascii():
        try:
            name = idna.encode(name, uts46=True).decode("ascii")
        except (idna.IDNAError, UnicodeError):
            return None
    name = name.lower().removesuffix(".")
    return name if len(name) <= 253 and _HOST.fullmatch(name) else None


def _same_escapes(text: str) -> str:
    """Give a path or a query one spelling of its escapes."""

    def one(found: re.Match[str]) -> str:
        value = int(found[0][1:], 16)
        return chr(value) if value in _KEPT_LITERAL else found[0].upper()

    return quote(_ESCAPE.sub(one, text), safe=_PATH_SAFE)


def _query(query: str) -> str:
    kept = [
        (name, value)
        for name, value in parse_qsl(query, keep_blank_values=False)
        if not (name.lower().startswith("utm_") or name.lower() in _IGNORED_PARAMETERS)
    ]
    return urlencode(sorted(kept), safe=_QUERY_SAFE)


def _under(host: str, suffixes: tuple[str, ...]) -> bool:
    return any(host == suffix or host.endswith("." + suffix) for suffix in suffixes)


def _fields(url: str) -> tuple[str, list[str], str]:
    """Divide a URL into what stands before its query, the query's fields, and the fragment with its mark."""
    body, mark, fragment = url.partition("#")
    before, question, query = body.partition("?")
    return before, query.split("&") if question else [], mark + fragment


def _name(field: str) -> str:
    return unquote(field.partition("=")[0]).strip()


def _is_residue(name: str) -> bool:
    return name.lower().startswith("utm_") or name.lower() in _RESIDUE

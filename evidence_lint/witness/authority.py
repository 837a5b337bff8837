"""Authority of a web source, derived from its host alone (chapter 4, "Authority"; levels of chapter 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum

from evidence_lint.model.authority import AuthorityEntry
from evidence_lint.witness import authority_data as data
from evidence_lint.witness.urls import host_of, is_address, normalize_url, public_suffix, registrable_domain

_FRESH = timedelta(days=365)


class Tier(IntEnum):
    """Tiers of chapter 4; a smaller number is a higher authority."""

    T1 = 1
    T2 = 2
    T3 = 3
    T4 = 4
    T5 = 5

    def __str__(self) -> str:
        return f"T{self.value}"


_TIERS: dict[str, Tier] = {
    "government": Tier.T1,
    "standards-body": Tier.T1,
    "project-owned": Tier.T1,
    "institutional": Tier.T2,
    "news": Tier.T3,
    "forum": Tier.T4,
    "publishing": Tier.T5,
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """The tier of a URL, the level and the basis in words, and the entry of the registry that decided, if one did."""

    tier: Tier
    level: str
    basis: str
    entry: AuthorityEntry | None = None


def classify(url: str, registry: Collection[AuthorityEntry] = ()) -> Judgement:
    """Return the authority of *url*, which must be the effective final URL of a capture to count as T1.

    The most specific host of the registry decides; then government and academic namespaces; then the built-in lists.
    """
    host = host_of(url)
    if host is None:
        return Judgement(Tier.T4, "unverified", "it is not an http(s) URL with a host name")
    if is_address(host):
        return Judgement(Tier.T4, "unverified", "an IP address names no owner")
    entry = registry_entry(host, registry)
    if entry is not None:
        return _registered(host, entry)
    if basis := _government(host):
        return Judgement(Tier.T1, "government", basis)
    if basis := _academic(host):
        return Judgement(Tier.T2, "institutional", basis)
    return _listed(host) or Judgement(Tier.T4, "unverified", f"{host} is in no authority list: an unverified website")


def registry_entry(host: str, registry: Collection[AuthorityEntry]) -> AuthorityEntry | None:
    """Return the entry with the longest host that is *host* or a parent domain of it; of equals, the last."""
    best: AuthorityEntry | None = None
    length = 0
    for entry in registry:
        named = _entry_host(entry)
        if named and (host == named or host.endswith("." + named)) and len(named) >= length:
            best, length = entry, len(named)
    return best


def is_stale(entry: AuthorityEntry, today: date) -> bool:
    """Tell whether ownership of an entry was checked more than a year ago, in the future, or never."""
    return entry.checked is None or not timedelta(0) <= today - entry.checked <= _FRESH


def independence_key(url: str) -> str:
    """Return what two web units must differ in to be independent (chapter 3): the registrable domain.

    Hosts that have none (addresses, bare suffixes) stand for themselves, and so does what is no http(s) URL.
    """
    host = host_of(url)
    if host is None:
        return normalize_url(url) or url.strip()
    return registrable_domain(host) or host


def _entry_host(entry: AuthorityEntry) -> str | None:
    return host_of(f"https://{entry.host.strip().removeprefix('*.').strip('.')}/")


def _registered(host: str, entry: AuthorityEntry) -> Judgement:
    basis = f"{host} is registered as {entry.level} ({entry.host}): {entry.reason}"
    return Judgement(_TIERS.get(entry.level, Tier.T4), entry.level, basis, entry)


def _parents(host: str) -> Iterator[str]:
    """Yield a host and its parent domains, the longest first."""
    while host:
        yield host
        host = host.partition(".")[2]


def _government(host: str) -> str | None:
    for parent in _parents(host):
        if owner := data.GOVERNMENT_HOSTS.get(parent):
            return f"{parent} is a namespace of {owner}"
    suffix = public_suffix(host, icann_only=True) or ""
    labels = suffix.split(".")
    country = len(labels) > 1 and len(labels[-1]) == 2
    if suffix in {"gov", "mil"} or (country and data.GOVERNMENT_LABELS.intersection(labels[:-1])):
        return f"{suffix} is a government namespace of the public suffix list"
    if country and labels[-2] == "go" and labels[-1] in data.GO_COUNTRIES:
        return f"{suffix} is a government namespace of the public suffix list"
    return None


def _academic(host: str) -> str | None:
    suffix = public_suffix(host, icann_only=True) or ""
    labels = suffix.split(".")
    if suffix == "edu" or (len(labels) > 1 and data.ACADEMIC_LABELS.intersection(labels[:-1])):
        return f"{suffix} is an academic namespace of the public suffix list"
    return None


def _listed(host: str) -> Judgement | None:
    for parent in _parents(host):
        if parent in data.INSTITUTIONAL_HOSTS:
            return Judgement(Tier.T2, "institutional", f"{parent} is an academic or institutional host")
        if parent in data.NEWS_HOSTS:
            return Judgement(Tier.T3, "news", f"{parent} is a news organisation")
        if parent in data.FORUM_HOSTS:
            return Judgement(Tier.T4, "forum", f"{parent} is a forum")
        if parent in data.PUBLISHING_HOSTS:
            return Judgement(Tier.T5, "publishing", f"{parent} is a publishing or marketing platform")
    return None

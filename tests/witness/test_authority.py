from __future__ import annotations

from datetime import date

import pytest

from evidence_lint.model.authority import AuthorityEntry
from evidence_lint.witness.authority import Tier, classify, independence_key, is_stale


@pytest.mark.parametrize(
    ("host", "tier"),
    [
        *((host, Tier.T1) for host in (
            "standards.example.gov", "nist.gov", "army.mil", "www.gov.uk", "gov.uk", "www.meti.go.jp", "x.go.kr",
            "www.service-public.gouv.fr", "canada.gc.ca", "www.canada.ca", "mbie.govt.nz", "www.gob.mx", "x.gub.uy",
            "www.bk.admin.ch", "eur-lex.europa.eu", "www.bsi.bund.de", "x.gov.bd", "x.qld.gov.au", "www.gov.cn",
            "bmf.gv.at", "x.mil.kr",
        )),
        *((host, Tier.T2) for host in (
            "mit.edu", "www.ox.ac.uk", "x.edu.au", "u-tokyo.ac.jp", "arxiv.org", "export.arxiv.org", "dl.acm.org",
            "link.springer.com", "www.nature.com",
        )),
        *((host, Tier.T3) for host in ("www.reuters.com", "bbc.co.uk", "apnews.com", "ft.com")),
        *((host, Tier.T4) for host in (
            "old.reddit.com", "stackoverflow.com", "news.ycombinator.com", "gov.evil.example", "notarxiv.org",
            "reuters.example.com", "example.gov.evil.com", "gov.de", "agov.uk", "x.go.it", "go.com", "nist.gov.co.com",
            "arxiv.org.evil.com", "ycombinator.com", "docs.python.org", "xn--nst-2ja.gov.com", "admin.ch.evil.net",
        )),
        *((host, Tier.T5) for host in ("me.medium.com", "dev.to", "x.substack.com", "blog.hashnode.dev")),
    ],
)  # fmt: skip
def test_tiers(host: str, tier: Tier) -> None:
    judgement = classify(f"https://{host}/page")
    assert judgement.tier is tier, judgement.basis
    assert judgement.basis


@pytest.mark.parametrize(
    "url",
    ["https://1.2.3.4/", "http://[2001:db8::1]/", "http://2130706433/", "http://0x7f.1/", "nist.gov", "ftp://nist.gov/",
     "https://nist.gov@evil.com/", "https://evil.com\\.nist.gov/", ""],
)  # fmt: skip
def test_what_names_no_owner_has_no_authority(url: str) -> None:
    entry = AuthorityEntry("1.2.3.4", "government", "never an address")
    assert classify(url, [entry]).tier is Tier.T4


def test_registry_matches_the_most_specific_host_on_label_boundaries() -> None:
    registry = [
        AuthorityEntry("ietf.org", "institutional", "its web site"),
        AuthorityEntry("RFC-Editor.org.", "standards-body", "publishes RFCs"),
        AuthorityEntry("*.datatracker.ietf.org", "standards-body", "drafts"),
        AuthorityEntry("docs.acme.dev", "project-owned", "own docs", date(2026, 1, 1), "acme"),
    ]
    assert classify("https://www.rfc-editor.org/rfc/rfc9110", registry).tier is Tier.T1
    assert classify("https://notrfc-editor.org/", registry).tier is Tier.T4
    assert classify("https://www.ietf.org/", registry).tier is Tier.T2
    assert classify("https://datatracker.ietf.org/doc/x", registry).level == "standards-body"
    owned = classify("https://docs.acme.dev/x", registry)
    assert (owned.tier, owned.level, owned.entry) == (Tier.T1, "project-owned", registry[3])
    assert "own docs" in owned.basis
    assert classify("https://acme.dev/x", registry).tier is Tier.T4
    assert classify("https://nist.gov/", [AuthorityEntry("nist.gov", "forum", "demoted")]).tier is Tier.T4


def test_staleness() -> None:
    today = date(2026, 6, 1)
    assert not is_stale(AuthorityEntry("a.b", "news", "x", date(2025, 6, 1)), today)
    assert is_stale(AuthorityEntry("a.b", "news", "x", date(2025, 5, 31)), today)
    assert is_stale(AuthorityEntry("a.b", "news", "x", date(2026, 6, 2)), today)
    assert is_stale(AuthorityEntry("a.b", "news", "x"), today)


def test_independence() -> None:
    assert independence_key("https://news.bbc.co.uk/a") == independence_key("http://www.bbc.co.uk:8080/b")
    assert independence_key("https://a.github.io/") != independence_key("https://b.github.io/")
    assert independence_key("https://1.2.3.4/a") == "1.2.3.4"
    assert independence_key("https://github.io/") == "github.io"
    assert independence_key("not a url ") == "not a url"


def test_tiers_print_as_the_contract_writes_them() -> None:
    assert f"{classify('https://nist.gov/').tier}" == "T1"
    assert Tier.T1 == 1

# ruff: noqa: E501 - tables of vectors read best unbroken
from __future__ import annotations

import time

import pytest

from evidence_lint.model.capture import CaptureOutcome
from evidence_lint.sources.web.pages import (
    PageView,
    blocked_reason,
    bot_wall_reason,
    consent_reason,
    login_reason,
    script_only_reason,
    soft_404_reason,
)
from tests.sources.web.local_servers import Web, always, by_path, reply

URL = "https://site.example/docs/page"


def view(
    html: str, *, final: str = URL, status: int = 200, headers: dict[str, str] | None = None, requested: str = URL
) -> PageView:
    return PageView.of(requested, final, status, headers or {}, body=html.encode())


WALLS = {
    "cloudflare": "<title>Just a moment...</title><p>Enable JavaScript and cookies to continue</p><script>window._cf_chl_opt={}</script>",
    "cloudflare-title": "<title>Just a moment...</title><script src=/x.js></script>",
    "cloudflare-block": "<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1><div class=cf-error-details>",
    "akamai": "<TITLE>Access Denied</TITLE><H1>Access Denied</H1>You don't have permission. Reference&#32;&#35;18.4<P>https://errors.edgesuite.net/18",
    "akamai-challenge": "<div id='sec-if-cpt-container'></div><script src=/akam></script>",
    "datadome": "<title>site.example</title><script src='https://ct.captcha-delivery.com/c.js'></script>",
    "perimeterx": "<title>Access to this page has been denied</title><div id='px-captcha'></div>",
    "imperva": "<iframe src='/_Incapsula_Resource?SWUDNSAI=9'>Request unsuccessful. Incapsula incident ID: 88</iframe>",
    "aws": "<script>window.awsWafCookieDomainList = []; AwsWafIntegration.getToken()</script>",
    "kasada": "<script>window.KPSDK={}</script>",
    "f5": "<title>Request Rejected</title>The requested URL was rejected. Please consult with your administrator. Your support ID is: 1",
    "interruption": "<title>Pardon Our Interruption...</title><p>As you were browsing something about your browser made us think</p>",
    "robot": "<title>Robot Check</title><p>Type the characters you see in this image</p>",
    "google": "<title>https://x</title><p>Our systems have detected unusual traffic from your computer network.</p>",
    "human": "<title>site.example</title><p>Verify you are human by completing the action below.</p>",
    "hold": "<title>site.example</title><p>Press &amp; Hold to confirm you are a human (and not a bot).</p>",
    "anubis": "<title>Making sure you're not a bot!</title><script id='anubis_challenge'>{}</script>",
    "vercel": "<title>Vercel Security Checkpoint</title><p>We're verifying your browser</p>",
}


@pytest.mark.parametrize("html", WALLS.values(), ids=WALLS)
@pytest.mark.parametrize("status", [200, 403, 429, 503])
def test_bot_walls(html: str, status: int) -> None:
    page = view(html, status=status)
    assert bot_wall_reason(page)
    assert blocked_reason(page)


@pytest.mark.parametrize(
    "headers", [{"CF-Mitigated": "challenge"}, {"x-amzn-waf-action": "challenge"}, {"X-Amzn-Waf-Action": "captcha"}]
)
def test_bot_walls_by_header(headers: dict[str, str]) -> None:
    assert bot_wall_reason(view("<p>" + "words " * 2000, headers=headers))


PROSE = "<p>" + "The committee considered the question at length and published its minutes. " * 60 + "</p>"


@pytest.mark.parametrize("html", WALLS.values(), ids=WALLS)
def test_an_article_that_shows_a_wall_is_no_wall(html: str) -> None:
    page = view(
        f"<title>How walls work</title>{PROSE}{html.replace('<title>', '<p>').replace('</title>', '</p>')}{PROSE}"
    )
    assert blocked_reason(page) is None


@pytest.mark.parametrize(
    "html",
    [
        "<title>Access Denied: A History of Filtering</title><p>A short abstract about access.</p>",
        "<title>A paper</title><p>We study CAPTCHAs and ask whether users can tell them from tests.</p>",
        "<title>Release notes</title><p>Version 2 requires Python 3.11.</p>",
        "<title>Contact</title><p>Write to us.</p><div class='g-recaptcha'></div>",
        "<title>Blog</title><script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script><p>A short, honest post about gardens and how they grow in spring.</p>",
        "plain text about nothing at all",
        "",
    ],
)
def test_short_honest_pages_are_no_walls(html: str) -> None:
    assert blocked_reason(view(html)) is None


@pytest.mark.parametrize("status", [404, 410])
def test_a_page_that_is_gone_is_gone(status: int) -> None:
    assert blocked_reason(view(WALLS["akamai"], status=status)) is None


def test_access_denied_with_its_own_status_is_an_http_error() -> None:
    assert blocked_reason(view("<title>Access Denied</title><p>No.</p>", status=403)) is None
    assert blocked_reason(view("<title>Access Denied</title><p>No.</p>", status=200))


@pytest.mark.parametrize(
    ("final", "html"),
    [
        ("https://consent.google.com/ml?continue=x", "<p>anything"),
        ("https://consent.youtube.com/m?continue=x", "<p>anything"),
        ("https://guce.yahoo.com/consent", "<p>anything"),
        (URL, "<title>Before you continue to Google Search</title><p>x"),
        (URL, "<title>Google</title><p>We use cookies and data to deliver and maintain services"),
    ],
)
def test_consent_pages(final: str, html: str) -> None:
    assert consent_reason(view(html, final=final))


def test_no_consent_page() -> None:
    assert consent_reason(view(f"<title>Consent</title><p>We use cookies and data to serve ads.{PROSE}")) is None
    assert (
        consent_reason(view("<p>x", requested="https://consent.site.example/a", final="https://consent.site.example/b"))
        is None
    )
    assert consent_reason(view("<title>Consent in medical research</title><p>Patients sign a form.</p>")) is None


@pytest.mark.parametrize(
    "html",
    [
        "<noscript>You need to enable JavaScript to run this app.</noscript><div id='root'></div><script src=x></script>",
        "<div id=app></div><script src=x></script><p>Loading our very nice application shell with a menu and more</p>",
        "<p>This site requires JavaScript.</p>",
        "<p>Please enable Javascript to view this page.</p><script>x()</script>",
        "<script>render()</script><p>Loading…</p>",
        "<meta http-equiv='refresh' content='0; url=/en/'>",
    ],
)
def test_script_only_pages(html: str) -> None:
    assert script_only_reason(view(html))


@pytest.mark.parametrize(
    "html",
    [
        f"<noscript>Please enable JavaScript.</noscript>{PROSE}<script>x()</script>",
        "<title>t</title><p>How to enable JavaScript in a browser: open the settings." + " More advice." * 30,
        f"<div id='root'></div><script>x()</script>{PROSE}",
        "<p>A short static note without scripts.</p>",
        "<script>analytics()</script><p>A short static note of some forty or fifty characters.</p>",
        "JavaScript",
    ],
)
def test_no_script_only_pages(html: str) -> None:
    assert script_only_reason(view(html)) is None


@pytest.mark.parametrize(
    "final",
    ["https://site.example/login", "https://site.example/users/sign_in", "https://site.example/wp-login.php?redirect_to=%2Fdocs",
     "https://login.other.example/?service=https://site.example/", "https://site.example/auth/realms/x?redirect_uri=y",
     "https://accounts.google.com/ServiceLogin?continue=x", "https://site.example/account/login?ReturnUrl=%2Fdocs", "https://id.site.example/?next=/"],
)  # fmt: skip
def test_login_pages(final: str) -> None:
    assert login_reason(view("<p>x", final=final))


@pytest.mark.parametrize(
    ("requested", "final"),
    [
        (URL, URL),
        (URL, "https://site.example/docs/page/"),
        (URL, "https://site.example/docs/authentication"),
        (URL, "https://site.example/docs/auth/overview"),
        ("https://site.example/login", "https://site.example/users/sign_in"),
        ("https://site.example/docs/login", "https://site.example/en/docs/login"),
        ("https://site.example/docs/oauth", "https://site.example/docs/oauth2?ref=old"),
        (URL, "https://site.example/blog/login-pages-considered"),
    ],
)
def test_no_login_pages(requested: str, final: str) -> None:
    assert login_reason(view("<p>x", requested=requested, final=final)) is None


@pytest.mark.parametrize(
    "html",
    ["<title>404</title>", "<title>404 Not Found</title>", "<title>Page not found | Site</title>", "<title>Site - 404</title>", "<title>Error 404: no</title>",
     "<title>Oops! Something is wrong</title>", "<title>Site</title><h1>Page <b>not found</b></h1>", "<h1>This page has been removed</h1>",
     "<title>Seite nicht gefunden</title>", "<title>Site</title><p>Sorry, the page you are looking for does not exist.</p>",
     "<p>We couldn't find that page.", "<title>The document is no longer available</title>"],
)  # fmt: skip
def test_soft_404_hints(html: str) -> None:
    assert soft_404_reason(view(html))


@pytest.mark.parametrize(
    "html",
    [
        f"<title>Specification</title><h1>Changes</h1><p>The page has been removed from the section.</p>{PROSE}",
        "<title>Lost city found</title><p>The site was found by divers.</p>",
        "<title>New site found in Peru</title><p>Divers told us.</p>",
        "<title>HTTP semantics</title><p>Status 404 is defined in section 15.5.5.</p>",
        f"<title>Peugeot 404</title>{PROSE}",
        "<title>Notes</title><p>Fine.</p>",
    ],
)
def test_no_soft_404_hints(html: str) -> None:
    assert soft_404_reason(view(html)) is None


def test_the_way_to_the_start_page_is_a_hint() -> None:
    assert soft_404_reason(view(PROSE, final="https://site.example/"))
    assert soft_404_reason(view(PROSE, requested="https://site.example/?page=7", final="https://site.example"))
    assert soft_404_reason(view(PROSE, requested="https://site.example", final="https://site.example/")) is None


@pytest.mark.parametrize(
    "piece",
    ["<", "<a ", "<h1", "<h1>", "<title", "<script", "<script>", "<meta http-equiv=", "<div id=root>  ", "<div id", " " * 9, "</h1", "page ", "a" * 9, "<noscript><"],
)  # fmt: skip
def test_recognisers_are_linear(piece: str) -> None:
    html = "<p>x</p>" + piece * (600_000 // len(piece))
    start = time.process_time()
    page = PageView.of(URL, URL, 200, {}, body=html.encode(), text="short", title=None)
    blocked_reason(page)
    soft_404_reason(page)
    rough = view(html)
    blocked_reason(rough)
    soft_404_reason(rough)
    assert time.process_time() - start < 1.5


# --- in a capture -------------------------------------------------------------------------------------------


def test_a_wall_keeps_its_text_and_the_caller_decides(web: Web) -> None:
    html = "<title>Just a moment...</title><p>The short story in one sentence.</p>"
    server = web.serve(always(reply(html)), "a.example")
    capture = web.capture(f"http://a.example:{server.port}/")
    assert capture.outcome is CaptureOutcome.BLOCKED
    assert "Just a moment" in capture.reason
    assert capture.searchable
    assert capture.outcome_given(all_excerpts_found=True) is CaptureOutcome.OK
    assert capture.outcome_given(all_excerpts_found=False) is CaptureOutcome.BLOCKED


def test_a_wall_with_an_error_status_is_blocked_and_stays_so(web: Web) -> None:
    server = web.serve(always(reply(WALLS["cloudflare"], 403, ("cf-mitigated", "challenge"))), "a.example")
    capture = web.capture(f"http://a.example:{server.port}/")
    assert (capture.outcome, capture.status) == (CaptureOutcome.BLOCKED, 403)
    assert capture.outcome_given(all_excerpts_found=True) is CaptureOutcome.BLOCKED


def test_a_soft_404_counts_only_where_an_excerpt_is_absent(web: Web) -> None:
    server = web.serve(always(reply("<title>Page not found</title><p>Try the search.</p>")), "a.example")
    capture = web.capture(f"http://a.example:{server.port}/x")
    assert capture.outcome is CaptureOutcome.OK
    assert capture.soft_404_reason
    assert capture.outcome_given(all_excerpts_found=True) is CaptureOutcome.OK
    assert capture.outcome_given(all_excerpts_found=False) is CaptureOutcome.SOFT_404


def test_a_login_wall(web: Web) -> None:
    routes = {"/doc": reply("", 302, ("Location", "/login?next=/doc")), "/login?next=/doc": reply("<p>Password:</p>")}
    server = web.serve(by_path(routes), "a.example")
    capture = web.capture(f"http://a.example:{server.port}/doc")
    assert capture.outcome is CaptureOutcome.BLOCKED
    assert "log-in" in capture.reason


def test_a_snapshot_that_drifts_is_not_the_cited_capture(web: Web) -> None:
    """The final address and its status are recorded (B066)."""
    routes = {"/web/20201114/x": reply("", 302, ("Location", "/web/20201118/x"))}
    server = web.serve(by_path(routes), "a.example")
    capture = web.capture(f"http://a.example:{server.port}/web/20201114/x")
    assert capture.dead
    assert capture.requested_url.endswith("/web/20201114/x")
    assert capture.final_url.endswith("/web/20201118/x")
    assert [hop.status for hop in capture.hops] == [302, 404]

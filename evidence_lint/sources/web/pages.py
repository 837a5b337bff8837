"""Recognise pages that are not the page: bot walls, consent, log-in, script-only pages, soft 404s.

Every function is pure and returns a reason for a person, or None. The words of a wall also occur in honest
articles about walls, so a word never decides by itself: the page must be short, or bear the marks of a
product that serves nothing else there. Even then the caller has the last word: a page that holds every
excerpt is fine (:meth:`evidence_lint.model.capture.Capture.outcome_given`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from urllib.parse import urlsplit

from evidence_lint.sources.web import page_marks as marks

#: A wall says little; more visible text than this (characters) is taken for content.
WALL_LENGTH = 2500
_SHORT = 1200
_NEAR_EMPTY = 200
_HARDLY_ANY = 40
_LONGEST_TITLE = 120
_SOURCE_HEAD = 256 * 1024
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class PageView:
    """What the recognisers look at. Header names are in lower case."""

    requested_url: str
    final_url: str
    status: int
    headers: Mapping[str, str]
    title: str
    text: str
    #: The head of the source, "" when it is not markup.
    html: str = ""

    @classmethod
    def of(
        cls,
        requested_url: str,
        final_url: str,
        status: int,
        headers: Mapping[str, str],
        *,
        body: bytes,
        text: str | None = None,
        title: str | None = None,
    ) -> PageView:
        """Make a view of a raw *body*; without an extracted *text* (error pages), tags are dropped roughly."""
        source = body[:_SOURCE_HEAD].decode("utf-8", "replace")
        markup = "<" in source[:2048]
        if title is None and markup and (match := marks.TITLE.search(source)):
            title = unescape(match[1])
        if text is None:
            text = unescape(marks.TAG.sub(" ", marks.UNSEEN.sub(" ", source))) if markup else source
        return cls(
            requested_url,
            final_url,
            status,
            {name.lower(): value for name, value in headers.items()},
            _squeeze(title or ""),
            _squeeze(text),
            source if markup else "",
        )


def blocked_reason(page: PageView) -> str | None:
    """Return the first wall that the page looks like.

    An error status names its own fault; only the walls that use one are looked for there, and a page
    that is gone is gone.
    """
    recognisers = [bot_wall_reason, consent_reason, login_reason]
    if 200 <= page.status < 300:
        recognisers.append(script_only_reason)
    elif page.status in (404, 410):
        recognisers = []
    for recognise in recognisers:
        reason = recognise(page)
        if reason is not None:
            return reason
    return None


def bot_wall_reason(page: PageView) -> str | None:
    """Tell a bot wall by the headers that its maker sets, by its title, or by its marks on a short page."""
    if page.headers.get("cf-mitigated", "").lower() == "challenge":
        return "Cloudflare challenge (header cf-mitigated)"
    action = page.headers.get("x-amzn-waf-action", "").lower()
    if action in ("challenge", "captcha"):
        return f"AWS WAF {action} (header x-amzn-waf-action)"
    if len(page.text) > WALL_LENGTH:
        return None
    source = page.html.lower()
    known = marks.WALL_MARKS + (marks.WEAK_WALL_MARKS if len(page.text) <= _NEAR_EMPTY else ())
    for mark, product in known:
        if mark in source:
            return product
    if marks.WALL_TITLE.fullmatch(page.title) and not _plain_refusal(page):
        return f"bot wall (title {page.title!r})"
    words = marks.WALL_WORDS.search(page.text) if len(page.text) <= _SHORT else None
    return f"bot wall ({words[0]!r})" if words is not None else None


def _plain_refusal(page: PageView) -> bool:
    """An 'Access Denied' that comes with its own error status is an HTTP error and needs no other name."""
    return page.title.lower() in ("access denied", "blocked") and page.status in (401, 403, 451)


def consent_reason(page: PageView) -> str | None:
    """Tell a page that asks for consent in place of the content."""
    final = _host(page.final_url)
    if final != _host(page.requested_url) and marks.CONSENT_HOST.search(final):
        return f"consent page ({final})"
    if len(page.text) > WALL_LENGTH:
        return None
    if marks.CONSENT_TITLE.fullmatch(page.title):
        return f"consent page (title {page.title!r})"
    words = marks.CONSENT_WORDS.search(page.text) if len(page.text) <= _SHORT else None
    return f"consent page ({words[0]!r})" if words is not None else None


def script_only_reason(page: PageView) -> str | None:
    """Tell a page whose content comes by script: it says next to nothing, and asks for scripts."""
    if not page.html or len(page.text) > _SHORT:
        return None
    scripted = "<script" in page.html.lower()
    said = marks.NEEDS_SCRIPT.search(page.text)
    if said is not None and (scripted or len(page.text) <= _NEAR_EMPTY):
        return f"the page needs JavaScript ({said[0]!r})"
    if len(page.text) > _NEAR_EMPTY:
        return None
    # What stands in <noscript> is not in the text.
    said = marks.NEEDS_SCRIPT.search(marks.TAG.sub(" ", page.html))
    if said is not None:
        return f"the page needs JavaScript ({said[0]!r})"
    if scripted and marks.EMPTY_ROOT.search(page.html):
        return "the page needs JavaScript (its content element is empty)"
    if marks.META_REFRESH.search(page.html):
        return "the page only forwards a browser to another address (meta refresh)"
    if scripted and len(page.text) <= _HARDLY_ANY:
        return "the page needs JavaScript (scripts and hardly any text)"
    return None


def login_reason(page: PageView) -> str | None:
    """Tell that the way ended at a log-in page, where none was asked for."""
    if page.final_url == page.requested_url or _login_strength(page.requested_url):
        return None
    strength = _login_strength(page.final_url)
    returns = marks.RETURN_QUERY.search(urlsplit(page.final_url).query) is not None
    if strength == 2 or (strength == 1 and returns):
        return f"the way ended at a log-in page ({page.final_url})"
    return None


def _login_strength(url: str) -> int:
    """2: the path names a log-in; 1: host or path would, together with an address to return to; 0: neither."""
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.split("/") if segment]
    if any(marks.LOGIN_SEGMENT.fullmatch(segment) for segment in segments[-2:]):
        return 2
    weak = any(marks.WEAK_LOGIN_SEGMENT.fullmatch(segment) for segment in segments)
    return 1 if weak or marks.LOGIN_HOST.match(parts.hostname or "") else 0


def soft_404_reason(page: PageView) -> str | None:
    """Hint at an error page with a status of success; it counts only where an excerpt is absent (B060)."""
    for what, words in (("title", page.title), ("heading", _first_heading(page.html))):
        if len(words) <= _LONGEST_TITLE and marks.GONE_TITLE.fullmatch(words) and not marks.NOT_GONE.search(words):
            return f"looks like an error page ({what} {words!r})"
    said = marks.GONE_TEXT.search(page.text) if len(page.text) <= _SHORT else None
    if said is not None:
        return f"looks like an error page ({said[0]!r})"
    asked, got = urlsplit(page.requested_url), urlsplit(page.final_url)
    if got.path in ("", "/") and not got.query and (asked.path not in ("", "/") or asked.query):
        return f"the way ended at the start page of the site ({page.final_url})"
    return None


def _first_heading(source: str) -> str:
    match = marks.HEADING.search(source)
    return _squeeze(marks.TAG.sub(" ", match[1])) if match else ""


def _squeeze(text: str) -> str:
    return _SPACE.sub(" ", text[:_SOURCE_HEAD]).strip()


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()

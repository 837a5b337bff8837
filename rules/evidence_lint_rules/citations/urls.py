"""Cited URLs are URLs, and carry no tracking residue."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evidence_lint.model.example import BASE_ENTRY, BASE_PAGE, BASE_RESULT, BASE_URL, Expected, research_example
from evidence_lint.model.location import Location, Span
from evidence_lint.model.report import REPORT, Report
from evidence_lint.model.verdict import Applicability, Edit, Fix, Problem, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.urls import (
    is_example_host,
    malformed,
    normalize_url,
    tracking_parameters,
    without_tracking,
)
from evidence_lint.witness.web import RetrievedSources, SavedPages
from evidence_lint_rules.citations._naming import shortened

_WEB = re.compile(r"https?:|[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_TEMPLATE_HOST = re.compile(r"https?://<[^<>\n]{1,60}>[^\s<>\"`]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CitedUrl:
    """A URL of the report and where it stands. ``mention`` is one that the text only names, with no link made of it."""

    url: str
    span: Span
    mention: bool = False


def cited_urls(report: Report) -> Sequence[CitedUrl]:
    """The URLs of the index and the links of the rest; code and comments hold none, nor do titles in the index."""
    found = [CitedUrl(shown.value, shown.span) for entry in report.entries for shown in entry.urls]
    entries = sorted(entry.span for entry in report.entries)
    starts = [span.start for span in entries]
    for link in report.links:
        place = bisect_right(starts, link.span.start) - 1
        if place >= 0 and entries[place].covers(link.span):
            continue
        if _WEB.match(link.url) or not link.url.strip():
            found.append(CitedUrl(link.url, link.span, mention=link.url == link.text))
    return found


def template_urls(report: Report) -> Iterator[CitedUrl]:
    """URLs in running text whose host is a template, as ``https://<host>/``; Markdown takes such a host for a tag."""
    prose = report.prose
    code = iter(prose.code)
    current = next(code, None)
    for match in _SCHEME.finditer(prose.text):
        while current is not None and current.end <= match.start():
            current = next(code, None)
        if current is not None and current.start <= match.start():
            continue
        found = _TEMPLATE_HOST.match(report.text, prose.origins[match.start()])
        if found is not None:
            url = found[0].rstrip(".,:;!?'*_)")
            yield CitedUrl(url, Span(found.start(), found.start() + len(url)), mention=True)


@rule(
    "CIT117",
    "url-malformed",
    passes=[
        research_example("A sound URL"),
        research_example(
            "Unusual and valid: brackets, escapes, international hosts, IPv6, ports, archives",
            sections={
                5: "### Copies\n\nSee [album](https://w.example.gov/Foo_(album)), https://bücher.gov.de/straße, "
                "<https://[2001:db8::1]:8443/a>, https://web.archive.org/web/2020/https://a.example.gov/a%20b?q=[1], "
                "(https://w.example.gov/Foo_(x)). See [notes](docs/notes.md) and [below](#copies). [1]\n\n"
                "`http://localhost:3000` and <!-- https://old.example/ --> are no citations.",
            },
        ),
        research_example(
            "An example host that a record resolves",
            results=[{**BASE_RESULT, "url": "https://notes.example.org/a"}],
            content=[{**BASE_PAGE, "url": "https://notes.example.org/a"}],
            sections={8: "[1] Notes — https://notes.example.org/a — website (preclassified T4) — date: unknown"},
        ),
    ],
    fails=[
        research_example(
            "Spaces, a musing instead of a URL",
            Expected("https://news.example.gov/4? we did not use this, skip is no URL: it contains white space…"),
            sections={8: f"{BASE_ENTRY}\n[2] [https://news.example.gov/4? we did not use this, skip]"},
        ),
        research_example(
            "Cut off, badly escaped, placeholders",
            Expected("https://www.example.gov/gui… is no URL: it is cut off…", at="https://www.example.gov/gui…"),
            Expected("https://www.example.gov/a%zz is no URL: it has a %…"),
            Expected("https://your-domain.com/page is no URL: your-domain.com is a placeholder"),
            Expected("http://localhost:3000/docs is no URL: localhost is a name for the reader's own machine…"),
            sections={
                5: "### Copies\n\nSee [this](https://www.example.gov/a%zz), [that](https://your-domain.com/page) and "
                "[these](http://localhost:3000/docs). [1]",
                8: f"{BASE_ENTRY}\n[2] Guide — https://www.example.gov/gui… — government (preclassified T1)",
            },
        ),
        research_example(
            "A link that leads nowhere",
            Expected("the destination of the link is no URL: it is empty", at="[the guide]()"),
            sections={5: "### Copies\n\nSee [the guide](). [1]"},
        ),
        research_example(
            "Hosts that the text only mentions",
            Expected("https://<host>/api is no URL: its host <host> is a placeholder", severity=Severity.WARNING),
            Expected(
                "https://example.org/x is no URL of a source: its host is reserved for examples",
                severity=Severity.WARNING,
            ),
            sections={5: "### Copies\n\nThe service answers at https://<host>/api, as https://example.org/x does. [1]"},
        ),
    ],
)
def url_malformed(report: Report, retrieved: RetrievedSources, pages: SavedPages) -> Iterator[Problem]:
    """Every cited URL can be one that a reader opens.

    Why: a URL with spaces, a cut end or the host of a template was typed or invented, not copied from the page.

    Fix: copy the address from the page itself. Addresses that are no citation belong into code marks.
    """
    for cited in sorted({*cited_urls(report), *template_urls(report)}, key=lambda cited: cited.span):
        why = malformed(cited.url)
        if why is not None:
            mild = cited.mention and ("placeholder" in why or "own machine" in why or "no public host" in why)
            yield _bad(cited, f"is no URL: {why}", mild=mild)
        elif is_example_host(cited.url) and not retrieved.find(cited.url) and not pages.find(cited.url):
            yield _bad(cited, "is no URL of a source: its host is reserved for examples", mild=cited.mention)


def _bad(cited: CitedUrl, what: str, *, mild: bool) -> Problem:
    return Problem(
        f"{shortened(cited.url) or 'the destination of the link'} {what}",
        Location(REPORT, cited.span),
        help="Copy the address from the page itself; put an address that is no citation into code marks.",
        severity=Severity.WARNING if mild else None,
    )


@rule(
    "CIT118",
    "url-tracking-parameter",
    severity=Severity.WARNING,
    fixable=True,
    passes=[
        research_example("No parameter"),
        research_example(
            "Parameters that belong to the page, and residue in code",
            sections={
                5: "### Copies\n\nSee https://www.example.gov/search?q=utm_source&page=2&ref=main#:~:text=utm_source. "
                "`https://www.example.gov/?utm_source=x` is code. [1]"
            },
        ),
    ],
    fails=[
        research_example(
            "Residue in the index and in a link",
            Expected("the URL carries the tracking parameter utm_source", at=f"{BASE_URL}?utm_source=chatgpt.com"),
            Expected(
                "the URL carries the tracking parameters fbclid, gclid",
                at="[drills](https://www.example.gov/d?a=1&fbclid=x&gclid=y#z)",
            ),
            sections={
                5: "### Copies\n\nSee [drills](https://www.example.gov/d?a=1&fbclid=x&gclid=y#z). [1]",
                8: BASE_ENTRY.replace(BASE_URL, f"{BASE_URL}?utm_source=chatgpt.com"),
            },
        ),
    ],
)
def tracking_parameter(report: Report) -> Iterator[Problem]:
    """No cited URL carries tracking parameters.

    Why: they name whoever passed the link on, not the page; they tell the site about every reader of the report, and
    `utm_source=chatgpt.com` tells the reader that the link was copied from an answer.

    Fix: delete the parameters (a safe fix does); the page is the same without them.
    """
    for cited in cited_urls(report):
        names = tracking_parameters(cited.url)
        if names:
            plural = "parameters" if len(set(names)) > 1 else "parameter"
            yield Problem(
                f"the URL carries the tracking {plural} {', '.join(dict.fromkeys(names))}",
                Location(REPORT, cited.span),
                help="Delete them; the page is the same without them.",
                fix=_without(report, cited),
            )


def _without(report: Report, cited: CitedUrl) -> Fix | None:
    """The edit that takes the parameters out, where the URL stands in the source as it is read, once."""
    written = cited.span.of(report.text)
    if written.count(cited.url) != 1:
        return None
    start = cited.span.start + written.index(cited.url)
    clean = without_tracking(cited.url)
    # Where the contract's normal form keeps a parameter, the records know the page by it.
    same = normalize_url(clean) == normalize_url(cited.url)
    return Fix(
        "delete the tracking parameters",
        (Edit(REPORT, start, start + len(cited.url), clean),),
        Applicability.SAFE if same else Applicability.UNSAFE,
    )

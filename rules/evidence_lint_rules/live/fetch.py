"""What came of the fetch: unsafe, failed, blocked, an error page, cut, or without the excerpt."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.capture import CaptureOutcome
from evidence_lint.model.example import BASE_TEXT, BASE_URL, Expected, LivePage, research_example
from evidence_lint.model.verdict import Excerpted, Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.captures import LiveEvidence, LiveFault
from evidence_lint.witness.shown import word_diff
from evidence_lint.witness.urls import host_of, registrable_domain
from evidence_lint_rules.live.required import HIGH, STATED_HIGH

_URL = "/findings/0/evidence/0/url"
_EXCERPT = "/findings/0/evidence/0/excerpt"
_GOOD = research_example("The page is as it was", findings=HIGH, sections=STATED_HIGH, pages={BASE_URL: BASE_TEXT})


def _failed(evidence: LiveEvidence, fault: LiveFault, *, at: str = "url") -> Iterator[Problem]:
    if evidence.fault is fault:
        capture = evidence.capture
        outcome = capture.outcome_given(all_excerpts_found=False)
        where = f" (at {capture.final_url})" if capture.final_url not in {"", evidence.unit.ref.url} else ""
        reason = capture.soft_404_reason if fault is LiveFault.SOFT_404 else capture.reason
        yield Problem(
            f"{evidence.unit.ref.url}: {reason}{where}",
            evidence.unit.ref.at(at),
            help=outcome.help,
        )


@rule(
    "LIVE102",
    "live-target-unsafe",
    passes=[_GOOD],
    fails=[
        research_example(
            "A host name that points into the local network",
            Expected(f"{BASE_URL}: 10.0.0.7 is a private address", pointer=_URL, artifact="findings"),
            findings=HIGH,
            sections=STATED_HIGH,
            pages={BASE_URL: LivePage("", CaptureOutcome.UNSAFE_TARGET, "10.0.0.7 is a private address")},
        ),
    ],
)
def target_unsafe(evidence: LiveEvidence) -> Iterator[Problem]:
    """A cited page and every redirect on the way to it are on the public internet.

    Why: a report must not steer the machine that checks it to private services; and what only one network can see is no
    public evidence.

    Fix: cite the public address of the source.
    """
    yield from _failed(evidence, LiveFault.UNSAFE)


@rule(
    "LIVE103",
    "live-fetch-failed",
    passes=[_GOOD],
    fails=[
        research_example(
            "The page is gone",
            Expected(f"{BASE_URL}: the server answered 404", pointer=_URL, artifact="findings"),
            findings=HIGH,
            sections=STATED_HIGH,
            pages={},
        ),
    ],
)
def fetch_failed(evidence: LiveEvidence) -> Iterator[Problem]:
    """The page of a High web claim can be fetched now.

    Why: a claim that nobody can look up any more may have been true; it is not verified. DNS, TLS, time-outs and HTTP
    errors are told apart, since each wants another remedy.

    Fix: cite where the page lives now or an archived copy, or state Medium.
    """
    yield from _failed(evidence, LiveFault.FAILED)


@rule(
    "LIVE104",
    "live-blocked",
    passes=[_GOOD],
    fails=[
        research_example(
            "A bot check stands before the page",
            Expected(f"{BASE_URL}: …", pointer=_URL, artifact="findings"),
            findings=HIGH,
            sections=STATED_HIGH,
            pages={BASE_URL: LivePage("Just a moment...", CaptureOutcome.BLOCKED, "a bot check (Cloudflare)", 200)},
        ),
    ],
)
def blocked(evidence: LiveEvidence) -> Iterator[Problem]:
    """No bot check, consent page, log-in or script stands before the page.

    Why: what such a wall shows is not the source. The evidence is neither confirmed nor refuted.

    Fix: cite an open copy of the source, or state Medium.
    """
    yield from _failed(evidence, LiveFault.BLOCKED)


@rule(
    "LIVE105",
    "live-soft-404",
    passes=[_GOOD],
    fails=[
        research_example(
            "Status 200, and nothing there",
            Expected(f"{BASE_URL}: …", pointer=_URL, artifact="findings"),
            findings=HIGH,
            sections=STATED_HIGH,
            pages={BASE_URL: LivePage("Page not found", soft_404_reason="the page says that it does not exist")},
        ),
    ],
)
def soft_404(evidence: LiveEvidence) -> Iterator[Problem]:
    """The server did not answer with an error page that calls itself a success.

    Why: such a page says that the source is gone, whatever its status.

    Fix: cite where the page lives now, or an archived copy.
    """
    yield from _failed(evidence, LiveFault.SOFT_404)


@rule(
    "LIVE106",
    "live-excerpt-missing",
    passes=[_GOOD],
    fails=[
        research_example(
            "The page was changed",
            Expected(f"the excerpt is not in {BASE_URL} as it is now", pointer=_EXCERPT, artifact="findings"),
            findings=HIGH,
            sections=STATED_HIGH,
            pages={BASE_URL: BASE_TEXT.replace("three copies", "two copies")},
        ),
    ],
)
def excerpt_missing(evidence: LiveEvidence) -> Iterator[Problem]:
    """The excerpt of a High web claim stands in the page as it is now.

    Why: pages change, and saved texts can be edited. What the page says now is what a reader will find.

    Fix: look at the page; quote what it says now and mend the claim, or state Medium.
    """
    if evidence.fault is not LiveFault.MISSING:
        return
    excerpt = evidence.unit.ref.excerpt
    nearest = evidence.page.nearest(excerpt)
    shown = (
        ()
        if nearest is None
        else (Excerpted(evidence.capture.final_url, (nearest.passage,), diff=word_diff(nearest.diff)),)
    )
    web = evidence.unit.web
    saved = web.page if web is not None else None
    yield Problem(
        f"the excerpt is not in {evidence.capture.final_url} as it is now",
        evidence.unit.ref.at("excerpt"),
        help="Look at the page, and quote what it says now.",
        related=() if saved is None else (Related(saved.row.at("content"), "the text that was saved"),),
        shown=shown,
    )


@rule(
    "LIVE109",
    "live-redirected",
    severity=Severity.WARNING,
    passes=[_GOOD],
    fails=[
        research_example(
            "Another site answers",
            Expected(
                f"{BASE_URL} leads to another site: https://www.example.mil/backups", pointer=_URL, artifact="findings"
            ),
            findings=HIGH,
            sections=STATED_HIGH,
            pages={BASE_URL: LivePage(BASE_TEXT, final_url="https://www.example.mil/backups")},
        ),
    ],
)
def redirected(evidence: LiveEvidence) -> Iterator[Problem]:
    """The page is still on the site that is cited.

    Why: a redirect to another owner's site means that somebody else now answers for the words.

    Fix: cite the final address, if it is the right source.
    """
    capture = evidence.capture
    before, after = _domain(evidence.unit.ref.url), _domain(capture.final_url)
    if capture.searchable and before != after:
        yield Problem(
            f"{evidence.unit.ref.url} leads to another site: {capture.final_url}",
            evidence.unit.ref.at("url"),
            help="Cite the final address, if it is the right source.",
        )


def _domain(url: str) -> str | None:
    host = host_of(url)
    return None if host is None else registrable_domain(host) or host


@rule(
    "LIVE110",
    "live-truncated",
    passes=[_GOOD],
    fails=[
        research_example(
            "The page is longer than the limit",
            Expected(f"{BASE_URL} was cut before the excerpt could be found", pointer=_EXCERPT, artifact="findings"),
            findings=HIGH,
            sections=STATED_HIGH,
            pages={BASE_URL: LivePage("A long page.", truncated=True)},
        ),
    ],
)
def truncated(evidence: LiveEvidence) -> Iterator[Problem]:
    """The page was read as far as its excerpt.

    Why: what is absent from a cut page may stand in the rest of it, so nothing was shown.

    Fix: raise ``limits.page-bytes``, or cite a page of its own for the passage.
    """
    if evidence.fault is LiveFault.TRUNCATED:
        yield Problem(
            f"{evidence.unit.ref.url} was cut before the excerpt could be found",
            evidence.unit.ref.at("excerpt"),
            help="Raise limits.page-bytes in the configuration, or cite a smaller page.",
        )

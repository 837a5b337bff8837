"""A stated High on a web fact was re-fetched in this run, or it fails."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import (
    BASE_EXCERPT,
    BASE_FINDING,
    BASE_PAGE,
    BASE_RESULT,
    BASE_TEXT,
    BASE_URL,
    Expected,
    LivePage,
    research_example,
)
from evidence_lint.model.location import Location
from evidence_lint.model.report import REPORT
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.captures import Live, LiveEvidence
from evidence_lint.witness.confidence import FindingAssessment

HIGH = [{**BASE_FINDING, "confidence": "high"}]
_PLAIN = BASE_URL.replace("https:", "http:")
STATED_HIGH = {
    4: "- **Three copies are required** (High confidence): The guide requires three copies of every record. [1]"
}


@rule(
    "LIVE101",
    "live-required",
    passes=[
        research_example("Fetched again in this run", findings=HIGH, sections=STATED_HIGH, pages={BASE_URL: BASE_TEXT}),
        research_example("A High that states Medium needs no capture", findings=HIGH),
        research_example(
            "Where the record requests Medium, no capture could help: the label is inflated", sections=STATED_HIGH
        ),
    ],
    fails=[
        research_example(
            "An offline run",
            Expected(
                "this High was not re-fetched: this run is offline (--offline), so no page was fetched again", at="High"
            ),
            findings=HIGH,
            sections=STATED_HIGH,
        ),
    ],
)
def live_required(finding: FindingAssessment, live: Live) -> Iterator[Problem]:
    """A High that only a live capture can earn was captured live in this run.

    Why: saved pages are their author's word. High on a web fact means that this very run fetched the page, through a
    transport that reaches public addresses only, and found the excerpt.

    Fix: run without ``--offline`` on a machine with network access, or state Medium.
    """
    stated = finding.stated
    if finding.waits_for_live and stated is not None:
        place = stated.location if stated.label_span is None else Location(REPORT, stated.label_span)
        yield Problem(
            f"this High was not re-fetched: {live.refused or 'no capture was made'}",
            place,
            help="Run with network access, or state Medium.",
        )


@rule(
    "LIVE107",
    "live-authority-insufficient",
    passes=[research_example("A government page", findings=HIGH, sections=STATED_HIGH, pages={BASE_URL: BASE_TEXT})],
    fails=[
        research_example(
            "A blog is no authority",
            Expected(
                "https://blog.example.org/backups is T4, and this High needs T1: …",
                pointer="/findings/0/evidence/0/url",
                artifact="findings",
            ),
            findings=[
                {
                    **BASE_FINDING,
                    "confidence": "high",
                    "evidence": [{"kind": "web", "url": "https://blog.example.org/backups", "excerpt": BASE_EXCERPT}],
                }
            ],
            results=[{**BASE_RESULT, "url": "https://blog.example.org/backups"}],
            content=[{**BASE_PAGE, "url": "https://blog.example.org/backups"}],
            sections=STATED_HIGH,
            pages={"https://blog.example.org/backups": BASE_TEXT},
        ),
    ],
)
def authority_insufficient(finding: FindingAssessment, live: Live) -> Iterator[Problem]:
    """The page of a High web claim is T1 where it finally stands.

    Why: the tier follows from the host that answered at the end of all redirects, not from a record; a web page carries
    High only as a government, standards or registered authority.

    Fix: cite an authority, register the host in the policy if it is one, or state Medium.
    """
    for row in _unearned(finding, live):
        if row.supports and not row.t1:
            why = (
                "it was reached through --allow-network, which never grants T1"
                if row.capture.via_allowed_network
                else row.authority.basis
            )
            yield Problem(
                f"{row.capture.final_url} is {row.authority.tier}, and this High needs T1: {why}",
                row.unit.ref.at("url"),
                help="Cite an authority, register the host in the policy if it is one, or state Medium.",
            )


@rule(
    "LIVE108",
    "live-insecure",
    passes=[research_example("https", findings=HIGH, sections=STATED_HIGH, pages={BASE_URL: BASE_TEXT})],
    fails=[
        research_example(
            "A page that is cited over plain http",
            Expected(f"{_PLAIN} is read over plain http", pointer="/findings/0/evidence/0/url", artifact="findings"),
            findings=[{**HIGH[0], "evidence": [{"kind": "web", "url": _PLAIN, "excerpt": BASE_EXCERPT}]}],
            results=[{**BASE_RESULT, "url": _PLAIN}],
            content=[{**BASE_PAGE, "url": _PLAIN}],
            sections=STATED_HIGH,
            pages={_PLAIN: BASE_TEXT},
        ),
        research_example(
            "A redirect that leaves https on the way",
            Expected(f"{_PLAIN} is read over plain http", pointer="/findings/0/evidence/0/url", artifact="findings"),
            findings=HIGH,
            sections=STATED_HIGH,
            pages={BASE_URL: LivePage(BASE_TEXT, final_url=_PLAIN)},
        ),
    ],
)
def live_insecure(finding: FindingAssessment, live: Live) -> Iterator[Problem]:
    """The page of a High web claim was read over https on every hop.

    Why: anyone on the path can write a page that is read over plain http, so it carries no High.

    Fix: cite the https address, or state Medium.
    """
    if not finding.states_high or finding.requested != "high" or finding.effective == "high":
        return
    for unit in finding.verified:
        if unit.web is None:
            continue
        row = live.of(unit)
        visited = [hop.url for hop in row.capture.hops] if row is not None else [unit.ref.url]
        plain = next((url for url in visited if url.lower().startswith("http://")), None)
        if plain is not None:
            yield Problem(
                f"{plain} is read over plain http",
                unit.ref.at("url"),
                help="Cite the https address, or state Medium.",
            )


def _unearned(finding: FindingAssessment, live: Live) -> Iterator[LiveEvidence]:
    """The captures of a stated High that has not been earned."""
    if finding.states_high and finding.effective != "high":
        for unit in finding.verified:
            row = live.of(unit)
            if row is not None:
                yield row

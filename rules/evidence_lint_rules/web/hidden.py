"""The excerpt stands where a reader of the page sees it."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.errors import Unavailable
from evidence_lint.model.example import (
    BASE_FINDING,
    BASE_PAGE,
    BASE_TEXT,
    BASE_URL,
    Expected,
    LivePage,
    research_example,
)
from evidence_lint.model.verdict import Problem, Related
from evidence_lint.rule import rule
from evidence_lint.witness.captures import Live
from evidence_lint.witness.standing import Standing
from evidence_lint.witness.web import WebEvidence

_EXCERPT = "/findings/0/evidence/0/excerpt"
_HIGH = [{**BASE_FINDING, "confidence": "high"}]
_STATED = {4: "- **Three copies are required** (High confidence): The guide requires three copies of every record. [1]"}


def _saved(content: str) -> list[dict[str, object]]:
    return [{**BASE_PAGE, "content": content}]


@rule(
    "WEB113",
    "excerpt-hidden",
    passes=[
        research_example("In plain sight", findings=_HIGH, sections=_STATED, pages={BASE_URL: BASE_TEXT}),
        research_example(
            "Saved markup that shows the words",
            content=_saved(f"<!doctype html><body><!-- aside --><p>{BASE_TEXT}</p></body>"),
        ),
        research_example(
            "A page about markup that shows a comment as a sample",
            content=_saved(f"In HTML, a comment is written so: <!-- {BASE_TEXT} -->"),
        ),
    ],
    fails=[
        research_example(
            "Words that no reader sees",
            Expected(f"the excerpt stands only in hidden text of {BASE_URL}", pointer=_EXCERPT, artifact="findings"),
            findings=_HIGH,
            sections=_STATED,
            pages={BASE_URL: LivePage("Our guide.", hidden_text=BASE_TEXT)},
        ),
        research_example(
            "A comment in markup that was saved as it is",
            Expected(
                f"the excerpt stands only in what a reader of the saved page {BASE_URL} does not see",
                pointer=_EXCERPT,
                artifact="findings",
            ),
            content=_saved(f"<!doctype html><html><body><!-- {BASE_TEXT} --><p>Our guide.</p></body></html>"),
        ),
        research_example(
            "A hidden element in a fragment of markup",
            Expected(
                f"the excerpt stands only in what a reader of the saved page {BASE_URL} does not see",
                pointer=_EXCERPT,
                artifact="findings",
            ),
            content=_saved(f'Our guide. <p style="display:none">{BASE_TEXT}</p>'),
        ),
    ],
)
def excerpt_hidden(evidence: WebEvidence, live: Live, standing: Standing) -> Iterator[Problem]:
    """The excerpt stands in text that a reader of the page sees.

    Why: words in comments, scripts or hidden elements can be put there to be found by programs; the page does not say
    them to anybody.

    Fix: quote what the page shows.
    """
    if evidence.hidden and evidence.page is not None:
        yield Problem(
            f"the excerpt stands only in what a reader of the saved page {evidence.page.url} does not see",
            evidence.ref.at("excerpt"),
            help="Quote what the page shows, and save its text, not its markup.",
            related=(Related(evidence.page.row.at("content"), "the saved markup"),),
            severity=standing.of_ref(evidence.ref),
        )
    elif (capture := live.of_ref(evidence.ref)) is not None and capture.hidden:
        yield Problem(
            f"the excerpt stands only in hidden text of {evidence.ref.url}",
            evidence.ref.at("excerpt"),
            help="Quote what the page shows.",
        )
    elif live.refused is not None:
        raise Unavailable("no-captures", live.refused)

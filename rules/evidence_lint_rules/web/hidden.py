"""The excerpt stands where a reader of the page sees it."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import BASE_FINDING, BASE_TEXT, BASE_URL, Expected, LivePage, research_example
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.captures import LiveEvidence

_EXCERPT = "/findings/0/evidence/0/excerpt"
_HIGH = [{**BASE_FINDING, "confidence": "high"}]
_STATED = {4: "- **Three copies are required** (High confidence): The guide requires three copies of every record. [1]"}


@rule(
    "WEB113",
    "excerpt-hidden",
    passes=[research_example("In plain sight", findings=_HIGH, sections=_STATED, pages={BASE_URL: BASE_TEXT})],
    fails=[
        research_example(
            "Words that no reader sees",
            Expected(f"the excerpt stands only in hidden text of {BASE_URL}", pointer=_EXCERPT, artifact="findings"),
            findings=_HIGH,
            sections=_STATED,
            pages={BASE_URL: LivePage("Our guide.", hidden_text=BASE_TEXT)},
        ),
    ],
)
def excerpt_hidden(evidence: LiveEvidence) -> Iterator[Problem]:
    """The excerpt stands in text that a reader of the page sees.

    Why: words in comments, scripts or hidden elements can be put there to be found by programs; the page does not say
    them to anybody.

    Fix: quote what the page shows.
    """
    if evidence.hidden:
        yield Problem(
            f"the excerpt stands only in hidden text of {evidence.unit.ref.url}",
            evidence.unit.ref.at("excerpt"),
            help="Quote what the page shows.",
        )

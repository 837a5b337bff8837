"""BUD103 and BUD104: a budget ran out, and the report says so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_lint.model.artifact import JSON
from evidence_lint.model.bundle import CONTENT, SESSION, ResearchBundle
from evidence_lint.model.example import BASE_PAGE, Expected, research_example
from evidence_lint.model.location import Location, pointer
from evidence_lint.model.records import Records
from evidence_lint.model.report import Report
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.budget import budget_exhausted, exhausted_event
from evidence_lint.witness.disclosure import gap_lines
from evidence_lint.witness.report_fields import visible_section
from evidence_lint_rules.budget.ledger import LEDGER

_WHAT = re.compile(
    r"\b(?:budgets?|retrievals?|extractions?|quotas?|ceilings?|limits?|allowances?|calls?|quer(?:y|ies)|searches|pages?|units?)\b"
    r"|预算|預算|配额|上限|额度",
    re.IGNORECASE,
)
_OUT = re.compile(
    r"\bexhaust(?!iv)|\b(?:ran|run|runs|running|were|was|is|are)\s+out\b|\bused\s+up\b|\breached\b|\bhit\b|\bspent\b|\bdepleted\b"
    r"|\b(?:fully|entirely|all)\s+(?:consumed|used)\b|\bexceeded\b|耗尽|用尽|用完|达到上限|達到上限|耗盡",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|neither|without|no\s+budgets?(?:\s+\w+){0,2}|none\s+of\s+the\s+budgets?)\s+(?:\w+\s+){0,3}?"
    r"(?:exhaust|reach|hit|spent|deplet|consumed|used|exceed|r[au]n(?:ning)?\s+out)|n['’]t\s+(?:\w+\s+){0,2}?(?:exhaust|reach|hit|run)"
    r"|未耗尽|没有耗尽|未用尽|未达",
    re.IGNORECASE,
)
_NO = re.compile(
    r"[:：]\s*(?:no|none|not|nil|never|false|n/a|-|—|否|无|無|未|没有)(?:\b|(?<=[-—否无無未有]))", re.IGNORECASE
)
_LABEL = re.compile(r"[^:：]*(?:budget|预算|預算)[^:：]*(?:exhaust(?!iv)|耗尽|用尽)[^:：]*[:：]", re.IGNORECASE)
_EXHAUSTED: dict[str, JSON] = {"items": [BASE_PAGE], "budget_exhausted": True}
_EVENT: dict[str, JSON] = {
    **LEDGER,
    "events": [{"type": "search", "calls": 1}, {"type": "budget_exhausted", "budget": "retrieval"}],
}


@rule(
    "BUD103",
    "budget-exhausted",
    severity=Severity.WARNING,
    passes=[
        research_example("no budget ran out", session=LEDGER),
        research_example("the records say that none did", content={"items": [BASE_PAGE], "budget_exhausted": False}),
        research_example(
            "usage equal to a ceiling is none",
            session={**LEDGER, "usage": {"retrieval_calls": 10, "content_extractions": 5, "report_sources": 8}},
        ),
        research_example(
            "an event that denies it", session={**LEDGER, "events": [{"type": "budget", "exhausted": False}]}
        ),
        research_example(
            "an exhaustive search", session={**LEDGER, "events": [{"type": "exhaustive_search"}, "not exhausted"]}
        ),
        research_example("a word is no flag", content={"items": [BASE_PAGE], "budget_exhausted": "false"}),
    ],
    fails=[
        research_example(
            "the extraction says so",
            Expected(
                "content.json says that its budget was exhausted", pointer="/budget_exhausted", artifact="content"
            ),
            content=_EXHAUSTED,
        ),
        research_example(
            "an event of the ledger says so",
            Expected("the ledger records that a budget was exhausted", pointer="/events/1", artifact="session"),
            session=_EVENT,
        ),
    ],
)
def budget_exhausted_rule(bundle: ResearchBundle) -> Iterator[Problem]:
    """No budget ran out during the research.

    Why: research that stopped because its budget was spent may have stopped before the evidence was in; such a report
    is Partial at best.

    Fix: tell it in section 9, or go on with a deeper mode.
    """
    for place in _places(bundle.records):
        what = "content.json says that its" if place.artifact == CONTENT else "the ledger records that a"
        yield Problem(f"{what} budget was exhausted", place)


@rule(
    "BUD104",
    "budget-exhausted-undisclosed",
    passes=[
        research_example("no budget ran out", sections={9: "- Budget exhaustion: no"}),
        research_example("told under its label", content=_EXHAUSTED, sections={9: "- Budget exhaustion: yes"}),
        research_example(
            "told in a sentence", content=_EXHAUSTED, sections={9: "- The retrieval budget ran out after ten calls."}
        ),
        research_example(
            "in other words",
            session=_EVENT,
            sections={9: "- The ceiling of ten calls was reached; two queries stay open."},
        ),
        research_example("in Chinese", content=_EXHAUSTED, sections={9: "- 检索预算已耗尽。"}),
    ],
    fails=[
        research_example(
            "nothing tells it",
            Expected("a budget was exhausted, and section 9 does not say so", at="## 9) Gaps & Limitations"),
            content=_EXHAUSTED,
        ),
        research_example(
            "the opposite is told",
            Expected("a budget was exhausted, and section 9 does not say so"),
            content=_EXHAUSTED,
            sections={9: "- Budget exhaustion: no\n- The budget was not exhausted."},
        ),
        research_example(
            "an exhaustive search is none",
            Expected("a budget was exhausted, and section 9 does not say so"),
            session=_EVENT,
            sections={9: "- The search of the pages was exhaustive."},
        ),
    ],
)
def budget_exhausted_undisclosed(report: Report, records: Records) -> Iterator[Problem]:
    """Section 9 says that a budget ran out, where one did.

    Why: a reader cannot see where the search stopped, and takes silence for completeness.

    Fix: write in section 9 which budget ran out, and what was left undone.
    """
    if not budget_exhausted(records) or any(_tells(line) for line in gap_lines(report)):
        return
    section = visible_section(report, 9)
    if section is not None:
        yield Problem(
            "a budget was exhausted, and section 9 does not say so",
            section.location,
            related=tuple(Related(place, "the budget was exhausted here") for place in _places(records)),
        )


def _tells(line: str) -> bool:
    plain = line.strip()
    label = _LABEL.match(plain)
    if label is not None:
        return _NO.match(plain, label.end() - 1) is None and _DENIED.search(plain, label.end()) is None
    return _OUT.search(plain) is not None and _WHAT.search(plain) is not None and _DENIED.search(plain) is None


def _places(records: Records) -> Iterator[Location]:
    if records.budget_exhausted:
        yield Location(CONTENT, pointer=pointer("budget_exhausted"))
    event = exhausted_event(records)
    if event is not None:
        yield Location(SESSION, pointer=pointer("events", event))

"""BUD102 and BUD105: the ledger agrees with the report and with the other records."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.artifact import JSON
from evidence_lint.model.bundle import CONTENT, SESSION, ResearchBundle
from evidence_lint.model.example import BASE_PAGE, Expected, base_sections, research_example
from evidence_lint.model.location import Location, pointer
from evidence_lint.model.records import Records
from evidence_lint.model.report import Report
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.budget import session_word
from evidence_lint.witness.report_fields import KIND, MODE, VOCABULARY, stated_word
from evidence_lint.witness.web import SavedPages
from evidence_lint_rules.budget.ledger import LEDGER

_FAILED: JSON = {"url": "https://www.example.gov/guides/tapes", "content": "", "error": "timeout"}
_SECOND: JSON = {
    "url": "https://www.example.gov/guides/tapes",
    "content": "Tapes older than 7 years are replaced.",
    "error": "",
}


@rule(
    "BUD102",
    "session-mismatch",
    passes=[
        research_example("the report's mode and kind", session=LEDGER),
        research_example("no ledger"),
        research_example(
            "a mode outside the list is another rule's business", session={**LEDGER, "mode": "exhaustive"}
        ),
        research_example(
            "so is one of the report",
            session=LEDGER,
            sections={1: base_sections()[1].replace("`quick`", "`thorough`")},
        ),
    ],
    fails=[
        research_example(
            "another mode",
            Expected("the ledger's mode is deep, but the report's is quick", pointer="/mode", artifact="session"),
            session={**LEDGER, "mode": "deep"},
        ),
        research_example(
            "another kind",
            Expected(
                "the ledger's research kind is hybrid, but the report's is web",
                pointer="/research_kind",
                artifact="session",
            ),
            session={**LEDGER, "research_kind": "hybrid"},
        ),
    ],
)
def session_mismatch(bundle: ResearchBundle, records: Records, report: Report) -> Iterator[Problem]:
    """The ledger was opened for the mode and the kind that the report states.

    Why: a ledger of another run says nothing about this one, and a kind that was changed afterwards hides what evidence
    was required.

    Fix: put the ledger of this run beside the report, or state its mode and kind.
    """
    both = [
        (spec, member, name, stated_word(report, spec))
        for spec, member, name in ((MODE, "mode", "mode"), (KIND, "research_kind", "research kind"))
    ]
    for spec, member, name, stated in both:
        recorded = session_word(records, member)
        if recorded in VOCABULARY[spec] and stated is not None and stated[1] != recorded:
            yield Problem(
                f"the ledger's {name} is {recorded}, but the report's is {stated[1]}",
                Location(SESSION, pointer=pointer(member)),
                related=(Related(stated[0].location, f"the report says {stated[1]}"),),
            )


@rule(
    "BUD105",
    "usage-below-records",
    severity=Severity.WARNING,
    passes=[
        research_example("as many extractions as pages", session=LEDGER),
        research_example("a page that failed was not extracted", session=LEDGER, content=[BASE_PAGE, _FAILED]),
        research_example(
            "more extractions than pages",
            session={**LEDGER, "usage": {"retrieval_calls": 2, "content_extractions": 4, "report_sources": 1}},
        ),
        research_example("no ledger", content=[BASE_PAGE, _SECOND]),
        research_example(
            "a count that is none is another rule's business",
            session={**LEDGER, "usage": {"content_extractions": "none"}},
        ),
    ],
    fails=[
        research_example(
            "more pages than extractions",
            Expected(
                "the ledger counts 1 content extraction, but content.json holds 2 extracted pages",
                pointer="/usage/content_extractions",
                artifact="session",
            ),
            session=LEDGER,
            content=[BASE_PAGE, _SECOND],
        )
    ],
)
def usage_below_records(bundle: ResearchBundle, records: Records, pages: SavedPages) -> Iterator[Problem]:
    """The ledger counts at least as many extractions as there are extracted pages.

    Why: a page that was read without being counted escaped the budget, or did not come from this run.

    Fix: restore the ledger that the run wrote, or drop the pages of another run.
    """
    row = records.session
    usage = row.raw.get("usage") if row is not None and isinstance(row.raw, dict) else None
    counted = usage.get("content_extractions") if isinstance(usage, dict) else None
    if not isinstance(counted, int) or isinstance(counted, bool) or counted < 0:
        return
    extracted = sum(page.extracted for page in pages.all)
    if extracted > counted:
        yield Problem(
            f"the ledger counts {counted} content {'extraction' if counted == 1 else 'extractions'}, "
            f"but content.json holds {extracted} extracted {'page' if extracted == 1 else 'pages'}",
            Location(SESSION, pointer=pointer("usage", "content_extractions")),
            related=(Related(Location(CONTENT), f"{extracted} extracted here"),),
        )

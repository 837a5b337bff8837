"""OUT122: the index is no longer than the depth mode allows."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.model.example import BASE_ENTRY, Expected, base_sections, research_example
from evidence_lint.model.report import Report
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.budget import CANONICAL, session_word
from evidence_lint.witness.report_fields import MODE, stated_word, visible_section


def _index(count: int) -> str:
    more = (
        f"[{n}] Guide {n} — https://www.example.gov/guides/{n} — government (preclassified T1)"
        for n in range(2, count + 1)
    )
    return "\n\n".join([BASE_ENTRY, *more])


@rule(
    "OUT122",
    "source-ceiling-exceeded",
    passes=[
        research_example("one source"),
        research_example("as many as a quick report may have", sections={8: _index(8)}),
        research_example(
            "more in a standard one",
            sections={1: base_sections()[1].replace("`quick`", "`standard`"), 8: _index(20)},
        ),
    ],
    fails=[
        research_example(
            "one too many",
            Expected(
                "the index has 9 entries, but a quick report may have 8",
                at="[9] Guide 9…".rstrip("…") + " — https://www.example.gov/guides/9 — government (preclassified T1)",
            ),
            sections={8: _index(9)},
        ),
        research_example(
            "the ledger's mode where the report has none",
            Expected("the index has 21 entries, but a standard report may have 20"),
            sections={1: base_sections()[1].replace("`quick`", "`thorough`"), 8: _index(21)},
            session={"mode": "standard"},
        ),
    ],
)
def source_ceiling_exceeded(report: Report, bundle: ResearchBundle) -> Iterator[Problem]:
    """The index has no more entries than the depth mode allows.

    Why: the mode promises how much was read with care; a longer list than its budget allows was not.

    Fix: drop the sources that carry no statement, or research in a deeper mode.
    """
    stated = stated_word(report, MODE)
    mode = stated[1] if stated is not None else session_word(bundle.records, "mode")
    if mode is None or mode not in CANONICAL:
        return
    ceiling = CANONICAL[mode].report_sources_max
    if len(report.entries) > ceiling:
        first = report.entries[ceiling]
        yield Problem(
            f"the index has {len(report.entries)} entries, but a {mode} report may have {ceiling}", first.location
        )
    else:
        visible_section(report, 8)

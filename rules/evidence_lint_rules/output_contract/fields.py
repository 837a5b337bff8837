"""OUT110: the required fields of sections 1, 2 and 7."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.errors import Unavailable
from evidence_lint.model.example import Expected, base_report, base_sections, research_example
from evidence_lint.model.report import Report
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.report_fields import REQUIRED, fence_over, find_field

_BODIES = base_sections()


def _without(section: int, label: str) -> dict[int, str]:
    lines = [line for line in _BODIES[section].splitlines() if not line.startswith(f"- {label}")]
    return {section: "\n".join(lines)}


@rule(
    "OUT110",
    "method-field-missing",
    passes=[
        research_example("every field"),
        research_example(
            "the template's longer labels",
            sections={
                2: _BODIES[2].replace("Retrieval plan", "Retrieval plan / subtopics").replace("by URL", "`by URL`"),
                7: _BODIES[7]
                .replace("Source tier distribution", "Source tier T1–T5 distribution")
                .replace("Classification basis", "Classification basis, effective final URLs, and live-capture count")
                .replace("Methodology", "Sources with unknown methodology")
                .replace("omitted:", "omitted from substantive sections:"),
            },
        ),
        research_example("strong labels and numbered items", sections={1: _BODIES[1].replace("- R", "2. R")}),
        research_example(
            "further fields of a later edition", sections={2: _BODIES[2] + "\n- Budget consumed: retrieval 2/10"}
        ),
        research_example("a value on the next line", sections={2: _BODIES[2].replace("by URL", "\n  by URL")}),
        research_example(
            "fields of a missing section", report=base_report().replace("## 7) Source Quality Notes", "### Notes")
        ),
        research_example("a value that says little is there", sections={7: _BODIES[7].replace("unknown", "n/a")}),
    ],
    fails=[
        research_example(
            "no word on deduplication",
            Expected("section 2 has no field whose label holds “dedup”", at="## 2) Method"),
            sections=_without(2, "Dedup"),
        ),
        research_example(
            "a field without a value",
            Expected("the field “Retrieval plan” has no value", at="- Retrieval plan:"),
            sections={2: _BODIES[2].replace("one query", "")},
        ),
        research_example(
            "neither the tiers nor the chain",
            Expected("section 7 has no field whose label holds “tier” and “distribution”"),
            Expected("section 7 has no field whose label holds “evidence chain status”"),
            sections={7: "\n".join(_BODIES[7].splitlines()[1:-1])},
        ),
        research_example(
            "the word in a value does not count",
            Expected("section 1 has no field whose label holds “depth mode”", at="## 1) Research Question"),
            sections={1: _BODIES[1].replace("- Depth mode: `quick`", "- Note: the depth mode is `quick`")},
        ),
        research_example(
            "another field that mentions it does not count",
            Expected("section 2 has no field whose label holds “degradation”"),
            sections={
                2: _without(2, "Degradation")[2]
                + "\n- Citation integrity (this is what `Degradation` above reports): every excerpt was read again"
            },
        ),
    ],
)
def method_field_missing(report: Report) -> Iterator[Problem]:
    """Sections 1, 2 and 7 have all their fields, each with a value.

    Why: a reader who does not know how much was searched, how far the answer is degraded, or what was left out cannot
    tell what the answer is worth.

    Fix: add one bullet `- Label: value` whose label holds the words; say `unknown` or `none` where that is so.
    """
    hidden: Unavailable | None = None
    told = False
    for spec in REQUIRED:
        section = report.section(spec.section)
        field = find_field(report, spec)
        reason = fence_over(report, spec.section) if field is None else None
        hidden = hidden or reason
        if section is None or reason is not None:
            continue
        if field is None:
            told = True
            yield Problem(f"section {spec.section} has no field whose label holds {spec.described}", section.location)
        elif not field.value.strip():
            told = True
            yield Problem(f"the field “{field.label}” has no value", field.location)
    if hidden is not None and not told:
        raise hidden

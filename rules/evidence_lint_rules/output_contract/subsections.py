"""OUT108: section 6 shows both sides."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import Expected, research_example
from evidence_lint.model.report import Report
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.report_fields import visible_section

CONSENSUS, DEBATE = "Consensus", "Debate / Contradictory Evidence"
_NONE = "- No statement with evidence was recorded."


@rule(
    "OUT108",
    "consensus-debate-missing",
    passes=[
        research_example("both subsections"),
        research_example(
            "both, with closing hashes", sections={6: f"### Consensus ###\n\n{_NONE}\n\n### {DEBATE} ###\n\n{_NONE}"}
        ),
        research_example("in the other order", sections={6: f"### {DEBATE}\n\n{_NONE}\n\n### Consensus\n\n{_NONE}"}),
    ],
    fails=[
        research_example(
            "bold lines for headings",
            Expected("section 6 has no subsection `### Consensus`", at="## 6) Consensus vs Debate"),
            Expected(
                "section 6 has no subsection `### Debate / Contradictory Evidence`", at="## 6) Consensus vs Debate"
            ),
            sections={6: f"**Consensus**\n\n{_NONE}\n\n**{DEBATE}**\n\n{_NONE}"},
        ),
        research_example(
            "the debate made a section of its own",
            Expected("section 6 has no subsection `### Debate / Contradictory Evidence`"),
            sections={6: f"### Consensus\n\n{_NONE}\n\n## {DEBATE}\n\n{_NONE}"},
        ),
        research_example(
            "a shortened heading",
            Expected("section 6 has no subsection `### Debate / Contradictory Evidence`"),
            sections={6: f"### Consensus\n\n{_NONE}\n\n### Debate\n\n{_NONE}"},
        ),
    ],
)
def consensus_debate_missing(report: Report) -> Iterator[Problem]:
    """Section 6 has its two subsections.

    Why: a report that has no place for contradicting evidence shows none. The two headings make its absence visible.

    Fix: write `### Consensus` and `### Debate / Contradictory Evidence`, and under each what was found or that nothing
    was.
    """
    found = {CONSENSUS: report.consensus_heading, DEBATE: report.debate_heading}
    if report.section(6) is not None and all(found.values()):
        return
    section = visible_section(report, 6)
    if section is None:
        return
    for name, heading in found.items():
        if heading is None:
            yield Problem(f"section 6 has no subsection `### {name}`", section.location, help=_help(report, name))


def _help(report: Report, name: str) -> str:
    near = next(
        (h for h in report.headings if h.text.casefold().startswith(name.split(" /", maxsplit=1)[0].casefold())), None
    )
    return f"`{'#' * near.level} {near.text}` is not the heading of a subsection of section 6." if near else ""

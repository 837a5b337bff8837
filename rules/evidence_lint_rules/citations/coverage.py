"""Every claim of sections 4 to 6 names what it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_lint.model.example import BASE_EXCERPT, BASE_URL, Expected, research_example
from evidence_lint.model.report import Passage, PassageKind, Report, StatedFinding
from evidence_lint.model.verdict import Problem, Severity
from evidence_lint.rule import rule
from evidence_lint_rules.citations._naming import shortened

_NO_FINDING = "- No finding had verified supporting evidence."
_TITLED = "- **Three copies are required** (Medium confidence): The guide requires three copies of every record."
_SHORT_INTRODUCTION = 60


@rule(
    "CIT105",
    "finding-uncited",
    passes=[
        research_example("The finding is cited"),
        research_example(
            "Cited in a sentence of its own",
            sections={4: f"{_TITLED}\n  The guide says so. [1]\n  Downgrade: one source only."},
        ),
        research_example("A placeholder, and no usable record", sections={4: _NO_FINDING}, findings=[]),
    ],
    fails=[
        research_example(
            "No number at all",
            Expected("the finding cites no source", at="Three copies are required"),
            sections={4: _TITLED},
        ),
        research_example(
            "Numbers in code and in the title are no citations",
            Expected("the finding cites no source", at="Three copies [1] are required"),
            sections={
                4: "- **Three copies [1] are required** (Medium confidence): The guide requires them, see `a[1]`."
            },
        ),
        research_example(
            "A number that no reader sees",
            Expected("the finding cites no source", at="Three copies are required"),
            sections={4: f'{_TITLED} <span hidden>[1]</span> <span style="display:none">[1]</span>'},
        ),
        research_example(
            "A placeholder where the records hold a usable finding",
            Expected(
                "the bullet says that nothing was found, but the records hold a usable finding, and it cites none of it"
            ),
            sections={4: _NO_FINDING},
        ),
    ],
)
def finding_uncited(finding: StatedFinding) -> Iterator[Problem]:
    """Every finding cites at least one source.

    Why: a finding without a citation asks to be believed; the reader has nothing to check it against.

    Fix: cite the sources that the finding's record names, or leave the finding out.
    """
    if finding.citations:
        return
    message = "the finding cites no source"
    if finding.placeholder:
        message = (
            "the bullet says that nothing was found, but the records hold a usable finding, and it cites none of it"
        )
    yield Problem(message, finding.location, help="Cite the sources of its record by their numbers in section 8.")


@rule(
    "CIT106",
    "analysis-uncited",
    severity=Severity.WARNING,
    passes=[
        research_example("The subtopic is cited, section 6 has placeholders"),
        research_example(
            "A short introduction, an empty parent heading and a list's opening line",
            sections={
                5: "The guide was read in full.\n\n### Copies\n\n#### Number\n\nEvery record is kept three times. [1]",
                6: "### Consensus\n\nThe sources agree on this:\n\n- Copies are kept. [1]\n\n"
                "### Debate / Contradictory Evidence\n\n- None captured with verified evidence.",
            },
        ),
    ],
    fails=[
        research_example(
            "A subtopic and a row without a citation",
            Expected("the subtopic “Copies” cites no source", at="### Copies"),
            Expected("the consensus row cites no source", at="- All guides ask for copies."),
            sections={
                5: "### Copies\n\nEvery record is kept three times.\n\n### Drills\n\nDrills are held. [1]",
                6: "### Consensus\n\n- All guides ask for copies.\n\n### Debate / Contradictory Evidence\n\n"
                "- No statement with evidence was recorded.",
            },
        ),
        research_example(
            "A placeholder that goes on to assert something",
            Expected("the debate row cites no source"),
            sections={
                6: "### Consensus\n\n- Nenhuma.\n\n### Debate / Contradictory Evidence\n\n"
                "- No statement with evidence was recorded that contradicts the plain fact that tapes are useless.",
            },
        ),
        research_example(
            "Section 5 without subtopics",
            Expected("the analysis cites no source", at="Every record is kept three times."),
            sections={5: "Every record is kept three times."},
        ),
        research_example(
            "A placeholder where the records hold a usable row",
            Expected(
                "the consensus row says that there is nothing, but the records hold a usable one",
                at="- No statement with evidence was recorded.",
            ),
            findings={
                "findings": [],
                "consensus": [
                    {
                        "statement": "Copies are kept.",
                        "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": BASE_EXCERPT}],
                    }
                ],
            },
        ),
    ],
)
def analysis_uncited(passage: Passage, report: Report) -> Iterator[Problem]:
    """Every subtopic of section 5 and every row of section 6 cites at least one source.

    Why: analysis is where a report is most tempted to go beyond its evidence; without a citation nobody can tell.

    Fix: cite the sources that the passage rests on, or leave it out.
    """
    if passage.citations or not _claims(passage, report):
        return
    named = f"the {passage.kind} row"
    if passage.kind is PassageKind.SUBTOPIC:
        named = f"the subtopic “{shortened(passage.title, 80)}”" if passage.title else "the analysis"
    said = "says that there is nothing, but the records hold a usable one" if passage.placeholder else "cites no source"
    yield Problem(
        f"{named} {said}",
        passage.location,
        help="Cite the sources that it rests on by their numbers in section 8.",
    )


def _claims(passage: Passage, report: Report) -> bool:
    """Whether a passage states anything: not an empty heading, a list's opening line or a short introduction."""
    text = passage.prose.text.strip()
    if not text:
        return False
    if passage.kind is not PassageKind.SUBTOPIC:
        return not text.endswith((":", "："))
    if passage.title or len(report.subtopics) == 1:
        return True
    return len(text.split()) > _SHORT_INTRODUCTION or re.search(r"\d", text) is not None

"""Numbers of a finding stand in the sources that it cites."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.errors import Unavailable
from evidence_lint.model.example import BASE_FINDING, Expected, research_example
from evidence_lint.model.location import Location, Span
from evidence_lint.model.report import REPORT, Prose, StatedFinding
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.cited_texts import CitedTexts
from evidence_lint.witness.numbers import NumberIndex, missing_numbers

_TITLE = "- **Three copies are required** (Medium confidence): "


@rule(
    "CIT116",
    "number-not-in-evidence",
    severity=Severity.WARNING,
    passes=[
        research_example("Without numbers"),
        research_example(
            "Numbers of the page in other forms",
            sections={4: f"{_TITLE}It asks for 3 copies, seven-year-old tapes (7 years) and 2 drills a year. [1]"},
            content=[
                {
                    "url": BASE_FINDING["evidence"][0]["url"],
                    "content": "Keep three copies. Tapes live 7 years; two drills.",
                }
            ],
        ),
        research_example(
            "Identifiers, references, list ordinals, the downgrade and the facts of the source",
            sections={
                4: f"{_TITLE}By RFC 9110, GO-2021-0113 and `argv[7]` (see finding 4, section 12 and #99), 1) copies, "
                "2) drills. [1] Downgrade: 5 of 8 reasons.",
            },
        ),
        research_example(
            "The cited line and path",
            kind="codebase",
            sections={4: f"{_TITLE.replace('Medium', 'High')}The constant in store/copies.py, line 1, is 3. [1]"},
        ),
    ],
    fails=[
        research_example(
            "Numbers that no cited source has",
            Expected("9 years stands in none of the sources that the finding cites ([1])", at="9 years"),
            Expected("40% stands in none of the sources that the finding cites ([1])", at="40%"),
            Expected("2 May 2026 stands in none of the sources that the finding cites ([1])", at="2 May 2026"),
            sections={4: f"{_TITLE}Tapes older than 9 years (40% of them) were replaced on 2 May 2026. [1]"},
        ),
    ],
)
def number_not_in_evidence(finding: StatedFinding, sources: CitedTexts) -> Iterator[Problem]:
    """Every number and date of a finding stands in a source that it cites.

    Why: a figure is what readers take away. One that no cited source has was computed, remembered or made up.

    Fix: correct the figure, cite the source that has it, or say in the sentence from which figures it was derived.
    """
    cited = sources.of(finding.citations)
    if not cited:
        return
    prose = finding.prose
    skip = [(span.start, span.end) for span in (*prose.citations, *_code(prose))]
    missing = missing_numbers(prose.text, (source.numbers for source in cited), skip)
    if not missing:
        return
    unknown = next((source.unknown for source in cited if source.unknown), "")
    doubtful = NumberIndex(*(text for source in cited for text in source.doubtful))
    if all(doubtful.holds(number) for number in missing):
        unknown = unknown or "the numbers stand in a record that does not verify"
    if unknown or sources.dangling(finding.citations):
        raise Unavailable("source-text", unknown or "a number that is cited there has no entry")
    numbers = "".join(f"[{number}]" for number in dict.fromkeys(source.target.entry.number for source in cited))
    lacking = "; ".join(dict.fromkeys(source.lacking for source in cited if source.lacking))
    for number in missing:
        yield Problem(
            f"{number.text} stands in none of the sources that the finding cites ({numbers})"
            + (f"; {lacking}" if lacking else ""),
            Location(REPORT, prose.span(number.start, number.end)),
            help="Correct it, cite the source that has it, or say from which figures it was derived.",
            related=tuple(Related(source.target.location, "a source cited there") for source in cited[:4]),
        )


def _code(prose: Prose) -> Iterator[Span]:
    """Code that is more than a figure: names, calls and assignments are no numbers of the statement."""
    for span in prose.code:
        code = prose.text[span.start : span.end].strip()
        if not code[:1].isdigit():
            yield span

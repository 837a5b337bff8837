"""Markers in running text: each number is in the index, and nothing of a tool's own markers is left."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import BASE_ENTRY, Expected, base_sections, research_example
from evidence_lint.model.location import Location, Span
from evidence_lint.model.report import REPORT, Citation, Report
from evidence_lint.model.verdict import Applicability, Edit, Fix, Problem, Related
from evidence_lint.rule import rule
from evidence_lint.witness.index import SourceIndex, grouped
from evidence_lint_rules.citations._residue import Residue, is_span_link, residue_in

_STATEMENT = base_sections()[4]


@rule(
    "CIT101",
    "citation-dangling",
    passes=[
        research_example("Every number has an entry"),
        research_example(
            "Brackets that are no citations",
            sections={
                5: "### Copies\n\nEvery record is kept three times. [1] The call reads argv[7], `rows[9]` and "
                "[the guide](https://www.example.gov/guides/backups), [2031] aside.\n\n```\nlist[8]\n```"
            },
        ),
        research_example(
            "An index of two parts after a word",
            sections={5: "### Copies\n\nEvery record is kept three times [1], as matrix[1][2] shows."},
        ),
    ],
    fails=[
        research_example(
            "A number that the index lacks",
            Expected("[4] has no entry in section 8, which holds 1", at="4"),
            sections={5: "### Copies\n\nEvery record is kept three times. [1][4]"},
        ),
        research_example(
            "A list and a range with numbers that the index lacks",
            Expected("[2, 3] has no entry for 2 and 3 in section 8, which holds 1", at="[2, 3]"),
            Expected("[1-3] has no entry for 2 and 3 in section 8, which holds 1", at="[1-3]"),
            sections={5: "### Copies\n\nEvery record is kept three times. [2, 3]\n\nAll of them. [1-3]"},
        ),
    ],
)
def citation_dangling(report: Report, index: SourceIndex) -> Iterator[Problem]:
    """Every citation names an entry of the source index.

    Why: a number that leads nowhere makes a claim look supported that a reader cannot follow to any source.

    Fix: add the source to section 8, or cite the number that is meant.
    """
    dangling = [citation for citation in report.citations if citation.number not in index.by_number]
    for marker, citations in grouped((citation.marker, citation) for citation in dangling).items():
        yield _dangling(report, index, marker, citations)


def _dangling(report: Report, index: SourceIndex, marker: Span, citations: list[Citation]) -> Problem:
    shown = marker.of(report.text)
    numbers = list(dict.fromkeys(str(citation.number) for citation in citations))
    alone = len(numbers) == 1 and shown.strip("[] ") == numbers[0]
    what = f"[{numbers[0]}] has no entry" if alone else f"{shown} has no entry for {_listed(numbers)}"
    section = report.section(8)
    related = (Related(section.location, "the index"),) if section is not None else ()
    return Problem(
        f"{what} in section 8, which holds {known_numbers(index)}",
        citations[0].location if alone else Location(REPORT, marker),
        help="Add the source to section 8, or cite the number that is meant.",
        related=related,
    )


def _listed(numbers: list[str]) -> str:
    return numbers[0] if len(numbers) == 1 else f"{', '.join(numbers[:-1])} and {numbers[-1]}"


def known_numbers(index: SourceIndex) -> str:
    """The numbers of the index as a person writes them: ``1–4 and 7``."""
    runs: list[list[int]] = []
    for number in sorted(index.by_number):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    if not runs:
        return "no entries"
    shown = [f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]
    return _listed(shown) if len(shown) <= 8 else f"{', '.join(shown[:8])}, …"


@rule(
    "CIT114",
    "citation-marker-leftover",
    fixable=True,
    passes=[
        research_example("Citations only"),
        research_example(
            "The markers as a subject, in code, and brackets that are text",
            sections={
                5: "### Copies\n\nThe tool writes `:contentReference[oaicite:2]{index=2}` and `turn0search1`. [1] "
                "The notice 【重要】 is text, and so are 【12】, [cite needed] and a turn0 of events.\n\n"
                "```\n【12†source】\n```"
            },
        ),
    ],
    fails=[
        research_example(
            "What a chat tool leaves in copied text",
            Expected(
                "the tool's marker :contentReference[oaicite:2]{index=2} was left in the text",
                at=":contentReference[oaicite:2]{index=2}",
            ),
            Expected("the tool's marker 【12†source】 was left in the text", at="【12†source】"),
            Expected("the tool's marker [cite: 1, 2] was left in the text", at="[cite: 1, 2]"),
            Expected("the tool's marker turn0search1 was left in the text", at="turn0search1"),
            Expected("the tool's marker U+E200citeU+E202turn0search3U+E201 was left in the text"),
            sections={
                4: f"{_STATEMENT} :contentReference[oaicite:2]{{index=2}}",
                5: "### Copies\n\nEvery record is kept three times. [1] 【12†source】 [cite: 1, 2] (turn0search1) "
                "\ue200cite\ue202turn0search3\ue201",
            },
        ),
        research_example(
            "In the index too",
            Expected("the tool's marker [cite_start] was left in the text", at="[cite_start]"),
            sections={8: f"{BASE_ENTRY} [cite_start]"},
        ),
    ],
)
def marker_leftover(report: Report) -> Iterator[Problem]:
    """Nothing is left of the markers that a writing tool puts where its citations should stand.

    Why: such a marker was a citation only inside the tool that made it. In the report it names no source, and it shows
    that the text was copied without a look at what supports it.

    Fix: cite the source by its number in section 8, and delete the marker.
    """
    links = (link for link in report.links if is_span_link(link.url))
    found = [*residue_in(report.prose), *(Residue(link.span, link.span.of(report.text)) for link in links)]
    for residue in sorted(found, key=lambda residue: residue.span):
        start, end = residue.span.start, residue.span.end
        # Without the marker the space before it would stand alone.
        spaced = (
            start > 0 and report.text[start - 1] == " " and report.text[end : end + 1] in {"", "\n", "\r", " ", "."}
        )
        edit = Edit(REPORT, start - spaced, end, "")
        yield Problem(
            f"the tool's marker {residue.shown} was left in the text",
            Location(REPORT, residue.span),
            help="Cite the source by its number in section 8, and delete the marker.",
            fix=Fix("delete the marker (look whether the sentence is still cited)", (edit,), Applicability.UNSAFE),
        )

"""OUT101, OUT102, OUT103 and OUT106: the nine sections are there, once, in order, with something in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_lint.model.example import Expected, base_report, base_sections, research_example
from evidence_lint.model.location import Location
from evidence_lint.model.report import REPORT, TITLES, HeadingMatch, Report, Section, contract_heading
from evidence_lint.model.verdict import Problem, Related
from evidence_lint.rule import rule
from evidence_lint.witness.report_fields import hidden_by_fence, hidden_sections, visible_section

_BASE = base_report()


def _ordered(*numbers: int) -> str:
    bodies = base_sections()
    return "\n".join(f"## {n}) {TITLES[n - 1]}\n\n{bodies[n]}\n" for n in numbers)


@rule(
    "OUT101",
    "section-missing",
    passes=[
        research_example("all nine sections"),
        research_example("a renamed section is there", report=_BASE.replace("4) Key Findings", "4) Main Findings")),
        research_example("a section on another level is there", report=_BASE.replace("## 2) Method", "# 2) Method")),
        research_example("sections in another order are there", report=_ordered(1, 2, 3, 4, 5, 6, 8, 7, 9)),
        research_example("a byte order mark before section 1", report="\ufeff" + _BASE),
        research_example("Windows line ends", report=_BASE.replace("\n", "\r\n")),
    ],
    fails=[
        research_example(
            "no analysis",
            Expected("section 5 is missing: there is no heading `## 5) Detailed Analysis`"),
            report=_ordered(1, 2, 3, 4, 6, 7, 8, 9),
        ),
        research_example(
            "two sections gone, one of them only in a comment",
            Expected("section 7 is missing: there is no heading `## 7) Source Quality Notes`"),
            Expected("section 9 is missing: there is no heading `## 9) Gaps & Limitations`"),
            report=_ordered(1, 2, 3, 4, 5, 6, 8) + "\n<!--\n## 9) Gaps & Limitations\n-->\n",
        ),
    ],
)
def section_missing(report: Report) -> Iterator[Problem]:
    """Each of the nine sections is there.

    Why: a report may be short, but the part that it leaves out is often the one that would show its weakness: the gaps,
    the debate, the quality of the sources.

    Fix: write the section, however short.
    """
    missing = [number for number in range(1, 10) if report.section(number) is None]
    hidden = hidden_sections(report) & set(missing)
    for number in missing:
        if number not in hidden:
            yield Problem(
                f"section {number} is missing: there is no heading `## {contract_heading(number)}`", Location(REPORT)
            )
    if hidden and len(hidden) == len(missing):
        raise hidden_by_fence("sections " + ", ".join(map(str, sorted(hidden))))


@rule(
    "OUT102",
    "section-out-of-order",
    passes=[
        research_example("in order"),
        research_example("a missing section leaves the rest in order", report=_ordered(1, 2, 3, 4, 6, 7, 8, 9)),
        research_example("a section that occurs twice", report=_ordered(1, 2, 3, 4, 5, 6, 7, 8, 9, 9)),
    ],
    fails=[
        research_example(
            "two neighbours change places",
            Expected(
                "section 7 stands after section 8, and belongs between sections 6 and 8",
                at="## 7) Source Quality Notes",
            ),
            report=_ordered(1, 2, 3, 4, 5, 6, 8, 7, 9),
        ),
        research_example(
            "one section moved to the front",
            Expected("section 9 stands before section 1, and belongs after section 8", at="## 9) Gaps & Limitations"),
            report=_ordered(9, 1, 2, 3, 4, 5, 6, 7, 8),
        ),
        research_example(
            "one section moved to the end",
            Expected("section 2 stands after section 9, and belongs between sections 1 and 3", at="## 2) Method"),
            report=_ordered(1, 3, 4, 5, 6, 7, 8, 9, 2),
        ),
    ],
)
def section_out_of_order(report: Report) -> Iterator[Problem]:
    """The sections stand in the contract's order.

    Why: people who read many reports look for a part where it always stands.

    Fix: move the section to its place.
    """
    placed = _first_places(report)
    numbers = [section.number or 0 for section in placed]
    kept = _longest_rise(numbers)
    in_order = [number for place, number in enumerate(numbers) if place in kept]
    for place, section in enumerate(placed):
        if place in kept:
            continue
        number = numbers[place]
        neighbour = placed[place - 1] if place and numbers[place - 1] > number else None
        word = "after"
        if neighbour is None:
            later = [other for other in placed[place + 1 :] if (other.number or 0) < number]
            neighbour, word = later[0], "before"
        yield Problem(
            f"section {number} stands {word} section {neighbour.number}, and belongs {_place(number, in_order)}",
            section.location,
            related=(Related(neighbour.location, f"section {neighbour.number} stands here"),),
        )


def _first_places(report: Report) -> list[Section]:
    """One occurrence of each section in document order: the one on the right level where there are several."""
    chosen: dict[int, Section] = {}
    for section in report.sections:
        if section.number is None:
            continue
        other = chosen.get(section.number)
        if other is None or (other.match is HeadingMatch.LEVEL and section.match is not HeadingMatch.LEVEL):
            chosen[section.number] = section
    return sorted(chosen.values(), key=lambda section: section.heading.span.start)


def _longest_rise(numbers: Sequence[int]) -> frozenset[int]:
    """The places of a longest increasing subsequence: what may stay, so that the fewest sections move."""
    best: list[list[int]] = []
    for place, number in enumerate(numbers):
        longest: list[int] = []
        for chain in best:
            if numbers[chain[-1]] < number and len(chain) > len(longest):
                longest = chain
        best.append([*longest, place])
    return frozenset(next((chain for chain in best if len(chain) == max(map(len, best))), ()))


def _place(number: int, in_order: Sequence[int]) -> str:
    before = max((other for other in in_order if other < number), default=None)
    after = min((other for other in in_order if other > number), default=None)
    if before is not None and after is not None:
        return f"between sections {before} and {after}"
    return f"after section {before}" if before is not None else f"before section {after}"


@rule(
    "OUT103",
    "section-duplicated",
    passes=[
        research_example("each section once"),
        research_example("a subtopic named like a section", sections={5: "### Sources\n\nText. [1]"}),
        research_example(
            "a second heading inside a fence", sections={5: "### A\n\n```\n## 9) Gaps & Limitations\n```\n\nText. [1]"}
        ),
    ],
    fails=[
        research_example(
            "the gaps are written twice",
            Expected("section 9 occurs a second time", at="## 9) Gaps & Limitations"),
            report=_ordered(1, 2, 3, 4, 5, 6, 7, 8, 9, 9),
        ),
        research_example(
            "three times",
            Expected("section 2 occurs a second time"),
            Expected("section 2 occurs a third time"),
            report=_ordered(1, 2, 2, 3, 2, 4, 5, 6, 7, 8, 9),
        ),
    ],
)
def section_duplicated(report: Report) -> Iterator[Problem]:
    """No section occurs twice.

    Why: two sections of one name can say different things, and a reader may stop at the first.

    Fix: merge them.
    """
    for number in range(1, 10):
        same = [section for section in report.sections if section.number == number]
        plain = [section for section in same if section.match is not HeadingMatch.LEVEL]
        chosen = plain or same
        for count, section in enumerate(chosen[1:], start=2):
            yield Problem(
                f"section {number} occurs a {_ORDINALS.get(count, f'{count}th')} time",
                section.location,
                related=(Related(chosen[0].location, "first here"),),
            )


_ORDINALS = {2: "second", 3: "third"}


@rule(
    "OUT106",
    "section-empty",
    passes=[
        research_example("something in every section"),
        research_example("one word is something", sections={9: "None."}),
        research_example("a code block is something", sections={5: "```\nx = 1\n```"}),
        research_example("a table is something", sections={5: "| a | b |\n|---|---|\n| 1 | 2 |"}),
    ],
    fails=[
        research_example(
            "nothing under the heading",
            Expected("section 5 (Detailed Analysis) is empty", at="## 5) Detailed Analysis"),
            sections={5: ""},
        ),
        research_example(
            "a comment is no content",
            Expected("section 9 (Gaps & Limitations) is empty", at="## 9) Gaps & Limitations"),
            sections={9: "<!-- to be written -->\n\n&nbsp;"},
        ),
    ],
)
def section_empty(section: Section, report: Report) -> Iterator[Problem]:
    """Each section has some content.

    Why: an empty section keeps the form of the contract and none of its promise.

    Fix: write what the section must hold; where there is nothing, say so (`None documented.`).
    """
    if section.empty and section.number is not None:
        visible_section(report, section.number)
        yield Problem(f"section {section.number} ({TITLES[section.number - 1]}) is empty", section.location)

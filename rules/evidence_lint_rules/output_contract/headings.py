"""OUT104, OUT105 and OUT107: each top-level heading is one of the contract's nine."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import Expected, base_report, research_example
from evidence_lint.model.location import Location
from evidence_lint.model.report import REPORT, TITLES, Heading, HeadingMatch, Report, Section, contract_heading
from evidence_lint.model.verdict import Applicability, Edit, Fix, Problem, Related
from evidence_lint.rule import rule

_BASE = base_report()
_CONTRACT = frozenset(contract_heading(number) for number in range(1, len(TITLES) + 1))


def _with(old: str, new: str) -> str:
    return _BASE.replace(old, new)


def heading_fix(heading: Heading, number: int) -> Fix:
    """Write the exact contract heading in place of another."""
    exact = f"## {contract_heading(number)}"
    return Fix(f"write `{exact}`", (Edit(REPORT, heading.span.start, heading.span.end, exact),))


def shown(section: Section) -> str:
    """A heading as it stands, on one line."""
    heading = section.heading
    text = heading.text if len(heading.text) <= 80 else heading.text[:79] + "…"
    return f"`{text}`" if heading.setext else f"`{'#' * heading.level} {text}`"


@rule(
    "OUT104",
    "section-renamed",
    passes=[
        research_example("the nine exact headings"),
        research_example("closing hashes and outer space", report=_with("## 2) Method", "##   2) Method  ##")),
        research_example("an underlined heading", report=_with("## 2) Method", "2\\) Method\n---------")),
        research_example("a subtopic that bears a contract word", sections={5: "### Sources\n\nThe guide. [1]"}),
        research_example("a further section is another rule's business", report=_BASE + "\n## 10) Appendix\n\nText.\n"),
        research_example(
            "a heading in a fence is none", sections={5: "### A\n\n```\n## 4. Key Findings\n```\n\nText. [1]"}
        ),
    ],
    fails=[
        research_example(
            "another title after the number",
            Expected("section 4 is headed `## 4) Main Findings`, not `## 4) Key Findings`", at="## 4) Main Findings"),
            report=_with("4) Key Findings", "4) Main Findings"),
        ),
        research_example(
            "a dot for the bracket",
            Expected("section 2 is headed `## 2. Method`, not `## 2) Method`", at="## 2. Method"),
            report=_with("2) Method", "2. Method"),
        ),
        research_example(
            "no number",
            Expected("section 8 is headed `## Sources`, not `## 8) Sources`", at="## Sources"),
            report=_with("8) Sources", "Sources"),
        ),
        research_example(
            "another case",
            Expected("section 3 is headed `## 3) Executive summary`, not `## 3) Executive Summary`"),
            report=_with("Executive Summary", "Executive summary"),
        ),
        research_example(
            "a word for the sign",
            Expected("section 9 is headed `## 9) Gaps and Limitations`, not `## 9) Gaps & Limitations`"),
            report=_with("Gaps & Limitations", "Gaps and Limitations"),
        ),
    ],
    fixable=True,
)
def section_renamed(section: Section, report: Report) -> Iterator[Problem]:
    """Each section bears its heading exactly.

    Why: readers and programs find a section by its heading. A section that is nearly named so is read all the same, but
    the next tool may not find it.

    Fix: write the heading as the contract has it; `--fix` does.
    """
    if section.match is HeadingMatch.RENAMED and section.number is not None:
        yield Problem(
            f"section {section.number} is headed {shown(section)}, not `## {contract_heading(section.number)}`",
            section.location,
            fix=heading_fix(section.heading, section.number),
        )


@rule(
    "OUT105",
    "section-unexpected",
    passes=[
        research_example("the nine sections alone"),
        research_example(
            "front matter, a title and a direct answer", report=f"---\ntopic: a\n---\n# Title\n\nThree.\n\n{_BASE}"
        ),
        research_example("subtopics are no sections", sections={5: "### 10) Appendix\n\nText. [1]"}),
        research_example("a heading in a comment is none", report=_BASE + "\n<!--\n## 10) Appendix\n-->\n"),
        research_example("a heading in a quotation is none", report=_BASE + "\n> ## 10) Appendix\n"),
        research_example("a renamed section is no further one", report=_with("4) Key Findings", "4) Main Findings")),
        research_example("a divider of level one that holds nothing", report=_with("## 4)", "# Answers\n\n## 4)")),
        research_example("a heading of HTML below level two", report=_BASE + "\n<h3>Notes</h3>\n"),
    ],
    fails=[
        research_example(
            "a tenth section",
            Expected("`## 10) Appendix` is none of the nine sections", at="## 10) Appendix"),
            report=_BASE + "\n## 10) Appendix\n\nText.\n",
        ),
        research_example(
            "a section without a number in the middle",
            Expected("`## Conclusion` is none of the nine sections", at="## Conclusion"),
            report=_with("## 7)", "## Conclusion\n\nText.\n\n## 7)"),
        ),
        research_example(
            "the debate made a section of its own",
            Expected("`## Debate / Contradictory Evidence` is none of the nine sections"),
            report=_with("### Debate", "## Debate"),
        ),
        research_example(
            "a part of level one with text of its own",
            Expected("`# Conclusion` is none of the nine sections", at="# Conclusion"),
            report=_BASE + "\n# Conclusion\n\nThree copies are enough.\n",
        ),
        research_example(
            "a heading in a list",
            Expected("`## Conclusion` is none of the nine sections", at="- ## Conclusion"),
            report=_BASE + "- ## Conclusion\n\n  Three copies are enough.\n",
        ),
        research_example(
            "a heading of HTML",
            Expected("`<h2>Conclusion` is none of the nine sections", at="<h2>Conclusion"),
            report=_BASE + "\n<h2>Conclusion</h2>\n\nThree copies are enough.\n",
        ),
    ],
    fixable=True,
)
def section_unexpected(section: Section, report: Report) -> Iterator[Problem]:
    """The report has no top-level section beyond the nine.

    Why: what stands in a tenth section is held against no record and promised by no contract.

    Fix: move the text into the section where it belongs, or lower the heading to `###`.
    """
    for stray in report.stray_headings:
        if section.body.covers(stray.span) and stray.text not in _CONTRACT:
            mark = f"<h{stray.level}>" if report.text.startswith("<", stray.span.start) else "#" * stray.level + " "
            yield Problem(f"`{mark}{stray.text}` is none of the nine sections", Location(REPORT, stray.span))
    heading = section.heading
    if section.match is not HeadingMatch.UNEXPECTED or (heading.level == 1 and section.empty):
        return
    fix = None
    if heading.text in {"Consensus", "Debate / Contradictory Evidence"}:
        edit = Edit(REPORT, heading.span.start, heading.span.end, f"### {heading.text}")
        fix = Fix("make it a subsection", (edit,), Applicability.UNSAFE)
    yield Problem(f"{shown(section)} is none of the nine sections", section.location, fix=fix)


@rule(
    "OUT107",
    "section-level",
    passes=[
        research_example("every section on level two"),
        research_example("a subtopic named like a section that is there", sections={5: "### Method\n\nText. [1]"}),
        research_example("a title named like the report", report=f"# Research report\n\n{_BASE}"),
    ],
    fails=[
        research_example(
            "one level too high",
            Expected("section 2 is headed `# 2) Method` on level 1, not `## 2) Method`", at="# 2) Method"),
            report=_with("## 2) Method", "# 2) Method"),
        ),
        research_example(
            "one level too deep",
            Expected("section 4 is headed `### 4) Key Findings` on level 3, not `## 4) Key Findings`"),
            report=_with("## 4) Key Findings", "### 4) Key Findings"),
        ),
        research_example(
            "without its number, where the section is otherwise missing",
            Expected("section 9 is headed `### Gaps & Limitations` on level 3, not `## 9) Gaps & Limitations`"),
            report=_with("## 9) Gaps", "### Gaps"),
        ),
    ],
    fixable=True,
)
def section_level(section: Section, report: Report) -> Iterator[Problem]:
    """Each contract heading stands on level two.

    Why: the level of a heading says what belongs to what; a section on another level swallows its neighbours, or is
    swallowed by one.

    Fix: give the heading two hashes; `--fix` does.
    """
    number = section.number
    if section.match is not HeadingMatch.LEVEL or number is None:
        return
    others = [other for other in report.sections if other.number == number and other is not section]
    related = tuple(Related(other.location, f"section {number} stands here too") for other in others)
    yield Problem(
        f"section {number} is headed {shown(section)} on level {section.heading.level}, "
        f"not `## {contract_heading(number)}`",
        section.location,
        related=related,
        fix=None if others else heading_fix(section.heading, number),
    )

"""SUP106: the support line of section 2, and its twin in section 7, say what the records say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evidence_lint.model.artifact import JSON
from evidence_lint.model.example import BASE_FINDING, Expected, base_sections, research_example
from evidence_lint.model.location import Location
from evidence_lint.model.report import REPORT, Field, Report
from evidence_lint.model.verdict import Edit, Fix, Problem, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.report_fields import FieldSpec, fence_over, find_field
from evidence_lint.witness.support import Edition, Supports, SupportState, SupportTotals
from evidence_lint_rules.support._examples import REVIEW, finding

LINE = FieldSpec(2, ("claim support",))
TWIN = FieldSpec(7, ("claim support",))
_STATES = {**{state.value: state for state in SupportState}, "blocked": SupportState.CONTRADICTED}
_COUNT = re.compile(rf"\b({'|'.join(_STATES)})\b\W{{0,4}}(\d{{1,6}})\b", re.IGNORECASE)
_WORD = re.compile(r"[`*_\s]*([a-z]+(?:-[a-z]+)?)\b", re.IGNORECASE)
_TRIPPED = re.compile(r"(\d{1,6}) claim(?:\(s\)|s)? (?:has |have )?tripped", re.IGNORECASE)
_WORDS = ("conflicted", "disputed", "partially-reviewed", "reviewed", "none")

_METHOD = base_sections()[2]
_NOTES = base_sections()[7]
_LABEL = "Claim support (a separate verdict, not implied by the one above)"
_TWO: list[JSON] = [
    finding(review=REVIEW),
    {**BASE_FINDING, "id": "finding-drills", "title": "Drills are held twice a year"},
]


def _line(value: str) -> dict[int, str]:
    return {2: f"{_METHOD}\n- {_LABEL}: {value}"}


_RIGHT = "partially-reviewed — attested 1, qualified 0, unreviewed 1, disputed 0, blocked 0"


@rule(
    "SUP106",
    "support-counts-mismatch",
    fixable=True,
    passes=[
        research_example("The base edition has no such line"),
        research_example("The recomputed line", findings=_TWO, sections=_line(_RIGHT)),
        research_example(
            "The same in section 7",
            findings=_TWO,
            sections={
                **_line(_RIGHT),
                7: f"{_NOTES}\n- Claim support: partially-reviewed (attested 1, qualified 0, unreviewed 1, disputed 0, "
                "blocked 0); 0 claim(s) tripped the polarity screen.",
            },
        ),
    ],
    fails=[
        research_example(
            "More attested than the records say",
            Expected(
                "claim support: attested 2 stated, 1 recomputed; unreviewed 0 stated, 1 recomputed",
                at="reviewed — attested 2, qualified 0, unreviewed 0, disputed 0, blocked 0",
            ),
            findings=_TWO,
            sections=_line("reviewed — attested 2, qualified 0, unreviewed 0, disputed 0, blocked 0"),
        ),
        research_example(
            "A better word than the counts allow",
            Expected("claim support: `reviewed` stated, `partially-reviewed` recomputed"),
            findings=_TWO,
            sections=_line(_RIGHT.replace("partially-reviewed", "reviewed")),
        ),
        research_example(
            "Section 7 tells of a conflict that the screen does not see",
            Expected("claim support: 3 claims tripped the polarity screen stated, 0 recomputed"),
            findings=_TWO,
            sections={
                **_line(_RIGHT),
                7: f"{_NOTES}\n- Claim support: {_RIGHT}; 3 claim(s) tripped the polarity screen.",
            },
        ),
        research_example(
            "A report of the later edition without the line",
            Expected("section 2 has no `Claim support` line", severity=Severity.WARNING),
            findings=_TWO,
        ),
    ],
)
def support_counts_mismatch(report: Report, supports: Supports) -> Iterator[Problem]:
    """The support line of a report states what is recomputed from the records.

    Why: the line tells a reader how much of the report somebody has read against its evidence. A number that is too
    good hides the rest.

    Fix: state the recomputed line.
    """
    found = False
    for spec in (LINE, TWIN):
        field = find_field(report, spec)
        if field is None or not field.value.strip():
            continue
        found = found or spec is LINE
        yield from _compare(report, field, supports)
    if not found and supports.edition is Edition.LATER:
        if (hidden := fence_over(report, 2)) is not None:
            raise hidden
        section = report.section(2)
        yield Problem(
            "section 2 has no `Claim support` line",
            section.location if section is not None else report.location,
            help=f"Write: Claim support: {_written(supports.totals)}",
            severity=Severity.WARNING,
        )


@dataclass(frozen=True, slots=True)
class _Stated:
    """What a line says; None for what it does not say."""

    word: str | None
    counts: Mapping[SupportState, int]
    tripped: int | None


def _read(value: str) -> _Stated:
    word = _WORD.match(value)
    said = word[1].lower() if word else ""
    tripped = _TRIPPED.search(value)
    return _Stated(
        said if said in {*_WORDS, "unreviewed"} else None,
        {_STATES[match[1].lower()]: int(match[2]) for match in _COUNT.finditer(value)},
        int(tripped[1]) if tripped else None,
    )


def _compare(report: Report, field: Field, supports: Supports) -> Iterator[Problem]:
    stated = _read(field.value)
    if not stated.counts and stated.word is None:
        yield Problem(
            "the claim support line states neither a word nor counts",
            Location(REPORT, field.value_span),
            help=f"Write: {_written(supports.totals)}",
        )
        return
    if any(not _differences(stated, totals) for totals in supports.readings):
        differences: Sequence[str] = ()
    else:
        differences = _differences(stated, supports.totals)
    tripped = sum(bool(row.flags) for row in supports.all)
    accepted = {tripped, sum(bool(row.flags) for row in supports.all if row.is_finding)}
    if stated.tripped is not None and stated.tripped not in accepted:
        differences = [
            *differences,
            f"{stated.tripped} claims tripped the polarity screen stated, {tripped} recomputed",
        ]
    if differences:
        yield Problem(
            f"claim support: {'; '.join(differences)}",
            Location(REPORT, field.value_span),
            help=f"The records say: {_written(supports.totals)}",
            fix=_fix(report, field, supports.totals, tripped),
        )


def _differences(stated: _Stated, totals: SupportTotals) -> Sequence[str]:
    found = [
        f"{'blocked' if state is SupportState.CONTRADICTED else state.value} {count} stated, {totals[state]} recomputed"
        for state, count in stated.counts.items()
        if count != totals[state]
    ]
    if stated.word is not None and not found and stated.word not in _accepted_words(totals):
        found.append(f"`{stated.word}` stated, `{totals.word}` recomputed")
    return found


def _accepted_words(totals: SupportTotals) -> frozenset[str]:
    """The word of the totals; where nobody reviewed anything, that may be said as well."""
    nobody = totals[SupportState.UNREVIEWED] == sum(totals[state] for state in SupportState)
    return frozenset({totals.word, "unreviewed"} if nobody else {totals.word})


def _written(totals: SupportTotals) -> str:
    names = {state: "blocked" if state is SupportState.CONTRADICTED else state.value for state in SupportState}
    return f"{totals.word} — " + ", ".join(f"{name} {totals[state]}" for state, name in names.items())


def _fix(report: Report, field: Field, totals: SupportTotals, tripped: int) -> Fix:
    """The line with every number and the word replaced, the rest of it left as it is."""
    text = field.value_span.of(report.text)
    word = _WORD.match(text)
    if word is not None and word[1].lower() in {*_WORDS, "unreviewed"}:
        text = text[: word.start(1)] + totals.word + text[word.end(1) :]
    text = _COUNT.sub(lambda match: match[0][: -len(match[2])] + str(totals[_STATES[match[1].lower()]]), text)
    text = _TRIPPED.sub(lambda match: str(tripped) + match[0][len(match[1]) :], text)
    span = field.value_span
    return Fix("state the recomputed support", (Edit(REPORT, span.start, span.end, text),))

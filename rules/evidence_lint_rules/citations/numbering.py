"""The numbers of the index: each is one entry's, they run from 1, and each is cited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_lint.model.example import BASE_ENTRY, BASE_URL, Expected, research_example
from evidence_lint.model.location import Location
from evidence_lint.model.report import REPORT, SourceEntry
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.index import SourceIndex
from evidence_lint_rules.citations._naming import named, number_location

_SECOND = "[2] Restore drills — https://www.example.gov/guides/drills — government (preclassified T1) — date: unknown"
_THIRD = _SECOND.replace("[2]", "[3]").replace("drills —", "tapes —").replace("/drills", "/tapes")
_CITES_BOTH = {5: "### Copies\n\nEvery record is kept three times. [1] Drills are held. [2]"}


@rule(
    "CIT102",
    "source-uncited",
    severity=Severity.WARNING,
    passes=[
        research_example("The entry is cited"),
        research_example(
            "Cited inside a range, in section 6 alone, and in the summary",
            sections={
                3: "Three copies of every record are required. [4]",
                5: "### Copies\n\nEvery record is kept three times. [1-3]",
                8: "\n".join([BASE_ENTRY, _SECOND, _THIRD, _THIRD.replace("[3]", "[4]").replace("/tapes", "/disks")]),
            },
        ),
    ],
    fails=[
        research_example(
            "An entry that only code and section 9 name",
            Expected("[2] https://www.example.gov/guides/drills is cited nowhere in sections 3 to 6", at="2"),
            sections={
                5: "### Copies\n\nEvery record is kept three times. [1] See `list[2]`.",
                8: f"{BASE_ENTRY}\n{_SECOND}",
                9: "- Drills were not looked into. [2]",
            },
        ),
    ],
)
def source_uncited(entry: SourceEntry, index: SourceIndex) -> Iterator[Problem]:
    """Every entry of the index is cited in sections 3 to 6.

    Why: a list padded with sources that nothing rests on makes the research look broader than it was.

    Fix: cite the source where it supports a sentence, or take it out of section 8.
    """
    if entry.number not in index.cited:
        yield Problem(
            f"{named(entry)} is cited nowhere in sections 3 to 6",
            number_location(entry),
            help="Cite it where it supports a sentence, or take it out and number the rest anew.",
        )


@rule(
    "CIT103",
    "source-number-duplicated",
    passes=[
        research_example("One entry, one number"),
        research_example(
            "Two numbers; the second entry's title holds the first number",
            sections={**_CITES_BOTH, 8: f"{BASE_ENTRY}\n{_SECOND.replace('Restore drills', 'Restore drills [1]')}"},
        ),
    ],
    fails=[
        research_example(
            "Two entries share a number",
            Expected(
                f"[1] is already the number of {BASE_URL}, and here of https://www.example.gov/guides/drills", at="1"
            ),
            sections={8: f"{BASE_ENTRY}\n{_SECOND.replace('[2]', '[1]')}"},
        ),
        research_example(
            "Two definitions of one number",
            Expected(
                "[1] is already the number of https://www.example.gov/a, and here of https://www.example.gov/z", at="1"
            ),
            sections={8: "[1]: https://www.example.gov/a\n[1]: https://www.example.gov/z"},
        ),
    ],
)
def number_duplicated(index: SourceIndex) -> Iterator[Problem]:
    """No two entries of the index share a number.

    Why: a citation of that number could mean either source, so a claim can borrow the authority of the wrong one.

    Fix: give each entry a number of its own, and correct the citations.
    """
    for number, entries in index.by_number.items():
        first, *others = entries
        for entry in others:
            yield Problem(
                f"[{number}] is already the number of {_source(first)}, and here of {_source(entry)}",
                number_location(entry),
                help="Give each entry a number of its own, and correct the citations.",
                related=(Related(first.location, f"the first entry with the number {number}"),),
            )


def _source(entry: SourceEntry) -> str:
    shown = entry.url or entry.id or entry.title
    return shown.value if shown is not None else repr(entry.text[:60])


@rule(
    "CIT104",
    "source-numbering-gap",
    severity=Severity.WARNING,
    passes=[
        research_example("One entry"),
        research_example("1, 2 in another order", sections={**_CITES_BOTH, 8: f"{_SECOND}\n\n{BASE_ENTRY}"}),
        research_example(
            "A list that Markdown numbers",
            sections={
                **_CITES_BOTH,
                8: f"1. Backup guide — {BASE_URL}\n2. Drills — https://www.example.gov/guides/drills",
            },
        ),
    ],
    fails=[
        research_example(
            "It starts at two",
            Expected("the index is numbered 2 and 3, where 1 and 2 are expected: 1 is missing", at="2"),
            sections={8: f"{_SECOND}\n{_THIRD}"},
        ),
        research_example(
            "A number is left out",
            Expected("the index is numbered 1 and 3, where 1 and 2 are expected: 2 is missing", at="3"),
            sections={8: f"{BASE_ENTRY}\n{_THIRD}"},
        ),
        research_example(
            "Every item is written as 1: the numbers that a reader sees are used",
            Expected(
                "the entries are all written as 1; a reader sees 1 to 3, and citations are read by that",
                at="1",
                severity=Severity.INFO,
            ),
            sections={8: "1. https://www.example.gov/a\n1. https://www.example.gov/b\n1. https://www.example.gov/c"},
        ),
        research_example(
            "Written and rendered numbers disagree",
            Expected("the entry is written as 33, but a reader sees 2, the list's next number", at="33"),
            Expected("the entry is written as 789, but a reader sees 3, the list's next number", at="789"),
            sections={8: "1. https://www.example.gov/a\n33. https://www.example.gov/b\n789. https://www.example.gov/c"},
        ),
    ],
)
def numbering_gap(index: SourceIndex) -> Iterator[Problem]:
    """The entries of the index are numbered from 1 without a gap.

    Why: a gap is the trace of a source that was taken out, or of a list that was numbered by hand and never checked;
    where the written numbers are not the rendered ones, writer and reader follow different sources.

    Fix: number the entries 1, 2, 3 … as they stand, and correct the citations.
    """
    yield from _rewritten(index.entries)
    numbers = sorted(index.by_number)
    if not numbers or numbers == list(range(1, len(numbers) + 1)):
        return
    wrong = next(number for place, number in enumerate(numbers, start=1) if number != place)
    missing = next(place for place in range(1, len(numbers) + 2) if place not in index.by_number)
    why = f"{missing} is missing" if missing < numbers[-1] else f"{wrong} is no number of a list"
    yield Problem(
        f"the index is numbered {_runs(numbers)}, where {_runs(list(range(1, len(numbers) + 1)))} "
        f"{'is' if len(numbers) == 1 else 'are'} expected: {why}",
        number_location(index.by_number[wrong][0]),
        help="Number the entries from 1 without a gap, and correct the citations.",
    )


def _rewritten(entries: Sequence[SourceEntry]) -> Iterator[Problem]:
    """Entries whose written number Markdown does not render (B016)."""
    changed = [entry for entry in entries if entry.written is not None]
    if not changed:
        return
    if len(changed) == len(entries) - 1 and all(entry.written == entries[0].number for entry in changed):
        first, last = entries[0].number, entries[-1].number
        yield Problem(
            f"the entries are all written as {first}; a reader sees {first} to {last}, and citations are read by that",
            number_location(entries[0]),
            help="Write the numbers out, so that the source reads like the page.",
            severity=Severity.INFO,
        )
        return
    for entry in changed:
        yield Problem(
            f"the entry is written as {entry.written}, but a reader sees {entry.number}, the list's next number",
            number_location(entry),
            help="Write the number that is meant as `[n]`, which no Markdown program changes.",
            related=(Related(Location(REPORT, entries[0].number_span), "the list is numbered on from here"),),
        )


def _runs(numbers: Sequence[int]) -> str:
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}–{numbers[-1]}"
    if len(numbers) > 12:
        return f"{', '.join(map(str, numbers[:6]))} … {numbers[-1]}"
    if len(numbers) == 1:
        return str(numbers[0])
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"

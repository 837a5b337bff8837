"""OUT115: the observed counts of section 2 are what the records show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evidence_lint.errors import Unavailable
from evidence_lint.model.artifact import JSON
from evidence_lint.model.bundle import CODE_EVIDENCE, CONTENT, FINDINGS, RESULTS
from evidence_lint.model.example import (
    BASE_CODE_RECORD,
    BASE_PAGE,
    BASE_RESULT,
    Expected,
    base_sections,
    research_example,
)
from evidence_lint.model.location import Location, Span
from evidence_lint.model.records import Records
from evidence_lint.model.report import REPORT, Field, Report
from evidence_lint.model.verdict import Applicability, Edit, Fix, Problem, Related
from evidence_lint.rule import rule
from evidence_lint.witness.claims import EvidenceKind
from evidence_lint.witness.report_fields import (
    CITED,
    EXTRACTED,
    ITEMS,
    REPOSITORY,
    RETRIEVED,
    FieldSpec,
    fence_over,
    find_fields,
    folded,
    read_count,
)
from evidence_lint.witness.units import Units
from evidence_lint.witness.web import RetrievedSources, SavedPages

_NUMBER = re.compile(r"[-−]?\d{1,3}(?:,\d{3})+(?![\d,])|[-−]?\d+")
_CAPTURED = re.compile(r"live[\w\s-]{0,24}?(?:captures?|verifications?)\D{0,24}?(\d+)|(\d+)\s+live\b", re.IGNORECASE)
_NO_CAPTURE = re.compile(r"\bno live\b|\bnot run\b", re.IGNORECASE)

_BODIES = base_sections()
_TWO_ONE_URL: list[JSON] = [BASE_RESULT, {**BASE_RESULT, "url": f"{BASE_RESULT['url']}?utm_source=x"}]
_SECOND_PAGE: JSON = {"url": "https://www.example.gov/guides/tapes", "content": "", "error": "timeout"}


def _stated(**values: str) -> dict[int, str]:
    text = _BODIES[2]
    labels = {
        "retrieved": "Retrieved sources", "items": "Content items processed", "extracted": "Successfully extracted",
        "repository": "Repository evidence units", "cited": "Cited evidence units",
    }  # fmt: skip
    for key, value in values.items():
        text = re.sub(rf"({labels[key]}): \d+", rf"\1: {value}", text)
    return {2: text}


@rule(
    "OUT115",
    "count-mismatch",
    passes=[
        research_example("the counts of the records"),
        research_example("a code report", kind="codebase"),
        research_example("rows with repetitions", results=_TWO_ONE_URL, sections=_stated(retrieved="2")),
        research_example(
            "rows without repetitions", results=_TWO_ONE_URL, sections=_stated(retrieved="1 (1 repeated)")
        ),
        research_example(
            "the number first, a remark after it",
            content=[BASE_PAGE, _SECOND_PAGE],
            sections=_stated(items="2 (1 failed)", extracted="`1` of 2"),
        ),
        research_example("a remark after a comma", sections=_stated(cited="1, a guide")),
        research_example("an absent count is another rule's business", sections=_stated(retrieved="")),
        research_example(
            "other numbers in the section",
            sections={2: _BODIES[2] + "\n- Budget consumed: retrieval 7/10, extractions 5/5"},
        ),
    ],
    fails=[
        research_example(
            "more sources than were retrieved",
            Expected("retrieved sources: 12 stated, 1 observed in results.json", at="12"),
            sections=_stated(retrieved="12"),
        ),
        research_example(
            "extraction failures counted as successes",
            Expected("successfully extracted: 2 stated, 1 observed in content.json", at="2"),
            content=[BASE_PAGE, _SECOND_PAGE],
            sections=_stated(items="2", extracted="2"),
        ),
        research_example(
            "no number at all",
            Expected("cited evidence units: `several` is no whole number; 1 is observed", at="several"),
            sections=_stated(cited="several"),
        ),
        research_example(
            "records that share an id",
            Expected("repository evidence units: 2 stated, 1 observed in code_evidence.json", at="2"),
            Expected("cited evidence units: 1 stated, 0 observed", at="1"),
            kind="codebase",
            code=[BASE_CODE_RECORD, BASE_CODE_RECORD],
            sections={2: base_sections("codebase", results=0, pages=0, units=2, cited=1)[2]},
        ),
        *(
            research_example(
                f"not one integer: {value}",
                Expected(f"retrieved sources: `{shown or value}` is no whole number; 1 is observed"),
                sections=_stated(retrieved=value),
            )
            for value, shown in (
                ("1-200", ""),
                ("1k", ""),
                ("1e0", ""),
                ("~~1~~ 200", ""),
                ("(1) 200", ""),
                ("1+", ""),
                ("~1", ""),
                ("1 %", ""),
                ("1 − 0", ""),
                ("1.0", ""),
                ("1 or 200", ""),
            )
        ),
        research_example(
            "thousands in groups are one number",
            Expected("retrieved sources: 1000 stated, 1 observed in results.json"),
            sections=_stated(retrieved="1 000"),
        ),
        research_example(
            "a second count that says otherwise",
            Expected("retrieved sources: 200 stated, 1 observed in results.json", at="200"),
            sections={2: _BODIES[2] + "\n- Retrieved sources: 200"},
        ),
        research_example(
            "two live captures do not make five hundred pages",
            Expected("content items processed: 500 stated, 1 observed in content.json", at="500"),
            Expected("successfully extracted: 500 stated, 1 observed in content.json"),
            sections={
                2: _stated(items="500", extracted="500")[2]
                + "\n- Live Web captures / validator-derived T1 references: 2 / 1"
            },
        ),
        research_example(
            "a capture count of zero explains nothing",
            Expected("content items processed: 3 stated, 1 observed in content.json", at="3"),
            sections={2: _stated(items="3")[2] + "\n- Live Web captures / validator-derived T1 references: 0 / 0"},
        ),
    ],
    fixable=True,
)
def count_mismatch(
    report: Report, records: Records, retrieved: RetrievedSources, pages: SavedPages, units: Units
) -> Iterator[Problem]:
    """Each stated count is the observed one.

    Why: counts tell a reader how broad the search was. A planned number, or one from memory, makes it look broader.

    Fix: state the number that the records show.
    """
    undecided: Unavailable | None = None
    mismatches = 0
    live = _live_captures(report)
    for count in _observed(records, retrieved, pages, units):
        stated = [field for field in find_fields(report, count.spec) if field.value.strip()]
        if not stated:
            undecided = undecided or fence_over(report, count.spec.section)
        for field in stated:
            number = read_count(field.value)
            if number in count.accepted:
                continue
            if live and number is not None and count.rows is not None and number <= _most(report, count, live):
                undecided = Unavailable(
                    "captured-live",
                    "the report says that it captured live, which may have replaced rows of content.json",
                )
                continue
            mismatches += 1
            yield _mismatch(report, records, field, number, count)
    if undecided is not None and not mismatches:
        raise undecided


def _most(report: Report, count: _Count, live: int) -> int:
    """The most that live captures of the author can have made of a count: each adds one page, none is lost."""
    most = (count.rows or 0) + live
    if count.spec is EXTRACTED:
        processed = [read_count(field.value) for field in find_fields(report, ITEMS)]
        most = min(most, *(number for number in processed if number is not None), most)
    return most


@dataclass(frozen=True, slots=True)
class _Count:
    """What the records show for one field; ``accepted`` holds both ways of counting where two are in use."""

    spec: FieldSpec
    name: str
    artifact: str
    accepted: tuple[int, ...]
    rows: int | None = None
    """The rows of content.json, where a live run of the author may have replaced some."""
    safe: bool = True
    """Whether the count may be written into the report without a look: what it counts was at hand."""


def _observed(records: Records, retrieved: RetrievedSources, pages: SavedPages, units: Units) -> tuple[_Count, ...]:
    extracted = sum(page.extracted for page in pages.all)
    rows = len(records.content)
    return (
        _Count(RETRIEVED, "retrieved sources", RESULTS, (len(records.results), retrieved.distinct)),
        _Count(ITEMS, "content items processed", CONTENT, (rows,), rows=rows),
        _Count(EXTRACTED, "successfully extracted", CONTENT, (extracted,), rows=rows),
        _Count(REPOSITORY, "repository evidence units", CODE_EVIDENCE, (_distinct_ids(records),)),
        _Count(CITED, "cited evidence units", FINDINGS, (units.cited, _cited_exactly(units)), safe=units.at_hand),
    )


def _distinct_ids(records: Records) -> int:
    rows = (*records.repository_rows, *records.other_evidence)
    ids = [row.raw.get("id") for row in rows if isinstance(row.raw, dict)]
    return len({identifier.strip() for identifier in ids if isinstance(identifier, str) and identifier.strip()})


def _cited_exactly(units: Units) -> int:
    """Verified evidence with web units told apart by their exact URLs."""
    return len(
        {
            unit.ref.url if unit.ref.kind is EvidenceKind.WEB else unit.artifact_key
            for unit in units.all
            if unit.verified
        }
    )


def _leading(value: str) -> int:
    match = _NUMBER.search(value)
    return int(match[0].replace(",", "").replace("−", "-")) if match and len(match[0]) < 12 else 0


def _live_captures(report: Report) -> int:
    """The greatest number of live captures that section 2 or 7 tells of; 0 where they tell of none."""
    numbers = [0]
    for field in (*report.fields_of(2), *report.fields_of(7)):
        if "live" in folded(field.label) and not _NO_CAPTURE.search(field.value):
            numbers.append(_leading(field.value))
        numbers += [int((match[1] or match[2])[:6]) for match in _CAPTURED.finditer(field.value)]
    return max(numbers)


def _mismatch(report: Report, records: Records, field: Field, number: int | None, count: _Count) -> Problem:
    observed = " or ".join(str(value) for value in dict.fromkeys(count.accepted))
    where = "" if count.artifact == FINDINGS else f" in {count.artifact}.json"
    related: tuple[Related, ...] = ()
    if records.has(count.artifact):
        related = (Related(Location(count.artifact), f"{observed} observed here"),)
    if number is None:
        return Problem(
            f"{count.name}: `{field.value[:60]}` is no whole number; {observed} is observed",
            field.location,
            help="State one whole number; a remark may follow it in brackets.",
            related=related,
        )
    match = _NUMBER.search(field.value_span.of(report.text))
    start = field.value_span.start + (match.start() if match else 0)
    end = field.value_span.start + match.end() if match else field.value_span.end
    return Problem(
        f"{count.name}: {number} stated, {observed} observed{where}",
        Location(REPORT, Span(start, end)),
        related=related,
        fix=Fix(
            f"write {count.accepted[0]}",
            (Edit(REPORT, start, end, str(count.accepted[0])),),
            Applicability.SAFE if count.safe else Applicability.UNSAFE,
        ),
    )

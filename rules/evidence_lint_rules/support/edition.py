"""SUP107 and SUP108: the other lines that reports of the later edition carry in section 2."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evidence_lint.model.bundle import SESSION
from evidence_lint.model.example import BASE_FINDING, BASE_URL, Expected, base_sections, research_example
from evidence_lint.model.location import Location, Span, pointer
from evidence_lint.model.records import Records
from evidence_lint.model.report import REPORT, Field, Report
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.budget import CANONICAL, Budget, session_word
from evidence_lint.witness.report_fields import MODE, FieldSpec, find_field, stated_word
from evidence_lint.witness.units import Units
from evidence_lint_rules.budget.ledger import LEDGER

BUDGET = FieldSpec(2, ("budget consumed",))
INTEGRITY = FieldSpec(2, ("citation integrity",))
_PAIR = re.compile(r"(?P<name>[a-z][a-z -]{2,40}?)\s*:?\s*(?P<used>\d{1,6})\s*/\s*(?P<most>\d{1,6})\b", re.IGNORECASE)
_EVERY = re.compile(r"^\W*(?:every|all)\b[^.;]{0,40}\bexcerpts?\b", re.IGNORECASE)

_METHOD = base_sections()[2]
_LEDGER = {**LEDGER, "usage": {"retrieval_calls": 2, "content_extractions": 5, "report_sources": 1}}


def _with(line: str) -> dict[int, str]:
    return {2: f"{_METHOD}\n- {line}"}


@dataclass(frozen=True, slots=True)
class _Kind:
    """One part of the line: the words that name it, its member of the ledger's usage, and its ceiling."""

    words: tuple[str, ...]
    usage: tuple[str, ...]
    ceiling: str


_KINDS = (
    _Kind(("retriev",), ("retrieval_calls",), "retrieval_max"),
    _Kind(("extract",), ("content_extractions",), "content_max"),
    _Kind(("live", "verif"), ("live_verifications", "live_verification_calls"), "content_max"),
    _Kind(("source",), ("report_sources",), "report_sources_max"),
)


@rule(
    "SUP107",
    "budget-line-mismatch",
    passes=[
        research_example("No such line", session=LEDGER),
        research_example(
            "The ledger's usage and the mode's ceilings",
            session=_LEDGER,
            sections=_with("Budget consumed: retrieval 2/10, extractions 5/5, live verifications 4/5"),
        ),
        research_example(
            "Without a ledger only the ceilings are known",
            sections=_with("Budget consumed: retrieval 7/10, extractions 1/5"),
        ),
    ],
    fails=[
        research_example(
            "Less than the ledger counts",
            Expected("retrieval: 1 stated, 2 in the ledger", at="retrieval 1/10"),
            session=_LEDGER,
            sections=_with("Budget consumed: retrieval 1/10, extractions 5/5, live verifications 4/5"),
        ),
        research_example(
            "A ceiling of another mode",
            Expected("extractions: the ceiling is stated as 15, but it is 5", at="extractions 1/15"),
            sections=_with("Budget consumed: retrieval 1/10, extractions 1/15"),
        ),
        research_example(
            "More than the ceiling",
            Expected("live verifications: 6 of 5 cannot be", at="live verifications 6/5"),
            sections=_with("Budget consumed: live verifications 6/5"),
        ),
    ],
)
def budget_line_mismatch(report: Report, records: Records) -> Iterator[Problem]:
    """The budget that a report says it consumed is the ledger's, within the ceilings of its mode.

    Why: the line tells how hard somebody looked. A number that is not the ledger's was made up or belongs to another
    run.

    Fix: state the usage of the ledger and the ceilings of the depth mode.
    """
    field = find_field(report, BUDGET)
    if field is None:
        return
    usage = _members(records, "usage")
    ceilings = _ceilings(report, records)
    for match in _PAIR.finditer(field.value):
        name = match["name"].strip()
        kind = next((kind for kind in _KINDS if any(word in name.lower() for word in kind.words)), None)
        if kind is None:
            continue
        used, most = int(match["used"]), int(match["most"])
        ceiling = getattr(ceilings, kind.ceiling) if ceilings is not None else None
        recorded = next((usage[member] for member in kind.usage if member in usage), None)
        related: tuple[Related, ...] = ()
        if recorded is not None and recorded != used:
            message = f"{name}: {used} stated, {recorded} in the ledger"
            member = next(member for member in kind.usage if member in usage)
            related = (Related(Location(SESSION, pointer=pointer("usage", member)), "the ledger's count"),)
        elif ceiling is not None and most != ceiling:
            message = f"{name}: the ceiling is stated as {most}, but it is {ceiling}"
        elif used > most:
            message = f"{name}: {used} of {most} cannot be"
        else:
            continue
        yield Problem(
            message,
            _place(report, field, match[0].strip()),
            help="State the usage of the ledger and the ceilings of the depth mode.",
            related=related,
        )


@rule(
    "SUP108",
    "citation-integrity-overstated",
    severity=Severity.WARNING,
    passes=[
        research_example("No such line"),
        research_example(
            "Every excerpt verifies",
            sections=_with("Citation integrity: every cited excerpt was re-read from the artifact it names"),
        ),
        research_example(
            "A line that claims less",
            sections=_with("Citation integrity: 0 of 1 cited excerpts was re-read"),
            findings=[{**BASE_FINDING, "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": "Keep nine copies."}]}],
        ),
    ],
    fails=[
        research_example(
            "An excerpt does not verify",
            Expected("the report says that every cited excerpt was re-read, but 1 cited entry does not verify"),
            sections=_with("Citation integrity: every cited excerpt was re-read from the artifact it names"),
            findings=[{**BASE_FINDING, "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": "Keep nine copies."}]}],
        )
    ],
)
def citation_integrity_overstated(report: Report, units: Units) -> Iterator[Problem]:
    """A report says that every cited excerpt was re-read only where every cited entry verifies.

    Why: the sentence is what a reader takes for the check itself. The entries that fail are told by rules of their own.

    Fix: mend the entries, or say how many were re-read.
    """
    field = find_field(report, INTEGRITY)
    if field is None or not _EVERY.search(field.value):
        return
    broken = [unit for unit in units.all if not unit.verified]
    if broken:
        entries = "entry does" if len(broken) == 1 else "entries do"
        yield Problem(
            f"the report says that every cited excerpt was re-read, but {len(broken)} cited {entries} not verify",
            field.location,
            help="Mend the entries, or say how many were re-read.",
            related=tuple(Related(unit.ref.location, "an entry that does not verify") for unit in broken[:3]),
        )


def _members(records: Records, name: str) -> Mapping[str, int]:
    """The whole numbers of an object of the ledger; rule session-invalid tells of anything else."""
    raw = records.session.raw if records.session is not None else None
    part = raw.get(name) if isinstance(raw, dict) else None
    if not isinstance(part, dict):
        return {}
    return {key: value for key, value in part.items() if isinstance(value, int) and not isinstance(value, bool)}


def _ceilings(report: Report, records: Records) -> Budget | None:
    """The canonical budget of the ledger's mode, else of the report's."""
    stated = stated_word(report, MODE)
    mode = session_word(records, "mode") or (stated[1] if stated is not None else None)
    return CANONICAL.get(mode or "")


def _place(report: Report, field: Field, text: str) -> Location:
    """The part of the line, or the whole value where marks stand in between."""
    span = field.value_span
    at = span.of(report.text).find(text)
    return Location(REPORT, span if at < 0 else Span(span.start + at, span.start + at + len(text)))

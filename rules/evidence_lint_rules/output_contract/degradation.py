"""OUT114 and OUT118: the declared degradation and chain status are the recomputed ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evidence_lint.errors import Unavailable
from evidence_lint.model.artifact import JSON
from evidence_lint.model.example import BASE_FINDING, BASE_PAGE, BASE_URL, Expected, base_sections, research_example
from evidence_lint.model.report import REPORT, Field, Report
from evidence_lint.model.verdict import Applicability, Edit, Fix, Problem, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.assessment import Assessment
from evidence_lint.witness.degradation import Degradation
from evidence_lint.witness.report_fields import (
    CHAIN,
    DEGRADATION,
    LEVELS,
    STATUSES,
    VOCABULARY,
    stated_fields,
    word_of,
)

_BODIES = base_sections()
_INVENTED: list[JSON] = [
    {**BASE_FINDING, "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": "Keep four copies of every record."}]}
]
_FAILED_PAGE: list[JSON] = [
    BASE_PAGE,
    {"url": "https://www.example.gov/guides/tapes", "content": "", "error": "timeout"},
]


def _declared(level: str) -> dict[int, str]:
    return {2: _BODIES[2].replace("`Full`", f"`{level}`")}


def _status(status: str) -> dict[int, str]:
    return {7: _BODIES[7].replace("`satisfied`", status)}


@rule(
    "OUT114",
    "degradation-mismatch",
    passes=[
        research_example("Full by the records"),
        research_example("Partial by the records", sections=_declared("Partial"), content=_FAILED_PAGE),
        research_example("Blocked by the records", sections=_declared("Blocked"), findings=_INVENTED),
        research_example("a word outside the list is another rule's business", sections=_declared("Complete")),
        research_example(
            "a reason beside the level",
            sections={2: _declared("Partial")[2] + "\n- Degradation reason: one page failed; the rest is full"},
            content=_FAILED_PAGE,
        ),
    ],
    fails=[
        research_example(
            "Full, though nothing holds",
            Expected("degradation is declared Full, but the records give Blocked", at="Full", severity=Severity.ERROR),
            findings=_INVENTED,
        ),
        research_example(
            "Full, though a page failed",
            Expected("degradation is declared Full, but the records give Partial", at="Full", severity=Severity.ERROR),
            content=_FAILED_PAGE,
        ),
        research_example(
            "Full, though the budget ran out",
            Expected("degradation is declared Full, but the records give Partial", severity=Severity.ERROR),
            content={"items": [BASE_PAGE], "budget_exhausted": True},
        ),
        research_example(
            "two levels in one report",
            Expected("degradation is declared Full, but the records give Partial", at="Full", severity=Severity.ERROR),
            sections={2: _declared("Partial")[2] + "\n- Degradation: Full"},
            content=_FAILED_PAGE,
        ),
        research_example(
            "worse than it is: honest, and told",
            Expected(
                "degradation is declared Partial, but the records give Full", at="Partial", severity=Severity.WARNING
            ),
            sections=_declared("Partial"),
        ),
    ],
    fixable=True,
)
def degradation_mismatch(report: Report, assessment: Assessment) -> Iterator[Problem]:
    """The declared degradation level is the one that the records give.

    Why: Full promises that every statement stands on verified evidence. A report that says so of a bundle with holes
    deceives; one that declares a worse state than it is in does not, and is warned at most.

    Fix: declare the level that is named here, or mend what lowers it.
    """
    found = assessment.degradation
    if found is None:
        return
    hidden: Unavailable | None = None
    for field in stated_fields(report, DEGRADATION):
        level = word_of(field.value, LEVELS)
        if level is None:
            continue
        hidden = hidden or _undecided(found, level != "Blocked")
        if level != found.level and _undecided(found, level != "Blocked") is None:
            worse = LEVELS.index(level) > LEVELS.index(found.level)
            yield Problem(
                f"degradation is declared {level}, but the records give {found.level}",
                field.location,
                help=_reasons(found),
                fix=_fix(report, field, found.level, safe=not worse and assessment.units.at_hand),
                severity=Severity.WARNING if worse else Severity.ERROR,
            )
    if hidden is not None:
        raise hidden


@rule(
    "OUT118",
    "evidence-chain-status-mismatch",
    passes=[
        research_example("satisfied by the records"),
        research_example("in other marks", sections=_status("**Satisfied**.")),
        research_example("partially, with a hyphen", sections=_status("`partially-satisfied`"), content=_FAILED_PAGE),
        research_example("with a remark", sections=_status("insufficient (no evidence holds)"), findings=_INVENTED),
    ],
    fails=[
        research_example(
            "satisfied, though a page failed",
            Expected(
                "the evidence chain is stated as satisfied, but the records give partially satisfied", at="satisfied"
            ),
            content=_FAILED_PAGE,
        ),
        research_example(
            "a word outside the list",
            Expected("the evidence chain is stated as `strong`, but the records give satisfied", at="strong"),
            sections=_status("`strong`"),
        ),
        research_example(
            "worse than it is",
            Expected(
                "the evidence chain is stated as insufficient, but the records give satisfied",
                at="insufficient",
                severity=Severity.WARNING,
            ),
            sections=_status("`insufficient`"),
        ),
    ],
    fixable=True,
)
def evidence_chain_status(report: Report, assessment: Assessment) -> Iterator[Problem]:
    """The evidence chain status of section 7 is the one that follows from the records.

    Why: the status repeats the degradation where readers judge the sources; two answers in one report cannot both hold.

    Fix: state the status that is named here.
    """
    found = assessment.degradation
    if found is None:
        return
    hidden: Unavailable | None = None
    for field in stated_fields(report, CHAIN):
        status = word_of(field.value, VOCABULARY[CHAIN])
        waits = _undecided(found, status in {"satisfied", "partially satisfied"})
        hidden = hidden or waits
        if status == found.chain or waits is not None:
            continue
        worse = status is not None and STATUSES.index(status) > STATUSES.index(found.chain)
        shown = status or f"`{field.value[:60]}`"
        yield Problem(
            f"the evidence chain is stated as {shown}, but the records give {found.chain}",
            field.location,
            help=_reasons(found),
            fix=_fix(report, field, found.chain, safe=not worse and assessment.units.at_hand),
            severity=Severity.WARNING if worse else Severity.ERROR,
        )
    if hidden is not None:
        raise hidden


def _undecided(found: Degradation, hangs: bool) -> Unavailable | None:
    """Why a live capture that did not run would decide: what it would give is Full, what is earned Partial."""
    return Unavailable("live-pending", found.undecided) if found.undecided is not None and hangs else None


def _reasons(found: Degradation) -> str:
    shown: Sequence[str] = found.reasons[:3]
    more = len(found.reasons) - len(shown)
    text = "; ".join(shown) + (f"; and {more} more" if more > 0 else "")
    return f"{found.level}, since {text}." if text else ""


def _fix(report: Report, field: Field, word: str, *, safe: bool) -> Fix:
    """Write the recomputed word. To claim less is safe where all evidence was at hand; anything else wants a look."""
    span = field.value_span
    known = re.search(
        "|".join(sorted((*LEVELS, *STATUSES), key=len, reverse=True)), span.of(report.text), re.IGNORECASE
    )
    start, end = (span.start + known.start(), span.start + known.end()) if known else (span.start, span.end)
    edit = Edit(REPORT, start, end, word)
    return Fix(f"write `{word}`", (edit,), Applicability.SAFE if safe else Applicability.UNSAFE)

"""OUT119: the tier counts of section 7 are those of the index."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from evidence_lint.errors import Unavailable
from evidence_lint.model.example import BASE_ENTRY, Expected, base_sections, research_example
from evidence_lint.model.policy import Policy
from evidence_lint.model.report import EntryKind, Report, SourceEntry
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.authority import classify, registry_entry
from evidence_lint.witness.report_fields import TIERS, stated_field, visible_section
from evidence_lint.witness.urls import host_of

_FORWARD = re.compile(
    r"\bT([1-5])\b\s*(?:sources?|pages?)?\s*[:=(×x—–-]?\s*(\d{1,4})\b(?!\s*[×x*]?\s*T[1-5])", re.IGNORECASE
)
_BACKWARD = re.compile(r"\b(\d{1,4})\s*(?:[×x*]\s*|of\s+)?T([1-5])\b", re.IGNORECASE)
_NONE = re.compile(
    r"\bno\b.{0,40}\b(?:web|sources?|pages?)\b|\bnone\b|\bn/?a\b|\bnot applicable\b|\bzero\b|^\W*(?:0|-|—|–)\W*$"
    r"|无|没有|不适用",
    re.IGNORECASE,
)
_REGISTRY = re.compile(r"\bbasis:\s*registry\b", re.IGNORECASE)
_BODIES = base_sections()
_FORUM = "[2] How many copies? — https://stackoverflow.com/questions/1 — forum (preclassified T4) — date: unknown"


def _stated(value: str) -> str:
    return re.sub(r"(distribution): .*", rf"\1: {value}", _BODIES[7])


@rule(
    "OUT119",
    "tier-distribution-mismatch",
    severity=Severity.WARNING,
    passes=[
        research_example("the tiers of the index"),
        research_example("tiers that are left out are zero", sections={7: _stated("T1: 1")}),
        research_example("other marks", sections={7: _stated("T1=1 · T2=0 · T4 (0)")}),
        research_example("the number first", sections={7: _stated("1 T1, 1 T4"), 8: f"{BASE_ENTRY}\n\n{_FORUM}"}),
        research_example("no web sources, in words", kind="codebase", sections={7: _stated("no web sources")}),
        research_example("no web sources, in numbers", kind="codebase"),
        research_example("an absent field is another rule's business", sections={7: _stated("")}),
    ],
    fails=[
        research_example(
            "a forum counted as an authority",
            Expected(
                "section 7 counts T1: 2, T2: 0, T3: 0, T4: 0, T5: 0; the index gives T1: 1, T2: 0, T3: 0, T4: 1…",
                at="T1: 2, T2: 0",
            ),
            sections={7: _stated("T1: 2, T2: 0"), 8: f"{BASE_ENTRY}\n\n{_FORUM}"},
        ),
        research_example(
            "no web sources, though one is listed",
            Expected("section 7 counts no web sources; the index gives T1: 1, T2: 0, T3: 0, T4: 0, T5: 0"),
            sections={7: _stated("no web sources")},
        ),
        research_example(
            "no counts",
            Expected("section 7 gives no tier counts; the index gives T1: 1, T2: 0, T3: 0…", at="mostly official"),
            sections={7: _stated("mostly official")},
        ),
    ],
)
def tier_distribution_mismatch(report: Report, policy: Policy) -> Iterator[Problem]:
    """The tier counts of section 7 are those that follow for the web sources of the index.

    Why: the tiers sum up how much authority stands behind the report. Counted by the author's own labels, anything may
    be an authority.

    Fix: count the index entries by the tier that their hosts have.
    """
    field = stated_field(report, TIERS)
    if field is None or visible_section(report, 8) is None:
        return
    entries = [entry for entry in report.entries if entry.kind is EntryKind.WEB and entry.url is not None]
    derived: Counter[int] = Counter(_tier(entry, policy) for entry in entries)
    stated = read_tiers(field.value)
    if stated is not None and all(stated.get(tier, 0) == derived[tier] for tier in range(1, 6)):
        return
    if any(_rests_on_registry(entry, policy) for entry in entries):
        raise Unavailable(
            "registry-unknown", "index entries rest on an authority registry that this policy does not have"
        )
    if stated is None:
        says = "gives no tier counts"
    else:
        says = (
            f"counts {_written(stated) if any(stated.values()) or not _NONE.search(field.value) else 'no web sources'}"
        )
    yield Problem(
        f"section 7 {says}; the index gives {_written(derived)}",
        field.location,
        related=tuple(Related(entry.location, f"T{_tier(entry, policy)} by its host") for entry in entries[:10]),
    )


def read_tiers(value: str) -> Mapping[int, int] | None:
    """The counts by tier that a value states: empty for words like ``no web sources``, None where it states none."""
    forward = {int(match[1]): int(match[2]) for match in _FORWARD.finditer(value)}
    if forward:
        return forward
    backward = {int(match[2]): int(match[1]) for match in _BACKWARD.finditer(value)}
    if backward:
        return backward
    return {} if _NONE.search(value) else None


def _tier(entry: SourceEntry, policy: Policy) -> int:
    return int(classify(entry.url.value if entry.url is not None else "", policy.authority).tier)


def _rests_on_registry(entry: SourceEntry, policy: Policy) -> bool:
    host = host_of(entry.url.value) if entry.url is not None else None
    if not _REGISTRY.search(entry.text):
        return False
    return host is None or registry_entry(host, policy.authority) is None


def _written(counts: Mapping[int, int]) -> str:
    return ", ".join(f"T{tier}: {counts.get(tier, 0)}" for tier in range(1, 6))

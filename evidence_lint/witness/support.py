"""Whether the evidence supports the claim: a second verdict, beside the one that its words are real (chapter 3).

Entailment is not decided here. Two screens can only take support away, and what an author attests is recorded. Needs
the claims, their units and what the report states; confidence rests on it, never the other way round.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from evidence_lint.model.location import Location
from evidence_lint.model.report import StatedFinding
from evidence_lint.witness.claims import Claim, ClaimKind, Claims
from evidence_lint.witness.matching import Matching
from evidence_lint.witness.numbers import NumberIndex, missing_numbers
from evidence_lint.witness.polarity import PolarityConflict, polarity_conflicts
from evidence_lint.witness.support_review import (
    LEAST_OVERRIDE,
    InvalidReview,
    Stance,
    SupportReview,
    has_review,
    read_review,
)
from evidence_lint.witness.units import Unit, Units

_MARKER = re.compile(r"\[\d[\d,\s–-]*\]")
_MOST_NAMED = 5


class Edition(StrEnum):
    """The editions of the contract."""

    BASE = "2026-07"
    LATER = "2026-09"


class SupportState(StrEnum):
    """How far the evidence is known to support a claim."""

    ATTESTED = "attested"
    QUALIFIED = "qualified"
    UNREVIEWED = "unreviewed"
    DISPUTED = "disputed"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True, eq=False)
class SupportFlag:
    """Where the polarity screen fired: the unit whose excerpt conflicts, and the shared phrase."""

    unit: Unit
    conflict: PolarityConflict

    @property
    def words(self) -> str:
        """The conflict in words."""
        denies, asserts = ("claim", "excerpt") if self.conflict.denied_by_claim else ("excerpt", "claim")
        return f"the {denies} denies what the {asserts} asserts at “{self.conflict.phrase}”"


@dataclass(frozen=True, eq=False)
class ClaimSupport:
    """What is known about the support of one claim.

    ``numbers`` are those of the claim that no cited excerpt has, as they are written. ``reasons`` say in words why the
    claim is not attested; they are empty for an attested one.
    """

    claim: Claim
    stated: StatedFinding | None
    edition: Edition
    state: SupportState
    flags: tuple[SupportFlag, ...]
    numbers: tuple[str, ...]
    reasons: tuple[str, ...]
    review: SupportReview | InvalidReview | None
    verified: bool
    """Whether any evidence of the claim verifies; without it there is nothing to support the claim."""

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return self.claim.node

    @property
    def location(self) -> Location:
        """The bullet of the report where there is one, else the record."""
        return self.stated.location if self.stated is not None else self.claim.location

    @property
    def is_finding(self) -> bool:
        """Whether the claim is a finding, so that confidence and publication hang on it."""
        return self.claim.kind is ClaimKind.FINDING

    @property
    def derived_numbers(self) -> bool:
        """Whether the author marks the claim's numbers as derived from those of the excerpts."""
        return isinstance(self.review, SupportReview) and self.review.derived_numbers

    @property
    def blocked(self) -> bool:
        """Whether the claim may not be published: contradicted, in the later edition."""
        return self.edition is Edition.LATER and self.state is SupportState.CONTRADICTED

    @property
    def cap(self) -> tuple[str, ...]:
        """Why the claim cannot be High, in the later edition; empty when support does not stand in the way."""
        capped = self.edition is Edition.LATER and self.state is not SupportState.ATTESTED
        return self.reasons if capped else ()


@dataclass(frozen=True, slots=True)
class SupportTotals:
    """How many claims are in each state, and the word for them all."""

    counts: Mapping[SupportState, int]

    def __getitem__(self, state: SupportState) -> int:
        return self.counts.get(state, 0)

    @property
    def word(self) -> str:
        """The word of reports of the later edition: the worst state counts."""
        if self[SupportState.CONTRADICTED]:
            return "conflicted"
        if self[SupportState.DISPUTED]:
            return "disputed"
        if self[SupportState.UNREVIEWED] or self[SupportState.QUALIFIED]:
            return "partially-reviewed"
        return "reviewed" if self[SupportState.ATTESTED] else "none"


class Supports:
    """The support of every claim of a bundle. ``all`` is in the order of the claims."""

    def __init__(self, edition: Edition, rows: Iterable[ClaimSupport]) -> None:
        self.edition = edition
        self.all: tuple[ClaimSupport, ...] = tuple(rows)
        self._by_claim = {(row.claim.kind, row.claim.number): row for row in self.all}

    def of(self, claim: Claim) -> ClaimSupport | None:
        """The support of a claim; None for a row that is no object."""
        return self._by_claim.get((claim.kind, claim.number))

    @cached_property
    def totals(self) -> SupportTotals:
        """Over all rows of findings.json with verified evidence: findings, analysis sections, consensus and debate."""
        return _totals(row for row in self.all if row.verified)

    @cached_property
    def readings(self) -> Sequence[SupportTotals]:
        """``totals`` first, then the other honest ways to count: findings alone, and rows without verified evidence."""
        findings = [row for row in self.all if row.is_finding]
        return (
            self.totals,
            _totals(row for row in findings if row.verified),
            _totals(self.all),
            _totals(findings),
        )


def edition(claims: Claims) -> Edition:
    """The edition of a bundle: the later one when any finding carries a block, well-formed or not."""
    return Edition.LATER if any(has_review(claim) for claim in claims.findings) else Edition.BASE


def read_supports(claims: Claims, units: Units, matching: Matching) -> Supports:
    """Work out the support of every claim."""
    which = edition(claims)
    return Supports(
        which,
        (
            examine_support(claim, matching.stated_of(claim) if claim.kind is ClaimKind.FINDING else None, units, which)
            for claim in claims
            if claim.valid
        ),
    )


def examine_support(claim: Claim, stated: StatedFinding | None, units: Units, which: Edition) -> ClaimSupport:
    """Screen one claim against its verified evidence and read its attestation."""
    verified = [unit for unit in units.of(claim) if unit.verified]
    review = read_review(claim)
    flags = tuple(_flags(claim, stated, verified))
    derived = isinstance(review, SupportReview) and review.derived_numbers
    numbers = () if derived or not verified else _missing(claim, verified)
    state = _state(review, flags, numbers)
    return ClaimSupport(
        claim,
        stated,
        which,
        state,
        flags,
        numbers,
        tuple(_reasons(state, review, flags, numbers)),
        review,
        bool(verified),
    )


def _flags(claim: Claim, stated: StatedFinding | None, units: Sequence[Unit]) -> Iterable[SupportFlag]:
    """The first conflict of each unit whose excerpt is prose; code denies in other ways than sentences do."""
    texts = list(dict.fromkeys(text for text in (claim.text, _statement(stated), claim.title) if text))
    for unit in units:
        excerpt = unit.ref.excerpt if unit.web is not None else unit.commit.subject if unit.commit is not None else ""
        found = (conflict for text in texts for conflict in polarity_conflicts(text, excerpt))
        if excerpt and (conflict := next(found, None)) is not None:
            yield SupportFlag(unit, conflict)


def _statement(stated: StatedFinding | None) -> str:
    return _MARKER.sub(" ", stated.prose.text).strip() if stated is not None else ""


def _missing(claim: Claim, units: Sequence[Unit]) -> tuple[str, ...]:
    index = NumberIndex(*(text for unit in units for text in _quoted(unit)))
    found = missing_numbers(f"{claim.title}.\n\n{_MARKER.sub(' ', claim.text)}", [index])
    return tuple(dict.fromkeys(number.text for number in found))


def _quoted(unit: Unit) -> Iterable[str]:
    """What a unit quotes: excerpts, never whole pages, titles or URLs; the place of a code record is part of it."""
    if unit.web is not None:
        yield unit.ref.excerpt
    if unit.code is not None:
        yield unit.code.excerpt
        first, last = unit.code.lines or (0, 0)
        yield f"{unit.code.path} {first} {last}"
    if unit.commit is not None:
        yield unit.commit.subject
    if unit.test is not None:
        yield unit.test.summary


def _state(
    review: SupportReview | InvalidReview | None, flags: Sequence[SupportFlag], numbers: Sequence[str]
) -> SupportState:
    valid = review if isinstance(review, SupportReview) else None
    if valid is not None and valid.stance is Stance.CONTRADICTS:
        return SupportState.CONTRADICTED
    if flags:
        overridden = valid is not None and valid.overrides
        return SupportState.DISPUTED if overridden else SupportState.CONTRADICTED
    if valid is None:
        return SupportState.UNREVIEWED
    if valid.stance is not Stance.SUPPORTS or numbers:
        return SupportState.QUALIFIED
    return SupportState.ATTESTED


def _reasons(
    state: SupportState,
    review: SupportReview | InvalidReview | None,
    flags: Sequence[SupportFlag],
    numbers: Sequence[str],
) -> Iterable[str]:
    valid = review if isinstance(review, SupportReview) else None
    if valid is not None and valid.stance is Stance.CONTRADICTS:
        yield "its author says that the evidence contradicts it"
    for flag in flags[:_MOST_NAMED]:
        yield flag.words
    if state is SupportState.DISPUTED:
        yield "the author overrides that with a rationale, which leaves the support disputed"
    elif flags and valid is not None and valid.stance is Stance.SUPPORTS:
        yield f"the rationale of its review is shorter than {LEAST_OVERRIDE} characters and overrides nothing"
    if state is SupportState.UNREVIEWED:
        yield (
            "nobody attests that the evidence supports it"
            if review is None
            else "its `support_review` is malformed and attests nothing"
        )
    if valid is not None and valid.stance in {Stance.PARTIAL, Stance.CONTEXT_ONLY}:
        yield f"its author says that the evidence is {_WEAKER[valid.stance]}"
    if state is SupportState.QUALIFIED and numbers:
        yield f"no cited excerpt has {listed(numbers)}"


_WEAKER = {Stance.PARTIAL: "partial support", Stance.CONTEXT_ONLY: "context only"}


def listed(numbers: Sequence[str]) -> str:
    """Numbers as the end of a sentence, the first few of many."""
    more = len(numbers) - _MOST_NAMED
    return ", ".join(numbers[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _totals(rows: Iterable[ClaimSupport]) -> SupportTotals:
    return SupportTotals(Counter(row.state for row in rows))

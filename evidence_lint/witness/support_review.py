"""The author's attestation that the evidence supports a claim: the block ``support_review`` (chapter 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from evidence_lint.model.location import Location
from evidence_lint.witness.claims import Claim

BLOCK = "support_review"
LEAST_OVERRIDE = 20
"""Characters of a rationale that overrides the polarity screen."""
_SHOWN = 60


class Stance(StrEnum):
    """What the author says that the evidence does for the claim."""

    SUPPORTS = "supports"
    PARTIAL = "partial"
    CONTEXT_ONLY = "context-only"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True)
class SupportReview:
    """A well-formed attestation. Texts are "" where they are absent; ``derived_numbers`` is False then."""

    stance: Stance
    rationale: str = ""
    reviewed_by: str = ""
    derived_numbers: bool = False
    location: Location | None = None

    @property
    def overrides(self) -> bool:
        """Whether it answers the polarity screen: it says ``supports``, and why, in 20 characters or more."""
        return self.stance is Stance.SUPPORTS and len(self.rationale) >= LEAST_OVERRIDE


@dataclass(frozen=True, slots=True)
class ReviewFault:
    """One thing that is wrong with a block, in words, and where."""

    message: str
    location: Location


@dataclass(frozen=True, slots=True)
class InvalidReview:
    """A malformed block. It attests nothing, and still makes the bundle one of the later edition."""

    faults: tuple[ReviewFault, ...]


def has_review(claim: Claim) -> bool:
    """Whether the row carries a block at all, well-formed or not; ``null`` is none."""
    raw = claim.row.raw
    return isinstance(raw, dict) and raw.get(BLOCK) is not None


def read_review(claim: Claim) -> SupportReview | InvalidReview | None:
    """Read the block of a claim; None where it has none."""
    raw = claim.row.raw
    block = raw.get(BLOCK) if isinstance(raw, dict) else None
    if block is None:
        return None
    if not isinstance(block, dict):
        return InvalidReview((ReviewFault("the block is no object", claim.row.at(BLOCK)),))
    members = cast("Mapping[str, object]", block)
    word = members.get("stance")
    stance = _stance(word)
    faults: list[ReviewFault] = []
    if stance is None:
        said = "there is no stance" if word is None else f"{_quoted(word)} is no stance"
        choice = ", ".join(one.value for one in Stance)
        faults.append(ReviewFault(f"{said}: one of {choice}", claim.row.at(BLOCK, "stance")))
    for name in ("rationale", "reviewed_by"):
        if not isinstance(members.get(name, ""), str | None):
            faults.append(ReviewFault(f"`{name}` is no text", claim.row.at(BLOCK, name)))
    derived = members.get("derived_numbers")
    if not isinstance(derived, bool | None):
        faults.append(
            ReviewFault(
                f"`derived_numbers` is {_quoted(derived)}, not true or false", claim.row.at(BLOCK, "derived_numbers")
            )
        )
    if faults or stance is None:
        return InvalidReview(tuple(faults))
    return SupportReview(
        stance,
        _text(members.get("rationale")),
        _text(members.get("reviewed_by")),
        derived is True,
        claim.row.at(BLOCK),
    )


def _stance(word: object) -> Stance | None:
    plain = word.strip().lower() if isinstance(word, str) else ""
    return Stance(plain) if plain in set(Stance) else None


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _quoted(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"

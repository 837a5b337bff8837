"""Joining what the report states with what the records hold: findings by title (chapter 3)."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence

from evidence_lint.model.report import StatedFinding
from evidence_lint.witness.claims import Claim

_MARKS = re.compile(r"[*_`~\\]")
_SPACE = re.compile(r"\s+")
_FINAL = " .,;:!?…。．，；：！？"


def title_key(title: str) -> str:
    """A title as it is compared: white space folded, Markdown marks and final punctuation aside."""
    plain = _MARKS.sub("", unicodedata.normalize("NFC", title))
    return _SPACE.sub(" ", plain).strip().rstrip(_FINAL)


class Matching:
    """Which finding of the report is which of findings.json; same titles in order of occurrence."""

    def __init__(self, stated: Sequence[StatedFinding], claims: Sequence[Claim]) -> None:
        waiting: dict[str, list[Claim]] = defaultdict(list)
        for claim in claims:
            key = title_key(claim.title)
            if key:
                waiting[key].append(claim)
        self._claims: dict[int, Claim] = {}
        self._stated: dict[int, StatedFinding] = {}
        for finding in stated:
            candidates = waiting.get(title_key(finding.title))
            if finding.placeholder or not candidates:
                continue
            claim = candidates.pop(0)
            self._claims[finding.number] = claim
            self._stated[claim.number] = finding

    def claim_of(self, stated: StatedFinding) -> Claim | None:
        """The record of a finding of the report, or None."""
        return self._claims.get(stated.number)

    def stated_of(self, claim: Claim) -> StatedFinding | None:
        """The report's finding of a record, or None when it is not published."""
        return self._stated.get(claim.number)

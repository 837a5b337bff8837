"""Whether a statement of absence in the report is true: what the records hold where the report says that nothing is
(chapter 1, "Placeholders are not claims").
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from evidence_lint.model.records import Records
from evidence_lint.model.report import Passage, PassageKind, Report, StatedFinding
from evidence_lint.witness.claims import ClaimKind, Claims, read_claims
from evidence_lint.witness.units import Units

_KINDS = {
    PassageKind.SUBTOPIC: ClaimKind.ANALYSIS,
    PassageKind.CONSENSUS: ClaimKind.CONSENSUS,
    PassageKind.DEBATE: ClaimKind.DEBATE,
}


class UsableRows:
    """Which kinds of rows of findings.json hold verified evidence; worked out only when a placeholder asks.

    It stands also where findings.json is absent: then there are no rows.
    """

    def __init__(self, records: Records, join: Callable[[Claims], Units]) -> None:
        """``join`` verifies the evidence of claims."""
        self._records = records
        self._join = join

    @cached_property
    def _claims(self) -> Claims:
        return read_claims(self._records)

    @cached_property
    def _usable(self) -> frozenset[ClaimKind]:
        units = self._join(self._claims)
        return frozenset(claim.kind for claim in self._claims if any(unit.verified for unit in units.of(claim)))

    def holds(self, kind: ClaimKind) -> bool:
        """Whether a row of this kind has verified evidence."""
        return any(claim.kind is kind and claim.refs for claim in self._claims) and kind in self._usable

    def findings(self, report: Report) -> list[StatedFinding]:
        """The findings of section 4 that count as claims."""
        return [finding for finding in report.findings if not finding.placeholder or self.holds(ClaimKind.FINDING)]

    def passages(self, report: Report) -> list[Passage]:
        """The subtopics of section 5 and rows of section 6 that count as claims."""
        return [passage for passage in report.passages if not passage.placeholder or self.holds(_KINDS[passage.kind])]

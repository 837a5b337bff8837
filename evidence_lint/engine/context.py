"""What the engine itself gives to providers and rules, beside the bundle."""

from __future__ import annotations

from evidence_lint.model.policy import Policy
from evidence_lint.model.suppression import AfterRun
from evidence_lint.rule import Rule
from evidence_lint.sources.ports import Sources

RUN_TYPES: tuple[type, ...] = (Policy, Sources)
"""Types that providers and rules may ask for without a provider; the same for a whole run."""

LATE_TYPES: tuple[object, ...] = (AfterRun,)
"""Types that are known of a bundle only when every other rule has run on it and suppressions are applied.

Only rules may ask for them, and such a rule runs last.
"""


def runs_last(rule: Rule) -> bool:
    """Whether a rule looks at what became of the others."""
    return any(kind in LATE_TYPES for kind in (rule.subject, *rule.needs.values()))

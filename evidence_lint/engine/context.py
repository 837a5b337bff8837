"""What the engine gives to providers for a whole run."""

from __future__ import annotations

from evidence_lint.model.policy import Policy
from evidence_lint.model.suppression import AfterRun
from evidence_lint.rule import Rule
from evidence_lint.sources.ports import Sources

RUN_TYPES: tuple[type, ...] = (Policy, Sources, AfterRun)
"""Types that providers and rules may ask for without a provider.

A rule that asks for :class:`AfterRun` runs when every other rule has run on the bundle and suppressions are applied.
"""


def runs_last(rule: Rule) -> bool:
    """Whether a rule looks at what became of the others."""
    return AfterRun in rule.needs.values()

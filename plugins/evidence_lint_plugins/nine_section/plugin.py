"""The nine-section dialect on the public hooks."""

from __future__ import annotations

from collections.abc import Iterable

from evidence_lint.dialect import Dialect
from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.provide import Provider
from evidence_lint_plugins.nine_section import index_providers, providers
from evidence_lint_plugins.nine_section.discovery import find_bundles
from evidence_lint_plugins.nine_section.loader import DIALECT, load
from evidence_lint_plugins.nine_section.summary import summarise

NINE_SECTION = Dialect(
    name=DIALECT,
    description="a finished report in nine sections with its evidence records (chapters 1 and 2)",
    bundle_type=ResearchBundle,
    find=find_bundles,
    load=load,
    summarise=summarise,
)


def nine_section_providers() -> Iterable[Provider]:
    """Everything that rules about nine-section bundles may ask for."""
    return [
        value
        for module in (providers, index_providers)
        for value in vars(module).values()
        if isinstance(value, Provider)
    ]

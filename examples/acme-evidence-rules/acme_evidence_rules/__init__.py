"""Acme's house rules for research reports: a plug-in for evidence-lint.

evidence-lint finds this module through the entry point in ``pyproject.toml`` and calls the hooks below. They import
what they return only when they are called, so that a command that needs none of it stays quick.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from evidence_lint.hooks import hookimpl

if TYPE_CHECKING:
    from evidence_lint.model.result import Format
    from evidence_lint.provide import Provider
    from evidence_lint.rule import Rule


@hookimpl
def evidence_lint_rules() -> Iterable[Rule]:
    """Bring the rules."""
    from acme_evidence_rules import rules  # noqa: PLC0415
    from evidence_lint.rule import rules_in  # noqa: PLC0415

    return rules_in(rules)


@hookimpl
def evidence_lint_providers() -> Iterable[Provider]:
    """Bring what the rules ask for and evidence-lint does not know."""
    from acme_evidence_rules.sponsors import sponsors  # noqa: PLC0415

    return [sponsors]


@hookimpl
def evidence_lint_formats() -> Iterable[Format]:
    """Bring ``--format acme``."""
    from acme_evidence_rules.ledger import LEDGER  # noqa: PLC0415

    return [LEDGER]

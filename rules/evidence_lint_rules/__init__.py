"""Built-in rules of evidence-lint: a package a family, a file about one thing.

A rule is registered by being defined: every module of this package is searched for rules.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from evidence_lint.hooks import hookimpl
from evidence_lint.rule import Rule, rules_in_package


@hookimpl
def evidence_lint_rules() -> Iterable[Rule]:
    """Every rule of this package."""
    return rules_in_package(sys.modules[__name__])

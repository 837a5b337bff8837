"""evidence-lint: pytest for evidence.

The package is the engine: it loads a finished research report with its evidence records, runs rules and
emits verdicts. Rules live in ``evidence_lint_rules``, formats and dialects in ``evidence_lint_plugins``.
"""

from evidence_lint.version import __version__

__all__ = ["__version__"]

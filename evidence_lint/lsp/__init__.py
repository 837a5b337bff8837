"""The language server (chapter 10's verdicts where reports are written).

Only :mod:`evidence_lint.lsp.server` and what makes answers of the protocol import pygls and lsprotocol, which the extra
``lsp`` brings. The server asks its caller for a plan of a run (:class:`evidence_lint.lsp.checker.Planner`), so that it
knows nothing of the command line.
"""

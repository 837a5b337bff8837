"""The hooks that a plug-in may implement, from their definitions."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

from evidence_lint import errors, hooks
from pages.text import code, paragraphs


def pages() -> Iterator[tuple[str, str]]:
    """The reference of hooks and errors."""
    yield "reference/hooks.md", "\n\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield "# Hooks and errors"
    yield paragraphs((hooks.__doc__ or "").partition("\n\n")[2])
    for node in ast.parse(inspect.getsource(hooks)).body:
        if isinstance(node, ast.FunctionDef):
            returns = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
            yield f"## {node.name}"
            yield code(f"def {node.name}({ast.unparse(node.args)}){returns}: ...", "python")
            yield paragraphs(ast.get_docstring(node) or "")
    yield "## Errors"
    tree, _, after = (errors.__doc__ or "").partition("::\n\n")[2].partition("\n\n")
    yield "What evidence-lint raises on purpose, for rules, plug-ins and those who call it from Python:"
    yield code(inspect.cleandoc(tree))
    yield paragraphs(after)

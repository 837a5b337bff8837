"""Output formats (chapter 10). Each is imported only when it is asked for, and nothing here imports a library."""

from __future__ import annotations

from importlib import import_module

from evidence_lint.model.result import Format, FormatOptions, RunResult

_FORMATS: tuple[tuple[str, str, str], ...] = (
    ("full", "full", "source frames with both sides, findings and a summary; for people at a terminal"),
    ("concise", "concise", "one line a problem: path:line:col: CODE message"),
    ("json", "json_results", "everything, as a document of the published schema evidence-lint/results-v1"),
    ("sarif", "sarif", "SARIF 2.1.0, for code scanning and editors"),
    ("junit", "junit", "JUnit XML, one test case a check"),
    ("github", "github", "annotations of a GitHub Actions log"),
    ("gitlab", "gitlab", "GitLab code quality report"),
    ("markdown", "markdown", "tables for a job summary or a comment"),
    ("html", "html", "one self-contained page to read and filter"),
)


def formats() -> list[Format]:
    """Return the built-in formats; the first is the default."""
    return [Format(name, description, _Lazy(module)) for name, module, description in _FORMATS]


class _Lazy:
    """A render function that imports its module on first use."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __call__(self, result: RunResult, options: FormatOptions) -> str:
        text = import_module(f"{__name__}.{self._module}").render(result, options)
        if not isinstance(text, str):
            raise TypeError(f"format {self._module} made {type(text).__name__}, not text")
        return text

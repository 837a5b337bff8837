"""Built-in plug-ins of evidence-lint, on the same hooks as anybody's: dialects, output formats, text extractors."""

from __future__ import annotations

from collections.abc import Iterable

from evidence_lint.dialect import Dialect
from evidence_lint.hooks import hookimpl
from evidence_lint.model.capture import Extractor
from evidence_lint.model.result import Format
from evidence_lint.provide import Provider


@hookimpl
def evidence_lint_dialects() -> Iterable[Dialect]:
    """The built-in dialects."""
    from evidence_lint_plugins.nine_section.plugin import NINE_SECTION  # noqa: PLC0415 - a cheap package import

    return [NINE_SECTION]


@hookimpl
def evidence_lint_providers() -> Iterable[Provider]:
    """What the dialects' rules may ask for."""
    from evidence_lint_plugins.nine_section.plugin import nine_section_providers  # noqa: PLC0415

    return nine_section_providers()


@hookimpl
def evidence_lint_formats() -> Iterable[Format]:
    """The built-in output formats."""
    from evidence_lint_plugins.formats import formats  # noqa: PLC0415

    return formats()


@hookimpl
def evidence_lint_extractors() -> Iterable[tuple[str, Extractor]]:
    """The built-in text extractors."""
    from evidence_lint_plugins.extractors import extractors  # noqa: PLC0415

    return extractors()

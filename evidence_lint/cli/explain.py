"""``evidence-lint explain``: what a rule demands, why, how to mend it, and its examples."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

import click

from evidence_lint.cli.configuration import catalogue_options, local_catalogue
from evidence_lint.engine.select import nearest
from evidence_lint.errors import SelectionError
from evidence_lint.model.example import Example, base_files
from evidence_lint.rule import Rule

_CONTEXT = 1


@click.command(name="explain")
@click.argument("rule")
@catalogue_options
def command(rule: str, config: Path | None, *, isolated: bool) -> None:
    """Explain a RULE, named by its code or name; local rules and plug-ins as configured here."""
    catalogue = local_catalogue(config, isolated=isolated)
    found = catalogue.rule(rule)
    if found is None:
        raise SelectionError(f"there is no rule {rule!r}{nearest(catalogue, rule)}")
    click.echo("\n".join(explanation(found)))


def explanation(rule: Rule) -> Iterator[str]:
    """The lines of a rule's page."""
    yield f"{rule.code} {rule.name} ({rule.severity.value}{', fixable' if rule.fixable else ''})"
    yield ""
    yield rule.summary
    yield ""
    yield f"Why: {rule.why}"
    yield ""
    yield f"Fix: {rule.fix}"
    for example in rule.examples.passes:
        yield ""
        yield f"Passes: {example.title}"
        yield from (f"    {line}" for line in shown(example))
    for example in rule.examples.fails:
        yield ""
        yield f"Fails: {example.title}"
        yield from (f"    {line}" for line in shown(example))
        for problem in example.problems:
            place = problem.pointer or problem.at or "line 1"
            yield f"    → {problem.artifact}: {place}: {problem.message}"


def shown(example: Example) -> Iterator[str]:
    """What an example changes in the clean bundle that it starts from, as a diff without its headers."""
    base = base_files(example)
    for name in sorted({*example.files, *base}):
        before, after = base.get(name), example.files.get(name)
        if before == after:
            continue
        if after is None:
            yield f"{name}: absent"
            continue
        yield f"{name}:"
        lines = difflib.unified_diff((before or "").splitlines(), after.splitlines(), n=_CONTEXT, lineterm="")
        yield from (f"  {line}" for line in list(lines)[2:] if not line.startswith("@@"))

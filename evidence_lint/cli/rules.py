"""``evidence-lint rules``: the catalogue of rules."""

from __future__ import annotations

import json
from pathlib import Path

import click

from evidence_lint.cli.configuration import catalogue_options, local_catalogue
from evidence_lint.engine.catalogue import Catalogue
from evidence_lint.engine.select import select_rules
from evidence_lint.rule import Rule


@click.command(name="rules")
@click.argument("selectors", nargs=-1, metavar="[RULE]...")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How to print.")
@catalogue_options
def command(selectors: tuple[str, ...], format_: str, config: Path | None, *, isolated: bool) -> None:
    """List the rules, or those of some families or codes; local rules and plug-ins as configured here."""
    catalogue = local_catalogue(config, isolated=isolated)
    rules = select_rules(catalogue, selectors, ())
    if format_ == "json":
        document = {"schema": "evidence-lint/rules-v1", "rules": [describe(rule, catalogue) for rule in rules]}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    width = max((len(rule.name) for rule in rules), default=0)
    for rule in rules:
        click.echo(f"{rule.code:8} {rule.name:{width}}  {rule.severity.value:7}  {rule.summary}")


def describe(rule: Rule, catalogue: Catalogue) -> dict[str, object]:
    """A rule as JSON: its definition and its examples."""
    return {
        "code": rule.code,
        "name": rule.name,
        "family": rule.family,
        "severity": rule.severity.value,
        "summary": rule.summary,
        "why": rule.why,
        "fix": rule.fix,
        "fixable": rule.fixable,
        "module": rule.module,
        "dialects": [
            dialect.name
            for dialect in catalogue.dialects
            if all(issubclass(dialect.bundle_type, kind) for kind in catalogue.graph.bundle_types(rule))
        ],
        "examples": [
            {
                "title": example.title,
                "outcome": "failed" if example.problems else "passed",
                "files": dict(example.files),
                "problems": [
                    {"message": p.message, "at": p.at, "pointer": p.pointer, "artifact": p.artifact}
                    for p in example.problems
                ],
            }
            for example in (*rule.examples.passes, *rule.examples.fails)
        ],
    }

"""``evidence-lint schema``: the JSON Schemas of what evidence-lint reads and writes."""

from __future__ import annotations

import json

import click

from evidence_lint.errors import UsageError
from evidence_lint.model.output import results_schema
from evidence_lint.model.records import schemas

RESULTS = "results"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


@click.command(name="schema")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print the JSON Schema NAME: `results` (the output of --format json), or a record; without NAME, list them."""
    records = schemas()
    if name is None:
        click.echo("\n".join((RESULTS, *records)))
    elif name == RESULTS:
        click.echo(json.dumps(results_schema(), indent=2, ensure_ascii=False))
    elif name in records:
        document = {"$schema": _DIALECT, **records[name].model_json_schema(by_alias=True)}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        raise UsageError(f"there is no schema {name!r}; there are {', '.join((RESULTS, *records))}")

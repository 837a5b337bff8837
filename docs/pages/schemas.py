"""The JSON Schemas: as files, and as pages to read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from click.testing import CliRunner

from evidence_lint.cli import cli
from pages.text import paragraphs, prose, table, word

_ABOUT = {
    "results": "What `--format json` prints. Additions are allowed within a version, renamings are not: a reader must "
    "accept members that it does not know.",
    "finding": "An entry of `findings` in `findings.json`.",
    "result": "A row of `results.json`.",
    "content": "A row of `content.json`.",
    "code": "A record of kind `code` in `code_evidence.json`.",
    "commit": "A record of kind `commit` in `code_evidence.json`.",
    "receipt": "A record of kind `test` in `code_evidence.json`: a host test receipt.",
    "session": "`session.json` (or `research_plan.json`): the budget ledger.",
}


def _documents() -> Mapping[str, str]:
    """Each schema as the command prints it."""
    return {name: _printed(name) for name in _printed().split()}


def _printed(*arguments: str) -> str:
    return CliRunner().invoke(cli, ["schema", *arguments], catch_exceptions=False).output


def pages() -> Iterator[tuple[str, str]]:
    """An index, and a page and a file for each schema."""
    texts = _documents()
    documents: dict[str, dict[str, Any]] = {name: json.loads(text) for name, text in texts.items()}
    yield "reference/schemas/index.md", _index(documents)
    for name, document in documents.items():
        yield f"reference/schemas/{name}.json", texts[name]
        yield f"reference/schemas/{name}.md", "\n\n".join(_page(name, document)) + "\n"


def _index(documents: Mapping[str, dict[str, Any]]) -> str:
    rows = [
        (
            f"[{name}]({name}.md)",
            _ABOUT.get(name) or prose(str(document.get("description", ""))),
            f"[{name}.json]({name}.json)",
        )
        for name, document in documents.items()
    ]
    return (
        "\n\n".join(
            [
                "# JSON Schemas",
                "`evidence-lint schema` lists them and `evidence-lint schema NAME` prints one. They are made "
                "from the models "
                "that read and write the documents.",
                table(("schema", "of", "file"), rows),
            ]
        )
        + "\n"
    )


def _page(name: str, document: dict[str, Any]) -> Iterator[str]:
    yield f"# Schema `{name}`"
    yield _ABOUT.get(name) or paragraphs(str(document.get("description", "")))
    yield f"As a file: [{name}.json]({name}.json)."
    yield from _members(document)
    for title, part in document.get("$defs", {}).items():
        yield f"## {title} {{ #{title.lower()} }}"
        if part.get("description"):
            yield paragraphs(part["description"])
        if "enum" in part:
            yield "One of " + ", ".join(word(str(value)) for value in part["enum"]) + "."
        yield from _members(part)


def _members(part: dict[str, Any]) -> Iterator[str]:
    properties: dict[str, dict[str, Any]] = part.get("properties", {})
    if not properties:
        return
    required = set(part.get("required", ()))
    rows = [
        (word(name), _type(value), "yes" if name in required else "no", prose(str(value.get("description", ""))))
        for name, value in properties.items()
    ]
    yield table(("member", "type", "required", "meaning"), rows)


def _type(value: dict[str, Any]) -> str:
    if "$ref" in value:
        name = str(value["$ref"]).rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in value:
        return " or ".join(_type(option) for option in value["anyOf"])
    if "enum" in value:
        return ", ".join(word(str(option)) for option in value["enum"])
    if "const" in value:
        return word(str(value["const"]))
    kind = value.get("type", "any")
    if kind == "array":
        return f"array of {_type(value.get('items', {}))}"
    return str(kind)

"""The configuration keys, from the models that read them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from evidence_lint.config import settings
from pages.text import code, prose, table, word

_SELECTORS = "array of selectors: codes, names, families, beginnings of codes, `ALL`"
_TYPES = {
    "Selectors": _SELECTORS,
    "Selectors | None": _SELECTORS,
    "Paths": "array of paths or patterns, relative to the configuration file",
    "Path_ | None": "path relative to the configuration file",
    "dict[Text, SeverityWord]": "table from selector to `error`, `warning`, `info` or `off`",
    "dict[Path_, PathSettings]": "table from path pattern to a table",
    "dict[Text, Patterns]": "table from artifact name to a pattern or an array of patterns",
    "FailOn": "`error`, `warning` or `never`",
    "Profile": "`default` or `strict`",
    "Bytes": 'number of bytes, or a text such as `"32 MiB"`',
    "Count | None": "whole number above 0",
    "Count": "whole number above 0",
    "Natural | None": "whole number from 0",
    "Seconds": "number of seconds",
    "Host": "host name; what lies below it is included",
    "AuthorityLevel": "`standards-body`, `government` or `project-owned`",
    "Text": "text",
    "Text | None": "text",
    "Annotated[date | None, BeforeValidator(_day)]": "date",
    "Label | None": "`high`, `medium` or `low`",
    "Networks": 'array of networks such as `"10.0.0.0/8"`',
    "LimitSettings": "table",
    "NetworkSettings": "table",
    "GateSettings": "table",
    "Annotated[tuple[AuthoritySettings, ...], BeforeValidator(frozen_list)]": "array of tables",
}
_WORDS = {
    "Settings.select": "Rules that run. Empty: all of them.",
    "Settings.extend_select": "Rules that run besides `select`.",
    "Settings.ignore": "Rules that do not run. The more specific of `select` and `ignore` wins.",
    "Settings.severity": "Severity by rule or family; `off` does not run it.",
    "Settings.per_path": "Overrides for reports whose path fits a pattern, applied in the order of the file.",
    "Settings.fail_on": "The mildest severity that fails a run.",
    "Settings.baseline": "File of known failures; see [baselines](../how-to/suppress.md#a-baseline).",
    "Settings.limits": "How much is read; see [below](#limits).",
    "Settings.network": "Manners of live captures; see [below](#network).",
    "Settings.authority": "The authority registry; see [below](#authority).",
    "Settings.gate": "What a merge needs beyond rules that pass; see [below](#gate).",
    "PathSettings.select": "Replaces what was selected before.",
    "PathSettings.extend_select": "Adds to it.",
    "PathSettings.ignore": "Adds to what is ignored.",
    "PathSettings.severity": "The last severity of a selector counts.",
    "AuthoritySettings.host": "The host that is trusted.",
    "AuthoritySettings.level": "Why it ranks as T1: a standards body, a government, or a project about itself.",
    "AuthoritySettings.reason": "Why it is trusted. Required.",
    "NetworkSettings.allow": "Networks that captures may reach although they are not public. Printed in every output, "
    "and what was fetched there never counts as T1.",
    "NetworkSettings.concurrency": "Pages fetched at once.",
    "NetworkSettings.per_host": "Pages fetched at once from one host.",
}
_TABLES = (
    ("per-path", "PathSettings", '[tool.evidence-lint.per-path."drafts/**"]'),
    ("limits", "LimitSettings", "[tool.evidence-lint.limits]"),
    ("network", "NetworkSettings", "[tool.evidence-lint.network]"),
    ("authority", "AuthoritySettings", "[[tool.evidence-lint.authority]]"),
    ("gate", "GateSettings", "[tool.evidence-lint.gate]"),
)


@dataclass(frozen=True, slots=True)
class Key:
    """One key: its name in TOML, the type in words, its default and what it does."""

    name: str
    type: str
    default: str
    meaning: str


def pages() -> Iterator[tuple[str, str]]:
    """The reference of the configuration."""
    yield "reference/configuration.md", "\n\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield "# Configuration"
    yield (
        "Settings stand in `evidence-lint.toml`, or in `[tool.evidence-lint]` of `pyproject.toml`. The nearest "
        "file from "
        "the first PATH upwards is read, not beyond the top of the Git work tree; in one folder "
        "`evidence-lint.toml` goes "
        "first. `--config FILE` names another, `--isolated` reads none, `--policy-from REV` reads them from a "
        "revision. "
        "The command line goes before the configuration. A key or a value that is wrong ends the run with status 4 and "
        "names the nearest right one."
    )
    yield (
        "`rules`, `plugins` and `network.allow` make the program do something. They count in a file that was named, "
        "and in one that lies in the current folder or above it; found anywhere else, they end the run with status 4. "
        "Every output names the file in force and what it changes."
    )
    yield code(_SAMPLE, "toml")
    yield "## Keys"
    yield from _keys("Settings", headings=True)
    for name, model, header in _TABLES:
        yield f"## Table `{name}` {{ #{name} }}"
        yield f"In `pyproject.toml`: {word(header)}; in `evidence-lint.toml` without `tool.evidence-lint`."
        yield table(
            ("key", "type", "default", "meaning"), [(word(k.name), k.type, k.default, k.meaning) for k in keys(model)]
        )


def _keys(model: str, *, headings: bool) -> Iterator[str]:
    tables = {name for name, _, _ in _TABLES}
    for key in keys(model):
        anchor = "" if key.name not in tables else f" {{ #key-{key.name} }}"
        yield f"### `{key.name}`{anchor or f' {{ #{key.name} }}'}"
        yield f"{key.meaning}\n\nType: {key.type}. Default: {key.default}."


def keys(name: str) -> Iterator[Key]:
    """The keys of a table's model, in the order of its definition. KeyError where one is not described."""
    model: type[BaseModel] = getattr(settings, name)
    fields = model.model_fields
    for field, annotation, doc in _definitions(name):
        info = fields[field]
        default = info.get_default(call_default_factory=True)
        meaning = doc or _WORDS[f"{name}.{field}"]
        yield Key(
            info.alias or field,
            _TYPES[annotation],
            "required" if default is PydanticUndefined else _default(default),
            meaning if doc is None else prose(meaning),
        )


def _default(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, BaseModel | dict | tuple):
        return "empty" if not isinstance(value, BaseModel) else "see there"
    if isinstance(value, str):
        return word(f'"{value}"')
    if isinstance(value, int) and value >= 2**20 and value % 2**20 == 0:
        return word(f'"{value // 2**20} MiB"')
    return word(str(value))


def _definitions(name: str) -> Iterator[tuple[str, str, str | None]]:
    """Each field of a class with its annotation as it is written, and the text below it, if there is one."""
    tree = ast.parse(inspect.getsource(settings))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    for index, node in enumerate(body):
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name) or node.target.id[0] == "_":
            continue
        after = body[index + 1] if index + 1 < len(body) else None
        value = after.value if isinstance(after, ast.Expr) else None
        text = value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
        yield node.target.id, ast.unparse(node.annotation), " ".join(text.split()) if text else None


_SAMPLE = """\
[tool.evidence-lint]
ignore = ["CIT118"]
fail-on = "warning"
suppressible = ["CIT102"]

[tool.evidence-lint.severity]
CIT116 = "error"

[tool.evidence-lint.per-path."drafts/**"]
ignore = ["CONF"]

[tool.evidence-lint.layout]
report = "*.report.md"
findings = ["{stem}.findings.json", "findings.json"]

[[tool.evidence-lint.authority]]
host = "docs.example.org"
level = "project-owned"
reason = "The documentation of our own project; we hold the domain"
project = "example"
checked = 2026-05-01

[tool.evidence-lint.gate]
unsuppressible = ["LIVE", "CONF"]
required-rules = ["WEB104"]"""

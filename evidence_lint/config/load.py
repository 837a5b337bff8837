"""From the text of a configuration file to settings, with errors that name file, key and the nearest right name.

Reading the file is left to others: the policy of a gate is read from a Git revision (chapter 10).
"""

from __future__ import annotations

import tomllib
import types
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from pathlib import Path
from typing import TypeAlias, Union, cast, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from evidence_lint.config.settings import Settings
from evidence_lint.errors import ConfigError

PYPROJECT = "pyproject.toml"
OWN_FILE = "evidence-lint.toml"
TABLE = ("tool", "evidence-lint")

Toml: TypeAlias = "dict[str, Toml] | list[Toml] | str | int | float | bool | date | time"
"""A value of a TOML document."""

_SIMILAR = 60.0
_EXPECTED = {
    "string_type": "a string",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "an array",
    "dict_type": "a table",
    "model_type": "a table",
    "date_type": "a date such as 2026-07-01",
    "is_instance_of": "a string",
}


def load_settings(text: str, path: Path) -> Settings:
    """Read settings from the text of the file ``path``, which is not opened.

    A file named ``pyproject.toml`` has them in ``[tool.evidence-lint]``, any other at its top (or in that table,
    where it has it). A pyproject without the table gives the defaults. Raises :class:`ConfigError`.
    """
    table = settings_table(text, path)
    prefix = TABLE if table is not None and _nested(text, path) else ()
    try:
        return Settings.model_validate(table or {}).from_source(path)
    except ValidationError as error:
        raise _config_error(error, table or {}, path, prefix) from None


def settings_table(text: str, path: Path) -> Mapping[str, Toml] | None:
    """The table that holds the settings; None when the file is a pyproject without one.

    Raises :class:`ConfigError` on a text that is no TOML, with line and column.
    """
    document = _parse(text, path)
    nested = _in_table(document, path)
    if nested is not None or path.name == PYPROJECT:
        return nested
    return document


def _nested(text: str, path: Path) -> bool:
    return _in_table(_parse(text, path), path) is not None


def _in_table(document: Mapping[str, Toml], path: Path) -> Mapping[str, Toml] | None:
    tool = document.get(TABLE[0])
    if not isinstance(tool, dict) or TABLE[1] not in tool:
        return None
    table = tool[TABLE[1]]
    if not isinstance(table, dict):
        raise ConfigError("a table is expected", path=path, key=".".join(TABLE))
    return table


def _parse(text: str, path: Path) -> dict[str, Toml]:
    try:
        return cast("dict[str, Toml]", tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        end = f"(at line {text.count(chr(10)) + 1}, column {len(text) - text.rfind(chr(10))}, the end of the file)"
        message = str(error).replace("(at end of document)", end)
        raise ConfigError(f"not valid TOML: {message}", path=path) from error
    except RecursionError as error:
        raise ConfigError("not readable: its values are nested too deeply", path=path) from error
    except ValueError as error:
        # A number of thousands of digits, which Python refuses to convert.
        raise ConfigError(f"not readable: {error}", path=path) from error


def _config_error(error: ValidationError, table: Mapping[str, Toml], path: Path, prefix: Sequence[str]) -> ConfigError:
    problems = list(_problems(error, table, prefix))
    (key, message), more = problems[0], problems[1:]
    further = "".join(f"\n{path}: {other}: {text}" for other, text in more)
    return ConfigError(message + further, path=path, key=key)


def _problems(error: ValidationError, table: Mapping[str, Toml], prefix: Sequence[str]) -> Iterator[tuple[str, str]]:
    told: set[str] = set()
    for detail in error.errors(include_url=False):
        place = _existing(table, detail["loc"])
        if detail["type"] in {"missing", "extra_forbidden"}:
            place = [*_existing(table, detail["loc"][:-1]), detail["loc"][-1]]
        key = dotted([*prefix, *place])
        if key not in told:
            told.add(key)
            yield key, _message(detail, place)


def _message(detail: ErrorDetails, place: Sequence[str | int]) -> str:
    match detail["type"]:
        case "extra_forbidden":
            return "there is no such key" + _nearest(str(place[-1]), _keys_of(place[:-1]))
        case "missing":
            return "this key is required"
        case "literal_error":
            words = str(detail["ctx"]["expected"]) if "ctx" in detail else ""
            near = _nearest(str(detail["input"]), [word.strip("' ") for word in words.replace(" or ", ",").split(",")])
            return f"{detail['input']!r} is not one of {words}{near}"
        case "value_error":
            return detail["msg"].removeprefix("Value error, ")
        case kind if kind in _EXPECTED:
            return f"{_EXPECTED[kind]} is expected, not {_shown(detail['input'])}"
        case _:
            return f"{detail['msg'][:1].lower()}{detail['msg'][1:]}, not {_shown(detail['input'])}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _existing(table: Mapping[str, Toml], loc: Sequence[str | int]) -> list[str | int]:
    """The part of an error's path that stands in the file; the rest names types that were tried."""
    here: Toml = dict(table)
    place: list[str | int] = []
    for part in loc:
        match here, part:
            case dict(), str() if part in here:
                here = here[part]
            case list(), int() if part < len(here):
                here = here[part]
            case _:
                break
        place.append(part)
    return place


def dotted(parts: Sequence[str | int]) -> str:
    """A key as TOML writes it: ``per-path."drafts/**".ignore``, entries of arrays in brackets."""
    words: list[str] = []
    for part in parts:
        if isinstance(part, int):
            words.append(f"[{part}]")
            continue
        bare = part.replace("-", "").replace("_", "")
        plain = bare.isascii() and bare.isalnum()
        words.append("." + (part if plain else '"' + part.replace("\\", "\\\\").replace('"', '\\"') + '"'))
    return "".join(words).removeprefix(".")


def _keys_of(place: Sequence[str | int]) -> list[str]:
    """The keys that the table at ``place`` may hold."""
    model: type[BaseModel] | None = Settings
    parts = [part for part in place if isinstance(part, str)]
    while parts and model is not None:
        part = parts.pop(0)
        field = next((field for field in model.model_fields.values() if field.alias == part), None)
        model = _model_in(field.annotation) if field is not None else None
        if part == "per-path" and parts:
            parts.pop(0)
    return [field.alias or "" for field in model.model_fields.values()] if model is not None else []


def _model_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and get_origin(annotation) is None:
        return annotation if issubclass(annotation, BaseModel) else None
    if get_origin(annotation) in {Union, types.UnionType, tuple, dict}:
        return next((found for argument in get_args(annotation) if (found := _model_in(argument))), None)
    return None


def _nearest(word: str, names: Sequence[str]) -> str:
    from rapidfuzz import process  # noqa: PLC0415 - only a faulty configuration needs it

    found = process.extractOne(word, [name for name in names if name], score_cutoff=_SIMILAR)
    return f"; did you mean {found[0]!r}?" if found is not None else ""

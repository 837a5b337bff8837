"""One record against its schema: what does not fit, in plain words, and the record without it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from evidence_lint.model.artifact import JSON
from evidence_lint.model.location import Location, pointer
from evidence_lint.model.records import (
    AnalysisRecord,
    FieldFault,
    FindingRecord,
    Record,
    Row,
    StatementRecord,
)

R = TypeVar("R", bound=Record)

_NAMED_ELSEWHERE = (FindingRecord, AnalysisRecord, StatementRecord)
"""Records whose rows have a rule of their own for "is no object" (EVID105 to EVID108)."""

_SHOWN = 60
_EXPECTED = {
    "string_type": "a string",
    "string_unicode": "a string",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "float_type": "a number",
}


class Validator(Generic[R]):
    """Makes rows of one record type. Fast where a record fits, as nearly all do."""

    def __init__(self, kind: type[R]) -> None:
        self._kind = kind
        self._validate = kind.__pydantic_validator__.validate_python

    def row(self, artifact: str, at: str, number: int, raw: JSON) -> Row[R]:
        """Read one entry of a list. ``at`` is its JSON pointer, ``number`` its place from 1.

        A field that does not fit is told as a fault and read as absent; the rest of the record stands.
        """
        if not isinstance(raw, dict):
            return Row(artifact, at, number, raw, None, self._no_object(artifact, at, raw))
        try:
            return Row(artifact, at, number, raw, self._validate(raw))
        except ValidationError as error:
            details = error.errors(include_url=False, include_context=False, include_input=False)
        wrong = {str(detail["loc"][0]) for detail in details if detail["loc"]}
        faults = tuple(_faults(artifact, at, raw, details))
        # Only fields that are there can be wrong, for none is required; without them the record fits.
        value = self._validate({key: item for key, item in raw.items() if key not in wrong})
        return Row(artifact, at, number, raw, value, faults)

    def _no_object(self, artifact: str, at: str, raw: JSON) -> tuple[FieldFault, ...]:
        if issubclass(self._kind, _NAMED_ELSEWHERE):
            return ()
        message = f"the entry is {described(raw)}, where an object is expected"
        return (FieldFault(Location(artifact, pointer=at), message),)


def described(value: JSON) -> str:
    """A value for a message: bounded, and of containers only the kind."""
    match value:
        case None | bool():
            return json.dumps(value)
        case int() | float():
            return f"the number {_cut(json.dumps(value))}"
        case str():
            return f"the string {_cut(json.dumps(value[:_SHOWN], ensure_ascii=False), len(value) > _SHOWN)}"
        case list():
            return "a list"
        case dict():
            return "an object"


def _cut(text: str, longer: bool = False) -> str:
    return text[: _SHOWN - 1] + "…" if longer or len(text) > _SHOWN else text


def _faults(artifact: str, at: str, raw: Mapping[str, JSON], details: Sequence[ErrorDetails]) -> Iterable[FieldFault]:
    """One fault for each place: the alternatives of a union are one place with several expectations."""
    places: dict[tuple[str | int, ...], tuple[JSON, list[str]]] = {}
    for detail in details:
        place, value = _place(raw, detail["loc"])
        expected = _EXPECTED.get(detail["type"], detail["msg"])
        _, wanted = places.setdefault(place, (value, []))
        if expected not in wanted:
            wanted.append(expected)
    for place, (value, wanted) in places.items():
        message = f"`{_dotted(place)}` is {described(value)}, where {' or '.join(wanted)} is expected"
        yield FieldFault(Location(artifact, pointer=at + pointer(*place)), message)


def _place(raw: Mapping[str, JSON], loc: Sequence[str | int]) -> tuple[tuple[str | int, ...], JSON]:
    """The part of an error's path that exists in the record, and what stands there.

    What follows in the path names the type that was tried.
    """
    here: JSON = dict(raw)
    for depth, part in enumerate(loc):
        match here, part:
            case dict(), str() if part in here:
                here = here[part]
            case list(), int() if part < len(here):
                here = here[part]
            case _:
                return tuple(loc[:depth]), here
    return tuple(loc), here


def _dotted(place: Sequence[str | int]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).removeprefix(".")

"""BUD101: the ledger is a ledger, canonical for its mode, and what it counts is possible."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict

from evidence_lint.model.artifact import JSON
from evidence_lint.model.bundle import SESSION, ResearchBundle
from evidence_lint.model.example import ABSENT, Expected, research_example
from evidence_lint.model.location import Location, pointer
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.budget import CANONICAL, KINDS, MODES
from evidence_lint.witness.receipt_times import read_timestamp

SCHEMA = "deep-research/session-v1"
_CEILINGS = {
    "retrieval_calls": "retrieval_max",
    "content_extractions": "content_max",
    "report_sources": "report_sources_max",
}

LEDGER: dict[str, JSON] = {
    "schema": SCHEMA,
    "session_id": "9a41d967",
    "research_kind": "web",
    "mode": "quick",
    "budget": {"retrieval_min": 5, "retrieval_max": 10, "content_max": 5, "report_sources_max": 8},
    "usage": {"retrieval_calls": 1, "content_extractions": 1, "report_sources": 1},
    "created_at": "2025-03-06T06:00:00+00:00",
    "updated_at": "2025-03-06T10:00:00+00:00",
    "events": [],
}
"""A clean ledger of a quick report, for examples."""


def _with_usage(**counts: JSON) -> dict[str, JSON]:
    return {**LEDGER, "usage": {"retrieval_calls": 1, "content_extractions": 1, "report_sources": 1, **counts}}


def _without(name: str) -> dict[str, JSON]:
    return {key: value for key, value in LEDGER.items() if key != name}


@rule(
    "BUD101",
    "session-invalid",
    passes=[
        research_example("a clean ledger", session=LEDGER),
        research_example("no ledger", session=ABSENT),
        research_example(
            "usage that equals its ceilings", session=_with_usage(retrieval_calls=10, content_extractions=5)
        ),
        research_example(
            "further members are kept and ignored", session={**LEDGER, "mode_basis": "user", "request": None}
        ),
        research_example(
            "a canonical standard ledger",
            session={
                **LEDGER,
                "mode": "standard",
                "budget": {"retrieval_min": 15, "retrieval_max": 25, "content_max": 10, "report_sources_max": 20},
            },
        ),
        research_example(
            "times in other forms",
            session={**LEDGER, "created_at": "2025-03-06T06:00:00Z", "updated_at": "2025-03-06 10:00:00.5+02:00"},
        ),
        research_example("malformed JSON is another rule's business", session="{"),
    ],
    fails=[
        research_example(
            "a list instead of an object",
            Expected("the ledger is a list, where an object is expected", pointer="", artifact="session"),
            session="[]",
        ),
        research_example(
            "another schema",
            Expected(
                '`schema` is "deep-research/session-v2", not "deep-research/session-v1"',
                pointer="/schema",
                artifact="session",
            ),
            session={**LEDGER, "schema": "deep-research/session-v2"},
        ),
        research_example(
            "an unknown mode",
            Expected(
                '`mode` is "exhaustive", which is none of quick, standard, deep', pointer="/mode", artifact="session"
            ),
            session={**LEDGER, "mode": "exhaustive"},
        ),
        research_example(
            "no events",
            Expected("`events` is absent, where a list is expected", pointer="", artifact="session"),
            session=_without("events"),
        ),
        research_example(
            "no usage, and events that are no list",
            Expected("`usage` is absent, where an object is expected", pointer="", artifact="session"),
            Expected("`events` is an object, where a list is expected", pointer="/events", artifact="session"),
            session={**_without("usage"), "events": {}},
        ),
        research_example(
            "times that are none",
            Expected('`created_at` is "x", which is no ISO 8601 timestamp', pointer="/created_at", artifact="session"),
            Expected(
                '`updated_at` is "last week", which is no ISO 8601 timestamp', pointer="/updated_at", artifact="session"
            ),
            session={**LEDGER, "created_at": "x", "updated_at": "last week"},
        ),
        research_example(
            "a ceiling raised by hand",
            Expected(
                "`budget.report_sources_max` is 400, but a quick ledger has 8",
                pointer="/budget/report_sources_max",
                artifact="session",
            ),
            session={
                **LEDGER,
                "budget": {"retrieval_min": 5, "retrieval_max": 10, "content_max": 5, "report_sources_max": 400},
            },
        ),
        research_example(
            "true is no count",
            Expected(
                "`usage.content_extractions` is true, where a whole number is expected",
                pointer="/usage/content_extractions",
                artifact="session",
            ),
            session=_with_usage(content_extractions=True),
        ),
        research_example(
            "a negative count, and one above its ceiling",
            Expected(
                "`usage.retrieval_calls` is -1: a count is not negative",
                pointer="/usage/retrieval_calls",
                artifact="session",
            ),
            Expected(
                "`usage.content_extractions` is 6, above its ceiling of 5",
                pointer="/usage/content_extractions",
                artifact="session",
            ),
            session=_with_usage(retrieval_calls=-1, content_extractions=6),
        ),
    ],
)
def session_invalid(bundle: ResearchBundle) -> Iterator[Problem]:
    """The budget ledger fits its schema, is canonical for its mode, and counts what is possible.

    Why: the ledger shows that the promised work was done within its limits. One that was edited by hand shows nothing.

    Fix: restore the ledger that the run wrote; do not raise budgets or lower usage in it.
    """
    row = bundle.records.session
    if row is None:
        return
    if not isinstance(row.raw, dict):
        yield Problem(f"the ledger is {_shown(row.raw)}, where an object is expected", row.location)
        return
    yield from _words(row.raw)
    yield from _times(row.raw)
    yield from _budget(row.raw)
    yield from _usage(row.raw)
    if not isinstance(row.raw.get("events"), list):
        yield _expected(row.raw, "events", "a list")


def _words(ledger: Mapping[str, JSON]) -> Iterator[Problem]:
    schema = ledger.get("schema")
    if "schema" not in ledger:
        yield _expected(ledger, "schema", f'"{SCHEMA}"')
    elif schema != SCHEMA:
        yield Problem(f'`schema` is {_shown(schema)}, not "{SCHEMA}"', _at("schema"))
    for name, known in (("mode", MODES), ("research_kind", KINDS)):
        yield from _word(ledger, name, known)


def _word(ledger: Mapping[str, JSON], name: str, known: Collection[str]) -> Iterator[Problem]:
    if name not in ledger:
        yield _expected(ledger, name, " or ".join(known))
    elif ledger[name] not in list(known):
        yield Problem(f"`{name}` is {_shown(ledger[name])}, which is none of {', '.join(known)}", _at(name))


def _times(ledger: Mapping[str, JSON]) -> Iterator[Problem]:
    for name in ("session_id", "created_at", "updated_at"):
        value = ledger.get(name)
        if not isinstance(value, str) or not value.strip():
            yield _expected(ledger, name, "a text")
        elif name != "session_id" and read_timestamp(value) is None:
            yield Problem(f"`{name}` is {_shown(value)}, which is no ISO 8601 timestamp", _at(name))


def _budget(ledger: Mapping[str, JSON]) -> Iterator[Problem]:
    budget = ledger.get("budget")
    if not isinstance(budget, dict):
        yield _expected(ledger, "budget", "an object")
        return
    mode = ledger.get("mode")
    canonical: Mapping[str, int] = asdict(CANONICAL[mode]) if isinstance(mode, str) and mode in CANONICAL else {}
    for name in asdict(CANONICAL["quick"]):
        value = budget.get(name)
        if not _is_count(value):
            yield _expected(budget, name, "a whole number", "budget")
        elif canonical and value != canonical[name]:
            yield Problem(
                f"`budget.{name}` is {_shown(value)}, but a {mode} ledger has {canonical[name]}", _at("budget", name)
            )


def _usage(ledger: Mapping[str, JSON]) -> Iterator[Problem]:
    usage, budget, mode = ledger.get("usage"), ledger.get("budget"), ledger.get("mode")
    if not isinstance(usage, dict):
        yield _expected(ledger, "usage", "an object")
        return
    canonical: Mapping[str, JSON] = asdict(CANONICAL[mode]) if isinstance(mode, str) and mode in CANONICAL else {}
    ceilings = canonical or (budget if isinstance(budget, dict) else {})
    for name, limit in _CEILINGS.items():
        value, ceiling = usage.get(name), ceilings.get(limit)
        if not isinstance(value, int) or isinstance(value, bool):
            yield _expected(usage, name, "a whole number", "usage")
        elif value < 0:
            yield Problem(f"`usage.{name}` is {_shown(value)}: a count is not negative", _at("usage", name))
        elif isinstance(ceiling, int) and not isinstance(ceiling, bool) and value > ceiling:
            yield Problem(f"`usage.{name}` is {_shown(value)}, above its ceiling of {ceiling}", _at("usage", name))


def _is_count(value: JSON) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _expected(parent: Mapping[str, JSON], name: str, what: str, *above: str) -> Problem:
    dotted = ".".join((*above, name))
    if name not in parent:
        return Problem(f"`{dotted}` is absent, where {what} is expected", _at(*above))
    return Problem(f"`{dotted}` is {_shown(parent[name])}, where {what} is expected", _at(*above, name))


def _at(*path: str) -> Location:
    return Location(SESSION, pointer=pointer(*path))


def _shown(value: JSON) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value}"' if len(value) <= 60 else f'"{value[:59]}…"'
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            return str(value)[:60]

"""Words about a run as a whole, which every format shows: the configuration in force, and networks that are open."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from evidence_lint.cli.configuration import Configuration
from evidence_lint.cli.options import Options
from evidence_lint.config.settings import PathSettings, Settings

_LISTED = 8
_LONGEST = 200


def run_notices(options: Options, configuration: Configuration, networks: Sequence[str]) -> tuple[str, ...]:
    """What a reader has to know of a run beside its verdicts."""
    found = [*policy_notices(options, configuration)]
    if options.mode != "offline":
        found += network_notices(networks)
    return tuple(found)


def network_notices(networks: Sequence[str]) -> tuple[str, ...]:
    """Say which networks are open to captures although they are not public."""
    if not networks:
        return ()
    return (f"captures may reach {', '.join(networks)} (--allow-network): what was fetched there never counts as T1",)


def policy_notices(options: Options, configuration: Configuration) -> Iterator[str]:
    """Say which configuration is in force, and what it changes: somebody else than the reader may have written it."""
    changes = "; ".join(_changes(options, configuration))
    told = f": {changes}" if changes else ""
    if configuration.revision is not None:
        name = configuration.source or f"the defaults, since {configuration.revision} has no configuration"
        yield _line(f"policy {name}, as of commit {configuration.commit} ({configuration.ref}){told}")
    elif configuration.source is not None:
        yield _line(f"configuration {_shown_path(configuration.source)}{told or ' is in force'}")


def _changes(options: Options, configuration: Configuration) -> Iterator[str]:
    """What a configuration makes other than the defaults, in words; what the command line replaces is left out."""
    settings = configuration.settings
    if not options.select:
        yield from _selection(settings)
    yield from _pairs("severity", settings.severity)
    for pattern, override in settings.per_path.items():
        yield from (f"for {pattern} it {words}" for words in _selection(override))
        yield from _pairs(f"for {pattern} severity", override.severity)
    yield from _list("excludes", settings.exclude)
    fail_on = settings.fail_on
    if options.fail_on is None and fail_on != "error":
        yield f"fails on {fail_on}" if fail_on != "never" else "never fails (fail-on never)"
    if configuration.baseline.entries:
        known = len(configuration.baseline.entries)
        name = options.baseline or settings.baseline
        yield f"baseline {name} with {known} known {'failure' if known == 1 else 'failures'}"
    yield from _list("has suppressible", settings.suppressible if configuration.revision is not None else ())
    yield from _list("counts as T1", [entry.host for entry in settings.authority])
    yield from _list("has a layout for", list(settings.layout))
    yield from _list("runs local rules", settings.rules)
    yield from _list("loads plug-ins", settings.plugins)


def _selection(settings: Settings | PathSettings) -> Iterator[str]:
    yield from _list("selects", settings.select or ())
    yield from _list("selects besides", settings.extend_select)
    yield from _list("ignores", settings.ignore)


def _pairs(what: str, words: Mapping[str, str]) -> Iterator[str]:
    yield from _list(what, [f"{selector} {word}" for selector, word in words.items()])


def _list(what: str, words: Sequence[str]) -> Iterator[str]:
    if not words:
        return
    more = f" and {len(words) - _LISTED} more" if len(words) > _LISTED else ""
    yield f"{what} {', '.join(_cut(word) for word in words[:_LISTED])}{more}"


def _cut(word: str) -> str:
    return word if len(word) <= _LONGEST else word[: _LONGEST - 1] + "…"


def _shown_path(source: str) -> str:
    """The file relative to the current folder where it lies below it, as output shows all paths."""
    path, here = Path(source), Path(os.path.realpath(os.curdir))
    return str(path.relative_to(here)) if path.is_relative_to(here) else source


def _line(text: str) -> str:
    """One line, whatever stands in a configuration: some formats have lines that command."""
    return "".join(character if character.isprintable() else f"\\x{ord(character):02x}" for character in text)

"""Path patterns of the configuration (chapter 10), matched without the file system and without surprises in cost."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase


def path_matches(pattern: str, path: str) -> bool:
    """Whether a ``/``-separated relative path, or a folder above it, fits a pattern.

    ``*`` and ``?`` stay within one name, ``[ab]`` is a choice, ``**`` is any number of names. A pattern of a
    single name fits at any depth (``drafts``, ``*.tmp``); any other is anchored at the root that ``path`` is
    relative to. What fits a folder fits all that is below it.
    """
    wanted = _names(pattern)
    if not wanted:
        return False
    if len(wanted) == 1 and not pattern.startswith("/"):
        wanted = ["**", *wanted]
    return _fits(wanted, _names(path))


def matches_any(patterns: Iterable[str], path: str) -> bool:
    """Whether one of the patterns fits; see :func:`path_matches`."""
    return any(path_matches(pattern, path) for pattern in patterns)


def _names(path: str) -> list[str]:
    return [name for name in path.split("/") if name not in {"", "."}]


def _fits(wanted: list[str], names: list[str]) -> bool:
    """Walk all ways through the pattern at once: the cost is its length times the path's, however many ``**``."""
    states = _closed({0}, wanted)
    for name in names:
        if len(wanted) in states:
            return True
        stay = {at for at in states if wanted[at] == "**"}
        step = {at + 1 for at in states - stay if fnmatchcase(name, wanted[at])}
        states = _closed(stay | step, wanted)
    return len(wanted) in states


def _closed(states: set[int], wanted: list[str]) -> set[int]:
    """Add the states that are reached because ``**`` may stand for no name at all."""
    for at in range(len(wanted)):
        if at in states and wanted[at] == "**":
            states.add(at + 1)
    return states

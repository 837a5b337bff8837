"""How a pytest run was really started: the words of its command, and which of them select tests (chapter 5)."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evidence_lint.witness.receipt_argv import invoked


@dataclass(frozen=True, slots=True)
class Invocation:
    """The command of a run. ``selectors`` are words of ``argv``, or the ``/`` or ``=`` parts of one that matter."""

    argv: tuple[str, ...]
    selectors: tuple[str, ...]

    @property
    def command(self) -> str:
        """The command as one would type it."""
        return shlex.join(self.argv)


def command_words(started: Sequence[str], given: Sequence[str], original: Sequence[str]) -> tuple[str, ...] | None:
    """The command that started this run of pytest, or None when another program did.

    ``started`` is ``sys.argv``, ``given`` the arguments that pytest itself was given, ``original`` is
    ``sys.orig_argv``. The folder of the program is left out; options of Python stay, since they change what a run
    does.
    """
    if not started:
        return None
    program, arguments = Path(started[0]), tuple(given)
    if program.name in ("pytest", "py.test") and tuple(started[1:]) == arguments:
        return program.name, *arguments
    if program.parts[-2:] != ("pytest", "__main__.py") or tuple(started[1:]) != arguments or not original:
        return None
    head = len(original) - len(arguments)
    words = (Path(original[0]).name, *original[1:])
    starts_module = words[head - 1] == "-mpytest" or words[max(head - 2, 0) : head] == ("-m", "pytest")
    if head < 2 or words[head:] != arguments or not starts_module:
        return None
    return words if invoked("pytest", words) == arguments else None


def find_selectors(argv: Sequence[str], places: Sequence[str], patterns: Sequence[str], root: Path) -> tuple[str, ...]:
    """What of the command selects tests: files, folders and node ids as one finds them below ``root``, ``-k``, ``-m``.

    Only what stands in ``argv`` counts: an option of the configuration selects too, but the command does not show it.
    """
    found: list[str] = []
    for place in places:
        selector = _inside(place, root) if place in argv else ""
        if selector:
            found.append(selector)
    for pattern in patterns:
        if pattern and any(word == pattern or word.endswith(f"={pattern}") for word in argv):
            found.append(pattern)
    return tuple(dict.fromkeys(found))


def _inside(place: str, root: Path) -> str:
    """The part of ``path::node`` that names something in the repository, without what leads there; "" for no part."""
    path, separator, node = place.partition("::")
    if path.startswith("/"):
        real = Path(os.path.realpath(path))
        if root.is_relative_to(real):
            return ""
        below = real.relative_to(root).as_posix() if real.is_relative_to(root) else ""
        path = below if below and path.rstrip("/").endswith(f"/{below}") else path
    names = [name for name in re.split(r"/+", path) if name]
    begin = max((index for index, name in enumerate(names) if name in (".", "..")), default=-1) + 1
    kept = "/".join(names[begin:])
    if not kept:
        return ""
    return kept + separator + node

"""Executors: how the bundles of a run are checked, one after another or at once (``-j``).

An executor takes :class:`Work` and yields the result of every bundle by its number, in any order; the engine puts them
in order. It must fail closed: a bundle whose check was lost yields ``work.lost(number, why)``, never nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeAlias

from evidence_lint.model.capture import Capture
from evidence_lint.model.result import BundleResult

Capturing: TypeAlias = Callable[[Collection[str]], Mapping[str, Capture]]
"""Gives a capture for each URL; raises :class:`~evidence_lint.errors.Unavailable` when the run may not fetch."""

Check: TypeAlias = Callable[[int], BundleResult]
"""Checks the bundle of a number, from 0."""


@dataclass(frozen=True, slots=True)
class Work:
    """The bundles of a run, to be checked.

    ``jobs`` is how many the user wants at once. ``check`` checks here; ``in_worker`` makes a check for another process
    that opens what it needs on a stack of its own and asks this process for captures (``capture``), so that a page is
    fetched once in a run, however many work. ``lost`` makes the result of a bundle whose check did not come back.
    """

    count: int
    jobs: int
    check: Check
    in_worker: Callable[[ExitStack, Capturing], Check]
    capture: Capturing
    lost: Callable[[int, str], BundleResult]


Executor: TypeAlias = Callable[[Work], Iterator[tuple[int, BundleResult]]]


def one_after_another(work: Work) -> Iterator[tuple[int, BundleResult]]:
    """Check in this process, in order."""
    for number in range(work.count):
        yield number, work.check(number)

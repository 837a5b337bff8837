"""The executor behind ``-j``: forked worker processes that take one bundle after another.

A worker has everything that this process has loaded, opens repositories of its own, and asks this process for live
captures over its pipe. Results come back pickled; a worker that dies costs its bundle an errored verdict, not the run.
"""

from __future__ import annotations

import multiprocessing
import signal
import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import cast

from evidence_lint.errors import EvidenceLintError, SourceError, Unavailable
from evidence_lint.execute import Work, one_after_another
from evidence_lint.model.capture import Capture
from evidence_lint.model.result import BundleResult

_PATIENCE = 5.0
"""Seconds that a worker has to end by itself."""


def in_processes(work: Work) -> Iterator[tuple[int, BundleResult]]:
    """Check in ``work.jobs`` processes, where the system can fork; else here."""
    if "fork" not in multiprocessing.get_all_start_methods():
        yield from one_after_another(work)
        return
    pool = _Pool(work)
    try:
        yield from pool.run()
    finally:
        pool.close()


class _Pool:
    """The workers, and which bundle each of them has."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._left = iter(range(work.count))
        self._busy: dict[Connection, int] = {}
        self._processes: dict[Connection, BaseProcess] = {}

    def run(self) -> Iterator[tuple[int, BundleResult]]:
        """Hand out bundles until all have come back."""
        for _ in range(min(self._work.jobs, self._work.count)):
            self._give(self._start())
        while self._busy:
            for ready in wait(list(self._busy)):
                yield from self._heard(cast("Connection", ready))

    def close(self) -> None:
        """End the workers; those that are at work are stopped."""
        for connection, process in self._processes.items():
            if connection in self._busy:
                process.terminate()
            connection.close()
        for process in self._processes.values():
            process.join(_PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()

    def _start(self) -> Connection:
        context = multiprocessing.get_context("fork")
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, [here, *self._processes], self._work), daemon=True)
        with warnings.catch_warnings():
            # Other threads (a progress bar's) hold nothing that a worker asks for.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        there.close()
        self._processes[here] = process
        return here

    def _give(self, connection: Connection) -> None:
        number = next(self._left, None)
        if number is not None:
            connection.send(number)
            self._busy[connection] = number

    def _heard(self, connection: Connection) -> Iterator[tuple[int, BundleResult]]:
        number = self._busy[connection]
        try:
            kind, value = connection.recv()
            if kind == "capture":
                connection.send(self._captured(value))
                return
            del self._busy[connection]
            self._give(connection)
        except (EOFError, OSError):
            self._busy.pop(connection, None)
            yield number, self._work.lost(number, f"its worker process died ({self._bury(connection)})")
            self._replace()
            return
        if kind == "refused":
            raise cast("EvidenceLintError", value)
        yield number, value if kind == "done" else self._work.lost(number, value)

    def _replace(self) -> None:
        connection = self._start()
        self._give(connection)

    def _bury(self, connection: Connection) -> str:
        process = self._processes.pop(connection)
        process.join(_PATIENCE)
        connection.close()
        return f"status {process.exitcode}"

    def _captured(self, urls: Collection[str]) -> tuple[str, object]:
        try:
            return "done", dict(self._work.capture(urls))
        except Unavailable as reason:
            return "unavailable", (reason.code, reason.message)
        except Exception as problem:  # noqa: BLE001 - told to the worker, whose rules it concerns
            return "broken", f"{type(problem).__name__}: {problem}"


def _serve(connection: Connection, inherited: Collection[Connection], work: Work) -> None:
    """The life of a worker: a number in, a result out, until the pipe is closed."""
    for end in inherited:
        # The parent's ends: held here too, they would keep a pipe open that the parent has closed.
        end.close()
    # Ctrl-C is the parent's to answer; it ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with ExitStack() as stack:
        check = work.in_worker(stack, _Relay(connection))
        while True:
            try:
                number = connection.recv()
            except (EOFError, OSError):
                return
            try:
                message: tuple[str, object] = ("done", check(number))
            except EvidenceLintError as problem:
                message = ("refused", problem)
            try:
                connection.send(message)
            except (EOFError, OSError):
                return
            except Exception as problem:  # noqa: BLE001 - what cannot be pickled was not sent at all
                connection.send(("lost", f"its result cannot be sent: {type(problem).__name__}: {problem}"))


class _Relay:
    """Captures, asked for over the pipe."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __call__(self, urls: Collection[str]) -> Mapping[str, Capture]:
        self._connection.send(("capture", sorted(urls)))
        kind, value = self._connection.recv()
        if kind == "unavailable":
            raise Unavailable(*value)
        if kind == "broken":
            raise SourceError(value)
        return cast("Mapping[str, Capture]", value)

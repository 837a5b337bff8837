"""When to check: after a pause, one check at a time, never without end, and never what has changed meanwhile.

Lives on the event loop; checks run in threads of their own, which end with the program. The last finished result stays
in force until a newer one is there.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from evidence_lint.lsp.checker import Cancelled, Checker, Job, Snapshot, Trouble
from evidence_lint.lsp.documents import Document

Outcome = Snapshot | Trouble

PAUSE = 0.25
"""Seconds without a change before a check begins."""
LIMIT = 60.0
"""Seconds after which a check is called off."""
LIVE_LIMIT = 300.0
"""The same where pages are fetched."""
GRACE = 10.0
"""Seconds that a check has to end once it was called off; then it is left behind."""


class Scheduler:
    """Collects changes and starts checks. ``finish`` gets the outcome of each check that was not called off."""

    def __init__(
        self,
        checker: Checker,
        texts: Callable[[], Mapping[str, Document]],
        finish: Callable[[Job, Sequence[Outcome]], None],
        tell: Callable[[str], None],
        *,
        pause: float = PAUSE,
        limit: float = LIMIT,
        grace: float = GRACE,
    ) -> None:
        self._checker = checker
        self._texts = texts
        self._finish = finish
        self._tell = tell
        self._pause, self._limit, self._grace = pause, limit, grace
        self._waiting: set[Path] = set()
        self._live: list[tuple[Path, asyncio.Future[bool]]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._job: Job | None = None
        self._asked: asyncio.Future[bool] | None = None
        self._quiet = asyncio.Event()
        self._quiet.set()

    def touch(self, paths: Iterable[Path], *, pause: float | None = None) -> None:
        """Check the bundles of these files again, after a pause; a running check of them is called off."""
        changed = set(paths)
        if not changed:
            return
        self._waiting |= changed
        if self._job is not None and any(self._job.concerns(path) for path in changed):
            self._job.token.cancel("the files changed")
        self._start_later(self._pause if pause is None else pause)

    def forget(self, path: Path) -> None:
        """No longer wait to check a file, for it was closed."""
        self._waiting.discard(path)
        self._settle()

    async def live(self, path: Path) -> bool:
        """Check the bundles of a file once with live captures; False when a change got ahead of it."""
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._live.append((path, done))
        self._start_later(0)
        return await done

    async def settled(self, timeout: float) -> bool:
        """Wait until nothing is left to check; False when that takes longer than ``timeout`` seconds."""
        try:
            await asyncio.wait_for(self._quiet.wait(), timeout)
        except TimeoutError:
            return False
        return True

    def _start_later(self, pause: float) -> None:
        self._quiet.clear()
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(pause, self._start)

    def _start(self) -> None:
        self._timer = None
        if self._job is not None:
            # It starts the next one when it ends.
            return
        if self._waiting:
            paths, self._waiting = frozenset(self._waiting), set()
            self._begin(Job(paths, self._texts()), None, self._limit)
        elif self._live:
            path, asked = self._live.pop(0)
            self._begin(Job(frozenset({path}), self._texts(), mode="live"), asked, LIVE_LIMIT)
        else:
            self._settle()

    def _begin(self, job: Job, asked: asyncio.Future[bool] | None, limit: float) -> None:
        self._job, self._asked = job, asked
        loop = asyncio.get_running_loop()

        def work() -> None:
            answer: Sequence[Outcome] | BaseException
            try:
                answer = self._checker.check(job)
            except BaseException as problem:  # noqa: BLE001 - told to the editor; the thread has nobody else to tell
                answer = problem
            try:
                loop.call_soon_threadsafe(self._end, job, answer)
            except RuntimeError:
                # The loop is closed: the editor went away meanwhile.
                return

        threading.Thread(target=work, name="evidence-lint check", daemon=True).start()
        loop.call_later(limit, self._late, job, limit)

    def _late(self, job: Job, limit: float) -> None:
        if job is self._job:
            job.token.cancel(f"it took longer than {limit:g} seconds")
            asyncio.get_running_loop().call_later(self._grace, self._abandon, job)

    def _abandon(self, job: Job) -> None:
        if job is self._job:
            self._end(job, Cancelled(f"{job.token.reason} and did not end when told to; it is left behind"))

    def _end(self, job: Job, answer: Sequence[Outcome] | BaseException) -> None:
        if job is not self._job:
            return
        asked, self._job, self._asked = self._asked, None, None
        finished = not isinstance(answer, BaseException) and not job.token.cancelled
        if not isinstance(answer, BaseException) and finished:
            self._finish(job, answer)
        else:
            self._ended_badly(job, answer)
        if asked is not None and not asked.done():
            asked.set_result(finished)
        if self._timer is None:
            self._start()

    def _ended_badly(self, job: Job, answer: object) -> None:
        if job.token.reason == "the files changed":
            # What was called off for one file is still to be done for the others. Never live: nobody asked again.
            self._waiting |= job.paths
            return
        told = str(answer) if isinstance(answer, Cancelled) else job.token.reason
        words = told or f"{type(answer).__name__}: {answer}"
        names = ", ".join(sorted(path.name for path in job.paths))
        self._tell(f"the check of {names} was not finished, and the last result stands: {words}")

    def _settle(self) -> None:
        if self._job is None and self._timer is None and not self._waiting and not self._live:
            self._quiet.set()

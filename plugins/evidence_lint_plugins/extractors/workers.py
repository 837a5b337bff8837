"""Child processes in which pages are parsed: bounded in time and memory, whatever a page does to its parser.

A parser written in C cannot be interrupted, holds the interpreter's lock, and may crash on a page made for that; one
page must not end a run. A child is kept for the pages that follow, so its start is paid once, and several pages are
read at once.
"""

from __future__ import annotations

import atexit
import json
import os
import struct
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import Final, cast

LENGTH: Final = struct.Struct("!Q")
"""How a message's length precedes it on the pipe."""

MEMORY_LIMIT: Final = 1 << 30
"""Address space of a child, in bytes."""

#: More than there are processors, so that a few pages that take their whole time do not keep all others waiting.
_MOST_CHILDREN = max(4, min(8, os.cpu_count() or 4))
_MOST_JOBS = 500
_LARGEST_ANSWER = 1 << 28
_START = "import sys; sys.path[:] = sys.argv[1:]; from evidence_lint_plugins.extractors.child import main; main()"


class WorkerFailure(Exception):
    """A child could not do its job; the message says why, as a clause for a person."""


@dataclass(frozen=True, slots=True)
class Job:
    """What a child is asked: to read *body* (characters in UTF-8, or a PDF's bytes) as *kind* within *seconds*."""

    kind: str
    body: bytes
    seconds: float
    #: The child is not used again afterwards.
    last: bool = False


class _Child:
    def __init__(self) -> None:
        self.jobs = 0
        environment = {name: value for name, value in os.environ.items() if name in ("PATH", "LD_LIBRARY_PATH", "LANG")}
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter, on our own module
            [sys.executable, "-I", "-c", _START, *filter(os.path.isabs, sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )

    def ask(self, job: Job) -> dict[str, object]:
        """Return the child's answer; after :class:`WorkerFailure` the child is dead."""
        self.jobs += 1
        late = threading.Event()

        def give_up() -> None:
            late.set()
            self._process.kill()

        # A killed child closes its pipes, which ends every wait on them.
        alarm = threading.Timer(job.seconds, give_up)
        alarm.daemon = True
        alarm.start()
        try:
            return self._exchange(job)
        except (OSError, EOFError, ValueError) as error:
            self.close()
            if late.is_set():
                raise WorkerFailure(f"reading it took longer than {job.seconds:g} s") from error
            raise WorkerFailure(f"its parser broke down ({self._end()})") from error
        finally:
            alarm.cancel()

    def _exchange(self, job: Job) -> dict[str, object]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = json.dumps({"kind": job.kind, "seconds": job.seconds}).encode()
        for part in (order, job.body):
            self._process.stdin.write(LENGTH.pack(len(part)))
            self._process.stdin.write(part)
        self._process.stdin.flush()
        (size,) = cast("tuple[int]", LENGTH.unpack(self._read(LENGTH.size)))
        if size > _LARGEST_ANSWER:
            raise ValueError("the answer is too large")
        answer: object = json.loads(self._read(size))
        if not isinstance(answer, dict):
            raise ValueError("the answer is no object")  # noqa: TRY004 - a fault of the protocol
        return cast("dict[str, object]", answer)

    def _read(self, size: int) -> bytes:
        assert self._process.stdout is not None
        data = self._process.stdout.read(size)
        if len(data) != size:
            raise EOFError
        return data

    def _end(self) -> str:
        status = self._process.returncode
        return f"signal {-status}" if status is not None and status < 0 else f"exit status {status}"

    def close(self) -> None:
        """End the child, whatever it is doing."""
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:  # what was still to be written has no reader
                pass
        try:
            self._process.wait(0.2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class _Pool:
    def __init__(self) -> None:
        self._room = threading.BoundedSemaphore(_MOST_CHILDREN)
        self._idle: list[_Child] = []
        self._lock = threading.Lock()

    def run(self, job: Job) -> dict[str, object]:
        with self._room:
            child = self._take()
            answer = child.ask(job)
            if job.last or child.jobs >= _MOST_JOBS or answer.get("last"):
                child.close()
            else:
                with self._lock:
                    self._idle.append(child)
            return answer

    def _take(self) -> _Child:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        try:
            return _Child()
        except OSError as error:
            raise WorkerFailure(f"no process could be started to read it: {error}") from error

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for child in idle:
            child.close()

    def forget(self) -> None:
        """Leave the children to the process that started them."""
        self._idle = []
        self._lock = threading.Lock()
        self._room = threading.BoundedSemaphore(_MOST_CHILDREN)


_POOL = _Pool()
atexit.register(_POOL.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_POOL.forget)


def run(job: Job) -> dict[str, object]:
    """Have a child do *job*; raises :class:`WorkerFailure`. Callable from several threads at once."""
    return _POOL.run(job)


def close() -> None:
    """End the children that wait for work."""
    _POOL.close()

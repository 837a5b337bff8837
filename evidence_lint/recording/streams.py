"""Hashing everything that a process writes, while it is shown as before."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import select
import threading
import time
from dataclasses import dataclass

_CHUNK = 65536
_TAIL = 4096
_PATIENCE = 5.0
"""Seconds for which a stopped tee goes on reading what a process that it does not know keeps writing."""
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


@dataclass(frozen=True, slots=True)
class Stream:
    """What went through a file descriptor: SHA-256 of all bytes, their number, and the last line that says something.

    ``last_line`` is without terminal escapes, "" when nothing was written.
    """

    sha256: str
    size: int
    last_line: str


class Tee:
    """Puts a pipe in the place of a file descriptor and copies what comes out of it to where it went before.

    The descriptor itself is exchanged, so that what child processes and C code write is seen too. What it costs: the
    stream is no terminal while the tee runs (``was_terminal`` tells whether it was), and if the process is killed or
    crashes, its very last bytes may be lost.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._saved = os.dup(descriptor)
        self.was_terminal = os.isatty(self._saved)
        self._hash = hashlib.sha256()
        self._size = 0
        self._tail = b""
        self._forward = True
        self._source, sink = os.pipe()
        self._wake, self._waker = os.pipe()
        os.dup2(sink, descriptor)
        os.close(sink)
        self._thread = threading.Thread(target=self._copy, name=f"evidence-lint tee of {descriptor}", daemon=True)
        self._thread.start()

    def stop(self) -> Stream:
        """Put the descriptor back and return what went through it. What was written before is all counted."""
        os.dup2(self._saved, self._descriptor)
        os.close(self._waker)
        self._thread.join()
        for descriptor in (self._source, self._wake, self._saved):
            os.close(descriptor)
        return Stream(self._hash.hexdigest(), self._size, last_line(self._tail))

    def _copy(self) -> None:
        deadline: float | None = None
        while deadline is None or time.monotonic() < deadline:
            waiting = [self._source] if deadline is not None else [self._source, self._wake]
            ready, _, _ = select.select(waiting, [], [], 0 if deadline is not None else None)
            if self._source in ready:
                data = os.read(self._source, _CHUNK)
                if not data:
                    return
                self._take(data)
            elif deadline is not None:
                return
            if self._wake in ready:
                deadline = time.monotonic() + _PATIENCE

    def _take(self, data: bytes) -> None:
        self._hash.update(data)
        self._size += len(data)
        self._tail = (self._tail + data)[-_TAIL:]
        while self._forward and data:
            try:
                data = data[os.write(self._saved, data) :]
            except BlockingIOError:
                select.select([], [self._saved], [])
            except OSError:
                # The reader went away. The run goes on, and so does the hash of what it writes.
                self._forward = False


def last_line(tail: bytes) -> str:
    """The last line that is not blank, without terminal escapes and control characters."""
    text = _ESCAPES.sub("", tail.decode("utf-8", "replace"))
    lines = ["".join(c for c in line if c.isprintable()).strip() for line in re.split(r"[\r\n]+", text)]
    return next((line for line in reversed(lines) if line), "")


def discard(tees: list[Tee]) -> None:
    """Stop tees whose streams nobody wants any more."""
    for tee in tees:
        with contextlib.suppress(OSError):
            tee.stop()

"""Child processes of Git: started in a clean environment, bounded in time and in what they may say.

Why not GitPython's ``Git`` and ``Repo`` (checked in 3.2.1): its children inherit every ``GIT_*`` variable of the
caller and can only be given more, and ``Repo(path)`` itself fails under a hook's ``GIT_OBJECT_DIRECTORY``; its
persistent ``cat-file`` refuses SHA-256 ids (it demands 40 digits), leaves standard error in a pipe that nobody
reads, and has no deadline, so that a FIFO in the place of an object stops the run for ever.
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import tempfile
import time
import weakref
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from evidence_lint.sources.git_errors import GitFailed, GitUnavailable

DEFAULT_TIMEOUT = 60.0
"""Seconds that one request may take."""

DEFAULT_OUTPUT_LIMIT = 256 * 1024 * 1024
"""Bytes that one command may print."""

_CHUNK = 1 << 16
_STDERR_SHOWN = 2000


def _search_path() -> str:
    """PATH without relative entries: git is started inside the examined work tree, which may hold a ``./git``."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(entry for entry in entries if Path(entry).is_absolute())


def git_program() -> str:
    """Return the path of the git program; raises :class:`GitUnavailable` when there is none."""
    found = shutil.which("git", path=_search_path())
    if found is None:
        raise GitUnavailable("the git program was not found on PATH; install Git, or run without --repo")
    return found


def clean_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """The caller's environment without any ``GIT_*`` (a hook's ``GIT_DIR``!), plus ``settings``."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {"LC_ALL": "C", "LANGUAGE": "C", "PATH": _search_path()} | dict(settings)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a child and release its pipes; safe to call twice."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    if process.poll() is None:
        process.kill()
    process.wait()


class _Reader:
    """Buffered reading of a pipe with a deadline, which :class:`io.BufferedReader` cannot have."""

    __slots__ = ("_buffer", "_deadline", "_descriptor", "_poll", "_what")

    def __init__(self, pipe: IO[bytes], what: str) -> None:
        self._descriptor = pipe.fileno()
        self._buffer = bytearray()
        self._deadline = 0.0
        self._what = what
        self._poll = select.poll()
        self._poll.register(self._descriptor, select.POLLIN | select.POLLHUP)

    def allow(self, seconds: float) -> None:
        """Start the clock of one request."""
        self._deadline = time.monotonic() + seconds

    def _more(self, size: int = _CHUNK) -> bool:
        remaining = self._deadline - time.monotonic()
        if remaining <= 0 or not self._poll.poll(remaining * 1000):
            raise GitFailed(f"git {self._what} took too long and was stopped")
        data = os.read(self._descriptor, size)
        self._buffer += data
        return bool(data)

    def until(self, end: bytes) -> bytes:
        """Read up to and without ``end``; at the end of the stream, what is left (perhaps nothing)."""
        start = 0
        while (at := self._buffer.find(end, start)) < 0:
            start = len(self._buffer)
            if not self._more():
                at = len(self._buffer)
                break
        line = bytes(memoryview(self._buffer)[:at])
        del self._buffer[: at + len(end)]
        return line

    def exactly(self, size: int) -> bytes | None:
        """Read ``size`` bytes, or ``None`` when the stream ends before."""
        while len(self._buffer) < size:
            if not self._more(max(_CHUNK, min(size - len(self._buffer), 1 << 20))):
                return None
        data = bytes(memoryview(self._buffer)[:size])
        del self._buffer[:size]
        return data

    def rest(self, limit: int) -> bytes:
        """Read to the end of the stream; more than ``limit`` bytes is an error."""
        while self._more():
            if len(self._buffer) > limit:
                raise GitFailed(f"git {self._what} printed more than {limit} bytes and was stopped")
        return bytes(self._buffer)

    @property
    def at_end(self) -> bool:
        """Whether nothing is left; waits for the next byte."""
        return not self._buffer and not self._more()


class GitRunner:
    """Starts git in one directory with one environment."""

    def __init__(self, environment: Mapping[str, str], directory: Path) -> None:
        self._program = git_program()
        self._environment = clean_environment(environment)
        self._directory = directory

    def _start(
        self, arguments: Sequence[str | bytes], source: IO[bytes] | int, complaints: IO[bytes] | int
    ) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603 - a fixed program, arguments as a list, no shell
                [self._program, *arguments],
                env=self._environment,
                cwd=self._directory,
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
        except OSError as error:
            raise GitUnavailable(f"git could not be started: {error}") from error
        except ValueError as error:
            raise GitFailed(f"git cannot be given an argument with a NUL: {arguments!r}") from error

    @contextmanager
    def stream(
        self, *arguments: str | bytes, given: bytes = b"", end: bytes = b"\n", timeout: float = DEFAULT_TIMEOUT
    ) -> Generator[Iterator[bytes]]:
        """Run git and hand its records out as they come; leaving the context early stops it.

        A status other than 0, or ``timeout`` seconds in all, raises :class:`GitFailed` from the iteration.
        """
        with self._running(arguments, given, timeout) as (process, reader, complaints):
            yield self._records(process, reader, end, complaints)

    @contextmanager
    def _running(
        self, arguments: Sequence[str | bytes], given: bytes, timeout: float
    ) -> Generator[tuple[subprocess.Popen[bytes], _Reader, IO[bytes]]]:
        """A git command that reads ``given``: the process, its output and its complaints. It is stopped at the end."""
        with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as complaints:
            source.write(given)
            source.seek(0)
            process = self._start(arguments, source, complaints)
            try:
                assert process.stdout is not None
                reader = _Reader(process.stdout, str(arguments[0]))
                reader.allow(timeout)
                yield process, reader, complaints
            finally:
                _stop(process)

    @staticmethod
    def _records(
        process: subprocess.Popen[bytes], reader: _Reader, end: bytes, complaints: IO[bytes]
    ) -> Iterator[bytes]:
        while not reader.at_end:
            yield reader.until(end)
        _check(process, complaints)

    def run(
        self,
        *arguments: str | bytes,
        given: bytes = b"",
        timeout: float = DEFAULT_TIMEOUT,
        limit: int = DEFAULT_OUTPUT_LIMIT,
    ) -> bytes:
        """Run git to its end and return what it printed; any status but 0 raises :class:`GitFailed`."""
        return self._finish(arguments, given, timeout, limit, (0,))[1]

    def succeeds(self, *arguments: str | bytes, timeout: float = DEFAULT_TIMEOUT) -> bool:
        """Run a git command that answers by its status: 0 is yes, 1 no, anything else :class:`GitFailed`."""
        return self._finish(arguments, b"", timeout, DEFAULT_OUTPUT_LIMIT, (0, 1))[0] == 0

    def _finish(
        self,
        arguments: Sequence[str | bytes],
        given: bytes,
        timeout: float,
        limit: int,
        accept: tuple[int, ...],
    ) -> tuple[int, bytes]:
        with self._running(arguments, given, timeout) as (process, reader, complaints):
            output = reader.rest(limit)
            return _check(process, complaints, accept), output

    def conversation(self, *arguments: str) -> Conversation:
        """Start a git command that answers requests until it is closed."""
        process = self._start(arguments, subprocess.PIPE, subprocess.DEVNULL)
        return Conversation(process, arguments[0])


def _check(process: subprocess.Popen[bytes], complaints: IO[bytes], accept: tuple[int, ...] = (0,)) -> int:
    """Wait for a child that has closed its output; raise when its status is not acceptable."""
    try:
        status = process.wait(timeout=10)
    except subprocess.TimeoutExpired as error:
        raise GitFailed("git did not end after its output and was stopped") from error
    if status not in accept:
        complaints.seek(0)
        said = complaints.read(_STDERR_SHOWN).decode("utf-8", "replace").strip()
        assert isinstance(process.args, list)
        raise GitFailed(f"git {process.args[1]} ended with status {status}: {said or 'no message'}")
    return status


class Conversation:
    """A persistent git command: one line in, an answer out. For one thread at a time."""

    def __init__(self, process: subprocess.Popen[bytes], what: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._input = process.stdin.fileno()
        self._reader = _Reader(process.stdout, what)
        self._close = weakref.finalize(self, _stop, process)

    def ask(self, request: bytes, timeout: float = DEFAULT_TIMEOUT) -> bytes:
        """Send one line and return the first line of the answer; empty when the command has died."""
        self._reader.allow(timeout)
        # A request is far smaller than a pipe's buffer, and the previous answer was read: this cannot block.
        with suppress(BrokenPipeError):
            os.write(self._input, request + b"\n")
        return self._reader.until(b"\n")

    def body(self, size: int) -> bytes | None:
        """Read ``size`` bytes and the line feed behind them; ``None`` when the command has died."""
        data = self._reader.exactly(size + 1)
        return None if data is None else data[:-1]

    def close(self) -> None:
        """Stop the command."""
        self._close()

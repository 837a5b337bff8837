"""The receipt of a pytest run, recorded from inside it (chapter 5).

What is hashed: ``stdout_sha256`` and ``stderr_sha256`` are over all bytes that went to file descriptors 1 and 2 of the
pytest process, from before the first conftest was imported until pytest ended, whoever wrote them (pytest, the
tests under ``-s``, child processes). ``pytest … >out 2>err`` leaves files with these hashes. Output that pytest
captured is in it as far as pytest showed it; what xdist's workers write and is not shown is not.

What is tested: the files of the commit that the run loaded as modules, the files whose tests ran, and what pytest-cov
measured, if it was on. A file that only a child process read is known through coverage alone.

The run is watched, with two exceptions: standard output is no terminal meanwhile (colours stay), and Python writes no
``__pycache__``, which would make a checkout dirty that does not ignore it.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from evidence_lint.errors import EvidenceLintError, SourceError
from evidence_lint.model.repository import Snapshot
from evidence_lint.recording.document import dumps
from evidence_lint.recording.invocation import Invocation, command_words, find_selectors
from evidence_lint.recording.loaded import committed_paths, measured_files, module_files
from evidence_lint.recording.receipt import RECORDER, complete
from evidence_lint.recording.streams import Stream, Tee, discard
from evidence_lint.sources.git import GitRepository

if TYPE_CHECKING:
    from typing import TextIO

WORKER_FILES = "evidence_lint_files"
_RUNS_NOTHING = (
    "collectonly",
    "setuponly",
    "setupplan",
    "showfixtures",
    "show_fixtures_per_test",
    "markers",
    "version",
)
_WORDS = ("failed", "passed", "skipped", "deselected", "xfailed", "xpassed", "error", "rerun")


def begin(config: pytest.Config, options: object) -> None:
    """Start to record this run, or refuse with :class:`pytest.UsageError`; the end of ``config`` ends the recording."""
    recorder = Recorder(config, options)
    config.pluginmanager.register(recorder, "evidence_lint_recorder")
    # First in, last out: by then pytest's own capture has put back the descriptors that it found.
    config.add_cleanup(recorder.finish)


class Recorder:
    """Watches one run and writes its receipt when everything else has ended."""

    def __init__(self, config: pytest.Config, options: object) -> None:
        self._config = config
        self._path = Path(os.path.abspath(str(getattr(options, "evidence_receipt", ""))))  # noqa: PTH100 - as named
        self._covers = covered(getattr(options, "evidence_covers", None) or ())
        self._id = str(getattr(options, "evidence_id", "")).strip() or "test-1"
        if not self._covers:
            raise pytest.UsageError(
                "--evidence-receipt needs --evidence-covers ID: what does the run give evidence for?"
            )
        if os.path.lexists(self._path):
            raise pytest.UsageError(f"--evidence-receipt: {self._path} exists; a receipt is never overwritten")
        self._words = _words(config)
        self._before, self._root = _first_snapshot(config)
        self._after: Snapshot | None = None
        self._session: pytest.Session | None = None
        self._invocation = Invocation(self._words, ())
        self._counts: Counter[str] = Counter()
        self._files: set[str] = set()
        self._paths: list[str] = []
        self._trouble = ""
        self._started = datetime.now(UTC)
        self._clock = time.monotonic()
        sys.dont_write_bytecode = True
        _flush()
        self._tees = [Tee(1), Tee(2)]

    # The run

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Settle what the command selects; refuse a run that tests nothing."""
        option = config.option
        if any(getattr(option, name, False) for name in _RUNS_NOTHING):
            raise pytest.UsageError("--evidence-receipt: this command runs no test")
        patterns = (getattr(option, "keyword", ""), getattr(option, "markexpr", ""))
        selectors = find_selectors(self._words, [str(place) for place in config.args], patterns, self._root)
        if not selectors:
            raise pytest.UsageError(
                "--evidence-receipt: a receipt says which tests ran; name files, folders or node ids "
                "on the command line, or give `-k EXPRESSION` in words of its own"
            )
        self._invocation = Invocation(self._words, selectors)
        if self._tees[0].was_terminal and getattr(option, "color", "") == "auto":
            option.color = "yes"

    def pytest_report_header(self) -> list[str]:
        """Say that the run is recorded, and on what."""
        state = "DIRTY, which supports no High" if self._before.dirty else "clean"
        return [
            f"evidence receipt: {self._path} for {', '.join(self._covers)}; {self._before.head_commit[:12]}, {state}"
        ]

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Keep the session: it knows how the run ended."""
        self._session = session

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a result as pytest does, and note the file that the test stands in."""
        category = self._config.hook.pytest_report_teststatus(report=report, config=self._config)[0]
        if category:
            self._counts[category] += 1
        self._files.add(os.path.join(self._config.rootpath, report.nodeid.partition("::")[0]))  # noqa: PTH118

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Count a file that could not be collected."""
        if report.failed:
            self._counts["error"] += 1

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Count what was left out."""
        self._counts["deselected"] += len(items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Take over what a worker of xdist loaded."""
        output: dict[str, list[str]] = getattr(node, "workeroutput", None) or {}
        self._files.update(output.get(WORKER_FILES, ()))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Look at the repository again, before reports and caches are written."""
        try:
            self._files |= module_files() | measured_files(self._config.pluginmanager.getplugin("_cov"))
            with GitRepository.open(self._root) as repository:
                self._after = repository.snapshot()
                self._paths = committed_paths(repository, self._before.head_commit, self._root, self._files)
        except SourceError as problem:
            self._trouble = str(problem)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what keeps the receipt from being of use, as long as it can still be read."""
        faults = list(self._faults())
        if faults:
            terminalreporter.section("evidence receipt")
            for fault in faults:
                terminalreporter.write_line(fault)

    def _faults(self) -> Iterable[str]:
        if self._trouble or self._after is None:
            yield f"no receipt: the repository could not be read after the run ({self._trouble})"
            return
        if self._dirty:
            yield "the checkout differs from its commit (see git status); the receipt says so, and supports no High"
        if not self._counts["passed"] + self._counts["xpassed"]:
            yield "no test passed, so the receipt supports nothing"
        if not self._paths:
            yield "no file of the commit was loaded: are the tests committed?"

    @property
    def _dirty(self) -> bool:
        return self._after is None or self._before.dirty or self._after.dirty or self._before != self._after

    # The receipt

    def finish(self) -> None:
        """End the recording and write the receipt; a run that never got to its tests has none."""
        _flush()
        tees, self._tees = self._tees, []
        if self._session is None or self._after is None:
            discard(tees)
            return
        streams = [tee.stop() for tee in tees]
        try:
            record = complete(self._fields(int(self._session.exitstatus), *streams))
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("x", encoding="utf-8") as file:
                file.write(dumps(record) + "\n")
        except (OSError, ValueError, EvidenceLintError) as problem:
            sys.stderr.write(f"evidence-lint: no receipt: {self._path} cannot be written: {problem}\n")
            if not self._session.exitstatus:
                self._session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def _fields(self, exit_code: int, out: Stream, err: Stream) -> dict[str, object]:
        duration = time.monotonic() - self._clock
        passed = exit_code == 0 and self._counts["passed"] + self._counts["xpassed"] > 0
        return {
            "id": self._id,
            "argv": list(self._invocation.argv),
            "command": self._invocation.command,
            "framework": "pytest",
            "test_target": " ".join(self._invocation.selectors),
            "selectors": list(self._invocation.selectors),
            "tested_paths": self._paths,
            "covers": list(self._covers),
            "repository": {
                "root": self._before.root,
                "head_commit": self._before.head_commit,
                "tree_hash": self._before.tree_hash,
                "dirty": self._dirty,
            },
            "started_at": self._started.isoformat(timespec="microseconds"),
            "finished_at": datetime.now(UTC).isoformat(timespec="microseconds"),
            "duration_seconds": round(duration, 3),
            "exit_code": exit_code,
            "status": "passed" if passed else "failed",
            "summary": self._summary(duration),
            "stdout_summary": out.last_line[:300],
            "stderr_summary": err.last_line[:300],
            "stdout_sha256": out.sha256,
            "stderr_sha256": err.sha256,
            "run": self._circumstances(out, err),
        }

    def _summary(self, duration: float) -> str:
        told = [f"{self._counts[word]} {_counted(word, self._counts[word])}" for word in _WORDS if self._counts[word]]
        return f"{', '.join(told) or 'no tests ran'} in {duration:.2f}s"

    def _circumstances(self, out: Stream, err: Stream) -> dict[str, object]:
        """What else a reader needs to repeat the run, beyond the contract's fields."""
        config = self._config
        return {
            "recorder": RECORDER,
            "pytest": pytest.__version__,
            "python": platform.python_version(),
            "directory": os.path.relpath(config.invocation_params.dir, self._root).replace(os.sep, "/"),
            "addopts": [*config.getini("addopts"), *filter(None, [os.environ.get("PYTEST_ADDOPTS")])],
            "outcomes": dict(sorted(self._counts.items())),
            "stdout_bytes": out.size,
            "stderr_bytes": err.size,
        }


class WorkerFiles:
    """In a worker of xdist: hands the files that it loaded to the run that started it."""

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send the files along with the worker's other output."""
        output = getattr(session.config, "workeroutput", None)
        if isinstance(output, dict):
            output[WORKER_FILES] = sorted(module_files())


def covered(values: Iterable[str]) -> tuple[str, ...]:
    """The ids of ``--evidence-covers``, which may be repeated and hold commas; each once."""
    return tuple(dict.fromkeys(name.strip() for value in values for name in value.split(",") if name.strip()))


def _words(config: pytest.Config) -> tuple[str, ...]:
    given = [str(word) for word in config.invocation_params.args]
    words = command_words(sys.argv, given, sys.orig_argv)
    if words is None:
        raise pytest.UsageError(
            "--evidence-receipt: this run was not started by the command `pytest` or `python -m pytest` itself, so its "
            "receipt could not say how to repeat it (for coverage use `pytest --cov`)"
        )
    try:
        "".join(words).encode()
    except UnicodeEncodeError:
        raise pytest.UsageError("--evidence-receipt: a word of the command is not UTF-8") from None
    return words


def _first_snapshot(config: pytest.Config) -> tuple[Snapshot, Path]:
    try:
        with GitRepository.open(config.rootpath) as repository:
            if repository.root is None:
                raise pytest.UsageError(f"--evidence-receipt: {config.rootpath} is a bare repository")
            return repository.snapshot(), repository.root
    except SourceError as problem:
        raise pytest.UsageError(f"--evidence-receipt: {problem}") from problem


def _counted(word: str, number: int) -> str:
    return "errors" if word == "error" and number != 1 else word


def _flush() -> None:
    streams: tuple[TextIO | None, ...] = (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__)
    for stream in streams:
        if stream is not None and not stream.closed:
            stream.flush()

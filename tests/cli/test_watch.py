from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from evidence_lint.cli.watch import watch
from evidence_lint.errors import UsageError
from tests.support.cli_support import faulty, write_bundle


def _until(test: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not test():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


def test_a_changed_file_is_checked_again(tmp_path: Path) -> None:
    write_bundle(tmp_path / "docs")
    log = tmp_path / "log"
    with log.open("wb") as file:
        running = subprocess.Popen(
            [sys.executable, "-m", "evidence_lint", "check", "docs", "--offline", "--format", "concise", "--watch"],
            cwd=tmp_path,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
        try:
            _until(lambda: log.read_text().count("waiting for changes") == 1)
            assert "0 failed" in log.read_text()
            faulty(tmp_path / "docs")
            _until(lambda: "WEB104" in log.read_text() and log.read_text().endswith("ends)\n"))
            (tmp_path / "evidence-lint.toml").write_text("selct = []")
            faulty(tmp_path / "docs")
            _until(lambda: "there is no such key" in log.read_text())
            (tmp_path / "evidence-lint.toml").write_text("")
            write_bundle(tmp_path / "docs")
            _until(
                lambda: (
                    log.read_text().rstrip().endswith("ends)") and "0 failed" in log.read_text().rpartition("WEB104")[2]
                )
            )
            running.send_signal(signal.SIGINT)
            assert running.wait(20) == 0, "the status of the last check"
        finally:
            running.kill()
            running.wait()
    assert "Traceback" not in log.read_text()


def test_the_first_error_is_raised() -> None:
    def check() -> object:
        raise UsageError("no such file")

    with pytest.raises(UsageError):
        watch(check)  # type: ignore[arg-type]

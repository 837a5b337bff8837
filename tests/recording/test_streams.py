from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from evidence_lint.recording.streams import Tee, last_line


def pipe_to(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)


def test_everything_is_shown_and_hashed_whoever_writes_it(tmp_path: Path) -> None:
    descriptor = pipe_to(tmp_path / "out")
    tee = Tee(descriptor)
    os.write(descriptor, b"first\n")
    subprocess.run([sys.executable, "-c", "print('x' * 200_000)"], stdout=descriptor, check=True)
    os.write(descriptor, b"\x1b[32mlast \x1b[0m\n\n")
    stream = tee.stop()
    os.write(descriptor, b"after\n")
    os.close(descriptor)
    shown = (tmp_path / "out").read_bytes().removesuffix(b"after\n")
    assert len(shown) == stream.size == 6 + 200_001 + 16
    assert hashlib.sha256(shown).hexdigest() == stream.sha256
    assert stream.last_line == "last"
    assert not tee.was_terminal


def test_a_child_that_keeps_the_stream_open_does_not_hold_it_up(tmp_path: Path) -> None:
    descriptor = pipe_to(tmp_path / "out")
    tee = Tee(descriptor)
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stdout=descriptor)
    os.write(descriptor, b"all\n")
    assert tee.stop().size == 4
    child.communicate(b"\n")
    os.close(descriptor)


def test_a_reader_that_goes_away_does_not_stop_the_hash() -> None:
    source, sink = os.pipe()
    tee = Tee(sink)
    os.close(source)
    data = b"y" * 500_000
    os.write(sink, data[:250_000])
    os.write(sink, data[250_000:])
    assert tee.stop().sha256 == hashlib.sha256(data).hexdigest()
    os.close(sink)


def test_nothing_is_written(tmp_path: Path) -> None:
    descriptor = pipe_to(tmp_path / "out")
    assert Tee(descriptor).stop().size == 0
    os.close(descriptor)
    assert last_line(b" \n\r\n") == ""

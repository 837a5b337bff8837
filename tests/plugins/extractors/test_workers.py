"""The child processes: reused, bounded in time and memory, replaced when a page breaks them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from evidence_lint_plugins.extractors import child, dispatch, workers
from evidence_lint_plugins.extractors.workers import Job, WorkerFailure

PAGE = "<title>t</title><p>words <span hidden>no</span> here"


@pytest.fixture(scope="module", autouse=True)
def _no_child_left() -> Iterator[None]:
    yield
    workers.close()


def html(markup: str, seconds: float = 10.0) -> dict[str, object]:
    return workers.run(Job("text/html", markup.encode("utf-8", "surrogatepass"), seconds))


def test_child_reads_as_this_process_would() -> None:
    found = html(PAGE)
    here = child.read("text/html", PAGE.encode(), 10.0)
    assert (found["text"], found["title"], found["hidden_text"]) == (here.text, here.title, here.hidden_text)
    assert found["text"] == "words here"


def test_many_threads_get_their_own_answers() -> None:
    """B055: order and company change nothing."""
    pages = [f"<p>page {number} " + "x " * (number % 7 * 3000) + "<p>end" for number in range(60)]
    with ThreadPoolExecutor(12) as pool:
        texts = [str(answer["text"]) for answer in pool.map(html, pages)]
    assert [text.split()[1] for text in texts] == [str(number) for number in range(60)]
    assert len(set(texts)) == 60


def test_time_is_bounded_and_the_next_page_is_read() -> None:
    begun = time.monotonic()
    with pytest.raises(WorkerFailure, match=r"took longer than 0\.5 s"):
        html("<div>" * 400_000, seconds=0.5)
    assert time.monotonic() - begun < 20
    assert html(PAGE)["text"] == "words here"


def test_memory_is_bounded_and_the_next_page_is_read() -> None:
    """Each paragraph opens all the formatting elements that are still open again: a small page, a huge tree."""
    found = dispatch.extract(
        "".join(f"<p><b id={n}>x" for n in range(6_000)).encode(), "text/html", None, "https://a.example/"
    )
    assert found.text == ""
    assert found.problem is not None
    assert html(PAGE)["text"] == "words here"


def test_child_that_dies_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    workers.close()
    monkeypatch.setattr(workers, "_START", "import os; os._exit(9)")
    with pytest.raises(WorkerFailure, match=r"broke down \(exit status 9\)"):
        html(PAGE)


def test_child_that_talks_nonsense_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    workers.close()
    for nonsense in (b"\xff" * 100, workers.LENGTH.pack(2) + b"[]", workers.LENGTH.pack(3) + b"{{{", b"abc"):
        monkeypatch.setattr(
            workers, "_START", f"import sys; sys.stdin.buffer.read(8); sys.stdout.buffer.write({nonsense!r})"
        )
        with pytest.raises(WorkerFailure, match="broke down"):
            html(PAGE)


def test_child_that_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    workers.close()
    monkeypatch.setattr("sys.executable", "/nonexistent/python")
    found = dispatch.extract(PAGE.encode(), "text/html", None, "https://a.example/")
    assert found.text == ""
    assert found.problem is not None
    assert "no process could be started" in found.problem


def test_child_sees_no_secrets_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    workers.close()
    monkeypatch.setenv("EVIDENCE_LINT_TEST_TOKEN", "token")
    answer = workers.LENGTH
    script = (
        "import sys, os, json, struct; data = json.dumps({'text': ' '.join(os.environ)}).encode(); "
        f"sys.stdout.buffer.write(struct.pack({answer.format!r}, len(data)) + data)"
    )
    monkeypatch.setattr(workers, "_START", script)
    assert "EVIDENCE_LINT_TEST_TOKEN" not in str(workers.run(Job("text/html", b"", 10.0, last=True))["text"])


def test_failure_of_a_reader_is_an_answer() -> None:
    found = workers.run(Job("text/html", b"\xff\xfe lone \xed\xa0\x80 bytes", 10.0))
    assert "lone" in str(found["text"])
    assert workers.run(Job("application/xml", b"", 10.0))["problem"] is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_starts_children_of_its_own() -> None:
    script = (
        "import os; from evidence_lint_plugins.extractors import extract\n"
        "def read(): return extract(b'<p>x', 'text/html', None, '').text\n"
        "assert read() == 'x'\n"
        "if (child := os.fork()) == 0: os._exit(0 if read() == 'x' else 1)\n"
        "texts = [read() for _ in range(50)]\n"
        "assert os.waitpid(child, 0)[1] == 0 and texts == ['x'] * 50"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")

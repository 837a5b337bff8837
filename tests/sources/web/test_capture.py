from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from evidence_lint.model.capture import CaptureLimits, CaptureOutcome
from evidence_lint.sources.web.capture import WebSource, capture_pages
from tests.sources.web.local_servers import LOOPBACK, Request, Web, always, by_path, plain_extract, reply

ARTICLE = "<title>Article</title>" + "<p>The quick brown fox jumps over the lazy dog.</p>" * 80


class Gauge:
    """A handler that takes a moment and remembers how many were inside at once, in all and by host."""

    def __init__(self, seconds: float = 0.05) -> None:
        self.seconds = seconds
        self.now: dict[str, int] = {}
        self.most: dict[str, int] = {}
        self.most_in_all = 0

    async def __call__(self, request: Request, writer: asyncio.StreamWriter) -> None:
        host = request.headers["host"].partition(":")[0]
        self.now[host] = self.now.get(host, 0) + 1
        self.most[host] = max(self.most.get(host, 0), self.now[host])
        self.most_in_all = max(self.most_in_all, sum(self.now.values()))
        await asyncio.sleep(self.seconds)
        self.now[host] -= 1
        writer.write(reply(ARTICLE))


def test_one_capture_for_each_distinct_url(web: Web) -> None:
    server = web.serve(always(reply(ARTICLE)), "a.example")
    page = f"http://a.example:{server.port}/p"
    urls = [page, f"{page}#one", page, f"{page}#:~:text=two", f"{page}?q"]
    captures = web.capture_all(*urls)
    assert list(captures) == list(dict.fromkeys(urls))
    assert [request.path for request in server.requests] == ["/p", "/p?q"]
    assert {url: capture.requested_url for url, capture in captures.items()} == {url: url for url in urls}
    assert captures[page].raw_sha256 == captures[f"{page}#one"].raw_sha256
    assert captures[page].fetched_at == captures[f"{page}#one"].fetched_at


def test_nothing_to_do(web: Web) -> None:
    assert web.capture_all() == {}


def test_limits_of_concurrency(web: Web) -> None:
    gauge = Gauge()
    hosts = [f"{letter}.example" for letter in "abcdef"]
    server = web.serve(gauge, *hosts)
    web.capture_all(
        *[f"http://{host}:{server.port}/{n}" for n in range(6) for host in hosts], concurrency=9, per_host=2
    )
    assert gauge.most == dict.fromkeys(hosts, 2)
    assert gauge.most_in_all == 9


def test_defaults_are_sixteen_at_once_and_four_a_host() -> None:
    assert (CaptureLimits().concurrency, CaptureLimits().per_host) == (16, 4)


def test_a_slow_host_holds_nobody_else_up(web: Web) -> None:
    slow = web.serve(Gauge(0.3), "slow.example")
    fast = web.serve(Gauge(0.0), "fast.example")
    order: list[str] = []
    urls = [f"http://slow.example:{slow.port}/{n}" for n in range(8)] + [
        f"http://fast.example:{fast.port}/{n}" for n in range(8)
    ]
    web.capture_all(
        *urls, concurrency=4, per_host=2, progress=lambda capture, _done, _total: order.append(capture.final_url)
    )
    assert all("fast.example" in url for url in order[:8])


def test_redirects_count_for_the_host_they_lead_to(web: Web) -> None:
    gauge = Gauge()
    inner = web.serve(gauge, "inner.example")
    routes = {f"/{n}": reply("", 302, ("Location", f"http://inner.example:{inner.port}/{n}")) for n in range(8)}
    outer = web.serve(by_path(routes), "a.example", "b.example", "c.example", "d.example")
    urls = [f"http://{host}.example:{outer.port}/{n}" for n in range(8) for host in "abcd"]
    captures = web.capture_all(*urls, per_host=3, total_timeout=10)
    assert {capture.outcome for capture in captures.values()} == {CaptureOutcome.OK}
    assert gauge.most == {"inner.example": 3}


def test_redirects_back_and_forth_do_not_deadlock(web: Web) -> None:
    async def handler(request: Request, writer: asyncio.StreamWriter) -> None:
        host, _, port = request.headers["host"].partition(":")
        if request.path.startswith("/end"):
            writer.write(reply(ARTICLE))
        else:
            other = "b.example" if host == "a.example" else "a.example"
            writer.write(reply("", 302, ("Location", f"http://{other}:{port}/end{request.path}")))

    server = web.serve(handler, "a.example", "b.example")
    urls = [f"http://{host}:{server.port}/{n}" for n in range(10) for host in ("a.example", "b.example")]
    captures = web.capture_all(*urls, concurrency=2, per_host=1)
    assert {capture.outcome for capture in captures.values()} == {CaptureOutcome.OK}


def test_waiting_for_a_slot_costs_no_time_of_the_capture(web: Web) -> None:
    server = web.serve(Gauge(0.2), "a.example")
    captures = web.capture_all(
        *[f"http://a.example:{server.port}/{n}" for n in range(6)], per_host=1, total_timeout=0.9
    )
    assert {capture.outcome for capture in captures.values()} == {CaptureOutcome.OK}


def test_retry_after_is_for_the_whole_host(web: Web) -> None:
    seen: list[float] = []

    async def handler(_request: Request, writer: asyncio.StreamWriter) -> None:
        seen.append(time.monotonic())
        writer.write(reply("", 429, ("Retry-After", "1")) if len(seen) == 1 else reply(ARTICLE))

    server = web.serve(handler, "a.example")
    captures = web.capture_all(*[f"http://a.example:{server.port}/{n}" for n in range(3)], per_host=1)
    assert {capture.outcome for capture in captures.values()} == {CaptureOutcome.OK}
    assert seen[1] - seen[0] >= 1


def test_one_bad_page_does_not_touch_the_others(web: Web) -> None:
    routes = {"/good": reply(ARTICLE), "/gone": reply("", 404)}
    server = web.serve(by_path(routes), "a.example")
    base = f"http://a.example:{server.port}"
    urls = [f"{base}/good", f"{base}/gone", "http://127.0.0.1\\@x/", "nonsense", "http://gone.example/"]
    outcomes = [capture.outcome for capture in web.capture_all(*urls).values()]
    assert outcomes == [
        CaptureOutcome.OK, CaptureOutcome.HTTP_ERROR, CaptureOutcome.UNSAFE_TARGET, CaptureOutcome.UNSAFE_TARGET,
        CaptureOutcome.DNS_FAILURE,
    ]  # fmt: skip


def test_progress(web: Web) -> None:
    server = web.serve(always(reply(ARTICLE)), "a.example")
    seen: list[tuple[int, int]] = []
    web.capture_all(
        *[f"http://a.example:{server.port}/{n}" for n in range(3)],
        progress=lambda _c, done, total: seen.append((done, total)),
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_an_error_of_the_caller_ends_the_run(web: Web) -> None:
    def progress(*_: object) -> None:
        raise KeyError("mine")

    server = web.serve(Gauge(2.0), "a.example")
    start = time.monotonic()
    with pytest.raises(KeyError, match="mine"):
        web.capture_all("nonsense", *[f"http://a.example:{server.port}/{n}" for n in range(30)], progress=progress)
    assert time.monotonic() - start < 6


def test_inside_a_running_loop_it_says_so(web: Web) -> None:
    async def main() -> None:
        web.capture_all("http://a.example/")

    with pytest.raises(RuntimeError, match="capture_pages_async"):
        asyncio.run(main())


def test_web_source(web: Web) -> None:
    server = web.serve(always(reply(ARTICLE)), "a.example")
    source = WebSource(plain_extract, resolver=web.resolve, allow_networks=LOOPBACK)
    url = f"http://a.example:{server.port}/"
    assert source.capture([url])[url].outcome is CaptureOutcome.OK


def test_facts_are_json_and_hold_no_text(web: Web) -> None:
    server = web.serve(always(reply(ARTICLE)), "a.example")
    capture = web.capture(f"http://a.example:{server.port}/")
    facts = json.loads(json.dumps(capture.facts()))
    assert facts["outcome"] == "ok"
    assert facts["hops"][0]["addresses"] == ["127.0.0.1"]
    assert "quick brown fox" not in json.dumps(facts)


def test_every_outcome_has_words() -> None:
    for outcome in CaptureOutcome:
        assert len(outcome.message) > 10
        assert outcome.help.endswith(".")


@pytest.mark.parametrize(
    "bad", [{"concurrency": 0}, {"per_host": 0}, {"max_bytes": 0}, {"total_timeout": 0}, {"max_redirects": -1}]
)
def test_limits_that_mean_nothing_are_refused(bad: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(bad))):
        CaptureLimits(**bad)


def test_the_model_does_not_load_the_network() -> None:
    code = (
        "import sys, evidence_lint.model.capture; "
        "sys.exit(any(name in sys.modules for name in ('httpx', 'httpcore', 'ssl', 'asyncio')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_interrupt_ends_at_once_even_with_a_hanging_lookup() -> None:
    code = textwrap.dedent(
        """
        import sys, threading, time, os, signal
        from evidence_lint.model.capture import Extraction
        from evidence_lint.sources.web.capture import capture_pages

        def hang(host):
            print("asked", flush=True)
            time.sleep(60)

        try:
            capture_pages(["http://a.example/", "http://b.example/"], extract=lambda *_: Extraction(""), resolver=hang)
        except KeyboardInterrupt:
            sys.exit(2)
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.1)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=5)
    assert (process.returncode, errors) == (2, "")
    assert time.monotonic() - start < 8


def test_two_hundred_pages(web: Web) -> None:
    """200 pages with 100 ms latency, 20 at once: 1 s is the floor."""
    server = web.serve(Gauge(0.1), "a.example")
    urls = [f"http://a.example:{server.port}/{n}" for n in range(200)]
    start = time.monotonic()
    captures = capture_pages(
        urls,
        extract=plain_extract,
        limits=CaptureLimits(concurrency=20, per_host=20),
        resolver=web.resolve,
        allow_networks=LOOPBACK,
    )
    print(f"200 pages: {time.monotonic() - start:.2f} s")
    assert {capture.outcome for capture in captures.values()} == {CaptureOutcome.OK}
    assert time.monotonic() - start < 15

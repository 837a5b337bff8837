from __future__ import annotations

import asyncio
import gzip
import random
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_lint.model.capture import CaptureOutcome, Extraction
from evidence_lint.sources.web.politeness import retry_delay
from tests.sources.web.local_servers import Request, Web, always, by_path, reply

ARTICLE = "<title>Article</title>" + "<p>The quick brown fox jumps over the lazy dog.</p>" * 80


def test_a_page(web: Web) -> None:
    server = web.serve(always(reply(ARTICLE, media="Text/HTML; Charset=UTF-8")), "a.example")
    before = datetime.now(UTC)
    capture = web.capture(f"http://a.example:{server.port}/p?q#frag")
    assert capture.outcome is CaptureOutcome.OK
    assert capture.outcome_given(True) is CaptureOutcome.OK
    assert (capture.status, capture.media_type, capture.charset, capture.extractor) == (
        200,
        "text/html",
        "utf-8",
        "plain 1",
    )
    assert capture.title == "Article"
    assert capture.requested_url == f"http://a.example:{server.port}/p?q#frag"
    assert capture.final_url == f"http://a.example:{server.port}/p?q"
    assert before <= capture.fetched_at <= datetime.now(UTC)
    assert len(capture.raw_sha256) == len(capture.text_sha256) == 64
    assert (capture.size, capture.attempts, capture.truncated, capture.redirected) == (len(ARTICLE), 1, False, False)
    [request] = server.requests
    assert request.headers["accept-encoding"] == "gzip, deflate"
    assert request.headers["user-agent"].startswith("evidence-lint/")
    assert "cookie" not in request.headers


@pytest.mark.parametrize(
    ("status", "dead", "turned_away"),
    [
        *((status, False, False) for status in (204, 301, 304, 400, 500)),
        *((status, True, False) for status in (404, 410)),
        *((status, False, True) for status in (401, 403, 451, 999)),
    ],
)
def test_status(web: Web, status: int, dead: bool, turned_away: bool) -> None:
    server = web.serve(always(reply(ARTICLE if status not in (204, 304) else "", status)), "a.example")
    capture = web.capture(f"http://a.example:{server.port}/")
    assert capture.outcome is CaptureOutcome.HTTP_ERROR
    assert (capture.status, capture.dead, capture.unreachable_for_us) == (status, dead, turned_away)
    assert str(status) in capture.reason
    assert (capture.text, capture.searchable, capture.attempts) == ("", False, 1)
    assert capture.outcome_given(True) is CaptureOutcome.HTTP_ERROR


def test_only_get_is_used(web: Web) -> None:
    """A server that answers HEAD with an error is never asked that way (B059): the only request line is GET's."""
    lines: list[str] = []

    async def handler(request: Request, writer: asyncio.StreamWriter) -> None:
        lines.append(request.path)
        writer.write(reply(ARTICLE))

    server = web.serve(handler, "a.example")
    assert web.capture(f"http://a.example:{server.port}/x").outcome is CaptureOutcome.OK
    assert lines == ["/x"]


# --- redirects ----------------------------------------------------------------------------------------------


def chain(length: int) -> dict[str, bytes]:
    routes = {f"/{n}": reply("", 302, ("Location", f"/{n + 1}")) for n in range(length)}
    return routes | {f"/{length}": reply(ARTICLE)}


def test_five_redirects_are_followed_and_six_are_not(web: Web) -> None:
    server = web.serve(by_path(chain(6)), "a.example")
    five, six = web.capture_all(f"http://a.example:{server.port}/1", f"http://a.example:{server.port}/0").values()
    assert five.outcome is CaptureOutcome.OK
    assert five.redirected
    assert len(five.hops) == 6
    assert six.outcome is CaptureOutcome.TOO_MANY_REDIRECTS
    assert len(six.hops) == 6


@pytest.mark.parametrize("cycle", [["/"], ["/", "/b"], ["/", "/b", "/c"]])
def test_a_loop_is_refused_at_once(web: Web, cycle: list[str]) -> None:
    routes = {path: reply("", 302, ("Location", cycle[(n + 1) % len(cycle)])) for n, path in enumerate(cycle)}
    server = web.serve(by_path(routes), "a.example")
    capture = web.capture(f"http://a.example:{server.port}/")
    assert capture.outcome is CaptureOutcome.REDIRECT_LOOP
    assert "redirect loop" in capture.reason
    assert server.connections == len(cycle)


def test_a_redirect_to_itself_that_sets_a_cookie_is_followed(web: Web) -> None:
    async def handler(request: Request, writer: asyncio.StreamWriter) -> None:
        if "s=1" in request.headers.get("cookie", ""):
            writer.write(reply(ARTICLE))
        else:
            writer.write(reply("", 302, ("Location", "/"), ("Set-Cookie", "s=1; Path=/")))

    server = web.serve(handler, "a.example")
    capture = web.capture(f"http://a.example:{server.port}/")
    assert capture.outcome is CaptureOutcome.OK
    assert [hop.status for hop in capture.hops] == [302, 200]
    other = web.capture(f"http://a.example:{server.port}/")
    assert len(other.hops) == 2, "cookies of one capture must not be seen by the next"


def test_endless_cookies_are_a_redirect_loop(web: Web) -> None:
    count = iter(range(100))

    async def handler(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(reply("", 302, ("Location", "/"), ("Set-Cookie", f"s={next(count)}; Path=/")))

    server = web.serve(handler, "a.example")
    capture = web.capture(f"http://a.example:{server.port}/")
    assert capture.outcome is CaptureOutcome.REDIRECT_LOOP
    assert server.connections == 6


def test_cookies_stay_with_their_host(web: Web) -> None:
    routes: dict[str, bytes] = {"/end": reply(ARTICLE)}
    server = web.serve(by_path(routes), "a.site.example", "b.site.example")
    cookie = ("Set-Cookie", "s=1; Path=/; Domain=site.example")
    routes["/"] = reply("", 302, ("Location", f"http://b.site.example:{server.port}/end"), cookie)
    assert web.capture(f"http://a.site.example:{server.port}/").outcome is CaptureOutcome.OK
    assert "cookie" not in server.requests[1].headers


def test_the_body_of_a_redirect_is_not_read(web: Web) -> None:
    async def handler(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.path == "/end":
            writer.write(reply(ARTICLE))
            return
        writer.write(b"HTTP/1.1 302 X\r\nLocation: /end\r\n\r\n")
        while True:
            writer.write(b"x" * 65536)
            await writer.drain()

    server = web.serve(handler, "a.example")
    assert web.capture(f"http://a.example:{server.port}/").outcome is CaptureOutcome.OK


# --- time and size ------------------------------------------------------------------------------------------


async def drip_body(_request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.02)


async def drip_header(_request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for n in range(10_000):
        writer.write(b"X-%d: x\r\n" % n)
        await writer.drain()
        await asyncio.sleep(0.02)


async def silence(_request: Request, _writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(30)


async def stall(_request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
    await writer.drain()
    await asyncio.sleep(30)


@pytest.mark.parametrize(
    ("handler", "words"),
    [(drip_body, "in all"), (drip_header, "did not answer"), (silence, "a.example"), (stall, "stopped sending")],
)
def test_slow_servers_are_cut(web: Web, handler, words: str) -> None:
    server = web.serve(handler, "a.example")
    start = time.monotonic()
    capture = web.capture(f"http://a.example:{server.port}/", hop_timeout=0.3, total_timeout=0.6)
    assert capture.outcome is CaptureOutcome.TIMEOUT
    assert words in capture.reason
    assert time.monotonic() - start < 20
    assert not capture.text


def test_the_total_covers_all_hops(web: Web) -> None:
    async def handler(request: Request, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        writer.write(reply("", 302, ("Location", request.path + "x")))

    server = web.serve(handler, "a.example")
    capture = web.capture(f"http://a.example:{server.port}/", total_timeout=0.5)
    assert capture.outcome is CaptureOutcome.TIMEOUT
    assert len(capture.hops) in (2, 3)


def test_an_endless_body_is_cut_at_the_limit(web: Web) -> None:
    async def handler(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        while True:
            writer.write(b"word " * 10_000)
            await writer.drain()

    server = web.serve(handler, "a.example")
    capture = web.capture(f"http://a.example:{server.port}/", max_bytes=100_000)
    assert capture.outcome is CaptureOutcome.OK
    assert capture.truncated
    assert capture.size == 100_000


def test_a_gzip_bomb_is_cut_or_refused(web: Web) -> None:
    bomb = gzip.compress(b"\0" * (200 << 20), 9)
    server = web.serve(always(reply(bomb, 200, ("Content-Encoding", "gzip"), media="text/plain")), "a.example")
    start = time.monotonic()
    capture = web.capture(f"http://a.example:{server.port}/")
    assert capture.truncated or capture.outcome is CaptureOutcome.DECODE_FAILURE
    assert capture.size <= 5 << 20
    assert time.monotonic() - start < 20


@pytest.mark.parametrize(
    ("coding", "body", "outcome", "note"),
    [
        ("gzip", gzip.compress(ARTICLE.encode(), mtime=0), CaptureOutcome.OK, ""),
        ("x-gzip", gzip.compress(ARTICLE.encode(), mtime=0), CaptureOutcome.OK, ""),
        ("gzip", ARTICLE.encode(), CaptureOutcome.OK, "plain text"),
        ("gzip", gzip.compress(ARTICLE.encode(), mtime=0)[:-9], CaptureOutcome.DECODE_FAILURE, ""),
        ("br", b"\x0b\x02\x80hello\x03", CaptureOutcome.DECODE_FAILURE, ""),
        ("gzip, gzip", gzip.compress(gzip.compress(b"x", mtime=0), mtime=0), CaptureOutcome.DECODE_FAILURE, ""),
    ],
)
def test_content_coding(web: Web, coding: str, body: bytes, outcome: CaptureOutcome, note: str) -> None:
    server = web.serve(always(reply(body, 200, ("Content-Encoding", coding))), "a.example")
    capture = web.capture(f"http://a.example:{server.port}/")
    assert capture.outcome is outcome
    assert any(note in each for each in capture.notes) if note else not capture.notes
    assert ("quick brown fox" in capture.text) is (outcome is CaptureOutcome.OK)


def test_a_dead_page_is_dead_in_any_coding(web: Web) -> None:
    server = web.serve(always(reply(b"\x1f\x8b", 404, ("Content-Encoding", "gzip"))), "a.example")
    assert web.capture(f"http://a.example:{server.port}/").dead


# --- broken HTTP --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort", CaptureOutcome.PROTOCOL_FAILURE),
        (b"HTTP/1.1 200 OK\r\nContent-Length: nine\r\n\r\nx", CaptureOutcome.PROTOCOL_FAILURE),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", CaptureOutcome.PROTOCOL_FAILURE),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nxx", CaptureOutcome.PROTOCOL_FAILURE),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\ngarbage", CaptureOutcome.PROTOCOL_FAILURE),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", CaptureOutcome.PROTOCOL_FAILURE),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\nx", CaptureOutcome.PROTOCOL_FAILURE),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx", CaptureOutcome.PROTOCOL_FAILURE),
        (b"garbage\r\n\r\n", CaptureOutcome.PROTOCOL_FAILURE),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", CaptureOutcome.PROTOCOL_FAILURE),
        (b"HTTP/1.1 200 OK\r\nBad Header\r\n\r\n", CaptureOutcome.PROTOCOL_FAILURE),
        (b"HTTP/1.1 200 OK\r\nX: " + b"a" * 200_000 + b"\r\n\r\n", CaptureOutcome.PROTOCOL_FAILURE),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 40_000 + b"\r\n", CaptureOutcome.PROTOCOL_FAILURE),
        (b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", CaptureOutcome.PROTOCOL_FAILURE),
        (b"", CaptureOutcome.PROTOCOL_FAILURE),
        (b"HTTP/1.1 302 X\r\nLocation: \xff\xfe\x80\r\n\r\n", CaptureOutcome.UNSAFE_TARGET),
    ],
    ids=range(16),
)  # fmt: skip
def test_broken_answers_are_outcomes(web: Web, answer: bytes, outcome: CaptureOutcome) -> None:
    async def handler(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(answer if request.path == "/" else reply("none", 404))

    server = web.serve(handler, "a.example")
    capture = web.capture(f"http://a.example:{server.port}/", hop_timeout=1)
    assert capture.outcome is outcome
    assert capture.reason
    assert not capture.text


def test_nobody_listens(web: Web) -> None:
    server = web.serve(always(b""))
    port = server.port
    server.close()
    web.servers.clear()
    web.names["a.example"] = ["127.0.0.1"]
    capture = web.capture(f"http://a.example:{port}/")
    assert capture.outcome is CaptureOutcome.CONNECTION_FAILURE
    assert capture.hops[0].connected == ""


def test_answers_of_another_length_than_stated_end_where_they_say(web: Web) -> None:
    server = web.serve(always(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, world"), "a.example")
    assert web.capture(f"http://a.example:{server.port}/").text == "hello"


# --- retries ------------------------------------------------------------------------------------------------


def failing(times: int, status: int, *headers: tuple[str, str]):
    seen: list[float] = []

    async def handler(_request: Request, writer: asyncio.StreamWriter) -> None:
        seen.append(time.monotonic())
        writer.write(reply("busy", status, *headers) if len(seen) <= times else reply(ARTICLE))

    return handler, seen


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_busy_servers_are_asked_again(web: Web, status: int) -> None:
    handler, seen = failing(2, status)
    server = web.serve(handler, "a.example")
    capture = web.capture(f"http://a.example:{server.port}/", backoff=0.05)
    assert capture.outcome is CaptureOutcome.OK
    assert (capture.attempts, len(capture.hops), len(web.lookups)) == (3, 1, 1)
    assert seen[1] - seen[0] >= 0.05
    assert seen[2] - seen[1] >= 0.1


@pytest.mark.parametrize("status", [429, 503])
def test_at_most_two_retries(web: Web, status: int) -> None:
    handler, seen = failing(9, status)
    server = web.serve(handler, "a.example")
    capture = web.capture(f"http://a.example:{server.port}/")
    assert (capture.outcome, capture.status, len(seen)) == (CaptureOutcome.HTTP_ERROR, status, 3)


def test_retry_after_in_seconds_is_honoured(web: Web) -> None:
    handler, seen = failing(1, 429, ("Retry-After", "1"))
    server = web.serve(handler, "a.example")
    assert web.capture(f"http://a.example:{server.port}/").outcome is CaptureOutcome.OK
    assert seen[1] - seen[0] >= 1


def test_retry_after_as_a_date_is_honoured(web: Web) -> None:
    when = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=2)
    handler, _ = failing(1, 503, ("Retry-After", format_datetime(when, usegmt=True)))
    server = web.serve(handler, "a.example")
    assert web.capture(f"http://a.example:{server.port}/").outcome is CaptureOutcome.OK
    assert datetime.now(UTC) >= when


@pytest.mark.parametrize("value", ["3600", "99999999999999999999", "Fri, 31 Dec 2999 23:59:59 GMT"])
def test_a_long_retry_after_is_not_waited_for(web: Web, value: str) -> None:
    handler, seen = failing(1, 429, ("Retry-After", value))
    server = web.serve(handler, "a.example")
    capture = web.capture(f"http://a.example:{server.port}/")
    assert (capture.status, len(seen)) == (429, 1)
    assert any("left alone" in note for note in capture.notes)
    assert capture.unreachable_for_us


@pytest.mark.parametrize("value", ["soon", "", "-1", "Fri, 99 Foo", "Fri, 31 Dec 1999 23:59:59 GMT", "١"])
def test_other_retry_after_values_back_off(web: Web, value: str) -> None:
    handler, seen = failing(1, 429, ("Retry-After", value.encode().decode("latin-1")))
    server = web.serve(handler, "a.example")
    assert web.capture(f"http://a.example:{server.port}/").outcome is CaptureOutcome.OK
    assert len(seen) == 2


@pytest.mark.parametrize("status", [400, 403, 404, 500])
def test_other_errors_are_not_retried(web: Web, status: int) -> None:
    handler, seen = failing(1, status)
    server = web.serve(handler, "a.example")
    assert web.capture(f"http://a.example:{server.port}/").status == status
    assert len(seen) == 1


# --- media and extraction -----------------------------------------------------------------------------------


def test_pictures_are_not_downloaded(web: Web) -> None:
    async def handler(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(30)

    server = web.serve(handler, "a.example")
    capture = web.capture(f"http://a.example:{server.port}/")
    assert capture.outcome is CaptureOutcome.UNSUPPORTED_MEDIA
    assert "image/png" in capture.reason


def test_what_the_extractor_gets_and_says(web: Web) -> None:
    server = web.serve(always(reply(b"%PDF-1.7", media="Application/PDF; charset=x")), "a.example")
    calls: list[tuple[object, ...]] = []

    def extract(*args: object) -> Extraction:
        calls.append(args)
        return Extraction("the text", "T", None, "pdf 5", "hidden", None)

    url = f"http://a.example:{server.port}/"
    capture = web.capture(url, extract=extract)
    assert calls == [(b"%PDF-1.7", "application/pdf", "x", url)]
    assert (capture.text, capture.title, capture.extractor, capture.hidden_text) == ("the text", "T", "pdf 5", "hidden")


@pytest.mark.parametrize(
    ("extraction", "outcome", "truncated"),
    [
        (
            Extraction("", problem="no reader for application/x", unsupported=True),
            CaptureOutcome.UNSUPPORTED_MEDIA,
            False,
        ),
        (Extraction("", problem="no text layer"), CaptureOutcome.EXTRACTION_FAILED, False),
        (Extraction("pages 1 and 2", problem="pages 3 to 5 have no text layer"), CaptureOutcome.OK, True),
        (Extraction(""), CaptureOutcome.OK, False),
    ],
)
def test_what_the_extractor_says_is_judged(
    web: Web, extraction: Extraction, outcome: CaptureOutcome, truncated: bool
) -> None:
    server = web.serve(always(reply(b"x y z", media="application/x")), "a.example")
    capture = web.capture(f"http://a.example:{server.port}/", extract=lambda *_: extraction)
    assert (capture.outcome, capture.truncated) == (outcome, truncated)
    assert capture.searchable is bool(extraction.text)


def test_a_broken_extractor_is_an_outcome(web: Web) -> None:
    def extract(*_: object) -> Extraction:
        raise RecursionError("too deep")

    server = web.serve(always(reply(ARTICLE)), "a.example")
    capture = web.capture(f"http://a.example:{server.port}/", extract=extract)
    assert capture.outcome is CaptureOutcome.EXTRACTION_FAILED
    assert "RecursionError: too deep" in capture.reason


def test_a_hanging_extractor_is_given_up(web: Web) -> None:
    def extract(*_: object) -> Extraction:
        time.sleep(0.5)
        return Extraction("late")

    server = web.serve(always(reply(ARTICLE)), "a.example")
    capture = web.capture(f"http://a.example:{server.port}/", extract=extract, extract_timeout=0.1)
    assert capture.outcome is CaptureOutcome.EXTRACTION_FAILED
    assert not capture.text


def test_a_part_that_was_not_asked_for_is_truncated(web: Web) -> None:
    server = web.serve(always(reply(ARTICLE, 206)), "a.example")
    assert web.capture(f"http://a.example:{server.port}/").truncated


def test_mangled_answers_never_raise(web: Web) -> None:
    """Answers with random damage end as outcomes, whatever was hit."""
    chance = random.Random(20261130)
    sound = [
        reply(ARTICLE[:600]),
        reply(gzip.compress(ARTICLE.encode(), mtime=0), 200, ("Content-Encoding", "gzip")),
        reply("", 302, ("Location", "/next"), ("Set-Cookie", "a=b; Path=/; Expires=Wed, 21 Oct 2035 07:28:00 GMT")),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n",
        reply("slow down", 503, ("Retry-After", "0")),
    ]

    async def handler(_request: Request, writer: asyncio.StreamWriter) -> None:
        answer = bytearray(chance.choice(sound))
        for _ in range(chance.randint(0, 6)):
            place = chance.randrange(len(answer))
            if chance.random() < 0.5:
                answer[place] = chance.randrange(256)
            else:
                del answer[place : place + chance.randint(1, 4)]
        writer.write(bytes(answer))

    server = web.serve(handler, "a.example")
    captures = web.capture_all(
        *[f"http://a.example:{server.port}/{n}" for n in range(400)], per_host=16, hop_timeout=0.5
    )
    outcomes = Counter(capture.outcome for capture in captures.values())
    assert outcomes.total() == 400
    assert outcomes[CaptureOutcome.OK] > 40
    assert outcomes[CaptureOutcome.PROTOCOL_FAILURE] > 20


@pytest.mark.parametrize(
    ("header", "charset"),
    [
        ("text/html", None),
        ("text/html; charset=ISO-8859-1", "iso-8859-1"),
        ('text/html; a=b; CharSet = "utf-8"', "utf-8"),
        ("text/html; charset='Shift_JIS'", "shift_jis"),
        ("text/html; charset=", None),
        ("text/html; charset=\xfc", None),
    ],
)
def test_charset_of_the_header(web: Web, header: str, charset: str | None) -> None:
    server = web.serve(always(reply(ARTICLE, media=header)), "a.example")
    seen: list[str | None] = []

    def extract(_body: bytes, _media: str, given: str | None, _url: str) -> Extraction:
        seen.append(given)
        return Extraction("text")

    assert web.capture(f"http://a.example:{server.port}/", extract=extract).media_type == "text/html"
    assert seen == [charset]


@given(
    st.text(max_size=40)
    | st.from_regex(r"[A-Z][a-z]{2}, \d{1,25} [A-Z][a-z]{2} \d{1,25} \d\d:\d\d:\d\d ([+-]\d{1,25}|GMT)")
)
def test_any_retry_after_is_read(value: str) -> None:
    assert retry_delay(value, 1, 0.5) >= 0


def test_cookies_with_odd_values(web: Web) -> None:
    async def handler(request: Request, writer: asyncio.StreamWriter) -> None:
        if "cookie" in request.headers:
            writer.write(reply(ARTICLE))
        else:
            odd = [
                ("Set-Cookie", value)
                for value in ("a=\xe9\xff; Path=/", "b", "=c", ";;", "d=" + "x" * 5000, "e=1; Expires=x")
            ]
            writer.write(reply("", 302, ("Location", "/"), *odd))

    server = web.serve(handler, "a.example")
    assert web.capture(f"http://a.example:{server.port}/").outcome is CaptureOutcome.OK

"""Nothing that is not public is ever contacted: each test counts what reached a listener on loopback."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time

import httpcore
import pytest

from evidence_lint.errors import ConfigError
from evidence_lint.model.capture import CaptureOutcome
from evidence_lint.sources.web.backend import PinnedBackend, check_peer
from evidence_lint.sources.web.resolver import system_resolver
from tests.sources.web.hostile import HOSTILE_HOSTS, HOSTILE_URLS
from tests.sources.web.local_servers import Web, always, by_path, reply

PUBLIC = "93.184.216.34"


def test_no_hostile_url_reaches_the_listener(web: Web) -> None:
    server = web.serve(always(reply("secret")))
    six = web.serve(always(reply("secret")), host="::1", port=server.port)
    urls = [f"http://{host}:{server.port}/" for host in HOSTILE_HOSTS] + [f"https://{host}/" for host in HOSTILE_HOSTS]
    urls += HOSTILE_URLS
    captures = web.capture_all(*urls, allow=())
    assert len(captures) == len(set(urls))
    assert {capture.outcome for capture in captures.values()} == {CaptureOutcome.UNSAFE_TARGET}
    assert all(capture.reason and not capture.text for capture in captures.values())
    assert (server.connections, six.connections, web.dialled, web.lookups) == (0, 0, [], [])


@pytest.mark.parametrize(
    "answers",
    [["127.0.0.1"], ["::1"], [PUBLIC, "10.0.0.5"], ["10.0.0.5", PUBLIC], [PUBLIC, "::1"], ["2606:2800::1", "127.0.0.1"],
     ["::ffff:127.0.0.1"], ["64:ff9b::7f00:1"], ["fe80::1%eth0"], ["169.254.169.254"], ["0.0.0.0"], [PUBLIC, "none"],
     [PUBLIC] * 20 + ["192.168.0.1"], ["127.0.0.1 "], ["localhost"], ["2130706433"], ["0x7f.1"]],
)  # fmt: skip
def test_any_non_public_answer_refuses_the_name(web: Web, answers: list[str]) -> None:
    server = web.serve(always(reply("secret")))
    web.names["mixed.example"] = answers
    capture = web.capture(f"http://mixed.example:{server.port}/", allow=())
    assert capture.outcome is CaptureOutcome.UNSAFE_TARGET
    assert "mixed.example" in capture.reason
    assert (server.connections, web.dialled, web.lookups) == (0, [], ["mixed.example"])


def test_an_exception_covers_its_network_alone(web: Web) -> None:
    server = web.serve(always(reply("secret")))
    web.names["a.example"] = ["127.0.0.1", "10.0.0.1"]
    capture = web.capture(f"http://a.example:{server.port}/", allow=["127.0.0.0/8"])
    assert capture.outcome is CaptureOutcome.UNSAFE_TARGET
    assert "10.0.0.1 (private)" in capture.reason
    assert (server.connections, web.dialled) == (0, [])


def test_an_exception_does_not_lift_the_ban_on_local_names(web: Web) -> None:
    server = web.serve(always(reply("x")), "localhost", "wiki")
    urls = [f"http://{host}:{server.port}/" for host in ("localhost", "wiki", "u@127.0.0.1")]
    assert {c.outcome for c in web.capture_all(*urls).values()} == {CaptureOutcome.UNSAFE_TARGET}
    assert server.connections == 0


def test_an_exception_is_recorded(web: Web) -> None:
    server = web.serve(always(reply("<p>hello world")), "a.example")
    for url in (
        f"http://a.example:{server.port}/",
        f"http://127.0.0.1:{server.port}/",
        f"http://0x7f.1:{server.port}/",
    ):
        capture = web.capture(url)
        assert capture.outcome is CaptureOutcome.OK
        assert capture.via_allowed_network
        assert capture.facts()["via_allowed_network"] is True
        assert capture.hops[0].connected == "127.0.0.1"


def test_rebinding_between_two_lookups_is_not_possible(web: Web) -> None:
    """The name is asked for once a hop, and what was judged is what is dialled (B071)."""
    allowed = web.serve(always(reply("good")))
    forbidden = web.serve(always(reply("secret")), host="127.0.0.66", port=allowed.port)
    asked: list[str] = []

    class Flipping(dict):
        def get(self, host, default=None):
            asked.append(host)
            return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.66"]

    web.names = Flipping()
    capture = web.capture(f"http://flip.example:{allowed.port}/", allow=["127.0.0.1/32"])
    assert capture.text == "good"
    assert asked == ["flip.example"]
    assert (allowed.connections, forbidden.connections) == (1, 0)
    again = web.capture(f"http://flip.example:{allowed.port}/", allow=["127.0.0.1/32"])
    assert again.outcome is CaptureOutcome.UNSAFE_TARGET
    assert forbidden.connections == 0


def test_one_lookup_a_hop(web: Web) -> None:
    routes: dict[str, bytes] = {"/end": reply("<p>the end")}
    server = web.serve(by_path(routes), "a.example", "b.example", "c.example")
    routes["/"] = reply("", 302, ("Location", f"http://b.example:{server.port}/2"))
    routes["/2"] = reply("", 307, ("Location", f"//c.example:{server.port}/end"))
    capture = web.capture(f"http://a.example:{server.port}/")
    assert web.lookups == ["a.example", "b.example", "c.example"]
    assert [hop.url for hop in capture.hops] == [
        f"http://a.example:{server.port}/", f"http://b.example:{server.port}/2", f"http://c.example:{server.port}/end"
    ]  # fmt: skip
    assert [hop.status for hop in capture.hops] == [302, 307, 200]
    assert capture.final_url == capture.hops[-1].url


@pytest.mark.parametrize("depth", range(1, 6))
@pytest.mark.parametrize(
    "location",
    ["http://127.0.0.66:{port}/", "http://inner.example:{port}/", "//0x7f.66:{port}/", "http://[::1]:{port}/", "http://localhost:{port}/",
     "http://ok@127.0.0.66:{port}/", "http://127.0.0.66:{port}\\@a.example/", "http://①②⑦.⓪.⓪.⑥⑥:{port}/", "file:///etc/passwd",
     "http://inner.example.:{port}/", "http:\\\\127.0.0.66:{port}/"],
)  # fmt: skip
def test_every_redirect_passes_the_gate(web: Web, depth: int, location: str) -> None:
    routes: dict[str, bytes] = {}
    server = web.serve(by_path(routes), "a.example")
    inner = web.serve(always(reply("secret")), "inner.example", host="127.0.0.66", port=server.port)
    six = web.serve(always(reply("secret")), host="::1", port=server.port)
    for step in range(1, depth):
        routes[f"/{step}"] = reply("", 302, ("Location", f"/{step + 1}"))
    bad = location.format(port=server.port).encode("utf-8").decode("latin-1")
    routes[f"/{depth}"] = reply("", 301, ("Location", bad))
    capture = web.capture(f"http://a.example:{server.port}/1", allow=["127.0.0.1/32"])
    assert capture.outcome is CaptureOutcome.UNSAFE_TARGET
    assert "redirected by" in capture.reason
    assert (server.connections, inner.connections, six.connections) == (depth, 0, 0)


def test_fake_ip_resolver_is_named(web: Web) -> None:
    web.names["a.example"] = ["198.18.0.7", "198.19.1.1"]
    web.names["b.example"] = ["198.18.0.7", "10.0.0.1"]
    reserved, other = web.capture_all("http://a.example/", "http://b.example/", allow=()).values()
    assert reserved.outcome is other.outcome is CaptureOutcome.UNSAFE_TARGET
    assert "your resolver returns reserved addresses" in reserved.reason
    assert (reserved.reserved_resolver, other.reserved_resolver) == (True, False)
    assert web.dialled == []


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ([], "has no address"),
        (OSError("broken"), "failed (broken)"),
        (UnicodeError("label too long"), "label too long"),
        (socket.gaierror(socket.EAI_NONAME, "x"), "does not exist in the DNS"),
        (socket.gaierror(socket.EAI_AGAIN, "x"), "failed for now"),
        (socket.gaierror(socket.EAI_FAIL, "bad"), "bad"),
    ],
)
def test_dns_failure_is_its_own_outcome(web: Web, answer: object, words: str) -> None:
    web.names["gone.example"] = answer  # type: ignore[assignment]
    capture = web.capture("https://gone.example/")
    assert capture.outcome is CaptureOutcome.DNS_FAILURE
    assert "gone.example" in capture.reason
    assert words in capture.reason
    assert not capture.text


def test_a_slow_resolver_is_cut(web: Web) -> None:
    class Slow(dict):
        def get(self, host, default=None):
            time.sleep(20)
            return ["127.0.0.1"]

    web.names = Slow()
    start = time.monotonic()
    capture = web.capture("http://slow.example/", dns_timeout=0.2)
    assert time.monotonic() - start < 20
    assert capture.outcome is CaptureOutcome.DNS_FAILURE
    assert "longer than 0.2 s" in capture.reason


def test_addresses_are_tried_in_order(web: Web) -> None:
    server = web.serve(always(reply("<p>hello")), host="127.0.0.9")
    web.names["a.example"] = ["::1", "127.0.0.8", "127.0.0.9", "127.0.0.10"]
    capture = web.capture(f"http://a.example:{server.port}/")
    assert capture.outcome is CaptureOutcome.OK
    assert capture.hops[0].addresses == ("::1", "127.0.0.8", "127.0.0.9", "127.0.0.10")
    assert capture.hops[0].connected == "127.0.0.9"
    assert web.dialled == ["::1", "127.0.0.8", "127.0.0.9"]


def test_an_ipv6_only_name(web: Web) -> None:
    server = web.serve(always(reply("<p>hello")), "six.example", host="::1")
    for url in (f"http://six.example:{server.port}/", f"http://[::1]:{server.port}/"):
        assert web.capture(url).text == "hello"
    assert server.requests[1].headers["host"] == f"[::1]:{server.port}"


def test_environment_proxies_are_not_used(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = web.serve(always(reply("proxied")))
    server = web.serve(always(reply("direct")), "a.example")
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
    assert web.capture(f"http://a.example:{server.port}/").text == "direct"
    assert proxy.connections == 0


def test_a_wrong_allow_list_is_a_configuration_error(web: Web) -> None:
    with pytest.raises(ConfigError):
        web.capture("http://a.example/", allow=["everything"])


def test_system_resolver_answers_literals_without_a_lookup() -> None:
    assert system_resolver("127.0.0.1") == ["127.0.0.1"]
    assert system_resolver("::1") == ["::1"]


def test_the_backend_connects_to_the_judged_target_alone(web: Web) -> None:
    server = web.serve(always(reply("x")))
    backend = PinnedBackend("a.example", server.port, [ipaddress.ip_address("127.0.0.1")], 1)

    async def main() -> None:
        for host, port in (("b.example", server.port), ("127.0.0.1", server.port), ("a.example", server.port + 1)):
            with pytest.raises(httpcore.ConnectError, match="not the judged target"):
                await backend.connect_tcp(host, port)
        with pytest.raises(httpcore.ConnectError, match="local socket"):
            await backend.connect_unix_socket("/run/x.sock")
        with pytest.raises(httpcore.ConnectError, match="no address"):
            await PinnedBackend("a.example", server.port, [], 1).connect_tcp("a.example", server.port)
        await backend.sleep(0)
        stream = await backend.connect_tcp("a.example", server.port)
        await check_peer(stream, ipaddress.ip_address("127.0.0.1"))
        with pytest.raises(httpcore.ConnectError, match="not to the judged address"):
            await check_peer(stream, ipaddress.ip_address("127.0.0.2"))
        await backend.aclose()

    asyncio.run(main())
    assert web.dialled == ["127.0.0.1"]

"""Real servers on loopback, a scripted resolver, and a way to capture through both."""

from __future__ import annotations

import asyncio
import re
import ssl
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from evidence_lint.model.capture import Capture, CaptureLimits, Extraction
from evidence_lint.sources.web.capture import capture_pages

LOOPBACK = ("127.0.0.0/8", "::1/128")
FAST = CaptureLimits(hop_timeout=5, total_timeout=10, dns_timeout=5, connect_timeout=0.5, backoff=0.01)


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    sni: str | None


Handler = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


def reply(body: bytes | str = b"", status: int = 200, *headers: tuple[str, str], media: str = "text/html") -> bytes:
    """A complete HTTP answer."""
    data = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} X", f"Content-Type: {media}", f"Content-Length: {len(data)}"]
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + data


def always(answer: bytes) -> Handler:
    async def handler(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)

    return handler


def by_path(routes: dict[str, bytes]) -> Handler:
    async def handler(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(routes.get(request.path, reply("none", 404)))

    return handler


class Server:
    """An asyncio server in a thread of its own that counts what reaches it."""

    def __init__(
        self, handler: Handler, host: str, tls: ssl.SSLContext | None, port: int = 0, greeting: bytes = b""
    ) -> None:
        self.handler = handler
        self._greeting = greeting
        self.connections = 0
        self.requests: list[Request] = []
        self._names: dict[int, str | None] = {}
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()
        if tls is not None:
            tls.sni_callback = lambda sock, name, _context: self._names.__setitem__(id(sock), name)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        start = asyncio.start_server(self._serve, host, port, ssl=tls)
        self._server = asyncio.run_coroutine_threadsafe(start, self._loop).result(5)
        self.port: int = self._server.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.append(writer)
        self.connections += 1
        try:
            writer.write(self._greeting)
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
            request = Request(head[0].split(" ")[1], headers, self._names.get(id(writer.get_extra_info("ssl_object"))))
            self.requests.append(request)
            await self.handler(request, writer)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            self._tasks.discard(task)

    def close(self) -> None:
        async def stop() -> None:
            self._server.close()
            tasks = list(self._tasks)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            # A transport that still waits for its peer would be collected, and complained of, in another test.
            for writer in self._writers:
                writer.transport.abort()
            await asyncio.sleep(0.01)

        asyncio.run_coroutine_threadsafe(stop(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()


def plain_extract(body: bytes, media_type: str, charset: str | None, url: str) -> Extraction:
    """Text between tags; enough to tell a page from a wall."""
    source = body.decode(charset or "utf-8", "replace")
    title = re.search(r"<title>([^<]*)", source)
    visible = re.sub(r"(?s)<(script|style|noscript|title)\b.*?(</\1>|$)", "", source)
    text = re.sub(r"<[^>]*>", "\n", visible)
    return Extraction(text.strip(), title[1] if title else None, charset or "utf-8", "plain 1")


@dataclass
class Web:
    """The servers of a test and the names that lead to them."""

    names: dict[str, Sequence[str] | BaseException] = field(default_factory=dict)
    lookups: list[str] = field(default_factory=list)
    #: Addresses that this process tried to connect to, whoever tried.
    dialled: list[str] = field(default_factory=list)
    servers: list[Server] = field(default_factory=list)
    limits: CaptureLimits = FAST
    ssl_context: ssl.SSLContext | None = None

    def serve(
        self, handler: Handler, *names: str, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None, port: int = 0
    ) -> Server:
        server = Server(handler, host, tls, port)
        self.servers.append(server)
        for name in names:
            self.names[name] = [host]
        return server

    def resolve(self, host: str) -> Sequence[str]:
        self.lookups.append(host)
        answer = self.names.get(host, OSError("no such name"))
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def capture_all(self, *urls: str, allow: Sequence[str] = LOOPBACK, extract=plain_extract, progress=None, **bounds):
        return capture_pages(
            urls,
            extract=extract,
            limits=replace(self.limits, **bounds),
            resolver=self.resolve,
            allow_networks=allow,
            ssl_context=self.ssl_context,
            progress=progress,
        )

    def capture(self, url: str, allow: Sequence[str] = LOOPBACK, extract=plain_extract, **bounds) -> Capture:
        return self.capture_all(url, allow=allow, extract=extract, **bounds)[url]

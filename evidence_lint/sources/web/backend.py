"""The only place that opens a connection: it dials judged addresses and nothing else (B071, B072, B074).

The host name stays in the request, so ``Host``, SNI and the certificate check are about the name, while the
socket goes to an address that was judged. Each hop gets a pool of its own, so two names on
one address cannot share a connection, and no proxy of the environment is ever asked.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing, asynccontextmanager
from ipaddress import ip_address

import httpcore
from httpcore import AnyIOBackend, AsyncNetworkBackend, AsyncNetworkStream

from evidence_lint.sources.web.addresses import IPAddress
from evidence_lint.sources.web.targets import Target

_SocketOption = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]


class PinnedBackend(AsyncNetworkBackend):
    """Connects to one host and port, at the given addresses in turn.

    ``connected`` is the address that answered, "" before. Each address but the last gets at most
    *connect_timeout* seconds.
    """

    def __init__(self, host: str, port: int, addresses: Sequence[IPAddress], connect_timeout: float) -> None:
        self._host = host
        self._port = port
        self._addresses = tuple(addresses)
        self._connect_timeout = connect_timeout
        self._dialler = AnyIOBackend()
        self._streams: list[AsyncNetworkStream] = []
        self.connected = ""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[_SocketOption] | None = None,
    ) -> AsyncNetworkStream:
        """Connect to the first address that answers; *host* and *port* must be those that were judged."""
        if (host, port) != (self._host, self._port):
            raise httpcore.ConnectError(f"{host}:{port} is not the judged target {self._host}:{self._port}")
        failure: Exception = httpcore.ConnectError("there is no address to connect to")
        for address in self._addresses:
            limit = self._connect_timeout
            if address is self._addresses[-1]:
                limit = timeout if timeout is not None else limit
            try:
                stream = await self._dialler.connect_tcp(str(address), port, limit, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
                continue
            self._streams.append(stream)
            await check_peer(stream, address)
            self.connected = str(address)
            return stream
        raise failure

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[_SocketOption] | None = None,
    ) -> AsyncNetworkStream:
        """Refuse: a page never lives behind a local socket."""
        raise httpcore.ConnectError(f"the local socket {path} is not a public address")

    async def aclose(self) -> None:
        """Close what was opened; httpcore forgets a connection whose TLS handshake is cancelled."""
        for stream in self._streams:
            await stream.aclose()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


async def check_peer(stream: AsyncNetworkStream, address: IPAddress) -> None:
    """Make sure that the socket leads where it was sent, whatever a library made of the address."""
    peer = stream.get_extra_info("server_addr")
    if not peer or ip_address(str(peer[0])) != address:
        await stream.aclose()
        raise httpcore.ConnectError(f"the connection leads to {peer}, not to the judged address {address}")


@asynccontextmanager
async def open_response(
    target: Target,
    backend: PinnedBackend,
    headers: Sequence[tuple[bytes, bytes]],
    ssl_context: ssl.SSLContext | None,
    seconds: float,
) -> AsyncGenerator[httpcore.Response, None]:
    """Send one GET and yield the answer with its body unread; *seconds* bounds each wait on the socket."""
    pool = httpcore.AsyncConnectionPool(
        ssl_context=ssl_context,
        max_connections=1,
        max_keepalive_connections=0,
        http1=True,
        http2=False,
        retries=0,
        network_backend=backend,
    )
    url = httpcore.URL(
        scheme=target.scheme.encode(),
        host=target.host.encode("ascii"),
        port=target.port,
        target=target.path.encode("ascii"),
    )
    timeouts = {"connect": seconds, "read": seconds, "write": seconds, "pool": seconds}
    async with (
        aclosing(backend),
        pool,
        pool.stream("GET", url, headers=list(headers), extensions={"timeout": timeouts}) as response,
    ):
        yield response


def tls_words(error: BaseException, host: str) -> str | None:
    """Say which fault of TLS lies behind *error*; None when it is none."""
    fault = _find(error, ssl.SSLError)
    if fault is None:
        return None
    if not isinstance(fault, ssl.SSLCertVerificationError):
        return f"the encrypted connection to {host} failed ({fault.reason or fault})"
    words = {
        9: f"the certificate of {host} is not valid yet",
        10: f"the certificate of {host} has expired",
        18: f"the certificate of {host} is self-signed",
        19: f"the certificate of {host} comes from an authority that signed itself and is not trusted",
        20: f"the certificate of {host} comes from an authority that is not trusted, or its chain is incomplete",
        21: f"the certificate of {host} comes from an authority that is not trusted, or its chain is incomplete",
        23: f"the certificate of {host} was revoked",
        62: f"the certificate is for another name than {host}",
        64: f"the certificate is for another address than {host}",
    }
    return words.get(fault.verify_code, f"the certificate of {host} is not trusted ({fault.verify_message})")


def _find(error: BaseException, kind: type[ssl.SSLError]) -> ssl.SSLError | None:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        if isinstance(current, kind):
            return current
        seen.add(id(current))
        current = current.__cause__ or current.__context__
    return None

"""Fetch one page: hop by hop, each through the same gate, within bounds of time and size (chapter 4)."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field

import httpcore
import httpx

from evidence_lint.errors import SourceError
from evidence_lint.model.capture import CaptureLimits, CaptureOutcome, Hop
from evidence_lint.sources.web.addresses import AddressPolicy
from evidence_lint.sources.web.backend import PinnedBackend, open_response, tls_words
from evidence_lint.sources.web.decode import ACCEPT_ENCODING, BodyDecoder, DecodeError, coding_of
from evidence_lint.sources.web.politeness import Budget, HostSlots, retry_delay
from evidence_lint.sources.web.resolver import ReservedResolver, ResolutionError, Resolved, Resolver, resolve
from evidence_lint.sources.web.targets import Target, UnsafeTarget, join_target, parse_target
from evidence_lint.version import __version__

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_RETRIED = frozenset({429, 502, 503, 504})
_CHARSET = re.compile(r";\s*charset\s*=\s*[\"']?([A-Za-z0-9_.:+-]{1,40})", re.I)
# An error page is read only to see whether it is a bot wall.
_MAX_ERROR_BODY = 256 * 1024
_HEADERS = (
    (b"User-Agent", f"evidence-lint/{__version__} (verifies citations)".encode("ascii")),
    (b"Accept", b"text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.9,*/*;q=0.5"),
    (b"Accept-Encoding", ACCEPT_ENCODING),
    (b"Accept-Language", b"en,*;q=0.5"),
    (b"Connection", b"close"),
)


class FetchFailure(SourceError):
    """A page that was not fetched: ``outcome`` is the class of the fault, the message what happened."""

    def __init__(self, outcome: CaptureOutcome, reason: str, *, reserved_resolver: bool = False) -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.reason = reason
        self.reserved_resolver = reserved_resolver


@dataclass(frozen=True, slots=True)
class Egress:
    """What every fetch of a run shares."""

    limits: CaptureLimits
    policy: AddressPolicy
    resolver: Resolver
    #: Gives the one TLS context of the run; called on the first https hop, since making one is slow.
    tls: Callable[[], ssl.SSLContext]
    slots: HostSlots


@dataclass(slots=True)
class _HopRecord:
    target: Target
    resolved: Resolved | None = None
    connected: str = ""
    status: int | None = None
    attempts: int = 0

    def freeze(self) -> Hop:
        return Hop(
            url=self.target.url,
            addresses=tuple(str(address) for address in self.resolved.addresses) if self.resolved else (),
            connected=self.connected,
            status=self.status,
            insecure=self.target.insecure,
            via_allowed_network=self.resolved.via_allowed_network if self.resolved else False,
            attempts=self.attempts,
        )


@dataclass(slots=True)
class Trail:
    """What a fetch did so far; it outlives a failure."""

    records: list[_HopRecord] = field(default_factory=list[_HopRecord])
    notes: list[str] = field(default_factory=list[str])

    @property
    def hops(self) -> tuple[Hop, ...]:
        """The requests in order."""
        return tuple(record.freeze() for record in self.records)

    @property
    def attempts(self) -> int:
        """Requests sent, retries included."""
        return sum(record.attempts for record in self.records)


@dataclass(frozen=True, slots=True)
class Page:
    """The last answer of a fetch, with its decoded body."""

    target: Target
    status: int
    headers: httpx.Headers
    body: bytes
    truncated: bool

    @property
    def media_type(self) -> str:
        """Media type in lower case without parameters, "" when the server named none."""
        return self._content_type.partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The ``charset`` parameter, if the server named one."""
        match = _CHARSET.search(self._content_type)
        return match[1].lower() if match else None

    @property
    def _content_type(self) -> str:
        return str(self.headers.get("content-type", ""))

    @property
    def ok(self) -> bool:
        """The server says that this is the page."""
        return 200 <= self.status < 300 and self.status not in (204, 205)

    @property
    def textless(self) -> bool:
        """A kind that no extractor reads, so that its body is not even downloaded."""
        kinds = ("image/", "audio/", "video/", "font/")
        return self.media_type.startswith(kinds) and self.media_type != "image/svg+xml"


class _Cookies:
    """Cookies of one capture, in memory, kept apart by host (B061)."""

    def __init__(self) -> None:
        self._jars: dict[str, httpx.Cookies] = {}

    def header(self, target: Target) -> list[tuple[bytes, bytes]]:
        request = httpx.Request("GET", target.url)
        request.headers.encoding = "utf-8"  # a server may set any bytes; httpx would insist on ASCII
        self._jar(target).set_cookie_header(request)
        return [pair for pair in request.headers.raw if pair[0].lower() == b"cookie"]

    def keep(self, target: Target, status: int, headers: httpx.Headers) -> None:
        request = httpx.Request("GET", target.url)
        self._jar(target).extract_cookies(httpx.Response(status, headers=headers.raw, request=request))

    def state(self) -> frozenset[tuple[str, str, str, str | None]]:
        return frozenset(
            (host, cookie.path, cookie.name, cookie.value) for host, jar in self._jars.items() for cookie in jar.jar
        )

    def _jar(self, target: Target) -> httpx.Cookies:
        return self._jars.setdefault(target.host, httpx.Cookies())


async def fetch_page(url: str, egress: Egress, trail: Trail) -> Page:
    """Follow *url* to its page; raises :class:`FetchFailure`. *trail* receives the hops either way."""
    budget = Budget(egress.limits.total_timeout)
    cookies = _Cookies()
    seen: set[tuple[str, object]] = set()
    try:
        target = parse_target(url)
        for _ in range(egress.limits.max_redirects + 1):
            state = (target.url, cookies.state())
            if state in seen:
                raise FetchFailure(CaptureOutcome.REDIRECT_LOOP, f"redirect loop: {target.url} leads back to itself")
            seen.add(state)
            page = await _hop(target, egress, trail, budget, cookies)
            location = page.headers.get("location")
            if page.status not in _REDIRECTS or not location:
                return page
            cookies.keep(target, page.status, page.headers)
            origin, target = target, join_target(target, location)
            if target.insecure and not origin.insecure:
                trail.notes.append(f"redirected from https to plain http at {target.url}")
    except UnsafeTarget as error:
        raise FetchFailure(
            CaptureOutcome.UNSAFE_TARGET,
            _with_way(error.reason, trail),
            reserved_resolver=isinstance(error, ReservedResolver),
        ) from error
    except TimeoutError as error:
        raise FetchFailure(
            CaptureOutcome.TIMEOUT, f"the page was not complete after {egress.limits.total_timeout:g} s in all"
        ) from error
    if any(record.target.url == target.url for record in trail.records):
        raise FetchFailure(
            CaptureOutcome.REDIRECT_LOOP,
            f"redirect loop: {target.url} came up again after {egress.limits.max_redirects} redirects",
        )
    raise FetchFailure(CaptureOutcome.TOO_MANY_REDIRECTS, f"more than {egress.limits.max_redirects} redirects")


def _with_way(reason: str, trail: Trail) -> str:
    last = trail.records[-1] if trail.records else None
    return reason if last is None or last.status is None else f"redirected by {last.target.url}: {reason}"


async def _hop(target: Target, egress: Egress, trail: Trail, budget: Budget, cookies: _Cookies) -> Page:
    limits = egress.limits
    async with egress.slots.slot(target.host):
        try:
            async with budget.spend():
                resolved = await resolve(target, egress.resolver, egress.policy, limits.dns_timeout)
        except ResolutionError as error:
            trail.records.append(_HopRecord(target))
            raise FetchFailure(CaptureOutcome.DNS_FAILURE, str(error)) from error
        record = _HopRecord(target, resolved)
        trail.records.append(record)
        while True:
            record.attempts += 1
            async with budget.spend():
                page = await _exchange(record, egress, trail, cookies)
            if page.status not in _RETRIED or record.attempts > limits.max_retries:
                return page
            wait = retry_delay(page.headers.get("retry-after"), record.attempts - 1, limits.backoff)
            if wait > limits.max_retry_after or wait >= budget.left:
                trail.notes.append(f"{target.host} asks to be left alone for {wait:.0f} s; it was not asked again")
                return page
            egress.slots.pause(target.host, wait)
            async with budget.spend():
                await asyncio.sleep(wait)


async def _exchange(record: _HopRecord, egress: Egress, trail: Trail, cookies: _Cookies) -> Page:
    """Send one request and read its answer; every fault of the network leaves as a :class:`FetchFailure`."""
    target, limits = record.target, egress.limits
    addresses = record.resolved.addresses if record.resolved else ()
    backend = PinnedBackend(target.host, target.port, addresses, limits.connect_timeout)
    headers = [(b"Host", target.authority.encode("ascii")), *_HEADERS, *cookies.header(target)]
    header_clock = asyncio.timeout(limits.hop_timeout)
    try:
        async with (
            header_clock,
            open_response(
                target, backend, headers, None if target.insecure else egress.tls(), limits.hop_timeout
            ) as response,
        ):
            # The header has come: from here on each read of the body, and the total, have their own limits.
            header_clock.reschedule(None)
            record.status = response.status
            return await _read(target, response, limits, trail)
    except TimeoutError as error:
        if not header_clock.expired():
            raise
        raise FetchFailure(
            CaptureOutcome.TIMEOUT, f"{target.host} did not answer within {limits.hop_timeout:g} s"
        ) from error
    except DecodeError as error:
        raise FetchFailure(CaptureOutcome.DECODE_FAILURE, str(error)) from error
    except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, OSError, ValueError) as error:
        raise _network_failure(target, backend, error, limits) from error
    finally:
        record.connected = backend.connected


async def _read(target: Target, response: httpcore.Response, limits: CaptureLimits, trail: Trail) -> Page:
    headers = httpx.Headers(response.headers)
    head = Page(target, response.status, headers, b"", truncated=False)
    if (response.status in _REDIRECTS and "location" in headers) or (head.ok and head.textless):
        return head
    max_bytes = limits.max_bytes if head.ok else min(limits.max_bytes, _MAX_ERROR_BODY)
    try:
        coding = coding_of(headers.get("content-encoding", ""))
        decoder = BodyDecoder(coding, max_bytes=max_bytes, max_ratio=limits.max_ratio)
        async for piece in response.aiter_stream():
            decoder.feed(piece)
            if decoder.truncated:
                break
        body = decoder.finish()
    except DecodeError:
        if head.ok:
            raise
        return head  # the status says enough: a 404 stays a 404 whatever its body
    trail.notes.extend(decoder.notes)
    # A part of a document was never asked for, so what is missing may be anything.
    return Page(target, response.status, headers, body, truncated=decoder.truncated or response.status == 206)


def _network_failure(target: Target, backend: PinnedBackend, error: Exception, limits: CaptureLimits) -> FetchFailure:
    words = tls_words(error, target.host)
    if words is not None:
        return FetchFailure(CaptureOutcome.TLS_FAILURE, words)
    where = f"{target.host} port {target.port}"
    if isinstance(error, httpcore.TimeoutException):
        what = f"stopped sending for {limits.hop_timeout:g} s" if backend.connected else "could not be reached in time"
        return FetchFailure(CaptureOutcome.TIMEOUT, f"{where} {what}")
    detail = f" ({error})" if str(error) else ""
    if not backend.connected:
        return FetchFailure(CaptureOutcome.CONNECTION_FAILURE, f"no connection to {where}{detail}")
    if isinstance(error, httpcore.ProtocolError):
        return FetchFailure(CaptureOutcome.PROTOCOL_FAILURE, f"the answer of {where} is broken{detail}")
    return FetchFailure(CaptureOutcome.CONNECTION_FAILURE, f"the connection to {where} broke off{detail}")

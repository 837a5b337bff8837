"""Capture many pages: one capture for each distinct URL of a run, some at once (chapter 4, "Live capture")."""

from __future__ import annotations

import asyncio
import hashlib
import ssl
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from typing import TypeAlias

import httpx

from evidence_lint.model.capture import Capture, CaptureLimits, CaptureOutcome, Extraction, Extractor
from evidence_lint.sources.web.addresses import AddressPolicy
from evidence_lint.sources.web.fetch import Egress, FetchFailure, Page, Trail, fetch_page
from evidence_lint.sources.web.pages import PageView, blocked_reason, soft_404_reason
from evidence_lint.sources.web.politeness import HostSlots
from evidence_lint.sources.web.resolver import Resolver, system_resolver
from evidence_lint.sources.web.targets import UnsafeTarget, parse_target
from evidence_lint.sources.web.threads import call_in_thread

#: Called in the caller's thread after each capture: the capture, how many are done, how many there are.
Progress: TypeAlias = Callable[[Capture, int, int], None]


def capture_pages(
    urls: Iterable[str],
    *,
    extract: Extractor,
    limits: CaptureLimits | None = None,
    resolver: Resolver | None = None,
    allow_networks: Sequence[str] = (),
    ssl_context: ssl.SSLContext | None = None,
    progress: Progress | None = None,
) -> dict[str, Capture]:
    """Capture every distinct page of *urls* once and return a capture for each URL as given.

    URLs that differ in their fragment alone share a capture. Nothing about a page raises: whatever went
    wrong is the outcome of its capture. Raises :class:`~evidence_lint.errors.ConfigError` for a wrong entry
    of *allow_networks*, and ``RuntimeError`` inside a running event loop (await :func:`capture_pages_async` there).
    ``KeyboardInterrupt`` closes all connections and goes on to the caller.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        raise RuntimeError("capture_pages cannot run inside an event loop; await capture_pages_async there")
    with asyncio.Runner() as runner:
        return runner.run(
            capture_pages_async(
                urls,
                extract=extract,
                limits=limits,
                resolver=resolver,
                allow_networks=allow_networks,
                ssl_context=ssl_context,
                progress=progress,
            )
        )


async def capture_pages_async(
    urls: Iterable[str],
    *,
    extract: Extractor,
    limits: CaptureLimits | None = None,
    resolver: Resolver | None = None,
    allow_networks: Sequence[str] = (),
    ssl_context: ssl.SSLContext | None = None,
    progress: Progress | None = None,
) -> dict[str, Capture]:
    """Do what :func:`capture_pages` does, in the running event loop."""
    wanted = list(dict.fromkeys(urls))
    limits = limits or CaptureLimits()
    policy = AddressPolicy.from_cidrs(allow_networks)
    if not wanted:
        return {}
    egress = Egress(
        limits=limits,
        policy=policy,
        resolver=resolver or system_resolver,
        tls=_default_tls if ssl_context is None else lambda: ssl_context,
        slots=HostSlots(limits.per_host),
    )
    distinct = list(dict.fromkeys(_page_of(url) for url in wanted))
    captures = await _Run(egress, extract, progress, len(distinct)).run(distinct)
    return {url: captures[_page_of(url)].for_url(url) for url in wanted}


@dataclass(frozen=True, slots=True)
class WebSource:
    """The web as the engine asks for it: settings once, pages as needed.

    It remembers nothing: whoever asks twice captures twice.
    """

    extract: Extractor
    limits: CaptureLimits | None = None
    resolver: Resolver | None = None
    allow_networks: tuple[str, ...] = ()
    ssl_context: ssl.SSLContext | None = None
    progress: Progress | None = None

    def capture(self, urls: Iterable[str]) -> dict[str, Capture]:
        """Capture *urls* as :func:`capture_pages` does."""
        return capture_pages(
            urls,
            extract=self.extract,
            limits=self.limits,
            resolver=self.resolver,
            allow_networks=self.allow_networks,
            ssl_context=self.ssl_context,
            progress=self.progress,
        )


@cache
def _default_tls() -> ssl.SSLContext:
    """Trust certifi's store; the environment (SSL_CERT_FILE, proxies) is not asked."""
    return httpx.create_ssl_context(trust_env=False)


def _page_of(url: str) -> str:
    return url.partition("#")[0]


class _Run:
    """Starts captures so that no host has more than its share and a slow host holds nobody else up."""

    def __init__(self, egress: Egress, extract: Extractor, progress: Progress | None, total: int) -> None:
        self._egress = egress
        self._extract = extract
        self._progress = progress
        self._total = total
        self._done: dict[str, Capture] = {}

    async def run(self, urls: Sequence[str]) -> dict[str, Capture]:
        waiting: dict[str, deque[str]] = {}
        for url in urls:
            waiting.setdefault(_queue_of(url), deque()).append(url)
        running: dict[asyncio.Task[Capture], str] = {}
        try:
            while waiting or running:
                self._start(waiting, running)
                finished, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in finished:
                    del running[task]
                    self._take(task.result())
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        return self._done

    def _start(self, waiting: dict[str, deque[str]], running: dict[asyncio.Task[Capture], str]) -> None:
        limits = self._egress.limits
        active: dict[str, int] = {}
        for host in running.values():
            active[host] = active.get(host, 0) + 1
        for host in list(waiting):
            queue = waiting[host]
            while queue and len(running) < limits.concurrency and active.get(host, 0) < limits.per_host:
                task = asyncio.create_task(capture_page(queue.popleft(), self._egress, self._extract))
                running[task] = host
                active[host] = active.get(host, 0) + 1
            if not queue:
                del waiting[host]

    def _take(self, capture: Capture) -> None:
        self._done[capture.requested_url] = capture
        if self._progress is not None:
            self._progress(capture, len(self._done), self._total)


def _queue_of(url: str) -> str:
    try:
        return parse_target(url).host
    except UnsafeTarget:
        return ""


async def capture_page(url: str, egress: Egress, extract: Extractor) -> Capture:
    """Capture one page; never raises for what the network or the page does."""
    start = time.monotonic()
    trail = Trail()
    fetched_at = datetime.now(UTC)
    try:
        page = await fetch_page(url, egress, trail)
    except FetchFailure as failure:
        hops = trail.hops
        return Capture(
            requested_url=url,
            final_url=hops[-1].url if hops else url,
            outcome=failure.outcome,
            reason=failure.reason,
            fetched_at=fetched_at,
            hops=hops,
            status=hops[-1].status if hops else None,
            reserved_resolver=failure.reserved_resolver,
            elapsed=time.monotonic() - start,
            attempts=trail.attempts,
            notes=tuple(trail.notes),
        )
    extraction = Extraction("")
    if page.ok and not page.textless:
        extraction = await _extract(page, extract, egress.limits.extract_timeout)
    view = _view(trail.hops[0].url, page, extraction)
    outcome, reason = _judge(page, extraction, view)
    notes = list(trail.notes)
    incomplete = extraction.problem is not None and bool(extraction.text)
    if incomplete:
        notes.append(f"not all of the text could be read: {extraction.problem}")
    return Capture(
        requested_url=url,
        final_url=page.target.url,
        outcome=outcome,
        reason=reason,
        fetched_at=fetched_at,
        hops=trail.hops,
        status=page.status,
        media_type=page.media_type,
        charset=extraction.charset or page.charset,
        extractor=extraction.extractor,
        title=extraction.title,
        text=extraction.text,
        hidden_text=extraction.hidden_text,
        raw_sha256=hashlib.sha256(page.body).hexdigest() if page.body else "",
        text_sha256=_text_hash(extraction.text),
        size=len(page.body),
        truncated=page.truncated or incomplete,
        soft_404_reason=soft_404_reason(view) if page.ok else None,
        elapsed=time.monotonic() - start,
        attempts=trail.attempts,
        notes=tuple(notes),
    )


def _judge(page: Page, extraction: Extraction, view: PageView) -> tuple[CaptureOutcome, str]:
    wall = blocked_reason(view)
    if wall is not None:
        return CaptureOutcome.BLOCKED, wall
    if not page.ok:
        return CaptureOutcome.HTTP_ERROR, _status_words(page.status)
    if page.textless or extraction.unsupported:
        kind = page.media_type or "this kind of file"
        return CaptureOutcome.UNSUPPORTED_MEDIA, extraction.problem or f"no text can be read from {kind}"
    if extraction.problem is not None and not extraction.text:
        cut = " (the file is larger than the size limit, so it was cut)" if page.truncated else ""
        return CaptureOutcome.EXTRACTION_FAILED, extraction.problem + cut
    return CaptureOutcome.OK, CaptureOutcome.OK.message


def _status_words(status: int) -> str:
    try:
        return f"HTTP status {status} ({HTTPStatus(status).phrase})"
    except ValueError:
        return f"HTTP status {status}"


def _view(requested: str, page: Page, extraction: Extraction) -> PageView:
    read = page.ok and (bool(extraction.text) or extraction.problem is None)
    return PageView.of(
        requested,
        page.target.url,
        page.status,
        page.headers,
        body=page.body,
        text=extraction.text if read else None,
        title=extraction.title if read else None,
    )


async def _extract(page: Page, extract: Extractor, seconds: float) -> Extraction:
    body, media_type, charset, url = page.body, page.media_type, page.charset, page.target.url
    try:
        return await call_in_thread(lambda: extract(body, media_type, charset, url), seconds)
    except TimeoutError:
        return Extraction("", problem=f"the text could not be read within {seconds:g} s")
    except Exception as error:  # noqa: BLE001 - an extractor is a plug-in, and one bad page must not end the run
        return Extraction("", problem=f"the text could not be read ({type(error).__name__}: {error})")


def _text_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() if text else ""

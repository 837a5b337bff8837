"""How much one host is asked for at once, how long it is left alone, and what time a capture may spend."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


class HostSlots:
    """At most *per_host* requests at once to a host, and none while it asked to be left alone."""

    def __init__(self, per_host: int) -> None:
        self._per_host = per_host
        self._semaphores: dict[str, asyncio.Semaphore] = {}
        self._paused_until: dict[str, float] = {}

    @asynccontextmanager
    async def slot(self, host: str) -> AsyncGenerator[None, None]:
        """Hold one of the slots of *host*."""
        semaphore = self._semaphores.setdefault(host, asyncio.Semaphore(self._per_host))
        async with semaphore:
            while (left := self._paused_until.get(host, 0.0) - time.monotonic()) > 0:
                await asyncio.sleep(left)
            yield

    def pause(self, host: str, seconds: float) -> None:
        """Let no further request to *host* start for *seconds*."""
        until = time.monotonic() + seconds
        self._paused_until[host] = max(until, self._paused_until.get(host, 0.0))


class Budget:
    """Seconds that a capture may spend on the network; waiting for our own slots costs nothing."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds

    @asynccontextmanager
    async def spend(self) -> AsyncGenerator[None, None]:
        """Count the time inside; raises ``TimeoutError`` when nothing is left."""
        start = time.monotonic()
        try:
            async with asyncio.timeout(max(self.left, 0.0)):
                yield
        finally:
            self.left -= time.monotonic() - start


def retry_delay(retry_after: str | None, attempt: int, backoff: float) -> float:
    """Seconds to wait before the next request: what the server asks for, else a doubling back-off.

    *retry_after* is a number of seconds or an HTTP date; what is neither counts as absent.
    """
    fallback: float = backoff * 2**attempt
    if retry_after is None:
        return fallback
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return fallback
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())

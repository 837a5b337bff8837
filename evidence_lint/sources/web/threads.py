"""Run a blocking call in a thread that can be given up on.

``asyncio.to_thread`` will not do: its pool is small, and both the loop and the interpreter wait at exit for
a look-up or an extractor that hangs. A daemon thread is simply left behind.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

T = TypeVar("T")


async def call_in_thread(call: Callable[[], T], seconds: float) -> T:
    """Return *call*'s result or raise its exception; ``TimeoutError`` after *seconds*."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(action: Callable[[], None]) -> None:
        if not future.done():
            action()

    def work() -> None:
        action: Callable[[], None]
        try:
            action = partial(future.set_result, call())
        except Exception as error:  # noqa: BLE001 - raised again in the caller's task
            action = partial(future.set_exception, error)
        # A closed loop refuses: nobody waits any more.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, action)

    threading.Thread(target=work, daemon=True, name="evidence-lint-web").start()
    async with asyncio.timeout(seconds):
        return await future

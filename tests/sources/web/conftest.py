from __future__ import annotations

import ipaddress
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.sources.web.local_servers import Web

_watching: list[Web] = []


def _watch(event: str, args: tuple[Any, ...]) -> None:
    """Record every connection that the process tries, and stop one that would leave this machine."""
    if event != "socket.connect" or not _watching or not isinstance(args[1], tuple):
        return
    host = str(args[1][0])
    _watching[-1].dialled.append(host)
    if not ipaddress.ip_address(host).is_loopback:
        raise PermissionError(f"a test tried to reach {host}")


sys.addaudithook(_watch)


@pytest.fixture
def web() -> Iterator[Web]:
    world = Web()
    _watching.append(world)
    yield world
    _watching.remove(world)
    for server in world.servers:
        server.close()

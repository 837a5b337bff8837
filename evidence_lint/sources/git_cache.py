"""A least-recently-used cache whose bound is a weight, such as bytes."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class WeightedCache(Generic[K, V]):
    """Keeps values up to a total weight; a value heavier than half of it is not kept at all."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._weight = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K) -> V | None:
        """Return the value and mark it as used, or ``None``."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: K, value: V, weight: int) -> None:
        """Keep a value that is not in the cache yet, and let go of what was used longest ago."""
        if weight * 2 > self._capacity or key in self._entries:
            return
        self._entries[key] = (value, weight)
        self._weight += weight
        while self._weight > self._capacity:
            _, (_, dropped) = self._entries.popitem(last=False)
            self._weight -= dropped

"""Cache of values that pages show, dropped whenever the index changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TypeVar, cast

MAX_VALUES = 512
Value = TypeVar("Value")


class PageCache:
    """Values computed from one generation of the index; thread-safe."""

    def __init__(self) -> None:
        self._lock, self._values = Lock(), OrderedDict[str, object]()
        self._generation = ""

    def get(self, generation: str, name: str, compute: Callable[[], Value]) -> Value:
        """The cached value, or a newly computed one."""
        with self._lock:
            if generation != self._generation:
                self._values.clear()
                self._generation = generation
            if name in self._values:
                return cast(Value, self._values[name])
        value = compute()
        with self._lock:
            if generation == self._generation:
                self._values[name] = value
                while len(self._values) > MAX_VALUES:
                    self._values.popitem(last=False)
        return value

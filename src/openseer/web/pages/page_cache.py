"""What pages need again and again, remembered while the index stays as it is."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TypeVar, cast

from fastapi import Request

MOST = 512
"""Values that are remembered."""
Kind = TypeVar("Kind")


class PageCache:
    """A few values of one state of the index."""

    def __init__(self) -> None:
        self._lock, self._values = Lock(), OrderedDict[str, object]()
        self._generation = ""

    def get(self, generation: str, name: str, make: Callable[[], Kind]) -> Kind:
        """A value, made if it is not known for this state."""
        with self._lock:
            if generation != self._generation:
                self._values.clear()
                self._generation = generation
            if name in self._values:
                return cast(Kind, self._values[name])
        value = make()
        with self._lock:
            if generation == self._generation:
                self._values[name] = value
                while len(self._values) > MOST:
                    self._values.popitem(last=False)
        return value


def cached(request: Request, name: str, make: Callable[[], Kind]) -> Kind:
    """A value that follows from the index alone."""
    state = request.app.state
    if not hasattr(state, "page_memory"):
        state.page_memory = PageCache()
    memory: PageCache = state.page_memory
    return memory.get(state.index.generation, name, make)

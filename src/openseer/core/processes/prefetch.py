"""Prefetching: a thread makes the next items of an iterator while the caller works."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterator
from typing import TypeVar

Item = TypeVar("Item")
POLL_SECONDS = 0.02
"""Interval at which a full queue is tried again."""


def prefetch(items: Iterator[Item], depth: int) -> Generator[Item | None, None, None]:
    """The items, at most `depth` of them made ahead; None while the next one is not ready."""
    ready: queue.Queue[Item] = queue.Queue(depth)
    stop, ended = threading.Event(), threading.Event()
    troubles: list[BaseException] = []

    def make() -> None:
        try:
            for item in items:
                while ready.full() and not stop.wait(POLL_SECONDS):
                    pass
                if stop.is_set():
                    return
                ready.put(item)
        except BaseException as error:
            troubles.append(error)
        finally:
            ended.set()

    maker = threading.Thread(target=make, daemon=True)
    maker.start()
    try:
        while True:
            last = ended.is_set()  # read first: items made before are in the queue then
            try:
                yield ready.get_nowait()
            except queue.Empty:
                if last:
                    break
                yield None
        if troubles:
            raise troubles[0]
    finally:
        stop.set()
        maker.join()

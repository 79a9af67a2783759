"""Garbage collection: rarer while many objects without reference cycles are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

ALLOCATIONS = (100_000, 20, 50)
"""Thresholds of the three generations; Python's 700 took an eighth of the writer's time."""


@contextmanager
def rare_collection() -> Iterator[None]:
    """Collect rarely inside, while large batches are ingested or projected."""
    before = gc.get_threshold()
    gc.set_threshold(*ALLOCATIONS)
    try:
        yield
    finally:
        gc.set_threshold(*before)

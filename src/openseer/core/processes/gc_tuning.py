"""How often Python looks for garbage: seldom where much is made and nearly nothing of it refers to itself."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

ALLOCATIONS = (100_000, 20, 50)
"""New objects before a look, and looks before one at older ones; Python's 700 took an eighth of the writer's time."""


@contextmanager
def rare_collection() -> Iterator[None]:
    """While large batches are taken in or projected."""
    before = gc.get_threshold()
    gc.set_threshold(*ALLOCATIONS)
    try:
        yield
    finally:
        gc.set_threshold(*before)

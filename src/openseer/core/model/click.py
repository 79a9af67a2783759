"""A click: which work a reader opened for which words. It says neither who nor, finer than a day, when."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Click:
    """A work opened from a list of results."""

    words: str
    """The words of the question, in small letters; operators and field names are left out."""
    work: str
    """The id it had then."""
    position: int
    """Its place among the results, from 1; of several the last."""
    day: int
    """Days since 1970."""
    count: int = 1
    """How often it was opened for these words on this day."""

"""Clicks on search results: query words, work and day; no user, no time of day."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Click:
    """A work opened from a result list."""

    words: str
    """Words of the query in lower case, without operators and field names."""
    work: str
    """Work id at the time of the click."""
    position: int
    """Result position, from 1; of several clicks the last."""
    day: int
    """Days since 1970."""
    count: int = 1
    """Clicks on this work for these words on this day."""

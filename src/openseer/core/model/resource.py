"""Resource: something acquired, before anybody has looked into it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Resource:
    """Where a file came from. Many resources may carry the same bytes."""

    url: str
    """Its address; a local file has a file: URL."""
    parent: str = ""
    """The page or archive it was found in."""
    is_seed: bool = False
    depth: int = 0
    """Links between it and the seed."""
    fetched_at: float = 0.0
    """Seconds since the epoch."""
    reported_mime: str = ""
    """What the server called it; what it is, the bytes tell."""
    also: tuple[str, ...] = ()
    """Addresses that it led to by redirects; sources of the file as well."""

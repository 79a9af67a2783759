"""Resource: an acquired file before extraction."""

from __future__ import annotations

from dataclasses import dataclass

MEMBER = "#"
"""Separates the URL of an archive from the name of a member."""


@dataclass(frozen=True, slots=True)
class Resource:
    """Source of a file. Many resources may have the same bytes."""

    url: str
    """URL; `file:` for a local file."""
    parent: str = ""
    """The page or archive that holds or links it."""
    is_seed: bool = False
    depth: int = 0
    """Number of links from the seed."""
    fetched_at: float = 0.0
    """Seconds since the epoch."""
    reported_mime: str = ""
    """MIME type reported by the server; the real type is detected from the bytes."""
    also: tuple[str, ...] = ()
    """Redirect targets; they count as sources of the file too."""

    def member(self, name: str) -> Resource:
        """A file in this archive as a resource."""
        return Resource(f"{self.url}{MEMBER}{name}", parent=self.url, fetched_at=self.fetched_at, depth=1)

"""Entries of archives as their readers give them, and the reasons for which an archive or member is refused."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from openseer.acquire.archives.names import leads_out
from openseer.core.errors import ArchiveRefused

BLOCK_BYTES = 1 << 16
LIBARCHIVE_HINT = "Install it: apt install libarchive13"
ENCRYPTED = ("encrypted", "It needs a password.")


class MemberRefused(Exception):
    """A member that is not unpacked."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


class ArchiveUnreadable(ArchiveRefused):
    """An archive that cannot be read, or not to its end, with its outcome."""

    def __init__(self, why: str, code: str = ArchiveRefused.code) -> None:
        super().__init__(why)
        self.code = code


class IsDocument(ArchiveUnreadable):
    """A document or program in the form of a ZIP, which no reader takes."""


class LimitExceeded(ArchiveUnreadable):
    """The whole archive ends here, at any depth."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file, link or device of an archive."""

    name: str
    blocks: Callable[[], Iterator[bytes]]
    """Its content, read once; raises MemberRefused if it is damaged."""
    refusal: tuple[str, str] | None = None
    """Outcome and reason, if its header forbids unpacking."""
    packed_bytes: Callable[[], int] = lambda: 0
    """Compressed bytes that its content took so far."""
    declared_bytes: int = 0
    """Size of its content by its header; 0 if that says nothing."""
    must_be_read: bool = False
    """True if the next entry is reached only by reading this one."""


def refusal_of(name: str, mode: int, is_link: bool, is_encrypted: bool) -> tuple[str, str] | None:
    """Outcome and reason for an entry that may not be unpacked, by its header."""
    if leads_out(name):
        return ArchiveRefused.code, "Its name leads out of the archive."
    if is_link or stat.S_ISLNK(mode):
        return ArchiveRefused.code, "It is a link, not a file."
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return ArchiveRefused.code, "It is a device, not a file."
    return ENCRYPTED if is_encrypted else None

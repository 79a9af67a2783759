"""Unpacking of an archive and those inside it into numbered files, within limits.

Sizes are counted while unpacking, since headers are not trusted."""

from __future__ import annotations

import errno
import time
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from openseer.acquire.archives.entries import (
    ArchiveUnreadable,
    Entry,
    IsDocument,
    LimitExceeded,
    MemberRefused,
)
from openseer.acquire.archives.kinds import ZIP, ArchiveKind, is_web_archive, kind_of
from openseer.acquire.archives.libarchive_reader import has_libarchive, libarchive_entries
from openseer.acquire.archives.names import is_hidden, printable_name, spool_suffix, unique_name
from openseer.acquire.archives.standard_reader import standard_entries
from openseer.acquire.archives.zip_reader import zip_entries
from openseer.core.errors import ArchiveRefused, DiskFull
from openseer.core.model.file_head import HEAD_BYTES, FileHead, MarkFinder

MAX_RATIO, MIN_RATIO_BYTES = 200, 1 << 20
"""A larger member with a higher compression ratio is rejected as a bomb."""
MIN_TOTAL_RATIO_BYTES = 16 << 20
"""The same for an archive with all that it holds, at any depth."""
MAX_SKIPPED_BOMB_BYTES = 256 << 20
"""Bytes read of bombs in archives without an index, to reach the members behind them."""
MAX_EMPTY_MEMBERS = 1000
MAX_ENTRIES_PER_FILE = 10
"""Entries of hidden files beside each allowed file."""
BATCH_MEMBERS, BATCH_BYTES, BATCH_SECONDS = 32, 64 << 20, 2.0
"""Members unpacked before their receiver gets them."""


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """Limits for an archive including nested archives."""

    members: int
    total_bytes: int
    member_bytes: int
    depth: int = 5
    """Nesting of archives; 1: none inside the first."""
    seconds: float = 600.0


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive: where it was written, or why it was rejected."""

    name: str
    """"" if this is the reason why the archive was not read to its end."""
    file: str = ""
    why: str = ""
    code: str = ""
    is_limit: bool = False
    """True if the archive exceeds a limit."""
    is_document: bool = False
    """True if the archive is a document of a form that no reader takes."""


@dataclass(frozen=True, slots=True)
class Formats:
    """Which files are archives: readers of documents have a say."""

    marks: Collection[bytes]
    kind_of: Callable[[FileHead], ArchiveKind | None]


class UnpackedArchive:
    """Members of an archive, unpacked batch by batch into files whose names begin with that of `target`."""

    def __init__(self, path: Path, name: str, target: Path, limits: ArchiveLimits, formats: Formats) -> None:
        self._unpacker = _Unpacker(path, target, limits, formats)
        self._members = self._all_members(path, name)

    def next_batch(self) -> tuple[list[Member], bool]:
        """The next members, none if that takes long; and whether there may be more."""
        self._unpacker.started = started = time.monotonic()
        before = self._unpacker.bytes
        found: list[Member] = []
        while (
            len(found) < BATCH_MEMBERS
            and self._unpacker.bytes - before < BATCH_BYTES
            and time.monotonic() - started < BATCH_SECONDS
        ):
            try:
                member = next(self._members)
            except StopIteration:
                return found, False
            if member is not None:
                found.append(member)
        self._unpacker.seconds += time.monotonic() - started
        return found, True

    def close(self) -> None:
        """Close the open archives."""
        self._members.close()

    def _all_members(self, path: Path, name: str) -> Generator[Member | None, None, None]:
        try:
            with path.open("rb") as stream:
                kind = kind_of(stream.read(HEAD_BYTES))
            if kind is None:
                raise ArchiveUnreadable("It is no archive.")
            yield from self._unpacker.members(path, kind, name, "", 1)
        except ArchiveUnreadable as error:
            is_limit, is_document = isinstance(error, LimitExceeded), isinstance(error, IsDocument)
            yield Member("", why=str(error), code=error.code, is_limit=is_limit, is_document=is_document)
        except OSError as error:
            code = DiskFull.code if error.errno in (errno.ENOSPC, errno.EDQUOT) else ArchiveRefused.code
            yield Member("", why=f"It cannot be unpacked: {error.strerror or error}.", code=code)


class _Unpacker:
    """Unpacks an archive and those inside it, and counts members, bytes and seconds."""

    def __init__(self, path: Path, target: Path, limits: ArchiveLimits, formats: Formats) -> None:
        self._target, self._limits, self._formats = target, limits, formats
        self._max_bytes = min(limits.total_bytes, max(MIN_TOTAL_RATIO_BYTES, MAX_RATIO * path.stat().st_size))
        self._count = self._entries = self._files = self._empty = self._bomb_bytes = 0
        self._names: Counter[str] = Counter()
        self.bytes = 0
        self.seconds = 0.0
        """Seconds that earlier batches took."""
        self.started = 0.0
        """When the current batch began."""

    def members(self, path: Path, kind: ArchiveKind, name: str, prefix: str, depth: int) -> Iterator[Member | None]:
        """Every file in order, without folders and hidden files of file managers; None while one takes long."""
        is_empty = True
        for entry in self._entries_of(path, kind, name):
            self._count_entry()
            if is_hidden(entry.name):
                continue
            is_empty = False
            self._count += 1
            if self._count > self._limits.members:
                raise LimitExceeded(f"It holds more than {self._limits.members:,} files; the rest was not read.")
            yield from self._member(entry, self._unique(prefix + printable_name(entry.name)), depth)
        if is_empty:
            raise ArchiveUnreadable("It holds no files.")

    def _entries_of(self, path: Path, kind: ArchiveKind, name: str) -> Iterator[Entry]:
        if kind == ZIP:
            return zip_entries(path, self._limits.members)
        return (libarchive_entries if has_libarchive() else standard_entries)(path, kind, name)

    def _count_entry(self) -> None:
        self._entries += 1
        if self._entries > MAX_ENTRIES_PER_FILE * self._limits.members:
            raise LimitExceeded(f"It holds more than {self._entries - 1:,} entries; the rest was not read.")
        self._check_time()

    def _check_time(self) -> None:
        if self.seconds + time.monotonic() - self.started > self._limits.seconds:
            raise LimitExceeded(f"Unpacking took more than {self._limits.seconds:g} s; the rest was not read.")

    def _unique(self, name: str) -> str:
        self._names[name] += 1
        return name if self._names[name] == 1 else unique_name(name, self._names[name])

    def _member(self, entry: Entry, name: str, depth: int) -> Iterator[Member | None]:
        path = self._target.with_name(f"{self._target.name}{self._files}{spool_suffix(name)}")
        self._files += 1
        is_given = False
        try:
            head = yield from self._write(entry, name, path)
            kind = self._formats.kind_of(head)
            if kind is None:
                is_given = True
                yield Member(name, path.name)
            elif depth >= self._limits.depth:
                raise MemberRefused(ArchiveRefused.code, f"It is nested deeper than {self._limits.depth} archives.")
            else:
                yield from self.members(path, kind, name, f"{name}/", depth + 1)
        except LimitExceeded:
            raise
        except IsDocument:
            is_given = True
            yield Member(name, path.name)
        except (MemberRefused, ArchiveUnreadable) as error:
            yield Member(name, why=str(error), code=error.code)
        finally:
            if not is_given:
                path.unlink(missing_ok=True)

    def _write(self, entry: Entry, name: str, path: Path) -> Generator[None, None, FileHead]:
        """Write the content of an entry; of a refused one the rest is only counted, where the next one needs that."""
        refusal = entry.refusal or self._ratio_refusal(entry, entry.declared_bytes)
        finder, start, size = MarkFinder(self._formats.marks), b"", 0
        if refusal is None or entry.must_be_read:
            with path.open("wb") as out:
                for block in entry.blocks():
                    yield
                    self._check_time()
                    start += block[: HEAD_BYTES - len(start)]
                    size += len(block)
                    self._count_bytes(len(block), is_bomb=self._ratio_refusal(entry, size) is not None)
                    refusal = refusal or self._refusal(entry, start, size)
                    if refusal is None:
                        out.write(block)
                        finder.add(block)
                    elif not entry.must_be_read:
                        break
        if refusal is None and not size:
            self._empty += 1
            if self._empty > MAX_EMPTY_MEMBERS:
                raise LimitExceeded(f"It holds more than {MAX_EMPTY_MEMBERS:,} empty files; the rest was not read.")
        if refusal is None and is_web_archive(start):
            refusal = "unsupported_type", "It is a crawl, not a paper."
        if refusal:
            raise MemberRefused(*refusal)
        head = FileHead(start, name, frozenset(finder.found))
        if size > self._limits.member_bytes and self._formats.kind_of(head) is None:
            raise MemberRefused(*self._too_large())
        return head

    def _refusal(self, entry: Entry, start: bytes, size: int) -> tuple[str, str] | None:
        """Outcome and reason of a member that is too large or grows too much; archives inside may be larger."""
        if size > self._limits.member_bytes and kind_of(start) is None:
            return self._too_large()
        return self._ratio_refusal(entry, size)

    def _ratio_refusal(self, entry: Entry, size: int) -> tuple[str, str] | None:
        if size > MIN_RATIO_BYTES and size > MAX_RATIO * max(1, entry.packed_bytes()):
            return ArchiveRefused.code, f"It unpacks to more than {MAX_RATIO} times its size."
        return None

    def _too_large(self) -> tuple[str, str]:
        return "too_large", f"It has more than {self._limits.member_bytes:,} bytes."

    def _count_bytes(self, count: int, is_bomb: bool) -> None:
        self.bytes += count
        self._bomb_bytes += count if is_bomb else 0
        if self.bytes > self._limits.total_bytes:
            raise LimitExceeded(f"It holds more than {self._limits.total_bytes:,} bytes; the rest was not read.")
        if self.bytes > self._max_bytes or self._bomb_bytes > MAX_SKIPPED_BOMB_BYTES:
            raise LimitExceeded(f"It unpacks to more than {MAX_RATIO} times its size; the rest was not read.")

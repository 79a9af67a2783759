"""Records of PPT: a tree of containers and atoms, and the places of slides by their persistent numbers."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from openseer.core.errors import Corrupt, Encrypted
from openseer.extract.ole.container import Container, u16, u32

DOCUMENT, SLIDE, NOTES, SLIDE_LIST, SLIDE_PLACE = 0x03E8, 0x03EE, 0x03F0, 0x0FF0, 0x03F3
TEXT_KIND, TEXT_WIDE, TEXT_NARROW, TEXT_REFERENCE = 0x0F9F, 0x0FA0, 0x0FA8, 0x0F9E
STRING, COMMENT, RUNNING_HEADS = 0x0FBA, 0x2EE0, 0x0FD9
SLIDE_ATOM, NOTES_ATOM, PERSIST, USER_EDIT, ENCRYPTION = 0x03EF, 0x03F1, 0x1772, 0x0FF5, 0x2F14
ENCRYPTED_TOKEN = 0xF3D1C4DF
MAX_DEPTH, MAX_RECORDS, MAX_EDITS = 40, 1_000_000, 10_000


class Record(NamedTuple):
    """A record: its type, its instance, and where its contents stand."""

    kind: int
    instance: int
    is_container: bool
    start: int
    end: int


class Presentation:
    """The stream of a presentation."""

    def __init__(self, container: Container) -> None:
        self.data = container.stream("PowerPoint Document")
        user = container.stream("Current User")
        if not self.data or len(user) < 20:
            raise Corrupt("The presentation has no slides of PowerPoint 97 or later.")
        if u32(user, 12) == ENCRYPTED_TOKEN:
            raise Encrypted("The presentation needs a password.")
        self._read = 0
        self._places: dict[int, int] = {}
        self._document = 0
        self._read_edits(u32(user, 16))

    def _read_edits(self, offset: int) -> None:
        """Places of all objects: the last edit counts."""
        seen: set[int] = set()
        while offset and offset not in seen and len(seen) < MAX_EDITS:
            seen.add(offset)
            edit = self.record(offset)
            if edit is None or edit.kind != USER_EDIT:
                break
            if edit.end - edit.start >= 32 and u32(self.data, edit.start + 28):
                raise Encrypted("The presentation needs a password.")
            self._document = self._document or u32(self.data, edit.start + 16)
            directory = self.record(u32(self.data, edit.start + 12))
            for number, place in self._entries(directory):
                self._places.setdefault(number, place)
            offset = u32(self.data, edit.start + 8)

    def _entries(self, directory: Record | None) -> Iterator[tuple[int, int]]:
        if directory is None or directory.kind != PERSIST:
            return
        at = directory.start
        while at + 4 <= directory.end:
            first, count = u32(self.data, at) & 0xFFFFF, u32(self.data, at) >> 20
            for number in range(count):
                if at + 8 + 4 * number > directory.end:
                    return
                yield first + number, u32(self.data, at + 4 + 4 * number)
            at += 4 + 4 * count

    @property
    def document(self) -> Record | None:
        """The container of the document."""
        found = self.object(self._document)
        if found is not None and found.kind == DOCUMENT:
            return found
        return next((one for one in self.below(0, len(self.data)) if one.kind == DOCUMENT), None)

    def object(self, number: int) -> Record | None:
        """The container of a persistent number."""
        return self.record(self._places[number]) if number in self._places else None

    def record(self, at: int) -> Record | None:
        """The record at an offset."""
        if at < 0 or at + 8 > len(self.data):
            return None
        version, kind, size = struct.unpack_from("<HHI", self.data, at)
        end = min(at + 8 + size, len(self.data))
        return Record(kind, version >> 4, version & 0xF == 0xF, at + 8, end)

    def below(self, start: int, end: int) -> Iterator[Record]:
        """Records between two offsets, one after the other."""
        at = start
        while at + 8 <= end and self._read < MAX_RECORDS:
            found = self.record(at)
            if found is None:
                return
            self._read += 1
            yield found
            at = found.end

    def all_below(self, record: Record, depth: int = 0) -> Iterator[Record]:
        """All records in a container, in order."""
        for one in self.below(record.start, record.end):
            yield one
            if one.is_container and depth < MAX_DEPTH:
                yield from self.all_below(one, depth + 1)

    def text(self, record: Record) -> str:
        """Text of an atom."""
        data = self.data[record.start : record.end]
        return data.decode("latin-1") if record.kind == TEXT_NARROW else data.decode("utf-16-le", "replace")

    def number(self, record: Record, at: int = 0) -> int:
        """A number of four bytes in an atom; -1 if it is too short."""
        return u32(self.data, record.start + at) if record.start + at + 4 <= record.end else -1

    def short(self, record: Record) -> int:
        """A number of two bytes at the start of an atom."""
        return u16(self.data, record.start)

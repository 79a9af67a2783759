"""Archives on their way in: members are unpacked by a confined worker into a spool folder, batch by batch."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from openseer.acquire.archives.unpacker import ArchiveLimits, Formats, Member, UnpackedArchive
from openseer.core.errors import ArchiveRefused, DiskFull
from openseer.core.processes.worker_pool import Limits, WorkerPool
from openseer.core.settings import Settings
from openseer.extract.formats import marks
from openseer.ingest.sources import archive_kind
from openseer.ingest.worker_jobs import decode_path, encode_path

MAX_ARCHIVES = 100
"""Archives unpacked by one worker, before it is replaced."""
MAX_JOBS = 1 << 40
"""Of a worker: it is not replaced in the middle of an archive."""
MAX_REASONS, MAX_DETAIL = 100, 2000
"""Rejected members whose reasons are stored, and the characters stored."""

_unpacked: dict[str, UnpackedArchive] = {}
"""The archive that this worker unpacks, by the key of its requests."""


def ingest_limits(settings: Settings) -> ArchiveLimits:
    """Limits of archives that the operator names."""
    return ArchiveLimits(
        settings.ingest.archive_members,
        settings.ingest.archive_bytes,
        settings.extract.max_bytes,
        settings.acquire.archive_depth,
        settings.ingest.archive_seconds,
    )


def upload_limits(settings: Settings) -> ArchiveLimits:
    """Limits of archives that users upload."""
    return ArchiveLimits(
        settings.acquire.archive_members,
        settings.acquire.archive_bytes,
        settings.extract.max_bytes,
        settings.acquire.archive_depth,
        settings.workers.timeout,
    )


def unpack_job(request: bytes) -> Sequence[bytes]:
    """Worker job: the next members of an archive, and whether there are more."""
    asked: dict[str, Any] = orjson.loads(request)
    key = asked["key"]
    if asked["is_first"]:
        for one in _unpacked.values():
            one.close()
        _unpacked.clear()
        path, target = decode_path(asked["archive"]), decode_path(asked["target"])
        formats = Formats(marks(), archive_kind)
        _unpacked[key] = UnpackedArchive(path, asked["name"], target, ArchiveLimits(**asked["limits"]), formats)
    members, has_more = _unpacked[key].next_batch()
    if not has_more:
        _unpacked.pop(key).close()
    return [orjson.dumps({"members": [asdict(one) for one in members], "has_more": has_more})]


class ArchiveReader:
    """Unpacks archives into a folder, one at a time; the caller deletes the files of their members."""

    def __init__(self, folder: Path, limits: ArchiveLimits, settings: Settings) -> None:
        self._folder, self._limits = folder.absolute(), limits
        self._archives = 0
        self._pool = WorkerPool[int](
            unpack_job,
            1,
            Limits(
                settings.workers.timeout,
                settings.workers.memory_mb,
                MAX_JOBS,
                confined=True,
                folder=str(self._folder),
                max_file_bytes=limits.total_bytes,
            ),
        )

    def members(self, archive: Path, name: str) -> Iterator[Member | None]:
        """The members in order, None while one takes long; at last one without a name, if the rest was not read.

        Raises DiskFull if the spool has no space."""
        self._archives += 1
        if self._archives % MAX_ARCHIVES == 0:
            self._pool.close()
        target = self._folder / f"{uuid.uuid4().hex}-"
        last = -1
        request: dict[str, Any] = {
            "key": target.name,
            "archive": encode_path(archive.absolute()),
            "name": name,
            "target": encode_path(target),
            "limits": asdict(self._limits),
        }
        is_first = has_more = True
        while has_more:
            result = next(one for one in self._pool.run([(0, orjson.dumps({**request, "is_first": is_first}))]) if one)
            is_first = False
            if result.failure:
                _delete_files(target, last)
                yield Member("", why=f"It cannot be unpacked: {result.detail}", code=ArchiveRefused.code)
                return
            batch: dict[str, Any] = orjson.loads(result.parts[0])
            has_more = batch["has_more"]
            members = [Member(**one) for one in batch["members"]]
            last = max((_number(one.file) for one in members if one.file), default=last)
            for one in members:
                if one.code == DiskFull.code:
                    raise DiskFull(one.why)
                yield one
            if not members:
                yield None

    def path_of(self, member: Member) -> Path:
        """Where a member was written."""
        return self._folder / Path(member.file).name

    def close(self) -> None:
        """Stop the worker."""
        self._pool.close()


def _number(file: str) -> int:
    """The number in the name of a member's file."""
    return int(file.rpartition("-")[2].partition(".")[0])


def _delete_files(target: Path, last: int) -> None:
    """Delete what a worker that was killed had written since its last batch."""
    for path in target.parent.glob(f"{target.name}*"):
        if _number(path.name) > last:
            path.unlink(missing_ok=True)


class Refusals:
    """Reasons for which members of an archive, or its rest, were not unpacked."""

    def __init__(self) -> None:
        self.count = 0
        self.code = ArchiveRefused.code
        self._is_whole = False
        self._reasons: list[str] = []

    def add(self, member: Member, given: int) -> None:
        """Add a reason; an archive of which nothing was unpacked has the outcome of its own reason."""
        self.count += 1
        if not member.name and not given and self.count == 1:
            self.code, self._is_whole = member.code, True
        if len(self._reasons) < MAX_REASONS:
            self._reasons.append(f"{member.name}: {member.why}" if member.name else member.why)

    @property
    def detail(self) -> str:
        """The reasons in one text."""
        hidden = self.count - len(self._reasons)
        more = f"; and {hidden:,} more" if hidden else ""
        text = "; ".join(self._reasons)[: MAX_DETAIL - len(more)] + more
        return text if self._is_whole else f"Some members were rejected. {text}"

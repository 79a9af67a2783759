"""Parallel extraction of files, and of the members of archives, that no library stores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from openseer.core.errors import WORKER_FAILURES
from openseer.core.model.extraction import Extraction
from openseer.core.model.file_head import head_of
from openseer.core.processes.worker_pool import Limits, WorkerPool, WorkerResult
from openseer.core.settings import Settings
from openseer.core.text.printable_path import printable
from openseer.extract.formats import marks
from openseer.ingest.sources import archive_kind
from openseer.ingest.unpacking import ArchiveReader, ingest_limits
from openseer.ingest.worker_jobs import encode_path, extract_file


@dataclass(frozen=True, slots=True)
class _Found:
    """A file to extract, or a member of an archive that was refused."""

    name: str
    file: Path
    is_unpacked: bool = False
    line: bytes = b""
    """The result, if there is nothing to extract."""


def extract_files(
    paths: Sequence[str], settings: Settings, formats: Sequence[str], evidence: bool, workers: int | None = None
) -> Iterator[tuple[str, tuple[bytes, ...]]]:
    """The result of `extract_file` for each file, extracted in parallel, in the order given."""
    request = {
        "min_words": settings.extract.min_words,
        "max_bytes": settings.extract.max_bytes,
        "formats": list(formats),
        "evidence": evidence,
    }
    limits = Limits(settings.workers.timeout, settings.workers.memory_mb, confined=True)
    size = workers or settings.workers.count or os.cpu_count() or 1
    found: dict[int, _Found] = {}
    ready: dict[int, tuple[bytes, ...]] = {}
    following = 0

    def jobs() -> Iterator[tuple[int, bytes] | None]:
        """Requests to the workers; a file that needs none is ready at once."""
        number = 0
        for one in _files(paths, settings, opened):
            if one is not None:
                found[number] = one
                if one.line:
                    ready[number] = (one.line,)
                else:
                    asked = {"path": encode_path(one.file), "name": printable(one.name), **request}
                    yield number, orjson.dumps(asked)
                number += 1
            if one is None or one.line:
                yield None

    with ExitStack() as opened, WorkerPool[int](extract_file, size, limits) as pool:
        for answer in pool.run(jobs()):
            if answer is not None:
                one = found[answer.key]
                ready[answer.key] = answer.parts or (_failed(one.name, answer),)
                if one.is_unpacked:
                    one.file.unlink(missing_ok=True)
            while following in ready:
                yield found.pop(following).name, ready.pop(following)
                following += 1


def is_archive(path: str) -> bool:
    """True for an archive, false for other files and for what cannot be read."""
    try:
        return Path(path).is_file() and archive_kind(head_of(Path(path), marks())) is not None
    except (OSError, ValueError):
        return False


def _files(paths: Sequence[str], settings: Settings, opened: ExitStack) -> Iterator[_Found | None]:
    """The files, archives unpacked; None while that takes long."""
    reader: ArchiveReader | None = None
    for path in paths:
        if not is_archive(path):
            yield _Found(path, Path(path))
            continue
        if reader is None:
            folder = Path(opened.enter_context(TemporaryDirectory(prefix="openseer-extract-")))
            reader = ArchiveReader(folder, ingest_limits(settings), settings)
            opened.callback(reader.close)
        for member in reader.members(Path(path), path.rpartition("/")[2]):
            if member is None:
                yield None
                continue
            name = f"{path}/{member.name}" if member.name else path
            if member.is_document:
                yield _Found(path, Path(path))
            elif member.why:
                error = {"code": member.code, "message": member.why, "hint": ""}
                yield _Found(name, Path(path), line=_error_line(name, error))
            else:
                yield _Found(name, reader.path_of(member), is_unpacked=True)


def _failed(name: str, answer: WorkerResult[int]) -> bytes:
    return _error_line(name, WORKER_FAILURES[answer.failure](answer.detail).as_record())


def _error_line(name: str, error: dict[str, str]) -> bytes:
    return orjson.dumps(Extraction(file=printable(name), error=error).as_dict())

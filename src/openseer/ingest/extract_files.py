"""Parallel extraction of files that no library stores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import orjson

from openseer.core.errors import WORKER_FAILURES
from openseer.core.model.extraction import Extraction
from openseer.core.processes.worker_pool import Limits, WorkerPool, WorkerResult
from openseer.core.settings import Settings
from openseer.core.text.printable_path import printable
from openseer.ingest.worker_jobs import encode_path, extract_file


def extract_files(
    paths: Sequence[str], settings: Settings, formats: Sequence[str], evidence: bool, workers: int | None = None
) -> Iterator[tuple[str, tuple[bytes, ...]]]:
    """The result of `extract_file` for each path, extracted in parallel, in the order given."""
    request = {
        "min_words": settings.extract.min_words,
        "max_bytes": settings.extract.max_bytes,
        "formats": list(formats),
        "evidence": evidence,
    }
    jobs = ((number, orjson.dumps({"path": encode_path(Path(path)), **request})) for number, path in enumerate(paths))
    limits = Limits(settings.workers.timeout, settings.workers.memory_mb, confined=True)
    size = min(workers or settings.workers.count or os.cpu_count() or 1, max(1, len(paths)))
    ready: dict[int, tuple[bytes, ...]] = {}
    following = 0
    with WorkerPool[int](extract_file, size, limits) as pool:
        for answer in pool.run(jobs):
            if answer is not None:
                ready[answer.key] = answer.parts or (_failed(paths[answer.key], answer),)
            while following in ready:
                yield paths[following], ready.pop(following)
                following += 1


def _failed(path: str, answer: WorkerResult[int]) -> bytes:
    error = WORKER_FAILURES[answer.failure](answer.detail)
    return orjson.dumps(Extraction(file=printable(path), error=error.as_record()).as_dict())

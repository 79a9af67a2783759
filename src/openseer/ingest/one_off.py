"""One-off extraction of a file that no library stores, for similar works of a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile

import orjson

from openseer.core.errors import Rejected, TooLarge
from openseer.core.processes.on_demand_pool import OnDemandPool
from openseer.core.processes.worker_pool import Limits
from openseer.ingest.worker_jobs import encode_path, extract_file
from openseer.search.embeddings.encoder import embedded_text
from openseer.storage.durable_files import as_storage_error
from openseer.storage.open import Library


class OneOffReader:
    """Extracts one file at a time; other callers wait."""

    def __init__(self, library: Library) -> None:
        settings = library.settings
        self._spool, self._max_bytes = library.data / "spool", settings.extract.max_bytes
        self._request = {
            "min_words": settings.extract.min_words,
            "max_bytes": settings.extract.max_bytes,
            "evidence": False,
            "formats": ["text"],
        }
        self._workers = OnDemandPool(
            extract_file, 1, Limits(settings.workers.timeout, settings.workers.memory_mb, confined=True)
        )

    def of_blocks(self, blocks: Iterable[bytes]) -> str:
        """Title and abstract of an uploaded file, see `of_file`."""
        try:
            self._spool.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self._spool, prefix="one-off-") as file:
                file.writelines(blocks)
                file.flush()
                if file.tell() > self._max_bytes:
                    raise TooLarge(file.tell(), self._max_bytes)
                return self.of_file(Path(file.name))
        except OSError as error:
            raise as_storage_error(error, self._spool) from error

    def of_file(self, path: Path) -> str:
        """Title and abstract of a file, or all of its text where it has no abstract."""
        line, *formats = self._workers.call(orjson.dumps({"path": encode_path(path), **self._request}))
        found = orjson.loads(line)
        if trouble := found["error"]:
            raise Rejected.of_record(trouble)
        return (
            embedded_text(found["title"], found["abstract"])
            if found["abstract"]
            else formats[0].decode("utf-8", "replace")
        )

    def close(self) -> None:
        """Stop the worker."""
        self._workers.close()

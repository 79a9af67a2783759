"""A glance at a paper that is in no library: a worker reads it, and nothing is kept."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile

import orjson

from openseer.core.errors import Rejected, StoreUnavailable, TooLarge
from openseer.core.processes.on_demand_pool import OnDemandPool
from openseer.core.processes.worker_pool import Limits
from openseer.ingest.worker_jobs import encode_path, extract_file
from openseer.search.embeddings.encoder import embedded_text
from openseer.storage.open import Library


class OneOffReader:
    """At papers, one at a time; whoever comes while one is read waits."""

    def __init__(self, library: Library) -> None:
        settings = library.settings
        self._spool, self._most = library.data / "spool", settings.extract.max_bytes
        self._order = {
            "min_words": settings.extract.min_words,
            "max_bytes": settings.extract.max_bytes,
            "evidence": False,
            "forms": ["text"],
        }
        self._readers = OnDemandPool(extract_file, 1, Limits(settings.workers.timeout, settings.workers.memory_mb))

    def of_blocks(self, blocks: Iterable[bytes]) -> str:
        """The gist of a file that somebody sent."""
        try:
            self._spool.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self._spool, prefix="glance-") as file:
                file.writelines(blocks)
                file.flush()
                if file.tell() > self._most:
                    raise TooLarge(file.tell(), self._most)
                return self.of_file(Path(file.name))
        except OSError as error:
            raise StoreUnavailable(f"The file cannot be put down: {error.strerror}.") from error

    def of_file(self, path: Path) -> str:
        """Title and abstract of a file, or all of its text where it has no abstract."""
        told, *forms = self._readers.call(orjson.dumps({"path": encode_path(path), **self._order}))
        found = orjson.loads(told)
        if trouble := found["error"]:
            raise Rejected.of_record(trouble)
        return (
            embedded_text(found["title"], found["abstract"])
            if found["abstract"]
            else forms[0].decode("utf-8", "replace")
        )

    def close(self) -> None:
        """End the worker."""
        self._readers.close()

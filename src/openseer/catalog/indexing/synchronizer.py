"""Index synchronisation: works that changed in the records are projected into the index, with the position in the
change feed in the same commit."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from itertools import islice

from openseer.catalog.indexing.embedder import Embedder
from openseer.catalog.indexing.projection import completed, projections
from openseer.core.errors import IndexBehind, Locked
from openseer.core.processes.cpu_load import IdleDetector
from openseer.core.processes.gc_tuning import rare_collection
from openseer.core.telemetry.counters import counters
from openseer.search.embeddings.encoder import load_encoder
from openseer.storage.open import Library
from openseer.storage.protocols.index import Checkpoint, IndexedDigest, IndexWriter

BATCH_CHANGES = 1000
"""Changes in one commit."""
MAX_STALE_COUNTS = 10_000
"""Works whose citation counts may be stale in the index."""
POLL_SECONDS = 0.1
"""Interval of looks for changes."""
LOCK_POLL_SECONDS = 0.5
"""Interval of attempts to become the writer of the index."""
COMMIT_SECONDS = 0.8
"""Least time between two commits: each writes segments that are merged later, and readers open the index again."""
IDLE_SECONDS = 0.8
"""Time without a change after which stale counts are written: longer than the interval of two ingest batches, each of
which would else have the works it cites written once more."""

log = logging.getLogger(__name__)


class IndexSynchronizer:
    """Applies the change feed of one library to one index."""

    def __init__(self, library: Library, writer: IndexWriter, checkpoint: Checkpoint) -> None:
        self._library, self._writer = library, writer
        if checkpoint.position > library.records.last_change():  # of records that a restored backup replaced
            checkpoint = Checkpoint()
        self.checkpoint = checkpoint
        self._stale_counts = library.records.changed_works(checkpoint.counted, checkpoint.position)
        self._stale_since = time.monotonic()
        self._last_change = float("-inf")

    @property
    def is_idle(self) -> bool:
        """True if no change has come for a while."""
        return time.monotonic() - self._last_change > IDLE_SECONDS

    @property
    def is_behind(self) -> bool:
        """True if more than one commit is due."""
        return self._library.records.last_change() > self.checkpoint.position + BATCH_CHANGES

    @property
    def is_current(self) -> bool:
        """True if the index has all changes but counts."""
        return self._library.records.last_change() <= self.checkpoint.position

    def step(self, counts: bool = True) -> bool:
        """Apply the next changes in one commit; False if there are none. Count-only changes wait unless `counts`."""
        if self.checkpoint.library != self._library.records.uuid:
            self.rebuild()
            return True
        changes = self._library.records.changes_after(self.checkpoint.position, BATCH_CHANGES)
        if changes:
            self._last_change = time.monotonic()
        elif not counts or self.checkpoint.counted == self.checkpoint.position:
            return False
        self._defer(self._write({change.work for change in changes if not change.counts_only}, counts=False))
        self._defer({change.work for change in changes if change.counts_only})
        position = changes[-1].sequence if changes else self.checkpoint.position
        overdue = time.monotonic() - self._stale_since > self._library.settings.index.count_lag
        if not changes or overdue or len(self._stale_counts) > MAX_STALE_COUNTS:
            some = min(BATCH_CHANGES, len(self._stale_counts))
            self._write({self._stale_counts.pop() for _ in range(some)}, counts=True)
        counted = self.checkpoint.counted if self._stale_counts else position
        self._commit(Checkpoint(self.checkpoint.library, position, counted))
        return True

    def rebuild(self) -> int:
        """Build the index anew in one commit, until which readers see the old one; returns the number of works."""
        position = self._library.records.last_change()
        self._writer.clear()
        count = 0
        for batch in _batches(self._library.records.live_works()):
            for work in projections(self._library, batch).values():
                if work is not None:
                    self._writer.put(completed(self._library, work))
                    count += 1
        self._stale_counts.clear()
        self._commit(Checkpoint(self._library.records.uuid, position, position))
        log.info("index rebuilt", extra={"works": count})
        return count

    def commit(self) -> None:
        """Commit what others wrote, at the same position."""
        self._commit(self.checkpoint)

    def _defer(self, works: set[str]) -> None:
        if not self._stale_counts:
            self._stale_since = time.monotonic()
        self._stale_counts |= works

    def _write(self, works: set[str], counts: bool) -> set[str]:
        """Write the works that differ from the index and remove ids that only redirect.

        Returns those of which only the counts differ, unless `counts` has them written too."""
        canonical_ids = self._library.records.canonical_ids(works)
        for work in works:
            if canonical_ids.get(work) != work:
                self._writer.remove(work)
        deferred = set()
        for work, found in projections(self._library, sorted(set(canonical_ids.values()))).items():
            stored = self._writer.stored_digest(work)
            if found is None:
                self._writer.remove(work)
            elif stored is not None and stored.digest == found.work.digest and not counts:
                deferred |= {work} if stored != IndexedDigest.of(found.work) else set()
            elif stored != IndexedDigest.of(found.work):
                self._writer.put(completed(self._library, found))
                counters.count("openseer_indexed_works_total")
        return deferred

    def _commit(self, checkpoint: Checkpoint) -> None:
        self._writer.commit(checkpoint)
        self.checkpoint = checkpoint
        log.debug("index committed", extra={"position": checkpoint.position, "counted": checkpoint.counted})


def _batches(works: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(works, BATCH_CHANGES)):
        yield batch


def synchronize(library: Library, stopped: Callable[[float], bool]) -> None:
    """Wait for the writer lock of the index, then apply changes until stopped. `stopped` waits for some seconds and
    returns True at the end."""
    while True:
        try:
            index = library.open_index()
            writer = index.writer()
            break
        except Locked:
            if stopped(LOCK_POLL_SECONDS):
                return
    with contextlib.closing(writer), rare_collection():
        synchronizer = IndexSynchronizer(library, writer, index.checkpoint())
        encoder = load_encoder() if library.settings.index.embeddings else None
        embedder = Embedder(library, index, writer, encoder, synchronizer.commit) if encoder else None
        machine = IdleDetector()
        while True:
            may_embed = embedder is not None and not machine.is_busy()
            if synchronizer.step(synchronizer.is_idle):
                pause = 0.0 if synchronizer.is_behind else COMMIT_SECONDS
            elif embedder and may_embed and embedder.step(synchronizer.is_current):
                pause = 0.0
            else:
                pause = POLL_SECONDS
            if stopped(pause):
                return


def reindex(library: Library) -> int:
    """Build the index anew; returns the number of works."""
    try:
        index = library.open_index()
    except IndexBehind:
        library.delete_index()
        index = library.open_index()
    with contextlib.closing(index.writer()) as writer, rare_collection():
        return IndexSynchronizer(library, writer, Checkpoint()).rebuild()

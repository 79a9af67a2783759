"""Catching up: votes changed works and projects them into the index, in a process of its own.

Whoever serves or ingests starts one; the one that gets the index's lock works, the others wait for it.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from openseer.catalog.work_view import completed, projections, text_number
from openseer.core.errors import IndexBehind, Locked, OpenseerError, Unreadable
from openseer.core.model.query import And, Not, SearchQuery, Word
from openseer.core.processes.cpu_load import IdleDetector
from openseer.core.processes.gc_tuning import rare_collection
from openseer.search.embeddings.encoder import Encoder, Vectors, embedded_text, load_encoder
from openseer.storage.open import Library, open_library
from openseer.storage.protocols.index import Checkpoint, Index, IndexedDigest, IndexWriter

EMBED_BATCH, AT_ONCE = 512, 16
"""Works whose meaning is reckoned between two commits, and between two looks at whether anything else is to do."""
WITHOUT_EMBEDDING = And((Word("recorded", "has"), Not(Word("embedding", "has"))))
"""Works whose meaning could be reckoned and was not."""
BATCH = 1000
"""Changes that go into one commit."""
MOST_DUE = 10_000
"""Works whose counts may be old at a time."""
RESTART = 1.0
"""Seconds after which a catch-up process that died is started again; twice as long each time."""
PAUSE = 0.1
"""Seconds between two looks for changes."""
GATHER = 0.8
"""Seconds in which changes gather after a commit: each makes files that are merged later, and readers look anew."""
PATIENCE = 5
"""How nice this process is to those that answer."""
LULL = 0.8
"""Seconds without a change after which counts are brought up to date: longer than between two batches of an ingest,
each of which would else have the works it cites written once more."""


@dataclass(frozen=True, slots=True)
class _Thinking:
    """Works whose meaning is being reckoned."""

    works: list[str]
    numbers: list[int]
    """Of the texts that have no vector yet ..."""
    found: Future[Vectors]
    """... and what these will be."""


class IndexSynchronizer:
    """Brings one index up to one library's records, change by change."""

    def __init__(self, library: Library, writer: IndexWriter, checkpoint: Checkpoint) -> None:
        self._library, self._writer = library, writer
        if checkpoint.position > library.records.last_change():  # of a library that an older backup took the place of
            checkpoint = Checkpoint()
        self._at = checkpoint
        self._due = library.records.changed_works(checkpoint.counted, checkpoint.position)
        self._due_since = time.monotonic()
        self._heard = float("-inf")
        self._thoughts = ThreadPoolExecutor(1, initializer=_yield_to_others)
        self._unknown: list[str] = []
        self._thinking: _Thinking | None = None
        self._uncommitted = False

    @property
    def is_idle(self) -> bool:
        """Whether no change has come for a while."""
        return time.monotonic() - self._heard > LULL

    @property
    def is_behind(self) -> bool:
        """Whether more than one commit waits to be made."""
        return self._library.records.last_change() > self._at.position + BATCH

    def step(self, counting: bool = True) -> bool:
        """Do the next piece of work; False when there is none. Counts alone are followed only when told to."""
        if self._at.library != self._library.records.uuid:
            self.rebuild()
            return True
        changes = self._library.records.changes_after(self._at.position, BATCH)
        if changes:
            self._heard = time.monotonic()
        elif not counting or self._at.counted == self._at.position:
            return False
        self._gather(self._follow({change.work for change in changes if not change.counts_only}, counts=False))
        self._gather({change.work for change in changes if change.counts_only})
        position = changes[-1].sequence if changes else self._at.position
        overdue = time.monotonic() - self._due_since > self._library.settings.index.count_lag
        if not changes or overdue or len(self._due) > MOST_DUE:
            self._follow({self._due.pop() for _ in range(min(BATCH, len(self._due)))}, counts=True)
        self._commit(Checkpoint(self._at.library, position, self._at.counted if self._due else position))
        return True

    def embed_pending(self, index: Index, model: Encoder) -> bool:
        """While nothing else is to do: reckon what some works mean. False when all is known, or something came up.

        Reckoning goes on in its thread while changes are followed; what it found is kept when it is done."""
        if self._thinking is None and not self._begin(index, model):
            return False
        if self._thinking and not wait([self._thinking.found], timeout=PAUSE).not_done:
            thought, self._thinking = self._thinking, None
            vectors = zip(thought.numbers, thought.found.result(), strict=True)
            with self._library.records.writing() as writer:
                writer.put_embeddings({number: vector.tobytes() for number, vector in vectors})
            for name, found in projections(self._library, thought.works).items():
                if found is not None:
                    self._writer.put(completed(self._library, found))
                else:
                    self._writer.remove(name)
            self._uncommitted = True
        return True

    def _begin(self, index: Index, model: Encoder) -> bool:
        """Let some works be thought of; many go into one commit, since every reader opens the index anew after each."""
        if not self._unknown:
            if self._uncommitted:
                self._commit(self._at)
            self._unknown = [
                hit.work.id for hit in index.search(SearchQuery(WITHOUT_EMBEDDING, limit=EMBED_BATCH)).hits
            ]
        if not self._unknown or self._library.records.last_change() > self._at.position:
            return False
        names, self._unknown = self._unknown[:AT_ONCE], self._unknown[AT_ONCE:]
        works = [completed(self._library, one) for one in projections(self._library, names).values() if one]
        texts = {text_number(one): embedded_text(one.title, one.abstract) for one in works if not one.embedding}
        self._thinking = _Thinking(names, list(texts), self._thoughts.submit(model.texts, list(texts.values())))
        return True

    def rebuild(self) -> int:
        """Make the index from nothing, in one commit: readers see the old one until it is whole."""
        position = self._library.records.last_change()
        self._writer.clear()
        count = 0
        for roots in _batches(self._library.records.live_works()):
            for work in projections(self._library, roots).values():
                if work is not None:
                    self._writer.put(completed(self._library, work))
                    count += 1
        self._due.clear()
        self._commit(Checkpoint(self._library.records.uuid, position, position))
        return count

    def _gather(self, works: set[str]) -> None:
        if not self._due:
            self._due_since = time.monotonic()
        self._due |= works

    def _follow(self, works: set[str], counts: bool) -> set[str]:
        """Write what these ids lead to now, where it is not as it was; an id that only redirects is no document. Names
        those of which only the counts differ, unless they are to be written too."""
        shown = self._library.records.canonical_ids(works)
        for work in works:
            if shown.get(work) != work:
                self._writer.remove(work)
        later = set()
        for root, found in projections(self._library, sorted(set(shown.values()))).items():
            stored = self._writer.stored_digest(root)
            if found is None:
                self._writer.remove(root)
            elif stored is not None and stored.digest == found.work.digest and not counts:
                later |= {root} if stored != IndexedDigest.of(found.work) else set()
            elif stored != IndexedDigest.of(found.work):
                self._writer.put(completed(self._library, found))
        return later

    def _commit(self, checkpoint: Checkpoint) -> None:
        self._writer.commit(checkpoint)
        self._at, self._uncommitted = checkpoint, False


def _yield_to_others() -> None:
    """Let this thread be nicer than the rest of the process, where a thread can be (Linux). Not as nice as can be: it
    may hold what the others of the process wait for."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 2 * PATIENCE)


def _batches(roots: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(roots, BATCH)):
        yield batch


def synchronize(library: Library, stopped: Callable[[float], bool]) -> None:
    """Wait for the index, then follow the changes until told to stop. `stopped` waits and tells."""
    while True:
        try:
            index = library.open_index()
            writer = index.writer()
            break
        except Locked:
            if stopped(0.5):
                return
    with contextlib.closing(writer), rare_collection():
        follower = IndexSynchronizer(library, writer, index.checkpoint())
        model = load_encoder() if library.settings.index.embeddings else None
        others = IdleDetector()
        while True:
            at_rest = model is not None and not others.is_busy()
            if follower.step(follower.is_idle):
                pause = 0.0 if follower.is_behind else GATHER
            else:
                pause = 0.0 if model and at_rest and follower.embed_pending(index, model) else PAUSE
            if stopped(pause):
                return


def reindex(library: Library) -> int:
    """Build the index anew; how many works it holds."""
    try:
        index = library.open_index()
    except IndexBehind:
        library.delete_index()
        index = library.open_index()
    with contextlib.closing(index.writer()) as writer, rare_collection():
        return IndexSynchronizer(library, writer, Checkpoint()).rebuild()


class IndexProcess:
    """The catch-up process, seen from the one that started it; it ends with its parent, however that ends."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._log = library.data / "logs" / "catchup.log"
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            with self._log.open("ab") as out:
                return subprocess.Popen(
                    [sys.executable, "-P", "-m", "openseer.catalog.indexing.synchronizer", str(self._library.data)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=out,
                )
        except OSError as error:
            raise Unreadable(f"The catch-up process cannot be started: {error}.") from error

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    def watch(self, stop: threading.Event) -> None:
        """Start it again whenever it has died, until told to stop; for a thread of a server."""
        pause = RESTART
        while not stop.wait(pause):
            if self.alive:
                pause = RESTART
            else:
                self._end()
                self._process = self._start()
                pause = min(60.0, 2 * pause)

    def wait(self, tell: Callable[[int], None] = lambda behind: None) -> None:
        """Until everything written so far is searchable. `tell` is given the number of changes still to go."""
        target = self._library.records.last_change()
        index: Index | None = None
        while True:
            with contextlib.suppress(IndexBehind):
                index = index or self._library.open_index()
                at = index.checkpoint()
                if at.library == self._library.records.uuid and at.counted >= target:
                    return
                tell(max(0, target - at.position))
            if self._process.poll() is not None:
                raise IndexBehind(f"The search index could not be brought up to date: {self._last_words()}")
            time.sleep(PAUSE / 2)

    def close(self) -> None:
        """Tell it to end, and wait until it has."""
        self._end()

    def _end(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> IndexProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _last_words(self) -> str:
        lines = self._log.read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"the catch-up process ended with {self._process.returncode}."


def _parent_gone(seconds: float) -> bool:
    """Our standard input is a pipe that the parent never writes to; it closes when the parent ends."""
    ready, _, _ = select.select([sys.stdin], [], [], seconds)
    return bool(ready)


def main(data: str) -> int:
    """`python -m openseer.catalog.indexing.synchronizer DIR`: follow until the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, and that ends us
    os.nice(PATIENCE)
    try:
        with open_library(Path(data)) as library:
            synchronize(library, _parent_gone)
    except OpenseerError as error:
        print(f"{error.code}: {error} {error.hint}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""The promises of the stores. Every keeper of one passes its test in tests/contracts/."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from openseer.queries import Question
from openseer.records.change import Act, Change
from openseer.records.description import Constraint, Description, MatchFields, Observation, Verdict
from openseer.records.document import Document, FileFacts, Viewer
from openseer.records.resource import Resource
from openseer.records.task import READER, Task
from openseer.records.work import Citing, IndexedWork, Seen

Partition = Callable[[Mapping[str, MatchFields], Sequence[Verdict], Sequence[Constraint]], list[list[str]]]
"""Groups descriptions into works; pure, so that the same verdicts give the same works in any order."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """The answer of `see`: whether the document is finished, and the task that reads it otherwise."""

    known: bool
    task: Task


@dataclass(frozen=True, slots=True)
class ReadFacts:
    """What `finish` writes into the document row beside its outcome."""

    mime: str = ""
    pages: int = 0
    words: int = 0
    language: str = ""
    simhash: int | None = None
    kept: bool = False
    generation: int = 0
    """Of the reading that gave this."""
    extractor: str = READER
    """Whose task is closed."""


class Writer(Protocol):
    """What may be done while holding the library's write lock."""

    def see(self, resource: Resource, facts: FileFacts, wanted: int, extractor: str = READER) -> Ticket:
        """Note where a file was found. Twice is once; known only if this extractor finished it in this version."""

    def reopen(self, outcomes: Collection[str]) -> int:
        """Let documents with these outcomes be read again; how many."""

    def redraw(self, sha1: str, wanted: int, extractor: str = READER) -> Task:
        """Have a document read again in the same version, as a new generation."""

    def keep_reading(self, sha1: str, generation: int, body: bytes) -> None:
        """Keep what pages show of a document (abstract, references, headings) beside its row."""

    def replace_observations(
        self, sha1: str, generation: int, observations: Sequence[Observation], descriptions: Iterable[Description]
    ) -> set[str]:
        """Let a newer reading stand instead of the older (never the other way); names the descriptions to regroup."""

    def enlist(self, keys_of: Mapping[str, Collection[str]], version: int) -> dict[str, set[str]]:
        """Put each description under its keys, and name the live others that stand there."""

    def descriptions(self, ids: Collection[str]) -> dict[str, MatchFields]:
        """What the matcher reads of these descriptions."""

    def put_verdicts(self, verdicts: Iterable[Verdict]) -> None:
        """Keep verdicts, one a pair; that of the highest matcher version wins."""

    def regroup(self, descriptions: Collection[str], partition: Partition) -> set[str]:
        """Work out again the works these descriptions belong to; names the works that altered."""

    def constrain(self, one: str, other: str, must: bool | None) -> None:
        """Keep a person's must-link (True) or cannot-link (False) for ever, or take it back (None)."""

    def curate(self, bonds: Mapping[tuple[str, str], bool | None], what: str, why: str) -> int:
        """Set many constraints as one act of a person; its number, by which it can be undone."""

    def undo(self, act: int, why: str) -> Collection[str]:
        """Make an act undone, which is an act again; names the descriptions to regroup."""

    def withdraw(self, sha1: str, why: str, visibility: str) -> Collection[str]:
        """Take a document's observations out of the library, rows kept; names its descriptions, to regroup."""

    def restore(self, sha1: str, why: str) -> Collection[str]:
        """The inverse of withdraw."""

    def finish(self, sha1: str, outcome: str, detail: str, facts: ReadFacts) -> None:
        """Acknowledge a document. The last operation; nothing before it counts as done.

        A reading that failed, or is older, never takes the place of an ingested one: only its task is closed."""


class Records(Protocol):
    """The truth. Reads at any time, writes under one lock."""

    def writing(self) -> AbstractContextManager[Writer]:
        """Hold the write lock; everything done inside commits or vanishes as a whole."""

    def see(self, resource: Resource, facts: FileFacts, wanted: int, extractor: str = READER) -> Ticket:
        """`Writer.see` in a transaction of its own."""

    def document(self, sha1: str, viewer: Viewer) -> Document:
        """One document, if there is one and this viewer may see it."""

    def may_see(self, sha1: str, viewer: Viewer) -> bool:
        """Whether there is such a document and this viewer is shown it."""

    def documents(self) -> Iterator[Document]:
        """Every document, for `verify` and dumps."""

    def readable_again(self, wanted: int | None, extractor: str = READER) -> list[str]:
        """Ingested documents of an extractor, kept, and not read by it in this version; None: all of them."""

    def reading(self, sha1: str) -> bytes:
        """What `keep_reading` kept, or nothing."""

    def root(self, work: str, viewer: Viewer) -> str:
        """The work that a work id leads to, if this viewer may see it."""

    def shown(self, work: str) -> str:
        """The id under which a work is shown now, whoever may see it; "" for no work."""

    def is_public(self, root: str) -> bool:
        """Whether everybody may see this work."""

    def ids_of(self, root: str) -> list[str]:
        """Every work id that leads to this work."""

    def seen(self, root: str) -> list[Seen]:
        """The live descriptions of a work, with how often each was observed as what."""

    def imported(self, root: str) -> list[tuple[str, int]]:
        """The imported records that speak of a work: list and place in it, live ones only."""

    def cited_by_document(self, sha1: str) -> list[tuple[int, str, str]]:
        """For each reference of a document: its place, the id its description founds, the work it names now."""

    def citing(self, root: str) -> list[Citing]:
        """Every live citation of a work."""

    def count_citing(self, root: str) -> int:
        """How many works cite this one."""

    def standing_at(self, key: str) -> list[str]:
        """The works whose live descriptions stand under a key."""

    def with_full_text(self, roots: Iterable[str]) -> set[str]:
        """Which of these works have a document here."""

    def changes_after(self, position: int, limit: int) -> list[Change]:
        """The next changes, oldest first."""

    def last_change(self) -> int:
        """The newest sequence number."""

    def work_roots(self) -> Iterator[str]:
        """Every work that has a live description."""

    def members(self, root: str) -> list[str]:
        """The live descriptions of a work, the founder of its id first."""

    def acts(self, limit: int) -> list[Act]:
        """What people decided, the newest first."""

    def counts(self) -> dict[str, int]:
        """How many documents, works and citations there are."""

    def outcomes(self) -> dict[str, int]:
        """Documents by outcome; unfinished ones under `waiting`."""

    def damage(self) -> Iterator[str]:
        """What the database itself knows to be broken."""

    def faults(self) -> Iterator[str]:
        """What is wrong within the records themselves; nothing, unless the disk or we made a mistake."""

    def save(self, target: Path) -> None:
        """Write all of it, as it is at one moment, into a new SQLite file; readers and writers go on meanwhile."""

    @property
    def name(self) -> str:
        """What people call the place of the records: a file or an address, without its password."""

    @property
    def uuid(self) -> str:
        """The library's own name for itself."""

    def close(self) -> None:
        """Give back what is held."""


class Files(Protocol):
    """Bytes by type, SHA-1 and suffix. What was put once is never changed."""

    def put(self, kind: str, sha1: str, suffix: str, data: bytes) -> None:
        """Keep bytes; on return they are on the disk under their name, or not at all."""

    def put_file(self, kind: str, sha1: str, suffix: str, source: Path) -> None:
        """Keep a copy of a file, without holding it in memory."""

    def read(self, kind: str, sha1: str, suffix: str) -> bytes:
        """The bytes again."""

    def open(self, kind: str, sha1: str, suffix: str) -> BinaryIO:
        """The bytes as an open file, to serve parts of it."""

    def local(self, kind: str, sha1: str, suffix: str) -> Path:
        """A path where a reader process finds the file."""

    def has(self, kind: str, sha1: str, suffix: str) -> bool:
        """Whether it is kept."""

    def size(self, kind: str, sha1: str, suffix: str) -> int | None:
        """How many bytes it has; None if it is not kept."""

    def delete(self, kind: str, sha1: str, suffix: str) -> None:
        """Forget it; no error if it is not there."""

    def names(self, kind: str) -> Iterator[tuple[str, str]]:
        """Every (SHA-1, suffix) of one type."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far a projection has come."""

    library: str = ""
    position: int = 0
    counts_due: tuple[str, ...] = ()
    """Works whose citation count is known to be old."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One result, best first."""

    work: IndexedWork
    score: float


@dataclass(frozen=True, slots=True)
class Found:
    """An answer of the index."""

    total: int
    hits: tuple[Hit, ...]


class IndexWriter(Protocol):
    """The one writer of an index."""

    def stored(self, work: str) -> tuple[str, int] | None:
        """Digest and citation count of a work as committed, to see whether it must be written again."""

    def put(self, work: IndexedWork) -> None:
        """Write a work, in place of what stood under its id."""

    def remove(self, work: str) -> None:
        """Take a work out."""

    def clear(self) -> None:
        """Take everything out, before anything is put; readers see the old index until the next commit."""

    def commit(self, checkpoint: Checkpoint) -> None:
        """Make all of it visible, with the checkpoint, at once."""

    def close(self) -> None:
        """Let another writer in."""


class Index(Protocol):
    """The search index of works: a projection that can always be made anew."""

    def search(self, question: Question) -> Found:
        """The works that answer a question."""

    def get(self, work: str) -> IndexedWork | None:
        """One work as indexed."""

    def checkpoint(self) -> Checkpoint:
        """How far the committed index has come."""

    def ids(self) -> Iterator[tuple[str, str, int]]:
        """Every indexed work with digest and count."""

    def writer(self) -> IndexWriter:
        """Become the one writer; raises Locked if there is another."""

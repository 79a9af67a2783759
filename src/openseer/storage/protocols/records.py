"""Interface of the records, the source of truth."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from openseer.core.model.change import CurationAction, WorkChange
from openseer.core.model.description import Authorship, Description, LinkConstraint, MatchFields, MatchLink, Observation
from openseer.core.model.document import Document, FileFacts, Viewer
from openseer.core.model.resource import Resource
from openseer.core.model.task import READER, Job, JobState, RetryPolicy, Task
from openseer.core.model.work import (
    AuthorshipOfWork,
    CitationCount,
    DescriptionCount,
    IncomingCitation,
    OutgoingCitation,
    RelatedWork,
)

Clustering = Callable[[Mapping[str, MatchFields], Sequence[MatchLink], Sequence[LinkConstraint]], list[list[str]]]
"""Groups descriptions into works; pure, so that the same verdicts give the same works in any order."""


@dataclass(frozen=True, slots=True)
class Registration:
    """The answer of `see`: whether the document is finished, and the task that reads it otherwise."""

    known: bool
    task: Task


@dataclass(frozen=True, slots=True)
class Affected:
    """What an operation leaves to be settled (`settling.py`)."""

    new: frozenset[str] = frozenset()
    """Descriptions that came to life, or read differently: to be enlisted and judged."""
    unlinked: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Descriptions whose works must be worked out again, each with those it was linked to and is no more."""


@dataclass(frozen=True, slots=True)
class ExtractionFacts:
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
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)
    """Whether it is tried again when it failed."""


class Writer(Protocol):
    """What may be done while holding the library's write lock."""

    def register(
        self, resource: Resource, facts: FileFacts, wanted: int, extractor: str = READER, job: str = ""
    ) -> Registration:
        """Note where a file was found, and for which job. Twice is once; known only if this extractor finished it in
        this version, has given it up, or will try it again later."""

    def lease(self, wanted: Iterable[Task], holder: str, seconds: float) -> set[str]:
        """Take these tasks for a while, but for those that another live process holds; the documents of those taken."""

    def lease_due(self, wanted: int, holder: str, seconds: float, limit: int) -> list[Task]:
        """Take the next tasks of the reader that are due, the first lane before the second."""

    def renew(self, holder: str, seconds: float) -> None:
        """Hold what is held for longer."""

    def release(self, holder: str) -> None:
        """Let go of what is still held."""

    def deprioritise(self, task: Task, priority: int) -> None:
        """Let a task wait in another lane."""

    def open_job(self, what: str) -> str:
        """Note what somebody asked for; the id of the job."""

    def set_job(self, job: str, state: JobState) -> None:
        """Pause, resume, cancel or end a job."""

    def retry_job(self, job: str) -> int:
        """Let what failed or was cancelled of a job be read again; how many documents."""

    def reopen(self, outcomes: Collection[str]) -> int:
        """Let documents with these outcomes be read again; how many."""

    def new_generation(self, sha1: str, wanted: int, extractor: str = READER) -> Task:
        """Have a document read again in the same version, as a new generation."""

    def put_summary(self, sha1: str, generation: int, body: bytes) -> None:
        """Keep what pages show of a document (abstract, references, headings) beside its row."""

    def replace_observations(
        self, sha1: str, generation: int, observations: Sequence[Observation], descriptions: Iterable[Description]
    ) -> Affected:
        """Let a newer reading stand instead of the older (never the other way)."""

    def put_authorships(self, description: str, places: Sequence[Authorship]) -> None:
        """Let these be the authors of a header or an imported record."""

    def index_keys(
        self, keys_of: Mapping[str, Collection[str]], signs: Mapping[str, bytes], version: int
    ) -> dict[str, set[str]]:
        """Put each description under its keys and no others, and name those that stand there too, withdrawn or not."""

    def sketches(self, descriptions: Collection[str]) -> dict[str, bytes]:
        """The signs given when these were enlisted; none of those that an older openseer enlisted."""

    def block_members(self, descriptions: Collection[str]) -> dict[str, set[str]]:
        """The others under the keys that these stand under already, withdrawn or not."""

    def live(self, descriptions: Collection[str]) -> set[str]:
        """Those that are seen somewhere and not withdrawn."""

    def works_of(self, descriptions: Collection[str]) -> dict[str, str]:
        """The work that holds each of these now."""

    def descriptions(self, ids: Collection[str]) -> dict[str, MatchFields]:
        """What the matcher reads of these descriptions."""

    def put_links(self, verdicts: Iterable[MatchLink]) -> None:
        """Keep verdicts, one a pair; that of the highest matcher version wins."""

    def drop_links(self, descriptions: Collection[str]) -> None:
        """Forget what was said of these, because another matcher will say it again."""

    def disconnected_pieces(self, shaken: Mapping[str, Collection[str]]) -> set[str]:
        """Live descriptions that hung together through these and do so no more; the largest piece is left out."""

    def recluster(self, descriptions: Collection[str], partition: Clustering) -> set[str]:
        """Work out again the works these descriptions belong to; names the works that altered."""

    def constrain(self, one: str, other: str, must: bool | None) -> None:
        """Keep a person's must-link (True) or cannot-link (False) for ever, or take it back (None)."""

    def curate(self, bonds: Mapping[tuple[str, str], bool | None], what: str, why: str) -> int:
        """Set many constraints as one act of a person; its number, by which it can be undone."""

    def undo(self, act: int, why: str) -> Affected:
        """Make an act undone, which is an act again."""

    def retract(self, sha1: str, why: str, visibility: str) -> Affected:
        """Take a document's observations out of the library, rows kept."""

    def reinstate(self, sha1: str, why: str) -> Affected:
        """The inverse of withdraw."""

    def put_embeddings(self, vectors: Mapping[int, bytes]) -> None:
        """Remember what texts mean, by their hashes."""

    def acknowledge(self, sha1: str, outcome: str, detail: str, facts: ExtractionFacts) -> None:
        """Acknowledge a document. The last operation; nothing before it counts as done.

        A reading that failed, or is older, never takes the place of an ingested one: only its task is closed."""


class Records(Protocol):
    """The truth. Reads at any time, writes under one lock."""

    def writing(self) -> AbstractContextManager[Writer]:
        """Hold the write lock; everything done inside commits or vanishes as a whole."""

    def register(self, resource: Resource, facts: FileFacts, wanted: int, extractor: str = READER) -> Registration:
        """`Writer.see` in a transaction of its own."""

    def document(self, sha1: str, viewer: Viewer) -> Document:
        """One document, if there is one and this viewer may see it."""

    def may_see(self, sha1: str, viewer: Viewer) -> bool:
        """Whether there is such a document and this viewer is shown it."""

    def documents_by_sha1(self, sha1s: Iterable[str]) -> dict[str, Document]:
        """Many documents, whoever may see them; who asks looks at their visibility."""

    def documents(self) -> Iterator[Document]:
        """Every document, for `verify` and dumps."""

    def re_extractable(self, wanted: int | None, extractor: str = READER) -> list[str]:
        """Ingested documents of an extractor, kept, and not read by it in this version; None: all of them."""

    def summary(self, sha1: str) -> bytes:
        """What `keep_reading` kept, or nothing."""

    def canonical_id(self, work: str, viewer: Viewer) -> str:
        """The work that a work id leads to, if this viewer may see it."""

    def canonical_ids(self, works: Iterable[str]) -> dict[str, str]:
        """The id under which each of these works is shown now, whoever may see it; none for no work."""

    def public_works(self, roots: Iterable[str]) -> set[str]:
        """Those of these works that everybody may see."""

    def ids_of(self, roots: Iterable[str]) -> dict[str, list[str]]:
        """Every work id that leads to each of these works; none to one that became part of another."""

    def descriptions_of(self, roots: Iterable[str]) -> dict[str, list[DescriptionCount]]:
        """The live descriptions of each of these works, with how often each was observed as what."""

    def imported_records(self, root: str) -> list[tuple[str, int]]:
        """The imported records that speak of a work: list and place in it, live ones only."""

    def outgoing_citations(self, sha1: str) -> list[OutgoingCitation]:
        """For each reference of a document: its place, the id its description founds, the work it names now."""

    def incoming_citations(self, root: str) -> list[IncomingCitation]:
        """Every live citation of a work."""

    def citation_counts(self, roots: Iterable[str]) -> dict[str, CitationCount]:
        """How many works cite each of these; none where nobody does."""

    def references(self, roots: Iterable[str]) -> dict[str, set[str]]:
        """The works that each of these cites."""

    def cocited(self, root: str) -> list[RelatedWork]:
        """Works cited together with this one, by the number of works citing both."""

    def coupled(self, root: str) -> list[RelatedWork]:
        """Works that cite what this one cites, each shared reference weighing one through its citations."""

    def embedding(self, text: int) -> bytes:
        """What the text with this hash means; nothing if nobody reckoned it."""

    def near_duplicates(self, fingerprint: int, bits: int) -> list[tuple[str, int]]:
        """Documents whose fingerprint differs in at most so many bits (up to three: all of them), the nearest first."""

    def authorships_by_family(self, family: str) -> list[AuthorshipOfWork]:
        """Every author place with this family name, as compared, in headers and imported records."""

    def works_by_key(self, key: str) -> list[str]:
        """The works whose live descriptions stand under a key."""

    def with_full_text(self, roots: Iterable[str]) -> set[str]:
        """Which of these works have a document here."""

    def changes_after(self, position: int, limit: int) -> list[WorkChange]:
        """The next changes, oldest first."""

    def changed_works(self, after: int, until: int) -> set[str]:
        """The works of the changes in between."""

    def last_change(self) -> int:
        """The newest sequence number."""

    def live_works(self) -> Iterator[str]:
        """Every work that has a live description."""

    def members(self, root: str) -> list[str]:
        """The live descriptions of a work, the founder of its id first."""

    def unresolved(self, version: int, after: str, limit: int) -> list[str]:
        """The next live descriptions that were settled by less than this version, in the order of their names."""

    def jobs(self, limit: int) -> list[Job]:
        """What was asked for, the newest first."""

    def job(self, name: str) -> Job:
        """One job, with its documents counted."""

    def job_state(self, name: str) -> JobState:
        """Whether a job goes on, without counting anything."""

    def job_documents(self, name: str) -> list[tuple[str, str]]:
        """The documents of a job, each with where its task stands."""

    def curation_actions(self, limit: int) -> list[CurationAction]:
        """What people decided, the newest first."""

    def counts(self) -> dict[str, int]:
        """How many documents, works and citations there are."""

    def cluster_statistics(self) -> dict[str, int]:
        """How descriptions hang together by verdicts, and how far the partition takes that apart again."""

    def outcomes(self) -> dict[str, int]:
        """Documents by outcome; unfinished ones under `waiting`."""

    def corruption(self) -> Iterator[str]:
        """What the database itself knows to be broken."""

    def inconsistencies(self) -> Iterator[str]:
        """What is wrong within the records themselves; nothing, unless the disk or we made a mistake."""

    def save_to(self, target: Path) -> None:
        """Write all of it, as it is at one moment, into a new SQLite file; readers and writers go on meanwhile."""

    @property
    def name(self) -> str:
        """What people call the place of the records: a file or an address, without its password."""

    @property
    def uuid(self) -> str:
        """The library's own name for itself."""

    def close(self) -> None:
        """Give back what is held."""

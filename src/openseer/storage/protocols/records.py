"""Interface of the records, the source of truth: the writer under the write lock, and the reader."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from openseer.core.model.change import CurationAction, WorkChange
from openseer.core.model.description import (
    Authorship,
    Description,
    LinkConstraint,
    MatchFields,
    MatchLink,
    Observation,
)
from openseer.core.model.document import Document, DocumentSelection, FileFacts, Viewer
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


class ClusterMember(NamedTuple):
    """A description as it stands in the works before they are clustered again."""

    minted_id: str
    canonical_id: str
    """The work that holds it."""
    created_ms: int
    live: bool
    """True if a document that is not retracted has an observation of it."""


class Component(NamedTuple):
    """Descriptions that works, links and constraints connect."""

    members: Mapping[str, ClusterMember]
    links: Sequence[MatchLink]
    constraints: Sequence[LinkConstraint]


class Move(NamedTuple):
    """A description that changes from one work to another."""

    description: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Registration:
    """Result of `register`."""

    known: bool
    """True if the document needs no extraction now: done, quarantined, or waiting for its next attempt."""
    task: Task
    outcome: str = ""
    """Outcome of the document, if it has one."""
    detail: str = ""
    """Its reason, if it was not ingested."""


@dataclass(frozen=True, slots=True)
class Affected:
    """Descriptions that the resolver has to match after an operation."""

    new: frozenset[str] = frozenset()
    """New, changed or reinstated descriptions."""
    unlinked: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Descriptions whose clusters may split, each with the descriptions it was linked to before."""


class CurationResult(NamedTuple):
    """Number of a stored curation action, and the descriptions to match because of it."""

    action: int
    affected: Affected


@dataclass(frozen=True, slots=True)
class ExtractionFacts:
    """Columns of a document that `acknowledge` writes beside its outcome."""

    mime: str = ""
    pages: int = 0
    words: int = 0
    language: str = ""
    simhash: int | None = None
    is_stored: bool = False
    """True if the file store has its bytes."""
    generation: int = 0
    extractor: str = READER
    """The extractor whose task is closed."""
    scholarly: float | None = None
    """Probability that it is a paper."""
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)


class Writer(Protocol):
    """Operations under the library's write lock; they commit or roll back together."""

    def register(
        self, resource: Resource, facts: FileFacts, extractor_version: int, extractor: str = READER, job: str = ""
    ) -> Registration:
        """Add a document's source and its task for this extractor version; idempotent."""

    def lease(self, tasks: Iterable[Task], owner: str, seconds: float) -> set[str]:
        """Lease these tasks unless another live owner has them; returns the SHA-1s of the leased ones."""

    def lease_due(self, extractor_version: int, owner: str, seconds: float, limit: int) -> list[Task]:
        """Lease the next due tasks of the reader, normal priority first, abandoned ones included."""

    def renew(self, owner: str, seconds: float) -> None:
        """Prolong all leases of an owner."""

    def release(self, owner: str) -> None:
        """Give up all leases of an owner."""

    def deprioritise(self, task: Task, priority: int) -> None:
        """Give up the lease of a task and set its priority."""

    def open_job(self, what: str) -> str:
        """Create a job and return its id."""

    def set_job(self, job: str, state: JobState) -> None:
        """Pause, resume, cancel or end a job."""

    def retry_job(self, job: str) -> int:
        """Reopen the failed, cancelled and quarantined documents of a job; returns their number."""

    def reopen(self, outcomes: Collection[str]) -> int:
        """Reopen the tasks of all documents with these outcomes; returns their number."""

    def new_generation(self, sha1: str, extractor_version: int, extractor: str = READER) -> Task:
        """Open the task of a document again, as a new generation."""

    def put_summary(self, sha1: str, generation: int, body: bytes) -> None:
        """Store the document summary, unless a newer generation has stored one."""

    def replace_observations(
        self, sha1: str, generation: int, observations: Sequence[Observation], descriptions: Iterable[Description]
    ) -> Affected:
        """Replace a document's observations and create missing descriptions with their work ids.

        A generation older than the stored one changes nothing. Keys and links of changed descriptions are deleted."""

    def put_authorships(self, description: str, authors: Sequence[Authorship]) -> None:
        """Replace the author-name strings of a header or an imported record."""

    def index_keys(
        self, keys_of: Mapping[str, Collection[str]], sketches: Mapping[str, bytes], version: int
    ) -> dict[str, set[str]]:
        """Store the blocking keys and sketch of each description and return the other members of its blocks."""

    def sketches(self, descriptions: Collection[str]) -> dict[str, bytes]:
        """Stored sketches; descriptions without one are left out."""

    def block_members(self, descriptions: Collection[str]) -> dict[str, set[str]]:
        """The other members of the blocks of these descriptions, live or not."""

    def live(self, descriptions: Collection[str]) -> set[str]:
        """Descriptions with an observation that is not retracted."""

    def works_of(self, descriptions: Collection[str]) -> dict[str, str]:
        """The canonical id of the work that holds each description."""

    def descriptions(self, ids: Collection[str]) -> dict[str, MatchFields]:
        """Match fields of descriptions."""

    def put_links(self, links: Iterable[MatchLink]) -> None:
        """Store match links, one a pair; the highest matcher version wins."""

    def drop_links(self, descriptions: Collection[str]) -> None:
        """Delete all links of these descriptions."""

    def component(self, descriptions: Collection[str]) -> Component:
        """All descriptions connected with these by works, links or constraints."""

    def put_works(self, moves: Sequence[Move]) -> None:
        """Store the new work of each moved description; one work change for each altered work."""

    def curate(self, constraints: Mapping[tuple[str, str], bool | None], what: str, why: str) -> int:
        """Set must-links (True) and cannot-links (False), or remove them (None), as one curation action."""

    def undo(self, action: int, why: str) -> CurationResult:
        """Apply the inverse of a curation action, as an action of its own."""

    def accept(self, sha1: str, why: str) -> CurationResult:
        """Confirm that a document is a paper."""

    def retract(self, sha1: str, why: str, visibility: str) -> CurationResult:
        """Set a document's visibility; deleted and dmca retract its observations, rows stay."""

    def reinstate(self, sha1: str, why: str) -> CurationResult:
        """The inverse of `retract`."""

    def put_embeddings(self, embeddings: Mapping[int, bytes]) -> None:
        """Store embeddings by the hash of their text."""

    def acknowledge(self, sha1: str, outcome: str, detail: str, facts: ExtractionFacts) -> None:
        """Write the outcome of a document and close its task; the last operation, nothing counts before it.

        A failed or older extraction never replaces an ingested one: it only closes its task."""


class VisibleRecords(Protocol):
    """Documents and authors as one viewer sees them. Whatever shows a document to somebody reads it here."""

    def document(self, sha1: str) -> Document:
        """A document; an error that says why if the viewer may not see it."""

    def may_see(self, sha1: str) -> bool:
        """True if the document exists and the viewer may see it."""

    def documents(self, sha1s: Iterable[str]) -> dict[str, Document]:
        """The documents among these that the viewer may see."""

    def list_documents(self, selection: DocumentSelection, offset: int, limit: int) -> tuple[int, list[Document]]:
        """Number of the selected documents, and a part of them, the last added first."""

    def authorships_by_family(self, family: str) -> list[AuthorshipOfWork]:
        """Live authorships with this normalised family name, of headers and imported records."""

    def imported_records(self, work: str) -> list[tuple[str, int]]:
        """Live imported records of a work: bibliography and position in it."""


class Records(Protocol):
    """The source of truth: reads at any time, writes under one lock."""

    def writing(self) -> AbstractContextManager[Writer]:
        """Hold the write lock; the operations inside commit or roll back together."""

    def as_seen_by(self, viewer: Viewer) -> VisibleRecords:
        """Documents and authors as a viewer sees them."""

    def documents_by_sha1(self, sha1s: Iterable[str]) -> dict[str, Document]:
        """Documents of any visibility, for ingest and index; readers ask `as_seen_by`."""

    def documents(self) -> Iterator[Document]:
        """Every document, by SHA-1, without its sources."""

    def re_extractable(self, extractor_version: int | None, extractor: str = READER) -> list[str]:
        """Ingested and stored documents that this extractor version has not read; None: all of the extractor."""

    def summary(self, sha1: str) -> bytes:
        """The encoded document summary, or nothing."""

    def canonical_id(self, work: str) -> str:
        """The canonical id of the work that a work id names."""

    def canonical_ids(self, works: Iterable[str]) -> dict[str, str]:
        """Canonical ids by work id; unknown ids are left out."""

    def ids_of(self, works: Iterable[str]) -> dict[str, list[str]]:
        """Every work id that names each of these works; none for one that was merged into another."""

    def descriptions_of(self, works: Iterable[str]) -> dict[str, list[DescriptionCount]]:
        """Live descriptions of each work, with the number of observations of each kind."""

    def imported_records(self, work: str) -> list[tuple[str, int]]:
        """Live imported records of a work: bibliography and position in it."""

    def outgoing_citations(self, sha1: str) -> list[OutgoingCitation]:
        """References of a document, each with the id minted by its description and the work it names now."""

    def incoming_citations(self, work: str) -> list[IncomingCitation]:
        """Every live citation of a work."""

    def citing_ids(self, work: str, limit: int) -> list[str]:
        """Works that cite a work, in the order of their ids."""

    def citation_counts(self, works: Iterable[str]) -> dict[str, CitationCount]:
        """Number of citing works of each work; uncited works are left out."""

    def references(self, works: Iterable[str]) -> dict[str, set[str]]:
        """The works that each work cites."""

    def cocited(self, work: str) -> list[RelatedWork]:
        """Works cited together with this one, by the number of works that cite both."""

    def coupled(self, work: str) -> list[RelatedWork]:
        """Works that share references with this one; a shared reference weighs one through its citations."""

    def embedding(self, text_hash: int) -> bytes:
        """The stored embedding of a text, or nothing."""

    def near_duplicates(self, fingerprint: int, bits: int) -> list[tuple[str, int]]:
        """Documents whose simhash differs in at most so many bits, nearest first; complete up to three bits."""

    def works_by_key(self, key: str) -> list[str]:
        """Works that have a live description under a blocking key."""

    def with_full_text(self, works: Iterable[str]) -> set[str]:
        """The works among these that have a document."""

    def changes_after(self, position: int, limit: int) -> list[WorkChange]:
        """The next work changes, oldest first."""

    def changed_works(self, after: int, until: int) -> set[str]:
        """The works of the changes in this range."""

    def last_change(self) -> int:
        """The newest sequence number of the change feed."""

    def live_works(self) -> Iterator[str]:
        """Every work that has a live description."""

    def members(self, work: str) -> list[str]:
        """Live descriptions of a work; the one that minted its id comes first."""

    def unresolved(self, version: int, after: str, limit: int) -> list[str]:
        """The next live descriptions, by name, that an older version of keys and matcher resolved."""

    def jobs(self, limit: int) -> list[Job]:
        """Jobs with their counts, newest first."""

    def job(self, name: str) -> Job:
        """One job with its counts."""

    def job_state(self, name: str) -> JobState:
        """State of a job, without counting its documents."""

    def job_documents(self, name: str) -> list[tuple[str, str]]:
        """SHA-1 and task state of each document of a job."""

    def has_due_task(self, job: str) -> bool:
        """True if a document of the job waits and may be extracted now."""

    def uploaded_bytes(self, since: float) -> int:
        """Bytes of the documents of uploads and fetched URLs since a time."""

    def curation_actions(self, limit: int) -> list[CurationAction]:
        """Curation actions, newest first."""

    def counts(self) -> dict[str, int]:
        """Numbers of documents, works, references and changes."""

    def cluster_statistics(self) -> dict[str, int]:
        """Sizes of linked components and works, and the number of oversized blocks."""

    def outcomes(self) -> dict[str, int]:
        """Documents by outcome; unfinished ones under `waiting`."""

    def corruption(self) -> Iterator[str]:
        """Damage that the database itself reports."""

    def inconsistencies(self) -> Iterator[str]:
        """Rows that contradict each other; none unless a disk or this program failed."""

    def save_to(self, target: Path) -> None:
        """Write one consistent snapshot of all records into a new SQLite file; nobody waits for it."""

    @property
    def name(self) -> str:
        """Printable location of the records: a file name, or a URL without its password."""

    @property
    def uuid(self) -> str:
        """Id of this library."""

    def close(self) -> None:
        """Close all connections."""

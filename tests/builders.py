"""Small synthetic papers, and a comparable snapshot of a library, independent of the order of ingestion."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from openseer.core.model.description import Description, MatchFields, Observation, header_id, reference_id
from openseer.core.model.document import FileFacts
from openseer.core.model.resource import Resource
from openseer.core.model.work import CitationCount
from openseer.core.processes.worker_pool import WorkerResult
from openseer.match import blocking_keys as keys
from openseer.match.field_voting import vote
from openseer.match.resolver import merge_affected, resolve
from openseer.match.sketch import sketch_of
from openseer.storage.protocols.records import Affected, ExtractionFacts, Records, Registration, Writer


@dataclass(frozen=True)
class Paper:
    """A synthetic paper: title, first author and cited works."""

    title: str
    author: str
    cites: tuple[tuple[str, str], ...] = ()
    copy: int = 0
    """Another copy of the same work has other bytes."""
    doi: str = ""

    @property
    def sha1(self) -> str:
        return hashlib.sha1(f"{self.title}|{self.author}|{self.copy}".encode()).hexdigest()

    @property
    def facts(self) -> FileFacts:
        return FileFacts(self.sha1, "0" * 64, 1000, "application/pdf")

    @property
    def resource(self) -> Resource:
        return Resource(url=f"file:///papers/{self.sha1}.pdf")

    def descriptions(self) -> list[Description]:
        references = [MatchFields(title=title, authors=((author, ""),)) for title, author in self.cites]
        named = [Description.of(reference_id(fields), fields) for fields in references]
        head = MatchFields(
            self.title, ((self.author, "A."),), year=2000, doi=self.doi, cites=tuple(one.id for one in named)
        )
        return [Description.of(header_id(self.sha1), head), *named]

    def observations(self) -> list[Observation]:
        head, *named = self.descriptions()
        return [Observation(head.id, "header"), *(Observation(one.id, "reference", at) for at, one in enumerate(named))]

    def keys(self) -> dict[str, list[str]]:
        return {one.id: keys.keys_of(one.fields) for one in self.descriptions()}

    def signs(self) -> dict[str, bytes]:
        return {one.id: sketch_of(one.fields) for one in self.descriptions()}


def observe(writer: Writer, paper: Paper, generation: int = 1) -> Affected:
    """Register a paper and store its observations and summary, as ingestion does before matching."""
    writer.register(paper.resource, paper.facts, 1)
    touched = writer.replace_observations(paper.sha1, generation, paper.observations(), paper.descriptions())
    writer.put_summary(paper.sha1, generation, b"")
    return touched


def ingest_papers(records: Records, papers: Iterable[Paper]) -> None:
    """Ingest papers completely, in one transaction."""
    with records.writing() as writer:
        batch = list(papers)
        touched = merge_affected(observe(writer, paper) for paper in batch)
        resolve(writer, {name: held for paper in batch for name, held in paper.keys().items()}, touched)
        for paper in batch:
            writer.acknowledge(paper.sha1, "ingested", "", ExtractionFacts(mime="application/pdf"))


@dataclass(frozen=True)
class LibrarySnapshot:
    """Contents that equal libraries share; ids, dates and sequence numbers may differ."""

    documents: tuple[tuple[str, str | None, str], ...]
    works: frozenset[Any] = field(default_factory=frozenset)
    """For each work: its descriptions with counts, its voted fields, and its incoming citations."""


def cited(records: Records, work: str) -> int:
    """Number of works that cite a work."""
    return records.citation_counts([work]).get(work, CitationCount()).total


def snapshot(records: Records) -> LibrarySnapshot:
    """The snapshot of a library."""
    works = set()
    for root in records.live_works():
        seen = records.descriptions_of([root])[root]
        members = frozenset((one.description, one.kind, one.count) for one in seen)
        cited = frozenset((c.sha1, c.position) for c in records.incoming_citations(root))
        works.add((members, vote(seen), cited))
        assert records.canonical_id(root) == root
    rows = ((one.sha1, one.outcome, one.visibility.value) for one in records.documents())
    return LibrarySnapshot(tuple(rows), frozenset(works))


def register(records: Records, resource: Resource, facts: FileFacts, *version: Any) -> Registration:
    """`Writer.register` in a transaction of its own."""
    with records.writing() as writer:
        return writer.register(resource, facts, *version)


class InThisProcess:
    """A worker pool whose only worker is this process, so that a test can trace its calls or extend its registries."""

    def __init__(self, work, size, limits):
        self._work = work

    def __class_getitem__(cls, key):
        return cls

    def run(self, jobs):
        for job in jobs:
            yield job and WorkerResult(job[0], tuple(self._work(job[1])))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

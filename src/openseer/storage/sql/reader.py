"""The records in SQL: all reads, and the transaction of the one writer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from openseer.core.connected_components import connected_components
from openseer.core.errors import NotFound
from openseer.core.model.change import CurationAction, WorkChange
from openseer.core.model.description import MatchFields
from openseer.core.model.document import Document, Viewer
from openseer.core.model.task import READER, Job, JobState
from openseer.core.model.work import (
    CitationCount,
    DescriptionCount,
    IncomingCitation,
    OutgoingCitation,
    RelatedWork,
)
from openseer.storage.sql import citation_graph, simhash_index
from openseer.storage.sql.blocking_index import hash_of, oversized_blocks
from openseer.storage.sql.citation_graph import CITATION
from openseer.storage.sql.engine.connect import Location, open_database
from openseer.storage.sql.engine.migrate import migrate
from openseer.storage.sql.task_queue import no_job
from openseer.storage.sql.visible_records import DOCUMENT, SqlVisibleRecords, document_of, documents_by_sha1
from openseer.storage.sql.writer import SqlWriter

OF_HEADER = "substr(description_id, 1, 1) = 'd'"
"""True if a header minted the work id (`header_id`); skips nearly all other works."""
INCONSISTENCIES = {
    "observation of {}, a description that does not exist": "SELECT DISTINCT description FROM observation"
    " WHERE NOT EXISTS (SELECT 1 FROM description WHERE id = observation.description)",
    "description {} minted no work id": "SELECT id FROM description"
    " WHERE NOT EXISTS (SELECT 1 FROM work WHERE description_id = description.id)",
    "work {} redirects to a work that redirects elsewhere": "SELECT work.id FROM work LEFT JOIN work AS shown"
    " ON shown.id = work.canonical_id WHERE shown.canonical_id IS NULL OR shown.canonical_id <> shown.id",
    "document {} was not ingested but has live observations": "SELECT sha1 FROM document"
    " WHERE outcome <> 'ingested' AND EXISTS (SELECT 1 FROM observation"
    " WHERE observation.sha1 = document.sha1 AND retracted = 0)",
    "ingested document {} has no summary": "SELECT sha1 FROM document WHERE outcome = 'ingested'"
    " AND NOT EXISTS (SELECT 1 FROM document_summary WHERE document_summary.sha1 = document.sha1)",
}
"""Inconsistencies, each with the query that finds it."""


class SqlRecords:
    """The records in a SQLite file (a path) or a PostgreSQL database (a URL)."""

    def __init__(self, location: Location, lock_timeout: float = 30.0, clock: Callable[[], float] = time.time) -> None:
        self._db = open_database(location, lock_timeout)
        self._clock = clock
        try:
            migrate(self._db)
        except BaseException:
            self._db.close()
            raise

    @contextmanager
    def writing(self) -> Iterator[SqlWriter]:
        with self._db.transaction():
            writer = SqlWriter(self._db, self._clock)
            yield writer
            writer.append_changes()

    def as_seen_by(self, viewer: Viewer) -> SqlVisibleRecords:
        return SqlVisibleRecords(self._db, viewer)

    # -- documents ------------------------------------------------------------------------------------------------

    def documents_by_sha1(self, sha1s: Iterable[str]) -> dict[str, Document]:
        return documents_by_sha1(self._db, sha1s)

    def documents(self) -> Iterator[Document]:
        for row in self._db.stream(f"{DOCUMENT} ORDER BY sha1"):
            yield document_of(row, ())

    def re_extractable(self, extractor_version: int | None, extractor: str = READER) -> list[str]:
        task = "SELECT 1 FROM task WHERE task.sha1 = document.sha1 AND extractor = ? AND state = 'done'"
        rows = self._db.rows(
            f"SELECT sha1 FROM document WHERE outcome = 'ingested' AND is_stored = 1 AND EXISTS ({task} AND error = '')"
            f" AND NOT EXISTS ({task} AND extractor_version = ?) ORDER BY sha1",
            (extractor, extractor, -1 if extractor_version is None else extractor_version),
        )
        return [row[0] for row in rows]

    def summary(self, sha1: str) -> bytes:
        row = self._db.one("SELECT body FROM document_summary WHERE sha1 = ?", (sha1,))
        return bytes(row[0]) if row else b""

    def outgoing_citations(self, sha1: str) -> list[OutgoingCitation]:
        rows = self._db.rows(
            "SELECT position, work.id, canonical_id, is_self_citation FROM observation"
            " JOIN work ON description_id = description"
            " WHERE sha1 = ? AND kind = 'reference' AND retracted = 0 ORDER BY position",
            (sha1,),
        )
        return [OutgoingCitation(position, minted, work, bool(own)) for position, minted, work, own in rows]

    # -- works ----------------------------------------------------------------------------------------------------

    def canonical_id(self, work: str) -> str:
        row = self._db.one("SELECT canonical_id FROM work WHERE id = ?", (work,))
        if row is None:
            raise NotFound(f"There is no work {work}.", "Search for it by its title.")
        return str(row[0])

    def canonical_ids(self, works: Iterable[str]) -> dict[str, str]:
        return dict(self._db.rows_in("SELECT id, canonical_id FROM work WHERE id IN ({})", works))

    def ids_of(self, works: Iterable[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {canonical_id: [] for canonical_id in works}
        for canonical_id, work in self._db.rows_in(
            "SELECT canonical_id, id FROM work WHERE canonical_id IN ({})", found
        ):
            found[canonical_id].append(work)
        return {canonical_id: sorted(ids) for canonical_id, ids in found.items()}

    def descriptions_of(self, works: Iterable[str]) -> dict[str, list[DescriptionCount]]:
        rows = list(
            self._db.rows_in(
                "SELECT canonical_id, description_id, kind, count(*), min(sha1) FROM work"
                " JOIN observation ON description = description_id AND retracted = 0"
                " WHERE canonical_id IN ({}) GROUP BY canonical_id, description_id, kind",
                works,
            )
        )
        query = "SELECT id, fields FROM description WHERE id IN ({})"
        texts: dict[str, str] = dict(self._db.rows_in(query, {row[1] for row in rows}))
        found: dict[str, list[DescriptionCount]] = {}
        for work, name, kind, count, sha1 in sorted(rows):
            one = DescriptionCount(
                name, MatchFields.of_text(texts[name]), kind, count, sha1 if kind == "header" else ""
            )
            found.setdefault(work, []).append(one)
        return found

    def imported_records(self, work: str) -> list[tuple[str, int]]:
        rows = self._db.rows(
            "SELECT sha1, position FROM work JOIN observation ON description = description_id"
            " WHERE canonical_id = ? AND kind = 'import' AND retracted = 0 ORDER BY sha1, position",
            (work,),
        )
        return [(sha1, position) for sha1, position in rows]

    def incoming_citations(self, work: str) -> list[IncomingCitation]:
        query = (
            f"SELECT citing.canonical_id, entry.sha1, entry.position, entry.is_self_citation{CITATION}"
            " WHERE cited.canonical_id = ? AND citing.canonical_id <> cited.canonical_id ORDER BY 1, 2, 3"
        )
        rows = self._db.rows(query, (work,))
        return [IncomingCitation(citing, sha1, position, bool(own)) for citing, sha1, position, own in rows]

    def citing_ids(self, work: str, limit: int) -> list[str]:
        query = (
            f"SELECT DISTINCT citing.canonical_id{CITATION}"
            " WHERE cited.canonical_id = ? AND citing.canonical_id <> cited.canonical_id ORDER BY 1 LIMIT ?"
        )
        return [citing for (citing,) in self._db.rows(query, (work, limit))]

    def citation_counts(self, works: Iterable[str]) -> dict[str, CitationCount]:
        self_citing = "CASE WHEN entry.is_self_citation = 1 THEN citing.canonical_id END"
        query = (
            f"SELECT cited.canonical_id, count(DISTINCT citing.canonical_id), count(DISTINCT {self_citing}){CITATION}"
            " WHERE cited.canonical_id IN ({}) AND citing.canonical_id <> cited.canonical_id"
            " GROUP BY cited.canonical_id"
        )
        return {work: CitationCount(total, own_total) for work, total, own_total in self._db.rows_in(query, works)}

    def references(self, works: Iterable[str]) -> dict[str, set[str]]:
        return citation_graph.references(self._db, works)

    def cocited(self, work: str) -> list[RelatedWork]:
        return citation_graph.cocited(self._db, work)

    def coupled(self, work: str) -> list[RelatedWork]:
        cited = citation_graph.references(self._db, [work]).get(work, set())
        return citation_graph.coupled(
            self._db, work, {name: one.total for name, one in self.citation_counts(cited).items()}
        )

    def embedding(self, text_hash: int) -> bytes:
        row = self._db.one("SELECT body FROM embedding WHERE text_hash = ?", (text_hash,))
        return bytes(row[0]) if row else b""

    def near_duplicates(self, fingerprint: int, bits: int) -> list[tuple[str, int]]:
        return simhash_index.near(self._db, fingerprint, bits)

    def works_by_key(self, key: str) -> list[str]:
        rows = self._db.rows(
            "SELECT DISTINCT canonical_id FROM blocking_key JOIN work ON description_id = blocking_key.description"
            " JOIN observation ON observation.description = description_id AND retracted = 0 WHERE key = ?"
            " ORDER BY canonical_id",
            (hash_of(key),),
        )
        return [row[0] for row in rows]

    def with_full_text(self, works: Iterable[str]) -> set[str]:
        query = (
            "SELECT DISTINCT canonical_id FROM work JOIN observation ON observation.description = description_id"
            f" WHERE {OF_HEADER} AND retracted = 0 AND kind = 'header' AND canonical_id IN ({{}})"
        )
        return {row[0] for row in self._db.rows_in(query, set(works))}

    def live_works(self) -> Iterator[str]:
        query = (
            "SELECT DISTINCT canonical_id FROM work WHERE EXISTS (SELECT 1 FROM observation"
            " WHERE observation.description = description_id AND retracted = 0) ORDER BY canonical_id"
        )
        for row in self._db.stream(query):
            yield row[0]

    # -- changes and counts ---------------------------------------------------------------------------------------

    def changes_after(self, position: int, limit: int) -> list[WorkChange]:
        query = "SELECT sequence, work, counts_only FROM work_change WHERE sequence > ? ORDER BY sequence LIMIT ?"
        rows = self._db.rows(query, (position, limit))
        return [WorkChange(sequence, work, bool(counts_only)) for sequence, work, counts_only in rows]

    def changed_works(self, after: int, until: int) -> set[str]:
        query = "SELECT DISTINCT work FROM work_change WHERE sequence > ? AND sequence <= ?"
        return {row[0] for row in self._db.rows(query, (after, until))}

    def last_change(self) -> int:
        row = self._db.one("SELECT coalesce(max(sequence), 0) FROM work_change")
        return int(row[0]) if row else 0

    def members(self, work: str) -> list[str]:
        rows = self._db.rows(
            "SELECT description_id, id FROM work WHERE canonical_id = ? AND EXISTS (SELECT 1 FROM observation"
            " WHERE observation.description = description_id AND retracted = 0)",
            (work,),
        )
        return [name for name, _ in sorted(rows, key=lambda row: (row[1] != work, row[0]))]

    def unresolved(self, version: int, after: str, limit: int) -> list[str]:
        query = (
            "SELECT id FROM description WHERE resolved_version < ? AND id > ? AND EXISTS (SELECT 1 FROM observation"
            " WHERE observation.description = description.id AND retracted = 0) ORDER BY id LIMIT ?"
        )
        return [row[0] for row in self._db.rows(query, (version, after, limit))]

    def jobs(self, limit: int) -> list[Job]:
        names = self._db.rows("SELECT id FROM job ORDER BY at DESC, id LIMIT ?", (limit,))
        return [self.job(name) for (name,) in names]

    def job(self, name: str) -> Job:
        row = self._db.one("SELECT id, at, what FROM job WHERE id = ?", (name,))
        if row is None:
            raise no_job(name)
        counts = self._db.rows(
            "SELECT CASE WHEN task.state = 'quarantined' THEN 'quarantined' ELSE coalesce(outcome, task.state) END,"
            " count(*) FROM job_document JOIN document ON document.sha1 = job_document.sha1"
            " JOIN task ON task.sha1 = document.sha1 AND extractor = ? AND task.generation ="
            " (SELECT max(newest.generation) FROM task AS newest WHERE newest.sha1 = document.sha1"
            " AND newest.extractor = task.extractor)"
            " WHERE job = ? GROUP BY 1 ORDER BY 2 DESC, 1",
            (READER, name),
        )
        return Job(row[0], row[1], row[2], self.job_state(name), dict(counts))

    def job_state(self, name: str) -> JobState:
        row = self._db.one("SELECT state FROM job WHERE id = ?", (name,))
        if row is None:
            raise no_job(name)
        return JobState(row[0])

    def job_documents(self, name: str) -> list[tuple[str, str]]:
        query = (
            "SELECT job_document.sha1, max(task.state) FROM job_document"
            " JOIN task ON task.sha1 = job_document.sha1 AND extractor = ? WHERE job = ? GROUP BY 1 ORDER BY 1"
        )
        return [(sha1, state) for sha1, state in self._db.rows(query, (READER, name))]

    def has_due_task(self, job: str) -> bool:
        query = (
            "SELECT 1 FROM job_document JOIN task ON task.sha1 = job_document.sha1 AND extractor = ?"
            " WHERE job = ? AND state = 'waiting' AND not_before <= ? LIMIT 1"
        )
        return self._db.one(query, (READER, job, self._clock())) is not None

    def uploaded_bytes(self, since: float) -> int:
        query = (
            "SELECT coalesce(sum(size), 0) FROM document WHERE sha1 IN (SELECT job_document.sha1 FROM job_document"
            " JOIN job ON job.id = job WHERE at >= ? AND (what LIKE 'upload %' OR what LIKE 'fetch %'))"
        )
        row = self._db.one(query, (since,))
        return int(row[0]) if row else 0

    def curation_actions(self, limit: int) -> list[CurationAction]:
        query = "SELECT id, at, who, what, why, subject, inverse FROM curation_action ORDER BY id DESC LIMIT ?"
        return [CurationAction(*row) for row in self._db.rows(query, (limit,))]

    def counts(self) -> dict[str, int]:
        live = "EXISTS (SELECT 1 FROM observation WHERE observation.description = description_id AND retracted = 0)"
        queries = {
            "documents": "SELECT count(*) FROM document WHERE outcome = 'ingested'",
            "works": f"SELECT count(DISTINCT canonical_id) FROM work WHERE {live}",
            "works_with_full_text": f"SELECT count(DISTINCT canonical_id) FROM work WHERE {OF_HEADER} AND {live}",
            "references": "SELECT count(*) FROM observation WHERE kind = 'reference' AND retracted = 0",
            "changes": "SELECT coalesce(max(sequence), 0) FROM work_change",
        }
        return {name: int((self._db.one(sql) or (0,))[0]) for name, sql in queries.items()}

    def cluster_statistics(self) -> dict[str, int]:
        pairs = [(low, high) for low, high in self._db.stream("SELECT low, high FROM match_link")]
        linked = {name for pair in pairs for name in pair}
        query = "SELECT description_id, canonical_id FROM work WHERE description_id IN ({})"
        works: dict[str, str] = dict(self._db.rows_in(query, linked))
        groups = connected_components(linked, pairs)
        sizes = self._db.one(
            "SELECT max(members) FROM (SELECT count(*) AS members FROM work GROUP BY canonical_id) AS sizes"
        )
        return {
            "linked_groups": len(groups),
            "largest_linked_group": max(map(len, groups), default=0),
            "linked_groups_taken_apart": sum(len({works[name] for name in group}) > 1 for group in groups),
            "descriptions_of_the_largest_work": int((sizes or (0,))[0] or 0),
            "overfull_keys": oversized_blocks(self._db),
        }

    def outcomes(self) -> dict[str, int]:
        rows = self._db.rows(
            "SELECT coalesce(outcome, 'waiting'), count(*) FROM document GROUP BY 1 ORDER BY 2 DESC, 1"
        )
        return {outcome: count for outcome, count in rows}

    def corruption(self) -> Iterator[str]:
        return self._db.damage()

    def inconsistencies(self) -> Iterator[str]:
        yield from self.corruption()
        for what, question in INCONSISTENCIES.items():
            for (name,) in self._db.rows(f"{question} LIMIT 20"):
                yield what.format(name)

    def save_to(self, target: Path) -> None:
        self._db.save(target)

    @property
    def name(self) -> str:
        return self._db.name

    @property
    def uuid(self) -> str:
        row = self._db.one("SELECT value FROM library WHERE name = 'uuid'")
        return str(row[0]) if row else ""

    def close(self) -> None:
        self._db.close()

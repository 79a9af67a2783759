"""`Records` in SQL: the reading side, and the door to the one writer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from openseer.core.connected_components import connected_components
from openseer.core.errors import Denied, Gone, NotFound, RemovedByLaw
from openseer.core.model.change import CurationAction, WorkChange
from openseer.core.model.description import MatchFields
from openseer.core.model.document import Document, FileFacts, Source, Viewer, Visibility
from openseer.core.model.resource import Resource
from openseer.core.model.task import READER, Job, JobState
from openseer.core.model.work import (
    AuthorshipOfWork,
    CitationCount,
    DescriptionCount,
    IncomingCitation,
    OutgoingCitation,
    RelatedWork,
)
from openseer.storage.protocols.records import Registration
from openseer.storage.sql import authorships, citation_graph
from openseer.storage.sql import simhash_index as near
from openseer.storage.sql.blocking_index import hash_of, oversized_blocks
from openseer.storage.sql.citation_graph import CITATION
from openseer.storage.sql.engine.connect import Location, open_database
from openseer.storage.sql.engine.dialect import Row
from openseer.storage.sql.engine.migrate import migrate
from openseer.storage.sql.task_queue import no_job
from openseer.storage.sql.writer import SqlWriter

COLUMNS = (
    "sha1",
    "sha256",
    "size",
    "mime",
    "outcome",
    "detail",
    "visibility",
    "generation",
    "pages",
    "words",
    "language",
    "simhash",
    "kept",
    "added_at",
)
OF_HEADER = "substr(founder, 1, 1) = 'd'"
"""Whether a work was founded by the header of a document: nearly all others need not be looked at (`header_id`)."""
DOCUMENT = f"SELECT {', '.join(COLUMNS)} FROM document"
FAULTS = {
    "observation of {} which is not described": "SELECT DISTINCT description FROM observation"
    " WHERE NOT EXISTS (SELECT 1 FROM description WHERE id = observation.description)",
    "description {} founds no work": "SELECT id FROM description"
    " WHERE NOT EXISTS (SELECT 1 FROM work WHERE founder = description.id)",
    "work {} leads to a work that leads elsewhere": "SELECT work.id FROM work LEFT JOIN work AS shown"
    " ON shown.id = work.root WHERE shown.root IS NULL OR shown.root <> shown.id",
    "document {} was not ingested but what it says still stands": "SELECT sha1 FROM document"
    " WHERE outcome <> 'ingested' AND EXISTS (SELECT 1 FROM observation"
    " WHERE observation.sha1 = document.sha1 AND withdrawn = 0)",
    "ingested document {} has no reading": "SELECT sha1 FROM document WHERE outcome = 'ingested'"
    " AND NOT EXISTS (SELECT 1 FROM reading WHERE reading.sha1 = document.sha1)",
}
"""What must never be found, each with the question that finds it."""


class SqlRecords:
    """The truth of a library in a SQLite file (a path) or a PostgreSQL database (an address)."""

    def __init__(self, place: Location, lock_wait: float = 30.0, clock: Callable[[], float] = time.time) -> None:
        self._db = open_database(place, lock_wait)
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

    def register(self, resource: Resource, facts: FileFacts, wanted: int, extractor: str = READER) -> Registration:
        with self.writing() as writer:
            return writer.register(resource, facts, wanted, extractor)

    # -- documents ------------------------------------------------------------------------------------------------

    def document(self, sha1: str, viewer: Viewer) -> Document:
        row = self._db.one(f"{DOCUMENT} WHERE sha1 = ?", (sha1,))
        if row is None:
            raise NotFound(f"There is no document {sha1}.", "Its name is the SHA-1 of the file, 40 hex digits.")
        sources = self._db.rows("SELECT url, parent, fetched_at FROM source WHERE sha1 = ? ORDER BY url", (sha1,))
        document = _document(row, tuple(Source(*source) for source in sources))
        _check(viewer, document.visibility, f"The document {sha1}")
        return document

    def may_see(self, sha1: str, viewer: Viewer) -> bool:
        row = self._db.one("SELECT visibility FROM document WHERE sha1 = ?", (sha1,))
        return row is not None and viewer.sees(Visibility(row[0]))

    def documents_by_sha1(self, sha1s: Iterable[str]) -> dict[str, Document]:
        names = list(sha1s)
        sources: dict[str, list[Source]] = {}
        for sha1, *source in self._db.rows_in(
            "SELECT sha1, url, parent, fetched_at FROM source WHERE sha1 IN ({}) ORDER BY sha1, url", names
        ):
            sources.setdefault(sha1, []).append(Source(*source))
        rows = self._db.rows_in(f"{DOCUMENT} WHERE sha1 IN ({{}})", names)
        return {row[0]: _document(row, tuple(sources.get(row[0], ()))) for row in rows}

    def documents(self) -> Iterator[Document]:
        for row in self._db.stream(f"{DOCUMENT} ORDER BY sha1"):
            yield _document(row, ())

    def re_extractable(self, wanted: int | None, extractor: str = READER) -> list[str]:
        task = "SELECT 1 FROM task WHERE task.sha1 = document.sha1 AND extractor = ? AND state = 'done'"
        rows = self._db.rows(
            f"SELECT sha1 FROM document WHERE outcome = 'ingested' AND kept = 1 AND EXISTS ({task} AND error = '')"
            f" AND NOT EXISTS ({task} AND wanted = ?) ORDER BY sha1",
            (extractor, extractor, -1 if wanted is None else wanted),
        )
        return [row[0] for row in rows]

    def summary(self, sha1: str) -> bytes:
        row = self._db.one("SELECT body FROM reading WHERE sha1 = ?", (sha1,))
        return bytes(row[0]) if row else b""

    def outgoing_citations(self, sha1: str) -> list[OutgoingCitation]:
        rows = self._db.rows(
            "SELECT place, work.id, root, own FROM observation JOIN work ON founder = description"
            " WHERE sha1 = ? AND kind = 'reference' AND withdrawn = 0 ORDER BY place",
            (sha1,),
        )
        return [OutgoingCitation(place, work, root, bool(own)) for place, work, root, own in rows]

    # -- works ----------------------------------------------------------------------------------------------------

    def canonical_id(self, work: str, viewer: Viewer) -> str:
        row = self._db.one(
            "SELECT shown.id, shown.visibility FROM work JOIN work AS shown ON shown.id = work.root WHERE work.id = ?",
            (work,),
        )
        if row is None:
            raise NotFound(f"There is no work {work}.", "Look for it by its title.")
        _check(viewer, Visibility(row[1]), f"The work {work}")
        return str(row[0])

    def canonical_ids(self, works: Iterable[str]) -> dict[str, str]:
        return dict(self._db.rows_in("SELECT id, root FROM work WHERE id IN ({})", works))

    def public_works(self, roots: Iterable[str]) -> set[str]:
        rows = self._db.rows_in("SELECT id, visibility FROM work WHERE id IN ({})", roots)
        return {work for work, visibility in rows if Viewer.PUBLIC.sees(Visibility(visibility))}

    def ids_of(self, roots: Iterable[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {root: [] for root in roots}
        for root, work in self._db.rows_in("SELECT root, id FROM work WHERE root IN ({})", found):
            found[root].append(work)
        return {root: sorted(works) for root, works in found.items()}

    def descriptions_of(self, roots: Iterable[str]) -> dict[str, list[DescriptionCount]]:
        rows = list(
            self._db.rows_in(
                "SELECT root, founder, kind, count(*), min(sha1) FROM work"
                " JOIN observation ON description = founder AND withdrawn = 0"
                " WHERE root IN ({}) GROUP BY root, founder, kind",
                roots,
            )
        )
        asked = "SELECT id, fields FROM description WHERE id IN ({})"
        texts: dict[str, str] = dict(self._db.rows_in(asked, {row[1] for row in rows}))
        found: dict[str, list[DescriptionCount]] = {}
        for root, name, kind, times, sha1 in sorted(rows):
            one = DescriptionCount(
                name, MatchFields.of_text(texts[name]), kind, times, sha1 if kind == "header" else ""
            )
            found.setdefault(root, []).append(one)
        return found

    def imported_records(self, root: str) -> list[tuple[str, int]]:
        rows = self._db.rows(
            "SELECT sha1, place FROM work JOIN observation ON description = founder"
            " WHERE root = ? AND kind = 'import' AND withdrawn = 0 ORDER BY sha1, place",
            (root,),
        )
        return [(sha1, place) for sha1, place in rows]

    def incoming_citations(self, root: str) -> list[IncomingCitation]:
        asked = (
            f"SELECT citing.root, entry.sha1, entry.place, entry.own{CITATION}"
            " WHERE cited.root = ? AND citing.root <> cited.root ORDER BY 1, 2, 3"
        )
        rows = self._db.rows(asked, (root,))
        return [IncomingCitation(work, sha1, place, bool(own)) for work, sha1, place, own in rows]

    def citation_counts(self, roots: Iterable[str]) -> dict[str, CitationCount]:
        own = "CASE WHEN entry.own = 1 THEN citing.root END"
        asked = (
            f"SELECT cited.root, count(DISTINCT citing.root), count(DISTINCT {own}){CITATION}"
            " WHERE cited.root IN ({}) AND citing.root <> cited.root GROUP BY cited.root"
        )
        return {root: CitationCount(times, of_own) for root, times, of_own in self._db.rows_in(asked, roots)}

    def references(self, roots: Iterable[str]) -> dict[str, set[str]]:
        return citation_graph.references(self._db, roots)

    def cocited(self, root: str) -> list[RelatedWork]:
        return citation_graph.cocited(self._db, root)

    def coupled(self, root: str) -> list[RelatedWork]:
        cited = citation_graph.references(self._db, [root]).get(root, set())
        return citation_graph.coupled(
            self._db, root, {work: one.total for work, one in self.citation_counts(cited).items()}
        )

    def embedding(self, text: int) -> bytes:
        row = self._db.one("SELECT body FROM vector WHERE text = ?", (text,))
        return bytes(row[0]) if row else b""

    def near_duplicates(self, fingerprint: int, bits: int) -> list[tuple[str, int]]:
        return near.near(self._db, fingerprint, bits)

    def authorships_by_family(self, family: str) -> list[AuthorshipOfWork]:
        return authorships.written_by(self._db, family)

    def works_by_key(self, key: str) -> list[str]:
        rows = self._db.rows(
            "SELECT DISTINCT root FROM bucket JOIN work ON founder = bucket.description"
            " JOIN observation ON observation.description = founder AND withdrawn = 0 WHERE key = ? ORDER BY root",
            (hash_of(key),),
        )
        return [row[0] for row in rows]

    def with_full_text(self, roots: Iterable[str]) -> set[str]:
        asked = (
            "SELECT DISTINCT root FROM work JOIN observation ON observation.description = founder"
            f" WHERE {OF_HEADER} AND withdrawn = 0 AND kind = 'header' AND root IN ({{}})"
        )
        return {row[0] for row in self._db.rows_in(asked, set(roots))}

    def live_works(self) -> Iterator[str]:
        asked = (
            "SELECT DISTINCT root FROM work WHERE EXISTS (SELECT 1 FROM observation"
            " WHERE observation.description = founder AND withdrawn = 0) ORDER BY root"
        )
        for row in self._db.stream(asked):
            yield row[0]

    # -- changes and counts ---------------------------------------------------------------------------------------

    def changes_after(self, position: int, limit: int) -> list[WorkChange]:
        asked = "SELECT sequence, work, minor FROM change WHERE sequence > ? ORDER BY sequence LIMIT ?"
        rows = self._db.rows(asked, (position, limit))
        return [WorkChange(sequence, work, bool(minor)) for sequence, work, minor in rows]

    def changed_works(self, after: int, until: int) -> set[str]:
        asked = "SELECT DISTINCT work FROM change WHERE sequence > ? AND sequence <= ?"
        return {row[0] for row in self._db.rows(asked, (after, until))}

    def last_change(self) -> int:
        row = self._db.one("SELECT coalesce(max(sequence), 0) FROM change")
        return int(row[0]) if row else 0

    def members(self, root: str) -> list[str]:
        rows = self._db.rows(
            "SELECT founder, id FROM work WHERE root = ? AND EXISTS (SELECT 1 FROM observation"
            " WHERE observation.description = founder AND withdrawn = 0)",
            (root,),
        )
        return [founder for founder, _ in sorted(rows, key=lambda row: (row[1] != root, row[0]))]

    def unresolved(self, version: int, after: str, limit: int) -> list[str]:
        asked = (
            "SELECT id FROM description WHERE settled < ? AND id > ? AND EXISTS (SELECT 1 FROM observation"
            " WHERE observation.description = description.id AND withdrawn = 0) ORDER BY id LIMIT ?"
        )
        return [row[0] for row in self._db.rows(asked, (version, after, limit))]

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
            " JOIN task ON task.sha1 = document.sha1 AND extractor = ? AND wanted = (SELECT max(wanted)"
            " FROM task AS newest WHERE newest.sha1 = document.sha1 AND newest.extractor = task.extractor)"
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
        asked = (
            "SELECT job_document.sha1, max(task.state) FROM job_document"
            " JOIN task ON task.sha1 = job_document.sha1 AND extractor = ? WHERE job = ? GROUP BY 1 ORDER BY 1"
        )
        return [(sha1, state) for sha1, state in self._db.rows(asked, (READER, name))]

    def curation_actions(self, limit: int) -> list[CurationAction]:
        asked = "SELECT id, at, who, what, why, subject, inverse FROM act ORDER BY id DESC LIMIT ?"
        return [CurationAction(*row) for row in self._db.rows(asked, (limit,))]

    def counts(self) -> dict[str, int]:
        live = "EXISTS (SELECT 1 FROM observation WHERE observation.description = founder AND withdrawn = 0{})"
        questions = {
            "documents": "SELECT count(*) FROM document WHERE outcome = 'ingested'",
            "works": f"SELECT count(DISTINCT root) FROM work WHERE {live.format('')}",
            "works_with_full_text": f"SELECT count(DISTINCT root) FROM work WHERE {OF_HEADER} AND {live.format('')}",
            "references": "SELECT count(*) FROM observation WHERE kind = 'reference' AND withdrawn = 0",
            "changes": "SELECT coalesce(max(sequence), 0) FROM change",
        }
        return {name: int((self._db.one(sql) or (0,))[0]) for name, sql in questions.items()}

    def cluster_statistics(self) -> dict[str, int]:
        pairs = [(low, high) for low, high in self._db.stream("SELECT low, high FROM verdict")]
        linked = {name for pair in pairs for name in pair}
        asked = "SELECT founder, root FROM work WHERE founder IN ({})"
        roots: dict[str, str] = dict(self._db.rows_in(asked, linked))
        groups = connected_components(linked, pairs)
        sizes = self._db.one("SELECT max(members) FROM (SELECT count(*) AS members FROM work GROUP BY root) AS sizes")
        return {
            "linked_groups": len(groups),
            "largest_linked_group": max(map(len, groups), default=0),
            "linked_groups_taken_apart": sum(len({roots[name] for name in group}) > 1 for group in groups),
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
        for what, question in FAULTS.items():
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


def _document(row: Row, sources: tuple[Source, ...]) -> Document:
    values = dict(zip(COLUMNS, row, strict=True))
    values |= {"visibility": Visibility(values["visibility"]), "kept": bool(values["kept"]), "sources": sources}
    return Document(**values)


def _check(viewer: Viewer, visibility: Visibility, what: str) -> None:
    """The one place that decides whether a viewer is shown something."""
    if viewer.sees(visibility):
        return
    if visibility is Visibility.DMCA:
        raise RemovedByLaw(f"{what} was removed for legal reasons.")
    if visibility is Visibility.DELETED:
        raise Gone(f"{what} was removed.")
    raise Denied(f"{what} is not public.", "Ask the operator of this library.")

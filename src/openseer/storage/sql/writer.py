"""The writer of the records in SQL: all operations under the library's write lock."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from openseer.core.errors import FAILURES, NotFound
from openseer.core.model.description import (
    Authorship,
    Description,
    LinkConstraint,
    MatchFields,
    MatchLink,
    Observation,
    header_id,
    work_id_of,
)
from openseer.core.model.document import FileFacts, Visibility
from openseer.core.model.resource import Resource
from openseer.core.model.task import READER, Job, JobState, Task, TaskState
from openseer.core.processes.process_id import is_dead
from openseer.storage.protocols.records import (
    Affected,
    Component,
    CurationResult,
    ExtractionFacts,
    Move,
    Registration,
)
from openseer.storage.sql import authorships, blocking_index, cluster_store, simhash_index, task_queue
from openseer.storage.sql.engine.dialect import Database
from openseer.storage.sql.visible_records import outcome_of

ACCEPTED = "accepted"
"""Curation action: a document is a paper."""
HIDDEN = (Visibility.DELETED, Visibility.DMCA)
"""Visibilities that retract the observations of a document."""


SOURCE = (
    "INSERT INTO source (sha1, url, parent, is_seed, depth, fetched_at, reported_mime) VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (sha1, url) DO NOTHING"
)
ACTION = "INSERT INTO curation_action (id, at, who, what, why, subject, inverse) VALUES (?, ?, ?, ?, ?, ?, ?)"
OBSERVATION = (
    "INSERT INTO observation (sha1, kind, position, description, generation, retracted, is_self_citation)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
REMOTE = ("http:", "https:", "ftp:")
"""Prefixes of URLs that have a host."""


class SqlWriter:
    """`Writer` over one transaction; work changes are collected and appended once, before the commit."""

    def __init__(self, db: Database, clock: Callable[[], float]) -> None:
        self._db = db
        self._clock = clock
        self._altered: set[str] = set()
        self._recounted: set[str] = set()

    # -- documents ------------------------------------------------------------------------------------------------

    def register(
        self, resource: Resource, facts: FileFacts, extractor_version: int, extractor: str = READER, job: str = ""
    ) -> Registration:
        self._db.do(
            "INSERT INTO document (sha1, sha256, size, mime, visibility, added_at, outcome, detail, generation, pages,"
            " words, language, simhash, is_stored) VALUES (?, ?, ?, ?, ?, ?, NULL, '', 0, 0, 0, '', NULL, 0)"
            " ON CONFLICT (sha1) DO UPDATE SET mime = excluded.mime WHERE document.mime = ''",
            (facts.sha1, facts.sha256, facts.size, facts.mime, Visibility.PUBLIC, self._clock()),
        )
        self._add_sources(resource, facts.sha1)
        if job:
            self._db.do(
                "INSERT INTO job_document (job, sha1) VALUES (?, ?) ON CONFLICT (job, sha1) DO NOTHING",
                (job, facts.sha1),
            )
        task = task_queue.create_task(self._db, facts.sha1, extractor, extractor_version)
        waiting_for_retry = task.state is TaskState.WAITING and task.not_before > self._clock()
        known = waiting_for_retry or task.state in (TaskState.DONE, TaskState.QUARANTINED)
        return Registration(known, task, *outcome_of(self._db, facts.sha1))

    def _add_sources(self, resource: Resource, sha1: str) -> None:
        """Store every URL of the file; a new remote URL changes an existing work."""
        crawl_facts = (int(resource.is_seed), resource.depth, resource.fetched_at, resource.reported_mime)
        new = [
            url
            for url in dict.fromkeys((resource.url, *resource.also))
            if self._db.do(SOURCE, (sha1, url, resource.parent, *crawl_facts))
        ]
        if any(url.startswith(REMOTE) for url in new):
            self._alter([header_id(sha1)])

    def reopen(self, outcomes: Collection[str]) -> int:
        return task_queue.reopen(self._db, outcomes)

    def new_generation(self, sha1: str, extractor_version: int, extractor: str = READER) -> Task:
        return task_queue.new_generation(self._db, task_queue.create_task(self._db, sha1, extractor, extractor_version))

    def lease(self, tasks: Iterable[Task], owner: str, seconds: float) -> set[str]:
        return task_queue.lease_tasks(self._db, tasks, self._lease(owner, seconds))

    def lease_due(self, extractor_version: int, owner: str, seconds: float, limit: int) -> list[Task]:
        lease = self._lease(owner, seconds)
        tasks = task_queue.lease_due(self._db, READER, extractor_version, lease, limit)
        task_queue.lease_tasks(self._db, tasks, lease)
        return tasks

    def _lease(self, owner: str, seconds: float) -> task_queue.Lease:
        return task_queue.Lease(owner, self._clock() + seconds, self._clock(), is_dead)

    def renew(self, owner: str, seconds: float) -> None:
        task_queue.renew(self._db, owner, self._clock() + seconds)

    def release(self, owner: str) -> None:
        task_queue.release(self._db, owner)

    def deprioritise(self, task: Task, priority: int) -> None:
        task_queue.deprioritise(self._db, task, priority)

    def open_job(self, what: str) -> str:
        name = "j" + work_id_of(f"{what} {self._clock()} {uuid.uuid4()}")[1:]
        task_queue.open_job(self._db, Job(name, self._clock(), what, JobState.ACTIVE))
        return name

    def set_job(self, job: str, state: JobState) -> None:
        task_queue.set_job(self._db, job, state)

    def retry_job(self, job: str) -> int:
        return task_queue.retry(self._db, job, FAILURES)

    def put_embeddings(self, embeddings: Mapping[int, bytes]) -> None:
        self._db.do_many(
            "INSERT INTO embedding (text_hash, body) VALUES (?, ?) ON CONFLICT (text_hash) DO NOTHING",
            embeddings.items(),
        )

    def acknowledge(self, sha1: str, outcome: str, detail: str, facts: ExtractionFacts) -> None:
        row = self._db.one("SELECT outcome, generation FROM document WHERE sha1 = ?", (sha1,))
        keeps_older = row is not None and row[0] == "ingested" and (outcome != "ingested" or facts.generation < row[1])
        if not keeps_older:
            self._write_outcome(sha1, outcome, detail, facts)
        open_task = "SELECT attempts, extractor_version FROM task WHERE sha1 = ? AND extractor = ? AND state <> ?"
        error = "" if outcome == "ingested" else outcome
        for attempts, version in self._db.rows(open_task, (sha1, facts.extractor, TaskState.DONE)):
            state, not_before = facts.retry_policy.after(outcome, attempts + 1, self._clock())
            self._db.do(
                "UPDATE task SET state = ?, attempts = attempts + 1, error = ?, not_before = ?, lease_owner = ''"
                " WHERE sha1 = ? AND extractor = ? AND extractor_version = ?",
                (state, error, not_before, sha1, facts.extractor, version),
            )

    def _write_outcome(self, sha1: str, outcome: str, detail: str, facts: ExtractionFacts) -> None:
        row = self._db.one("SELECT simhash FROM document WHERE sha1 = ?", (sha1,))
        simhash_index.put(self._db, sha1, row[0] if row else None, facts.simhash)
        self._db.do(
            "UPDATE document SET outcome = ?, detail = ?, mime = ?, pages = ?, words = ?, language = ?, simhash = ?,"
            " is_stored = ?, scholarly = ? WHERE sha1 = ?",
            (
                outcome,
                detail,
                facts.mime,
                facts.pages,
                facts.words,
                facts.language,
                facts.simhash,
                int(facts.is_stored),
                facts.scholarly,
                sha1,
            ),
        )

    def put_summary(self, sha1: str, generation: int, body: bytes) -> None:
        changed = self._db.do(
            "INSERT INTO document_summary (sha1, generation, body) VALUES (?, ?, ?) ON CONFLICT (sha1)"
            " DO UPDATE SET generation = excluded.generation, body = excluded.body"
            " WHERE excluded.generation >= document_summary.generation AND excluded.body <> document_summary.body",
            (sha1, generation, body),
        )
        if changed:
            self._alter([header_id(sha1)])

    # -- descriptions ---------------------------------------------------------------------------------------------

    def replace_observations(
        self, sha1: str, generation: int, observations: Sequence[Observation], descriptions: Iterable[Description]
    ) -> Affected:
        row = self._db.one("SELECT generation, visibility FROM document WHERE sha1 = ?", (sha1,))
        if row is None:
            raise NotFound(f"No document {sha1} was seen.")
        stored, visibility = row
        if generation < stored:
            return Affected()
        retracted = int(visibility in HIDDEN)
        query = "SELECT kind, position, description, retracted, is_self_citation FROM observation WHERE sha1 = ?"
        old = set(self._db.rows(query, (sha1,)))
        new = {(one.kind, one.position, one.description, retracted, int(one.is_self_citation)) for one in observations}
        affected = {name for _, _, name, _, _ in old ^ new}
        before = self.live({name for _, _, name, _, _ in old | new})
        changed = self._describe(list(descriptions))
        if old != new:
            self._db.do("DELETE FROM observation WHERE sha1 = ?", (sha1,))
            rows = [
                (sha1, kind, position, name, generation, gone, is_self_citation)
                for kind, position, name, gone, is_self_citation in sorted(new)
            ]
            self._db.do_many(OBSERVATION, rows)
        if generation > stored:  # a new generation may have another text with the same observations
            self._db.do("UPDATE document SET generation = ? WHERE sha1 = ?", (generation, sha1))
            affected = affected | {header_id(sha1)}
        resolvable = self._affected(before, {name for _, _, name, _, _ in old | new}, changed)
        self._alter((affected & (resolvable.new | resolvable.unlinked.keys() | {header_id(sha1)})) | changed.keys())
        self._recounted |= self._canonical_ids_of(affected)
        return resolvable

    def put_authorships(self, description: str, authors: Sequence[Authorship]) -> None:
        authorships.put(self._db, description, authors)

    def _affected(self, before: set[str], names: Collection[str], changed: Mapping[str, frozenset[str]]) -> Affected:
        """New, changed and never resolved descriptions need matching; those without observations split clusters."""
        after = self.live(names)
        query = "SELECT id FROM description WHERE resolved_version = 0 AND id IN ({})"
        unresolved = {row[0] for row in self._db.rows_in(query, names)}
        new = (after - before) | (after & (changed.keys() | unresolved))
        return Affected(frozenset(new), {**dict.fromkeys(before - after, frozenset[str]()), **changed})

    def live(self, names: Collection[str]) -> set[str]:
        query = "SELECT DISTINCT description FROM observation WHERE retracted = 0 AND description IN ({})"
        return {row[0] for row in self._db.rows_in(query, names)}

    def _describe(self, descriptions: list[Description]) -> dict[str, frozenset[str]]:
        """Create missing descriptions with their work ids and replace changed ones, whose keys and links are void.

        Returns the changed descriptions, each with those it was linked to."""
        query = "SELECT id, content_hash FROM description WHERE id IN ({})"
        stored: dict[str, str] = dict(self._db.rows_in(query, {one.id for one in descriptions}))
        created_ms = int(self._clock() * 1000)
        new = {one.id: one for one in descriptions if one.id not in stored}
        rows = [(one.id, one.text, one.content_hash, created_ms) for one in new.values()]
        columns = "id, fields, content_hash, created_ms"
        self._db.do_many(f"INSERT INTO description ({columns}) VALUES (?, ?, ?, ?)", rows)
        self._mint_ids(list(new))
        changed = {one.id: one for one in descriptions if one.id in stored and stored[one.id] != one.content_hash}
        linked = {name: self._unlink(name) for name in changed}
        blocking_index.delete_keys(self._db, changed)
        for name, one in changed.items():
            update = "UPDATE description SET fields = ?, content_hash = ? WHERE id = ?"
            self._db.do(update, (one.text, one.content_hash, name))
        return linked

    def _unlink(self, name: str) -> frozenset[str]:
        """Delete the links of a description and return the descriptions at their other ends."""
        rows = self._db.rows("SELECT low, high FROM match_link WHERE low = ? OR high = ?", (name, name))
        self._db.do("DELETE FROM match_link WHERE low = ? OR high = ?", (name, name))
        return frozenset(one for pair in rows for one in pair) - {name}

    def _mint_ids(self, names: Sequence[str]) -> None:
        """Mint a work id for each new description; an id taken by another description is hashed again."""
        ids = {work_id_of(name): name for name in names}
        taken = {row[0] for row in self._db.rows_in("SELECT id FROM work WHERE id IN ({})", ids)}
        rows = []
        for name in names:
            work = work_id_of(name)
            if work in taken or ids[work] != name:
                work = work_id_of(name + "'")
            rows.append((work, name, work))
        self._db.do_many("INSERT INTO work (id, description_id, canonical_id) VALUES (?, ?, ?)", rows)

    def descriptions(self, ids: Collection[str]) -> dict[str, MatchFields]:
        found = self._db.rows_in("SELECT id, fields FROM description WHERE id IN ({})", ids)
        return {name: MatchFields.of_text(text) for name, text in found}

    # -- works ----------------------------------------------------------------------------------------------------

    def sketches(self, descriptions: Collection[str]) -> dict[str, bytes]:
        query = "SELECT id, sketch FROM description WHERE sketch IS NOT NULL AND id IN ({})"
        return dict(self._db.rows_in(query, descriptions))

    def index_keys(
        self, keys_of: Mapping[str, Collection[str]], sketches: Mapping[str, bytes], version: int
    ) -> dict[str, set[str]]:
        return blocking_index.index_keys(self._db, keys_of, sketches, version)

    def block_members(self, descriptions: Collection[str]) -> dict[str, set[str]]:
        return blocking_index.block_members(self._db, descriptions)

    def works_of(self, descriptions: Collection[str]) -> dict[str, str]:
        return dict(
            self._db.rows_in("SELECT description_id, canonical_id FROM work WHERE description_id IN ({})", descriptions)
        )

    def put_links(self, links: Iterable[MatchLink]) -> None:
        self._db.do_many(
            "INSERT INTO match_link (low, high, score, reason, version) VALUES (?, ?, ?, ?, ?) ON CONFLICT (low, high)"
            " DO UPDATE SET score = excluded.score, reason = excluded.reason, version = excluded.version"
            " WHERE excluded.version >= match_link.version",
            [(one.low, one.high, one.score, one.reason, one.version) for one in links],
        )

    def drop_links(self, descriptions: Collection[str]) -> None:
        names = [(name,) for name in sorted(descriptions)]
        self._db.do_many("DELETE FROM match_link WHERE low = ?", names)
        self._db.do_many("DELETE FROM match_link WHERE high = ?", names)

    def component(self, descriptions: Collection[str]) -> Component:
        return cluster_store.component(self._db, descriptions)

    def put_works(self, moves: Sequence[Move]) -> None:
        self._altered |= {work for move in moves for work in (move.before, move.after)}
        self._recounted |= cluster_store.put_works(self._db, moves)

    def curate(self, constraints: Mapping[tuple[str, str], bool | None], what: str, why: str) -> int:
        before = {pair: self._constraint(*pair) for pair in constraints}
        for (one, other), must in constraints.items():
            self._constrain(one, other, must)
        return self._record_action(what, why, _constraints_as_text(constraints), _constraints_as_text(before))

    def _constrain(self, one: str, other: str, must: bool | None) -> None:
        low, high = sorted((one, other))
        self._db.do("DELETE FROM link_constraint WHERE low = ? AND high = ?", (low, high))
        if must is not None:
            constraint = LinkConstraint(low, high, must)
            row = (constraint.low, constraint.high, int(constraint.must))
            self._db.do("INSERT INTO link_constraint (low, high, must) VALUES (?, ?, ?)", row)

    def _constraint(self, one: str, other: str) -> bool | None:
        pair = tuple(sorted((one, other)))
        row = self._db.one("SELECT must FROM link_constraint WHERE low = ? AND high = ?", pair)
        return None if row is None else bool(row[0])

    def undo(self, action: int, why: str) -> CurationResult:
        row = self._db.one("SELECT what, subject, inverse FROM curation_action WHERE id = ?", (action,))
        if row is None:
            raise NotFound(f"There is no curation action {action}.", "`openseer history` lists them.")
        what, subject, inverse = row
        if what == ACCEPTED:
            return self._set_accepted(subject, bool(int(inverse)), why)
        if what in set(Visibility):
            return self._set_visibility(subject, Visibility(inverse), why)
        constraints = _constraints_of_text(inverse)
        number = self.curate(constraints, "undo", why)
        return CurationResult(number, Affected(unlinked={name: frozenset() for pair in constraints for name in pair}))

    def accept(self, sha1: str, why: str) -> CurationResult:
        return self._set_accepted(sha1, True, why)

    def _set_accepted(self, sha1: str, accepted: bool, why: str) -> CurationResult:
        row = self._db.one("SELECT is_accepted FROM document WHERE sha1 = ?", (sha1,))
        if row is None:
            raise NotFound(f"There is no document {sha1}.")
        self._db.do("UPDATE document SET is_accepted = ? WHERE sha1 = ?", (int(accepted), sha1))
        number = self._record_action(ACCEPTED, why, subject=sha1, inverse=str(row[0]))
        self._alter([header_id(sha1)])
        return CurationResult(number, Affected())

    def retract(self, sha1: str, why: str, visibility: str) -> CurationResult:
        return self._set_visibility(sha1, Visibility(visibility), why)

    def reinstate(self, sha1: str, why: str) -> CurationResult:
        return self._set_visibility(sha1, Visibility.PUBLIC, why)

    def _set_visibility(self, sha1: str, visibility: Visibility, why: str) -> CurationResult:
        row = self._db.one("SELECT visibility FROM document WHERE sha1 = ?", (sha1,))
        if row is None:
            raise NotFound(f"There is no document {sha1}.")
        names = {name for (name,) in self._db.rows("SELECT description FROM observation WHERE sha1 = ?", (sha1,))}
        before = self.live(names)
        retracted = int(visibility in HIDDEN)
        self._db.do("UPDATE document SET visibility = ? WHERE sha1 = ?", (visibility, sha1))
        self._db.do("UPDATE observation SET retracted = ? WHERE sha1 = ?", (retracted, sha1))
        number = self._record_action(visibility, why, subject=sha1, inverse=row[0])
        self._alter(names)
        return CurationResult(number, self._affected(before, names, {}))

    def _record_action(self, what: str, why: str, subject: str, inverse: str) -> int:
        last = self._db.one("SELECT coalesce(max(id), 0) FROM curation_action")
        number = (last[0] if last else 0) + 1
        self._db.do(ACTION, (number, self._clock(), "operator", what, why, subject, inverse))
        return number

    # -- changes --------------------------------------------------------------------------------------------------

    def _alter(self, descriptions: Iterable[str]) -> None:
        """Record that the works of these descriptions changed."""
        self._altered |= self._canonical_ids_of(descriptions)

    def _canonical_ids_of(self, descriptions: Iterable[str]) -> set[str]:
        return {
            row[0]
            for row in self._db.rows_in("SELECT canonical_id FROM work WHERE description_id IN ({})", descriptions)
        }

    def append_changes(self) -> None:
        """Append one change for each altered work, numbered without gaps; the last operation of a transaction."""
        last = self._db.one("SELECT coalesce(max(sequence), 0) FROM work_change")
        start = (last[0] if last else 0) + 1
        works = [(work, 0) for work in sorted(self._altered)]
        works += [(work, 1) for work in sorted(self._recounted - self._altered)]
        rows = [(number, work, counts_only) for number, (work, counts_only) in enumerate(works, start)]
        self._db.do_many("INSERT INTO work_change (sequence, work, counts_only) VALUES (?, ?, ?)", rows)
        self._altered.clear()
        self._recounted.clear()


def _constraints_as_text(constraints: Mapping[tuple[str, str], bool | None]) -> str:
    return json.dumps([[*sorted(pair), must] for pair, must in sorted(constraints.items())])


def _constraints_of_text(text: str) -> dict[tuple[str, str], bool | None]:
    return {(low, high): must for low, high, must in json.loads(text)}

"""What may be done under the library's write lock, in SQL."""

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
from openseer.storage.protocols.records import Affected, Clustering, ExtractionFacts, Registration
from openseer.storage.sql import authorships, blocking_index, simhash_index, task_queue
from openseer.storage.sql.cluster_store import disconnected_pieces, recluster
from openseer.storage.sql.engine.dialect import Database

HIDDEN = (Visibility.DELETED, Visibility.DMCA)
"""A document that is one of these neither votes nor cites."""


SOURCE = "INSERT INTO source VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sha1, url) DO NOTHING"
REMOTE = ("http:", "https:", "ftp:")
"""How addresses begin that have a host."""


class SqlWriter:
    """`Writer` over one transaction; changes are gathered and appended once, before the commit."""

    def __init__(self, db: Database, clock: Callable[[], float]) -> None:
        self._db = db
        self._clock = clock
        self._altered: set[str] = set()
        self._recounted: set[str] = set()

    # -- documents ------------------------------------------------------------------------------------------------

    def register(
        self, resource: Resource, facts: FileFacts, wanted: int, extractor: str = READER, job: str = ""
    ) -> Registration:
        self._db.do(
            "INSERT INTO document VALUES (?, ?, ?, ?, NULL, '', ?, 0, 0, 0, '', NULL, 0, ?)"
            " ON CONFLICT (sha1) DO NOTHING",
            (facts.sha1, facts.sha256, facts.size, facts.mime, Visibility.PUBLIC, self._clock()),
        )
        self._add_sources(resource, facts.sha1)
        if job:
            self._db.do("INSERT INTO job_document VALUES (?, ?) ON CONFLICT (job, sha1) DO NOTHING", (job, facts.sha1))
        task = task_queue.create_task(self._db, facts.sha1, extractor, wanted)
        resting = task.state is TaskState.WAITING and task.not_before > self._clock()
        return Registration(known=resting or task.state in (TaskState.DONE, TaskState.QUARANTINED), task=task)

    def _add_sources(self, resource: Resource, sha1: str) -> None:
        """Every address that led to the file; one on another host changes the work, if there is one already."""
        how = (int(resource.is_seed), resource.depth, resource.fetched_at, resource.reported_mime)
        new = [
            url
            for url in dict.fromkeys((resource.url, *resource.also))
            if self._db.do(SOURCE, (sha1, url, resource.parent, *how))
        ]
        if any(url.startswith(REMOTE) for url in new):
            self._alter([header_id(sha1)])

    def reopen(self, outcomes: Collection[str]) -> int:
        return task_queue.reopen(self._db, outcomes)

    def new_generation(self, sha1: str, wanted: int, extractor: str = READER) -> Task:
        return task_queue.new_generation(self._db, task_queue.create_task(self._db, sha1, extractor, wanted))

    def lease(self, wanted: Iterable[Task], holder: str, seconds: float) -> set[str]:
        return task_queue.lease_tasks(self._db, wanted, self._lease(holder, seconds))

    def lease_due(self, wanted: int, holder: str, seconds: float, limit: int) -> list[Task]:
        lease = self._lease(holder, seconds)
        found = task_queue.lease_due(self._db, READER, wanted, lease, limit)
        task_queue.lease_tasks(self._db, found, lease)
        return found

    def _lease(self, holder: str, seconds: float) -> task_queue.Lease:
        return task_queue.Lease(holder, self._clock() + seconds, self._clock(), is_dead)

    def renew(self, holder: str, seconds: float) -> None:
        task_queue.renew(self._db, holder, self._clock() + seconds)

    def release(self, holder: str) -> None:
        task_queue.release(self._db, holder)

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

    def put_embeddings(self, vectors: Mapping[int, bytes]) -> None:
        self._db.do_many("INSERT INTO vector VALUES (?, ?) ON CONFLICT (text) DO NOTHING", vectors.items())

    def acknowledge(self, sha1: str, outcome: str, detail: str, facts: ExtractionFacts) -> None:
        row = self._db.one("SELECT outcome, generation FROM document WHERE sha1 = ?", (sha1,))
        stands = row is not None and row[0] == "ingested" and (outcome != "ingested" or facts.generation < row[1])
        if not stands:
            self._write_outcome(sha1, outcome, detail, facts)
        open_task = "SELECT attempts, wanted FROM task WHERE sha1 = ? AND extractor = ? AND state <> ?"
        error = "" if outcome == "ingested" else outcome
        for attempts, wanted in self._db.rows(open_task, (sha1, facts.extractor, TaskState.DONE)):
            state, not_before = facts.retry_policy.after(outcome, attempts + 1, self._clock())
            self._db.do(
                "UPDATE task SET state = ?, attempts = attempts + 1, error = ?, not_before = ?, holder = ''"
                " WHERE sha1 = ? AND extractor = ? AND wanted = ?",
                (state, error, not_before, sha1, facts.extractor, wanted),
            )

    def _write_outcome(self, sha1: str, outcome: str, detail: str, facts: ExtractionFacts) -> None:
        row = self._db.one("SELECT simhash FROM document WHERE sha1 = ?", (sha1,))
        simhash_index.put(self._db, sha1, row[0] if row else None, facts.simhash)
        self._db.do(
            "UPDATE document SET outcome = ?, detail = ?, mime = ?, pages = ?, words = ?, language = ?, simhash = ?,"
            " kept = ? WHERE sha1 = ?",
            (
                outcome,
                detail,
                facts.mime,
                facts.pages,
                facts.words,
                facts.language,
                facts.simhash,
                int(facts.kept),
                sha1,
            ),
        )

    def put_summary(self, sha1: str, generation: int, body: bytes) -> None:
        touched = self._db.do(
            "INSERT INTO reading VALUES (?, ?, ?) ON CONFLICT (sha1) DO UPDATE SET generation = excluded.generation,"
            " body = excluded.body WHERE excluded.generation >= reading.generation AND excluded.body <> reading.body",
            (sha1, generation, body),
        )
        if touched:
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
        withdrawn = int(visibility in HIDDEN)
        asked = "SELECT kind, place, description, withdrawn, own FROM observation WHERE sha1 = ?"
        old = set(self._db.rows(asked, (sha1,)))
        new = {(one.kind, one.position, one.description, withdrawn, int(one.is_self_citation)) for one in observations}
        moving = {name for _, _, name, _, _ in old ^ new}
        before = self.live({name for _, _, name, _, _ in old | new})
        changed = self._describe(list(descriptions))
        if old != new:
            self._db.do("DELETE FROM observation WHERE sha1 = ?", (sha1,))
            rows = [(sha1, kind, place, name, generation, gone, own) for kind, place, name, gone, own in sorted(new)]
            self._db.do_many("INSERT INTO observation VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        if generation > stored:  # another reading may have another text, even if it says the same of works
            self._db.do("UPDATE document SET generation = ? WHERE sha1 = ?", (generation, sha1))
            moving = moving | {header_id(sha1)}
        touched = self._touched(before, {name for _, _, name, _, _ in old | new}, changed)
        self._alter((moving & (touched.new | touched.unlinked.keys() | {header_id(sha1)})) | changed.keys())
        self._recounted |= self._roots_of(moving)
        return touched

    def put_authorships(self, description: str, places: Sequence[Authorship]) -> None:
        authorships.put(self._db, description, places)

    def _touched(self, before: set[str], names: Collection[str], changed: Mapping[str, frozenset[str]]) -> Affected:
        """What came to life, reads differently or was never settled is to be judged; what died leaves others shaken."""
        after = self.live(names)
        asked = "SELECT id FROM description WHERE settled = 0 AND id IN ({})"
        unsettled = {row[0] for row in self._db.rows_in(asked, names)}
        fresh = (after - before) | (after & (changed.keys() | unsettled))
        return Affected(frozenset(fresh), {**dict.fromkeys(before - after, frozenset[str]()), **changed})

    def live(self, names: Collection[str]) -> set[str]:
        asked = "SELECT DISTINCT description FROM observation WHERE withdrawn = 0 AND description IN ({})"
        return {row[0] for row in self._db.rows_in(asked, names)}

    def _describe(self, descriptions: list[Description]) -> dict[str, frozenset[str]]:
        """Create what is absent, with the works it founds; replace what reads differently now, whose keys and verdicts
        are void. Names these, each with those it was linked to."""
        asked = "SELECT id, content_hash FROM description WHERE id IN ({})"
        stored: dict[str, str] = dict(self._db.rows_in(asked, {one.id for one in descriptions}))
        born = int(self._clock() * 1000)
        fresh = {one.id: one for one in descriptions if one.id not in stored}
        rows = [(one.id, one.text, one.content_hash, born, 0, None, None) for one in fresh.values()]
        self._db.do_many("INSERT INTO description VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        self._found(list(fresh))
        changed = {one.id: one for one in descriptions if one.id in stored and stored[one.id] != one.content_hash}
        linked = {name: self._unlink(name) for name in changed}
        blocking_index.delete_keys(self._db, changed)
        for name, one in changed.items():
            update = "UPDATE description SET fields = ?, content_hash = ? WHERE id = ?"
            self._db.do(update, (one.text, one.content_hash, name))
        return linked

    def _unlink(self, name: str) -> frozenset[str]:
        """Forget the verdicts on a description; names those it was linked to."""
        rows = self._db.rows("SELECT low, high FROM verdict WHERE low = ? OR high = ?", (name, name))
        self._db.do("DELETE FROM verdict WHERE low = ? OR high = ?", (name, name))
        return frozenset(one for pair in rows for one in pair) - {name}

    def _found(self, founders: Sequence[str]) -> None:
        """Give every new description its work; an id already taken by another founder is drawn again."""
        ids = {work_id_of(name): name for name in founders}
        taken = {row[0] for row in self._db.rows_in("SELECT id FROM work WHERE id IN ({})", ids)}
        rows = []
        for name in founders:
            work = work_id_of(name)
            if work in taken or ids[work] != name:
                work = work_id_of(name + "'")
            rows.append((work, name, work, Visibility.PUBLIC))
        self._db.do_many("INSERT INTO work VALUES (?, ?, ?, ?)", rows)

    def descriptions(self, ids: Collection[str]) -> dict[str, MatchFields]:
        found = self._db.rows_in("SELECT id, fields FROM description WHERE id IN ({})", ids)
        return {name: MatchFields.of_text(text) for name, text in found}

    # -- works ----------------------------------------------------------------------------------------------------

    def sketches(self, descriptions: Collection[str]) -> dict[str, bytes]:
        asked = "SELECT id, sign FROM description WHERE sign IS NOT NULL AND id IN ({})"
        return dict(self._db.rows_in(asked, descriptions))

    def index_keys(
        self, keys_of: Mapping[str, Collection[str]], signs: Mapping[str, bytes], version: int
    ) -> dict[str, set[str]]:
        return blocking_index.index_keys(self._db, keys_of, signs, version)

    def block_members(self, descriptions: Collection[str]) -> dict[str, set[str]]:
        return blocking_index.block_members(self._db, descriptions)

    def works_of(self, descriptions: Collection[str]) -> dict[str, str]:
        return dict(self._db.rows_in("SELECT founder, root FROM work WHERE founder IN ({})", descriptions))

    def put_links(self, verdicts: Iterable[MatchLink]) -> None:
        self._db.do_many(
            "INSERT INTO verdict VALUES (?, ?, ?, ?, ?) ON CONFLICT (low, high) DO UPDATE SET score = excluded.score,"
            " reason = excluded.reason, version = excluded.version WHERE excluded.version >= verdict.version",
            [(one.low, one.high, one.score, one.reason, one.version) for one in verdicts],
        )

    def drop_links(self, descriptions: Collection[str]) -> None:
        names = [(name,) for name in sorted(descriptions)]
        self._db.do_many("DELETE FROM verdict WHERE low = ?", names)
        self._db.do_many("DELETE FROM verdict WHERE high = ?", names)

    def disconnected_pieces(self, shaken: Mapping[str, Collection[str]]) -> set[str]:
        return disconnected_pieces(self._db, shaken)

    def recluster(self, descriptions: Collection[str], partition: Clustering) -> set[str]:
        altered, recounted = recluster(self._db, descriptions, partition)
        self._altered |= altered
        self._recounted |= recounted
        return altered

    def constrain(self, one: str, other: str, must: bool | None) -> None:
        low, high = sorted((one, other))
        self._db.do("DELETE FROM bond WHERE low = ? AND high = ?", (low, high))
        if must is not None:
            bond = LinkConstraint(low, high, must)
            self._db.do("INSERT INTO bond VALUES (?, ?, ?)", (bond.low, bond.high, int(bond.must)))

    def curate(self, bonds: Mapping[tuple[str, str], bool | None], what: str, why: str) -> int:
        before = {pair: self._bond(*pair) for pair in bonds}
        for (one, other), must in bonds.items():
            self.constrain(one, other, must)
        return self._record_act(what, why, _bonds_as_text(bonds), _bonds_as_text(before))

    def _bond(self, one: str, other: str) -> bool | None:
        row = self._db.one("SELECT must FROM bond WHERE low = ? AND high = ?", tuple(sorted((one, other))))
        return None if row is None else bool(row[0])

    def undo(self, act: int, why: str) -> Affected:
        row = self._db.one("SELECT what, subject, inverse FROM act WHERE id = ?", (act,))
        if row is None:
            raise NotFound(f"There is no act {act}.", "`openseer history` lists them.")
        what, subject, inverse = row
        if what in set(Visibility):
            hidden = Visibility(inverse)
            return self._set_visibility(subject, hidden, withdrawn=int(hidden in HIDDEN), why=why)
        bonds = _bonds_of_text(inverse)
        self.curate(bonds, "undo", why)
        return Affected(unlinked={name: frozenset[str]() for pair in bonds for name in pair})

    def retract(self, sha1: str, why: str, visibility: str) -> Affected:
        hidden = Visibility(visibility)
        return self._set_visibility(sha1, hidden, withdrawn=int(hidden in HIDDEN), why=why)

    def reinstate(self, sha1: str, why: str) -> Affected:
        return self._set_visibility(sha1, Visibility.PUBLIC, withdrawn=0, why=why)

    def _set_visibility(self, sha1: str, visibility: Visibility, withdrawn: int, why: str) -> Affected:
        row = self._db.one("SELECT visibility FROM document WHERE sha1 = ?", (sha1,))
        if row is None:
            raise NotFound(f"There is no document {sha1}.")
        names = {name for (name,) in self._db.rows("SELECT description FROM observation WHERE sha1 = ?", (sha1,))}
        before = self.live(names)
        self._db.do("UPDATE document SET visibility = ? WHERE sha1 = ?", (visibility, sha1))
        self._db.do("UPDATE observation SET withdrawn = ? WHERE sha1 = ?", (withdrawn, sha1))
        self._record_act(what=visibility, why=why, subject=sha1, inverse=row[0])
        self._alter(names)
        return self._touched(before, names, {})

    def _record_act(self, what: str, why: str, subject: str, inverse: str) -> int:
        last = self._db.one("SELECT coalesce(max(id), 0) FROM act")
        number = (last[0] if last else 0) + 1
        row = (number, self._clock(), "operator", what, why, subject, inverse)
        self._db.do("INSERT INTO act VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        return number

    # -- changes --------------------------------------------------------------------------------------------------

    def _alter(self, descriptions: Iterable[str]) -> None:
        """Note that the works of these descriptions are not as they were."""
        self._altered |= self._roots_of(descriptions)

    def _roots_of(self, descriptions: Iterable[str]) -> set[str]:
        return {row[0] for row in self._db.rows_in("SELECT root FROM work WHERE founder IN ({})", descriptions)}

    def append_changes(self) -> None:
        """One change for each altered work, numbered without gaps. Called last in the transaction."""
        last = self._db.one("SELECT coalesce(max(sequence), 0) FROM change")
        start = (last[0] if last else 0) + 1
        works = [(work, 0) for work in sorted(self._altered)]
        works += [(work, 1) for work in sorted(self._recounted - self._altered)]
        rows = [(number, work, minor) for number, (work, minor) in enumerate(works, start)]
        self._db.do_many("INSERT INTO change VALUES (?, ?, ?)", rows)
        self._altered.clear()
        self._recounted.clear()


def _bonds_as_text(bonds: Mapping[tuple[str, str], bool | None]) -> str:
    return json.dumps([[*sorted(pair), must] for pair, must in sorted(bonds.items())])


def _bonds_of_text(text: str) -> dict[tuple[str, str], bool | None]:
    return {(low, high): must for low, high, must in json.loads(text)}

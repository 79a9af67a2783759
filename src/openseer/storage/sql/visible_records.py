"""Documents and authors as one viewer sees them: the only reads of documents by their visibility."""

from __future__ import annotations

from collections.abc import Iterable

from openseer.core.errors import Denied, Gone, NotFound, RemovedByLaw
from openseer.core.model.document import MIN_SURE, Document, DocumentSelection, Source, Viewer, Visibility
from openseer.core.model.work import AuthorshipOfWork
from openseer.storage.sql import authorships
from openseer.storage.sql.engine.dialect import Database, Row

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
    "is_stored",
    "added_at",
    "scholarly",
    "is_accepted",
)
DOCUMENT = f"SELECT {', '.join(COLUMNS)} FROM document"


class SqlVisibleRecords:
    """What one viewer sees of the records."""

    def __init__(self, db: Database, viewer: Viewer) -> None:
        self._db, self._viewer = db, viewer
        self._seen = [one.value for one in Visibility if viewer.sees(one)]

    def document(self, sha1: str) -> Document:
        row = self._db.one(f"{DOCUMENT} WHERE sha1 = ?", (sha1,))
        if row is None:
            raise NotFound(f"There is no document {sha1}.", "Its name is the SHA-1 of the file, 40 hex digits.")
        sources = self._db.rows("SELECT url, parent, fetched_at FROM source WHERE sha1 = ? ORDER BY url", (sha1,))
        document = document_of(row, tuple(Source(*source) for source in sources))
        _check(self._viewer, document.visibility, f"The document {sha1}")
        return document

    def may_see(self, sha1: str) -> bool:
        row = self._db.one("SELECT visibility FROM document WHERE sha1 = ?", (sha1,))
        return row is not None and self._viewer.sees(Visibility(row[0]))

    def documents(self, sha1s: Iterable[str]) -> dict[str, Document]:
        found = documents_by_sha1(self._db, sha1s)
        return {sha1: one for sha1, one in found.items() if self._viewer.sees(one.visibility)}

    def list_documents(self, selection: DocumentSelection, offset: int, limit: int) -> tuple[int, list[Document]]:
        conditions, values = _conditions(selection, self._viewer)
        where = f"WHERE {' AND '.join(conditions)}"
        (total,) = self._db.one(f"SELECT count(*) FROM document {where}", values) or (0,)
        query = f"SELECT sha1 FROM document {where} ORDER BY added_at DESC, sha1 LIMIT ? OFFSET ?"
        names = [sha1 for (sha1,) in self._db.rows(query, (*values, limit, offset))]
        found = documents_by_sha1(self._db, names)
        return total, [found[name] for name in names]

    def authorships_by_family(self, family: str) -> list[AuthorshipOfWork]:
        return authorships.written_by(self._db, family, self._seen)

    def imported_records(self, work: str) -> list[tuple[str, int]]:
        rows = self._db.rows(
            "SELECT observation.sha1, position FROM work JOIN observation ON description = description_id"
            " JOIN document ON document.sha1 = observation.sha1"
            " WHERE canonical_id = ? AND kind = 'import' AND retracted = 0"
            f" AND document.visibility IN ({', '.join('?' for _ in self._seen)}) ORDER BY 1, 2",
            (work, *self._seen),
        )
        return [(sha1, position) for sha1, position in rows]


def outcome_of(db: Database, sha1: str) -> tuple[str, str]:
    """Outcome and reason of a document; "" while it has none."""
    outcome, detail = db.one("SELECT outcome, detail FROM document WHERE sha1 = ?", (sha1,)) or ("", "")
    return outcome or "", detail


def documents_by_sha1(db: Database, sha1s: Iterable[str]) -> dict[str, Document]:
    """Documents of any visibility, with their sources."""
    names = list(sha1s)
    sources: dict[str, list[Source]] = {}
    for sha1, *source in db.rows_in(
        "SELECT sha1, url, parent, fetched_at FROM source WHERE sha1 IN ({}) ORDER BY sha1, url", names
    ):
        sources.setdefault(sha1, []).append(Source(*source))
    rows = db.rows_in(f"{DOCUMENT} WHERE sha1 IN ({{}})", names)
    return {row[0]: document_of(row, tuple(sources.get(row[0], ()))) for row in rows}


def document_of(row: Row, sources: tuple[Source, ...]) -> Document:
    values = dict(zip(COLUMNS, row, strict=True))
    values |= {
        "visibility": Visibility(values["visibility"]),
        "is_stored": bool(values["is_stored"]),
        "is_accepted": bool(values["is_accepted"]),
        "sources": sources,
    }
    return Document(**values)


def _conditions(selection: DocumentSelection, viewer: Viewer) -> tuple[list[str], tuple[str | float, ...]]:
    """SQL conditions of a selection, with their values."""
    seen = [one for one in Visibility if viewer.sees(one)]
    conditions = [f"visibility IN ({', '.join('?' for _ in seen)})"]
    values: list[str | float] = [*seen]
    if selection.outcomes:
        marks = ", ".join("?" for _ in selection.outcomes)
        conditions.append(f"coalesce(outcome, 'waiting') IN ({marks})")
        values += selection.outcomes
    if selection.job:
        conditions.append("sha1 IN (SELECT sha1 FROM job_document WHERE job = ?)")
        values.append(selection.job)
    if selection.is_doubtful:
        conditions.append("outcome = 'ingested' AND scholarly < ? AND is_accepted = 0 AND visibility = 'public'")
        values.append(MIN_SURE)
    return conditions, tuple(values)


def _check(viewer: Viewer, visibility: Visibility, what: str) -> None:
    """Raise an error if a viewer may not see something; the one place that decides it."""
    if viewer.sees(visibility):
        return
    if visibility is Visibility.DMCA:
        raise RemovedByLaw(f"{what} was removed for legal reasons.")
    if visibility is Visibility.DELETED:
        raise Gone(f"{what} was removed.")
    raise Denied(f"{what} is not public.", "Ask the operator of this library.")

"""Author-name strings: one row for each author position in a header or an imported record, not disambiguated."""

from __future__ import annotations

from collections.abc import Sequence

from openseer.core.model.description import Authorship
from openseer.core.model.work import AuthorshipOfWork
from openseer.storage.sql.engine.dialect import Database

COLUMNS = "name, family, given, affiliation, email, orcid"


def put(db: Database, description: str, authors: Sequence[Authorship]) -> None:
    """Replace the authors of a description."""
    stored = db.rows(f"SELECT {COLUMNS} FROM authorship WHERE description = ? ORDER BY position", (description,))
    new = [(one.name, one.family, one.given, one.affiliation, one.email, one.orcid) for one in authors]
    if stored == new:
        return
    db.do("DELETE FROM authorship WHERE description = ?", (description,))
    rows = [
        (description, position, one.name, one.family, one.given, one.affiliation, one.email, one.orcid)
        for position, one in enumerate(authors)
    ]
    insert = f"INSERT INTO authorship (description, position, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    db.do_many(insert, rows)


def written_by(db: Database, family: str, visibilities: Sequence[str]) -> list[AuthorshipOfWork]:
    """Live authorships with this family name in documents of these visibilities, each with its work."""
    rows = db.rows(
        f"SELECT DISTINCT canonical_id, {COLUMNS} FROM authorship JOIN work ON description_id = authorship.description"
        " JOIN observation ON observation.description = description_id AND retracted = 0"
        " JOIN document ON document.sha1 = observation.sha1"
        f" WHERE family = ? AND document.visibility IN ({', '.join('?' for _ in visibilities)})"
        " ORDER BY canonical_id, name",
        (family, *visibilities),
    )
    return [AuthorshipOfWork(root, Authorship(*author)) for root, *author in rows]

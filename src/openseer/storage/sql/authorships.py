"""Authors as printed: one row for each author place in a header or an imported record. Who is who is not told apart."""

from __future__ import annotations

from collections.abc import Sequence

from openseer.core.model.description import Authorship
from openseer.core.model.work import AuthorshipOfWork
from openseer.storage.sql.engine.dialect import Database

COLUMNS = "name, family, given, affiliation, email"


def put(db: Database, description: str, authors: Sequence[Authorship]) -> None:
    """Let these be the authors of a description."""
    stored = db.rows(f"SELECT {COLUMNS} FROM authorship WHERE description = ? ORDER BY place", (description,))
    new = [(one.name, one.family, one.given, one.affiliation, one.email) for one in authors]
    if stored == new:
        return
    db.do("DELETE FROM authorship WHERE description = ?", (description,))
    rows = [
        (description, place, one.family, one.given, one.name, one.affiliation, one.email)
        for place, one in enumerate(authors)
    ]
    db.do_many("INSERT INTO authorship VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def written_by(db: Database, family: str) -> list[AuthorshipOfWork]:
    """Every live author place with this family name, and the work it stands in."""
    rows = db.rows(
        f"SELECT DISTINCT root, {COLUMNS} FROM authorship JOIN work ON founder = authorship.description"
        " JOIN observation ON observation.description = founder AND withdrawn = 0 WHERE family = ?"
        " ORDER BY root, name",
        (family,),
    )
    return [AuthorshipOfWork(root, Authorship(*author)) for root, *author in rows]

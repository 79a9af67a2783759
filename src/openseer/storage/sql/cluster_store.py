"""Connected descriptions and the works that hold them, in SQL."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from openseer.core.model.description import LinkConstraint, MatchLink
from openseer.storage.protocols.records import ClusterMember, Component, Move
from openseer.storage.sql.engine.dialect import Database

LINKS = "SELECT low, high, score, reason, version FROM match_link WHERE low IN ({})"
CONSTRAINTS = "SELECT low, high, must FROM link_constraint WHERE low IN ({})"
EDGES = (
    "SELECT low, high FROM match_link WHERE low IN ({})",
    "SELECT low, high FROM match_link WHERE high IN ({})",
    "SELECT low, high FROM link_constraint WHERE low IN ({})",
    "SELECT low, high FROM link_constraint WHERE high IN ({})",
)


def component(db: Database, descriptions: Collection[str]) -> Component:
    """All descriptions connected with these, their links and their constraints."""
    names = _connected(db, set(descriptions))
    links = [MatchLink(*row) for row in db.rows_in(LINKS, names)]
    constraints = [LinkConstraint(low, high, bool(must)) for low, high, must in db.rows_in(CONSTRAINTS, names)]
    return Component(_members(db, names), links, constraints)


def put_works(db: Database, moves: Sequence[Move]) -> set[str]:
    """Store the new work of each description; returns the works they cite, which count distinct citing works."""
    rows = sorted((move.after, move.description) for move in moves)
    db.do_many("UPDATE work SET canonical_id = ? WHERE description_id = ?", rows)
    cited = (
        "SELECT DISTINCT work.canonical_id FROM observation AS head JOIN observation AS entry"
        " ON entry.sha1 = head.sha1 AND entry.kind = 'reference' JOIN work ON work.description_id = entry.description"
        " WHERE head.kind = 'header' AND head.description IN ({})"
    )
    return {row[0] for row in db.rows_in(cited, [move.description for move in moves])}


def _connected(db: Database, start: set[str]) -> set[str]:
    """Descriptions that share a work with these or are connected with them by links and constraints."""
    connected, frontier = set(start), set(start)
    while frontier:
        found: set[str] = set()
        for edges in EDGES:
            found.update(name for pair in db.rows_in(edges, frontier) for name in pair)
        works = {row[0] for row in db.rows_in("SELECT canonical_id FROM work WHERE description_id IN ({})", frontier)}
        found.update(row[0] for row in db.rows_in("SELECT description_id FROM work WHERE canonical_id IN ({})", works))
        frontier = found - connected
        connected |= frontier
    return connected


def _members(db: Database, names: set[str]) -> dict[str, ClusterMember]:
    live_rows = "SELECT DISTINCT description FROM observation WHERE retracted = 0 AND description IN ({})"
    live = {row[0] for row in db.rows_in(live_rows, names)}
    rows = db.rows_in(
        "SELECT description_id, work.id, canonical_id, created_ms FROM work"
        " JOIN description ON description.id = description_id WHERE description_id IN ({})",
        names,
    )
    return {name: ClusterMember(work, canonical_id, born, name in live) for name, work, canonical_id, born in rows}

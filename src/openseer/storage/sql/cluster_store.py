"""Regrouping: from stored verdicts and constraints to the works that hold the descriptions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from openseer.core.connected_components import connected_components
from openseer.core.model.description import LinkConstraint, MatchFields, MatchLink
from openseer.storage.protocols.records import Clustering
from openseer.storage.sql.engine.dialect import Database

EDGES = (
    "SELECT low, high FROM verdict WHERE low IN ({})",
    "SELECT low, high FROM verdict WHERE high IN ({})",
    "SELECT low, high FROM bond WHERE low IN ({})",
    "SELECT low, high FROM bond WHERE high IN ({})",
)


class ClusterMember(NamedTuple):
    """How a description stands before regrouping."""

    founds: str
    root: str
    born: int
    live: bool


def recluster(db: Database, descriptions: Collection[str], partition: Clustering) -> tuple[set[str], set[str]]:
    """Give every description near these its work again; names the works that lost or won one, and those they cite."""
    standings = _standings(db, _neighbourhood(db, set(descriptions)))
    roots = _new_roots(standings, _groups(db, standings, partition))
    moved = {name: root for name, root in roots.items() if root != standings[name].root}
    db.do_many("UPDATE work SET root = ? WHERE founder = ?", [(root, name) for name, root in sorted(moved.items())])
    return {standings[name].root for name in moved} | set(moved.values()), _cited_by(db, moved)


def disconnected_pieces(db: Database, shaken: Mapping[str, Collection[str]]) -> set[str]:
    """Of what hung together through these: the live descriptions that do so no more, but for the largest piece.

    Only the best verdict between a description and a work is kept, so when one falls away others may have to be judged
    again; every pair that could be missing has an end in one of these pieces."""
    near = _neighbourhood(db, set(shaken).union(*shaken.values()))
    standings = _standings(db, near)
    edges = [pair for asked in EDGES[::2] for pair in db.rows_in(asked, near)]
    lost = [(name, other) for name, others in shaken.items() for other in others]
    mates = [(name, standing.root) for name, standing in standings.items()]
    whole = connected_components([*near, *(root for _, root in mates)], [*edges, *lost, *mates])
    live = {name for name in near if name in standings and standings[name].live}
    pieces = connected_components(live, [pair for pair in edges if live.issuperset(pair)])
    home = {name: number for number, group in enumerate(whole) for name in group}
    kept: dict[int, list[str]] = {}
    for piece in pieces:
        kept[home[piece[0]]] = max(kept.get(home[piece[0]], piece), piece, key=lambda one: (len(one), one))
    return live.difference(*kept.values())


def _cited_by(db: Database, moved: Collection[str]) -> set[str]:
    """The works cited by documents whose header moved: they count distinct citing works."""
    asked = (
        "SELECT DISTINCT work.root FROM observation AS head JOIN observation AS entry ON entry.sha1 = head.sha1"
        " AND entry.kind = 'reference' JOIN work ON work.founder = entry.description"
        " WHERE head.kind = 'header' AND head.description IN ({})"
    )
    return {row[0] for row in db.rows_in(asked, moved)}


def _neighbourhood(db: Database, start: set[str]) -> set[str]:
    """Everything that shares a work with these or hangs together with them by verdicts and constraints."""
    near, frontier = set(start), set(start)
    while frontier:
        found: set[str] = set()
        for edges in EDGES:
            found.update(name for pair in db.rows_in(edges, frontier) for name in pair)
        roots = {row[0] for row in db.rows_in("SELECT root FROM work WHERE founder IN ({})", frontier)}
        found.update(row[0] for row in db.rows_in("SELECT founder FROM work WHERE root IN ({})", roots))
        frontier = found - near
        near |= frontier
    return near


def _standings(db: Database, names: set[str]) -> dict[str, ClusterMember]:
    asked = "SELECT DISTINCT description FROM observation WHERE withdrawn = 0 AND description IN ({})"
    live = {row[0] for row in db.rows_in(asked, names)}
    rows = db.rows_in(
        "SELECT founder, work.id, root, born FROM work JOIN description ON description.id = founder"
        " WHERE founder IN ({})",
        names,
    )
    return {name: ClusterMember(work, root, born, name in live) for name, work, root, born in rows}


def _groups(db: Database, standings: dict[str, ClusterMember], partition: Clustering) -> list[list[str]]:
    """The live descriptions, grouped; the pure function is asked only about those that have a link."""
    live = {name for name, standing in standings.items() if standing.live}
    verdicts = [
        MatchLink(*row)
        for row in db.rows_in("SELECT low, high, score, reason, version FROM verdict WHERE low IN ({})", live)
        if row[1] in live
    ]
    bonds = [
        LinkConstraint(low, high, bool(must))
        for low, high, must in db.rows_in("SELECT low, high, must FROM bond WHERE low IN ({})", live)
        if high in live
    ]
    pairs = [(one.low, one.high) for one in verdicts] + [(bond.low, bond.high) for bond in bonds]
    linked = {name for pair in pairs for name in pair}
    alone = [[name] for name in sorted(live - linked)]
    if not linked:
        return alone
    fields = db.rows_in("SELECT id, fields FROM description WHERE id IN ({})", linked)
    return alone + partition({name: MatchFields.of_text(text) for name, text in fields}, verdicts, bonds)


def _new_roots(standings: dict[str, ClusterMember], groups: list[list[str]]) -> dict[str, str]:
    """A work shows the oldest id of its live descriptions; a dead one follows its oldest former companion."""

    def age(name: str) -> tuple[int, str]:
        return standings[name].born, name

    roots: dict[str, str] = {}
    for group in groups:
        shown = standings[min(group, key=age)].founds
        roots.update(dict.fromkeys(group, shown))
    heirs: dict[str, str] = {}
    for name in sorted(roots, key=age):
        heirs.setdefault(standings[name].root, roots[name])
    for name, standing in standings.items():
        if not standing.live and standing.root in heirs:
            roots[name] = heirs[standing.root]
    return roots

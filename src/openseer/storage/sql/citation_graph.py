"""Questions to the citation graph: what is cited together with a work, and what cites the same works."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from openseer.core.model.work import RelatedWork
from openseer.storage.sql.engine.dialect import Database

CITATION = (
    " FROM work AS cited JOIN observation AS entry ON entry.description = cited.founder AND entry.kind = 'reference'"
    " AND entry.withdrawn = 0 JOIN observation AS head ON head.sha1 = entry.sha1 AND head.kind = 'header'"
    " JOIN work AS citing ON citing.founder = head.description"
)
REFERENCES = (
    " FROM work AS holder JOIN observation AS head ON head.description = holder.founder AND head.kind = 'header'"
    " AND head.withdrawn = 0 JOIN observation AS entry ON entry.sha1 = head.sha1 AND entry.kind = 'reference'"
    " AND entry.withdrawn = 0 JOIN work AS cited ON cited.founder = entry.description"
)
MOST_CITERS = 2000
"""Citing works that are looked into; of a work that is cited more often, those with the smallest ids."""
COMMON = 1000
"""References that are cited more often than this say nothing of what two works share."""


def references(db: Database, roots: Iterable[str]) -> dict[str, set[str]]:
    """The works that each of these cites, by any of its files."""
    asked = (
        f"SELECT DISTINCT holder.root, cited.root{REFERENCES} WHERE holder.root IN ({{}}) AND cited.root <> holder.root"
    )
    found: defaultdict[str, set[str]] = defaultdict(set)
    for holder, cited in db.rows_in(asked, roots):
        found[holder].add(cited)
    return dict(found)


def citers(db: Database, root: str) -> list[str]:
    """The works that cite one."""
    asked = (
        f"SELECT DISTINCT citing.root{CITATION} WHERE cited.root = ? AND citing.root <> cited.root ORDER BY 1 LIMIT ?"
    )
    return [row[0] for row in db.rows(asked, (root, MOST_CITERS))]


def cocited(db: Database, root: str) -> list[RelatedWork]:
    """Works cited together with this one, by the number of works that cite both; the most often first."""
    shared: defaultdict[str, int] = defaultdict(int)
    for cited in references(db, citers(db, root)).values():
        for work in cited:
            shared[work] += 1
    shared.pop(root, None)
    return _ranked(RelatedWork(work, count, float(count)) for work, count in shared.items())


def coupled(db: Database, root: str, times_cited: dict[str, int]) -> list[RelatedWork]:
    """Works that cite what this one cites; a reference that few cite weighs more (one through its citations)."""
    telling = [work for work, times in times_cited.items() if times <= COMMON]
    asked = (
        f"SELECT DISTINCT cited.root, citing.root{CITATION} WHERE cited.root IN ({{}}) AND citing.root <> cited.root"
    )
    shared: defaultdict[str, list[str]] = defaultdict(list)
    for cited, citing in db.rows_in(asked, telling):
        shared[citing].append(cited)
    shared.pop(root, None)
    weigh = {work: 1 / max(1, times_cited[work]) for work in telling}
    return _ranked(
        RelatedWork(work, len(common), sum(weigh[one] for one in sorted(common))) for work, common in shared.items()
    )


def _ranked(relatives: Iterable[RelatedWork]) -> list[RelatedWork]:
    return sorted(relatives, key=lambda one: (-one.weight, -one.shared, one.work))

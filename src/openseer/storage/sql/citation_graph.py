"""Queries on the citation graph: references, citing works, co-citation and bibliographic coupling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from openseer.core.model.work import RelatedWork
from openseer.storage.sql.engine.dialect import Database

CITATION = (
    " FROM work AS cited"
    " JOIN observation AS entry ON entry.description = cited.description_id AND entry.kind = 'reference'"
    " AND entry.retracted = 0 JOIN observation AS head ON head.sha1 = entry.sha1 AND head.kind = 'header'"
    " JOIN work AS citing ON citing.description_id = head.description"
)
REFERENCE = (
    " FROM work AS citing"
    " JOIN observation AS head ON head.description = citing.description_id AND head.kind = 'header'"
    " AND head.retracted = 0 JOIN observation AS entry ON entry.sha1 = head.sha1 AND entry.kind = 'reference'"
    " AND entry.retracted = 0 JOIN work AS cited ON cited.description_id = entry.description"
)
NO_SELF_CITATION = "citing.canonical_id <> cited.canonical_id"
MAX_CITING_WORKS = 2000
"""Citing works read for co-citation; of a work that more cite, those with the smallest ids."""
MAX_REFERENCE_CITATIONS = 1000
"""References cited more often than this do not count for coupling."""


def references(db: Database, works: Iterable[str]) -> dict[str, set[str]]:
    """The works that each work cites, by any of its documents."""
    query = (
        f"SELECT DISTINCT citing.canonical_id, cited.canonical_id{REFERENCE}"
        f" WHERE citing.canonical_id IN ({{}}) AND {NO_SELF_CITATION}"
    )
    found: defaultdict[str, set[str]] = defaultdict(set)
    for citing, cited in db.rows_in(query, works):
        found[citing].add(cited)
    return dict(found)


def citing_works(db: Database, work: str) -> list[str]:
    """The works that cite a work."""
    query = (
        f"SELECT DISTINCT citing.canonical_id{CITATION}"
        f" WHERE cited.canonical_id = ? AND {NO_SELF_CITATION} ORDER BY 1 LIMIT ?"
    )
    return [row[0] for row in db.rows(query, (work, MAX_CITING_WORKS))]


def cocited(db: Database, work: str) -> list[RelatedWork]:
    """Works cited together with this one, by the number of works that cite both, the most frequent first."""
    shared: defaultdict[str, int] = defaultdict(int)
    for cited in references(db, citing_works(db, work)).values():
        for other in cited:
            shared[other] += 1
    shared.pop(work, None)
    return _ranked(RelatedWork(other, count, float(count)) for other, count in shared.items())


def coupled(db: Database, work: str, citation_counts: dict[str, int]) -> list[RelatedWork]:
    """Works that share references with this one; a shared reference weighs one through its citations."""
    rare = [cited for cited, count in citation_counts.items() if count <= MAX_REFERENCE_CITATIONS]
    query = (
        f"SELECT DISTINCT cited.canonical_id, citing.canonical_id{CITATION}"
        f" WHERE cited.canonical_id IN ({{}}) AND {NO_SELF_CITATION}"
    )
    shared: defaultdict[str, list[str]] = defaultdict(list)
    for cited, citing in db.rows_in(query, rare):
        shared[citing].append(cited)
    shared.pop(work, None)
    weights = {cited: 1 / max(1, citation_counts[cited]) for cited in rare}
    return _ranked(
        RelatedWork(citing, len(common), sum(weights[one] for one in sorted(common)))
        for citing, common in shared.items()
    )


def _ranked(related: Iterable[RelatedWork]) -> list[RelatedWork]:
    return sorted(related, key=lambda one: (-one.weight, -one.shared, one.work))

"""Evaluation of similar works: some citations are hidden, and the cited works should be similar to the citing ones.

The citation graph is that of a library, or a synthetic one over a file of records: each work copies some references of
an older work of its venue, cites others of the venue and of its authors, and random ones."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from openseer.core.errors import BadRequest
from openseer.core.model.work import IndexedWork, RelatedWork
from openseer.evaluation.bench.index import base_records, varied
from openseer.evaluation.retrieval import temporary_index
from openseer.search.context import SearchContext
from openseer.search.similar import KINDS, similar_works
from openseer.storage.open import RECORDS_FILE, open_library
from openseer.storage.protocols.index import Index
from openseer.storage.protocols.records import Records

HIDDEN_SHARE = 0.1
"""Share of hidden citations."""
TOP = 20
MAX_QUERIES = 1000
"""Maximum number of citing works that are evaluated."""
REFERENCES = 12
"""References of a work in a synthetic graph."""
WITHOUT_REFERENCES = 200
"""First works of a synthetic graph, without references."""

Edges = Mapping[str, set[str]]
"""Citing work -> cited works."""


class CitationGraph:
    """In-memory citation graph of the remaining citations, with the interface of the records."""

    def __init__(self, edges: Edges) -> None:
        self._cites = edges
        self._cited: defaultdict[str, set[str]] = defaultdict(set)
        for citing, cited in edges.items():
            for one in cited:
                self._cited[one].add(citing)

    def cocited(self, canonical_id: str) -> list[RelatedWork]:
        """Works cited together with a work."""
        shared: defaultdict[str, int] = defaultdict(int)
        for citing in self._cited[canonical_id]:
            for work in self._cites[citing] - {canonical_id}:
                shared[work] += 1
        return _ranked(RelatedWork(work, count, float(count)) for work, count in shared.items())

    def coupled(self, canonical_id: str) -> list[RelatedWork]:
        """Works that share references with a work."""
        shared: defaultdict[str, list[float]] = defaultdict(list)
        for cited in sorted(self._cites.get(canonical_id, ())):
            for work in self._cited[cited] - {canonical_id}:
                shared[work].append(1 / len(self._cited[cited]))
        return _ranked(RelatedWork(work, len(each), sum(each)) for work, each in shared.items())

    def is_cited(self, work: str) -> bool:
        """True if a citation of the work remains."""
        return bool(self._cited[work])


def _ranked(relatives: Iterable[RelatedWork]) -> list[RelatedWork]:
    return sorted(relatives, key=lambda one: (-one.weight, -one.shared, one.work))


def hide_citations(edges: Edges, share: float = HIDDEN_SHARE) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Remaining and hidden citations; every citing work keeps at least one."""
    random_source = random.Random(1)
    remaining: dict[str, set[str]] = {}
    hidden: dict[str, set[str]] = {}
    for citing in sorted(edges):
        drawn = {one for one in sorted(edges[citing]) if random_source.random() < share}
        drawn = drawn if len(drawn) < len(edges[citing]) else set()
        remaining[citing] = edges[citing] - drawn
        if drawn:
            hidden[citing] = drawn
    return remaining, hidden


def similar(path: Path) -> tuple[int, dict[str, float]]:
    """Number of hidden citations, and the share found among the first twenty similar works, by each kind and by all."""
    with _graph(path) as (index, edges):
        remaining, hidden = hide_citations(edges)
        graph = CitationGraph(remaining)
        context = SearchContext(index, cast(Records, graph))
        works = index.find(sorted(hidden))
        queried = random.Random(2).sample(sorted(works), min(MAX_QUERIES, len(works)))
        total = linked = 0
        found: dict[str, int] = dict.fromkeys((*KINDS, "all", "linked"), 0)
        for name in queried:
            still_cited = {one for one in hidden[name] if graph.is_cited(one)}
            total, linked = total + len(hidden[name]), linked + len(still_cited)
            for kind in (*KINDS, "all"):
                similar_ids = {one.work.id for one in similar_works(context, works[name], kind, TOP)}
                found[kind] += len(hidden[name] & similar_ids)
                found["linked"] += len(still_cited & similar_ids) if kind == "all" else 0
    shares = {f"{kind}.recall@{TOP}": 100 * found[kind] / max(1, total) for kind in (*KINDS, "all")}
    return total, {**shares, f"all.recall@{TOP}.still-cited": 100 * found["linked"] / max(1, linked)}


@contextmanager
def _graph(path: Path) -> Iterator[tuple[Index, Edges]]:
    if path.is_dir():
        if not (path / RECORDS_FILE).exists():
            raise BadRequest(f"{path} is not a library.", "Name a library's directory, or a file of records.")
        with open_library(path) as library:
            live = sorted(library.records.live_works())
            yield library.open_index(), library.records.references(live)
        return
    base = base_records(path)
    works = sorted(varied(base, len(base)), key=lambda one: (one.year or 0, one.id))
    works = [_with_people(one) for one in works]
    with temporary_index(works) as index:
        yield index, synthetic_graph(works)


def _with_people(work: IndexedWork) -> IndexedWork:
    return IndexedWork(
        id=work.id, ids=work.ids, title=work.title, authors=work.authors, people=work.authors, venue=work.venue,
        year=work.year, abstract=work.abstract,
    )  # fmt: skip


def synthetic_graph(works: list[IndexedWork]) -> dict[str, set[str]]:
    """Synthetic citation graph over works in order of their years, by copying references."""
    random_source = random.Random(3)
    edges: dict[str, set[str]] = {}
    by_venue: defaultdict[str, list[str]] = defaultdict(list)
    by_person: defaultdict[str, list[str]] = defaultdict(list)
    older: list[str] = []
    for work in works:
        if len(older) >= WITHOUT_REFERENCES:
            of_venue = by_venue[work.venue] or older
            copied = sorted(edges.get(random_source.choice(of_venue), ()))
            of_authors = [one for person in work.people for one in by_person[person]]
            pools = (copied or of_venue, of_venue, of_authors or of_venue, older)
            chosen = (
                random_source.choice(pools[random_source.choices(range(4), (50, 30, 10, 10))[0]])
                for _ in range(REFERENCES)
            )
            edges[work.id] = set(chosen)
        older.append(work.id)
        by_venue[work.venue].append(work.id)
        for person in work.people:
            by_person[person].append(work.id)
    return edges

"""Are similar works similar? Some citations are hidden; who asks what is like the citing work should find the cited.

The graph is that of a library, or one made over a file of records: each work copies some references of an older one of
its venue, cites others of the venue, of its authors, and some of anywhere."""

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
from openseer.evaluation.retrieval import index_of
from openseer.search.context import SearchContext
from openseer.search.similar import KINDS, similar_works
from openseer.storage.open import RECORDS_FILE, open_library
from openseer.storage.protocols.index import Index
from openseer.storage.protocols.records import Records

HIDDEN = 0.1
"""Share of the citations that are hidden."""
TOP = 20
ASKED = 1000
"""Citing works that are asked about, at the most."""
CITES = 12
"""References of a work in a made graph."""
FIRST = 200
"""Works of a made graph that cite nobody."""

Edges = Mapping[str, set[str]]
"""Citing work -> cited works."""


class Graph:
    """Citations that are left, answering as the records do (a proof compares those with such a computation)."""

    def __init__(self, edges: Edges) -> None:
        self._cites = edges
        self._cited: defaultdict[str, set[str]] = defaultdict(set)
        for citing, cited in edges.items():
            for one in cited:
                self._cited[one].add(citing)

    def cocited(self, root: str) -> list[RelatedWork]:
        """Works cited together with one."""
        shared: defaultdict[str, int] = defaultdict(int)
        for citing in self._cited[root]:
            for work in self._cites[citing] - {root}:
                shared[work] += 1
        return _ranked(RelatedWork(work, count, float(count)) for work, count in shared.items())

    def coupled(self, root: str) -> list[RelatedWork]:
        """Works that cite what one cites."""
        shared: defaultdict[str, list[float]] = defaultdict(list)
        for cited in sorted(self._cites.get(root, ())):
            for work in self._cited[cited] - {root}:
                shared[work].append(1 / len(self._cited[cited]))
        return _ranked(RelatedWork(work, len(each), sum(each)) for work, each in shared.items())

    def is_cited(self, work: str) -> bool:
        """Whether anybody still does."""
        return bool(self._cited[work])


def _ranked(relatives: Iterable[RelatedWork]) -> list[RelatedWork]:
    return sorted(relatives, key=lambda one: (-one.weight, -one.shared, one.work))


def hide(edges: Edges, share: float = HIDDEN) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The citations that stay, and those that are hidden; every citing work keeps one at least."""
    dice = random.Random(1)
    kept: dict[str, set[str]] = {}
    hidden: dict[str, set[str]] = {}
    for citing in sorted(edges):
        drawn = {one for one in sorted(edges[citing]) if dice.random() < share}
        drawn = drawn if len(drawn) < len(edges[citing]) else set()
        kept[citing] = edges[citing] - drawn
        if drawn:
            hidden[citing] = drawn
    return kept, hidden


def similar(place: Path) -> tuple[int, dict[str, float]]:
    """Hidden citations that were looked for, and the share found among the first twenty, in each way and by all."""
    with _graph(place) as (index, edges):
        kept, hidden = hide(edges)
        graph = Graph(kept)
        context = SearchContext(index, cast(Records, graph))
        works = index.find(sorted(hidden))
        asked = random.Random(2).sample(sorted(works), min(ASKED, len(works)))
        total = linked = 0
        found: dict[str, int] = dict.fromkeys((*KINDS, "all", "linked"), 0)
        for name in asked:
            still = {one for one in hidden[name] if graph.is_cited(one)}
            total, linked = total + len(hidden[name]), linked + len(still)
            for kind in (*KINDS, "all"):
                near = {one.work.id for one in similar_works(context, works[name], kind, TOP)}
                found[kind] += len(hidden[name] & near)
                found["linked"] += len(still & near) if kind == "all" else 0
    shares = {f"{kind}.recall@{TOP}": 100 * found[kind] / max(1, total) for kind in (*KINDS, "all")}
    return total, {**shares, f"all.recall@{TOP}.still-cited": 100 * found["linked"] / max(1, linked)}


@contextmanager
def _graph(place: Path) -> Iterator[tuple[Index, Edges]]:
    if place.is_dir():
        if not (place / RECORDS_FILE).exists():
            raise BadRequest(f"There is no library in {place}.", "Name a library's directory, or a file of records.")
        with open_library(place) as library:
            roots = sorted(library.records.live_works())
            yield library.open_index(), library.records.references(roots)
        return
    base = base_records(place)
    works = sorted(varied(base, len(base)), key=lambda one: (one.year or 0, one.id))
    works = [_with_people(one) for one in works]
    with index_of(works) as index:
        yield index, made(works)


def _with_people(work: IndexedWork) -> IndexedWork:
    return IndexedWork(
        id=work.id, ids=work.ids, title=work.title, authors=work.authors, people=work.authors, venue=work.venue,
        year=work.year, abstract=work.abstract,
    )  # fmt: skip


def made(works: list[IndexedWork]) -> dict[str, set[str]]:
    """A graph over works in the order of their years, grown by copying."""
    dice = random.Random(3)
    edges: dict[str, set[str]] = {}
    of_venue: defaultdict[str, list[str]] = defaultdict(list)
    of_person: defaultdict[str, list[str]] = defaultdict(list)
    older: list[str] = []
    for work in works:
        if len(older) >= FIRST:
            near = of_venue[work.venue] or older
            copied = sorted(edges.get(dice.choice(near), ()))
            own = [one for person in work.people for one in of_person[person]]
            pools = (copied or near, near, own or near, older)
            chosen = (dice.choice(pools[dice.choices(range(4), (50, 30, 10, 10))[0]]) for _ in range(CITES))
            edges[work.id] = set(chosen)
        older.append(work.id)
        of_venue[work.venue].append(work.id)
        for person in work.people:
            of_person[person].append(work.id)
    return edges

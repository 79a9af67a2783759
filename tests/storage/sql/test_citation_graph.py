"""Co-citation and coupling against a plain computation over the whole graph."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from openseer.core.model.description import header_id, work_id_of
from openseer.storage.sql.reader import SqlRecords
from tests.builders import Paper, ingest_papers

WORDS = ("amber", "basalt", "cobalt", "dolomite", "emerald", "feldspar", "garnet", "hematite", "indigo", "jasper")


def title(number: int) -> str:
    """Titles that share no key."""
    chance = random.Random(number)
    return " ".join(chance.choice(WORDS) + str(number) for _ in range(3))


def papers(count: int, stock: int, seed: int) -> list[Paper]:
    """Each cites some works of a stock, the first of it more often."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        cited = {int(stock * chance.random() ** 2) for _ in range(chance.randint(2, 12))} - {number}
        made.append(
            Paper(title(number), f"Author{number}", tuple((title(one), f"Author{one}") for one in sorted(cited)))
        )
    return made


def brute_force(records: SqlRecords) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Co-citation counts and CCIDF weights of every pair, from the list of all edges."""
    edges: defaultdict[str, set[str]] = defaultdict(set)
    for paper in records.documents():
        work = records.canonical_id(work_id_of(header_id(paper.sha1)))
        edges[work] |= {one.work for one in records.outgoing_citations(paper.sha1) if one.work != work}
    times: defaultdict[str, set[str]] = defaultdict(set)
    for citing, cited in edges.items():
        for one in cited:
            times[one].add(citing)
    together: defaultdict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    shared: defaultdict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for cited in edges.values():
        for one in cited:
            for other in cited - {one}:
                together[one][other] += 1
    for citers in times.values():
        for citing in citers:
            for other in citers - {citing}:
                shared[citing][other] += 1 / len(citers)
    return together, shared


def check(records: SqlRecords, works: list[str]) -> None:
    together, shared = brute_force(records)
    for work in works:
        expected = sorted(((-count, other) for other, count in together[work].items()))[:10]
        assert [(-one.shared, one.work) for one in records.cocited(work)[:10]] == expected
        found = {one.work: one.weight for one in records.coupled(work)}
        assert found.keys() == shared[work].keys()
        assert all(found[other] == pytest.approx(weight) for other, weight in shared[work].items())


def test_the_graph_answers_as_a_plain_computation_does(tmp_path):
    records = SqlRecords(tmp_path / "library.db")
    ingest_papers(records, papers(60, 120, seed=3))
    check(records, sorted(records.live_works()))
    records.close()


@pytest.mark.proof
def test_the_same_on_twenty_thousand_works(tmp_path):
    records = SqlRecords(tmp_path / "library.db")
    every = papers(3000, 20_000, seed=5)
    for start in range(0, len(every), 50):
        ingest_papers(records, every[start : start + 50])
    roots = sorted(records.live_works())
    print(f"{len(roots):,} works")
    check(records, random.Random(1).sample(roots, 300))
    records.close()

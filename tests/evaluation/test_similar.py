"""Hidden citations are looked for among similar works."""

from __future__ import annotations

import gzip

import orjson
import pytest

from openseer.core.errors import BadRequest
from openseer.evaluation.similar import CitationGraph, hide_citations, similar
from openseer.storage.open import open_library


def test_some_citations_are_hidden_and_none_is_lost():
    edges = {f"w{one}": {f"w{other}" for other in range(20) if other != one} for one in range(20)}
    kept, hidden = hide_citations(edges, 0.2)
    assert {name: kept[name] | hidden.get(name, set()) for name in edges} == edges
    assert all(kept[name].isdisjoint(hidden[name]) for name in hidden)
    assert 40 < sum(map(len, hidden.values())) < 120
    assert hide_citations({"w1": {"w2"}}, 1.0) == ({"w1": {"w2"}}, {})


def test_the_graph_answers_as_the_records_do(sample_data):
    with open_library(sample_data) as library:
        roots = sorted(library.records.live_works())
        graph = CitationGraph(library.records.references(roots))
        told = [root for root in roots if library.records.cocited(root)][:30]
        assert len(told) == 30
        for root in told:
            assert graph.cocited(root) == library.records.cocited(root)
        for root in [one for one in roots if library.records.coupled(one)][:10]:
            weights = {one.work: pytest.approx(one.weight) for one in library.records.coupled(root)}
            assert {one.work: one.weight for one in graph.coupled(root)} == weights


def test_a_library_is_measured(sample_data):
    hidden, scores = similar(sample_data)
    assert hidden > 20
    assert scores["all.recall@20"] >= scores["text.recall@20"] > 0
    assert all(0 <= score <= 100 for score in scores.values())


def test_a_graph_is_made_over_records(tmp_path):
    places, words = ("Rome", "Oslo", "Kiel", "Lund"), ("web", "graph", "tree", "index", "crawl", "query", "rank")
    rows = [
        {
            "title": f"{words[one % 7]} {words[one % 5]} number {one}",
            "authors": [f"A{one % 50} Miller"],
            "venue": places[one % 4],
            "year": 1990 + one // 20,
        }
        for one in range(500)
    ]
    file = tmp_path / "records.jsonl.gz"
    file.write_bytes(gzip.compress(b"\n".join(map(orjson.dumps, rows))))
    hidden, scores = similar(file)
    assert hidden > 100
    assert scores["cocitation.recall@20"] > scores["text.recall@20"]


def test_where_there_is_no_library_it_is_said(tmp_path):
    with pytest.raises(BadRequest):
        similar(tmp_path)

"""`openseer evaluate search`: every way of ranking over a small collection."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from typing import cast

import pytest
from click.testing import CliRunner

from openseer.cli import group
from openseer.core.errors import BadRequest
from openseer.evaluation.retrieval import all_runs, load_collection, scores_of, temporary_index
from openseer.search.context import SearchContext
from openseer.search.service import SearchRequest, search
from openseer.storage.protocols.records import Records

DOCUMENTS = [
    {"id": "1", "title": "Crawling the web", "abstract": "Robots fetch pages.", "year": 1999},
    {"id": "2", "title": "Near duplicates", "abstract": "Pages that are nearly the same on the web.", "year": 2001},
    {"id": "3", "title": "Cooking", "abstract": "Olives and bread.", "authors": ["Ann Ng"]},
]
QUESTIONS = [
    {"id": "a", "text": "how do robots crawl", "title": None},
    {"id": "b", "text": "Crawling the web", "query_doc": "1"},
    {"id": "unjudged", "text": "bread"},
]
JUDGED = "query\tdoc\tcode\trelevance\na\t1\t2\t3\na\t3\t2\t0\nb\t2\t1\t1\nunjudged\t3\t1\t0\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr("openseer.search.embeddings.encoder.MODEL_FOLDER", tmp_path / "nothing")
    (tmp_path / "docs.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, DOCUMENTS)).encode()))
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)))
    (tmp_path / "qrels.tsv").write_text(JUDGED)
    return tmp_path


def test_each_way_ranks_and_the_paper_of_a_question_is_no_answer(folder):
    collection = load_collection(folder)
    runs = all_runs(collection)
    assert list(runs) == ["similar", "bm25", "words"]
    assert list(runs["words"]) == ["a", "b"], "a question without an answer is not asked"
    assert runs["words"] == {"a": ["1"], "b": []}, "the service requires all words, and one work has them"
    assert runs["similar"] == {"b": ["2"]}, "only of a question that was made from a paper"
    assert scores_of(collection.judgements, runs["words"]) == {"map": 50, "ndcg@10": 50, "p@10": 5, "recall@100": 50}


def test_what_is_evaluated_is_what_the_service_gives(folder):
    collection = load_collection(folder)
    works = [replace(one, forward_index=collection.forward[one.id]) for one in collection.works.values()]
    with temporary_index(works) as index:
        served = search(
            SearchContext(index, cast(Records, None)), SearchRequest("how do robots crawl", use_embeddings=False)
        )
    assert [one.work.id for one in served.results] == all_runs(collection)["words"]["a"]


def test_figures_by_hand():
    judged = {"q": {"a": 3.0, "b": 1.0}}
    scores = scores_of(judged, {"q": ["z", "a", "y", "b"]})
    assert scores["map"] == pytest.approx(50)
    assert scores["ndcg@10"] == pytest.approx(100 * (7 / 1.58496 + 1 / 2.32193) / (7 + 1 / 1.58496), abs=0.01)
    assert scores["p@10"] == pytest.approx(20)


def test_the_command_shows_the_ways_side_by_side_and_writes_a_run(folder):
    out = folder / "run.txt"
    shown = CliRunner().invoke(group, ["evaluate", "search", str(folder), "--out", str(out)])
    assert shown.exit_code == 0, shown.output
    assert shown.output.splitlines()[0].split() == ["similar", "bm25", "words"]
    assert out.read_text().splitlines() == ["a Q0 1 1 1000 openseer"]
    as_json = CliRunner().invoke(group, ["evaluate", "search", str(folder), "--json"])
    assert json.loads(as_json.stdout)["scores"]["words.map"] == 50


def test_judgements_that_cannot_be_read_are_told(folder):
    (folder / "qrels.tsv").write_text("query\tdoc\trelevance\na\tb\tmuch\n")
    with pytest.raises(BadRequest, match="judgements"):
        load_collection(folder)

"""Weights learned from a library: kept when they help, and only then."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import orjson
import pytest
from click.testing import CliRunner

from openseer.cli import group
from openseer.core.errors import Misconfigured, TooLittle
from openseer.operate import train_ranker
from openseer.operate.train_ranker import learn, opened, rows_of, sentences, titles
from openseer.search.context import SearchContext
from openseer.search.ranking.linear_model import load_reranker, trained_reranker
from openseer.search.result_cache import CachedSearch
from openseer.search.service import SearchRequest
from openseer.storage.open import open_library


@pytest.fixture(autouse=True)
def fewer_questions(monkeypatch):
    monkeypatch.setattr(train_ranker, "MAX_QUERIES_PER_KIND", 160)
    monkeypatch.setattr(train_ranker, "MAX_TITLE_QUERIES", 60)


@pytest.fixture
def library(data):
    with open_library(data) as library:
        yield library


@pytest.fixture
def clicks(library):
    with closing(library.open_click_log()) as clicks:
        yield clicks


def spoil(library):
    """Weights that find nothing: as if somebody had learned from noise."""
    library.ranker_weights.write_bytes(
        orjson.dumps({"words": {"words": -1.0, "venue": 6.0, "authors": 6.0}, "meaning": {"meaning": 1.0}})
    )


def test_questions_are_sentences_clicks_and_titles(library, clicks):
    index = library.open_index()
    asked = list(sentences(library.records))
    assert len(asked) >= train_ranker.MIN_QUERIES
    assert all(len(one.text.split()) >= train_ranker.MIN_SENTENCE_WORDS and one.answers for one in asked)
    assert {one.held_out for one in asked} == {True, False}
    sides: dict[str, set[bool]] = {}
    for one in asked:
        sides.setdefault(one.without, set()).add(one.held_out)
    assert all(len(side) == 1 for side in sides.values())
    clicks.add("near duplicates", "w1", 1)
    clicks.add("near duplicates", "w2", 2)
    assert [(one.text, set(one.answers)) for one in opened(clicks)] == [("near duplicates", {"w1", "w2"})]
    assert all(len(one.text.split()) == train_ranker.TITLE_QUERY_WORDS for one in titles(index))


def test_the_paper_that_says_it_is_no_answer(library):
    index = library.open_index()
    asked = next(iter(sentences(library.records)))
    beside = train_ranker.KnownQuery(asked.kind, asked.text, frozenset((asked.without,)), asked.without)
    found, other = rows_of(index, beside, None), rows_of(index, replace(beside, without=""), None)
    assert found is not None
    assert other is not None
    assert not found[1].any()
    assert other[1].any()


def test_better_weights_are_kept_and_used_at_once(library, clicks):
    spoil(library)
    context = SearchContext(
        library.open_index(), library.records, reranker=lambda: trained_reranker(library.ranker_weights)
    )
    cached_search = CachedSearch(context)
    asked = SearchRequest("near duplicates of web pages", page_size=50)
    before = [one.score for one in cached_search.search(asked).results]
    (words,) = learn(library, clicks, None)
    assert words.better
    assert words.after["sentences"].ndcg > words.before["sentences"].ndcg
    assert words.after["sentences"].mrr > words.before["sentences"].mrr
    assert orjson.loads(library.ranker_weights.read_bytes())["words"] == words.weights
    assert [one.score for one in cached_search.search(asked).results] != before


def test_weights_that_are_no_better_change_nothing(library, clicks):
    spoil(library)
    learn(library, clicks, None)
    kept = library.ranker_weights.read_bytes()
    (again,) = learn(library, clicks, None)
    assert not again.better
    assert library.ranker_weights.read_bytes() == kept


def test_a_dry_run_keeps_nothing_and_a_reset_takes_it_away(data, library):
    run = CliRunner()
    assert run.invoke(group, ["--data", str(data), "train-ranker", "--dry-run"]).exit_code == 0
    assert not library.ranker_weights.exists()
    spoil(library)
    assert run.invoke(group, ["--data", str(data), "train-ranker", "--reset"]).exit_code == 0
    assert trained_reranker(library.ranker_weights) is load_reranker()


def test_the_command_tells_before_and_after_and_forgets_clicks(data, library, clicks):
    spoil(library)
    spoiled = library.ranker_weights.read_bytes()
    clicks.add("near duplicates", "w1", 1)
    run = CliRunner()
    told = run.invoke(group, ["--data", str(data), "train-ranker"]).stdout
    assert "citing sentences" in told
    assert ("stored in ranker.json" in told) == (library.ranker_weights.read_bytes() != spoiled)
    run.invoke(group, ["--data", str(data), "train-ranker", "--forget-clicks"])
    assert list(clicks.all()) == []


def test_too_little_to_learn_from_is_said(tmp_path):
    with open_library(tmp_path / "new", create=True) as library, closing(library.open_click_log()) as clicks:
        clicks.add("near duplicates", "w1", 1)
        with pytest.raises(TooLittle, match="There are 1 questions"):
            learn(library, clicks, None)


def test_broken_weights_are_named(library):
    library.ranker_weights.write_text("{}")
    with pytest.raises(Misconfigured, match=r"ranker\.json"):
        trained_reranker(library.ranker_weights)

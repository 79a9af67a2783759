"""The second stage: what speaks for a candidate, and the order that comes of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from openseer.search.ranking.features import FEATURES, CandidateRows, features_of
from openseer.search.ranking.forward_index import pack
from openseer.search.ranking.linear_model import EXPLANATIONS, load_reranker, reranker_of, trained_reranker
from openseer.search.ranking.query_terms import inverse_document_frequency, query_terms

TOTAL = 1000
FREQUENCIES = {"web": 300, "page": 200, "crawl": 20, "near": 30, "duplic": 5}


def asked(text, vector=None):
    return query_terms([text], lambda stem: FREQUENCIES.get(stem, 1), TOTAL, vector)


def work(title, abstract="", authors=(), venue=""):
    return pack(title, abstract, (), authors, venue)


def found(*works, years=None, vectors=None):
    size = len(works)
    return CandidateRows(
        works,
        np.linspace(2.0, 1.0, size) if size else np.zeros(0),
        np.zeros(size),
        np.zeros(size) if years is None else np.array(years, dtype=np.float64),
        np.zeros(size, dtype=np.bool_),
        vectors,
    )


def column(name, question, *works, **more):
    return features_of(asked(question), found(*works, **more))[:, FEATURES.index(name)].tolist()


def first(question, *works, **more):
    return int(load_reranker().rank(asked(question), found(*works, **more)).order[0])


def test_a_question_is_its_words_without_small_ones_and_repeats_count():
    one = asked("What crawls the web? Crawling of web pages, web crawlers by Ng 1999")
    assert len(one.ids) == 6
    assert one.order.tolist() == [0, 1, 0, 1, 2, 1, 3, 4, 5]
    assert one.weights[0] == pytest.approx(2 * inverse_document_frequency(20, TOTAL))
    assert one.idf[0] == pytest.approx(inverse_document_frequency(20, TOTAL))
    assert one.years == (1999,)


def test_rare_words_weigh_more_and_the_title_more_than_the_abstract():
    assert first("web duplicates", work("On the web"), work("On duplicates")) == 1
    assert first("duplicates", work("Something else", "Duplicates."), work("Duplicates", "Something else.")) == 1


def test_how_much_of_the_question_the_title_has():
    works = work("Crawling the web"), work("Web pages"), work("Nothing")
    assert column("title", "crawling web", *works)[0] == pytest.approx(1)


def test_words_side_by_side_and_the_same_title():
    works = work("Near duplicates of pages"), work("Pages near which duplicates"), work("Duplicates, pages and near")
    assert column("side_by_side", "near duplicates", *works) == pytest.approx([1, 1, 0])
    assert column("same_title", "near DUPLICATES of pages", *works) == [1, 0, 0]


def test_titles_are_compared_as_printed_small_words_too():
    works = work("Near duplicates of pages"), work("Pages near the duplicates")
    assert column("phrase", "near duplicates", *works) == [1, 0]
    assert column("title_run", "near duplicates of", *works) == pytest.approx([(2 / 3) ** 8, 0])
    assert column("title_run", "Ng: Near duplicates of pages, 1999", *works)[0] == 1
    assert column("phrase", "what may not", work("What may not work"), work("What works")) == [1, 0]


def test_a_slip_of_the_pen_is_any_word():
    known = dict.fromkeys(("near", "of", "page", "web"), 10)
    question = query_terms(["near dupliactes of pages"], lambda stem: known.get(stem, 0), TOTAL)
    rows = features_of(question, found(work("Near duplicates of pages"), work("Near the web of pages"), work("Pages")))
    assert rows[:, FEATURES.index("phrase")].tolist() == pytest.approx([1, (rows[1, FEATURES.index("phrase")]), 0])
    assert rows[0, FEATURES.index("title_run")] == 1


def test_a_pasted_citation_names_authors_venue_and_year():
    works = work("Crawling", authors=["Ann Ng"], venue="Web Journal"), work("Crawling", authors=["Bob Li"])
    assert column("authors", "Ng A: Crawling. Web Journal 1999", *works) == pytest.approx([np.log(2), 0])
    assert column("venue", "Ng A: Crawling. Web Journal 1999", *works) == [1, 0]
    assert column("year", "Ng A: Crawling. Web Journal 1999", *works, years=[1998, 1999]) == [0, 1]
    assert first("Li B: Crawling. 1999", *works) == 1


def test_neighbours_vouch_for_each_other():
    liked = [work(f"Crawling {number}", "Robots fetch sites politely.") for number in range(6)]
    alone = [work(f"Other {number}", "Cooking with olives daily.") for number in range(6)]
    silent = work("Untitled", "Robots fetch sites politely.")
    vouched = column("neighbours", "crawling", *liked, *alone, silent)
    assert vouched[-1] > max(vouched[6:12])


def test_meaning_is_compared_where_there_are_vectors():
    vectors = np.zeros((3, 384), dtype=np.int8)
    vectors[0, 0], vectors[1, 1] = 100, 100
    toward = np.zeros(384, dtype=np.int8)
    toward[1] = 90
    candidates = found(work("A"), work("B"), work("C"), vectors=vectors)
    row = features_of(asked("zebra", toward), candidates)[:, FEATURES.index("meaning")]
    assert row.tolist() == pytest.approx([-1, 1, 0])
    ranking = load_reranker().rank(asked("zebra", toward), candidates)
    assert ranking.used_embeddings
    assert ranking.order[0] == 1
    assert not load_reranker().rank(asked("zebra"), candidates).used_embeddings


def test_a_work_without_a_vector_is_as_like_as_its_words_let_expect():
    dice = np.random.default_rng(1)
    vectors = dice.integers(-50, 50, size=(8, 384)).astype(np.int8)
    vectors[6:] = 0
    question = asked("near duplicates of crawled pages", dice.integers(-50, 50, size=384).astype(np.int8))
    others = [work(f"Trees of kind {one}", "Nothing that was asked for.") for one in range(6)]
    works = (*others, work("Near duplicates of crawled pages"), work("Something else"))
    meaning = features_of(question, found(*works, vectors=vectors))[:, FEATURES.index("meaning")]
    assert meaning[6] > 0.5 > meaning[7]
    assert meaning[7] == pytest.approx(0, abs=0.5)


def test_two_works_that_hardly_differ_in_meaning_are_told_apart_by_words():
    vectors = np.full((2, 384), 50, dtype=np.int8)
    vectors[0, 0] = 60
    question = asked("navier stokes", np.eye(1, 384, dtype=np.int8)[0] * 100)
    meaning = features_of(question, found(work("Flow"), work("Navier-Stokes equations"), vectors=vectors))
    assert 0 < meaning[0, FEATURES.index("meaning")] < 0.2


def test_reasons_add_up_and_are_told_in_words():
    ranking = load_reranker().rank(asked("web crawling"), found(work("Web crawling"), work("Web"), work("Pages")))
    reasons = ranking.reasons(0)
    assert {one.signal for one in reasons} <= set(FEATURES) == set(EXPLANATIONS)
    assert sum(one.points for one in reasons) == pytest.approx(ranking.scores[0], abs=0.05)
    assert abs(reasons[0].points) == max(abs(one.points) for one in reasons)


def test_what_is_not_named_weighs_nothing():
    ranking = reranker_of({"words": {"cited": 1.0}, "meaning": {}}).rank(asked("web"), found(work("Web"), work("Web")))
    assert ranking.scores.tolist() == [0, 0]
    assert ranking.order.tolist() == [0, 1]


@given(some.text(max_size=40), some.lists(some.tuples(some.text(max_size=30), some.text(max_size=30)), max_size=5))
def test_any_question_over_any_works_gives_finite_scores(question, works):
    ranking = load_reranker().rank(asked(question), found(*(work(*one) for one in works)))
    assert np.isfinite(ranking.scores).all()
    assert sorted(ranking.order.tolist()) == list(range(len(works)))


def with_text(*works, full_text, **more):
    rows = found(*works, **more)
    return replace(rows, full_text=np.array(full_text))


def preferred(question, *works, full_text, **more):
    at = FEATURES.index("preferred")
    return features_of(asked(question), with_text(*works, full_text=full_text, **more))[:, at].tolist()


def test_a_full_text_comes_before_cited_works_for_a_topic():
    topic = [work("Gastric cancer in Japan"), work("Treatment of gastric cancer"), work("Gastric cancer surgery")]
    paper = work("A phase II trial", "Patients with gastric cancer were treated.")
    rows = with_text(*topic, paper, full_text=[False, False, False, True])
    assert load_reranker().rank(asked("gastric cancer"), rows).order[0] == 3


def test_a_cited_work_that_is_named_is_preferred_as_much_as_a_full_text():
    adam = work("Adam: a method for stochastic optimization", authors=("Diederik P. Kingma", "Jimmy Ba"))
    paper = work("A course", "Optimization by a stochastic method, here Adam by Kingma and Ba.")
    for name in (
        "kingma ba 2014",
        "adam a method for stochastic optimization",
        "Adam: a metod for stochastic optimization",
    ):
        named, full = preferred(name, adam, paper, full_text=[False, True], years=[2014, 2020])
        assert full == 1
        assert named > 0.8, name
    assert preferred("optimization", adam, paper, full_text=[False, True])[0] < 0.2


def test_without_any_full_text_there_is_no_preference():
    assert preferred("adam", work("Adam"), work("Eve"), full_text=[False, False]) == [0, 0]


def test_a_full_text_that_matches_little_counts_less_where_words_are_optional():
    rows = with_text(work("A b c d e"), work("Tides"), full_text=[False, True])
    rows = replace(rows, scores=np.array([10.0, 1.0]), optional_words=True)
    assert features_of(asked("a b c d e tides"), rows)[1, FEATURES.index("preferred")] == pytest.approx(0.2)


def test_an_organisation_matches_by_its_whole_name_only():
    association = work("Guidelines", authors=("Japanese Gastric Cancer Association",))
    person = work("Guidelines", authors=("Anna Gastric",))
    for question, named in (("gastric cancer", [0, 1]), ("japanese gastric cancer association", [4, 1])):
        words = np.expm1(column("authors", question, association, person)).round().tolist()
        assert words == named, question


def test_trained_weights_of_a_former_version_keep_the_shipped_preference(tmp_path):
    file = tmp_path / "ranker.json"
    file.write_text('{"words": {"words": 1.0, "full_text": 0.05}, "meaning": {"meaning": 1.0}}')
    at = FEATURES.index("preferred")
    trained, shipped = trained_reranker(file), load_reranker()
    assert (trained.words[at], trained.meaning[at]) == (shipped.words[at], shipped.meaning[at])
    assert shipped.words[at] > 1

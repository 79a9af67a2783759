"""Query relaxation: a few matches in full texts only are followed by works with most of the words."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from openseer.core.model.work import IndexedWork
from openseer.search.context import SearchContext
from openseer.search.ranking.forward_index import contains_words, pack
from openseer.search.service import SearchRequest, search
from openseer.storage.protocols.index import Checkpoint
from openseer.storage.protocols.records import Records
from openseer.storage.tantivy.index import TantivyIndex

WORKS = {
    "passing": IndexedWork(
        "w1",
        ("w1",),
        title="Baking of bread",
        documents=("a" * 40,),
        text="An active crowd; learning to read tidal texts.",
    ),
    "about": IndexedWork("w2", ("w2",), title="Active learning"),
    "other": IndexedWork("w3", ("w3",), title="Learning from tidal gauges"),
    "exact": IndexedWork("w4", ("w4",), title="Granite quarries of coastal Norway"),
}


@pytest.fixture(scope="module")
def context(tmp_path_factory):
    index = TantivyIndex(tmp_path_factory.mktemp("answers") / "index", heap_mb=15)
    writer = index.writer()
    for one in WORKS.values():
        writer.put(replace(one, forward_index=pack(one.title, "", (), (), "")))
    writer.commit(Checkpoint())
    writer.close()
    return SearchContext(index, cast(Records, None))


def titles(response):
    return [result.work.title for result in response.results]


def test_matches_in_the_full_text_only_are_followed_by_works_with_most_words(context):
    response = search(context, SearchRequest("active learning tidal"))
    assert (response.relaxed, response.with_all_words, response.total) == (True, 1, 3)
    assert set(titles(response)) == {WORKS[name].title for name in ("passing", "about", "other")}
    assert response.relaxations, "relaxations are listed"


def test_the_second_page_continues_the_relaxed_list(context):
    first, second = (search(context, SearchRequest("active learning tidal", page=page, page_size=2)) for page in (1, 2))
    assert (second.relaxed, second.with_all_words, second.total) == (first.relaxed, first.with_all_words, first.total)
    assert sorted(titles(first) + titles(second)) == sorted(set(titles(first) + titles(second)))


def test_a_match_in_the_title_is_not_relaxed(context):
    response = search(context, SearchRequest("granite quarries norway"))
    assert (response.relaxed, response.with_all_words, response.total) == (False, 1, 1)


def test_two_words_and_other_orders_are_not_relaxed(context):
    assert search(context, SearchRequest("crowd tidal")).total == 1
    response = search(context, SearchRequest("active learning tidal", sort="newest"))
    assert (response.relaxed, response.total) == (False, 1)


def test_short_words_are_not_required():
    work = pack("Freundschaften für die soziale Integration", "", (), ("Anne Böger",), "")
    assert contains_words(work, ["Freundschaften", "und", "soziale", "Integration", "Böger"])
    assert not contains_words(work, ["Freundschaften", "Konflikte"])
    assert not contains_words(b"", ["Freundschaften"])


@pytest.fixture(scope="module")
def citing(tmp_path_factory):
    """A work, and three that cite it by name and year in their texts."""
    meant = IndexedWork(
        "w1", ("w1",), title="Training of experts", authors=("G. Hinton", "R. Salakhutdinov"), year=2002
    )
    works = [meant] + [
        IndexedWork(
            f"w{number}", (f"w{number}",), title=f"Hinton and {number} other machines", documents=(f"{number}" * 40,),
            text="As Hinton and Salakhutdinov (2002) showed. " * number, year=2010,
        )
        for number in (2, 3, 4)
    ]  # fmt: skip
    index = TantivyIndex(tmp_path_factory.mktemp("named") / "index", heap_mb=15)
    writer = index.writer()
    for one in works:
        writer.put(replace(one, forward_index=pack(one.title, "", (), one.authors, "")))
    writer.commit(Checkpoint())
    writer.close()
    return SearchContext(index, cast(Records, None))


@pytest.mark.parametrize("query", ["hinton 2002", "Hinton Salakhutdinov", "salakhutdinov and hinton 2002"])
def test_authors_and_year_rank_their_work_before_works_that_cite_it(citing, query):
    response = search(citing, SearchRequest(query, explain=True))
    assert response.total == 4
    assert response.results[0].work.id == "w1"
    assert "by_them" in [reason.signal for reason in response.results[0].reasons]


def test_one_word_may_be_a_name_or_not(citing):
    response = search(citing, SearchRequest("hinton", explain=True))
    assert all("by_them" not in [reason.signal for reason in result.reasons] for result in response.results)


def test_a_year_beside_authors_matches_their_work(citing):
    response = search(citing, SearchRequest("hinton salakhutdinov 2002"))
    assert (response.relaxed, response.with_all_words) == (False, 4)
    only = search(citing, SearchRequest("training experts 2002"))
    assert (only.relaxed, [result.work.id for result in only.results]) == (False, ["w1"])

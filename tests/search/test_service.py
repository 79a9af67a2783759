"""Few answers that only say it in passing are followed by works that are about most of it."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from openseer.core.model.work import IndexedWork
from openseer.search.ranking.forward_index import pack, says
from openseer.search.service import SearchRequest, search
from openseer.search.similar import SearchContext
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
def holdings(tmp_path_factory):
    index = TantivyIndex(tmp_path_factory.mktemp("answers") / "index", heap_mb=15)
    writer = index.writer()
    for one in WORKS.values():
        writer.put(replace(one, forward_index=pack(one.title, "", (), (), "")))
    writer.commit(Checkpoint())
    writer.close()
    return SearchContext(index, cast(Records, None))


def titles(answered):
    return [result.work.title for result in answered.results]


def test_what_says_it_in_passing_is_followed_by_what_is_about_most_of_it(holdings):
    answered = search(holdings, SearchRequest("active learning tidal"))
    assert (answered.relaxed, answered.whole, answered.total) == (True, 1, 3)
    assert set(titles(answered)) == {WORKS[name].title for name in ("passing", "about", "other")}
    assert answered.relaxations, "and what there is without each part is told"


def test_the_second_page_goes_on_with_the_same(holdings):
    first, second = (
        search(holdings, SearchRequest("active learning tidal", page=page, page_size=2)) for page in (1, 2)
    )
    assert (second.relaxed, second.whole, second.total) == (first.relaxed, first.whole, first.total)
    assert sorted(titles(first) + titles(second)) == sorted(set(titles(first) + titles(second)))


def test_a_work_that_is_about_all_of_it_stands_alone(holdings):
    answered = search(holdings, SearchRequest("granite quarries norway"))
    assert (answered.relaxed, answered.whole, answered.total) == (False, 1, 1)


def test_two_words_or_another_order_are_left_as_they_are(holdings):
    assert search(holdings, SearchRequest("crowd tidal")).total == 1
    answered = search(holdings, SearchRequest("active learning tidal", sort="newest"))
    assert (answered.relaxed, answered.total) == (False, 1)


def test_short_words_need_not_be_said():
    work = pack("Freundschaften für die soziale Integration", "", (), ("Anne Böger",), "")
    assert says(work, ["Freundschaften", "und", "soziale", "Integration", "Böger"])
    assert not says(work, ["Freundschaften", "Konflikte"])
    assert not says(b"", ["Freundschaften"])


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
def test_authors_and_year_name_their_work_before_those_that_cite_it(citing, query):
    answered = search(citing, SearchRequest(query, explain=True))
    assert answered.total == 4
    assert answered.results[0].work.id == "w1"
    assert "by_them" in [reason.signal for reason in answered.results[0].reasons]


def test_one_word_may_be_a_name_or_not(citing):
    answered = search(citing, SearchRequest("hinton", explain=True))
    assert all("by_them" not in [reason.signal for reason in result.reasons] for result in answered.results)


def test_a_year_beside_authors_is_said_by_their_work(citing):
    answered = search(citing, SearchRequest("hinton salakhutdinov 2002"))
    assert (answered.relaxed, answered.whole) == (False, 4)
    only = search(citing, SearchRequest("training experts 2002"))
    assert (only.relaxed, [result.work.id for result in only.results]) == (False, ["w1"])

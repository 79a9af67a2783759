"""The contract of the search index."""

from __future__ import annotations

import contextlib
import random
from dataclasses import replace

import pytest

from openseer.core.errors import IndexBehind, Locked
from openseer.core.model.query import (
    OTHER,
    SORTS,
    And,
    Everything,
    ExactField,
    FacetRequest,
    Filter,
    IdSet,
    Not,
    Or,
    Phrase,
    Range,
    SearchQuery,
    SoftOr,
    Word,
)  # fmt: skip
from openseer.core.model.work import CitingSentence, IndexedWork
from openseer.storage.protocols.index import Checkpoint, FacetValue, IndexedDigest
from openseer.storage.tantivy.index import TantivyIndex
from openseer.storage.tantivy.snapshot import RERANKED_OPTIONAL

CRAWL = IndexedWork(
    id="w00000000000a",
    ids=("w00000000000a", "w00000000000b"),
    title="Focused crawlers for the scholarly Web",
    authors=("Ada Größe", "Jan van der Berg"),
    venue="Journal of Digital Shelves",
    year=2001,
    abstract="We crawl politely.",
    keywords=("focused crawling",),
    text="Pages one.\fPages two about politeness.",
    doi="10.5555/crawl.1",
    documents=("a" * 40,),
    formats=("pdf",),
    language="en",
    cites=("w00000000000d",),
    added=200,
    cited=3,
    digest="x1",
)
CITED = IndexedWork(
    id="w00000000000d", ids=("w00000000000d",), title="Near-duplicate detection", authors=("Bo Li",), year=1999, cited=9
)
UNDATED = IndexedWork(id="w00000000000e", ids=("w00000000000e",), title="Notes on crawling", authors=("C. D.",))


@pytest.fixture(params=["tantivy"])
def index(request, tmp_path):
    return TantivyIndex(tmp_path / "index", heap_mb=15)


@pytest.fixture
def filled(index):
    with contextlib.closing(index.writer()) as writer:
        for work in (CRAWL, CITED, UNDATED):
            writer.put(work)
        writer.commit(Checkpoint("library", 7))
    return index


def ids(found):
    return [hit.work.id[-1] for hit in found.hits]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (Word("crawlers"), {"a"}),
        (Word("CRAWLING"), {"a", "e"}),
        (Word("grosse"), {"a"}),
        (Word("größe", "author"), {"a"}),
        (Word("politeness", "text"), {"a"}),
        (Word("politeness", "title"), set()),
        (Word("near-duplicate"), {"d"}),
        (Word("craw", prefix=True), {"a", "e"}),
        (Word("crawling", prefix=True), {"a", "e"}),
        (Word("Größ", prefix=True), {"a"}),
        (Word("c", prefix=True), {"e"}),
        (Word("10.5555/CRAWL.1", "doi"), {"a"}),
        (Word("a" * 40, "sha1"), {"a"}),
        (Word("w00000000000b", "id"), {"a"}),
        (Word("pdf", "has"), {"a"}),
        (Word("en", "language"), {"a"}),
        (Phrase("scholarly web"), {"a"}),
        (Phrase("web scholarly"), set()),
        (Phrase("van der berg", "author"), {"a"}),
        (Range("year", 2000, None), {"a"}),
        (Range("year", None, 2000), {"d"}),
        (Range("year", 2005, 2001), set()),
        (Range("cited", 4, 10**15), {"d"}),
        (And((Word("crawl"), Not(Word("notes")))), {"a"}),
        (Not(Word("crawl")), {"d"}),
        (Or((Word("politeness"), Word("duplicate"))), {"a", "d"}),
        (SoftOr((Word("duplicate"), Word("nowhere"))), {"d"}),
        (Everything(), {"a", "d", "e"}),
        (Word("!!!"), set()),
        (Word("checkpoint"), set()),
    ],
)
def test_a_tree_finds_its_works(filled, tree, expected):
    found = filled.search(SearchQuery(tree))
    assert set(ids(found)) == expected
    assert found.total == len(expected)


@pytest.mark.parametrize(
    ("sort", "expected"), [("citations", "dae"), ("newest", "ade"), ("oldest", "dae"), ("added", "ade")]
)
def test_every_order_puts_what_is_not_known_last(filled, sort, expected):
    assert "".join(ids(filled.search(SearchQuery(Everything(), sort)))) == expected
    assert sort in SORTS


def test_pages_do_not_overlap(filled):
    pages = [ids(filled.search(SearchQuery(Everything(), "citations", offset, 1))) for offset in range(4)]
    assert pages == [["d"], ["a"], ["e"], []]


def test_full_text_only(filled):
    assert ids(filled.search(SearchQuery(Everything(), full_text_only=True))) == ["a"]


def test_a_work_comes_back_as_it_went_in(filled):
    assert filled.get("w00000000000a") == CRAWL
    assert filled.get("w00000000000b") == CRAWL, "by any id that leads to it"
    assert filled.get("w0000000000zz") is None


def test_the_checkpoint_travels_with_the_commit(index):
    assert index.checkpoint() == Checkpoint()
    with contextlib.closing(index.writer()) as writer:
        writer.put(CRAWL)
        assert index.search(SearchQuery(Everything())).total == 0, "nothing is seen before the commit"
        writer.commit(Checkpoint("library", 5, 3))
    assert index.checkpoint() == Checkpoint("library", 5, 3)
    assert index.search(SearchQuery(Everything())).total == 1


def test_a_writer_that_ends_without_commit_leaves_the_last_one(filled, tmp_path):
    with contextlib.closing(filled.writer()) as writer:
        writer.remove(CRAWL.id)
        writer.clear()
    again = TantivyIndex(tmp_path / "index")
    assert again.search(SearchQuery(Everything())).total == 3
    assert again.checkpoint().position == 7


def test_putting_again_replaces(filled):
    with contextlib.closing(filled.writer()) as writer:
        assert writer.stored_digest(CRAWL.id) == IndexedDigest("x1", 3, 0)
        writer.put(IndexedWork(id=CRAWL.id, ids=(CRAWL.id,), title="Renamed", digest="x2", cited=4))
        writer.commit(Checkpoint("library", 8))
        assert writer.stored_digest(CRAWL.id) == IndexedDigest("x2", 4, 0)
        writer.remove(CITED.id)
        writer.commit(Checkpoint("library", 9))
        assert writer.stored_digest(CITED.id) is None
    assert sorted(filled.digests()) == [(CRAWL.id, IndexedDigest("x2", 4, 0)), (UNDATED.id, IndexedDigest("", 0, 0))]


def test_there_is_one_writer(filled):
    with contextlib.closing(filled.writer()), pytest.raises(Locked):
        filled.writer()
    filled.writer().close()


def test_an_index_that_cannot_be_opened_names_the_way_out(tmp_path):
    index = TantivyIndex(tmp_path / "index")
    (index.directory / "meta.json").write_text("{ not json")
    with pytest.raises(IndexBehind) as caught:
        TantivyIndex(tmp_path / "index")
    assert "openseer reindex" in caught.value.hint


def test_the_first_thing_a_new_writer_does_outlives_the_merge_of_segments(index):
    """Tantivy may forget it (see NOBODY); seen on an index of the samples, not on one this small."""
    with contextlib.closing(index.writer()) as writer:
        for number in range(7):
            for place in range(5):
                name = f"w{number}{place}"
                writer.put(IndexedWork(id=name, ids=(name,), title="A work"))
            writer.remove(f"w{number - 1}0")
            writer.commit(Checkpoint("library", number))
    before = {work for work, _ in index.digests()}
    with contextlib.closing(index.writer()) as writer:
        writer.remove("w54")
        writer.commit(Checkpoint("library", 8))
    assert before - {work for work, _ in index.digests()} == {"w54"}


def test_whatever_is_put_removed_and_cleared_each_work_stands_there_once(index):
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance, expected = random.Random(seed), {}
    for _ in range(4):  # writers, one after the other; the first finds an empty index
        with contextlib.closing(index.writer()) as writer:
            for step in range(60):
                name, act = f"w{chance.randrange(12):012d}", chance.random()
                if act < 0.7:
                    writer.put(IndexedWork(id=name, ids=(name,), title="Ships", digest=f"{step}"))
                    expected[name] = f"{step}"
                elif act < 0.85:
                    writer.remove(name)
                    expected.pop(name, None)
                else:
                    writer.commit(Checkpoint("library", step))
                    if act > 0.97:  # as `reindex` does: first of all
                        writer.clear()
                        expected.clear()
            writer.commit(Checkpoint("library", 99))
        assert sorted((name, stamp.digest) for name, stamp in index.digests()) == sorted(expected.items())


GERMAN = IndexedWork(
    id="w00000000000g",
    ids=("w00000000000g",),
    title="Die Häuser der Bibliotheken",
    authors=("Jörg Größe", "Eva Banks"),
    people=("grosse j", "banks e"),
    venue="Zeitschrift für Bücher",
    year=2003,
    documents=("b" * 40,),
    formats=("pdf",),
    language="de",
    text="Ein Haus voller Bücher.",
    cited=1,
)
CHINESE = IndexedWork(
    id="w00000000000h",
    ids=("w00000000000h",),
    title="数字图书馆的元数据",
    authors=("王 明",),
    people=("王明",),
    language="zh",
)
SENTENCES = (
    CitingSentence(
        "Crawlers are shown to scale linearly [1].",
        "w00000000000s",
        ("w00000000000b", "w00000000000d"),
        "Related work",
        2,
    ),
    CitingSentence("Duplicates are found by hashing [2].", "w00000000000s", ("w00000000000d",)),
)
SAYING = IndexedWork(
    id="w00000000000s",
    ids=("w00000000000s",),
    title="Survey",
    documents=("c" * 40,),
    formats=("pdf",),
    sentences=SENTENCES,
    forward_index=b"\1\2",
)


@pytest.fixture
def varied(filled):
    with contextlib.closing(filled.writer()) as writer:
        for work in (GERMAN, CHINESE, SAYING):
            writer.put(work)
        writer.commit(Checkpoint("library", 8))
    return filled


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (Word("Haus"), {"g"}),
        (Word("bibliothek", "title"), {"g"}),
        (Word("buch", prefix=True), {"g"}),
        (Word("bank"), set()),
        (Word("banks"), {"g"}),
        (Phrase("crawlers for the"), {"a"}),
        (Phrase("crawler for the"), set()),
        (Word("图书馆"), {"h"}),
        (Word("元数据", "title"), {"h"}),
        (Word("书图"), set()),
        (Word("größe", "first"), {"a", "g"}),
        (Word("banks", "first"), set()),
        (ExactField("Near-duplicate detection", "title"), {"d"}),
        (ExactField("duplicate detection", "title"), set()),
        (ExactField("bo li", "author"), {"d"}),
        (IdSet("id", ("w00000000000b", "w00000000000h")), {"a", "h"}),
        (IdSet("cites", ("w00000000000d",)), {"a"}),
    ],
)
def test_languages_phrases_and_whole_values(varied, tree, expected):
    assert set(ids(varied.search(SearchQuery(tree)))) == expected


def test_works_found_otherwise_keep_their_order(varied):
    order = ("w00000000000h", "w00000000000b", "w00000000000d")
    assert "".join(ids(varied.search(SearchQuery(IdSet("id", order))))) == "had"


def test_facets_count_and_filters_choose(varied):
    counting = (FacetRequest("author"), FacetRequest("year"), FacetRequest("has"), FacetRequest("venue"))
    found = varied.search(SearchQuery(Everything(), facets=counting))
    assert [(one.value, one.count) for one in found.facets["year"]] == [("1999", 1), ("2001", 1), ("2003", 1)]
    assert FacetValue("grosse j", 1, "Jörg Größe") in found.facets["author"]
    assert FacetValue("zeitschrift fur bucher", 1, "Zeitschrift für Bücher") in found.facets["venue"]
    chosen = SearchQuery(Everything(), filters=(Filter("has", ("pdf",)), Filter("year", ("2001", "2003"))))
    assert set(ids(varied.search(chosen))) == {"a", "g"}
    excluded = SearchQuery(Everything(), filters=(Filter("has", ("pdf",), exclude=True),))
    assert set(ids(varied.search(excluded))) == {"d", "e", "h"}
    inside = varied.search(SearchQuery(Everything(), facets=(FacetRequest("author", containing="Größ"),)))
    assert [one.value for one in inside.facets["author"]] == ["grosse j"]
    printed = varied.search(SearchQuery(Everything(), facets=(FacetRequest("author", containing="J. Größe"),)))
    assert [one.value for one in printed.facets["author"]] == ["grosse j"]


@pytest.mark.parametrize("beginning", ["l", "gr", "x", OTHER])
def test_values_can_be_counted_by_how_they_begin(varied, beginning):
    def names(counting):
        return {one.value for one in varied.search(SearchQuery(Everything(), facets=(counting,))).facets["author"]}

    every, begun = names(FacetRequest("author", 100)), names(FacetRequest("author", 100, beginning=beginning))
    starts = (
        (lambda name: not "a" <= name[0] <= "z") if beginning == OTHER else (lambda name: name.startswith(beginning))
    )
    assert begun == set(filter(starts, every))


def test_facets_are_counted_right_over_all_parts_of_an_index(index):
    parts = [[f"Name {first}{number}" for number in range(40)] for first in "pqrs"]
    with contextlib.closing(index.writer()) as writer:
        for number, names in enumerate(parts):
            for at, name in enumerate([*names, "Everywhere Journal"]):
                work = f"w{number:06}{at:06}"
                writer.put(replace(CITED, id=work, ids=(work,), venue=name, title=name))
                for twice in range(2 * (name != "Everywhere Journal")):
                    more = f"w{number:05}{twice + 1}{at:06}"
                    writer.put(replace(CITED, id=more, ids=(more,), venue=name, title=name))
            writer.commit(Checkpoint("library", number + 1))
    (first, *_) = index.search(SearchQuery(Everything(), facets=(FacetRequest("venue", 1),))).facets["venue"]
    assert (first.value, first.count) == ("everywhere journal", len(parts))


def test_a_list_is_as_long_wherever_one_stands_in_it(varied):
    every = varied.search(SearchQuery(Everything(), "citations", facets=(FacetRequest("has"),)))
    later = SearchQuery(
        Everything(), "citations", offset=1, since=every.hits[2].order_key, facets=(FacetRequest("has"),)
    )
    assert (varied.search(later).total, varied.search(later).facets) == (every.total, every.facets)


def test_a_page_over_the_end_of_what_is_put_into_order_repeats_nothing(index):
    with contextlib.closing(index.writer()) as writer:
        for number in range(RERANKED_OPTIONAL + 40):
            work = f"w{number:012}"
            writer.put(replace(CITED, id=work, ids=(work,), title=f"Hash {'hash ' * (number % 7)}"))
        writer.commit(Checkpoint("library", 1))
    described = SoftOr((Word("hash"), Word("nowhere")))

    def backwards(candidates):
        return [-score for score in candidates.scores]

    pages = [
        index.search(SearchQuery(described, offset=at, limit=60), backwards).hits
        for at in range(0, RERANKED_OPTIONAL + 40, 60)
    ]
    seen = [hit.work.id for page in pages for hit in page]
    assert len(seen) == len(set(seen)) == RERANKED_OPTIONAL + 40


def test_a_bare_year_is_a_year_too(filled):
    assert set(ids(filled.search(SearchQuery(And((Word("größe"), Word("2001"))))))) == {"a"}
    assert ids(filled.search(SearchQuery(Word("2001", "title")))) == []


def test_a_value_has_the_name_that_is_printed(varied):
    assert varied.label("author", "grosse j") == "Jörg Größe"
    assert varied.label("venue", "zeitschrift fur bucher") == "Zeitschrift für Bücher"
    assert varied.label("author", "nobody n") == "nobody n"


def test_a_list_goes_on_from_a_place_in_its_order(varied):
    every = varied.search(SearchQuery(Everything(), "citations")).hits
    assert [hit.order_key for hit in every] == sorted((hit.order_key for hit in every), reverse=True)
    rest = varied.search(SearchQuery(Everything(), "citations", offset=1, since=every[2].order_key)).hits
    assert [hit.work.id for hit in rest] == [hit.work.id for hit in every[3:]]


def test_the_first_hits_can_be_put_into_another_order(varied):
    def fewest_first(candidates):
        assert len(candidates.forward_indexes) == len(candidates.scores) == len(candidates.years) == 6
        assert b"\1\2" in candidates.forward_indexes
        assert sum(candidates.has_full_text) == 1, "the one that was added with a file"
        return [-count for count in candidates.cited]

    found = varied.search(SearchQuery(Everything(), limit=2, offset=4), fewest_first)
    assert "".join(ids(found)) == "ad"


def test_works_and_texts_many_at_once(varied):
    found = varied.find(["w00000000000b", "w00000000000d", "w0000000000zz"])
    assert {name: work.id[-1] for name, work in found.items()} == {"w00000000000b": "a", "w00000000000d": "d"}
    assert varied.texts(["w00000000000g", "w00000000000d"]) == {"w00000000000g": GERMAN.text}


def test_fields_of_works_are_none_of_sentences(varied):
    assert varied.sentences(Word("crawlers", "title"), (), 0, 10) == (0, [])
    assert varied.sentences(Range("year", 2001, 2001), (), 0, 10) == (0, [])


def test_sentences_are_found_by_words_and_by_the_work_they_speak_of(varied):
    total, found = varied.sentences(Word("linear"), (), 0, 10)
    assert (total, found) == (1, [SENTENCES[0]])
    assert varied.sentences(Everything(), CITED.ids, 0, 10) == (2, list(SENTENCES)), (
        "one sentence may speak of two works"
    )
    assert varied.sentences(Everything(), CRAWL.ids, 0, 10) == (1, [SENTENCES[0]])
    assert varied.search(SearchQuery(Word("hashing"))).total == 0, "sentences are no works"
    with contextlib.closing(varied.writer()) as writer:
        writer.put(replace(SAYING, sentences=()))
        writer.commit(Checkpoint("library", 9))
    assert varied.sentences(Everything(), (), 0, 10)[0] == 0


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("foc", "title"),
        ("focused craw", "title"),
        ("fcused crawl", "title"),
        ("gross", "author"),
        ("zeit", "venue"),
        ("ti", "field"),
    ],
)
def test_what_is_typed_is_completed(varied, typed, expected):
    assert expected in {one.kind for one in varied.complete(typed, 8)}
    assert varied.complete("!", 8) == []


@pytest.mark.parametrize(
    ("typed", "kind", "text"),
    [
        ("author:gro", "author", "Jörg Größe"),
        ("Venue: zeit", "venue", "Zeitschrift für Bücher"),
        ("title:foc", "title", CRAWL.title),
    ],
)
def test_behind_a_field_its_own_values_are_completed(varied, typed, kind, text):
    found = varied.complete(typed, 8)
    assert {one.kind for one in found} == {kind}
    assert text in [one.text for one in found]
    assert varied.complete(f"{kind}:", 8) == []


def test_what_is_typed_whole_comes_first(varied):
    first = varied.complete("zeitschrift für bücher", 8)[0]
    assert (first.kind, first.text) == ("venue", "Zeitschrift für Bücher")


@pytest.mark.parametrize(
    ("word", "meant"),
    [("crwlers", "crawlers"), ("detecton", "detection"), ("crawlers", ""), ("qqqqqq", ""), ("li", "")],
)
def test_a_misspelt_word_is_known_by_the_words_of_the_index(varied, word, meant):
    assert varied.correct_spelling(word) == meant


def test_similar_words_find_similar_works(index):
    with contextlib.closing(index.writer()) as writer:
        for number in range(6):
            topic = "harvesting metadata of archives" if number % 2 else "folding proteins with gradients"
            name = f"w{number:012d}"
            writer.put(IndexedWork(name, (name,), title=f"{topic} {number}", embedding=f"{number}".encode()))
        writer.commit(Checkpoint("library", 1))
    text = "a protocol for harvesting the metadata of open archives"
    assert {hit.work.id[-1] for hit in index.similar_to_text(text, 3).hits} == {"1", "3", "5"}
    found = index.similar_to_text(text, 2, lambda candidates: [float(b"3" in one) for one in candidates.vectors]).hits
    assert (found[0].work.id[-1], found[0].score) == ("3", 1.0)
    assert len(found) == 2


def test_the_engine_explains_a_score(varied):
    assert varied.explain(SearchQuery(Word("crawlers")), "w00000000000a")["value"] > 0
    assert varied.explain(SearchQuery(Word("crawlers")), "w0000000000zz") == {}


def test_an_index_made_anew_from_nothing_has_its_checkpoint(filled):
    with contextlib.closing(filled.writer()) as writer:
        writer.clear()
        writer.commit(Checkpoint("another", 3))
    assert filled.checkpoint() == Checkpoint("another", 3)
    assert filled.search(SearchQuery(Everything())).total == 0


def test_an_empty_index_made_anew_has_its_checkpoint(index):
    with contextlib.closing(index.writer()) as writer:
        writer.clear()
        writer.commit(Checkpoint("library", 0))
    assert index.checkpoint() == Checkpoint("library", 0)


def test_a_work_that_is_put_twice_and_removed_leaves_neither_text_nor_sentences(index):
    said = CitingSentence("They were polite to shelves.", CRAWL.id, (CITED.id,))
    with contextlib.closing(index.writer()) as writer:
        writer.put(replace(CRAWL, sentences=(said,)))
        writer.put(replace(CRAWL, text="Another text.", sentences=(said,)))
        writer.put(CITED)
        writer.commit(Checkpoint())
        assert index.texts([CRAWL.id]) == {CRAWL.id: "Another text."}
        assert index.sentences(Word("polite"), (), 0, 5) == (1, [said])
        writer.put(replace(CRAWL, sentences=(said,)))
        writer.remove(CRAWL.id)
        writer.commit(Checkpoint())
    assert index.texts([CRAWL.id]) == {}
    assert index.sentences(Word("polite"), (), 0, 5) == (0, [])


def test_full_texts_far_down_are_re_ranked_too(index):
    writer = index.writer()
    for number in range(100):
        writer.put(IndexedWork(id=f"c{number}", ids=(f"c{number}",), title="Tides"))
    for number in range(5):
        name = f"p{number}"
        title = f"A long title of a paper on many things, tides among others, by {name}"
        writer.put(IndexedWork(id=name, ids=(name,), title=title, documents=(f"{number:040x}",), added=1))
    writer.commit(Checkpoint())
    writer.close()
    by_score = index.search(SearchQuery(Word("tides"), limit=105))
    assert {hit.work.id[0] for hit in by_score.hits[:100]} == {"c"}
    texts_first = index.search(SearchQuery(Word("tides"), limit=10), lambda found: found.has_full_text)
    assert sorted(hit.work.id for hit in texts_first.hits[:5]) == [f"p{number}" for number in range(5)]
    pages = [
        index.search(SearchQuery(Word("tides"), limit=10, offset=start), lambda found: found.has_full_text).hits
        for start in range(0, 105, 10)
    ]
    assert len({hit.work.id for page in pages for hit in page}) == 105, "each is listed once"


def test_works_that_are_probably_no_papers_stand_behind_papers(index):
    writer = index.writer()
    for name, doubtful in (("a", True), ("b", False)):
        work = IndexedWork(id=name, ids=(name,), title="Tides", documents=(name * 40,), added=5, is_doubtful=doubtful)
        writer.put(work)
    writer.commit(Checkpoint())
    writer.close()
    assert [hit.work.id for hit in index.search(SearchQuery(Everything(), "added")).hits] == ["b", "a"]
    found = index.search(SearchQuery(Word("tides")), lambda candidates: candidates.has_full_text)
    assert [(hit.work.id, hit.work.is_doubtful, hit.score) for hit in found.hits] == [("b", False, 1), ("a", True, 0)]
    assert [hit.work.id for hit in index.search(SearchQuery(Word("doubt", "has"))).hits] == ["a"]

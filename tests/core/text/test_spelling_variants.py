"""Both spellings of English lead to the same works."""

from __future__ import annotations

import pytest

from openseer.core.model.query import Phrase, SearchQuery, Word
from openseer.core.model.work import IndexedWork
from openseer.core.text.spelling_variants import american, british, spellings
from openseer.search.terms import STEM_IDS
from openseer.storage.protocols.index import Checkpoint
from openseer.storage.tantivy.index import TantivyIndex

PAIRS = """
behaviour/behavior neighbourhoods/neighborhoods colouring/coloring tumours/tumors linearised/linearized
optimisation/optimization analyse/analyze hydrolysed/hydrolyzed centre/center centred/centered fibres/fibers
kilometres/kilometers dialogue/dialog programme/program modelling/modeling unlabelled/unlabeled anaemia/anemia
haemoglobin/hemoglobin paediatric/pediatric oestrogen/estrogen defence/defense artefacts/artifacts ageing/aging
"""
ALIKE = """
promise premises surprised advertising expertise precise revised supervised noise raised otherwise disguise size
prize four hour contour elaborate laboratory collaborators programming mathematical academia parameter analysis
"""


@pytest.mark.parametrize("pair", PAIRS.split())
def test_a_word_has_two_spellings(pair):
    here, there = pair.split("/")
    assert (american(here), british(there)) == (there, here)
    assert spellings(here) == (here, there)
    assert spellings(there) == (there, here)
    assert STEM_IDS[here] == STEM_IDS[there]


@pytest.mark.parametrize("word", ALIKE.split())
def test_other_words_have_one(word):
    assert spellings(word) == (word,)


def test_words_of_other_scripts_are_left_alone():
    assert spellings("поведение") == ("поведение",)
    assert spellings("") == ("",)


def test_a_query_finds_both_spellings_and_an_exact_phrase_only_its_own(tmp_path):
    index = TantivyIndex(tmp_path / "index", heap_mb=15)
    writer = index.writer()
    for name, title in (("w1", "Modelling the behaviour of crowds"), ("w2", "Modeling the behavior of crowds")):
        writer.put(IndexedWork(id=name, ids=(name,), title=title))
    writer.commit(Checkpoint())
    writer.close()
    for word in ("behaviour", "Behavior", "modelling", "MODELING"):
        assert {hit.work.id for hit in index.search(SearchQuery(Word(word))).hits} == {"w1", "w2"}
    assert [hit.work.id for hit in index.search(SearchQuery(Phrase("behaviour of crowds"))).hits] == ["w1"]

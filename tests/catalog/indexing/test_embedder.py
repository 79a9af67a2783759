"""Embeddings are computed while the index has no changes to apply, and stored."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np
import pytest

from openseer.catalog.indexing import embedder
from openseer.catalog.indexing.embedder import WITHOUT_EMBEDDING, Embedder, without_embedding
from openseer.catalog.indexing.projection import text_hash
from openseer.catalog.indexing.synchronizer import IndexSynchronizer, reindex
from openseer.core.model.query import And, Everything, Not, SearchQuery, Word
from openseer.core.settings import Settings
from openseer.ingest.bibliographies import import_bibliographies
from openseer.search.embeddings.convert_minilm import WIDTH
from openseer.storage.open import open_library


class Counting:
    """A model that gives every text the same vector, and counts."""

    def __init__(self) -> None:
        self.asked = 0

    def query(self, text):
        return self.texts([text])[0]

    def texts(self, texts):
        self.asked += len(texts)
        return np.full((len(texts), WIDTH), 7, dtype=np.int8)


def vectors_of(index, tree):
    return {hit.work.embedding for hit in index.search(SearchQuery(tree, limit=100)).hits}


@pytest.mark.parametrize(("installed", "setting"), [(True, True), (False, True), (True, False)])
def test_works_without_embedding_are_counted_where_embeddings_are_used(data, monkeypatch, installed, setting):
    monkeypatch.setattr(embedder, "is_installed", lambda: installed)
    settings = Settings.load(data / "openseer.toml", {"OPENSEER_INDEX__EMBEDDINGS": str(setting)})
    with open_library(data, settings=settings) as library:
        recorded = library.open_index().count(SearchQuery(WITHOUT_EMBEDDING))
        assert recorded > 10
        assert without_embedding(library) == (recorded if installed and setting else 0)


def test_an_embedding_is_computed_once_and_outlives_the_index(data, tmp_path):
    model = Counting()
    (tmp_path / "titles.csv").write_text("title,year\nOn nothing but a title,1999\n")
    with open_library(data) as library:
        import_bibliographies(library, [tmp_path / "titles.csv"])
        reindex(library)
        index = library.open_index()
        with contextlib.closing(index.writer()) as writer:
            synchronizer = IndexSynchronizer(library, writer, index.checkpoint())
            embedder = Embedder(library, index, writer, model, synchronizer.commit)
            unknown = index.search(SearchQuery(WITHOUT_EMBEDDING)).total
            assert unknown
            while embedder.step(synchronizer.is_current):
                pass
        assert index.search(SearchQuery(WITHOUT_EMBEDDING)).total == 0
        assert 0 < model.asked <= unknown
        assert vectors_of(index, Word("recorded", "has")) == {bytes([7]) * WIDTH}
        titles_alone = And((Word("recorded", "has"), Not(Word("abstract", "has"))))
        assert vectors_of(index, titles_alone) == {bytes([7]) * WIDTH}
        assert vectors_of(index, Not(Word("recorded", "has"))) == {b""}, "works that are only cited have none"
        reindex(library)
        assert index.search(SearchQuery(WITHOUT_EMBEDDING)).total == 0, "embeddings are stored in the records"


def test_a_change_comes_before_embeddings(data):
    model = Counting()
    with open_library(data) as library:
        index = library.open_index()
        with contextlib.closing(index.writer()) as writer:
            at = index.checkpoint()
            synchronizer = IndexSynchronizer(library, writer, replace(at, position=at.position - 1))
            embedder = Embedder(library, index, writer, model, synchronizer.commit)
            assert not synchronizer.is_current
            assert not embedder.step(synchronizer.is_current)
    assert model.asked == 0


def test_one_text_has_one_number(data):
    with open_library(data) as library:
        works = [hit.work for hit in library.open_index().search(SearchQuery(Everything(), limit=50)).hits]
    assert text_hash(works[0]) == text_hash(replace(works[0], year=1900, venue="elsewhere"))
    assert len({text_hash(work) for work in works}) == len({(work.title, work.abstract) for work in works})

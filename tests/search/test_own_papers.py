"""Topics find papers with full text first, names find the work that they name."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from openseer.catalog.indexing.synchronizer import reindex
from openseer.catalog.search_context import search_context
from openseer.evaluation.topics import cited_names_of, counted, name_scores, topic_scores, topics_of
from openseer.ingest.coordinator import Coordinator
from openseer.search.service import SearchRequest, search
from openseer.storage.open import open_library

QUERIES = tomllib.loads(Path(__file__).with_name("own_papers.toml").read_text(encoding="utf-8"))
MIN_KNOWN_FIRST = 38
"""Of the forty known items."""


def search_in(context):
    return lambda text: search(context, SearchRequest(text, use_embeddings=False)).results


def test_topics_find_full_texts_and_names_find_what_they_name(sample_data):
    with open_library(sample_data) as library:
        context = search_context(library)
        topics, names = topics_of(context.index, limit=40), cited_names_of(context.index, limit=200)
        assert len(topics) >= 5
        assert len(names) >= 90
        of_topics, missed_topics = topic_scores(search_in(context), topics)
        _, missed_names = name_scores(search_in(context), names)
    assert of_topics["topics: full text"] >= 80, missed_topics
    assert of_topics["topics: first is full text"] >= 80, missed_topics
    assert len(missed_names) <= 0.03 * len(names), missed_names


@pytest.mark.proof
def test_forty_topics_and_forty_known_items_over_the_corpus(corpus, tmp_path):
    with open_library(tmp_path / "library", create=True) as library:
        Coordinator(library).run([corpus / "papers"])
        reindex(library)
        context = search_context(library)
        topics = [counted(context.index, text)[0] for text in QUERIES["topics"]]
        assert len(topics) == len(QUERIES["known"]) == 40
        of_topics, missed = topic_scores(search_in(context), topics)
        of_names, missed_names = name_scores(search_in(context), cited_names_of(context.index))
        wrong = [one["query"] for one in QUERIES["known"] if first_title(context, one["query"]) != one["title"].lower()]
    assert of_topics["topics: full text"] >= 90, missed
    assert of_topics["topics: first is full text"] >= 95, missed
    assert of_names["names: seven words"] >= 97, missed_names
    assert len(wrong) <= 40 - MIN_KNOWN_FIRST, wrong


def first_title(context, text):
    return next((one.work.title.lower() for one in search_in(context)(text)), "")

"""Less asked of an answer, step by step."""

from __future__ import annotations

from openseer.core.model.query import All, Best, Not, Phrase, Word
from openseer.search.query.parser import parse
from openseer.search.query.relax import telling, wider


def best(*words):
    return Best(tuple(map(Word, words)))


def test_small_words_need_not_occur():
    assert telling(parse("how to teach speaking")) == All((Word("teach"), Word("speaking")))
    assert telling(parse("to be or not to be")) == parse("to be or not to be")
    assert telling(parse('"the who"')) == Phrase("the who")
    long = telling(parse("what are the structural problems associated with flight of aircraft author:ng"))
    words = best("structural", "problems", "associated", "flight", "aircraft")
    assert long == All((words, Word("ng", "author")))


def test_all_words_become_the_best_match():
    assert wider(parse("teach speaking")) == best("teach", "speaking")
    assert wider(parse("teach speaking year:1999")) == All((best("teach", "speaking"), parse("year:1999")))
    assert wider(parse("teach speaking -german")) == All((best("teach", "speaking"), Not(Word("german"))))


def test_words_said_twice_count_twice():
    text = "indexing of pages, web pages and indexing them"
    assert wider(parse(text), text) == best("indexing", "pages", "web", "pages", "indexing")
    assert wider(parse(f"{text} year:1999"), text) is not None


def test_prose_with_quotes_and_brackets_is_words_again():
    assert wider(parse('teach (real "free speech" OR near-duplicate) the x:y')) == best(
        "teach", "real", "free", "speech", "near", "duplicate"
    )


def test_where_nothing_is_gained_there_is_nothing_wider():
    assert wider(parse("speaking author:ng")) is None
    assert wider(parse("speaking")) is None
    assert wider(parse("")) is None
    assert wider(best("teach", "speaking")) is None

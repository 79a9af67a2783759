"""Less asked of an answer, step by step."""

from __future__ import annotations

from training.candidates import discriminative, relaxed

from openseer.core.model.query import And, Not, Phrase, SoftOr, Word
from openseer.search.query.parser import parse


def best(*words):
    return SoftOr(tuple(map(Word, words)))


def test_small_words_need_not_occur():
    assert discriminative(parse("how to teach speaking")) == And((Word("teach"), Word("speaking")))
    assert discriminative(parse("to be or not to be")) == parse("to be or not to be")
    assert discriminative(parse('"the who"')) == Phrase("the who")
    long = discriminative(parse("what are the structural problems associated with flight of aircraft author:ng"))
    words = best("structural", "problems", "associated", "flight", "aircraft")
    assert long == And((words, Word("ng", "author")))


def test_all_words_become_the_best_match():
    assert relaxed(parse("teach speaking")) == best("teach", "speaking")
    assert relaxed(parse("teach speaking year:1999")) == And((best("teach", "speaking"), parse("year:1999")))
    assert relaxed(parse("teach speaking -german")) == And((best("teach", "speaking"), Not(Word("german"))))


def test_words_said_twice_count_twice():
    text = "indexing of pages, web pages and indexing them"
    assert relaxed(parse(text), text) == best("indexing", "pages", "web", "pages", "indexing")
    assert relaxed(parse(f"{text} year:1999"), text) is not None


def test_prose_with_quotes_and_brackets_is_words_again():
    assert relaxed(parse('teach (real "free speech" OR near-duplicate) the x:y')) == best(
        "teach", "real", "free", "speech", "near", "duplicate"
    )


def test_where_nothing_is_gained_there_is_nothing_wider():
    assert relaxed(parse("speaking author:ng")) is None
    assert relaxed(parse("speaking")) is None
    assert relaxed(parse("")) is None
    assert relaxed(best("teach", "speaking")) is None

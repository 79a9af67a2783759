"""Less asked of an answer, step by step."""

from __future__ import annotations

from openseer.queries import All, Best, Phrase, Word
from openseer.search.query import parse
from openseer.search.widening import telling, wider


def test_small_words_need_not_occur():
    assert telling(parse("how to teach speaking")) == All((Word("teach"), Word("speaking")))
    assert telling(parse("to be or not to be")) == parse("to be or not to be")
    assert telling(parse('"the who"')) == Phrase("the who")
    long = telling(parse("what are the structural problems associated with flight of aircraft author:ng"))
    assert isinstance(long, All)
    assert long.nodes[1] == Word("ng", "author")
    words = [Word(text) for text in ("structural", "problems", "associated", "flight", "aircraft")]
    assert long.nodes[0] == Best(tuple(words))


def test_all_words_become_the_best_match():
    assert wider(parse("teach speaking")) == Best((Word("teach"), Word("speaking")))
    assert wider(parse("teach speaking year:1999")) == All(
        (Best((Word("teach"), Word("speaking"))), parse("year:1999"))
    )
    assert wider(parse("speaking author:ng")) is None
    assert wider(parse("speaking")) is None

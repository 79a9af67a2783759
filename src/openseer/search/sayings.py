"""Citing sentences: what people say about something, with the work they say it of."""

from __future__ import annotations

from dataclasses import dataclass

from openseer.records.work import IndexedWork, Sentence
from openseer.search.query import parse
from openseer.search.relations import Holdings
from openseer.search.snippets import Piece, mark
from openseer.search.understanding import words_in


@dataclass(frozen=True, slots=True)
class Saying:
    """A sentence, who wrote it, and of what."""

    sentence: Sentence
    pieces: tuple[Piece, ...]
    citing: IndexedWork
    cited: IndexedWork


def say(holdings: Holdings, query: str, about: str, offset: int, limit: int) -> tuple[int, list[Saying]]:
    """Sentences with these words, of one work or of any; how many there are, and some of them."""
    tree = parse(query)
    names = tuple(holdings.records.ids_of([about])[about]) if about else ()
    total, found = holdings.index.sentences(tree, names, offset, limit)
    known = holdings.index.find([name for one in found for name in (one.citing, one.cited)])
    words = tuple(dict.fromkeys(words_in(tree)))
    return total, [
        Saying(one, mark(one.text, words), known[one.citing], known[one.cited])
        for one in found
        if one.citing in known and one.cited in known
    ]

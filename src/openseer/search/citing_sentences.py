"""Citing sentences: what people say about something, with the work they say it of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openseer.core.model.query import RAW_FIELDS, And, Everything, ExactField, Node, Not, Or, Phrase, SoftOr, Word
from openseer.core.model.work import CitingSentence, IndexedWork
from openseer.search.display.snippets import Piece, mark
from openseer.search.query.explain import marks_in
from openseer.search.query.parser import parse
from openseer.search.similar import SearchContext


@dataclass(frozen=True, slots=True)
class FoundSentence:
    """A sentence, who wrote it, and of what."""

    sentence: CitingSentence
    pieces: tuple[Piece, ...]
    citing: IndexedWork
    cited: tuple[IndexedWork, ...]


def search_sentences(
    holdings: SearchContext, query: str, about: str, offset: int, limit: int
) -> tuple[int, list[FoundSentence]]:
    """Sentences with these words, of one work or of any; how many there are, and some of them."""
    tree = _without_fields(parse(query)) or Everything()
    names = tuple(holdings.records.ids_of([about])[about]) if about else ()
    total, found = holdings.index.sentences(tree, names, offset, limit)
    known = holdings.index.find([name for one in found for name in (one.citing, *one.cited)])
    words = tuple(dict.fromkeys(marks_in(tree)))
    return total, [
        FoundSentence(one, mark(one.text, words), known[one.citing], _works(known, one.cited))
        for one in found
        if one.citing in known
    ]


def _works(known: Mapping[str, IndexedWork], names: Sequence[str]) -> tuple[IndexedWork, ...]:
    """Each once, though two ids may lead to it by now."""
    return tuple({known[name].id: known[name] for name in names if name in known}.values())


def _without_fields(tree: Node) -> Node | None:
    """A sentence has words and no title, author or year: the words of fields are looked for in it."""
    match tree:
        case Word(text, field, prefix):
            return None if field in RAW_FIELDS else Word(text, prefix=prefix)
        case Phrase(text, field) | ExactField(text, field):
            return None if field in RAW_FIELDS else Phrase(text)
        case Not(inner):
            bare = _without_fields(inner)
            return Not(bare) if bare else None
        case And(nodes) | Or(nodes) | SoftOr(nodes):
            kept = tuple(one for one in map(_without_fields, nodes) if one)
            return type(tree)(kept) if kept else None
        case Everything():
            return tree
    return None

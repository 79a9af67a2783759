"""Search of citing sentences: sentences in which a work cites others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openseer.core.model.query import RAW_FIELDS, And, Everything, ExactField, Node, Not, Or, Phrase, SoftOr, Word
from openseer.core.model.work import CitingSentence, IndexedWork
from openseer.search.context import SearchContext
from openseer.search.display.snippets import TextSpan, highlight
from openseer.search.query.explain import words_to_highlight
from openseer.search.query.parser import parse


@dataclass(frozen=True, slots=True)
class FoundSentence:
    """A citing sentence with its citing work and the cited works."""

    sentence: CitingSentence
    spans: tuple[TextSpan, ...]
    citing: IndexedWork
    cited: tuple[IndexedWork, ...]


def search_sentences(
    context: SearchContext, query: str, about: str, offset: int, limit: int
) -> tuple[int, list[FoundSentence]]:
    """Total and one page of the sentences that match, optionally only those that cite one work."""
    tree = _without_fields(parse(query)) or Everything()
    about_ids = tuple(context.records.ids_of([about])[about]) if about else ()
    total, found = context.index.sentences(tree, about_ids, offset, limit)
    works = context.index.find([name for one in found for name in (one.citing, *one.cited)])
    words = tuple(dict.fromkeys(words_to_highlight(tree)))
    return total, [
        FoundSentence(one, highlight(one.text, words), works[one.citing], _distinct_works(works, one.cited))
        for one in found
        if one.citing in works
    ]


def _distinct_works(works: Mapping[str, IndexedWork], ids: Sequence[str]) -> tuple[IndexedWork, ...]:
    """Each work once: two ids may redirect to the same one."""
    return tuple({works[name].id: works[name] for name in ids if name in works}.values())


def _without_fields(tree: Node) -> Node | None:
    """The query without field names: a sentence has only words, no title, author or year."""
    match tree:
        case Word(text, field, prefix):
            return None if field in RAW_FIELDS else Word(text, prefix=prefix)
        case Phrase(text, field) | ExactField(text, field):
            return None if field in RAW_FIELDS else Phrase(text)
        case Not(inner):
            node = _without_fields(inner)
            return Not(node) if node else None
        case And(nodes) | Or(nodes) | SoftOr(nodes):
            remaining = tuple(one for one in map(_without_fields, nodes) if one)
            return type(tree)(remaining) if remaining else None
        case Everything():
            return tree
    return None

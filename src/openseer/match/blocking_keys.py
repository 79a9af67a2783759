"""Keys: typed buckets in which descriptions of one work meet, also when they are misspelled, cut or lack a part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from openseer.core.model.description import MatchFields
from openseer.core.text.normalize import plain_arxiv, plain_doi, squeezed, words_of
from openseer.match.word_idf import idf_of

VERSION = 4
"""Grows when a key is made differently; older rows are enlisted anew then."""
TITLE_START, LONE_START = 16, 22
"""Characters of the normalised title in a key with a surname, and in one without."""
TITLE_END = 10
"""Characters at the end of the title, for one whose beginning is misspelled or cut off."""
SURNAME = 4
"""Characters of the surname: its end may be misspelled."""
SHORTEST = 8
"""A title with fewer characters needs a surname beside it."""
TELLING, TOLD = 3, 5
"""So many of the rarest words make keys, two by two; so many letters of each, since its end may be misspelled."""
LONG = 4
"""Words of fewer letters tell nothing."""
NAMED_START = 3
"""Characters of the title beside two surnames."""
NUMBER = re.compile(r"\d+")


def keys_of(fields: MatchFields) -> list[str]:
    """Every key of a description; one that gives nothing to hold it by has none."""
    return list(dict.fromkeys([*_ids(fields), *_titles(fields), *_names(fields), *_places(fields)]))


def _ids(fields: MatchFields) -> Iterator[str]:
    """`doi:10.1145/276675.276685`, `arxiv:2403.01234`"""
    if doi := plain_doi(fields.doi):
        yield f"doi:{doi}"
    if arxiv := plain_arxiv(fields.arxiv):
        yield f"arxiv:{arxiv}"


def _surname(fields: MatchFields) -> str:
    return squeezed(fields.authors[0][0]) if fields.authors else ""


def _titles(fields: MatchFields) -> Iterator[str]:
    """`title:syntacticcluster|brod`, `start:syntacticclusteringoft`, `end:ngoftheweb|brod`, `words:clust synta`"""
    words = words_of(fields.title)
    title, surname = "".join(words), _surname(fields)
    if not title:
        return
    if surname or len(title) < SHORTEST:
        yield f"title:{title[:TITLE_START]}|{surname[:SURNAME]}"
    if len(title) >= SHORTEST:
        yield f"start:{title[:LONE_START]}"
    if surname and len(title) > 2 * TITLE_END:
        yield f"end:{title[-TITLE_END:]}|{surname[:SURNAME]}"
    long = {word for word in words if len(word) >= LONG}
    telling = sorted(long, key=lambda word: (-idf_of(word), -len(word), word))[:TELLING]
    for one, other in combinations(sorted({word[:TOLD] for word in telling}), 2):
        yield f"words:{one} {other}"


def _names(fields: MatchFields) -> Iterator[str]:
    """`names:brod|glas|syn`: two surnames, in whatever order they are printed, and the start of the title."""
    surnames = sorted({squeezed(family)[:SURNAME] for family, _ in fields.authors} - {""})[:2]
    if len(surnames) > 1 and (title := squeezed(fields.title)):
        yield f"names:{'|'.join(surnames)}|{title[:NAMED_START]}"


def _places(fields: MatchFields) -> Iterator[str]:
    """`place:12:345|brod`: volume or year, first page, and surname, else the initials of the venue."""
    page, volume = NUMBER.search(fields.pages), NUMBER.search(fields.volume)
    holder = _surname(fields)[:SURNAME] or "".join(word[0] for word in words_of(fields.venue)[:4])
    if not page or not holder:
        return
    if volume:
        yield f"place:{volume.group()}:{page.group()}|{holder}"
    if fields.year:
        yield f"place:y{fields.year}:{page.group()}|{holder}"

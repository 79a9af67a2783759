"""Blocking keys: typed keys shared by descriptions of one work, even if misspelled, truncated or incomplete."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from openseer.core.model.description import MatchFields
from openseer.core.text.normalize import plain_arxiv, plain_doi, squeezed, words_of
from openseer.match.word_idf import idf_of

VERSION = 4
"""Version of the keys; descriptions with an older version are indexed again."""
TITLE_START, TITLE_START_ALONE = 16, 22
"""Characters of the normalised title in a key with surname, and without."""
TITLE_END = 10
"""Characters at the end of the title, for titles with a misspelled or missing start."""
SURNAME_CHARS = 4
"""Characters of the surname, whose end may be misspelled."""
MIN_TITLE_CHARS = 8
"""Minimum characters of a title in a key without surname."""
RARE_WORDS, RARE_WORD_CHARS = 3, 5
"""Number of rarest words combined in pairs, and characters of each, since its end may be misspelled."""
MIN_WORD_CHARS = 4
"""Minimum letters of a discriminative word."""
TITLE_CHARS_WITH_SURNAMES = 3
"""Characters of the title in a key with two surnames."""
NUMBER = re.compile(r"\d+")


def keys_of(fields: MatchFields) -> list[str]:
    """All blocking keys of a description; possibly none."""
    return list(
        dict.fromkeys([*_identifier_keys(fields), *_title_keys(fields), *_name_keys(fields), *_position_keys(fields)])
    )


def _identifier_keys(fields: MatchFields) -> Iterator[str]:
    """`doi:10.1145/276675.276685`, `arxiv:2403.01234`"""
    if doi := plain_doi(fields.doi):
        yield f"doi:{doi}"
    if arxiv := plain_arxiv(fields.arxiv):
        yield f"arxiv:{arxiv}"


def _surname(fields: MatchFields) -> str:
    return squeezed(fields.authors[0][0]) if fields.authors else ""


def _title_keys(fields: MatchFields) -> Iterator[str]:
    """`title:syntacticcluster|brod`, `start:syntacticclusteringoft`, `end:ngoftheweb|brod`, `words:clust synta`"""
    words = words_of(fields.title)
    title, surname = "".join(words), _surname(fields)
    if not title:
        return
    if surname or len(title) < MIN_TITLE_CHARS:
        yield f"title:{title[:TITLE_START]}|{surname[:SURNAME_CHARS]}"
    if len(title) >= MIN_TITLE_CHARS:
        yield f"start:{title[:TITLE_START_ALONE]}"
    if surname and len(title) > 2 * TITLE_END:
        yield f"end:{title[-TITLE_END:]}|{surname[:SURNAME_CHARS]}"
    long = {word for word in words if len(word) >= MIN_WORD_CHARS}
    rarest = sorted(long, key=lambda word: (-idf_of(word), -len(word), word))[:RARE_WORDS]
    for one, other in combinations(sorted({word[:RARE_WORD_CHARS] for word in rarest}), 2):
        yield f"words:{one} {other}"


def _name_keys(fields: MatchFields) -> Iterator[str]:
    """`names:brod|glas|syn`: two surnames in alphabetical order, and the start of the title."""
    surnames = sorted({squeezed(family)[:SURNAME_CHARS] for family, _ in fields.authors} - {""})[:2]
    if len(surnames) > 1 and (title := squeezed(fields.title)):
        yield f"names:{'|'.join(surnames)}|{title[:TITLE_CHARS_WITH_SURNAMES]}"


def _position_keys(fields: MatchFields) -> Iterator[str]:
    """`place:12:345|brod`: volume or year, first page, and surname, else the initials of the venue."""
    page, volume = NUMBER.search(fields.pages), NUMBER.search(fields.volume)
    name = _surname(fields)[:SURNAME_CHARS] or "".join(word[0] for word in words_of(fields.venue)[:4])
    if not page or not name:
        return
    if volume:
        yield f"place:{volume.group()}:{page.group()}|{name}"
    if fields.year:
        yield f"place:y{fields.year}:{page.group()}|{name}"

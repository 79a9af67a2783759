"""Forward index: the terms of a work in order, packed at indexing time, so that ranking can count them.

It has six fields: title, abstract, keywords, authors, venue, and the title as printed. Only the printed title has stop
words; only it and the authors are not stemmed.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openseer.core.text.person_names import names_organisation
from openseer.search.terms import NAME_IDS, PRINTED_IDS, STEM_IDS, text_id, whole_name_id, words_of

TITLE, ABSTRACT, KEYWORDS, AUTHORS, VENUE, PRINTED = range(6)
FIELD_COUNT = 6
MAX_SHORT_WORD = 3
"""Characters of a word that is ignored as a function word of any language."""
HEADER = struct.Struct("<6HI")
"""Number of terms of each field, and the id of the whole title."""

TermIds = NDArray[np.uint32]
Ints = NDArray[np.int64]


def pack(title: str, abstract: str, keywords: Sequence[str], authors: Sequence[str], venue: str) -> bytes:
    """Packed forward index of a work."""
    title_words = words_of(title)
    fields = (
        stem_ids(title_words)[:80],
        stem_ids(words_of(abstract))[:500] if abstract else [],
        stem_ids(words_of(" ".join(keywords)))[:80] if keywords else [],
        [term for author in authors for term in name_ids(author)][:80],
        stem_ids(words_of(venue))[:30] if venue else [],
        [PRINTED_IDS[word] for word in title_words[:120]],
    )
    flat = [term for terms in fields for term in terms]
    header = HEADER.pack(*map(len, fields), text_id(" ".join(title_words)))
    return header + array("I", flat).tobytes()


def stem_ids(words: Iterable[str]) -> list[int]:
    """Stem ids of words, without stop words."""
    return [term for word in words if (term := STEM_IDS[word])]


def name_ids(author: str) -> list[int]:
    """Ids of the words of a person's name; the name of an organisation is one id, so that it matches whole or not."""
    words = words_of(author)
    return (
        [whole_name_id(words)] if names_organisation(author) else [term for word in words if (term := NAME_IDS[word])]
    )


def contains_words(packed: bytes, texts: Sequence[str]) -> bool:
    """True if title, abstract, keywords, authors and venue have all of these words, short ones apart."""
    terms = set(np.frombuffer(packed, dtype="<u4", offset=HEADER.size).tolist()) if packed else set()
    words = [word for word in words_of(" ".join(texts)) if len(word) > MAX_SHORT_WORD]
    return all(not STEM_IDS[word] or STEM_IDS[word] in terms or NAME_IDS[word] in terms for word in words)


@dataclass(frozen=True, slots=True, eq=False)
class ForwardIndex:
    """Terms of many works in one array, with the work and the field of each."""

    words: TermIds
    work: Ints
    """Number of the work of each term."""
    field: Ints
    """Field of each term."""
    lengths: Ints
    """Number of terms of each work (rows) in each field (columns)."""
    titles: TermIds
    """Id of each whole title."""


def unpack(packed: Sequence[bytes]) -> ForwardIndex:
    """Inverse of `pack`, for all candidates of a search."""
    headers = np.frombuffer(b"".join(one[: HEADER.size] for one in packed), dtype=_HEADER_DTYPE)
    words = np.frombuffer(b"".join(one[HEADER.size :] for one in packed), dtype="<u4")
    lengths = headers["lengths"].astype(np.int64)
    flat_lengths = lengths.ravel()
    work = np.repeat(np.repeat(np.arange(len(packed)), FIELD_COUNT), flat_lengths)
    field = np.repeat(np.tile(np.arange(FIELD_COUNT), len(packed)), flat_lengths)
    return ForwardIndex(words, work, field, lengths, headers["title"])


_HEADER_DTYPE = np.dtype([("lengths", "<u2", (FIELD_COUNT,)), ("title", "<u4")])

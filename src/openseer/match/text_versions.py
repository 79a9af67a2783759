"""Version relations between the files of one work: text similarity and publication stage."""

from __future__ import annotations

from openseer.core.model.description import MatchFields
from openseer.match.pairwise import ARCHIVE, is_published
from openseer.match.simhash import distance

SAME, REVISED = 2, 12
"""Maximum Hamming distance of fingerprints of the same and of a revised text; unrelated texts differ in 30 bits."""


def similarity(one: int | None, other: int | None) -> str:
    """ "same text", "revised", or "another text"; "" when one has no fingerprint."""
    if one is None or other is None:
        return ""
    apart = distance(one, other)
    return "same text" if apart <= SAME else "revised" if apart <= REVISED else "another text"


def stage(fields: MatchFields) -> str:
    """ "preprint", "published", or "" if unknown."""
    if is_published(fields.doi):
        return "published"
    if fields.arxiv or fields.doi or ARCHIVE.search(fields.venue):
        return "preprint"
    return "published" if fields.venue else ""

"""Author names: search, browsing, and the works of a name and its compatible forms (no disambiguation of people)."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from openseer.core.model.document import Viewer
from openseer.core.model.query import OTHER, And, Everything, FacetRequest, Filter, SearchQuery, Word
from openseer.core.text.normalize import squeezed, words_of
from openseer.core.text.person_names import split_name
from openseer.storage.open import Library
from openseer.storage.protocols.index import FacetValue, Index

MAX_EXAMINED_WORKS = 200
"""Number of works of a name that are examined, most cited first."""
MAX_FACET_NAMES = 1000
"""Maximum number of names in one facet request."""
LARGE_INDEX_WORKS = 100_000
"""Index size from which a facet request takes 0.1 s and is made only once for a list of names."""
ALPHABETS = (string.ascii_lowercase, "αβγδεζηθικλμνξοπρστυφχψω", "абвгдђежзиіјклљмнњопрстћуфхцчџшщъыьэюяєѕ")
"""Letters for browsing names, without accents; other scripts have too many."""
CAVEAT = "Authors with the same name are not separated yet."


@dataclass(frozen=True, slots=True)
class AuthorNameView:
    """An author-name string with its forms, affiliations, e-mail addresses and works."""

    name: str
    forms: tuple[tuple[str, int], ...]
    """Compatible printed forms with their number of works, most frequent first."""
    affiliations: tuple[str, ...]
    emails: tuple[str, ...]
    works: tuple[str, ...]


def author_name_view(library: Library, name: str, viewer: Viewer) -> AuthorNameView:
    """The view of a name, from headers and imported records."""
    wanted = split_name(name)
    entries = [
        one
        for one in library.records.as_seen_by(viewer).authorships_by_family(squeezed(wanted.family or name))
        if are_compatible(wanted.given, split_name(one.author.name).given)
    ]
    forms = Counter(form for _, form in {(one.work, one.author.name) for one in entries})
    return AuthorNameView(
        name,
        tuple(sorted(forms.items(), key=lambda form: (-form[1], form[0]))),
        _distinct(one.author.affiliation for one in entries),
        _distinct(one.author.email for one in entries),
        tuple(sorted({one.work for one in entries})),
    )


@dataclass(frozen=True, slots=True)
class Found:
    """One result of the search for author names."""

    key: str
    """Facet key: family name and initial."""
    name: str
    variants: tuple[str, ...]
    affiliations: tuple[str, ...]
    topics: tuple[str, ...]
    works: int
    cited: int


def search_names(index: Index, query: str, limit: int) -> tuple[int, list[Found]]:
    """Number of names with these words (at most 100), and those with the most works."""
    words = words_of(query)
    if not words:
        return 0, []
    tree = And(tuple(Word(word, "author", prefix=len(word) > 1) for word in words))
    counted = index.search(SearchQuery(tree, limit=1, facets=(FacetRequest("author", 100),))).facets["author"]
    matching = [bucket for bucket in counted if _matches(bucket, words)]
    return len(matching), [_author_result(index, bucket) for bucket in matching[:limit]]


def _matches(bucket: FacetValue, words: Sequence[str]) -> bool:
    """True if every word is a prefix of a part of the name or the reverse ("J" and "John"), and at least one match is
    longer than an initial."""
    parts = words_of(bucket.label)
    is_specific = any(len(part) > 1 and part.startswith(word) for part in parts for word in words)
    return is_specific and all(
        any(part.startswith(word) or (len(part) == 1 and word[0] == part) for part in parts) for word in words
    )


def _author_result(index: Index, bucket: FacetValue) -> Found:
    chosen = (Filter("author", (bucket.value,)),)
    hits = index.search(SearchQuery(Everything(), "citations", limit=MAX_EXAMINED_WORKS, filters=chosen)).hits
    forms = Counter(
        name
        for hit in hits
        for key, name in zip(hit.work.people, hit.work.authors, strict=False)
        if key == bucket.value
    )
    topics = Counter(topic.lower() for hit in hits for topic in hit.work.topics)
    affiliations = (
        place for hit in hits if hit.work.people[:1] == (bucket.value,) for place in hit.work.affiliations[:1]
    )
    return Found(
        bucket.value,
        max(forms, key=lambda name: (len(name), forms[name], name), default=bucket.label),
        tuple(name for name, _ in forms.most_common()),
        _distinct(affiliations)[:3],
        tuple(topic for topic, _ in topics.most_common(5)),
        bucket.count,
        sum(hit.work.cited for hit in hits),
    )


@dataclass(frozen=True, slots=True)
class NameList:
    """Names with a common prefix, in alphabetical order."""

    names: tuple[FacetValue, ...]
    next_letters: str = ""
    """Possible next letters, if the list holds only the most frequent names."""


def names_starting_with(index: Index, beginning: str) -> NameList:
    """The names whose family name has this prefix (`OTHER`: a letter outside the alphabets), if necessary collected by
    every next letter. If that takes too long or still exceeds one facet request, only the most frequent names, with
    the possible next letters."""
    names = _most_frequent(index, beginning)
    if len(names) < MAX_FACET_NAMES or beginning == OTHER:
        return NameList(_sorted(names))
    letters = next((one for one in ALPHABETS if beginning[-1] in one), ALPHABETS[0])
    partial = NameList(_sorted(names), letters)
    if index.works > LARGE_INDEX_WORKS:
        return partial
    found = {one.value: one for one in names}
    for letter in letters:
        more = _most_frequent(index, beginning + letter)
        if len(more) >= MAX_FACET_NAMES:
            return partial
        found |= {one.value: one for one in more}
    return NameList(_sorted(found.values()))


def _most_frequent(index: Index, beginning: str) -> tuple[FacetValue, ...]:
    """The most frequent names with this prefix."""
    counting = (FacetRequest("author", MAX_FACET_NAMES, beginning=beginning),)
    return index.search(SearchQuery(Everything(), limit=1, facets=counting)).facets["author"]


def _sorted(names: Iterable[FacetValue]) -> tuple[FacetValue, ...]:
    return tuple(sorted(names, key=lambda one: one.value))


def are_compatible(one: str, other: str) -> bool:
    """True if two sets of given names may belong to one person: one may be missing, or an initial of the other.

    >>> are_compatible("Ada B.", "A."), are_compatible("Ada", "Alan"), are_compatible("", "Ada")
    (True, False, True)
    """
    return all(
        mine.startswith(theirs) or theirs.startswith(mine)
        for mine, theirs in zip(_given_names(one), _given_names(other), strict=False)
    )


def _given_names(names: str) -> list[str]:
    """Words of given names; short words in capitals are initials: "JK" is "J. K."."""
    return [
        letter
        for word in names.replace(".", " ").split()
        for letter in (list(word.lower()) if word.isupper() and len(word) < 4 else words_of(word))
    ]


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    """Distinct values, most frequent first."""
    counts = Counter(filter(None, values))
    return tuple(sorted(counts, key=lambda value: (-counts[value], value)))

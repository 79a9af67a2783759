"""Authors as printed: the works of a name and of the forms compatible with it. People are not told apart yet."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from openseer.core.model.query import OTHER, And, Everything, FacetRequest, Filter, SearchQuery, Word
from openseer.core.text.normalize import squeezed, words_of
from openseer.core.text.person_names import split_name
from openseer.storage.open import Library
from openseer.storage.protocols.index import FacetValue, Index

MOST_WORKS = 200
"""Works of a name that are looked into, the most cited."""
MOST_NAMES = 1000
"""Names that the index counts at a time."""
MANY_WORKS = 100_000
"""In so many works counting takes a tenth of a second, and is done once for a list of names."""
ALPHABETS = (string.ascii_lowercase, "αβγδεζηθικλμνξοπρστυφχψω", "абвгдђежзиіјклљмнњопрстћуфхцчџшщъыьэюяєѕ")
"""Letters by which names are looked through, without accents; other scripts have too many."""
CAVEAT = "People are not told apart yet: namesakes are listed together."


@dataclass(frozen=True, slots=True)
class AuthorNameView:
    """A printed name and what stands beside it in the library."""

    name: str
    forms: tuple[tuple[str, int], ...]
    """Compatible printed forms, with the number of works each stands on; the most frequent first."""
    affiliations: tuple[str, ...]
    emails: tuple[str, ...]
    works: tuple[str, ...]


def author_name_view(library: Library, name: str) -> AuthorNameView:
    """What the headers and imported records of a library say of a name."""
    wanted = split_name(name)
    places = [
        one
        for one in library.records.authorships_by_family(squeezed(wanted.family or name))
        if are_compatible(wanted.given, split_name(one.author.name).given)
    ]
    forms = Counter(form for _, form in {(one.work, one.author.name) for one in places})
    return AuthorNameView(
        name,
        tuple(sorted(forms.items(), key=lambda form: (-form[1], form[0]))),
        _said(one.author.affiliation for one in places),
        _said(one.author.email for one in places),
        tuple(sorted({one.work for one in places} & library.records.public_works(one.work for one in places))),
    )


@dataclass(frozen=True, slots=True)
class Found:
    """A name that a search for authors found."""

    key: str
    """Family name and initial: what its spellings have in common."""
    name: str
    variants: tuple[str, ...]
    affiliations: tuple[str, ...]
    topics: tuple[str, ...]
    works: int
    cited: int


def search_names(index: Index, query: str, limit: int) -> tuple[int, list[Found]]:
    """How many names have these words, of a hundred at the most, and those on the most works."""
    words = words_of(query)
    if not words:
        return 0, []
    tree = And(tuple(Word(word, "author", prefix=len(word) > 1) for word in words))
    counted = index.search(SearchQuery(tree, limit=1, facets=(FacetRequest("author", 100),))).facets["author"]
    named = [bucket for bucket in counted if _has(bucket, words)]
    return len(named), [_found(index, bucket) for bucket in named[:limit]]


def _has(bucket: FacetValue, words: Sequence[str]) -> bool:
    """Whether a name has all words, as a beginning of a part of it or the other way round: J and John; one of them must
    say more than an initial does."""
    parts = words_of(bucket.label)
    told = any(len(part) > 1 and part.startswith(word) for part in parts for word in words)
    return told and all(
        any(part.startswith(word) or (len(part) == 1 and word[0] == part) for part in parts) for word in words
    )


def _found(index: Index, bucket: FacetValue) -> Found:
    chosen = (Filter("author", (bucket.value,)),)
    hits = index.search(SearchQuery(Everything(), "citations", limit=MOST_WORKS, filters=chosen)).hits
    forms = Counter(
        name
        for hit in hits
        for key, name in zip(hit.work.people, hit.work.authors, strict=False)
        if key == bucket.value
    )
    topics = Counter(topic.lower() for hit in hits for topic in hit.work.topics)
    places = (place for hit in hits if hit.work.people[:1] == (bucket.value,) for place in hit.work.affiliations[:1])
    return Found(
        bucket.value,
        max(forms, key=lambda name: (len(name), forms[name], name), default=bucket.label),
        tuple(name for name, _ in forms.most_common()),
        _said(places)[:3],
        tuple(topic for topic, _ in topics.most_common(5)),
        bucket.count,
        sum(hit.work.cited for hit in hits),
    )


@dataclass(frozen=True, slots=True)
class NameList:
    """Names that begin alike, in the order of the alphabet."""

    names: tuple[FacetValue, ...]
    next_letters: str = ""
    """Letters with which they go on, where these names are only the most frequent of them."""


def names_starting_with(index: Index, beginning: str) -> NameList:
    """The names whose family names begin so (`OTHER`: with another letter than ours): all of them, if need be by every
    next letter. Where that takes long, or leaves more than the index counts at a time, the most frequent of them;
    whoever looks gives the next letter."""
    names = _counted(index, beginning)
    if len(names) < MOST_NAMES or beginning == OTHER:
        return NameList(_in_order(names))
    letters = next((one for one in ALPHABETS if beginning[-1] in one), ALPHABETS[0])
    most = NameList(_in_order(names), letters)
    if index.works > MANY_WORKS:
        return most
    found = {one.value: one for one in names}
    for letter in letters:
        more = _counted(index, beginning + letter)
        if len(more) >= MOST_NAMES:
            return most
        found |= {one.value: one for one in more}
    return NameList(_in_order(found.values()))


def _counted(index: Index, beginning: str) -> tuple[FacetValue, ...]:
    """The most frequent names that begin so."""
    counting = (FacetRequest("author", MOST_NAMES, beginning=beginning),)
    return index.search(SearchQuery(Everything(), limit=1, facets=counting)).facets["author"]


def _in_order(names: Iterable[FacetValue]) -> tuple[FacetValue, ...]:
    return tuple(sorted(names, key=lambda one: one.value))


def are_compatible(one: str, other: str) -> bool:
    """Whether two sets of given names may be of one person: one may be missing, or an initial of the other.

    >>> are_compatible("Ada B.", "A."), are_compatible("Ada", "Alan"), are_compatible("", "Ada")
    (True, False, True)
    """
    return all(
        mine.startswith(theirs) or theirs.startswith(mine)
        for mine, theirs in zip(_given(one), _given(other), strict=False)
    )


def _given(names: str) -> list[str]:
    """Words; capitals that stand together are initials: "JK" is "J. K."."""
    return [
        letter
        for word in names.replace(".", " ").split()
        for letter in (list(word.lower()) if word.isupper() and len(word) < 4 else words_of(word))
    ]


def _said(values: Iterable[str]) -> tuple[str, ...]:
    """Each value once, the most frequent first."""
    counts = Counter(filter(None, values))
    return tuple(sorted(counts, key=lambda value: (-counts[value], value)))

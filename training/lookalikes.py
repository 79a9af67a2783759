"""Synthetic similar but different works: parts, errata, replies, recurring columns, journal versions of conference
papers, follow-up papers of a group. Made from clean records, with a fixed seed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from openseer.core.model.description import MatchFields
from openseer.match.venue_names import JOURNAL, venue_of
from training.misprints import spelled

STRANGERS = (("Haas", "M."), ("Nguyen", "T."), ("Petrov", "A."), ("Silva", "J."), ("Okafor", "C."), ("Moore", "L."))
COLUMNS = (
    "Editorial", "Editors' notes", "Guest editorial", "Introduction", "Preface", "Foreword", "Book reviews",
    "Book review column", "Message from the president", "Letter from the chair", "Report of the secretary",
    "News and events", "Keynote address", "Panel discussion", "Calendar", "In memoriam",
    "Introduction to the special issue", "Index of authors", "Influential papers", "Standards",
    "From the editor", "Industry perspectives", "Research surveys", "Interview", "Title page and contents",
)  # fmt: skip
MEETINGS = (
    "Proceedings of the International Conference on Data Processing", "Annual Symposium on Computing",
    "Proc. Workshop on Models", "International Conference on Systems", "Advances in Learning Systems",
    "Proc. 4th European Conf.",
)  # fmt: skip
JOURNALS = (
    "Journal of Computing", "Computational Linguistics", "ACM Transactions on Systems",
    "IEEE Trans. Knowl. Eng.", "Annals of Medicine", "Artificial Intelligence", "Systems Journal",
    "Research Letters",
)  # fmt: skip
COLUMN_ISSUES = 3
"""Number of issues with the same column."""


def spellings(records: Sequence[MatchFields], seed: int) -> Iterator[tuple[int, MatchFields]]:
    """(work, description) of each record in one to four spellings, and of similar works for some of them."""
    rng = random.Random(seed)
    work = 0
    for record in records:
        clean = _listed_form(record, rng)
        for one, first in enumerate((clean, *similar_works(clean, records, rng))):
            work += 1
            if rng.random() < 0.65:
                yield work, first
            for _ in range(rng.choice((0, 1)) if one else rng.choice((1, 2, 2, 3))):
                other = spelled(first, rng)
                if other.title or (other.pages and other.authors):
                    yield work, other


def _listed_form(record: MatchFields, rng: random.Random) -> MatchFields:
    """A record as listed in bibliographies: short venue names, shuffled authors, short titles."""
    short = sorted(venue_of(record.venue).short)
    if short and rng.random() < 0.5:
        record = replace(record, venue=short[0].upper())
    if rng.random() < 0.3:
        record = replace(record, authors=tuple(rng.sample(record.authors, len(record.authors))))
    words = record.title.partition(":")[0].split()
    if len(words) > 3 and rng.random() < 0.15:
        record = replace(record, title=" ".join(words[: rng.choice((2, 3, 3, 4))]))
    return record


def similar_works(record: MatchFields, records: Sequence[MatchFields], rng: random.Random) -> Iterator[MatchFields]:
    """Similar works, for about one record in three."""
    kind = rng.random()
    if kind < 0.14:
        yield _derived_title(record, rng)
    elif kind < 0.22:
        yield _journal_version(record, rng)
    elif kind < 0.32:
        yield _follow_up(record, rng.choice(records), rng)
    elif kind < 0.34:
        yield from _issues(record, rng)


def _derived_title(record: MatchFields, rng: random.Random) -> MatchFields:
    """A part, an erratum, a reply, next year's edition of a series, a follow-up, a namesake."""
    year = record.year or 2000
    kind, title = rng.random(), record.title
    if kind < 0.25:
        part = rng.choice((": Part II", " II", ", Part 2", " (Part 2)"))
        return replace(record, title=title + part, pages="", year=year + rng.choice((0, 1)))
    if kind < 0.4:
        return replace(record, title=rng.choice(("Erratum to: ", "Erratum: ", "Correction to: ")) + title, pages="")
    if kind < 0.55:
        answer = rng.choice(("Reply to: ", "Comment on ", "Discussion of ", "Review of: ", "Comments on "))
        return replace(record, title=answer + title, authors=(rng.choice(STRANGERS),), pages="")
    if kind < 0.7:
        numbered = re.sub(r"\d{4}", lambda found: str(int(found.group()) + 1), title)
        later = numbered if numbered != title else f"{title} {year + 1}"
        return replace(record, title=later, year=year + 1, pages="")
    if kind < 0.85:
        follows = rng.choice(("Towards ", "On ", "A survey of ", "Improving "))
        return replace(record, title=follows + title, year=year + rng.choice((-2, -1, 1, 2)), pages="")
    people = tuple(rng.sample(STRANGERS, 2))
    return replace(record, authors=people, year=year + rng.choice((-5, -3, 2, 4)), pages="", venue="")


def _journal_version(record: MatchFields, rng: random.Random) -> MatchFields:
    """The journal version of a conference paper or the reverse: some years later, perhaps with one more author."""
    venue = rng.choice(MEETINGS if venue_of(record.venue).kind == JOURNAL else JOURNALS)
    people = [*record.authors]
    if rng.random() < 0.3:
        people.insert(rng.randint(0, len(people)), rng.choice(STRANGERS))
    title, words = record.title, record.title.split()
    if rng.random() < 0.25 and len(words) > 5:
        title = " ".join(words[: rng.randint(4, len(words) - 1)])
    year = (record.year or 2000) + rng.choice((1, 1, 2, 3))
    start = rng.randint(1, 900)
    return MatchFields(
        title=title,
        authors=tuple(people),
        year=year,
        venue=venue,
        volume=str(rng.randint(1, 40)) if record.volume else "",
        pages=f"{start}-{start + rng.randint(4, 30)}" if record.pages else "",
    )


def _follow_up(record: MatchFields, stranger: MatchFields, rng: random.Random) -> MatchFields:
    """A follow-up paper of the same group: some title words replaced."""
    words = record.title.split()
    replaceable = [at for at, word in enumerate(words) if len(word) > 3]
    new = [word for word in stranger.title.split() if len(word) > 3]
    for at in rng.sample(replaceable, min(len(replaceable), rng.choice((1, 1, 2, 3)))):
        words[at] = rng.choice(new) if new else "Harbours"
    people = list(record.authors)
    if rng.random() < 0.4 and len(people) > 1:
        del people[rng.randrange(len(people))]
    year = (record.year or 2000) + rng.choice((-1, 0, 0, 0, 1, 2))
    return replace(record, title=" ".join(words), authors=tuple(people), year=year, pages="", doi="")


def _issues(record: MatchFields, rng: random.Random) -> Iterator[MatchFields]:
    """A yearly column, by one author or by a different one each time."""
    title, changing = rng.choice(COLUMNS), rng.random() < 0.5
    people = rng.sample(STRANGERS, COLUMN_ISSUES) if changing else record.authors[:1] * COLUMN_ISSUES
    for year, author in enumerate(people, record.year or 2000):
        yield MatchFields(title=title, authors=(author,), year=year, venue=record.venue)

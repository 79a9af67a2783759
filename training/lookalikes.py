"""Works that only look the same: parts, errata, replies, columns of every issue, the journal paper after the conference
paper, the next paper of the same group. Made from clean records, with a fixed seed."""

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
ISSUES = 3
"""A column stands in so many."""


def spellings(records: Sequence[MatchFields], seed: int) -> Iterator[tuple[int, MatchFields]]:
    """(work, description) of each record in one to four spellings, and of works that look like some of them."""
    dice = random.Random(seed)
    work = 0
    for record in records:
        clean = _as_listed(record, dice)
        for one, first in enumerate((clean, *others_like(clean, records, dice))):
            work += 1
            if dice.random() < 0.65:
                yield work, first
            for _ in range(dice.choice((0, 1)) if one else dice.choice((1, 2, 2, 3))):
                other = spelled(first, dice)
                if other.title or (other.pages and other.authors):
                    yield work, other


def _as_listed(record: MatchFields, dice: random.Random) -> MatchFields:
    """As lists have it: some name a venue "EMNLP", some lose the order of authors, and titles may be short."""
    short = sorted(venue_of(record.venue).short)
    if short and dice.random() < 0.5:
        record = replace(record, venue=short[0].upper())
    if dice.random() < 0.3:
        record = replace(record, authors=tuple(dice.sample(record.authors, len(record.authors))))
    words = record.title.partition(":")[0].split()
    if len(words) > 3 and dice.random() < 0.15:
        record = replace(record, title=" ".join(words[: dice.choice((2, 3, 3, 4))]))
    return record


def others_like(record: MatchFields, records: Sequence[MatchFields], dice: random.Random) -> Iterator[MatchFields]:
    """For one record in three, another work or a few of them."""
    kind = dice.random()
    if kind < 0.14:
        yield _said_otherwise(record, dice)
    elif kind < 0.22:
        yield _published_again(record, dice)
    elif kind < 0.32:
        yield _by_the_same(record, dice.choice(records), dice)
    elif kind < 0.34:
        yield from _issues(record, dice)


def _said_otherwise(record: MatchFields, dice: random.Random) -> MatchFields:
    """A part, an erratum, a reply, next year's edition of a series, a follow-up, a namesake."""
    year = record.year or 2000
    kind, title = dice.random(), record.title
    if kind < 0.25:
        part = dice.choice((": Part II", " II", ", Part 2", " (Part 2)"))
        return replace(record, title=title + part, pages="", year=year + dice.choice((0, 1)))
    if kind < 0.4:
        return replace(record, title=dice.choice(("Erratum to: ", "Erratum: ", "Correction to: ")) + title, pages="")
    if kind < 0.55:
        answer = dice.choice(("Reply to: ", "Comment on ", "Discussion of ", "Review of: ", "Comments on "))
        return replace(record, title=answer + title, authors=(dice.choice(STRANGERS),), pages="")
    if kind < 0.7:
        numbered = re.sub(r"\d{4}", lambda found: str(int(found.group()) + 1), title)
        later = numbered if numbered != title else f"{title} {year + 1}"
        return replace(record, title=later, year=year + 1, pages="")
    if kind < 0.85:
        follows = dice.choice(("Towards ", "On ", "A survey of ", "Improving "))
        return replace(record, title=follows + title, year=year + dice.choice((-2, -1, 1, 2)), pages="")
    people = tuple(dice.sample(STRANGERS, 2))
    return replace(record, authors=people, year=year + dice.choice((-5, -3, 2, 4)), pages="", venue="")


def _published_again(record: MatchFields, dice: random.Random) -> MatchFields:
    """In a journal after the conference, or the other way round: some years apart, perhaps with one author more."""
    venue = dice.choice(MEETINGS if venue_of(record.venue).kind == JOURNAL else JOURNALS)
    people = [*record.authors]
    if dice.random() < 0.3:
        people.insert(dice.randint(0, len(people)), dice.choice(STRANGERS))
    title, words = record.title, record.title.split()
    if dice.random() < 0.25 and len(words) > 5:
        title = " ".join(words[: dice.randint(4, len(words) - 1)])
    year = (record.year or 2000) + dice.choice((1, 1, 2, 3))
    start = dice.randint(1, 900)
    return MatchFields(
        title=title,
        authors=tuple(people),
        year=year,
        venue=venue,
        volume=str(dice.randint(1, 40)) if record.volume else "",
        pages=f"{start}-{start + dice.randint(4, 30)}" if record.pages else "",
    )


def _by_the_same(record: MatchFields, stranger: MatchFields, dice: random.Random) -> MatchFields:
    """The next paper of the same group: some telling words are others."""
    words = record.title.split()
    telling = [at for at, word in enumerate(words) if len(word) > 3]
    new = [word for word in stranger.title.split() if len(word) > 3]
    for at in dice.sample(telling, min(len(telling), dice.choice((1, 1, 2, 3)))):
        words[at] = dice.choice(new) if new else "Harbours"
    people = list(record.authors)
    if dice.random() < 0.4 and len(people) > 1:
        del people[dice.randrange(len(people))]
    year = (record.year or 2000) + dice.choice((-1, 0, 0, 0, 1, 2))
    return replace(record, title=" ".join(words), authors=tuple(people), year=year, pages="", doi="")


def _issues(record: MatchFields, dice: random.Random) -> Iterator[MatchFields]:
    """A column of every year, by one author or by others each time."""
    title, changing = dice.choice(COLUMNS), dice.random() < 0.5
    people = dice.sample(STRANGERS, ISSUES) if changing else record.authors[:1] * ISSUES
    for year, author in enumerate(people, record.year or 2000):
        yield MatchFields(title=title, authors=(author,), year=year, venue=record.venue)

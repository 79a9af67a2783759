"""Records spelled as bibliographies spell them: misprints, lost accents, cut titles, initials, missing parts; and works
that only look the same. Made from clean records, with a fixed seed."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from openseer.records.description import MatchFields

Authors = tuple[tuple[str, str], ...]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
TAILS = ("Proceedings of", "Advances in", "Machine Learning", "Journal of")
ARCHIVES = ("CoRR", "Technical Report", "arXiv preprint", "Working paper")
STRANGERS = (("Haas", "M."), ("Nguyen", "T."), ("Petrov", "A."), ("Silva", "J."), ("Okafor", "C."), ("Moore", "L."))


def spellings(records: Sequence[MatchFields], seed: int) -> Iterator[tuple[int, MatchFields]]:
    """(work, description) of each record in one to four spellings, and of works that look like some of them."""
    dice = random.Random(seed)
    work = 0
    for record in records:
        work += 1
        if dice.random() < 0.6:
            yield work, record
        for _ in range(dice.choice((1, 2, 2, 3))):
            other = _spelled(record, dice)
            if other.title or (other.pages and other.authors):
                yield work, other
        if dice.random() < 0.25:
            work += 1
            lookalike = _lookalike(record, dice)
            yield work, lookalike
            if dice.random() < 0.4:
                yield work, _spelled(lookalike, dice)


def _spelled(record: MatchFields, dice: random.Random) -> MatchFields:
    year = record.year
    if dice.random() < 0.18:
        year = None
    elif year and dice.random() < 0.07:
        year += dice.choice((-1, 1))
    pages = record.pages if dice.random() < 0.5 else ""
    if dice.random() < 0.3:
        pages = re.split(r"\D+", pages)[0]
    return MatchFields(
        title=_title(record.title, dice),
        authors=_authors(record.authors, dice),
        year=year,
        venue=_venue(record.venue, dice),
        pages=pages,
        volume=record.volume if dice.random() < 0.6 else "",
    )


def _venue(venue: str, dice: random.Random) -> str:
    kind = dice.random()
    if kind < 0.4:
        return ""
    if kind < 0.55:
        return "Proceedings of " + venue
    if kind < 0.75:
        return " ".join(word[: dice.randint(1, 4)] + "." for word in venue.split())
    return dice.choice(ARCHIVES) if kind < 0.82 else venue


def _title(title: str, dice: random.Random) -> str:
    kind, words = dice.random(), title.split()
    if kind < 0.04:
        return ""
    if kind < 0.14 and ":" in title:
        title = title.split(":")[dice.choice((0, 0, 1))].strip()
    elif kind < 0.2 and len(words) > 6:
        title = " ".join(words[: dice.randint(4, len(words) - 1)])
    elif kind < 0.24 and len(words) > 4:
        words.pop(dice.randrange(len(words)))
        title = " ".join(words)
    elif kind < 0.28:
        title = f"{title}. In {dice.choice(TAILS)}"
    for _ in range(dice.choice((0, 0, 0, 1, 1, 2, 3))):
        title = _misprint(title, dice)
    if dice.random() < 0.15 and len(title) > 2:
        at = dice.randrange(1, len(title) - 1)
        title = title[:at] + dice.choice((" ", "- ", "-")) + title[at:]
    title = _bare(title) if dice.random() < 0.3 else title
    return title.lower() if dice.random() < 0.4 else title


def _authors(authors: Authors, dice: random.Random) -> Authors:
    people = list(authors)
    kind = dice.random()
    if kind < 0.12 or not people:
        return ()
    if kind < 0.3:
        people = people[: dice.choice((1, 1, 2, 3))]
    if dice.random() < 0.08 and len(people) > 1:
        at = dice.randrange(len(people) - 1)
        people[at], people[at + 1] = people[at + 1], people[at]
    elif dice.random() < 0.04:
        people.reverse()
    manner = dice.random()
    return tuple(_person(family, given, manner, dice) for family, given in people)


def _person(family: str, given: str, manner: float, dice: random.Random) -> tuple[str, str]:
    words = [word for word in re.split(r"[ -]+", given) if word]
    if manner < 0.45:
        given = " ".join(word[0] + "." for word in words)
    elif manner < 0.55 and words:
        given = words[0]
    elif manner > 0.95 and words:  # the order of the two is mistaken
        family, given = words[-1], family
    if dice.random() < 0.07:
        family = _misprint(family, dice)
    if dice.random() < 0.3:
        return _bare(family), _bare(given)
    if dice.random() < 0.05:
        family = "".join(letter if letter.isascii() else "?" for letter in family)
    return family, given


def _misprint(text: str, dice: random.Random) -> str:
    """One letter lost, added, changed or moved."""
    if len(text) < 4:
        return text
    at, kind, letter = dice.randrange(1, len(text) - 1), dice.random(), dice.choice(LETTERS)
    if kind < 0.3:
        return text[:at] + text[at + 1 :]
    if kind < 0.5:
        return text[:at] + letter + text[at:]
    if kind < 0.75:
        return text[:at] + letter + text[at + 1 :]
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def _bare(text: str) -> str:
    """Without accents."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def _lookalike(record: MatchFields, dice: random.Random) -> MatchFields:
    """Another work: a part, an erratum, a reply, next year's edition of a series, a follow-up, a namesake."""
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

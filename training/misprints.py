"""Records spelled as bibliographies and search engines spell them: misprints, lost accents, titles cut or with
other text glued on, initials, other orders of authors, missing parts. Made from clean records, with a fixed seed."""

from __future__ import annotations

import random
import re
import unicodedata

from openseer.core.model.description import MatchFields
from openseer.match.venue_names import venue_of

Authors = tuple[tuple[str, str], ...]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
TAILS = (". In Proceedings of", ". In Advances in", ". Machine Learning", ". Journal of")
GLUED = (
    " (extended abstract)", ", extended abstract", " (invited paper)", " (short version)", ". Technical Report",
    ", Proc. of", " - draft", ", to appear", ". Lecture Notes in Computer Science", ", PhD thesis", " [pdf]",
    ". ACM", " IEEE Trans", " 1",
)  # fmt: skip
ARCHIVES = ("CoRR", "Technical Report", "arXiv preprint", "Working paper")
ELSEWHERE = (
    "University of", "Dept. of Computer Science", "IBM Research Report", "Lecture Notes in Computer Science",
    "ACM Press", "Springer", "Proceedings of the", "Computer Science Department, Stanford", "Internal report",
    "Elsevier",
)  # fmt: skip
"""What stands where a venue should."""
PLACES = (
    ", Seattle",
    ", San Jose, CA",
    ", September",
    ", Vienna, Austria",
    ", vol. 3",
    ", May",
    ", LNCS",
    ", New York, NY",
)
STRAY = (("Member", "Senior"), ("eds", ""), ("University", ""), ("Dept", "CS"), ("al", "et"))
WILD = 0.45
"""So many are spelled as a search engine spells what it found on the web, the others as bibliographies do."""


def spelled(record: MatchFields, dice: random.Random) -> MatchFields:
    """The same record in other hands."""
    return _found_on_the_web(record, dice) if dice.random() < WILD else _in_a_bibliography(record, dice)


def _found_on_the_web(record: MatchFields, dice: random.Random) -> MatchFields:
    year, kind = record.year, dice.random()
    if kind < 0.4:
        year = None
    elif year and kind < 0.48:
        year += dice.choice((-1, 1, 1, 2))
    with_pages = dice.random() < 0.1
    return MatchFields(
        title=_wild_title(record, dice),
        authors=_wild_authors(record.authors, dice),
        year=year,
        venue=_wild_venue(record.venue, dice),
        pages=record.pages if with_pages else "",
        volume=record.volume if with_pages else "",
    )


def _wild_title(record: MatchFields, dice: random.Random) -> str:
    kind, title = dice.random(), record.title
    words = title.split()
    if kind < 0.06 and ":" in title:
        title = title.split(":")[dice.choice((0, 0, 1))].strip()
    elif kind < 0.1 and len(title) > 25:
        title = title[: round(len(title) * dice.uniform(0.5, 0.9))]
    elif kind < 0.16:
        title += dice.choice(GLUED)
    elif kind < 0.19 and record.venue:
        title += dice.choice((", ", " ", ". In ")) + record.venue[: dice.randint(8, 40)]
    elif kind < 0.21 and record.authors:
        title = f"{record.authors[0][0]} {title}"
    elif kind < 0.24 and len(words) > 3:
        del words[dice.randrange(len(words))]
        title = " ".join(words)
    elif kind < 0.27 and len(words) > 2:
        at = dice.randrange(len(words) - 1)
        title = " ".join([*words[:at], words[at] + words[at + 1], *words[at + 2 :]])
    for _ in range(dice.choice((0, 0, 0, 0, 1, 1, 2, 3))):
        title = misprint(title, dice)
    return title if dice.random() < 0.8 else "".join(letter if letter.isascii() else "?" for letter in title)


def _wild_authors(authors: Authors, dice: random.Random) -> Authors:
    """ "RJ Agrawal": initials without dots, some names lost, some strange ones, sometimes all in one."""
    people, kind = list(authors), dice.random()
    if kind < 0.05:
        return ()
    if kind < 0.17:
        people = people[: dice.choice((1, 2, 3, 4))]
    elif kind < 0.22 and len(people) > 1:
        del people[dice.randrange(len(people))]
    elif kind < 0.25:
        people.append(dice.choice(STRAY))
    elif kind < 0.27:
        return ((", ".join(f"{_initials(given)} {family}" for family, given in people), ""),)
    if dice.random() < 0.2:
        dice.shuffle(people)
    few = dice.random() < 0.25
    found = []
    for family, given in people:
        short = _initials(given)
        name = misprint(family, dice) if dice.random() < 0.05 else family
        found.append((bare(name), short[:1] if few else short))
    return tuple(found)


def _initials(given: str) -> str:
    return "".join(word[0] for word in re.split(r"[ .-]+", given) if word)


def _wild_venue(venue: str, dice: random.Random) -> str:
    kind, short = dice.random(), sorted(venue_of(venue).short)
    if kind < 0.25:
        return ""
    if kind < 0.38:
        return dice.choice(ELSEWHERE + ARCHIVES)
    if kind < 0.6 and short:
        found = dice.choice(("", "Proc. ", "ACM ", "Proc. 12th ")) + short[0].upper()
    elif kind < 0.8:
        found = re.sub(r"\W*\d\w*", "", venue)[: dice.randint(10, 50)]
    else:
        found = " ".join(word[: dice.randint(3, 5)] for word in re.sub(r"\d\w*", "", venue).split() if len(word) > 3)
    return found + (dice.choice(PLACES) if dice.random() < 0.25 else "")


def _in_a_bibliography(record: MatchFields, dice: random.Random) -> MatchFields:
    year = record.year
    if dice.random() < 0.18:
        year = None
    elif year and dice.random() < 0.07:
        year += dice.choice((-1, 1))
    pages = record.pages if dice.random() < 0.5 else ""
    if dice.random() < 0.3:
        pages = re.split(r"\D+", pages)[0]
    elif len(pages) > 3 and dice.random() < 0.04:
        pages = misprint(pages, dice)
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
        title += dice.choice(TAILS)
    for _ in range(dice.choice((0, 0, 0, 1, 1, 2, 3))):
        title = misprint(title, dice)
    if dice.random() < 0.15 and len(title) > 2:
        at = dice.randrange(1, len(title) - 1)
        title = title[:at] + dice.choice((" ", "- ", "-")) + title[at:]
    title = bare(title) if dice.random() < 0.3 else title
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
    elif dice.random() < 0.15:
        dice.shuffle(people)
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
        family = misprint(family, dice)
    if dice.random() < 0.3:
        return bare(family), bare(given)
    if dice.random() < 0.05:
        family = "".join(letter if letter.isascii() else "?" for letter in family)
    return family, given


def misprint(text: str, dice: random.Random) -> str:
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


def bare(text: str) -> str:
    """Without accents."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))

"""Synthetic noisy records as in bibliographies and search engines: misprints, lost accents, truncated titles or
appended text, initials, reordered authors, missing fields. Made from clean records, with a fixed seed."""

from __future__ import annotations

import random
import re
import unicodedata

from openseer.core.model.description import MatchFields
from openseer.match.venue_names import venue_of

Authors = tuple[tuple[str, str], ...]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
TAILS = (". In Proceedings of", ". In Advances in", ". Machine Learning", ". Journal of")
TITLE_SUFFIXES = (
    " (extended abstract)", ", extended abstract", " (invited paper)", " (short version)", ". Technical Report",
    ", Proc. of", " - draft", ", to appear", ". Lecture Notes in Computer Science", ", PhD thesis", " [pdf]",
    ". ACM", " IEEE Trans", " 1",
)  # fmt: skip
ARCHIVES = ("CoRR", "Technical Report", "arXiv preprint", "Working paper")
WRONG_VENUES = (
    "University of", "Dept. of Computer Science", "IBM Research Report", "Lecture Notes in Computer Science",
    "ACM Press", "Springer", "Proceedings of the", "Computer Science Department, Stanford", "Internal report",
    "Elsevier",
)  # fmt: skip
"""Wrong values of the venue field."""
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
WEB_SHARE = 0.45
"""Share of records with the noise of web search engines; the others have that of bibliographies."""


def spelled(record: MatchFields, rng: random.Random) -> MatchFields:
    """A noisy copy of a record."""
    return _web_record(record, rng) if rng.random() < WEB_SHARE else _bibliography_record(record, rng)


def _web_record(record: MatchFields, rng: random.Random) -> MatchFields:
    year, kind = record.year, rng.random()
    if kind < 0.4:
        year = None
    elif year and kind < 0.48:
        year += rng.choice((-1, 1, 1, 2))
    with_pages = rng.random() < 0.1
    return MatchFields(
        title=_web_title(record, rng),
        authors=_web_authors(record.authors, rng),
        year=year,
        venue=_web_venue(record.venue, rng),
        pages=record.pages if with_pages else "",
        volume=record.volume if with_pages else "",
    )


def _web_title(record: MatchFields, rng: random.Random) -> str:
    kind, title = rng.random(), record.title
    words = title.split()
    if kind < 0.06 and ":" in title:
        title = title.split(":")[rng.choice((0, 0, 1))].strip()
    elif kind < 0.1 and len(title) > 25:
        title = title[: round(len(title) * rng.uniform(0.5, 0.9))]
    elif kind < 0.16:
        title += rng.choice(TITLE_SUFFIXES)
    elif kind < 0.19 and record.venue:
        title += rng.choice((", ", " ", ". In ")) + record.venue[: rng.randint(8, 40)]
    elif kind < 0.21 and record.authors:
        title = f"{record.authors[0][0]} {title}"
    elif kind < 0.24 and len(words) > 3:
        del words[rng.randrange(len(words))]
        title = " ".join(words)
    elif kind < 0.27 and len(words) > 2:
        at = rng.randrange(len(words) - 1)
        title = " ".join([*words[:at], words[at] + words[at + 1], *words[at + 2 :]])
    for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 2, 3))):
        title = misprint(title, rng)
    return title if rng.random() < 0.8 else "".join(letter if letter.isascii() else "?" for letter in title)


def _web_authors(authors: Authors, rng: random.Random) -> Authors:
    """ "RJ Agrawal": initials without dots, some names lost, some strange ones, sometimes all in one."""
    people, kind = list(authors), rng.random()
    if kind < 0.05:
        return ()
    if kind < 0.17:
        people = people[: rng.choice((1, 2, 3, 4))]
    elif kind < 0.22 and len(people) > 1:
        del people[rng.randrange(len(people))]
    elif kind < 0.25:
        people.append(rng.choice(STRAY))
    elif kind < 0.27:
        return ((", ".join(f"{_initials(given)} {family}" for family, given in people), ""),)
    if rng.random() < 0.2:
        rng.shuffle(people)
    few = rng.random() < 0.25
    found = []
    for family, given in people:
        short = _initials(given)
        name = misprint(family, rng) if rng.random() < 0.05 else family
        found.append((without_accents(name), short[:1] if few else short))
    return tuple(found)


def _initials(given: str) -> str:
    return "".join(word[0] for word in re.split(r"[ .-]+", given) if word)


def _web_venue(venue: str, rng: random.Random) -> str:
    kind, short = rng.random(), sorted(venue_of(venue).short)
    if kind < 0.25:
        return ""
    if kind < 0.38:
        return rng.choice(WRONG_VENUES + ARCHIVES)
    if kind < 0.6 and short:
        found = rng.choice(("", "Proc. ", "ACM ", "Proc. 12th ")) + short[0].upper()
    elif kind < 0.8:
        found = re.sub(r"\W*\d\w*", "", venue)[: rng.randint(10, 50)]
    else:
        found = " ".join(word[: rng.randint(3, 5)] for word in re.sub(r"\d\w*", "", venue).split() if len(word) > 3)
    return found + (rng.choice(PLACES) if rng.random() < 0.25 else "")


def _bibliography_record(record: MatchFields, rng: random.Random) -> MatchFields:
    year = record.year
    if rng.random() < 0.18:
        year = None
    elif year and rng.random() < 0.07:
        year += rng.choice((-1, 1))
    pages = record.pages if rng.random() < 0.5 else ""
    if rng.random() < 0.3:
        pages = re.split(r"\D+", pages)[0]
    elif len(pages) > 3 and rng.random() < 0.04:
        pages = misprint(pages, rng)
    return MatchFields(
        title=_title(record.title, rng),
        authors=_authors(record.authors, rng),
        year=year,
        venue=_venue(record.venue, rng),
        pages=pages,
        volume=record.volume if rng.random() < 0.6 else "",
    )


def _venue(venue: str, rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.4:
        return ""
    if kind < 0.55:
        return "Proceedings of " + venue
    if kind < 0.75:
        return " ".join(word[: rng.randint(1, 4)] + "." for word in venue.split())
    return rng.choice(ARCHIVES) if kind < 0.82 else venue


def _title(title: str, rng: random.Random) -> str:
    kind, words = rng.random(), title.split()
    if kind < 0.04:
        return ""
    if kind < 0.14 and ":" in title:
        title = title.split(":")[rng.choice((0, 0, 1))].strip()
    elif kind < 0.2 and len(words) > 6:
        title = " ".join(words[: rng.randint(4, len(words) - 1)])
    elif kind < 0.24 and len(words) > 4:
        words.pop(rng.randrange(len(words)))
        title = " ".join(words)
    elif kind < 0.28:
        title += rng.choice(TAILS)
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3))):
        title = misprint(title, rng)
    if rng.random() < 0.15 and len(title) > 2:
        at = rng.randrange(1, len(title) - 1)
        title = title[:at] + rng.choice((" ", "- ", "-")) + title[at:]
    title = without_accents(title) if rng.random() < 0.3 else title
    return title.lower() if rng.random() < 0.4 else title


def _authors(authors: Authors, rng: random.Random) -> Authors:
    people = list(authors)
    kind = rng.random()
    if kind < 0.12 or not people:
        return ()
    if kind < 0.3:
        people = people[: rng.choice((1, 1, 2, 3))]
    if rng.random() < 0.08 and len(people) > 1:
        at = rng.randrange(len(people) - 1)
        people[at], people[at + 1] = people[at + 1], people[at]
    elif rng.random() < 0.15:
        rng.shuffle(people)
    style = rng.random()
    return tuple(_person(family, given, style, rng) for family, given in people)


def _person(family: str, given: str, style: float, rng: random.Random) -> tuple[str, str]:
    words = [word for word in re.split(r"[ -]+", given) if word]
    if style < 0.45:
        given = " ".join(word[0] + "." for word in words)
    elif style < 0.55 and words:
        given = words[0]
    elif style > 0.95 and words:  # given and family name swapped
        family, given = words[-1], family
    if rng.random() < 0.07:
        family = misprint(family, rng)
    if rng.random() < 0.3:
        return without_accents(family), without_accents(given)
    if rng.random() < 0.05:
        family = "".join(letter if letter.isascii() else "?" for letter in family)
    return family, given


def misprint(text: str, rng: random.Random) -> str:
    """The text with one letter deleted, inserted, replaced or swapped."""
    if len(text) < 4:
        return text
    at, kind, letter = rng.randrange(1, len(text) - 1), rng.random(), rng.choice(LETTERS)
    if kind < 0.3:
        return text[:at] + text[at + 1 :]
    if kind < 0.5:
        return text[:at] + letter + text[at:]
    if kind < 0.75:
        return text[:at] + letter + text[at + 1 :]
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def without_accents(text: str) -> str:
    """The text without accents."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))

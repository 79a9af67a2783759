"""E-mail addresses and their assignment to authors."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from openseer.extract.layout.lines import Line

ADDRESSES = re.compile(
    r"(?<![\w.+-])(?:[{\[(]?[\w.+-]{1,64}(?:\s*[,;|]\s*[\w.+-]{1,64}){0,15}[}\])]|[\w.+-]{1,64})"
    r"\s?@\s?[\w-]{1,64}(?:\.[\w-]{1,64})+"
)
INITIALS = re.compile(r"\s*\(((?:[^\W\d_]\.?[ -]?){2,5})\)")
CORRESPONDENCE_HINT = re.compile(r"[*∗✉⋆]|correspond|to whom|reprint|contact", re.I)
CORRESPONDENCE = re.compile(r"correspond|to whom|reprints?\b", re.I)
STAR = re.compile(r"[*∗✉⋆]")
SPECIAL = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe"})
MIN_OWNER_SCORE = 2.0
MAX_LETTERS_BEFORE = 450
"""Letters before an address in which a name is searched."""


class AuthorName(NamedTuple):
    """An author by name and markers."""

    given: str
    family: str
    markers: str = ""


class EmailAddress(NamedTuple):
    """An address as printed, with its context."""

    text: str
    before: str
    """The text before it."""
    initials: str
    """Letters in brackets after it."""


def addresses_in(text: str) -> list[str]:
    """E-mail addresses, with groups in braces expanded.

    >>> addresses_in("{ada,bob}@uni.edu")
    ['ada@uni.edu', 'bob@uni.edu']
    """
    return [address.text for address in _addresses(text)]


def _addresses(text: str) -> Iterator[EmailAddress]:
    for match in ADDRESSES.finditer(text):
        users, _, host = match.group().rpartition("@")
        before = text[max(0, match.start() - MAX_LETTERS_BEFORE) : match.start()]
        behind = INITIALS.match(text, match.end())
        initials = "".join(filter(str.isalpha, behind.group(1))).lower() if behind else ""
        for user in re.findall(r"[\w.+-]+", users):
            yield EmailAddress(f"{user}@{host.strip()}", before, initials)


def emails_of(people: Sequence[AuthorName], page: Sequence[Line]) -> list[str]:
    """An address for each author, or an empty string; the best pairs first, each address and author once."""
    text = "\n".join(line.text for line in page)
    if "@" not in text:
        return [""] * len(people)
    addresses = list(dict.fromkeys(_addresses(text)))
    in_order = len(addresses) == len(people)
    starred = sum(bool(STAR.search(person.markers)) for person in people)
    scored_pairs = [
        (_owner_score(address, person, starred) + 1.5 * (in_order and one == two) + 0.5 * in_order, -one, -two)
        for one, address in enumerate(addresses)
        for two, person in enumerate(people)
    ]
    found = [""] * len(people)
    assigned: set[int] = set()
    for score, one, two in sorted(scored_pairs, reverse=True):
        if score >= MIN_OWNER_SCORE and not found[-two] and -one not in assigned:
            found[-two] = _full_address(addresses[-one], people[-two])
            assigned.add(-one)
    return found


def _owner_score(address: EmailAddress, person: AuthorName, starred: int) -> float:
    """Score of an author as owner: the name in the address, initials after it, a name or star before it."""
    user, family = _normalise(address.text.partition("@")[0]), _normalise(person.family)
    given = [_normalise(word) for word in re.split(r"[\s.-]+", person.given) if _normalise(word)]
    score = _name_score(user, family, given)
    letters = "".join(word[0] for word in (*given, *map(_normalise, re.split(r"[\s-]+", person.family))) if word)
    if address.initials and address.initials in (letters, letters[:1] + letters[-1:]):
        score += 4.0
    if len(person.family) > 1 and person.family in _correspondence_text(address.before):
        score += 1.5 + bool(re.search(r"correspond|e-?mail|contact|author|\*", address.before[-90:], re.I))
    if starred and STAR.search(person.markers) and CORRESPONDENCE_HINT.search(address.before[-110:]):
        score += 2.0 if starred == 1 else 1.0
    return score


def _correspondence_text(before: str) -> str:
    """The text from the last mention of correspondence, else the last words."""
    _, at = max(((found.start(), found.end()) for found in CORRESPONDENCE.finditer(before)), default=(0, 0))
    return before[at:] if at and "@" not in before[at:] else before[-60:]


def _name_score(user: str, family: str, given: Sequence[str]) -> float:
    """Score of the name parts in the part before the @."""
    first = given[0] if given else ""
    if len(family) > 2 and family in user:
        return 3.0 + (len(family) > 4) + bool(user == family or (first and user.startswith(first[0])))
    if len(family) > 5 and family[:5] in user:
        return 2.5
    if first and family and (family + first in user or first + family in user):
        return 4.0
    if len(first) > 3 and len(family) > 3 and first[:4] in user and family[:4] in user:
        return 3.0
    if first and len(family) == 2 and user.rstrip("0123456789").endswith(family) and user.startswith(first[0]):
        return 2.0
    return 2.0 if any(len(word) > 3 and word in user for word in given) else 0.0


def _full_address(address: EmailAddress, person: AuthorName) -> str:
    """The address; with an underscore drawn as a line, its first part is the word before it."""
    first_part = re.search(r"([^\W\d_]{2,}) $", address.before)
    user = address.text.partition("@")[0]
    names = {_normalise(word) for word in (*person.given.split(), person.family)}
    divided = first_part and first_part.group(1).islower() and {first_part.group(1), _normalise(user)} <= names
    return f"{first_part.group(1)}_{address.text}" if first_part and divided else address.text


def _normalise(text: str) -> str:
    """Lower-case letters and digits without accents."""
    decomposed = unicodedata.normalize("NFKD", text.lower().translate(SPECIAL))
    return "".join(filter(str.isalnum, decomposed))

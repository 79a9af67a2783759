"""E-mail addresses, and to whom of the authors each belongs."""

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
CALLED = re.compile(r"[*∗✉⋆]|correspond|to whom|reprint|contact", re.I)
WRITE = re.compile(r"correspond|to whom|reprints?\b", re.I)
STAR = re.compile(r"[*∗✉⋆]")
SPECIAL = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe"})
LIKELY = 2.0
"""What speaks for an owner must be so much at least."""
BEFORE = 450
"""Letters before an address in which a name is looked for."""


class Person(NamedTuple):
    """An author as an address may name them."""

    given: str
    family: str
    marks: str = ""


class Address(NamedTuple):
    """An address as printed on the page."""

    text: str
    before: str
    """What stands before it."""
    initials: str
    """Letters in brackets behind it."""


def addresses_in(text: str) -> list[str]:
    """E-mail addresses, a group in braces taken apart.

    >>> addresses_in("{ada,bob}@uni.edu")
    ['ada@uni.edu', 'bob@uni.edu']
    """
    return [address.text for address in _addresses(text)]


def _addresses(text: str) -> Iterator[Address]:
    for match in ADDRESSES.finditer(text):
        users, _, host = match.group().rpartition("@")
        before = text[max(0, match.start() - BEFORE) : match.start()]
        behind = INITIALS.match(text, match.end())
        initials = "".join(filter(str.isalpha, behind.group(1))).lower() if behind else ""
        for user in re.findall(r"[\w.+-]+", users):
            yield Address(f"{user}@{host.strip()}", before, initials)


def emails_of(people: Sequence[Person], page: Sequence[Line]) -> list[str]:
    """An address for each, or "": the pairs for which most speaks come first, each address and person once."""
    text = "\n".join(line.text for line in page)
    if "@" not in text:
        return [""] * len(people)
    addresses = list(dict.fromkeys(_addresses(text)))
    in_order = len(addresses) == len(people)
    starred = sum(bool(STAR.search(person.marks)) for person in people)
    pairs = [
        (_speaks(address, person, starred) + 1.5 * (in_order and one == two) + 0.5 * in_order, -one, -two)
        for one, address in enumerate(addresses)
        for two, person in enumerate(people)
    ]
    found = [""] * len(people)
    given: set[int] = set()
    for weight, one, two in sorted(pairs, reverse=True):
        if weight >= LIKELY and not found[-two] and -one not in given:
            found[-two] = _whole(addresses[-one], people[-two])
            given.add(-one)
    return found


def _speaks(address: Address, person: Person, starred: int) -> float:
    """How much speaks for this owner: the name in the address, initials behind it, a name or star before it."""
    user, family = _plain(address.text.partition("@")[0]), _plain(person.family)
    given = [_plain(word) for word in re.split(r"[\s.-]+", person.given) if _plain(word)]
    weight = _named_in(user, family, given)
    letters = "".join(word[0] for word in (*given, *map(_plain, re.split(r"[\s-]+", person.family))) if word)
    if address.initials and address.initials in (letters, letters[:1] + letters[-1:]):
        weight += 4.0
    if len(person.family) > 1 and person.family in _last_part(address.before):
        weight += 1.5 + bool(re.search(r"correspond|e-?mail|contact|author|\*", address.before[-90:], re.I))
    if starred and STAR.search(person.marks) and CALLED.search(address.before[-110:]):
        weight += 2.0 if starred == 1 else 1.0
    return weight


def _last_part(before: str) -> str:
    """What is said of one address: the text from where correspondence is spoken of, else the last words."""
    _, at = max(((found.start(), found.end()) for found in WRITE.finditer(before)), default=(0, 0))
    return before[at:] if at and "@" not in before[at:] else before[-60:]


def _named_in(user: str, family: str, given: Sequence[str]) -> float:
    """How much of a name the part before the @ holds."""
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


def _whole(address: Address, person: Person) -> str:
    """The address; an underscore that is drawn as a line leaves its first part as a word before it."""
    lead = re.search(r"([^\W\d_]{2,}) $", address.before)
    user = address.text.partition("@")[0]
    names = {_plain(word) for word in (*person.given.split(), person.family)}
    divided = lead and lead.group(1).islower() and {lead.group(1), _plain(user)} <= names
    return f"{lead.group(1)}_{address.text}" if lead and divided else address.text


def _plain(text: str) -> str:
    """Small letters and digits without accents."""
    apart = unicodedata.normalize("NFKD", text.lower().translate(SPECIAL))
    return "".join(filter(str.isalnum, apart))

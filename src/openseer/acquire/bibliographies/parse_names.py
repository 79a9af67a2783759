"""Names as catalogues write them: family first or last, particles, initials, and several in one cell."""

from __future__ import annotations

import re

Person = tuple[str, str]
"""(family, given)"""

_PARTICLES = """
van von de der den di da del della degli dei la le du des dos das do el al bin ibn ben ten ter te zu zur zum vom af av
d' st. saint y
"""
PARTICLES = frozenset(_PARTICLES.split())
"""They belong to the family name, as in names read from papers."""
SUFFIX = re.compile(r"^(?:jr|sr|ii|iii|iv|phd|md)\.?$", re.I)
INITIALS = re.compile(r"^(?:[^\W\d_]\.?[ -]?){1,4}$")
OTHERS = frozenset({"others", "et al", "et al.", "u. a.", "etc."})


def person(text: str) -> Person | None:
    """One name; None for "others" and for nothing.

    >>> person("van Beethoven, Ludwig"), person("Ludwig van Beethoven"), person("Ford, Jr., Henry")
    (('van Beethoven', 'Ludwig'), ('van Beethoven', 'Ludwig'), ('Ford', 'Henry'))
    """
    text = " ".join(text.split())[:300].strip(" ,;")
    if not text or text.lower() in OTHERS:
        return None
    if "," in text:
        family, *rest = (part.strip() for part in text.split(","))
        given = [part for part in rest if part and not SUFFIX.match(part)]
        return family, " ".join(given)
    return _unmarked(text.split())


def _unmarked(words: list[str]) -> Person:
    """A name without a comma: the family stands last, unless initials stand there."""
    if len(words) > 2 and SUFFIX.match(words[-1]):
        words = words[:-1]
    if len(words) == 1:
        return words[0], ""
    if _bare_initials(words[-1]) and not any(_bare_initials(word) for word in words[:-1]):
        return " ".join(words[:-1]), words[-1]
    at = len(words) - 1
    while at > 1 and words[at - 1].lower() in PARTICLES:
        at -= 1
    if words[0].islower() and words[0] in PARTICLES:
        at = 0
    return " ".join(words[at:]), " ".join(words[:at])


def _bare_initials(word: str) -> bool:
    """ "A.Z.", "AZ" and "A.-Z.": capitals alone, as they stand behind a family name."""
    letters = word.replace(".", "").replace("-", "")
    return 0 < len(letters) <= 3 and letters.isupper() and ("." in word or len(letters) == len(word))


def people_in(cell: str) -> tuple[Person, ...]:
    """The names in one cell of a table, however they are told apart.

    >>> people_in("Broder, A.Z., Glassman, S.C.")
    (('Broder', 'A.Z.'), ('Glassman', 'S.C.'))
    """
    return tuple(found for part in _parts(cell) if (found := person(part)))


def _parts(cell: str) -> list[str]:
    cell = re.sub(r"\s*\(\d{6,}\)", "", cell)  # Scopus puts its number behind a full name
    for mark, sure in ((r"\s*;\s*", True), (r"\s*\|\s*", True), (r"\s*\n\s*", True), (r",?\s+(?:and|AND|&)\s+", False)):
        parts = [part for part in re.split(mark, cell.strip()) if part]
        if len(parts) > 1:
            return [one for part in parts for one in _of_commas(part, sure)]
    return _of_commas(cell, sure=False)


def _of_commas(text: str, sure: bool) -> list[str]:
    """Commas part family and given name, or one person and the next; sure: people are told apart by another mark."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) < 2:
        return parts
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    if len(parts) % 2 == 0 and all(INITIALS.match(given) for _, given in pairs):
        return [f"{family}, {given}" for family, given in pairs]
    if len(parts) == 2 and (sure or " " not in parts[0] or parts[0].split()[0].lower() in PARTICLES):
        return [text]
    if any(SUFFIX.match(part) for part in parts) and len(parts) == 3:
        return [text]
    return parts

"""Parser of person names in catalogue style: family name first or last, particles, initials, several in one cell."""

from __future__ import annotations

import re

Person = tuple[str, str]
"""(family, given)"""

_PARTICLES = """
van von de der den di da del della degli dei la le du des dos das do el al bin ibn ben ten ter te zu zur zum vom af av
d' st. saint y
"""
PARTICLES = frozenset(_PARTICLES.split())
"""Parts of the family name, as in names extracted from papers."""
SUFFIX = re.compile(r"^(?:jr|sr|ii|iii|iv|phd|md)\.?$", re.I)
INITIALS = re.compile(r"^(?:[^\W\d_]\.?[ -]?){1,4}$")
ET_AL = frozenset({"others", "et al", "et al.", "u. a.", "etc."})


def parse_name(text: str) -> Person | None:
    """One name; None for "others" and empty text.

    >>> parse_name("van Beethoven, Ludwig"), parse_name("Ludwig van Beethoven"), parse_name("Ford, Jr., Henry")
    (('van Beethoven', 'Ludwig'), ('van Beethoven', 'Ludwig'), ('Ford', 'Henry'))
    """
    text = " ".join(text.split())[:300].strip(" ,;")
    if not text or text.lower() in ET_AL:
        return None
    if "," in text:
        family, *rest = (part.strip() for part in text.split(","))
        given = [part for part in rest if part and not SUFFIX.match(part)]
        return family, " ".join(given)
    return _name_without_comma(text.split())


def _name_without_comma(words: list[str]) -> Person:
    """A name without comma: the family name is last, unless initials are."""
    if len(words) > 2 and SUFFIX.match(words[-1]):
        words = words[:-1]
    if len(words) == 1:
        return words[0], ""
    if _are_initials(words[-1]) and not any(_are_initials(word) for word in words[:-1]):
        return " ".join(words[:-1]), words[-1]
    at = len(words) - 1
    while at > 1 and words[at - 1].lower() in PARTICLES:
        at -= 1
    if words[0].islower() and words[0] in PARTICLES:
        at = 0
    return " ".join(words[at:]), " ".join(words[:at])


def _are_initials(word: str) -> bool:
    """True for capitals only, as after a family name: "A.Z.", "AZ" and "A.-Z."."""
    letters = word.replace(".", "").replace("-", "")
    return 0 < len(letters) <= 3 and letters.isupper() and ("." in word or len(letters) == len(word))


def parse_names(cell: str) -> tuple[Person, ...]:
    """The names in one table cell, with any separator.

    >>> parse_names("Broder, A.Z., Glassman, S.C.")
    (('Broder', 'A.Z.'), ('Glassman', 'S.C.'))
    """
    return tuple(found for part in _split_cell(cell) if (found := parse_name(part)))


def _split_cell(cell: str) -> list[str]:
    cell = re.sub(r"\s*\(\d{6,}\)", "", cell)  # Scopus appends its author id
    for separator, separated in (
        (r"\s*;\s*", True),
        (r"\s*\|\s*", True),
        (r"\s*\n\s*", True),
        (r",?\s+(?:and|AND|&)\s+", False),
    ):
        parts = [part for part in re.split(separator, cell.strip()) if part]
        if len(parts) > 1:
            return [one for part in parts for one in _split_at_commas(part, separated)]
    return _split_at_commas(cell, separated=False)


def _split_at_commas(text: str, separated: bool) -> list[str]:
    """Commas separate family and given names, or persons; `separated`: persons have another separator."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) < 2:
        return parts
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    if len(parts) % 2 == 0 and all(INITIALS.match(given) for _, given in pairs):
        return [f"{family}, {given}" for family, given in pairs]
    if len(parts) == 2 and (separated or " " not in parts[0] or parts[0].split()[0].lower() in PARTICLES):
        return [text]
    if any(SUFFIX.match(part) for part in parts) and len(parts) == 3:
        return [text]
    return parts

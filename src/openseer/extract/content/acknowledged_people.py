"""Extractor of the people named in the acknowledgments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from openseer.core.model.extraction import Extraction
from openseer.core.text.person_names import PARTICLES, is_name
from openseer.extract.context import PaperContext
from openseer.extract.header.line_features import gazetteer
from openseer.extract.layout.sentences import sentence_starts

name, version = "thanks", 1
needs = ("acknowledgments",)
THANKS = re.compile(
    r"\b(?:thank\w*|grateful\w*|gratitude|indebted|appreciat\w+|acknowledg\w+|dank\w*|remerci\w+|agradec\w+|ringrazi\w+|"
    r"благодар\w+)\b",
    re.I,
)
TITLE_BEFORE = re.compile(r"(?:Drs?|Prof(?:essor)?s?|Mr|Mrs|Ms)\.?\s+$")
BEGINS_WITH_TITLE = re.compile(r"^(?:Drs?|Prof(?:essor)?s?|Mr|Mrs|Ms)\.? ")
LIST_SEPARATOR = re.compile(r", (?:and )?| and | & ")
LOWER = "|".join(sorted(PARTICLES - {"y", "te", "do", "st."}))
PERSON = re.compile(
    rf"(?:[^\W\d_a-z][\w’'-]*\.?|[^\W\d_a-z]\.-?[^\W\d_a-z]\.)(?: (?:(?:{LOWER}) )*(?:[^\W\d_a-z][\w’'-]*\.?)){{1,3}}"
)
MAX_PEOPLE = 60


def extract(context: PaperContext, found: Extraction) -> dict[str, Any]:
    """The names in order of mention."""
    return {"thanked": tuple(dict.fromkeys(acknowledged_people(found.acknowledgments)))[:MAX_PEOPLE]}


def acknowledged_people(text: str) -> Iterator[str]:
    """Names in the sentences that express thanks.

    >>> list(acknowledged_people("We thank Dr. Jane Smith and the National Science Foundation. John Doe paid."))
    ['Jane Smith']
    """
    starts = [*sentence_starts(text), len(text)]
    for start, end in pairwise(starts):
        cue = THANKS.search(text, start, end)
        if cue:
            yield from _confirmed_names(text, list(PERSON.finditer(text, cue.end(), end)))


def _confirmed_names(text: str, matches: list[re.Match[str]]) -> Iterator[str]:
    """Names with a known given name or a title, and their neighbours in a list."""
    names = [BEGINS_WITH_TITLE.sub("", match.group()).rstrip(".") for match in matches]
    confirmed = [
        bool(
            is_name(name)
            and (
                BEGINS_WITH_TITLE.match(match.group()) or _is_titled(text, match.start()) or _has_known_given_name(name)
            )
        )
        for name, match in zip(names, matches, strict=True)
    ]
    for at in (*range(1, len(matches)), *range(len(matches) - 1, 0, -1)):
        if LIST_SEPARATOR.fullmatch(text, matches[at - 1].end(), matches[at].start()) and (
            confirmed[at] or confirmed[at - 1]
        ):
            confirmed[at], confirmed[at - 1] = is_name(names[at]), is_name(names[at - 1])
    yield from (name for name, is_confirmed in zip(names, confirmed, strict=True) if is_confirmed)


def _is_titled(text: str, at: int) -> bool:
    return bool(TITLE_BEFORE.search(text, max(0, at - 12), at))


def _has_known_given_name(full_name: str) -> bool:
    """True if the first word is a known given name or an initial."""
    first = full_name.split()[0].split("-")[0]
    return len(first.strip(".")) == 1 or first in gazetteer()[0]

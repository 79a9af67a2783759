"""The people whom the authors thank, out of the acknowledgments."""

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
THANKED = re.compile(
    r"\b(?:thank\w*|grateful\w*|gratitude|indebted|appreciat\w+|acknowledg\w+|dank\w*|remerci\w+|agradec\w+|ringrazi\w+|"
    r"благодар\w+)\b",
    re.I,
)
TITLE = re.compile(r"(?:Drs?|Prof(?:essor)?s?|Mr|Mrs|Ms)\.?\s+$")
TITLED = re.compile(r"^(?:Drs?|Prof(?:essor)?s?|Mr|Mrs|Ms)\.? ")
JOINT = re.compile(r", (?:and )?| and | & ")
LOW = "|".join(sorted(PARTICLES - {"y", "te", "do", "st."}))
PERSON = re.compile(
    rf"(?:[^\W\d_a-z][\w’'-]*\.?|[^\W\d_a-z]\.-?[^\W\d_a-z]\.)(?: (?:(?:{LOW}) )*(?:[^\W\d_a-z][\w’'-]*\.?)){{1,3}}"
)
MOST = 60


def extract(opened: PaperContext, found: Extraction) -> dict[str, Any]:
    """The names, in the order in which they are thanked."""
    return {"thanked": tuple(dict.fromkeys(thanked_in(found.acknowledgments)))[:MOST]}


def thanked_in(text: str) -> Iterator[str]:
    """Names in the sentences that thank.

    >>> list(thanked_in("We thank Dr. Jane Smith and the National Science Foundation. John Doe paid."))
    ['Jane Smith']
    """
    starts = [*sentence_starts(text), len(text)]
    for start, end in pairwise(starts):
        cue = THANKED.search(text, start, end)
        if cue:
            yield from _sure(text, list(PERSON.finditer(text, cue.end(), end)))


def _sure(text: str, found: list[re.Match[str]]) -> Iterator[str]:
    """The names that are known or titled, and those that stand in a row with one."""
    called = [TITLED.sub("", one.group()).rstrip(".") for one in found]
    sure = [
        bool(is_name(name) and (TITLED.match(one.group()) or _is_titled(text, one.start()) or _is_borne(name)))
        for name, one in zip(called, found, strict=True)
    ]
    for at in (*range(1, len(found)), *range(len(found) - 1, 0, -1)):
        if JOINT.fullmatch(text, found[at - 1].end(), found[at].start()) and (sure[at] or sure[at - 1]):
            sure[at], sure[at - 1] = is_name(called[at]), is_name(called[at - 1])
    yield from (name for name, known in zip(called, sure, strict=True) if known)


def _is_titled(text: str, at: int) -> bool:
    return bool(TITLE.search(text, max(0, at - 12), at))


def _is_borne(called: str) -> bool:
    """Whether the first word is a known given name or an initial."""
    first = called.split()[0].split("-")[0]
    return len(first.strip(".")) == 1 or first in gazetteer()[0]

"""Scores of what was read inside papers against deep gold: headings, citation contexts, acknowledgments, keywords,
affiliations, e-mail addresses, funders. What gold does not know is not scored; what it calls optional is neutral."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from openseer.evaluation.alignment import paired
from openseer.evaluation.metrics.contexts import score_contexts
from openseer.evaluation.metrics.header import person_of, same_person
from openseer.evaluation.precision_recall import Tally
from openseer.evaluation.string_similarity import overlapping, similarity, untexed

FIGURES = (
    "headings", "headings.p", "headings.r", "headings.level", "mentions", "mentions.p", "mentions.r", "mentions.link",
    "ack", "keywords", "affil.r", "affil.p", "email", "funders",
)  # fmt: skip
HEADING = KEYWORD = FUNDER = 0.85
THANKS = 0.7
AFFILIATION = 0.8
SURELY = 0.97
"""An affiliation that stands in the text as well as this is there, however well another fits."""
NAMED = 0.95
NUMBER = re.compile(r"\s*(?:[Ss]ection\s+)?(?:\d[\d.]*+|[IVX]+(?=[.)])|[A-Z](?=[.)]\s+[A-Z]))[.):]*\s*(?=\S)")
APART = frozenset(
    ("abstract", "summary", "highlights", "contents", "indexterms", "references", "bibliography", "literaturecited",
     "workscited", "openaccess", "disclosure", "disclosures", "publishersnote")
)  # fmt: skip
"""Headings before and after the text itself, by letters: they count neither for nor against."""
APART_FROM = (
    "authorcontribution", "authorscontribution", "authorinformation", "authorsinformation", "authordetail",
    "authorsdetail", "keyword", "acknowledgment", "acknowledgement", "funding", "abbreviation", "ethic",
    "consentfor", "consentto",
    "supplementary", "supplemental", "supportinginformation", "additionalfile", "additionalinformation",
    "conflictofinterest", "conflictsofinterest", "competinginterest", "declarationofinterest",
    "declarationofcompetinginterest", "dataavailability", "availabilityof", "codeavailability",
)  # fmt: skip
"""Beginnings of such headings."""
THANKS_HEADING = re.compile(r"\W*acknowledge?ments?\W+", re.I)


def score_deep(gold: Mapping[str, Any], found: Mapping[str, Any], tally: Tally) -> None:
    """Everything deep gold knows of one paper."""
    if gold.get("sections"):
        _score_headings(gold["sections"], found.get("sections") or [], tally)
    if gold.get("mentions"):
        score_contexts(gold["references"], gold["mentions"], found.get("references") or [], tally)
    if gold.get("acknowledgments"):
        thanks = THANKS_HEADING.sub("", found.get("acknowledgments") or "", count=1)
        tally.share("ack", bool(thanks) and similarity(untexed(gold["acknowledgments"]), untexed(thanks)) >= THANKS)
    if gold.get("keywords"):
        words = [word for word in map(untexed, found.get("keywords") or []) if word]
        right = len(paired([untexed(word) for word in gold["keywords"]], words, similarity, KEYWORD))
        tally.both("keywords", (right, len(words)), (right, len(gold["keywords"])))
    _score_people(gold.get("authors") or [], found.get("authors") or [], tally)
    _score_funders(gold.get("funders") or [], found.get("funders") or [], tally)


# -- headings -----------------------------------------------------------------------------------------------------


def _score_headings(gold: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]], tally: Tally) -> None:
    """In any order and without their numbers; the level of those that were met."""
    wanted, optional = _required(gold), [bare(one["heading"]) for one in gold if one.get("optional")]
    given = [one for one in found if untexed(one.get("heading"))]
    texts = [bare(one["heading"]) for one in given]
    pairs = paired([bare(one["heading"]) for one in wanted], texts, similarity, HEADING)
    met = {j for _, j in pairs}
    rest = [text for j, text in enumerate(texts) if j not in met]
    neutral = {j for _, j in paired(optional, rest, similarity, HEADING)}
    neutral |= {j for j, text in enumerate(rest) if text in APART or text.startswith(APART_FROM)}
    tally.both("headings", (len(pairs), len(given) - len(neutral)), (len(pairs), len(wanted)))
    for i, j in pairs:
        tally.share("headings.level", wanted[i]["level"] == given[j].get("level"))


def _required(items: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [one for one in items if not one.get("optional")]


def bare(heading: str) -> str:
    """The letters of a heading without its number.

    >>> bare("3.1 What Is the Same Paper?")
    'whatisthesamepaper'
    """
    number = NUMBER.match(heading)
    return untexed(heading[number.end() :] if number else heading)


# -- people and money ---------------------------------------------------------------------------------------------


def _score_people(gold: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]], tally: Tally) -> None:
    """Affiliations and e-mail addresses at the right person."""
    every = {untexed(text) for one in gold for text in one.get("affiliations") or []}
    left = list(found)
    for one in gold:
        person = next((two for two in left if same_person(person_of(one), person_of(two))), {})
        if person:
            left.remove(person)
        if one.get("affiliations"):
            own = {untexed(text) for text in one["affiliations"]}
            _score_affiliations(own, every - own, untexed(person.get("affiliation")), tally)
        if one.get("email"):
            tally.share("email", one["email"].lower() == str(person.get("email") or "").lower().strip(" .;,"))


def _score_affiliations(own: set[str], others: set[str], text: str, tally: Tally) -> None:
    """Recall: those of the person in the text, unless one of somebody else fits better. Precision: of all that are
    surely named there, those of the person; one of somebody else that is nearly an own one is not held against it."""
    fit = {one: overlapping(one, text) if len(text) >= 10 else 0.0 for one in own | others}
    best = max((fit[one] for one in others), default=0.0)
    met = sum(fit[one] >= AFFILIATION and fit[one] >= min(best, SURELY) for one in own)
    named = {one for one in fit if fit[one] >= NAMED and len(one) <= len(text) + 5}
    wrong = {one for one in named - own if all(overlapping(one, mine) < NAMED for mine in own)}
    right = len(named & own)
    tally.both("affil", (right, right + len(wrong)), (met, len(own)))


def _score_funders(gold: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]], tally: Tally) -> None:
    named = " ".join(untexed(one.get("name")) for one in found)
    for one in gold:
        name = untexed(one["name"])
        tally.share("funders", name in named or (len(named) >= 8 and overlapping(name, named) >= FUNDER))

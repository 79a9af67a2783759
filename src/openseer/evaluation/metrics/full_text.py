"""Metrics of full-text extraction: headings, citation contexts, acknowledgments, keywords, people, funders.

Fields that gold does not have are not scored; optional items of gold are neutral."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from openseer.evaluation.alignment import align
from openseer.evaluation.metrics.contexts import score_contexts
from openseer.evaluation.metrics.header import person_of, same_person
from openseer.evaluation.precision_recall import Tally
from openseer.evaluation.string_similarity import letters_of_latex, overlapping, similarity

FULL_TEXT_SCORES = (
    "headings", "headings.p", "headings.r", "headings.level", "mentions", "mentions.p", "mentions.r", "mentions.link",
    "ack", "keywords", "affil.r", "affil.p", "email", "funders",
)  # fmt: skip
MIN_HEADING = MIN_KEYWORD = MIN_FUNDER = 0.85
MIN_ACKNOWLEDGMENTS = 0.7
MIN_AFFILIATION = 0.8
SURE_AFFILIATION = 0.97
"""Similarity from which on an affiliation counts as found, however well another one matches."""
NAMED_AFFILIATION = 0.95
NUMBER = re.compile(r"\s*(?:[Ss]ection\s+)?(?:\d[\d.]*+|[IVX]+(?=[.)])|[A-Z](?=[.)]\s+[A-Z]))[.):]*\s*(?=\S)")
NEUTRAL_HEADINGS = frozenset(
    ("abstract", "summary", "highlights", "contents", "indexterms", "references", "bibliography", "literaturecited",
     "workscited", "openaccess", "disclosure", "disclosures", "publishersnote")
)  # fmt: skip
"""Headings of front and back matter, by letters: they are neutral."""
NEUTRAL_PREFIXES = (
    "authorcontribution", "authorscontribution", "authorinformation", "authorsinformation", "authordetail",
    "authorsdetail", "keyword", "acknowledgment", "acknowledgement", "funding", "abbreviation", "ethic",
    "consentfor", "consentto",
    "supplementary", "supplemental", "supportinginformation", "additionalfile", "additionalinformation",
    "conflictofinterest", "conflictsofinterest", "competinginterest", "declarationofinterest",
    "declarationofcompetinginterest", "dataavailability", "availabilityof", "codeavailability",
)  # fmt: skip
"""Prefixes of such headings."""
ACKNOWLEDGMENTS_HEADING = re.compile(r"\W*acknowledge?ments?\W+", re.I)


def score_full_text(gold: Mapping[str, Any], found: Mapping[str, Any], tally: Tally) -> None:
    """Score all full-text fields that gold has of one paper."""
    if gold.get("sections"):
        _score_headings(gold["sections"], found.get("sections") or [], tally)
    if gold.get("mentions"):
        score_contexts(gold["references"], gold["mentions"], found.get("references") or [], tally)
    if gold.get("acknowledgments"):
        acknowledgments = ACKNOWLEDGMENTS_HEADING.sub("", found.get("acknowledgments") or "", count=1)
        tally.share(
            "ack",
            bool(acknowledgments)
            and similarity(letters_of_latex(gold["acknowledgments"]), letters_of_latex(acknowledgments))
            >= MIN_ACKNOWLEDGMENTS,
        )
    if gold.get("keywords"):
        words = [word for word in map(letters_of_latex, found.get("keywords") or []) if word]
        correct = len(align([letters_of_latex(word) for word in gold["keywords"]], words, similarity, MIN_KEYWORD))
        tally.precision_recall("keywords", (correct, len(words)), (correct, len(gold["keywords"])))
    _score_people(gold.get("authors") or [], found.get("authors") or [], tally)
    _score_funders(gold.get("funders") or [], found.get("funders") or [], tally)


# -- headings -----------------------------------------------------------------------------------------------------


def _score_headings(gold: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]], tally: Tally) -> None:
    """Score headings, in any order and without numbers, and the level of those found."""
    required, optional = _required(gold), [unnumbered(one["heading"]) for one in gold if one.get("optional")]
    headings = [one for one in found if letters_of_latex(one.get("heading"))]
    texts = [unnumbered(one["heading"]) for one in headings]
    pairs = align([unnumbered(one["heading"]) for one in required], texts, similarity, MIN_HEADING)
    recalled = {j for _, j in pairs}
    unmatched = [text for j, text in enumerate(texts) if j not in recalled]
    neutral = {j for _, j in align(optional, unmatched, similarity, MIN_HEADING)}
    neutral |= {j for j, text in enumerate(unmatched) if text in NEUTRAL_HEADINGS or text.startswith(NEUTRAL_PREFIXES)}
    tally.precision_recall("headings", (len(pairs), len(headings) - len(neutral)), (len(pairs), len(required)))
    for i, j in pairs:
        tally.share("headings.level", required[i]["level"] == headings[j].get("level"))


def _required(items: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [one for one in items if not one.get("optional")]


def unnumbered(heading: str) -> str:
    """Letters of a heading without its number.

    >>> unnumbered("3.1 What Is the Same Paper?")
    'whatisthesamepaper'
    """
    number = NUMBER.match(heading)
    return letters_of_latex(heading[number.end() :] if number else heading)


# -- people and funders ------------------------------------------------------------------------------------------


def _score_people(gold: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]], tally: Tally) -> None:
    """Score affiliations and e-mail addresses of the right person."""
    every = {letters_of_latex(text) for one in gold for text in one.get("affiliations") or []}
    remaining = list(found)
    for one in gold:
        person = next((two for two in remaining if same_person(person_of(one), person_of(two))), {})
        if person:
            remaining.remove(person)
        if one.get("affiliations"):
            of_person = {letters_of_latex(text) for text in one["affiliations"]}
            _score_affiliations(of_person, every - of_person, letters_of_latex(person.get("affiliation")), tally)
        if one.get("email"):
            tally.share("email", one["email"].lower() == str(person.get("email") or "").lower().strip(" .;,"))


def _score_affiliations(of_person: set[str], others: set[str], text: str, tally: Tally) -> None:
    """Recall: affiliations of the person in the text, unless one of another person matches better. Precision: those of
    the person among all that the text surely names, except others that are nearly equal to an own one."""
    similarities = {one: overlapping(one, text) if len(text) >= 10 else 0.0 for one in of_person | others}
    best = max((similarities[one] for one in others), default=0.0)
    recalled = sum(
        similarities[one] >= MIN_AFFILIATION and similarities[one] >= min(best, SURE_AFFILIATION) for one in of_person
    )
    named = {one for one in similarities if similarities[one] >= NAMED_AFFILIATION and len(one) <= len(text) + 5}
    wrong = {one for one in named - of_person if all(overlapping(one, own) < NAMED_AFFILIATION for own in of_person)}
    correct = len(named & of_person)
    tally.precision_recall("affil", (correct, correct + len(wrong)), (recalled, len(of_person)))


def _score_funders(gold: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]], tally: Tally) -> None:
    named = " ".join(letters_of_latex(one.get("name")) for one in found)
    for one in gold:
        name = letters_of_latex(one["name"])
        tally.share("funders", name in named or (len(named) >= 8 and overlapping(name, named) >= MIN_FUNDER))

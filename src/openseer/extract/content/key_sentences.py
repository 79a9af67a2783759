"""Key sentences: one that says what a paper does and one that says what it found, in its own words, with the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from openseer.core.model.extraction import Extraction
from openseer.extract.context import PaperContext
from openseer.extract.layout.sentences import sentence_starts

name, version = "keysentences", 1
needs = ("header", "body", "keyphrases")
SHORTEST, LONGEST = 60, 330
LIKELY, TELLING = 2.2, 2.6
"""A sentence that weighs less is none; one without any cue must name more of what the paper is about."""
DOES = re.compile(
    r"\b(?:in this (?:paper|work|article|study|thesis|report|letter|note|review|chapter),? (?:we|i)\b|(?:this|"
    r"the present|the current|our) (?:paper|article|study|work|thesis|report|review|"
    r"chapter) (?:\w+ )?(?:presents?|proposes?|introduces?|describes?|investigat\w+|examin\w+|stud(?:y|ies)|"
    r"explor\w+|aim\w*|shows?|address\w+|analy[sz]\w+|compar\w+|develops?|reports?|provides?|evaluat\w+|review\w*|"
    r"offers?|deals|was|is)|we (?:\w+ )?(?:propose|present|introduce|describe|develop|investigate|study|examine|"
    r"explore|address|aim|consider|report|analy[sz]e|compare|evaluate|design(?:ed)?|built|implement(?:ed)?|"
    r"investigated|examined|studied|compared|aimed|assessed)|(?:the|our) (?:aim|goal|objective|"
    r"purpose) of (?:this|the)|in (?:diesem|der vorliegenden?|dieser) (?:beitrag|artikel|arbeit|studie|"
    r"untersuchung|aufsatz)|(?:dieser|der vorliegende|die vorliegende) (?:beitrag|artikel|aufsatz|arbeit|studie)|"
    r"wir (?:untersuchen|zeigen|schlagen)|(?:dans|cet|cette|le présent) (?:cet |ce )?(?:article|étude|travail)|"
    r"nous (?:proposons|présentons|étudions|montrons)|(?:este|el presente|en este) (?:artículo|trabajo|estudio)|"
    r"(?:este|o presente|neste) (?:artigo|trabalho|estudo)|(?:questo|il presente|in questo) (?:articolo|lavoro|"
    r"studio)|в (?:данной|этой|настоящей) (?:статье|работе))\b",
    re.I,
)
FOUND = re.compile(
    r"\b(?:(?:our |the |these |experimental |empirical |numerical )*(?:results?|findings?|experiments?|evaluation|"
    r"analysis|data|simulations?) (?:\w+ ){0,3}(?:show|demonstrate|suggest|indicate|reveal|confirm|support|"
    r"provide)\w*|we (?:\w+ )?(?:show|find|found|showed|demonstrate|demonstrated|conclude|observed?|prove|"
    r"establish|achieve|obtain)\b|(?:in conclusion|to conclude|in summary|overall|we conclude),?|outperform\w*|"
    r"state[- ]of[- ]the[- ]art (?:results|performance)|(?:was|were|is|are) (?:significantly|associated|effective|"
    r"superior)|significantly (?:higher|lower|better|increased|reduced|improve\w*)|"
    r"die ergebnisse (?:\w+ )?(?:zeigen|deuten|legen)|es zeigt sich|les résultats (?:montrent|indiquent)|"
    r"los resultados (?:muestran|indican|sugieren)|os resultados (?:mostram|indicam|sugerem)|"
    r"i risultati (?:mostrano|indicano)|результаты показ\w+|показано)\b",
    re.I,
)
NOT_OURS = re.compile(
    r"\bet al\b|\[\d|\(\d{4}\)|\d{4}[a-z]?\)|\b(?:table|fig(?:ure)?s?|section|eq(?:uation)?s?|theorem|lemma|"
    r"chapter|appendix)\b\.? ?\d|previous(?:ly)? |organi[sz]ed as follows|rest of (?:this|the) paper|remainder of|"
    r"future work|we (?:thank|acknowledge)|doi\.org|https?:|©",
    re.I,
)
ANY = re.compile(r"")
PLACES = {"abstract": 1.3, "conclusion": 1.0, "introduction": 0.8, "discussion": 0.4, "results": 0.2}
"""What a sentence gains by where it stands."""


class Sentence(NamedTuple):
    """One sentence and what it stands in."""

    text: str
    page: int
    place: str
    part: float
    """From 0, the first of its place, to 1, the last."""


def extract(opened: PaperContext, found: Extraction) -> dict[str, Any]:
    """The sentences, that of the contribution first."""
    return {"key_sentences": tuple(key_sentences(found))}


def key_sentences(found: Extraction) -> Iterator[dict[str, Any]]:
    """At most one of each kind, each other than the other."""
    terms = [phrase["text"].lower() for phrase in found.keyphrases[:8]]
    sentences = [one for one in _sentences(found) if SHORTEST <= len(one.text) <= LONGEST]
    taken: list[Sentence] = []
    for pattern, least in ((DOES, LIKELY), (FOUND, LIKELY), (ANY, TELLING)):
        if pattern is ANY and taken:
            break
        weighed = [(_weight(one, pattern, terms), -at, one) for at, one in enumerate(sentences) if one not in taken]
        likely = sorted((one for one in weighed if one[0] >= least), reverse=True)
        taken += [one for _, _, one in likely if _is_whole(one.text)][:1]
    for one in taken:
        yield {"text": one.text, "page": one.page}


def _sentences(found: Extraction) -> Iterator[Sentence]:
    page = next((one.page for one in found.evidence.get("abstract", ())), 1)
    yield from _split(found.abstract, page, "abstract")
    for section in found.sections:
        if section.type in PLACES and (section.type != "abstract" or not found.abstract):
            for paragraph in section.paragraphs:
                yield from _split(section.text[slice(*paragraph.at)], paragraph.page, section.type)


def _split(text: str, page: int, place: str) -> Iterator[Sentence]:
    starts = [*sentence_starts(text), len(text)]
    count = max(1, len(starts) - 2)
    for number, (start, end) in enumerate(pairwise(starts)):
        yield Sentence(text[start:end].strip(), page, place, number / count)


def _is_whole(text: str) -> bool:
    return text[0].isupper() and text[-1] in ".!?" and not NOT_OURS.search(text)


def _weight(one: Sentence, pattern: re.Pattern[str], terms: list[str]) -> float:
    cue = pattern.search(one.text)
    if cue is None or (pattern is ANY and one.place not in ("abstract", "introduction")):
        return 0.0
    small = one.text.lower()
    said = sum([term in small for term in terms])
    early = 0.6 if cue.start() < 40 else 0.0
    towards = one.part if pattern is FOUND else 1 - one.part  # what was found comes last
    return 1.0 + early + PLACES[one.place] + 0.25 * min(said, 4) + 0.3 * towards

"""Extractor of key sentences: the contribution and the result of a paper, verbatim with page."""

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
MIN_LENGTH, MAX_LENGTH = 60, 330
MIN_SCORE, MIN_SCORE_WITHOUT_CUE = 2.2, 2.6
"""Minimum scores; a sentence without a cue must contain more keyphrases."""
CONTRIBUTION_CUE = re.compile(
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
RESULT_CUE = re.compile(
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
OTHER_WORK = re.compile(
    r"\bet al\b|\[\d|\(\d{4}\)|\d{4}[a-z]?\)|\b(?:table|fig(?:ure)?s?|section|eq(?:uation)?s?|theorem|lemma|"
    r"chapter|appendix)\b\.? ?\d|previous(?:ly)? |organi[sz]ed as follows|rest of (?:this|the) paper|remainder of|"
    r"future work|we (?:thank|acknowledge)|doi\.org|https?:|©",
    re.I,
)
NO_CUE = re.compile(r"")
SECTION_SCORES = {"abstract": 1.3, "conclusion": 1.0, "introduction": 0.8, "discussion": 0.4, "results": 0.2}
"""Score of a sentence by the type of its section."""


class Sentence(NamedTuple):
    """A sentence with its position."""

    text: str
    page: int
    section_type: str
    relative_position: float
    """From 0, the first of its section, to 1, the last."""


def extract(context: PaperContext, found: Extraction) -> dict[str, Any]:
    """The sentences, the contribution first."""
    return {"key_sentences": tuple(key_sentences(found))}


def key_sentences(found: Extraction) -> Iterator[dict[str, Any]]:
    """At most one sentence of each kind, all different."""
    terms = [phrase["text"].lower() for phrase in found.keyphrases[:8]]
    sentences = [one for one in _sentences(found) if MIN_LENGTH <= len(one.text) <= MAX_LENGTH]
    selected: list[Sentence] = []
    for pattern, min_score in ((CONTRIBUTION_CUE, MIN_SCORE), (RESULT_CUE, MIN_SCORE), (NO_CUE, MIN_SCORE_WITHOUT_CUE)):
        if pattern is NO_CUE and selected:
            break
        scored = [(_score(one, pattern, terms), -at, one) for at, one in enumerate(sentences) if one not in selected]
        ranked = sorted((one for one in scored if one[0] >= min_score), reverse=True)
        selected += [one for _, _, one in ranked if _is_self_contained(one.text)][:1]
    for one in selected:
        yield {"text": one.text, "page": one.page}


def _sentences(found: Extraction) -> Iterator[Sentence]:
    page = next((one.page for one in found.evidence.get("abstract", ())), 1)
    yield from _split(found.abstract, page, "abstract")
    for section in found.sections:
        if section.type in SECTION_SCORES and (section.type != "abstract" or not found.abstract):
            for paragraph in section.paragraphs:
                yield from _split(section.text[slice(*paragraph.at)], paragraph.page, section.type)


def _split(text: str, page: int, section_kind: str) -> Iterator[Sentence]:
    starts = [*sentence_starts(text), len(text)]
    count = max(1, len(starts) - 2)
    for number, (start, end) in enumerate(pairwise(starts)):
        yield Sentence(text[start:end].strip(), page, section_kind, number / count)


def _is_self_contained(text: str) -> bool:
    return text[0].isupper() and text[-1] in ".!?" and not OTHER_WORK.search(text)


def _score(one: Sentence, pattern: re.Pattern[str], terms: list[str]) -> float:
    cue = pattern.search(one.text)
    if cue is None or (pattern is NO_CUE and one.section_type not in ("abstract", "introduction")):
        return 0.0
    lower = one.text.lower()
    term_count = sum([term in lower for term in terms])
    early_bonus = 0.6 if cue.start() < 40 else 0.0
    position_score = one.relative_position if pattern is RESULT_CUE else 1 - one.relative_position  # results come last
    return 1.0 + early_bonus + SECTION_SCORES[one.section_type] + 0.25 * min(term_count, 4) + 0.3 * position_score

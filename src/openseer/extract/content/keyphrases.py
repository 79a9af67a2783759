"""Extractor of keyphrases: terms of the paper that are frequent in it, early, in headings, and rare elsewhere."""

from __future__ import annotations

import gzip
import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import Any

from openseer.core.model.extraction import Extraction
from openseer.extract.content.phrase_stopwords import SMALL_WORDS
from openseer.extract.context import PaperContext
from openseer.extract.models.paths import model_file

name, version = "keyphrases", 1
needs = ("header", "body")
COMMON = "common.txt.gz"
WORD = re.compile(r"[^\W\d_](?:[\w’'-]*\w)?|[^\s\w]|\d[\w.]*")
MAX_BODY_LETTERS = 6_000
"""Letters of the body; the beginning is most relevant."""
MAX_PHRASE_WORDS, MAX_PHRASES = 4, 12
UNKNOWN_PER_MILLE = 0.25
"""Document frequency per thousand texts of a word that is not in the table."""
MAX_PER_MILLE = 45.0
"""A phrase begins with no word of a higher document frequency, and ends with one only if it is in HEADS."""
POOL_SIZE, SIMILAR_SCORE = 60, 0.55
LENGTH_WEIGHTS = (0.0, 0.62, 1.15, 1.2, 1.0)
"""By number of words."""
ENDINGS = """
algorithm analysis approach architecture behavior behaviour control data detection development distribution
effect equation estimation evaluation extraction field function group index inference information language
learning management measure mechanism memory method model modeling network performance problem process
processing program rate recognition research response review selection space structure study surface system
technique test testing theory therapy training treatment trial value
"""
HEADS = frozenset(ENDINGS.split())
"""Common words that may end a term."""
Words = tuple[str, ...]


@cache
def document_frequencies() -> dict[str, float]:
    """Word -> document frequency per thousand scholarly texts."""
    lines = gzip.decompress(model_file(COMMON).read_bytes()).decode().splitlines()
    return {word: float(share) for word, share in map(str.split, lines)}


def extract(context: PaperContext, found: Extraction) -> dict[str, Any]:
    """Phrases with a score from 0 to 1, the best first."""
    return {"keyphrases": tuple(keyphrases(found))}


def keyphrases(found: Extraction) -> Iterator[dict[str, Any]]:
    """The best phrases of title, abstract, headings and text."""
    body = " ".join([section.text for section in found.sections if section.type != "references"])[:MAX_BODY_LETTERS]
    headings = " . ".join([section.heading for section in found.sections])
    printed: dict[Words, str] = {}
    parts = [phrases(text, printed) for text in (found.title, found.abstract, headings, body)]
    counts = Counter(chain.from_iterable(parts))
    in_title, in_abstract, in_headings = map(set, parts[:3])
    scores = {
        words: _score(words, count)
        * (1 + 1.6 * (words in in_title) + 0.8 * (words in in_abstract) + 0.4 * (words in in_headings))
        for words, count in counts.items()
        if count > 1
    }
    _drop_parts(scores, counts)
    ranked = sorted(scores, key=lambda words: (-scores[words], words))
    for words in _without_overlaps(ranked, scores):
        yield {"text": printed[words], "score": round(scores[words] / scores[ranked[0]], 3)}


def _score(words: Words, count: int) -> float:
    table = document_frequencies()
    rare = sum([math.log(1000 / table.get(word, UNKNOWN_PER_MILLE)) for word in words]) / len(words)
    return LENGTH_WEIGHTS[len(words)] * math.log1p(count) * rare


def _drop_parts(scores: dict[Words, float], counts: Counter[Words]) -> None:
    """Drop phrases that nearly always occur as a part of one longer phrase."""
    for words in [words for words in scores if len(words) > 1]:
        for part in (words[1:], words[:-1]):
            if part in scores and counts[words] >= 0.6 * counts[part]:
                del scores[part]


def _without_overlaps(ranked: list[Words], scores: dict[Words, float]) -> Iterator[Words]:
    """The best phrases without those contained in a similarly good one, or containing a better one."""
    pool = [(f" {' '.join(words)} ", words) for words in ranked[:POOL_SIZE]]
    selected: list[str] = []
    for text, words in pool:
        is_covered = any(
            [
                text in other and text != other and scores[longer] > SIMILAR_SCORE * scores[words]
                for other, longer in pool
            ]
        )
        if not is_covered and not any([text in other or other in text for other in selected]):
            selected.append(text)
            yield words
        if len(selected) == MAX_PHRASES:
            break


def phrases(text: str, printed: dict[Words, str] | None = None) -> list[Words]:
    """Every run of up to four words between stop words and punctuation, normalised; `printed` gets the printed forms.

    >>> phrases("The boiling point of waters.")
    [('boiling',), ('boiling', 'point'), ('point',), ('water',)]
    """
    printed_forms = {} if printed is None else printed
    found: list[Words] = []
    words_in_run: list[str] = []
    for word in [*WORD.findall(text), "."]:
        if word[0].isalpha() and len(word) > 1 and word.lower() not in SMALL_WORDS:
            words_in_run.append(word)
        elif words_in_run:
            _add_phrases(words_in_run, found, printed_forms)
            words_in_run = []
    return found


def _add_phrases(run: list[str], found: list[Words], printed_forms: dict[Words, str]) -> None:
    normalised = [_normalise(word) for word in run]
    for first, (_, may_start, _) in enumerate(normalised):
        if not may_start:
            continue
        for last in range(first, min(first + MAX_PHRASE_WORDS, len(run))):
            if normalised[last][1] or (last > first and normalised[last][2]):
                words = tuple([lower for lower, _, _ in normalised[first : last + 1]])
                found.append(words)
                if words not in printed_forms:
                    printed_forms[words] = " ".join(run[first : last + 1])


@lru_cache(20_000)
def _normalise(word: str) -> tuple[str, bool, bool]:
    """The normalised word, whether it may start or end a phrase, and whether it may only end one."""
    lower = singular(word.lower())
    return lower, document_frequencies().get(lower, 0.0) < MAX_PER_MILLE and len(lower) > 2, lower in HEADS


def singular(word: str) -> str:
    """A lower-case word without its English plural."""
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "suia":
        return word[:-3] + "y" if word.endswith("ies") and len(word) > 5 else word[:-1]
    return word

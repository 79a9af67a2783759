"""Keyphrases: what a paper says often, early and in headings, in words that others do not use. None is invented."""

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
ENOUGH = 6_000
"""Letters of the body that are read: what is said first matters most."""
LONGEST, MOST = 4, 12
"""Words of a phrase; phrases of a paper."""
UNKNOWN = 0.25
"""In how many of a thousand texts a word stands that the table does not hold."""
COMMONEST = 45.0
"""A phrase begins with no word that stands in more of a thousand texts, and ends with one only if it is of HEADS."""
POOL, NEARLY = 60, 0.55
WORTH = (0.0, 0.62, 1.15, 1.2, 1.0)
"""By number of words."""
ENDINGS = """
algorithm analysis approach architecture behavior behaviour control data detection development distribution
effect equation estimation evaluation extraction field function group index inference information language
learning management measure mechanism memory method model modeling network performance problem process
processing program rate recognition research response review selection space structure study surface system
technique test testing theory therapy training treatment trial value
"""
HEADS = frozenset(ENDINGS.split())
"""Common words that end a term."""
Words = tuple[str, ...]


@cache
def common() -> dict[str, float]:
    """Word -> in how many of a thousand scholarly texts it stands."""
    lines = gzip.decompress(model_file(COMMON).read_bytes()).decode().splitlines()
    return {word: float(share) for word, share in map(str.split, lines)}


def extract(opened: PaperContext, found: Extraction) -> dict[str, Any]:
    """The phrases with a score from 0 to 1, the best first."""
    return {"keyphrases": tuple(keyphrases(found))}


def keyphrases(found: Extraction) -> Iterator[dict[str, Any]]:
    """The best phrases of title, abstract, headings and text."""
    body = " ".join([section.text for section in found.sections if section.type != "references"])[:ENOUGH]
    headings = " . ".join([section.heading for section in found.sections])
    printed: dict[Words, str] = {}
    parts = [phrases(text, printed) for text in (found.title, found.abstract, headings, body)]
    counts = Counter(chain.from_iterable(parts))
    titled, summed, headed = map(set, parts[:3])
    scores = {
        words: _score(words, count) * (1 + 1.6 * (words in titled) + 0.8 * (words in summed) + 0.4 * (words in headed))
        for words, count in counts.items()
        if count > 1
    }
    _leave_out_parts(scores, counts)
    ranked = sorted(scores, key=lambda words: (-scores[words], words))
    for words in _apart(ranked, scores):
        yield {"text": printed[words], "score": round(scores[words] / scores[ranked[0]], 3)}


def _score(words: Words, count: int) -> float:
    table = common()
    rare = sum([math.log(1000 / table.get(word, UNKNOWN)) for word in words]) / len(words)
    return WORTH[len(words)] * math.log1p(count) * rare


def _leave_out_parts(scores: dict[Words, float], counts: Counter[Words]) -> None:
    """Drop what is said nearly always as a part of one longer phrase."""
    for words in [words for words in scores if len(words) > 1]:
        for part in (words[1:], words[:-1]):
            if part in scores and counts[words] >= 0.6 * counts[part]:
                del scores[part]


def _apart(ranked: list[Words], scores: dict[Words, float]) -> Iterator[Words]:
    """The first ones, without those that a phrase nearly as good holds, or that hold a better one."""
    pool = [(f" {' '.join(words)} ", words) for words in ranked[:POOL]]
    taken: list[str] = []
    for text, words in pool:
        held = any(
            [text in other and text != other and scores[longer] > NEARLY * scores[words] for other, longer in pool]
        )
        if not held and not any([text in other or other in text for other in taken]):
            taken.append(text)
            yield words
        if len(taken) == MOST:
            break


def phrases(text: str, printed: dict[Words, str] | None = None) -> list[Words]:
    """Every run of up to four words between small words and signs, as compared; `printed` gets how each is spelled.

    >>> phrases("The boiling point of waters.")
    [('boiling',), ('boiling', 'point'), ('point',), ('water',)]
    """
    forms = {} if printed is None else printed
    found: list[Words] = []
    run: list[str] = []
    for word in [*WORD.findall(text), "."]:
        if word[0].isalpha() and len(word) > 1 and word.lower() not in SMALL_WORDS:
            run.append(word)
        elif run:
            _add(run, found, forms)
            run = []
    return found


def _add(run: list[str], found: list[Words], forms: dict[Words, str]) -> None:
    known = [_known(word) for word in run]
    for first, (_, opens, _) in enumerate(known):
        if not opens:
            continue
        for last in range(first, min(first + LONGEST, len(run))):
            if known[last][1] or (last > first and known[last][2]):
                words = tuple([small for small, _, _ in known[first : last + 1]])
                found.append(words)
                if words not in forms:
                    forms[words] = " ".join(run[first : last + 1])


@lru_cache(20_000)
def _known(word: str) -> tuple[str, bool, bool]:
    """A word as compared, whether it may stand at both ends of a phrase, and whether it may end one."""
    small = singular(word.lower())
    return small, common().get(small, 0.0) < COMMONEST and len(small) > 2, small in HEADS


def singular(word: str) -> str:
    """A word in small letters without its English plural."""
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "suia":
        return word[:-3] + "y" if word.endswith("ies") and len(word) > 5 else word[:-1]
    return word

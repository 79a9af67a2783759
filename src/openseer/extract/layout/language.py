"""Language detection by stop words."""

from __future__ import annotations

import re

STOP_WORDS_BY_LANGUAGE = {
    "en": "the of and to in is that for with as are by on be this we an from it which was were have not at or can",
    "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus "
    "er hat dass",
    "fr": "de la le et les des en un du une que est pour qui dans par plus au sur ne se pas ce avec sont il ou aux "
    "cette",
    "es": "de la que el en y los del se las por un para con no una su al lo como más es o pero sus le ha son entre "
    "este",
    "pt": "de a o que e do da em um para com não uma os no se na por mais as dos como mas ao das à seu sua ou são é "
    "pelo",
    "it": "di e il la che in un a per è una sono con non si da come del le dei nel alla della più anche i delle gli "
    "al ha",
    "nl": "de van het een en in is dat op te zijn met voor niet aan er om ook als dan bij uit door naar wordt "
    "worden deze",
    "ru": "и в не на что с по как это из к у от за для то так же но о при или его все мы он был также между может",
    "el": "και το της του να την η με που για τα των από στην είναι ο οι σε τη στο τον θα δεν ως ή στη αυτό κατά",
}
STOP_WORD_SETS = {code: frozenset(words.split()) for code, words in STOP_WORDS_BY_LANGUAGE.items()}
LANGUAGES_OF_WORD = {
    word: tuple(code for code, known in STOP_WORD_SETS.items() if word in known)
    for words in STOP_WORD_SETS.values()
    for word in words
}
"""Stop word -> codes of its languages."""
STOP_WORDS = frozenset(word for words in STOP_WORD_SETS.values() for word in words if len(word) > 1)
"""Stop words of all languages."""
WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str, limit: int = 4000) -> str:
    """ISO 639-1 code of the language of a text, or "" if unknown.

    >>> language_of("Der Hund und die Katze sind in dem Haus, das nicht weit von hier ist.")
    'de'
    """
    words = [word.lower() for word in WORD.findall(text[: 10 * limit])[:limit]]
    if len(words) < 5:
        return ""
    counts = dict.fromkeys(STOP_WORD_SETS, 0)
    for word in words:
        for code in LANGUAGES_OF_WORD.get(word, ()):
            counts[code] += 1
    best, second = sorted(counts, key=counts.__getitem__, reverse=True)[:2]
    if counts[best] < 0.08 * len(words) or counts[best] - counts[second] < 0.01 * len(words):
        return ""
    return best


def is_language(text: str) -> bool:
    """True if the text looks like natural language: it has words, and mostly letters."""
    start = text[:20_000]
    words = WORD.findall(start)
    visible = sum(map(len, start.split()))
    return any(len(word) > 1 for word in words) and sum(map(len, words)) > 0.3 * visible

"""Which language a text is in, told by its most frequent small words."""

from __future__ import annotations

import re

STOP_WORDS = {
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
WORDS = {code: frozenset(words.split()) for code, words in STOP_WORDS.items()}
SPOKEN = {
    word: tuple(code for code, known in WORDS.items() if word in known) for words in WORDS.values() for word in words
}
"""Word -> the languages it is a small word of."""
STOPS = frozenset(word for words in WORDS.values() for word in words if len(word) > 1)
"""The small words of all languages."""
WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str, limit: int = 4000) -> str:
    """The ISO 639-1 code of the text's language, or "" when it is none we know.

    >>> language_of("Der Hund und die Katze sind in dem Haus, das nicht weit von hier ist.")
    'de'
    """
    words = [word.lower() for word in WORD.findall(text[: 10 * limit])[:limit]]
    if len(words) < 5:
        return ""
    counts = dict.fromkeys(WORDS, 0)
    for word in words:
        for code in SPOKEN.get(word, ()):
            counts[code] += 1
    best, second = sorted(counts, key=counts.__getitem__, reverse=True)[:2]
    if counts[best] < 0.08 * len(words) or counts[best] - counts[second] < 0.01 * len(words):
        return ""
    return best


def is_language(text: str) -> bool:
    """Whether a text may be in some language, known to us or not: it has words, and letters rather than signs."""
    start = text[:20_000]
    words = WORD.findall(start)
    visible = sum(map(len, start.split()))
    return any(len(word) > 1 for word in words) and sum(map(len, words)) > 0.3 * visible

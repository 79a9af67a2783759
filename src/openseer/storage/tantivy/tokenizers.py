"""How words are made of texts: folded, endings off by language, pairs of signs where a script has no spaces."""

from __future__ import annotations

from functools import cache

import tantivy

from openseer.core.text.cjk_bigrams import with_bigrams

STEMMED, FOLDED = "words", "folded"
"""Names of the two ways; the first is the second with English endings off."""
LANGUAGES = {
    "de": "german", "es": "spanish", "fr": "french", "it": "italian", "nl": "dutch", "pt": "portuguese",
    "ru": "russian", "sv": "swedish", "da": "danish", "no": "norwegian", "fi": "finnish", "hu": "hungarian",
    "ro": "romanian", "tr": "turkish", "el": "greek", "ar": "arabic",
}  # fmt: skip
"""Languages other than English whose endings are known."""


def _folding() -> tantivy.TextAnalyzerBuilder:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (tantivy.Filter.remove_long(60), tantivy.Filter.lowercase(), tantivy.Filter.ascii_fold()):
        builder = builder.filter(step)
    return builder


@cache
def folder() -> tantivy.TextAnalyzer:
    """Words, lower case, without accents; very long ones are noise."""
    return _folding().build()


@cache
def analyzer(language: str = "english") -> tantivy.TextAnalyzer:
    """The same with endings off: the words of the index."""
    return _folding().filter(tantivy.Filter.stemmer(language)).build()


def prepared(text: str, language: str) -> str:
    """A text whose words, once English endings are off too, are those that `forms` gives for a query."""
    text = with_bigrams(text)
    if language not in LANGUAGES:
        return text
    return " ".join(analyzer(LANGUAGES[language]).analyze(text))


def forms(text: str, languages: tuple[str, ...]) -> list[list[str]]:
    """The words of a query as a text of each language would have them; English first, no list twice."""
    text = with_bigrams(text)
    found = [analyzer().analyze(text)]
    for language in languages:
        if language in LANGUAGES:
            tokens = analyzer().analyze(" ".join(analyzer(LANGUAGES[language]).analyze(text)))
            if tokens not in found:
                found.append(tokens)
    return [tokens for tokens in found if tokens]


def folded(text: str) -> list[str]:
    """Words as they are printed, but for case and accents."""
    return folder().analyze(with_bigrams(text))

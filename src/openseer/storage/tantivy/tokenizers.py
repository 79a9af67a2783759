"""Tokenizers: case and accent folding, stemming by language, bigrams for scripts without spaces."""

from __future__ import annotations

from functools import cache

import tantivy

from openseer.core.text.cjk_bigrams import with_bigrams

STEMMED, FOLDED = "words", "folded"
"""Names of the two tokenizers; the first also stems English words."""
LANGUAGES = {
    "de": "german", "es": "spanish", "fr": "french", "it": "italian", "nl": "dutch", "pt": "portuguese",
    "ru": "russian", "sv": "swedish", "da": "danish", "no": "norwegian", "fi": "finnish", "hu": "hungarian",
    "ro": "romanian", "tr": "turkish", "el": "greek", "ar": "arabic",
}  # fmt: skip
"""Stemmers of the languages other than English."""


def _folding_builder() -> tantivy.TextAnalyzerBuilder:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (tantivy.Filter.remove_long(60), tantivy.Filter.lowercase(), tantivy.Filter.ascii_fold()):
        builder = builder.filter(step)
    return builder


@cache
def folding_analyzer() -> tantivy.TextAnalyzer:
    """Analyzer: words in lower case without accents; very long ones are dropped."""
    return _folding_builder().build()


@cache
def stemming_analyzer(language: str = "english") -> tantivy.TextAnalyzer:
    """Analyzer: folded and stemmed words."""
    return _folding_builder().filter(tantivy.Filter.stemmer(language)).build()


def stemmed_text(text: str, language: str) -> str:
    """A text for indexing, stemmed by its language; the index stems in English too, as `query_forms` does."""
    text = with_bigrams(text)
    if language not in LANGUAGES:
        return text
    return " ".join(stemming_analyzer(LANGUAGES[language]).analyze(text))


def query_forms(text: str, languages: tuple[str, ...]) -> list[list[str]]:
    """Distinct token lists of a query, one for each language; English first."""
    text = with_bigrams(text)
    found = [stemming_analyzer().analyze(text)]
    for language in languages:
        if language in LANGUAGES:
            tokens = stemming_analyzer().analyze(" ".join(stemming_analyzer(LANGUAGES[language]).analyze(text)))
            if tokens not in found:
                found.append(tokens)
    return [tokens for tokens in found if tokens]


def folded(text: str) -> list[str]:
    """Words without stemming, folded."""
    return folding_analyzer().analyze(with_bigrams(text))

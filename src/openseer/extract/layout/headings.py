"""Patterns of the standard section headings of a paper, in all supported languages."""

from __future__ import annotations

import re

SECTION_NUMBER = r"(?:(?:§ ?)?(?:\d{1,2}|[IVX]{1,5}|[A-Z])(?:\.\d{1,2}){0,3}\.?[)\s]\s*)?"

REFERENCES = re.compile(
    SECTION_NUMBER
    + r"(?:references?(?: and (?:notes|recommended reading|further reading))?|references? cited|literature cited|"
    r"cited literature|literature|"
    r"bibliograph(?:y|ie|ia|ía)|bibliographical references|works cited|selected (?:references|bibliography)|"
    r"list of references|"
    r"literatur(?:verzeichnis|angaben|hinweise|liste)?|quellen(?:verzeichnis)?|quellen- und literaturverzeichnis|"
    r"références(?: bibliographiques)?|referencias(?: bibliográficas)?|referências(?: bibliográficas)?|"
    r"riferimenti(?: bibliografici)?|"
    r"referenties|литература|список (?:использованной )?литературы|список использованных источников|"
    r"библиографи(?:я|ческий список)|βιβλιογραφία|αναφορές|r e f e r e n c e s|source references|reference list)",
    re.I,
)
ABSTRACT = re.compile(
    r"(?:abstract|a b s t r a c t|summary|zusammenfassung|kurzfassung|résumé|resumen|resumo|riassunto|sommario|"
    r"samenvatting|аннотация|реферат|περίληψη|synopsis)",
    re.I,
)
KEYWORDS = re.compile(
    r"(?:key[- ]?words?(?: and phrases)?|k e y ?w o r d s|index terms|schlüsselwörter|schlagwörter|"
    r"schlagworte|mots[- ]clés|palabras clave|palavras[- ]chave|parole chiave|"
    r"trefwoorden|ключевые слова|categories and subject descriptors|general terms|jel classification|msc|"
    r"(?:\d{4} )?mathematics subject classification|ams subject classification|pacs)",
    re.I,
)
INTRODUCTION = re.compile(
    SECTION_NUMBER
    + r"(?:introduction|background|einleitung|einführung|introducción|introdução|introduzione|inleiding|введение|"
    r"εισαγωγή|motivation|"
    r"statement of need|summary|contents|table of contents|inhalt(?:sverzeichnis)?)",
    re.I,
)
ACKNOWLEDGMENTS = re.compile(
    SECTION_NUMBER
    + r"(?:acknowledge?ments?|danksagung(?:en)?|remerciements|agradecimientos|agradecimentos|ringraziamenti|"
    r"dankwoord|благодарности|funding)",
    re.I,
)
AFTER_REFERENCES = re.compile(
    SECTION_NUMBER
    + r"(?:appendi(?:x|ces)\b.*|anhang\b.*|annex\b.*|supplement(?:ary|al)? (?:material|information|data|figures?|"
    r"tables?)s?.*|"
    r"about the authors?|authors?['’]? (?:biograph(?:y|ies)|affiliations?|contributions?|information|details)|"
    r"biograph(?:y|ies|ical notes?)|acknowledge?ments?|"
    r"competing interests?|conflicts? of interests?|funding|publish with .*|figure legends?|tables?|figures?|"
    r"zur person|über den autor.*|"
    r"angaben zum autor.*|author details|pre-publication history|приложение.*|index|reviews?|notes|"
    r"open access|publisher['’]s note.*|licen[cs]es?|copyright.{0,40}|permissions)",
    re.I,
)
SECTION_TYPES = (
    ("abstract", ABSTRACT),
    ("introduction", INTRODUCTION),
    ("references", REFERENCES),
    ("acknowledgments", ACKNOWLEDGMENTS),
    (
        "related work",
        re.compile(SECTION_NUMBER + r"(?:related works?|previous work|literature review|state of the art)", re.I),
    ),
    (
        "methods",
        re.compile(
            SECTION_NUMBER
            + r"(?:(?:materials? and )?methods?|methodology|methodik|methoden|experimental(?: (?:setup|section))?|"
            r"patients and methods)",
            re.I,
        ),
    ),
    (
        "results",
        re.compile(
            SECTION_NUMBER
            + r"(?:results?(?: and discussion)?|experiments?|experimental results|ergebnisse|evaluation|findings|"
            r"résultats|resultados|результаты)",
            re.I,
        ),
    ),
    ("discussion", re.compile(SECTION_NUMBER + r"(?:discussion|diskussion|discusión|discussão|обсуждение)", re.I)),
    (
        "conclusion",
        re.compile(
            SECTION_NUMBER
            + r"(?:(?:summary and )?conclusions?|concluding remarks|fazit|schluss(?:folgerungen|bemerkung)?|"
            r"conclusiones|conclusão|заключение|выводы)",
            re.I,
        ),
    ),
    ("appendix", re.compile(SECTION_NUMBER + r"(?:appendix|anhang|annex|supplementary material)\b.*", re.I)),
)


HEADING_EDGES = " .:•*■◆–—-\u2003"
MAX_HEADING_LENGTH = 100
"""Characters; longer lines are not headings."""


def is_heading(pattern: re.Pattern[str], text: str) -> bool:
    """True if the line consists of this heading alone.

    >>> is_heading(REFERENCES, "7. Literaturverzeichnis")
    True
    """
    return len(text) < MAX_HEADING_LENGTH and bool(pattern.fullmatch(text.strip(HEADING_EDGES)))


ANY_SECTION_TYPE = re.compile("|".join(f"(?:{pattern.pattern})" for _, pattern in SECTION_TYPES), re.I)


def section_type(text: str) -> str:
    """Section type of a heading, or an empty string."""
    if len(text) >= MAX_HEADING_LENGTH:
        return ""
    stripped = text.strip(HEADING_EDGES)
    if not ANY_SECTION_TYPE.fullmatch(stripped):
        return ""
    return next((name for name, pattern in SECTION_TYPES if pattern.fullmatch(stripped)), "")

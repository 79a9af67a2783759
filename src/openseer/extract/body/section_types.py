"""Canonical section types by heading, in all supported languages."""

from __future__ import annotations

import re

from openseer.extract.layout.headings import HEADING_EDGES, MAX_HEADING_LENGTH, section_type

SECTION_NUMBER = re.compile(
    r"(?:(?:section|chapter|kapitel|teil|part)\s+)?(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,5}|[A-Z])[.):|]?\s+", re.I
)
HEADING_PATTERNS = {
    "introduction": r"introduct\w+|background|motivation|overview|einleitung|einführung|hintergrund|"
    r"introducción|introdução|introduzione|inleiding|введение|problem statement|aims?|"
    r"objectives?|purpose|research questions?|statement of need|fragestellung|problemstellung|"
    r"objetivos?",
    "related work": r"related (?:works?|research|literature)|previous (?:works?|research|studies)|"
    r"prior (?:works?|art)|literature (?:review|survey)|review of (?:the )?literature|"
    r"state of the art|forschungsstand|stand der forschung|trabajos relacionados|"
    r"trabalhos relacionados|revisión de la literatura|обзор литературы",
    "theory": r"theor(?:y|etical)\b.{0,40}|theoretischer? .{0,30}|conceptual framework|preliminaries|"
    r"notation|(?:basic )?definitions|marco teórico|referencial teórico|hypothes[ei]s|"
    r"hypothesen",
    "methods": r"(?:materials?|patients|subjects|data|participants|experimental)?(?: (?:and|"
    r"&) )?(?:methods?|methodology)\b.{0,30}|method(?:s|ology|en|ik)?|(?:our |the |"
    r"proposed )?(?:approach|model|algorithm|system|architecture)|implementation(?: details)?|"
    r"experimental (?:section|setup|set-up|design|procedures?|settings?)|study design|"
    r"(?:statistical|data) anal\w+|procedures?|measures|instruments?|vorgehen(?:sweise)?|"
    r"méthodes?|méthodologie|métodos?|metodología|metodologia|metodi|материалы и методы|методы",
    "data": r"data(?: ?sets?| sources?| collection| extraction| and \w+)?|corp(?:us|ora)|samples?|"
    r"participants|subjects|study (?:area|population|site)s?|patients|materials?|"
    r"daten(?:basis|erhebung)?|stichprobe|datos|dados|cohort",
    "results": r"(?:experimental |numerical |main |simulation |empirical )?results?\b.{0,30}|findings|"
    r"experiments?|evaluation|(?:experimental |empirical )(?:evaluation|analysis|study)|"
    r"ergebnisse|befunde|auswertung|résultats|resultados?|risultati|результаты|observations?|"
    r"simulations?|applications?|case stud(?:y|ies)|case (?:report|presentation)|examples?",
    "discussion": r"(?:general |results and )?discussions?\b.{0,30}|diskussion|discusión|discussão|"
    r"discussione|обсуждение|limitations?(?: and .{0,30})?|implications?\b.{0,40}|"
    r"strengths and limitations|error analysis",
    "conclusion": r"(?:summary and |discussion and )?conclusions?\b.{0,40}|concluding remarks|summary|fazit|"
    r"ausblick|zusammenfassung und .{0,20}|schluss\w*|conclusion(?:es|e)?|conclusão|"
    r"considerações finais|conclusioni|заключение|выводы|future (?:works?|research|"
    r"directions)|outlook|perspectives",
    "acknowledgments": r"acknowledge?ments?\b.{0,30}|danksagung\w*|remerciements|agradec\w+|ringraziamenti|"
    r"благодарности",
    "funding": r"(?:sources? of )?funding\b.{0,30}|financial (?:support|disclosure)|förderung|grants?",
    "contributions": r"authors?['’]? contributions?\b.{0,20}|contributions?|contributors(?:hip)?",
    "interests": r"(?:competing|conflicts? of|declarations? of)(?: \w+)? interests?\b.{0,20}|"
    r"disclosures?(?: statement)?|conflicts? of interests?|interessenkonflikt\w*",
    "ethics": r"ethic\w+\b.{0,50}|(?:informed )?consent\b.{0,40}|institutional review board\b.{0,20}",
    "availability": r"(?:data|code|software|materials?)?(?: (?:and|&) \w+ ?)?\s?(?:availability|"
    r"accessibility)\b.{0,40}|accession (?:numbers?|codes?)|reproducibility",
    "supplement": r"suppl\w+\b.{0,40}|supporting information\b.{0,20}|additional (?:files?|information)|"
    r"electronic supplement\w+\b.{0,20}",
    "appendix": r"appendi(?:x|ces)\b.{0,80}|an(?:hang|lage)\b.{0,60}|annex\w*\b.{0,60}|apéndice\b.*|"
    r"apêndice\b.*|приложение\b.*",
    "abbreviations": r"(?:list of )?abbreviations?\b.{0,20}|nomenclature|glossary|abkürzung\w+|symbols",
    "abstract": r"abstract|zusammenfassung|résumé|resumen|resumo|riassunto|samenvatting|аннотация|"
    r"highlights",
    "references": r"references\b.{0,20}|bibliography|literature(?: cited)?|works cited|literatur\w*|"
    r"bibliograf\w+",
}  # fmt: skip
SECTION_PATTERNS = tuple(
    (section_kind, re.compile(pattern, re.I)) for section_kind, pattern in HEADING_PATTERNS.items()
)


def section_type_of(heading: str) -> str:
    """The canonical type of a section by its heading, or an empty string.

    >>> section_type_of("3.2 Experimental setup"), section_type_of("The life of bees")
    ('methods', '')
    """
    if len(heading) >= MAX_HEADING_LENGTH:
        return ""
    stripped = heading.strip(HEADING_EDGES)
    standard_type = section_type(heading)
    if standard_type in ("references", "abstract", "acknowledgments"):
        return standard_type
    stripped = SECTION_NUMBER.sub("", stripped, count=1) if SECTION_NUMBER.match(stripped) else stripped
    return (
        next((type_name for type_name, pattern in SECTION_PATTERNS if pattern.fullmatch(stripped)), "") or standard_type
    )

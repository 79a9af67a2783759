"""Features of the scholarly document classifier, each as one number.

Words are counted once over the beginning and the end of the text, which takes two milliseconds a paper."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable

from openseer.core.model.extraction import Extraction
from openseer.extract.pdf.page_model import PageSize

HEAD_LENGTH, TAIL_LENGTH = 14_000, 6_000
"""Characters of the beginning and the end of the text."""
FRONT_LENGTH = 3_000
"""Characters of the first page."""
WORD = re.compile(r"\w+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _patterns(*forms: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, forms))


WORD_GROUPS = {
    "talks of method and results": _words(
        "result results method methods methodology experiment experiments experimental hypothesis hypotheses dataset"
        " datasets significant significantly analysis analyses evaluation estimate estimated parameters sample samples"
        " ergebnis ergebnisse methode methoden stichprobe untersuchung auswertung résultats méthode méthodes analyse"
        " resultados método métodos análise análisis risultati metodo результаты метод методы анализ"
    ),
    "reasons with theories": _words(
        "theory theories theoretical concept concepts conceptual empirical argue argues argued framework literature"
        " research researchers scholars studies findings discourse perspective theorie theorien forschung begriff"
        " begriffe studie studien literatur these diskurs théorie recherche recherches littérature teoria pesquisa"
        " teoría investigación теория исследование исследования литература"
    ),
    "proves and calculates": _words(
        "theorem lemma proof corollary proposition equation equations denote denotes suppose algebra manifold matrix"
        " algorithm polynomial integral convergence satz beweis gleichung théorème preuve teorema lema proposição"
        " demonstração definição теорема лемма доказательство"
    ),
    "measures nature": _words(
        "cells cell protein proteins gene genes species patients patient clinical plants temperature concentration"
        " spectra energy mice treatment disease tissue acid samples laser quantum electron wavelength"
    ),
    "speaks of money": _words(
        "invoice invoices payment payable price prices total subtotal vat iban discount rechnung rechnungsnummer betrag"
        " mwst facture montant ttc factuur btw bedrag bic qty amount due billing customer order shipping netto brutto"
    ),
    "speaks of law and contracts": _words(
        "shall hereby hereinafter herein thereof pursuant plaintiff plaintiffs defendant defendants court appeal"
        " parties party agreement confidential treaty convention paragraph article articles clause disclosure section"
        " act regulations decree contracting états règlement gesetz verordnung"
    ),
    "gives instructions": _words(
        "please click press select install your you must ensure step steps warning caution note check button remove"
        " device installation use manual bitte drücken vous cliquez"
    ),
    "is a form to fill in": _words(
        "form omb signature instructions attach enter line lines schedule taxpayer filing tax checkbox box applicant"
        " formular unterschrift"
    ),
    "is a life in dates": _words(
        "curriculum vitae résumé resume skills employment internship intern hobbies lebenslauf kenntnisse gpa mobile"
        " linkedin github awards degree born engineer librarian manager bachelor coursework"
    ),
    "is a menu or leaflet": _words(
        "menu dessert desserts soup salad chicken restaurant sauce cheese tickets visit opening hours welcome"
        " reservation frites gerechten wijn fromage"
    ),
    "teaches a class": _words(
        "students teacher teachers lesson lessons classroom homework worksheet exercise exercises vocabulary questions"
        " novel chapter chapters discuss activity grade pupils answer"
    ),
    "reports to a board": _words(
        "board company shareholders quarter fiscal annual committee meeting agenda minutes members council approved"
        " department report audit factory compliance"
    ),
    "looks like a book": _words("isbn preface foreword paperback hardcover bookshop ebook novel story author's"),
}
"""Single words, counted per thousand."""
PHRASE_GROUPS = {
    "speaks of itself as a paper": _patterns(
        r"this (?:paper|article|study|work|thesis|chapter|note|report)\b",
        r"present (?:study|paper|work|article)\b",
        r"our (?:results|approach|method|model|findings|analysis)\b",
        r"diese(?:r|m) (?:beitrag|artikel|arbeit|aufsatz|studie)\b",
        r"cet(?:te)? (?:article|étude)\b",
        r"este (?:artigo|trabalho|artículo|trabajo)\b",
        r"ой (?:работе|статье)",
        r"στο παρόν",
    ),
    "says what its authors did": _patterns(
        r"we (?:propose|present|show|describe|study|introduce|investigate|report|find|found|prove|consider|use|analy|"
        r"compare|have|assume|define|obtain|argue|examine)",
        r"wir (?:zeigen|untersuchen|stellen|beschreiben)",
        r"nous (?:proposons|montrons|avons|étudions)",
        r"were (?:measured|collected|performed|analy[sz]ed|obtained)",
        r"was (?:measured|performed|carried out|obtained)",
    ),
    "names other authors": _patterns(r"et al\b", r"и др\.", r"\((?:eds|hrsg)", r"ibid\b", r"ebd\.", r"vgl\."),
    "cites in the text": _patterns(
        r"\[\d{1,3}[\],;–-]", r", (?:1[89]|20)\d\d[a-z]?[);:]", r"\((?:1[89]|20)\d\d[a-z]?[),:]"
    ),
    "points at figures and tables": _patterns(
        r"fig(?:ure|\.)? ?\d", r"tab(?:le|elle|leau|\.) ?[\divx]", r"abb(?:\.|ildung) ?\d", r"рис\. ?\d", r"табл\. ?\d"
    ),
    "has sums of money": _patterns(r"[$€£¥] ?\d", r" (?:eur|usd|€)\b"),
    "has blanks": _patterns(r"_____", r"[☐□]"),
    "has bullets": _patterns(r"[•●▪■◆]"),
}
"""Patterns on the lower-case text, counted per thousand words. Each begins with fixed letters where possible, which is
ten times faster than alternatives at the start."""
FRONT_WORDS = {
    "comes from an institute": _words(
        "university institute department laboratory faculty school college centre universität institut fakultät"
        " hochschule université laboratoire universidade departamento faculdade universidad instituto университет"
    ),
    "comes from a journal or a conference": _words(
        "journal proceedings conference workshop issn doi volume vol transactions zeitschrift tagungsband revue annals"
        " arxiv preprint received accepted revised submitted citation license cc arbeitspapier aufsatz beitrag"
        " dissertation thesis tese thèse diplomarbeit article pacs msc jel"
    ),
    "labels an abstract": _words("abstract zusammenfassung kurzfassung resumo resumen аннотация summary keywords"),
    "calls itself an invoice": _words("invoice rechnung facture factuur fattura factura bill billing receipt quittung"),
    "calls itself a form": _words("form omb formular voucher application attach schedule formulaire applicant"),
    "calls itself a manual": _words("manual manuals guide instructions handbook anleitung bedienungsanleitung leaflet"),
    "calls itself a report": _words(
        "report reports bericht rapport relatório informe audit record quarterly 报告 报告书"
    ),
    "calls itself a book": _words("isbn novel book story chapter edition teachers' teachers translated illustrated"),
}
"""Words of the first page, counted without scaling."""


def features_of(found: Extraction, page_size: PageSize) -> dict[str, float]:
    """All features of a document, of similar magnitude."""
    text = (
        found.text
        if len(found.text) <= HEAD_LENGTH + TAIL_LENGTH
        else f"{found.text[:HEAD_LENGTH]}\n{found.text[-TAIL_LENGTH:]}"
    )
    lower = text.lower()
    words = WORD.findall(lower)
    thousands = max(0.2, len(words) / 1000)
    counts = Counter(words)
    front_counts = Counter(WORD.findall(lower[:FRONT_LENGTH]))
    features = _structure_features(found) | _page_features(found, page_size) | _text_features(text, counts, thousands)
    features |= {name: _rate(_sum(counts, group), thousands) for name, group in WORD_GROUPS.items()}
    for name, patterns in PHRASE_GROUPS.items():
        features[name] = _rate(sum(len(pattern.findall(lower)) for pattern in patterns), thousands)
    features["has headings of a life"] = _cv_headings(lower)
    features |= {name: math.log1p(_sum(front_counts, group)) for name, group in FRONT_WORDS.items()}
    return features


CV_HEADINGS = _words(
    "education experience skills projects employment languages interests honors publications ausbildung"
)


def _cv_headings(lower: str) -> float:
    """Lines with a heading of a curriculum vitae."""
    lines = lower[:6000].split("\n")
    return math.log1p(sum(len(line) < 30 and not CV_HEADINGS.isdisjoint(line.split()) for line in lines))


def _rate(count: int, thousands: float) -> float:
    return math.log1p(count / thousands)


def _sum(counts: Counter[str], group: Iterable[str]) -> int:
    return sum(map(counts.__getitem__, counts.keys() & group))


def _structure_features(found: Extraction) -> dict[str, float]:
    """Features of the extracted parts of a paper."""
    parsed_references = sum(bool(one.authors and one.year) for one in found.references[:200])
    return {
        "has references": math.log1p(len(found.references)),
        "references with authors and year": parsed_references**0.5,
        "has an abstract": float(len(found.abstract) > 200),
        "names authors": min(6.0, len(found.authors)),
        "authors with affiliation or e-mail": float(any(one.affiliation or one.email for one in found.authors)),
        "has keywords": float(bool(found.keywords)),
        "has a DOI or arXiv id": float(bool(found.doi or found.arxiv)),
        "has sections of a paper": float(sum(bool(one.type) for one in found.sections) > 1),
        "has an introduction": float(any(one.type == "introduction" for one in found.sections)),
        "thanks somebody": float(bool(found.acknowledgments)),
    }


def _page_features(found: Extraction, page_size: PageSize) -> dict[str, float]:
    """Features of the pages: count, size and number of words."""
    pages = max(1, found.pages)
    return {
        "is long": math.log(max(50, found.words)),
        "has many pages": math.log(pages),
        "words on a page": math.log(max(1.0, found.words / pages)),
        "is set across": float(page_size.is_landscape),
        "is larger than paper": float(max(page_size.width, page_size.height) > 1000),
        "is one large sheet": float(max(page_size.width, page_size.height) > 1500 and pages <= 2),
        "is set across on thin pages": float(page_size.is_landscape and pages > 3 and found.words / pages < 250),
    }


def _text_features(text: str, counts: Counter[str], thousands: float) -> dict[str, float]:
    """Features of the text: sentences, line lengths, letters."""
    letters = sum(len(word) * count for word, count in counts.items() if word.isalpha())
    return {
        "has letters": letters / max(1, len(text)),
        "has sentences": _rate(text.count(". "), thousands),
        "asks": _rate(text.count("?"), thousands),
        "has long lines": math.log(max(1.0, len(text) / (1 + text.count("\n") + text.count("\f")))),
    }

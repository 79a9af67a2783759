"""Is this a scholarly document, and of which type? A small model over what reading found, with its reasons."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import orjson

from openseer.records.extraction import Extraction, Verdict

MODEL = "academic.json"
LOOKED_AT = 60_000
"""Characters of the text that are weighed."""

PHRASES = {
    "speaks of itself as a paper": r"\b(?:this|the present) (?:paper|article|study|work|thesis|chapter)\b|in diesem"
    r" (?:beitrag|artikel|aufsatz)|cet article|neste (?:artigo|trabalho)|в (?:данной|этой|настоящей) (?:статье|работе)"
    r"|στο παρόν",
    "says what its authors did": r"\bwe (?:propose|present|show|describe|study|introduce|investigate|report|find|prove|"
    r"consider|use|analy[sz]e|compare)\b|wir (?:zeigen|untersuchen|stellen|beschreiben)|nous (?:proposons|montrons)",
    "cites in the text": r"\[\d{1,3}(?:[,;–-] ?\d{1,3})*\]"
    r"|\([A-Z][\w'’-]+(?: et al\.?| (?:and|&|und) [A-Z][\w'’-]+)?,? \d{4}",
    "names other authors": r"\bet al\b|u\. ?a\. \(|и др\.",
    "points at figures and tables": r"\b(?:fig(?:ure|\.)|table|tabelle|abbildung|abb\.|tableau|рис\.|табл\.) ?\d",
    "talks of method and results": r"\b(?:results?|method(?:s|ology)?|experiment(?:s|al)?|hypothes[ie]s|data ?sets?|"
    r"theorem|lemma|proof|algorithm|significant(?:ly)?|literature|analysis|ergebnisse|methode[n]?|stichprobe)\b",
    "speaks of money": r"[$€£¥] ?\d|\d ?(?:EUR|USD|€)|\b(?:invoice|payment|price|total|subtotal|amount due|vat|iban|"
    r"discount|rechnung)\b",
    "speaks of law and contracts": r"\b(?:shall|hereby|hereinafter|pursuant|plaintiff|defendant|court|parties|"
    r"agreement|confidential|governing law|§ ?\d|treaty|paragraph)\b",
    "gives instructions": r"\b(?:please|click|press|select|install|your|you (?:can|should|must|may)|step \d|note:|"
    r"warning|contact us)\b",
    "is a form to fill in": r"_{4,}|\.{8,}|☐|□|\b(?:signature|date of birth|tax year|check (?:one|box)|line \d+)\b",
    "is a life in dates": r"\b(?:curriculum vitae|r[ée]sum[ée]|work experience|skills|employment|references available|"
    r"hobbies|lebenslauf)\b",
    "is a menu or leaflet": r"\b(?:menu|dessert|soup|salad|opening hours|tickets?|visit us|call us|free delivery|www\.)"
    r"\b",
}
PATTERNS = {name: re.compile(pattern, re.I) for name, pattern in PHRASES.items()}
TYPES = (
    ("invoice", re.compile(r"\binvoice\b|\brechnung\b|\bfacture\b|amount due|iban", re.I)),
    ("cv", re.compile(r"curriculum vitae|\br[ée]sum[ée]\b|work experience|\blebenslauf\b", re.I)),
    ("form", re.compile(r"_{6,}|☐|date of birth|tax year|department of the treasury", re.I)),
    (
        "manual",
        re.compile(
            r"\b(?:user'?s? (?:manual|guide)|instructions for use|installation|troubleshooting|bedienungsanleitung)\b",
            re.I,
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Shape:
    """The page as a sheet of paper."""

    width: float = 595.0
    height: float = 842.0


def verdict_of(found: Extraction, shape: Shape) -> Verdict:
    """Whether it is scholarly, how likely, and what weighed most."""
    clues = clues_of(found, shape)
    model = _model()
    parts = {
        name: model["weights"][name] * (clues[name] - model["means"][name]) / model["scales"][name]
        for name in model["weights"]
    }
    probability = 1 / (1 + math.exp(-max(-30.0, min(30.0, model["bias"] + sum(parts.values())))))
    sign = 1 if probability >= 0.5 else -1
    strongest = sorted((name for name in parts if sign * parts[name] > 0), key=lambda name: -sign * parts[name])
    reasons = tuple(_reason(name, clues[name] > model["means"][name]) for name in strongest[:3])
    academic = probability >= 0.5
    kind = _scholarly_type(found) if academic else _other_type(found, shape)
    return Verdict(academic, kind, round(probability, 4), reasons)


def _reason(name: str, much: bool) -> str:
    return name if much else f"not: {name}"


def clues_of(found: Extraction, shape: Shape) -> dict[str, float]:
    """What speaks for and against, each as one number."""
    text = found.text[:LOOKED_AT]
    thousands = max(0.2, len(text.split()) / 1000)
    pages = max(1, found.pages)
    clues = {
        "has references": math.log1p(len(found.references)),
        "references with authors and year": sum(bool(one.authors and one.year) for one in found.references[:200])
        ** 0.5,
        "has an abstract": float(len(found.abstract) > 200),
        "names authors": min(6.0, len(found.authors)),
        "authors with affiliation or e-mail": float(any(one.affiliation or one.email for one in found.authors)),
        "has keywords": float(bool(found.keywords)),
        "has a DOI or arXiv id": float(bool(found.doi or found.arxiv)),
        "is long": math.log(max(1, found.words)),
        "words on a page": math.log(max(1.0, found.words / pages)),
        "is set across": float(shape.width > shape.height),
        "has sections of a paper": float(sum(bool(one.type) for one in found.sections) > 1),
        "has an introduction": float(any(one.type == "introduction" for one in found.sections)),
        "thanks somebody": float(bool(found.acknowledgments)),
        "has letters": sum(c.isalpha() for c in text[:20_000]) / max(1, len(text[:20_000])),
        "has sentences": len(re.findall(r"[a-zа-я]{3}[.!?] [A-ZА-ЯÀ-Þ]", text)) / thousands / 50,
    }
    for name, pattern in PATTERNS.items():
        clues[name] = math.log1p(len(pattern.findall(text)) / thousands)
    return clues


def _scholarly_type(found: Extraction) -> str:
    start = found.text[:6000]
    if found.pages >= 40 and re.search(r"\b(?:thesis|dissertation|diplomarbeit|tese|thèse)\b", start, re.I):
        return "thesis"
    if found.arxiv or re.search(r"\bpreprint\b|\barxiv:|\bbiorxiv\b", start, re.I):
        return "preprint"
    return "article"


def _other_type(found: Extraction, shape: Shape) -> str:
    if shape.width > shape.height and found.words / max(1, found.pages) < 250:
        return "slides" if found.pages > 3 else "poster"
    for kind, pattern in TYPES:
        if pattern.search(found.text[:20_000]):
            return kind
    return "other"


@cache
def _model() -> dict[str, Any]:
    model: dict[str, dict[str, float]] = orjson.loads(
        (resources.files("openseer.extract") / "models" / MODEL).read_bytes()
    )
    return model

"""Scholarly document classifier: a linear model over the extraction, with document type and reasons."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, TypedDict

import orjson

from openseer.core.model.document import MIN_SURE
from openseer.core.model.extraction import Extraction, ScholarlyVerdict
from openseer.extract.classify.features import FRONT_LENGTH, features_of
from openseer.extract.context import PaperContext
from openseer.extract.models import paths
from openseer.extract.pdf.page_model import PageSize

name, version = "verdict", 2
needs = ("header", "references", "body", "acknowledgments")
MODEL = "academic.json"
SCHOLARLY_TYPE_PATTERNS = (
    (
        "thesis",
        re.compile(
            r"\b(?:doctoral|ph\.? ?d\.?|master['’]?s?|bachelor['’]?s?|diploma) (?:thesis|dissertation)"
            r"|\b(?:thesis|dissertation) (?:submitted|presented|approved|zur erlangung)|inaugural-?dissertation"
            r"|\b(?:doktor|master|magister|diplom|bachelor)arbeit\b|thèse de doctorat|tesi di dottorato|tesis doctoral"
            r"|\btese de|dissertação (?:de|apresentada)|\bmonografia\b|trabalho de conclusão|диссертация на соискание"
            r"|\bin partial fulfil+ment of|\bfor the degree of|^(?:co-?)?orientadora?\b|^(?:thesis )?supervisors?:"
            r"|^(?:erst|zweit)?(?:gutachter|betreuer)(?:in)?\b|directeur de thèse",
            re.M,
        ),
    ),
    (
        "chapter",
        re.compile(
            r"sammelwerksbeitrag|collection article|\bbook chapter\b|\A\W*(?:chapter|kapitel|chapitre) \w+$",
            re.M,
        ),
    ),
    ("book", re.compile(r"monographie / monograph|\bisbn[ :]*97[89]")),
    (
        "report",
        re.compile(
            r"\b(?:technical|research|final) report\b|\b(?:working|discussion) papers?\b|arbeitspapier"
            r"|forschungsbericht|rapport (?:de recherche|technique)|\btech\. rep\.",
        ),
    ),
    ("preprint", re.compile(r"\barxiv:|\b(?:bio|med|chem|psy)rxiv\b|^\W*(?:\w+ )?preprint\b", re.M)),
)
"""Phrases on the first page of scholarly documents, in lower case; the first match counts."""
ABSTRACT = re.compile(r"^\W*(?:abstract|zusammenfassung|résumé|resumo|resumen|summary|аннотация)\b", re.M)
"""The text after it may describe other documents."""
MIN_BOOK_PAGES = 60
"""Articles also have an ISBN on the first page, so only long documents count as books."""


class Model(TypedDict):
    """The file `models/academic.json`."""

    means: dict[str, float]
    scales: dict[str, float]
    bias: float
    weights: dict[str, float]
    """Feature -> weight for a scholarly document."""
    types: dict[str, dict[str, float]]
    """Type of non-scholarly documents -> feature weights; "" is the bias."""
    learned: list[str]
    """First twelve digits of the SHA-1 of each training document."""


def extract(context: PaperContext, found: Extraction) -> dict[str, Any]:
    """The verdict."""
    return {"academic": verdict_of(found, context.page_size)}


def verdict_of(found: Extraction, page_size: PageSize) -> ScholarlyVerdict:
    """Verdict of the shipped model."""
    return classify(_model(), features_of(found, page_size), scholarly_type(found, page_size))


def classify(model: Model, features: Mapping[str, float], scholarly_type_name: str) -> ScholarlyVerdict:
    """Verdict of a model for these features; `scholarly_type_name` is the type in case the document is scholarly."""
    scaled = {name: (features[name] - mean) / model["scales"][name] for name, mean in model["means"].items()}
    contributions = {name: weight * scaled[name] for name, weight in model["weights"].items()}
    probability = 1 / (1 + math.exp(-max(-30.0, min(30.0, model["bias"] + sum(contributions.values())))))
    academic = probability >= MIN_SURE
    other_types = _other_types(model, scaled)
    best_type = scholarly_type_name if academic else max(other_types, key=other_types.__getitem__)
    types = {kind: (1 - probability) * share for kind, share in other_types.items()}
    types[scholarly_type_name] = types.get(scholarly_type_name, 0.0) + probability
    reasons = _reasons(contributions, scaled, 1 if academic else -1)
    if not academic and (type_feature := _strongest_feature(model["types"][best_type], scaled)):
        reasons = (type_feature, *(reason for reason in reasons if reason != type_feature))[:3]
    ranked_types = sorted((name for name in types if types[name] >= 0.01), key=lambda name: -types[name])
    return ScholarlyVerdict(
        academic, best_type, round(probability, 4), reasons, {name: round(types[name], 3) for name in ranked_types}
    )


def scholarly_type(found: Extraction, page_size: PageSize) -> str:
    """Type of a scholarly document, by page format, else by phrases on its first page."""
    pages = max(1, found.pages)
    if max(page_size.width, page_size.height) > 1500 and pages <= 2:
        return "poster"
    if page_size.is_landscape and pages > 3 and found.words / pages < 250:
        return "slides"
    front_text = ABSTRACT.split(found.text[:FRONT_LENGTH].lower(), maxsplit=1)[0]
    for type_name, pattern in SCHOLARLY_TYPE_PATTERNS:
        if pattern.search(front_text) and (type_name != "book" or pages >= MIN_BOOK_PAGES):
            return type_name
    return "preprint" if found.arxiv else "article"


def _other_types(model: Model, scaled: Mapping[str, float]) -> dict[str, float]:
    """Probability of each type, given that the document is not scholarly."""
    scores = {
        type_name: sum(weight * scaled.get(name, 1.0) for name, weight in weights.items())
        for type_name, weights in model["types"].items()
    }
    top = max(scores.values())
    exponentials = {type_name: math.exp(score - top) for type_name, score in scores.items()}
    return {type_name: power / sum(exponentials.values()) for type_name, power in exponentials.items()}


def _reasons(contributions: Mapping[str, float], scaled: Mapping[str, float], sign: int) -> tuple[str, ...]:
    strongest = sorted(
        (name for name in contributions if sign * contributions[name] > 0), key=lambda name: -sign * contributions[name]
    )
    return tuple(name if scaled[name] > 0 else f"not: {name}" for name in strongest[:3])


def _strongest_feature(weights: Mapping[str, float], scaled: Mapping[str, float]) -> str:
    """The feature with the highest weight for a type, if present."""
    score, name = max((weight * scaled.get(name, 0.0), name) for name, weight in weights.items())
    return name if score > 0 and scaled[name] > 0 else ""


def is_training_document(sha1: str) -> bool:
    """True if the model was trained on this document."""
    return sha1[:12] in _model()["learned"]


@cache
def _model() -> Model:
    model: Model = orjson.loads(paths.model_file(MODEL).read_bytes())
    return model

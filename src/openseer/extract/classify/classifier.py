"""Is this a scholarly document, and of which type? A small model over what reading found, with its reasons."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, TypedDict

import orjson

from openseer.core.model.extraction import Extraction, ScholarlyVerdict
from openseer.extract.classify.features import FRONT, features_of
from openseer.extract.context import PaperContext
from openseer.extract.models import paths
from openseer.extract.pdf.page_model import PageSize

name, version = "verdict", 2
needs = ("header", "references", "body", "acknowledgments")
MODEL = "academic.json"
SCHOLARLY = (
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
"""What the first page of a scholarly document says of itself, in lower case; the first that fits."""
ABSTRACT = re.compile(r"^\W*(?:abstract|zusammenfassung|résumé|resumo|resumen|summary|аннотация)\b", re.M)
"""What comes after it speaks of other documents as well."""
BOOK_PAGES = 60
"""An ISBN stands on the first page of many articles: only a long document with one is a book."""


class Model(TypedDict):
    """The file `models/academic.json`."""

    means: dict[str, float]
    scales: dict[str, float]
    bias: float
    weights: dict[str, float]
    """Trait -> how much it speaks for a scholarly document."""
    types: dict[str, dict[str, float]]
    """Type of other documents -> its own traits and their weights; "" is the bias."""
    learned: list[str]
    """The first twelve digits of the SHA-1 of each document it learned from."""


def extract(opened: PaperContext, found: Extraction) -> dict[str, Any]:
    """The verdict."""
    return {"academic": verdict_of(found, opened.shape)}


def verdict_of(found: Extraction, shape: PageSize) -> ScholarlyVerdict:
    """Whether it is scholarly, how likely, of which type, and what weighed most."""
    return judge(_model(), features_of(found, shape), scholarly_type(found, shape))


def judge(model: Model, traits: Mapping[str, float], scholarly: str) -> ScholarlyVerdict:
    """What a model says of these traits; `scholarly` is the type if it is a scholarly document."""
    sizes = {name: (traits[name] - mean) / model["scales"][name] for name, mean in model["means"].items()}
    parts = {name: weight * sizes[name] for name, weight in model["weights"].items()}
    probability = 1 / (1 + math.exp(-max(-30.0, min(30.0, model["bias"] + sum(parts.values())))))
    academic = probability >= 0.5
    others = _other_types(model, sizes)
    best = scholarly if academic else max(others, key=others.__getitem__)
    types = {kind: (1 - probability) * share for kind, share in others.items()}
    types[scholarly] = types.get(scholarly, 0.0) + probability
    reasons = _reasons(parts, sizes, 1 if academic else -1)
    if not academic and (own := _strongest(model["types"][best], sizes)):
        reasons = (own, *(reason for reason in reasons if reason != own))[:3]
    likely = sorted((name for name in types if types[name] >= 0.01), key=lambda name: -types[name])
    return ScholarlyVerdict(
        academic, best, round(probability, 4), reasons, {name: round(types[name], 3) for name in likely}
    )


def scholarly_type(found: Extraction, shape: PageSize) -> str:
    """Of which type it is, granted that it is scholarly: by its sheet, else by what its first page says."""
    pages = max(1, found.pages)
    if max(shape.width, shape.height) > 1500 and pages <= 2:
        return "poster"
    if shape.across and pages > 3 and found.words / pages < 250:
        return "slides"
    front = ABSTRACT.split(found.text[:FRONT].lower(), maxsplit=1)[0]
    for kind, pattern in SCHOLARLY:
        if pattern.search(front) and (kind != "book" or pages >= BOOK_PAGES):
            return kind
    return "preprint" if found.arxiv else "article"


def _other_types(model: Model, sizes: Mapping[str, float]) -> dict[str, float]:
    """How likely each type is, granted that the document is not scholarly."""
    scores = {
        kind: sum(weight * sizes.get(name, 1.0) for name, weight in own.items()) for kind, own in model["types"].items()
    }
    top = max(scores.values())
    powers = {kind: math.exp(score - top) for kind, score in scores.items()}
    return {kind: power / sum(powers.values()) for kind, power in powers.items()}


def _reasons(parts: Mapping[str, float], sizes: Mapping[str, float], sign: int) -> tuple[str, ...]:
    strongest = sorted((name for name in parts if sign * parts[name] > 0), key=lambda name: -sign * parts[name])
    return tuple(name if sizes[name] > 0 else f"not: {name}" for name in strongest[:3])


def _strongest(own: Mapping[str, float], sizes: Mapping[str, float]) -> str:
    """The trait that speaks most for a type, if one is there."""
    score, name = max((weight * sizes.get(name, 0.0), name) for name, weight in own.items())
    return name if score > 0 and sizes[name] > 0 else ""


def learned_from(sha1: str) -> bool:
    """Whether the model has learned from this document."""
    return sha1[:12] in _model()["learned"]


@cache
def _model() -> Model:
    model: Model = orjson.loads(paths.model_file(MODEL).read_bytes())
    return model

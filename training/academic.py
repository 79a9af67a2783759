"""Train the scholarly document classifier.

    .venv/bin/python -m training.academic          (`-m training.academic_check` cross-validates)

Two small models over the features of `extract/classify/features.py`: logistic regression for scholarly or not, and a
softmax over the types of other documents in which each type has a few features of its own. The acl-* papers (CC
BY-NC-SA) are for evaluation only and excluded from every model, as are the borderline documents.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson

from openseer.core.errors import OpenseerError
from openseer.core.model.extraction import Extraction
from openseer.evaluation import samples
from openseer.extract.classify.classifier import MODEL, Model, scholarly_type
from openseer.extract.classify.features import features_of
from openseer.extract.context import PaperContext
from openseer.extract.pdf.page_model import PageSize
from openseer.extract.reader import EXTRACTORS, extract_with
from training.growing import CORPUS, MODELS

REGULARISATION = 1.0
"""Penalty of large weights."""
OURS = "openseer/samples"
TYPES = {
    "resume": "cv", "tax form": "form", "tax instructions": "manual", "guide or policy": "manual", "leaflet": "manual",
    "technical report": "report", "company report": "report", "book or teaching notes": "book",
}  # fmt: skip
"""Kind of a non-scholarly document -> type, where they differ; a manual contains instructions."""
TYPE_FEATURES: dict[str, tuple[str, ...]] = {
    "invoice": ("calls itself an invoice", "speaks of money", "has sums of money", "is long"),
    "cv": ("is a life in dates", "has headings of a life"),
    "form": ("calls itself a form", "is a form to fill in", "has blanks"),
    "manual": ("calls itself a manual", "gives instructions"),
    "slides": ("is set across on thin pages",),
    "poster": ("is one large sheet",),
    "report": ("calls itself a report", "reports to a board"),
    "book": ("calls itself a book", "looks like a book", "teaches a class"),
    "other": ("speaks of law and contracts", "is a menu or leaflet", "is larger than paper", "is long"),
}
"""Features of each type. With three to ten examples of a type, from one or two origins, a model with all features
learns the origin."""
PRIOR_WEIGHT = 1.0
"""Prior mean of the weight of a type's own features."""

Numbers = npt.NDArray[np.float64]


class Example(NamedTuple):
    """One labelled document."""

    id: str
    sha1: str
    source: str
    kind: str
    field: str
    academic: bool
    scholarly_type: str
    traits: dict[str, float]

    @property
    def origin(self) -> str:
        """Owner of the repository; documents of one owner are similar."""
        return self.source.split("/")[0]

    @property
    def type(self) -> str:
        """Type of a non-scholarly document."""
        kind = TYPES.get(self.kind, self.kind)
        return kind if kind in TYPE_FEATURES else "other"

    @property
    def may_teach(self) -> bool:
        return self.kind != "borderline" and not self.id.startswith("acl-")


def train_model(out: Path, leave_out: frozenset[str] = frozenset()) -> None:
    """Write the model without the excluded documents."""
    kept = [one for one in examples() if one.may_teach and one.id not in leave_out]
    model = learn(kept)
    (out / MODEL).write_bytes(orjson.dumps(model, option=orjson.OPT_INDENT_2) + b"\n")


def learn(selected: list[Example]) -> Model:
    """Model of these documents."""
    names = list(selected[0].traits)
    traits = np.array([[one.traits[name] for name in names] for one in selected])
    means, scales = traits.mean(axis=0), np.maximum(0.05, traits.std(axis=0))
    table = np.column_stack([(traits - means) / scales, np.ones(len(traits))])
    weights = fit(table, np.array([float(one.academic) for one in selected]))
    others = [number for number, one in enumerate(selected) if not one.academic]
    return {
        "means": _by_name(names, means),
        "scales": _by_name(names, scales),
        "bias": round(float(weights[-1]), 5),
        "weights": _by_name(names, weights[:-1]),
        "learned": sorted(one.sha1[:12] for one in selected),
        "types": fit_types(table[others], [selected[number].type for number in others], names),
    }


def fit(table: Numbers, labels: Numbers) -> Numbers:
    """Weights (the bias last) by Newton's method with balanced classes."""
    importance = np.where(labels > 0, 0.5 / labels.mean(), 0.5 / (1 - labels).mean())
    cost = REGULARISATION * np.r_[np.ones(table.shape[1] - 1), 1e-6]
    weights = np.zeros(table.shape[1])
    for _ in range(50):
        guess = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (importance * (guess - labels)) + cost * weights
        curve = (table * (importance * guess * (1 - guess))[:, None]).T @ table + np.diag(cost)
        weights -= np.linalg.solve(curve, slope)
    return weights


def fit_types(table: Numbers, types: list[str], names: list[str]) -> dict[str, dict[str, float]]:
    """Feature weights of each type by gradient descent with a safe step size; "" is the bias."""
    kinds = list(TYPE_FEATURES)
    label = np.array([kinds.index(kind) for kind in types])
    allowed = np.array([[name in TYPE_FEATURES[kind] for kind in kinds] for name in names] + [[True] * len(kinds)])
    expected = np.where(allowed, PRIOR_WEIGHT, 0.0)
    expected[-1] = 0.0
    importance = np.bincount(label, minlength=len(kinds))[label] ** -0.5
    importance *= len(label) / importance.sum()
    step = 1 / (np.linalg.norm((table * importance[:, None]).T @ table, 2) / 2 + REGULARISATION)
    weights = expected.copy()
    for _ in range(4000):
        power = np.exp(table @ weights - (table @ weights).max(axis=1, keepdims=True))
        guess = power / power.sum(axis=1, keepdims=True)
        slope = table.T @ (importance[:, None] * (guess - np.eye(len(kinds))[label]))
        weights -= step * np.where(allowed, slope + REGULARISATION * (weights - expected), 0.0)
    rows = [*names, ""]
    return {
        kind: {rows[at]: round(float(weights[at, column]), 5) for at in np.flatnonzero(allowed[:, column])}
        for column, kind in enumerate(kinds)
    }


def _by_name(names: list[str], values: Iterable[float]) -> dict[str, float]:
    return {name: round(float(value), 5) for name, value in zip(names, values, strict=True)}


# -- the documents ------------------------------------------------------------------------------------------------


@cache
def examples() -> tuple[Example, ...]:
    """Papers and other documents of the corpus and our own samples, extracted in two processes."""
    lines = (CORPUS / "index.jsonl").read_text(encoding="utf-8").splitlines()
    records = [record for line in lines if (record := json.loads(line))["file"].startswith(("papers/", "not-papers/"))]
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(2) as pool:
        jobs = [(CORPUS / record["file"], _known(record)) for record in records]
        jobs += [(path, _known_sample(path.stem)) for path in samples.make(Path(folder))]
        return tuple(found for found in pool.map(example, jobs, chunksize=8) if found)


class PageSizeExtractor:
    """Extractor without fields that records the page size."""

    name, version = "sheet", 1
    needs: tuple[str, ...] = ()
    shape = PageSize()

    def extract(self, context: PaperContext, found: Extraction) -> dict[str, Any]:
        self.shape = context.page_size
        return {}


def example(job: tuple[Path, dict[str, Any]]) -> Example | None:
    """Features of a document, or None if it has no text."""
    path, known = job
    try:
        found = extract_with((*EXTRACTORS[:-1], sheet := PageSizeExtractor()), path, min_words=0)
    except OpenseerError:
        return None
    shape = sheet.shape
    sha1 = hashlib.sha1(path.read_bytes(), usedforsecurity=False).hexdigest()
    return Example(**known, sha1=sha1, scholarly_type=scholarly_type(found, shape), traits=features_of(found, shape))


def _known(record: dict[str, Any]) -> dict[str, Any]:
    gold = (CORPUS / record["file"]).with_suffix(".json")
    field = json.loads(gold.read_text(encoding="utf-8"))["field"] if gold.exists() else ""
    academic = record["file"].startswith("papers/")
    return {
        "id": record["id"],
        "source": record["source"],
        "kind": record["kind"],
        "field": field,
        "academic": academic,
    }


def _known_sample(name: str) -> dict[str, Any]:
    gold = samples.gold(name)
    return {"id": name, "source": OURS, "kind": gold["kind"], "field": "", "academic": gold["academic"]}


def main() -> None:
    """Check, or train on all documents that may be shipped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    train_model(MODELS)
    print(f"{sum(one.may_teach for one in examples())} documents: {MODELS / MODEL}")


if __name__ == "__main__":
    main()

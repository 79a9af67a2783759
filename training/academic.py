"""Train the model that tells scholarly documents from others.

    .venv/bin/python -m training.academic [CORPUS_DIR] [--check]

Logistic regression over the clues of `extract/academic.py`. --check prints what cross-validation gives, with whole
sources held out; without it the model is written. The acl-* papers (CC BY-NC-SA) are for measuring only and stay out of
the shipped model, and so do the borderline documents.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson

from openseer.errors import OpenseerError
from openseer.extract.academic import MODEL, clues_of
from openseer.extract.reading import read_with_shape

MODELS = Path(__file__).parents[1] / "src" / "openseer" / "extract" / "models"
FOLDS = 10
STIFFNESS = 1.0
"""How much large weights cost."""

Numbers = npt.NDArray[np.float64]


class Example(NamedTuple):
    """One document of the corpus."""

    id: str
    source: str
    kind: str
    academic: bool
    clues: dict[str, float]


def example(job: tuple[Path, dict[str, Any]]) -> Example | None:
    """A document's clues, or None when there is nothing to read in it."""
    corpus, record = job
    try:
        found, shape = read_with_shape(corpus / record["file"], min_words=0)
    except OpenseerError:
        return None
    academic = record["file"].startswith("papers/")
    return Example(record["id"], record["source"], record["kind"], academic, clues_of(found, shape))


def examples(corpus: Path) -> list[Example]:
    """Papers and not-papers, read with two processes."""
    records = [json.loads(line) for line in (corpus / "index.jsonl").read_text(encoding="utf-8").splitlines()]
    jobs = [(corpus, one) for one in records if one["file"].startswith(("papers/", "not-papers/"))]
    with ProcessPoolExecutor(2) as pool:
        return [found for found in pool.map(example, jobs, chunksize=8) if found]


def fit(clues: Numbers, labels: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Means, scales and weights (the bias last), by Newton's method; both classes weigh the same."""
    means, scales = clues.mean(axis=0), clues.std(axis=0) + 1e-9
    table = np.column_stack([(clues - means) / scales, np.ones(len(clues))])
    importance = np.where(labels > 0, 0.5 / labels.mean(), 0.5 / (1 - labels).mean())
    cost = STIFFNESS * np.r_[np.ones(clues.shape[1]), 1e-6]
    weights = np.zeros(table.shape[1])
    for _ in range(50):
        guess = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (importance * (guess - labels)) + cost * weights
        curve = (table * (importance * guess * (1 - guess))[:, None]).T @ table + np.diag(cost)
        weights -= np.linalg.solve(curve, slope)
    return means, scales, weights


def check(found: list[Example], names: list[str]) -> None:
    """Cross-validation by source: no document is judged by a model that saw its origin."""
    clues, labels = _table(found, names)
    folds = np.array(
        [int(hashlib.md5(one.source.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS for one in found]
    )
    guess = np.zeros(len(found))
    for fold in sorted(set(folds)):
        means, scales, weights = fit(clues[folds != fold], labels[folds != fold])
        score = ((clues[folds == fold] - means) / scales) @ weights[:-1] + weights[-1]
        guess[folds == fold] = 1 / (1 + np.exp(-score))
    clear = np.array([one.kind != "borderline" for one in found])
    right = (guess >= 0.5) == (labels > 0)
    print(f"accuracy {right[clear].mean():.3f} over {clear.sum()} documents (borderline ones apart)")
    print(f"papers accepted {right[labels > 0].mean():.3f}, others refused {right[(labels == 0) & clear].mean():.3f}")
    print(f"papers under 0.1: {[one.id for one, p in zip(found, guess, strict=True) if one.academic and p < 0.1]}")
    for one, probability, good in zip(found, guess, right, strict=True):
        if not good:
            print(f"  {probability:.2f} {one.id} ({one.kind})")


def _table(found: list[Example], names: list[str]) -> tuple[Numbers, Numbers]:
    clues = np.array([[one.clues[name] for name in names] for one in found])
    return clues, np.array([float(one.academic) for one in found])


def main() -> None:
    """Check, or train on all that may be shipped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", type=Path, default=Path("../shared/corpus"))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    found = examples(options.corpus)
    names = list(found[0].clues)
    if options.check:
        check(found, names)
        return
    kept = [one for one in found if one.kind != "borderline" and not one.id.startswith("acl-")]
    means, scales, weights = fit(*_table(kept, names))
    model = {
        "bias": round(float(weights[-1]), 5),
        "weights": {name: round(float(value), 5) for name, value in zip(names, weights[:-1], strict=True)},
        "means": {name: round(float(value), 5) for name, value in zip(names, means, strict=True)},
        "scales": {name: round(float(value), 5) for name, value in zip(names, scales, strict=True)},
    }
    (MODELS / MODEL).write_bytes(orjson.dumps(model, option=orjson.OPT_INDENT_2) + b"\n")
    print(f"{len(kept)} documents: {MODELS / MODEL}")


if __name__ == "__main__":
    main()

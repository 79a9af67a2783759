"""Finds the weights of the second stage of ranking (`search/models/ranker.json`).

    .venv/bin/python -m training.ranker [--out DIR] [--kept DIR]
    .venv/bin/python -m training.ranker --check      # cross-validated, never seen, and beside boosted trees

It learns from questions with judged answers (CISI, Cranfield), from citing sentences whose answer is the work they
cite, from clicks, from pieces of titles with slips of the pen, and from pasted citations. Vectors are kept in DIR
(`--kept`), so that a run that was stopped goes on. Without the model of meaning its weights stay as they are."""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import lightgbm
import numpy as np

from openseer.evaluation.retrieval import Collection, load_collection, temporary_index
from openseer.search.embeddings.encoder import OnnxEncoder, Vectors, load_encoder
from openseer.search.ranking.features import Floats, features_of
from openseer.search.ranking.linear_model import MODEL_FILE, load_reranker
from openseer.search.ranking.tune import TrainingSet, fit, training_set, tunable_features, weights_by_name
from training.candidates import candidate_rows, first_stage, terms_of
from training.growing import CORPUS, SETTINGS
from training.questions import citations, clicks, contexts, known_items

WORTH = {"cisi": 1.0, "cranfield": 1.0, "contexts": 0.5, "clicks": 0.5, "known": 1.0, "citations": 1.0}
"""What each kind of question is worth."""
FOLDS = 5
MEASURED = ("cisi", "cranfield", "csfcube")


class Kept:
    """The model of meaning, with a folder of what it has said."""

    def __init__(self, model: OnnxEncoder, folder: Path) -> None:
        self._model, self._folder = model, folder
        folder.mkdir(parents=True, exist_ok=True)

    def query(self, text: str) -> Vectors:
        return self._model.query(text)

    def texts(self, texts: Sequence[str]) -> Vectors:
        name = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:32]
        file = self._folder / f"{name}.npy"
        if not file.exists():
            unfinished = file.with_suffix(".new.npy")
            np.save(unfinished, self._model.texts(texts))
            unfinished.replace(file)
        found: Vectors = np.load(file)
        return found


def collections(kept: Kept | None) -> Iterator[tuple[str, Collection]]:
    """Everything there is to learn from, but the clicks."""
    for name in ("cisi", "cranfield"):
        yield name, load_collection(CORPUS / "search" / name, kept)
    yield "contexts", contexts(kept)
    yield "known", known_items(kept)
    yield "citations", citations(kept)


def task(collection: Collection) -> TrainingSet:
    """The questions of a collection as they come out of the first stage."""
    found = []
    with temporary_index(list(collection.works.values())) as index:
        for asked in collection.queries:
            hits = first_stage(index, asked)
            judged = collection.judgements[asked.id]
            if len(hits.ids) > 1:
                terms = terms_of(collection, asked.text, bool(collection.encoder))
                rows = features_of(terms, candidate_rows(collection, hits))
                relevance = np.array([judged.get(name, 0.0) for name in hits.ids[: len(rows)]])
                found.append((rows, relevance, np.array(list(judged.values()))))
    return training_set(found)


def tasks(kept: Kept | None) -> dict[str, TrainingSet]:
    found = {name: task(collection) for name, collection in collections(kept)}
    found["clicks"] = training_set(list(clicks(kept)))
    return found


def fitted(known: Mapping[str, TrainingSet], by_meaning: bool) -> Floats:
    shipped = load_reranker()
    return fit(known, WORTH, shipped.meaning if by_meaning else shipped.words, tunable_features(by_meaning))


def train_model(out: Path, kept: Kept | None) -> None:
    """Write the weights that ship."""
    shipped = load_reranker()
    words = fitted(tasks(None), False)
    both = fitted(tasks(kept), True) if kept else shipped.meaning
    told = {way: weights_by_name(weights) for way, weights in (("words", words), ("meaning", both))}
    (out / MODEL_FILE.name).write_text(json.dumps(told, indent=2) + "\n")


def check(kept: Kept | None) -> Iterator[str]:
    """nDCG@10 of each collection by weights and by trees that saw none of it, or none of the questions asked."""
    for by_meaning in (False, True) if kept else (False,):
        known = tasks(kept if by_meaning else None)
        csfcube = task(load_collection(CORPUS / "search" / "csfcube", kept if by_meaning else None))
        measured = {**known, "csfcube": csfcube}
        shipped = load_reranker().meaning if by_meaning else load_reranker().words
        way = "meaning" if by_meaning else "words"
        yield f"{way}, shipped: {_line({name: one.ndcg(shipped) for name, one in measured.items()})}"
        never = {name: _without(known, name) for name in measured}
        weights = {name: fitted(never[name], by_meaning) for name in measured}
        yield f"{way}, never seen: {_line({name: measured[name].ndcg(weights[name]) for name in measured})}"
        trees = {name: grown(never[name]) for name in MEASURED}
        yield f"{way}, trees, never seen: {_line({name: judged(measured[name], trees[name]) for name in MEASURED})}"
        yield f"{way}, cross-validated: {_line(_left_out(known, by_meaning))}"


def _without(known: Mapping[str, TrainingSet], name: str) -> dict[str, TrainingSet]:
    return {other: one for other, one in known.items() if other != name}


def _left_out(known: Mapping[str, TrainingSet], by_meaning: bool) -> dict[str, Floats]:
    """The score of each question by weights that did not see it."""
    dice = np.random.default_rng(1)
    folds = {name: dice.integers(FOLDS, size=len(one.ideal)) for name, one in known.items()}
    found = {name: np.zeros(len(one.ideal)) for name, one in known.items()}
    for number in range(FOLDS):
        weights = fitted({name: one.subset(folds[name] != number) for name, one in known.items()}, by_meaning)
        for name, one in known.items():
            asked = folds[name] == number
            found[name][asked] = one.subset(asked).ndcg(weights)
    return found


def _line(scores: Mapping[str, Floats]) -> str:
    return ", ".join(f"{name} {100 * one.mean():.1f}" for name, one in scores.items())


def grown(known: Mapping[str, TrainingSet]) -> lightgbm.Booster:
    """Boosted trees over the same rows, to compare."""
    filled = {name: one.gains >= 0 for name, one in known.items()}
    rows = np.vstack([one.rows[filled[name]] for name, one in known.items()])
    labels = np.concatenate([np.log2(one.gains[filled[name]] + 1) for name, one in known.items()]).round().astype(int)
    weight = np.concatenate([np.full(filled[name].sum(), WORTH[name] / filled[name].sum()) for name in known])
    sizes = np.concatenate([filled[name].sum(axis=1) for name in known])
    data = lightgbm.Dataset(rows, labels, group=sizes, weight=weight * len(weight) / weight.sum())
    settings = {"objective": "lambdarank", "num_leaves": 8, "learning_rate": 0.05, "min_data_in_leaf": 100}
    return lightgbm.train({**SETTINGS, **settings, "feature_fraction": 0.5, "lambda_l2": 10.0}, data, 150)


def judged(asked: TrainingSet, trees: lightgbm.Booster) -> Floats:
    """The score of each question when trees put the candidates in order."""
    points = np.asarray(trees.predict(asked.rows.reshape(-1, asked.rows.shape[2])))
    rows = points.reshape(*asked.gains.shape, 1).astype(np.float32)
    return TrainingSet(rows, asked.gains, asked.ideal).ndcg(np.ones(1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=MODEL_FILE.parent)
    parser.add_argument("--kept", type=Path, default=Path("build/ranker"))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    print(shlex.join([".venv/bin/python", "-m", "training.ranker", *sys.argv[1:]]), flush=True)
    model = load_encoder()
    kept = Kept(model, options.kept) if model else None
    if options.check:
        for line in check(kept):
            print(line, flush=True)
    else:
        train_model(options.out, kept)


if __name__ == "__main__":
    main()

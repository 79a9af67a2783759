"""Trains the gradient-boosted trees of the pairwise matcher.

    .venv/bin/python -m training.matcher [--out DIR]
    .venv/bin/python -m training.matcher --check        # cross-validated by cluster and by origin

One model for all origins: Cora citations, DBLP-ACM, the same with the noise of web search engines, parsed reference
strings with their records, and clean records with synthetic noise."""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import lightgbm
import numpy as np
from numpy.typing import NDArray

from openseer.core.ml.tree_ensemble import TreeEnsemble, ensemble_of_model
from openseer.core.model.description import MatchFields
from openseer.evaluation.metrics.clustering import f1, score_clusters
from openseer.evaluation.metrics.gold_records import match_fields, string_record
from openseer.extract.references.parse_reference import parse_reference
from openseer.match.blocking_keys import keys_of
from openseer.match.clustering import average_linkage
from openseer.match.descriptions import fields_of
from openseer.match.pair_features import FEATURES
from openseer.match.pairwise import (
    MAX_LOG_ODDS,
    MIN_S_FULL_TEXT,
    MODEL,
    PairwiseModel,
    apply_rules,
    features_between,
    passes_prefilter,
)
from training.growing import CORPUS, SETTINGS
from training.lookalikes import spellings
from training.misprints import spelled

OUT = Path(__file__).parents[1] / "src" / "openseer" / "match" / "models"
WEIGHT = {"cora": 2.0, "dblp-acm": 4.0, "found": 3.0, "acl": 2.0, "references": 1.0, "medicine": 1.0}
"""Total weight of each origin."""
SAME_WORKS = {"dblp-acm": "found"}
"""Origin -> origin derived from it; both are held out together."""
FOLDS, ROUNDS = 5, 250
TRAINING_STRINGS = 5000
"""Number of reference strings used for training; the others are for evaluation."""


class Origin(NamedTuple):
    """Descriptions of one origin, their works, and the candidate pairs with features, labels and weights."""

    fields: dict[str, MatchFields]
    works: dict[str, str]
    pairs: list[tuple[str, str]]
    rows: NDArray[np.float64]
    same: NDArray[np.float64]
    weight: NDArray[np.float64]


def origin_of(fields: dict[str, MatchFields], works: dict[str, str]) -> Origin:
    """Candidate pairs under a looser prefilter than in production; pairs of large works weigh less."""
    blocks: dict[str, list[str]] = {}
    for name in sorted(fields):
        for key in keys_of(fields[name]):
            blocks.setdefault(key, []).append(name)
    candidates = {(one, other) for names in blocks.values() for at, other in enumerate(names) for one in names[:at]}
    pairs = sorted(pair for pair in candidates if passes_prefilter(fields[pair[0]], fields[pair[1]], MIN_S_FULL_TEXT))
    rows = np.array([features_between(fields[one], fields[other]) for one, other in pairs])
    same = np.array([works[one] == works[other] for one, other in pairs], dtype=float)
    sizes = Counter(works.values())
    weight = np.array([min(sizes[works[one]], sizes[works[other]]) ** -0.5 for one, other in pairs])
    return Origin(fields, works, pairs, rows, same, weight)


def _lines(file: str) -> Iterator[dict[str, Any]]:
    path = CORPUS / file
    data = path.read_bytes()
    yield from map(json.loads, (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines())


def cora() -> Origin:
    records = list(_lines("dedup/cora-citations.jsonl"))
    return origin_of({one["id"]: match_fields(one) for one in records}, {one["id"]: one["cluster"] for one in records})


def dblp_acm() -> Origin:
    return origin_of(*_dblp_acm())


def _dblp_acm() -> tuple[dict[str, MatchFields], dict[str, str]]:
    fields = {one["id"]: match_fields(one) for one in _lines("dedup/dblp-acm.records.jsonl")}
    works = {name: name for name in fields}
    for line in (CORPUS / "dedup" / "dblp-acm.matches.tsv").read_text().splitlines()[1:]:
        one, other = line.split("\t")
        works[other] = works[one]
    return fields, works


def found() -> Origin:
    """DBLP-ACM with one or two web-like noisy copies of each ACM record."""
    fields, works = _dblp_acm()
    rng = random.Random(4)
    made: dict[str, tuple[str, MatchFields]] = {}
    for name in sorted(fields):
        if name.startswith("dblp"):
            made[name] = works[name], fields[name]
        else:
            made.update(
                (f"{name}.{copy}", (works[name], spelled(fields[name], rng))) for copy in range(rng.choice((1, 2)))
            )
    return origin_of({name: one for name, (_, one) in made.items()}, {name: work for name, (work, _) in made.items()})


def acl() -> Origin:
    records = sorted(_lines("metadata/acl-anthology-20000.jsonl.gz"), key=lambda one: str(one["id"]))
    chosen = random.Random(3).sample(records, 9000)
    return _spelled([match_fields({**one, "authors": one["authors"]}) for one in chosen], 5)


def references() -> Origin:
    """Parsed reference strings with their records; equal DOIs are one work."""
    fields, works = {}, {}
    for number, one in enumerate(string_records()[:TRAINING_STRINGS]):
        for side, description in (("a", one.record), ("b", one.read)):
            if description is not None:
                fields[f"{side}{number}"], works[f"{side}{number}"] = description, one.doi
    return origin_of(fields, works)


def medicine() -> Origin:
    rng = random.Random(9)
    records = [one.record for one in string_records()[:TRAINING_STRINGS:2]]
    return _spelled([MatchFields(**{**_dict(one), "year": rng.randint(1985, 2015)}) for one in records], 9)


def _dict(fields: MatchFields) -> dict[str, Any]:
    return {name: getattr(fields, name) for name in ("title", "authors", "venue", "volume", "pages")}


def _spelled(records: Sequence[MatchFields], seed: int) -> Origin:
    made = list(spellings(records, seed))
    names = [f"s{number}" for number in range(len(made))]
    return origin_of(
        dict(zip(names, (one for _, one in made), strict=True)),
        dict(zip(names, (str(work) for work, _ in made), strict=True)),
    )


class StringRecord(NamedTuple):
    """A line of reference-doi: its record, and its parsed string."""

    doi: str
    record: MatchFields
    read: MatchFields | None


@cache
def string_records() -> list[StringRecord]:
    return [
        StringRecord(one["doi"].lower(), string_record(one), fields_of(parse_reference(one["reference"])))
        for one in _lines("dedup/reference-doi.jsonl.gz")
    ]


@cache
def origins() -> dict[str, Origin]:
    made = (cora, dblp_acm, found, acl, references, medicine)
    return {one.__name__.replace("_", "-"): one() for one in made}


def train_trees(parts: dict[str, NDArray[np.bool_] | None]) -> TreeEnsemble:
    """Train trees on these origins, or on their pairs selected by a mask."""
    rows, same, weight = [], [], []
    for name, mask in parts.items():
        origin = origins()[name]
        chosen = slice(None) if mask is None else mask
        rows.append(origin.rows[chosen])
        same.append(origin.same[chosen])
        weight.append(origin.weight[chosen] / origin.weight[chosen].sum() * WEIGHT[name])
    weights = np.concatenate(weight)
    data = lightgbm.Dataset(np.vstack(rows), np.concatenate(same), weight=weights * len(weights) / weights.sum())
    settings = {**SETTINGS, "objective": "binary", "num_leaves": 24, "learning_rate": 0.08, "min_data_in_leaf": 30}
    model = lightgbm.train({**settings, "feature_fraction": 0.6, "lambda_l2": 3.0}, data, ROUNDS).dump_model()
    return ensemble_of_model({**model, "feature_names": FEATURES})


def train_model(out: Path) -> None:
    """Write the shipped model."""
    (out / MODEL).write_bytes(train_trees(dict.fromkeys(origins())).as_bytes())


def check() -> Iterator[str]:
    """Scores of each origin with gold clusters: cross-validated by cluster, and by trees not trained on it."""
    for name in ("cora", "dblp-acm"):
        origin = origins()[name]
        kin = [name, *filter(None, [SAME_WORKS.get(name)])]
        others = dict.fromkeys(other for other in origins() if other not in kin)
        never = PairwiseModel(train_trees(others))
        yield f"{name}, never seen: {scores(origin, never.log_odds(origin.rows))}"
        left_out = _left_out(kin, others)
        yield f"{name}, cross-validated: {scores(origin, left_out[name])}"
        for other in kin[1:]:
            made = origins()[other]
            yield f"{other}, never seen: {across(made, never.log_odds(made.rows))}"
            yield f"{other}, cross-validated: {across(made, left_out[other])}"


def _left_out(kin: Sequence[str], others: dict[str, None]) -> dict[str, NDArray[np.float64]]:
    """Log-odds of each pair of these origins, by trees not trained on either of its works."""
    rng = random.Random(1)
    works = sorted({work for name in kin for work in origins()[name].works.values()})
    fold = {work: rng.randrange(FOLDS) for work in works}
    folds = {
        name: np.array([[fold[origins()[name].works[one]] for one in pair] for pair in origins()[name].pairs])
        for name in kin
    }
    odds = {name: np.zeros(len(folds[name])) for name in kin}
    for number in range(FOLDS):
        asked = {name: (folds[name] == number).any(axis=1) for name in kin}
        trees = PairwiseModel(train_trees({**others, **{name: ~asked[name] for name in kin}}))
        for name in kin:
            odds[name][asked[name]] += trees.log_odds(origins()[name].rows[asked[name]])
    return {name: odds[name] / (1 + (folds[name][:, 0] != folds[name][:, 1])) for name in kin}


def across(origin: Origin, odds: NDArray[np.float64]) -> dict[str, float]:
    """F1 over the pairs between two lists, before clustering."""
    between = np.array([one.startswith("acm") != other.startswith("acm") for one, other in origin.pairs])
    predicted = _final_odds(origin, odds)[between] >= 0
    same = origin.same[between] > 0
    return {"pairs": round(f1(int((predicted & same).sum()), int(predicted.sum()), int(same.sum())), 1)}


def _final_odds(origin: Origin, odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-odds after rules and prefilter, as in production."""
    asked = zip(origin.pairs, odds.tolist(), origin.rows, strict=True)
    return np.array(
        [_final_score(odd, (origin.fields[one], origin.fields[other]), row) for (one, other), odd, row in asked]
    )


def _final_score(odds: float, pair: tuple[MatchFields, MatchFields], row: NDArray[np.float64]) -> float:
    return apply_rules(odds, pair, row) if passes_prefilter(*pair) else -MAX_LOG_ODDS


def scores(origin: Origin, odds: NDArray[np.float64]) -> dict[str, float]:
    """Pairwise and B3 scores of the clustering."""
    named = dict(zip(origin.pairs, _final_odds(origin, odds).tolist(), strict=True))
    works = {
        name: str(number)
        for number, group in enumerate(average_linkage(sorted(origin.fields), named))
        for name in group
    }
    return {name: round(value, 1) for name, value in score_clusters(origin.works, works).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        for line in check():
            print(line, flush=True)
    else:
        train_model(options.out)


if __name__ == "__main__":
    main()

"""Learns to tell a topic from the name of a work (`search/ranking/models/naming.json`).

    .venv/bin/python -m training.naming [--kept DIR] [--out DIR]
    .venv/bin/python -m training.naming --check      # fitted on one library, scored on the other, and the reverse

It makes libraries of corpus papers in DIR, asks them for topics and for works that they only cite, and fits a logistic
regression: a cited work that a query names counts as much as a work with full text. Then it fits what that counts in
ranking (`preferred` in ranker.json); the other weights stay as they are."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from openseer.catalog.indexing.embedder import WITHOUT_EMBEDDING
from openseer.catalog.indexing.synchronizer import synchronize
from openseer.core.model.query import Everything, SearchQuery
from openseer.evaluation.topics import FIRST_RESULTS, CitedName, Topic, cited_names_of, topics_of
from openseer.ingest.coordinator import Coordinator
from openseer.search.embeddings.encoder import Encoder, load_encoder
from openseer.search.query.explain import ranking_words
from openseer.search.query.parser import parse
from openseer.search.ranking.features import FEATURES, Floats, evidence_of, features_of
from openseer.search.ranking.linear_model import MODEL_FILE as RANKER_FILE
from openseer.search.ranking.linear_model import load_reranker
from openseer.search.ranking.naming import MODEL_FILE, NAMING_FEATURES, logistic, naming_features
from openseer.search.ranking.rerank import candidate_rows, query_terms_of
from openseer.storage.open import Library, open_library
from openseer.storage.protocols.index import Candidates, Index
from training.growing import CORPUS

LIBRARIES = {"papers": ("papers",), "classics": ("classics", "papers-other")}
"""Libraries by name, with their folders of the corpus; only the first is learnt from."""
WEIGHTS = (6.0, 8.0, 10.0, 12.0, 14.0, 16.0)
"""Weights of a preferred work that are tried."""
NAME_WEIGHT, TOPIC_WEIGHT, HARD_WEIGHT = 4.0, 5.0, 1.0
"""Weight of the named work, of all cited works of a topic together, and of each of the best of them."""
HARD = 3
"""Best cited works of a topic."""
RIDGE = 1.0
MAX_DESCRIPTIONS, MIN_DESCRIPTION_WORDS, MAX_DESCRIPTION_WORDS = 200, 8, 40
"""Sentences that are queries, and their length."""
MIN_FULL_TEXT = 0.95
"""Share of full texts among the first ten results of topics, and of topics whose first result is one."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A query with its candidates."""

    naming: Floats
    """Naming features."""
    ranking: Floats
    """Ranking features."""
    full_text: NDArray[np.bool_]
    target: int
    """The named candidate; -1 for a topic, and where the named work is no candidate."""
    is_topic: bool
    full_texts: int
    """Full texts that match."""

    def scores(self, weights: Floats, naming: Floats, preferred: float) -> Floats:
        """Scores of the candidates."""
        at = FEATURES.index("preferred")
        rows = self.ranking.copy()
        rows[:, at] = np.where(self.full_text, rows[:, at], logistic(self.naming @ naming))
        weights = weights.copy()
        weights[at] = preferred
        found: Floats = rows @ weights
        return found


def descriptions_of(index: Index) -> Iterator[Topic]:
    """First sentences of abstracts: long queries that name no work."""
    for hit in index.search(SearchQuery(Everything(), "added", limit=MAX_DESCRIPTIONS, full_text_only=True)).hits:
        sentence = hit.work.abstract.partition(". ")[0]
        if MIN_DESCRIPTION_WORDS <= len(sentence.split()) <= MAX_DESCRIPTION_WORDS:
            yield Topic(sentence, 0)


def asked(index: Index, query: Topic | CitedName, encoder: Encoder | None) -> Asked | None:
    """The candidates of a query, as the service ranks them; None if it finds none."""
    terms = query_terms_of(index, ranking_words(query.text, parse(query.text)), encoder)
    captured: list[Candidates] = []

    def capture(found: Candidates) -> Sequence[float]:
        captured.append(found)
        return found.scores

    hits = index.search(SearchQuery(parse(query.text), limit=300), capture).hits
    if terms is None or not captured:
        return None
    rows = candidate_rows(captured[0], terms)
    name = query.work if isinstance(query, CitedName) else ""
    target = next((hit.candidate for hit in hits if hit.work.id == name), -1)
    return Asked(
        naming_features(evidence_of(terms, rows)),
        features_of(terms, rows),
        rows.full_text,
        target,
        isinstance(query, Topic),
        query.full_texts if isinstance(query, Topic) else 0,
    )


def ask_all(data: Path, encoder: Encoder | None) -> list[Asked]:
    """All queries of a library."""
    with open_library(data) as library:
        index = library.open_index()
        queries: list[Topic | CitedName] = [*topics_of(index), *descriptions_of(index), *cited_names_of(index)]
        return [found for query in queries if (found := asked(index, query, encoder)) is not None]


def libraries(kept: Path) -> Iterator[tuple[str, Path]]:
    """Libraries of corpus papers, made where they are missing."""
    for name, folders in LIBRARIES.items():
        data = kept / name
        if not (data / "complete").exists():
            with open_library(data, create=True) as library:
                Coordinator(library).run([CORPUS / folder for folder in folders])
                synchronize(library, lambda _: is_complete(library))
            (data / "complete").touch()
        yield name, data


def is_complete(library: Library) -> bool:
    """True if the index has all works, with their embeddings if there is an encoder."""
    index = library.open_index()
    waiting = index.count(SearchQuery(WITHOUT_EMBEDDING)) if load_encoder() else 0
    return index.checkpoint().position >= library.records.last_change() and not waiting


def fit_naming(queries: Sequence[Asked], weights: Floats) -> Floats:
    """Weights of the naming features: logistic regression by Newton's method."""
    rows, labels, worth = map(np.concatenate, zip(*(_examples(one, weights) for one in queries), strict=True))
    found = np.zeros(rows.shape[1])
    for _ in range(50):
        probability = logistic(rows @ found)
        gradient = rows.T @ (worth * (labels - probability)) - RIDGE * found
        curvature = (rows * (worth * probability * (1 - probability))[:, None]).T @ rows + RIDGE * np.eye(len(found))
        found = found + np.linalg.solve(curvature, gradient)
    return found


def _examples(one: Asked, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Rows, labels and weights of a query: of the works that are only cited, just the target is named."""
    cited = np.flatnonzero(~one.full_text)
    cited = cited[cited != one.target]
    at = FEATURES.index("preferred")
    best = cited[np.argsort(-(np.delete(one.ranking, at, 1) @ np.delete(weights, at))[cited])][:HARD]
    chosen = np.concatenate((cited, best if one.is_topic else best[:0], [one.target] if one.target >= 0 else []))
    labels = np.zeros(len(chosen))
    worth = np.full(len(chosen), HARD_WEIGHT)
    worth[: len(cited)] = (TOPIC_WEIGHT if one.is_topic else 1.0) / max(1, len(cited))
    if one.target >= 0:
        labels[-1], worth[-1] = 1.0, NAME_WEIGHT
    return one.naming[chosen.astype(np.int64)], labels, worth


def score(queries: Sequence[Asked], weights: Floats, naming: Floats, preferred: float) -> tuple[float, float, float]:
    """Share of full texts among the first ten, topics whose first result is one, and names whose work is first."""
    shares, firsts, named = [], [], []
    for one in queries:
        order = np.argsort(-one.scores(weights, naming, preferred), kind="stable")
        if one.is_topic and one.full_texts:
            shares.append(one.full_text[order[:FIRST_RESULTS]].sum() / min(FIRST_RESULTS, one.full_texts))
            firsts.append(one.full_text[order[0]])
        elif not one.is_topic:
            named.append(order[0] == one.target)
    return float(np.mean(shares)), float(np.mean(firsts)), float(np.mean(named))


def fit_preferred(queries: Sequence[Asked], weights: Floats, naming: Floats) -> float:
    """The smallest weight of a preferred work that gives topics their full texts: other features should still count."""
    for preferred in WEIGHTS:
        full_text, first, _ = score(queries, weights, naming, preferred)
        if min(full_text, first) >= MIN_FULL_TEXT:
            return preferred
    return WEIGHTS[-1]


def check(kept: Path, encoder: Encoder | None) -> Iterator[str]:
    """Scores of each library, fitted on the other."""
    weights = load_reranker().meaning if encoder else load_reranker().words
    known = {name: ask_all(data, encoder) for name, data in libraries(kept)}
    for name, queries in known.items():
        other = next(found for one, found in known.items() if one != name)
        naming = fit_naming(other, weights)
        preferred = fit_preferred(other, weights, naming)
        full, first, named = score(queries, weights, naming, preferred)
        way = "embeddings" if encoder else "words"
        yield f"{name}, {way}, {preferred:g}: {full:.1%} full text, first {first:.1%}, named {named:.1%}"


def train(kept: Path, out: Path, encoder: Encoder | None) -> None:
    """Write the naming weights and the weight of preferred works."""
    data = next(data for _, data in libraries(kept))
    shipped = load_reranker()
    queries = ask_all(data, None)
    naming = fit_naming(queries, shipped.words)
    values = {name: round(float(value), 3) for name, value in zip(NAMING_FEATURES, naming, strict=True)}
    (out / MODEL_FILE.name).write_text(json.dumps(values, indent=2) + "\n")
    ranker = json.loads(RANKER_FILE.read_bytes())
    ranker["words"]["preferred"] = fit_preferred(queries, shipped.words, naming)
    if encoder:
        ranker["meaning"]["preferred"] = fit_preferred(ask_all(data, encoder), shipped.meaning, naming)
    (out / RANKER_FILE.name).write_text(json.dumps(ranker, indent=2) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kept", type=Path, default=Path("build/naming"))
    parser.add_argument("--out", type=Path, default=MODEL_FILE.parent)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    encoder = load_encoder()
    if not options.check:
        train(options.kept, options.out, encoder)
    for one in (None, encoder) if options.check else ():
        print("\n".join(check(options.kept, one)), flush=True)


if __name__ == "__main__":
    main()

"""Evaluation of the default configuration against gold standards, one function for each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from openseer.core.errors import BadRequest
from openseer.core.settings import Settings
from openseer.evaluation.clustering_run import cluster, match, reference_doi
from openseer.evaluation.jsonl import rows_of
from openseer.evaluation.known_item import known_item, pasted_citations
from openseer.evaluation.metrics.full_text import FULL_TEXT_SCORES, score_full_text
from openseer.evaluation.metrics.header import score_header, score_references
from openseer.evaluation.metrics.reference_strings import score_string, scores_of
from openseer.evaluation.precision_recall import Tally
from openseer.evaluation.retrieval import all_runs, load_collection, trec_lines
from openseer.evaluation.retrieval import scores_of as search_scores
from openseer.evaluation.similar import similar
from openseer.evaluation.topics import topics_and_names
from openseer.extract.classify.classifier import is_training_document
from openseer.extract.references.parse_reference import parse_reference
from openseer.ingest.extract_files import extract_files
from openseer.search.embeddings.encoder import load_encoder

ScorePaper = Callable[[dict[str, Any], dict[str, Any], Tally], None]
HEADER_SCORES = (
    "title.exact", "title.soft", "authors.name", "authors.full", "authors.list", "abstract.soft", "abstract.mean",
    "year", "doi", "refs", "refs.count", "refs.title", "refs.year", "refs.author1",
)  # fmt: skip
CLASSIFIER_SCORES: tuple[str, ...] = ("accuracy", "accepted", "refused", "borderline")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Result of an evaluation."""

    documents: int
    scores: dict[str, float]
    """Scores in per cent."""
    learned: int | None
    """Documents that the shipped models were trained on; None if that is not recorded."""
    misses: tuple[str, ...] = ()
    lines: tuple[bytes, ...] = ()
    """One line for each document, in the format of the external scorers."""


def evaluate(kind: str, gold: Path, workers: int | None = None) -> Evaluation:
    """Run the evaluation of a kind (see `KINDS`)."""
    return KINDS[kind](gold, workers)


def _paper_evaluation(
    score: ScorePaper, order: Sequence[str], learned: int | None
) -> Callable[[Path, int | None], Evaluation]:
    """Evaluation of papers `<id>.pdf` beside their gold `<id>.json`, or in the sibling folder `papers`."""

    def run(folder: Path, workers: int | None) -> Evaluation:
        folders = (folder, folder.resolve().parent / "papers")
        golds = {paper: gold for gold in sorted(folder.glob("*.json")) if (paper := _paper_of(gold, folders))}
        if not golds:
            raise BadRequest(
                f"{folder} has no paper with gold.",
                "Name a folder of <id>.pdf and <id>.json; the PDFs may be in ../papers.",
            )
        tally, lines = Tally(), []
        for path, record, line in _extractions(list(golds), Settings(), workers):
            score(orjson.loads(golds[path].read_bytes()), {} if record["error"] else record, tally)
            lines.append(line)
        scores = tally.scores()
        return Evaluation(
            len(golds), {name: scores[name] for name in order if name in scores}, learned, (), tuple(lines)
        )

    return run


def _paper_of(gold: Path, folders: Sequence[Path]) -> Path | None:
    papers = (folder / f"{gold.stem}.pdf" for folder in folders)
    return next((paper for paper in papers if paper.exists()), None)


def _extractions(
    paths: Sequence[Path], settings: Settings, workers: int | None
) -> Iterator[tuple[Path, dict[str, Any], bytes]]:
    for path, frames in extract_files([str(path) for path in paths], settings, (), False, workers):
        yield Path(path), orjson.loads(frames[0]), frames[0]


def _academic(folder: Path, workers: int | None) -> Evaluation:
    """Evaluation of the scholarly classifier on a folder with index.jsonl (`file`, `academic`, optional `kind`).

    Borderline documents are scored separately."""
    records = [one for one in rows_of(folder / "index.jsonl") if isinstance(one.get("academic"), bool)]
    settings = Settings.model_validate({"extract": {"min_words": 0}})  # measure the classifier, not the word limit
    tally, lines, misses, learned = Tally(), [], [], 0
    paths = [folder / one["file"] for one in records]
    for gold, (path, record, _) in zip(records, _extractions(paths, settings, workers), strict=True):
        name, verdict = str(gold.get("id") or path.stem), record["academic"]
        if record["error"]:
            misses.append(f"{name}: not read ({record['error']['code']})")
            continue
        learned += is_training_document(record["sha1"])
        is_correct = verdict["verdict"] == gold["academic"]
        borderline = gold.get("kind") == "borderline"
        tally.share("borderline" if borderline else "accuracy", is_correct)
        if not borderline:
            tally.share("accepted" if gold["academic"] else "refused", is_correct)
        if not is_correct:
            misses.append(f"{name}: {verdict['probability']:.2f} {verdict['type']} ({gold.get('kind', '')})")
        lines.append(orjson.dumps({"id": name, "academic": gold["academic"], **verdict}))
    scores = tally.scores()
    shown = {name: scores[name] for name in CLASSIFIER_SCORES if name in scores}
    return Evaluation(len(lines), shown, learned, tuple(misses), tuple(lines))


def _reference_strings(file: Path, workers: int | None) -> Evaluation:
    """Evaluation of labelled reference strings: JSON Lines with `raw` and `spans`."""
    tally, lines = Tally(), []
    for record in rows_of(file):
        parsed = asdict(parse_reference(record["raw"]))
        del parsed["contexts"]
        score_string(record, parsed, tally)
        lines.append(orjson.dumps(parsed))
    return Evaluation(len(lines), scores_of(tally), None, (), tuple(lines))


def _record_evaluation(
    score: Callable[[Sequence[dict[str, Any]]], tuple[dict[str, float], list[bytes]]],
) -> Callable[[Path, int | None], Evaluation]:
    """Evaluation of records or pairs of records in JSON Lines."""

    def run(file: Path, workers: int | None) -> Evaluation:
        rows = list(rows_of(file))
        scores, lines = score(rows)
        return Evaluation(len(rows), scores, None, (), tuple(lines))

    return run


def _query_evaluation(
    score: Callable[[Path], tuple[int, dict[str, float], list[str]]],
) -> Callable[[Path, int | None], Evaluation]:
    """Evaluation of queries with known answers, over records in JSON Lines or over a library."""

    def run(file: Path, workers: int | None) -> Evaluation:
        queries, scores, misses = score(file)
        return Evaluation(queries, scores, None, tuple(misses))

    return run


def _search(folder: Path, workers: int | None) -> Evaluation:
    """Evaluation of a folder with docs.jsonl.gz, queries.jsonl and qrels.tsv in each ranking mode.

    The lines are the run of the last mode."""
    collection = load_collection(folder, load_encoder())
    runs = all_runs(collection)
    scores = {
        f"{mode}.{name}": value
        for mode, run in runs.items()
        for name, value in search_scores(collection.judgements, run).items()
    }
    return Evaluation(len(collection.queries), scores, None, (), tuple(trec_lines(list(runs.values())[-1])))


def _similar(folder: Path, workers: int | None) -> Evaluation:
    """Evaluation of similar works by hidden citations."""
    hidden, scores = similar(folder)
    return Evaluation(hidden, scores, None)


KINDS: dict[str, Callable[[Path, int | None], Evaluation]] = {
    "header": _paper_evaluation(score_header, HEADER_SCORES, None),
    "references": _paper_evaluation(score_references, HEADER_SCORES, None),
    "deep": _paper_evaluation(score_full_text, FULL_TEXT_SCORES, None),
    "academic": _academic,
    "reference-strings": _reference_strings,
    "cluster": _record_evaluation(cluster),
    "match": _record_evaluation(match),
    "reference-doi": _record_evaluation(reference_doi),
    "known-item": _query_evaluation(known_item),
    "pasted": _query_evaluation(pasted_citations),
    "search": _search,
    "similar": _similar,
    "topics": _query_evaluation(topics_and_names),
}

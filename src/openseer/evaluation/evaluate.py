"""Run the default configuration over gold and score what it gives, one function for each kind."""

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
from openseer.evaluation.known_item import known_item, pasted
from openseer.evaluation.metrics.full_text import FIGURES, score_deep
from openseer.evaluation.metrics.header import score_header, score_references
from openseer.evaluation.metrics.reference_strings import score_string, scores_of
from openseer.evaluation.precision_recall import Tally
from openseer.evaluation.retrieval import collection_of, runs_of, trec_lines
from openseer.evaluation.retrieval import scores_of as search_scores
from openseer.evaluation.similar import similar
from openseer.extract.classify.classifier import is_training_document
from openseer.extract.references.parse_reference import parse_reference
from openseer.ingest.worker_jobs import extract_files
from openseer.search.embeddings.encoder import load_encoder

Score = Callable[[dict[str, Any], dict[str, Any], Tally], None]
ORDER = (
    "title.exact", "title.soft", "authors.name", "authors.full", "authors.list", "abstract.soft", "abstract.mean",
    "year", "doi", "refs", "refs.count", "refs.title", "refs.year", "refs.author1",
)  # fmt: skip
VERDICTS: tuple[str, ...] = ("accuracy", "accepted", "refused", "borderline")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came out."""

    documents: int
    scores: dict[str, float]
    """In per cent."""
    learned: int | None
    """How many of the documents the models in use have learned from; None where that is not recorded."""
    misses: tuple[str, ...] = ()
    lines: tuple[bytes, ...] = ()
    """One for each document, as scorers outside read them."""


def evaluate(kind: str, gold: Path, workers: int | None = None) -> Evaluation:
    """Score one kind of reading; `KINDS` names them."""
    return KINDS[kind](gold, workers)


def _papers(score: Score, order: Sequence[str], learned: int | None) -> Callable[[Path, int | None], Evaluation]:
    """Papers `<id>.pdf` beside their gold `<id>.json`, or in the folder `papers` beside that of the gold."""

    def run(folder: Path, workers: int | None) -> Evaluation:
        places = (folder, folder.resolve().parent / "papers")
        golds = {paper: gold for gold in sorted(folder.glob("*.json")) if (paper := _found(gold, places))}
        if not golds:
            raise BadRequest(
                f"There is no paper with gold in {folder}.",
                "Name a folder of <id>.pdf and <id>.json; the PDFs may be in ../papers.",
            )
        tally, lines = Tally(), []
        for path, record, line in _read(list(golds), Settings(), workers):
            score(orjson.loads(golds[path].read_bytes()), {} if record["error"] else record, tally)
            lines.append(line)
        scores = tally.scores()
        return Evaluation(
            len(golds), {name: scores[name] for name in order if name in scores}, learned, (), tuple(lines)
        )

    return run


def _found(gold: Path, places: Sequence[Path]) -> Path | None:
    papers = (place / f"{gold.stem}.pdf" for place in places)
    return next((paper for paper in papers if paper.exists()), None)


def _read(
    paths: Sequence[Path], settings: Settings, workers: int | None
) -> Iterator[tuple[Path, dict[str, Any], bytes]]:
    asked = {"evidence": False, "forms": []}
    for path, frames in extract_files([str(path) for path in paths], settings, asked, workers):
        yield Path(path), orjson.loads(frames[0]), frames[0]


def _academic(folder: Path, workers: int | None) -> Evaluation:
    """A folder with index.jsonl, whose lines have `file`, `academic` and perhaps `kind`; borderline ones apart."""
    records = [one for one in rows_of(folder / "index.jsonl") if isinstance(one.get("academic"), bool)]
    settings = Settings.model_validate({"extract": {"min_words": 0}})  # the verdict is measured, not the other limits
    tally, lines, misses, learned = Tally(), [], [], 0
    paths = [folder / one["file"] for one in records]
    for gold, (path, record, _) in zip(records, _read(paths, settings, workers), strict=True):
        name, verdict = str(gold.get("id") or path.stem), record["academic"]
        if record["error"]:
            misses.append(f"{name}: not read ({record['error']['code']})")
            continue
        learned += is_training_document(record["sha1"])
        right = verdict["verdict"] == gold["academic"]
        borderline = gold.get("kind") == "borderline"
        tally.share("borderline" if borderline else "accuracy", right)
        if not borderline:
            tally.share("accepted" if gold["academic"] else "refused", right)
        if not right:
            misses.append(f"{name}: {verdict['probability']:.2f} {verdict['type']} ({gold.get('kind', '')})")
        lines.append(orjson.dumps({"id": name, "academic": gold["academic"], **verdict}))
    scores = tally.scores()
    shown = {name: scores[name] for name in VERDICTS if name in scores}
    return Evaluation(len(lines), shown, learned, tuple(misses), tuple(lines))


def _strings(file: Path, workers: int | None) -> Evaluation:
    """Labelled reference strings, one JSON object a line: `raw` and `spans`."""
    tally, lines = Tally(), []
    for record in rows_of(file):
        parsed = asdict(parse_reference(record["raw"]))
        del parsed["contexts"]
        score_string(record, parsed, tally)
        lines.append(orjson.dumps(parsed))
    return Evaluation(len(lines), scores_of(tally), None, (), tuple(lines))


def _matched(
    score: Callable[[Sequence[dict[str, Any]]], tuple[dict[str, float], list[bytes]]],
) -> Callable[[Path, int | None], Evaluation]:
    """Records or pairs of them, one JSON object a line."""

    def run(file: Path, workers: int | None) -> Evaluation:
        rows = list(rows_of(file))
        scores, lines = score(rows)
        return Evaluation(len(rows), scores, None, (), tuple(lines))

    return run


def _found_again(
    score: Callable[[Path], tuple[int, dict[str, float], list[str]]],
) -> Callable[[Path, int | None], Evaluation]:
    """Records in a library of their own, and questions whose answer is known."""

    def run(file: Path, workers: int | None) -> Evaluation:
        asked, scores, misses = score(file)
        return Evaluation(asked, scores, None, tuple(misses))

    return run


def _search(folder: Path, workers: int | None) -> Evaluation:
    """A folder with docs.jsonl.gz, queries.jsonl and qrels.tsv; every way of ranking, the shipped one written out."""
    collection = collection_of(folder, load_encoder())
    runs = runs_of(collection)
    scores = {
        f"{way}.{name}": value
        for way, run in runs.items()
        for name, value in search_scores(collection.judged, run).items()
    }
    return Evaluation(len(collection.questions), scores, None, (), tuple(trec_lines(list(runs.values())[-1])))


def _similar(place: Path, workers: int | None) -> Evaluation:
    """Hidden citations, found again among similar works."""
    hidden, scores = similar(place)
    return Evaluation(hidden, scores, None)


KINDS: dict[str, Callable[[Path, int | None], Evaluation]] = {
    "header": _papers(score_header, ORDER, None),
    "references": _papers(score_references, ORDER, None),
    "deep": _papers(score_deep, FIGURES, None),
    "academic": _academic,
    "reference-strings": _strings,
    "cluster": _matched(cluster),
    "match": _matched(match),
    "reference-doi": _matched(reference_doi),
    "known-item": _found_again(known_item),
    "pasted": _found_again(pasted),
    "search": _search,
    "similar": _similar,
}

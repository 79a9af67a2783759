"""Extract every paper of the corpus with models trained without it, its source, and its lines in other data sets.

    .venv/bin/python -m training.crossvalidate OUT.jsonl [--models DIR]

The sources are split into ten folds. Models that exist in DIR are reused, so an interrupted run resumes.
Score the file with `score_extraction.py CORPUS_DIR/papers OUT.jsonl --by source`, or `openseer evaluate`."""

from __future__ import annotations

import argparse
import dataclasses
import json
import shutil
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from openseer.core.errors import OpenseerError
from openseer.core.model.extraction import Extraction
from openseer.extract.body import outline as outline_reading
from openseer.extract.classify.classifier import MODEL as ACADEMIC
from openseer.extract.header import line_classifier
from openseer.extract.header import year as year_reading
from openseer.extract.models import paths
from openseer.extract.reader import read
from openseer.extract.references.tagger import MODEL as REFERENCES
from training import academic, header, outline, references, year
from training.growing import CORPUS, MODELS, Trainer

FOLDS = 10


class Fold(NamedTuple):
    """The papers extracted with one set of models, and the folder of the models."""

    folder: Path
    papers: tuple[Path, ...]
    known_as: frozenset[str]
    """Ids of the papers, and their ids in other data sets."""


def folds(models: Path) -> list[Fold]:
    """Whole sources by size, each assigned to the smallest fold so far."""
    golds = {file: json.loads(file.read_text(encoding="utf-8")) for file in sorted((CORPUS / "papers").glob("*.json"))}
    sizes = Counter(gold["source"] for gold in golds.values())
    loads, fold_of = [0] * FOLDS, {}
    for source, size in sorted(sizes.items(), key=lambda one: (-one[1], one[0])):
        fold_of[source] = loads.index(min(loads))
        loads[fold_of[source]] += size
    return [
        _fold(models / f"fold-{number}", {f: g for f, g in golds.items() if fold_of[g["source"]] == number})
        for number in range(FOLDS)
    ]


def _fold(folder: Path, golds: dict[Path, dict[str, Any]]) -> Fold:
    names = {name for gold in golds.values() for name in (gold["id"], Path(gold["source_path"]).stem)}
    return Fold(folder, tuple(file.with_suffix(".pdf") for file in golds), frozenset(names))


def prepare(fold: Fold) -> None:
    """Train the models of a fold; the model for reference strings is the shipped one if its training data has none of
    the documents."""
    fold.folder.mkdir(parents=True, exist_ok=True)
    trainers: list[tuple[str, Trainer]] = [
        (line_classifier.MODEL, header.train_model),
        (year_reading.MODEL, year.train_model),
        (outline_reading.MODEL, outline.train_model),
        (ACADEMIC, academic.train_model),
    ]
    if any(record["doc"] in fold.known_as for record in references.strings()):
        trainers.append((REFERENCES, references.train_model))
    for file in MODELS.iterdir():
        if file.name not in {name for name, _ in trainers}:
            shutil.copy(file, fold.folder)
    for name, train in trainers:
        if not (fold.folder / name).exists():
            print(fold.folder.name, end=": ", flush=True)
            train(fold.folder, fold.known_as)


def use(models: Path) -> None:
    """Use these models in this process."""
    paths.folder = models


def read_one(pdf: Path) -> bytes:
    """One line of the extraction file."""
    try:
        found = dataclasses.replace(read(pdf), file=pdf.name)
    except OpenseerError as error:
        found = Extraction(file=pdf.name, error=error.as_record())
    return orjson.dumps(found.as_record())


def extractions(models: Path) -> Iterator[bytes]:
    """Extractions of all papers, training missing models first."""
    for fold in folds(models):
        prepare(fold)
        with ProcessPoolExecutor(2, get_context("spawn"), use, (fold.folder,)) as pool:
            yield from pool.map(read_one, fold.papers, chunksize=4)


def main() -> None:
    """Write the extraction file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--models", type=Path, default=Path("build/folds"))
    options = parser.parse_args()
    options.out.write_bytes(b"".join(line + b"\n" for line in extractions(options.models)))


if __name__ == "__main__":
    main()

"""Train the model that labels the words of a printed reference.

    .venv/bin/python -m training.references [CORPUS_DIR] [--hold-out 8]

With --hold-out N, N per cent of the documents are kept apart, and their strings are written to
references-held-out.jsonl beside the model in --out, so that `score_references.py` can be run on them. Every run gives
the same model.
"""

from __future__ import annotations

import argparse
import ctypes
import gzip
import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pycrfsuite

from openseer.extract.references.sequence_model import model_bytes
from openseer.extract.references.tagger import MODEL
from openseer.extract.references.token_features import feature_names, keys_of
from training import invented
from training.growing import CORPUS, MODELS
from training.labels import labels_of

RUNS = 4
SETTINGS = {"max_iterations": 10, "feature.minfreq": 2}


def strings() -> Iterator[dict[str, Any]]:
    """The labelled strings of the corpus."""
    with gzip.open(CORPUS / "citations" / "train.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def held_out(record: dict[str, Any], per_cent: int) -> bool:
    """Held-out strings by document, so that related strings stay together; sources without documents in runs of 25."""
    loose = record["source"].startswith(("anystyle", "parscit"))
    group = str(int(record["id"][1:]) // 25) if loose else record["doc"]
    digest = hashlib.md5(f"{record['source'].split('-')[0]}{group}".encode(), usedforsecurity=False).hexdigest()
    return int(digest, 16) % 100 < per_cent


def train_model(out: Path, leave_out: frozenset[str] = frozenset()) -> None:
    """Train a model on all strings of the corpus except those of the excluded documents (`doc`)."""
    train([record for record in strings() if record["doc"] not in leave_out], out / MODEL)


def train(records: list[dict[str, Any]], into: Path) -> None:
    """Averaged perceptrons with different orders of the strings; the model is their mean."""
    trainer = pycrfsuite.Trainer(algorithm="ap", verbose=False)
    trainer.set_params(SETTINGS)
    for record in [*records, *invented.strings()]:
        tokens, labels = labels_of(record)
        if tokens:
            trainer.append(pycrfsuite.ItemSequence(feature_names(keys_of(record["raw"], tokens))), labels)
    states, steps = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    with tempfile.TemporaryDirectory() as folder:
        ctypes.CDLL(None).srand(1)  # crfsuite shuffles by C's row of chance numbers: this is where it begins
        for _ in range(RUNS):
            trainer.train(f"{folder}/model")
            tagger = pycrfsuite.Tagger()
            tagger.open(f"{folder}/model")
            weights = tagger.info()
            states.update(weights.state_features)
            steps.update(weights.transitions)
            tagger.close()
    into.write_bytes(model_bytes(states, steps))


def main() -> None:
    """Train on all strings, or on all except the held-out ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hold-out", type=int, default=0)
    parser.add_argument("--out", type=Path, default=MODELS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    records = list(strings())
    kept_apart = [record for record in records if held_out(record, options.hold_out)]
    train([record for record in records if not held_out(record, options.hold_out)], options.out / MODEL)
    if kept_apart:
        lines = (json.dumps(record, ensure_ascii=False) for record in kept_apart)
        (options.out / "references-held-out.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(records) - len(kept_apart)} strings, {len(kept_apart)} held out: {options.out / MODEL}")


if __name__ == "__main__":
    main()

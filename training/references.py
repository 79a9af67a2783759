"""Train the model that labels the words of a printed reference.

    .venv/bin/python training/references.py [CORPUS_DIR] [--hold-out 8]

With --hold-out N, N per cent of the documents are kept apart, and their strings are written to
references-held-out.jsonl beside the model in --out, so that `score_references.py` can be run on them. Fixed order, no
random numbers.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pycrfsuite

from openseer.extract.tagging import MODEL, clues_of
from training.labels import labels_of

MODELS = Path(__file__).parents[1] / "src" / "openseer" / "extract" / "models"
ROUNDS = 30


def strings(corpus: Path) -> Iterator[dict[str, Any]]:
    """The labelled strings of the corpus."""
    with gzip.open(corpus / "citations" / "train.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def held_out(record: dict[str, Any], per_cent: int) -> bool:
    """By document, so that no string has a sibling on the other side; sources without documents by runs of 25."""
    loose = record["source"].startswith(("anystyle", "parscit"))
    group = str(int(record["id"][1:]) // 25) if loose else record["doc"]
    digest = hashlib.md5(f"{record['source'].split('-')[0]}{group}".encode(), usedforsecurity=False).hexdigest()
    return int(digest, 16) % 100 < per_cent


def train(records: list[dict[str, Any]], into: Path) -> None:
    """An averaged perceptron over the clues."""
    trainer = pycrfsuite.Trainer(algorithm="ap", verbose=False)
    trainer.set_params({"max_iterations": ROUNDS, "feature.minfreq": 3})
    for record in records:
        tokens, labels = labels_of(record)
        if tokens:
            trainer.append(pycrfsuite.ItemSequence(clues_of(record["raw"], tokens)), labels)
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(f"{folder}/model")
        into.write_bytes(gzip.compress(Path(folder, "model").read_bytes(), 9, mtime=0))


def main() -> None:
    """Train on all strings, or on all but the held-out ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", type=Path, default=Path("../shared/corpus"))
    parser.add_argument("--hold-out", type=int, default=0)
    parser.add_argument("--out", type=Path, default=MODELS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    records = list(strings(options.corpus))
    kept_apart = [record for record in records if held_out(record, options.hold_out)]
    train([record for record in records if not held_out(record, options.hold_out)], options.out / MODEL)
    if kept_apart:
        lines = (json.dumps(record, ensure_ascii=False) for record in kept_apart)
        (options.out / "references-held-out.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(records) - len(kept_apart)} strings, {len(kept_apart)} held out: {options.out / MODEL}")


if __name__ == "__main__":
    main()

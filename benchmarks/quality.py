"""Record how well papers are read: the samples, a part of the corpus, and the whole corpus in cross-validation.

    .venv/bin/python -m benchmarks.quality                 # writes benchmarks/quality.json; the gate of `make test`
    .venv/bin/python -m benchmarks.quality --crossvalidate # the cross-validated part too (about ten minutes)

Tests compare the figures with what is recorded; none may fall by more than a point.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from training.growing import CORPUS

from openseer.core.errors import OpenseerError
from openseer.evaluation import samples
from openseer.evaluation.metrics.full_text import FULL_TEXT_SCORES, score_full_text
from openseer.evaluation.metrics.header import score_header, score_references
from openseer.evaluation.precision_recall import Tally
from openseer.extract.reader import read
from training import crossvalidate

RECORD = Path(__file__).with_suffix(".json")
PART = 5
"""Every so many papers of the corpus are read by `make test`."""

Gold = dict[str, Any]
Found = tuple[Gold, Gold, dict[str, Any]]
"""Gold, deep gold (each {} where there is none), and what was read as a record ({} where nothing could be)."""


def scores(found: Iterable[Found]) -> dict[str, float]:
    """Every score of header and bibliography, and of what stands inside where that is known, in per cent."""
    tally, inside = Tally(), Tally()
    for gold, deep, record in found:
        score_header(gold, record, tally)
        score_references(gold, record, tally)
        score_full_text(deep, record, inside)
    deeper = {name: score for name, score in inside.scores().items() if name in FULL_TEXT_SCORES}
    return {name: round(score, 1) for name, score in sorted((tally.scores() | deeper).items())}


def of_samples(folder: Path) -> dict[str, float]:
    """Our own papers, as printed into a folder."""
    golds = {name: samples.gold(name) for name in samples.names()}
    papers = {name: gold for name, gold in golds.items() if gold["academic"] and gold["kind"] != "scan"}
    return scores((gold, samples.full_text_gold(name), _read(folder / f"{name}.pdf")) for name, gold in papers.items())


def of_part(corpus: Path) -> dict[str, float]:
    """Every fifth paper of the corpus, and every fifth of those with deep gold, by the shipped models, which learned
    from most of them."""
    golds, deep = _golds(corpus / "papers"), _golds(corpus / "deep")
    wide, narrow = set(list(golds)[::PART]), set(list(deep)[::PART])
    return scores(
        (
            golds[name] if name in wide else {},
            deep[name] if name in narrow else {},
            _read(corpus / "papers" / f"{name}.pdf"),
        )
        for name in sorted(wide | narrow)
    )


def crossvalidated(models: Path) -> dict[str, float]:
    """Every paper of the corpus by models that saw neither it nor its source."""
    golds, deep = _golds(CORPUS / "papers"), _golds(CORPUS / "deep")
    records = map(json.loads, crossvalidate.extractions(models))
    read = ((Path(one["file"]).stem, {} if one["error"] else one) for one in records)
    return scores((golds[name], deep.get(name, {}), record) for name, record in read)


def _golds(folder: Path) -> dict[str, Gold]:
    return {file.stem: json.loads(file.read_bytes()) for file in sorted(folder.glob("*.json"))}


def _read(pdf: Path) -> dict[str, Any]:
    try:
        return read(pdf).as_record()
    except OpenseerError:
        return {}


def main() -> None:
    """Measure and record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crossvalidate", action="store_true")
    parser.add_argument("--models", type=Path, default=Path("build/folds"))
    options = parser.parse_args()
    recorded = json.loads(RECORD.read_bytes()) if RECORD.exists() else {}
    with TemporaryDirectory() as folder:
        samples.make(Path(folder))
        recorded["samples"] = of_samples(Path(folder))
    recorded["part of the corpus"] = of_part(CORPUS)
    if options.crossvalidate:
        recorded["cross-validated"] = crossvalidated(options.models)
    RECORD.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")
    print(RECORD.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()

"""Score citation contexts on pages whose marks were counted by hand, in styles that the deep gold lacks.

    .venv/bin/python benchmarks/contexts.py [CORPUS_DIR] [--misses]

`contexts.jsonl` beside it has a line for each paper: the pages that were looked at as pictures, how many entries the
bibliography prints, and of each mark there the page, how it is printed, which of its like on the page it is, and the
numbers of the entries it leads to. A mark that leads to no entry of the bibliography is not in it. Pages that are
"drawn" were picked by chance when the rules were written, the others were looked at before.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from openseer.evaluation.metrics.citation_marks import score_citation_markers
from openseer.evaluation.precision_recall import Tally
from openseer.extract.reader import read

GOLD = Path(__file__).with_suffix(".jsonl")


def main() -> None:
    """Print the figures of each paper and of all."""
    folders = [word for word in sys.argv[1:] if not word.startswith("-")]
    corpus = Path(folders[0] if folders else os.environ.get("CORPUS_DIR", "../shared/corpus"))
    every = Tally()
    for line in GOLD.read_text(encoding="utf-8").splitlines():
        gold = json.loads(line)
        found = read(corpus / "papers" / f"{gold['id']}.pdf").as_record()
        one = Tally()
        for tally in (one, every):
            score_citation_markers(gold, found, tally)
        print(f"{gold['id']:26}", {name: round(value, 1) for name, value in one.scores().items()}, one.f1_counts)
        if "--misses" in sys.argv:
            print("   wanted", sorted((page, mark) for page, mark, _, _ in gold["mentions"]))
            seen = {(c["page"], c["printed"], *c["box"]) for r in found["references"] for c in r["contexts"]}
            print("   found ", sorted(mark[:2] for mark in seen if mark[0] in gold["pages"]))
    print({name: round(value, 1) for name, value in every.scores().items()}, every.f1_counts, every.shares)


if __name__ == "__main__":
    main()

"""The writer alone: papers that were made beforehand go into a library, with nothing else at work.

    .venv/bin/python benchmarks/writer.py DIR --base RECORDS.jsonl.gz [--papers 400] [--first 1000000]

DIR is a library, or becomes one; papers are numbered from --first on, and papers it has are skipped.
The index does not follow here: the next `serve` or `ingest` in DIR sees to that."""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path

import orjson

from openseer.core.model.resource import Resource
from openseer.core.processes.gc_tuning import rare_collection
from openseer.core.processes.worker_pool import WorkerResult
from openseer.evaluation.bench.ingest import facts_of
from openseer.evaluation.corpora.synthetic import REFERENCES, make_paper
from openseer.ingest.coordinator import Coordinator
from openseer.ingest.registration import register
from openseer.ingest.results import IngestJob
from openseer.storage.open import Library, open_library


class Ready(Coordinator):
    """Takes in what lies ready."""

    def answers(self, orders: list[bytes], first: int) -> list[WorkerResult[IngestJob]]:
        """Papers as workers would bring them."""
        numbers = range(first, first + len(orders))
        files = [(Resource(f"made:{number}"), facts_of(number)) for number in numbers]
        registered = register(self._library, files, replace(self.owner, version=1))
        return [
            WorkerResult(IngestJob(f"{number}", facts_of(number), one.task, None), tuple(make_paper(order)))
            for number, one, order in zip(numbers, registered, orders, strict=True)
            if not one.known
        ]

    def take_in(self, answers: list[WorkerResult[IngestJob]]) -> float:
        """As many at once as a run writes when papers wait for it; the seconds of the processor that it took."""
        size, began = 2 * self._library.settings.ingest.batch, time.process_time()
        with rare_collection():  # as in a run
            for start in range(0, len(answers), size):
                self.write_batch([one for answer in answers[start : start + size] if (one := self.receive(answer))])
        return time.process_time() - began


def measure(library: Library, orders: list[bytes], first: int) -> dict[str, object]:
    """Papers a second, and what each took."""
    ready, works = Ready(library), library.records.counts()["works"]
    answers = ready.answers(orders, first)
    began = time.monotonic()
    spent = ready.take_in(answers)
    seconds = time.monotonic() - began
    return {
        "works_before": works,
        "papers": dict(ready.progress.counts),
        "papers_per_second": round(len(answers) / seconds, 1),
        "ms_a_paper": round(1000 * seconds / max(1, len(answers)), 1),
        "cpu_ms_a_paper": round(1000 * spent / max(1, len(answers)), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--base", type=Path, required=True, help="records that papers are made of, JSON Lines")
    parser.add_argument("--papers", type=int, default=400)
    parser.add_argument("--references", type=int, default=REFERENCES)
    parser.add_argument("--first", type=int, default=1_000_000)
    options = parser.parse_args()
    told = {"base": str(options.base.absolute()), "references": options.references}
    last = options.first + options.papers
    orders = [orjson.dumps({"number": number, "total": last, **told}) for number in range(options.first, last)]
    with open_library(options.data, create=True) as library:
        print(json.dumps(measure(library, orders, options.first), indent=2))


if __name__ == "__main__":
    main()

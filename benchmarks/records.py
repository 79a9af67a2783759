"""Compare the record backends: ingest synthetic papers into SQLite and PostgreSQL, then read every work back.

    .venv/bin/python -m benchmarks.records [PAPERS]

Prints one JSON object; keep it in benchmarks/records.json when it is worth comparing with.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.builders import LibrarySnapshot, Paper, ingest_papers, snapshot
from tests.postgres import Server

from openseer.storage.sql.reader import SqlRecords

BATCH = 16
REFERENCES = 30


def made_up(count: int) -> list[Paper]:
    """Papers that cite works of a common stock, some of which are papers here."""
    chance = random.Random(1)
    words = [f"word{number}" for number in range(3000)]
    stock = [(" ".join(chance.choices(words, k=7)), f"Author{chance.randrange(800)}") for _ in range(6 * count)]
    return [
        Paper(title, author, cites=tuple(chance.sample(stock, REFERENCES)))
        for title, author in chance.sample(stock, count)
    ]


def measured(place: Path | str, papers: list[Paper]) -> tuple[dict[str, float], LibrarySnapshot]:
    """Speed of a backend, and the library it produced."""
    records = SqlRecords(place)
    batches = []
    for start in range(0, len(papers), BATCH):
        began = time.perf_counter()
        ingest_papers(records, papers[start : start + BATCH])
        batches.append(time.perf_counter() - began)
    began = time.perf_counter()
    made = snapshot(records)
    reading = time.perf_counter() - began
    records.close()
    figures = {
        "papers_per_second": round(len(papers) / sum(batches), 1),
        "batch_ms_median": round(1000 * statistics.median(batches), 1),
        "batch_ms_max": round(1000 * max(batches), 1),
        "ms_to_read_a_work": round(1000 * reading / len(made.works), 3),
    }
    return figures, made


def main(count: int) -> None:
    """Measure both, one after the other, and see that they made the same library."""
    papers = made_up(count)
    with tempfile.TemporaryDirectory() as folder:
        lite, expected = measured(Path(folder, "library.db"), papers)
    server = Server(durable=True)
    try:
        server.start()
        postgres, found = measured(server.fresh(), papers)
    finally:
        server.remove()
    result = {
        "papers": count,
        "references_each": REFERENCES,
        "batch": BATCH,
        "sqlite": lite,
        "postgresql": postgres,
        "sqlite_over_postgresql": round(lite["papers_per_second"] / postgres["papers_per_second"], 2),
        "same_library": found == expected,
        "cores": os.cpu_count(),
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 960)

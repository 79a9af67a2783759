"""Measure whole readings on the corpus: papers a second with one and two workers, the header alone, memory, and where
the time goes.

    .venv/bin/python -m benchmarks.reading [CORPUS_DIR]     # writes benchmarks/reading.json

The ways take turns and the best of three rounds counts, since machines are shared.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from multiprocessing import get_context
from pathlib import Path

import pypdfium2 as pdfium

from openseer.core.errors import OpenseerError
from openseer.core.model.extraction import Extraction
from openseer.extract.reader import read, read_header

CORPUS = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("CORPUS_DIR", "../shared/corpus"))
ROUNDS = 3
Told = tuple[float, int, dict[str, float]]
"""CPU seconds, peak memory of the process in kB, milliseconds of each step."""


def whole(pdf: Path) -> Told:
    """A whole reading."""
    return _timed(read, pdf)


def header(pdf: Path) -> Told:
    """A header alone."""
    return _timed(read_header, pdf)


def _timed(way: Callable[[Path], Extraction], pdf: Path) -> Told:
    start = time.process_time()
    try:
        steps = way(pdf).timing_ms
    except OpenseerError:
        steps = {}
    return time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, steps


def _ready(pdf: Path) -> None:
    read(pdf)


def throughput(way: Callable[[Path], Told], workers: int, files: list[Path]) -> tuple[float, list[Told]]:
    """Papers a second once the processes have their models."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        list(pool.map(_ready, files[:1] * 2 * workers))
        start = time.perf_counter()
        told = list(pool.map(way, files))
        return len(files) / (time.perf_counter() - start), told


def main() -> None:
    """Every paper of the corpus, the largest files first, so that no worker waits at the end."""
    files = sorted((CORPUS / "papers").glob("*.pdf"), key=lambda file: -file.stat().st_size)
    pages = sum(len(pdfium.PdfDocument(file)) for file in files)
    ways = {
        "whole, 2 workers": (whole, 2),
        "whole, 1 worker": (whole, 1),
        "header only, 2 workers": (header, 2),
        "header only, 1 worker": (header, 1),
    }
    rates: dict[str, float] = {}
    cpu: dict[str, float] = {}
    steps: Counter[str] = Counter()
    memory = 0
    for _ in range(ROUNDS):
        for name, (way, workers) in ways.items():
            rate, told = throughput(way, workers, files)
            rates[name] = max(rate, rates.get(name, 0.0))
            cpu[name] = min(sum(one[0] for one in told), cpu.get(name, 1e9))
            memory = max(memory, *(one[1] for one in told))
            if name == "whole, 1 worker":
                steps = Counter()
                for one in told:
                    steps.update(one[2])
    report = {
        "command": "python -m benchmarks.reading",
        "date": date.today().isoformat(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "papers": len(files),
        "pages": pages,
        "papers a second": {name: round(rate, 1) for name, rate in rates.items()},
        "CPU ms a paper": {name: round(1000 * taken / len(files), 1) for name, taken in cpu.items()},
        "CPU ms a page": {name: round(1000 * taken / pages, 2) for name, taken in cpu.items()},
        "share of the time": {name: round(taken / steps.total(), 3) for name, taken in steps.most_common()},
        "peak memory of a worker, MB": round(memory / 1024),
    }
    Path(__file__).with_suffix(".json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

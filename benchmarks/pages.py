"""Measure the reading of pages on the corpus: pdfium's own part, the words by Python and by C, and whole readings.

    .venv/bin/python benchmarks/pages.py [CORPUS_DIR]     # keep the output in benchmarks/pages.json

CPU milliseconds of one process; the ways take turns, file by file, and the best of three rounds counts.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pypdfium2 as pdfium
from pypdfium2 import raw

from openseer.extract.pdf import native
from openseer.extract.pdf.page_reader import read_pages
from openseer.extract.reader import read

CORPUS = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("CORPUS_DIR", "../shared/corpus"))
ROUNDS = 3
COMPILED = native.library


def text_pages(path: Path) -> None:
    """Load every page and build its text: what no reader of pdfium can do without."""
    with pdfium.PdfDocument(path) as document:
        for number in range(len(document)):
            page = document[number]
            text = page.get_textpage()
            raw.FPDFText_CountChars(text.raw)
            text.close()
            page.close()


def by(library: native.NativeLibrary | None, work: Callable[[Path], object]) -> Callable[[Path], object]:
    """The work done with the compiled reader or without."""

    def run(path: Path) -> object:
        native.library = library
        return work(path)

    return run


def ways() -> dict[str, Callable[[Path], object]]:
    """Everything that is measured; without the compiled reader only what Python does."""
    found: dict[str, Callable[[Path], object]] = {
        "text page only": text_pages,
        "words by Python": by(None, read_pages),
        "whole reading by Python": by(None, read),
    }
    if COMPILED:
        found |= {"words by C": by(COMPILED, read_pages), "whole reading by C": by(COMPILED, read)}
    return found


def measure(files: list[Path]) -> dict[str, float]:
    """CPU milliseconds of each way over all files."""
    total: dict[str, float] = defaultdict(float)
    for file in files:
        best: dict[str, float] = {}
        for _ in range(ROUNDS):
            for name, way in ways().items():
                start = time.process_time()
                way(file)
                best[name] = min(best.get(name, 1e9), 1000 * (time.process_time() - start))
        for name, taken in best.items():
            total[name] += taken
    return dict(total)


def is_readable(file: Path) -> bool:
    return not json.loads(file.with_suffix(".json").read_text()).get("no_text_layer")


def main() -> None:
    """Every third paper with a text layer."""
    files = [file for file in sorted((CORPUS / "papers").glob("*.pdf")) if is_readable(file)][::3]
    pages = sum(len(pdfium.PdfDocument(file)) for file in files)
    taken = measure(files)
    report = {
        "command": "python benchmarks/pages.py",
        "date": date.today().isoformat(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "pdfium": str(pdfium.PDFIUM_INFO),
        "papers": len(files),
        "pages": pages,
        "ms a page": {name: round(one / pages, 2) for name, one in taken.items()},
        "ms a paper": {name: round(one / len(files), 1) for name, one in taken.items()},
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

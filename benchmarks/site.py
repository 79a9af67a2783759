"""Server time and size of each page over a library: `python benchmarks/site.py DATA`."""

from __future__ import annotations

import gzip
import os
import statistics
import sys
import time
from pathlib import Path
from urllib.parse import quote

from fastapi.testclient import TestClient

from openseer.core.model.query import Everything, SearchQuery
from openseer.storage.open import open_library
from openseer.web.app import create_app

WORDS = ("language model", "plants", "citation", "learning networks", "gravity", "software", "graph", "parsing text")


def main() -> None:
    """Measure, and print a table."""
    os.environ["OPENSEER_WEB__RESULT_CACHE_SIZE"] = "0"
    with open_library(Path(sys.argv[1])) as library, TestClient(create_app(library)) as web:
        index = library.open_index()
        hits = [hit.work for hit in index.search(SearchQuery(Everything(), "citations", limit=30)).hits]
        full = [
            hit.work for hit in index.search(SearchQuery(Everything(), "citations", limit=30, full_text_only=True)).hits
        ]
        pages = {
            "home": ["/"],
            "results": [f"/search?q={quote(words)}&page={page}" for words in WORDS for page in (1, 2)],
            "results, filtered": [f"/search?q={quote(words)}&low=2000&filter=language:en" for words in WORDS],
            "work with full text": [f"/works/{work.id}" for work in full],
            "work by citations only": [f"/works/{work.id}" for work in hits],
            "author": [f"/author/{quote(work.authors[0], safe='')}" for work in full if work.authors],
            "venue": [f"/venue/{quote(work.venue, safe='')}" for work in hits if work.venue],
            "browse": ["/browse"],
            "statistics": ["/stats"],
            "citing sentences": [f"/contexts?q={quote(words)}" for words in WORDS],
            "reader": [f"/read/{work.documents[0]}" for work in full],
            "reader, text": [f"/read/{work.documents[0]}?view=text" for work in full],
        }
        print(f"{'page':<24}{'median ms':>10}{'p95':>8}{'KB':>8}{'KB sent':>9}")
        for name, addresses in pages.items():
            print(f"{name:<24}{_row(web, addresses)}")


def _row(web: TestClient, addresses: list[str]) -> str:
    times, sizes, sent = [], [], []
    for address in addresses:
        web.get(address, headers={"accept": "text/html"})
    for address in addresses * (1 if len(addresses) > 5 else 15):
        started = time.perf_counter()
        answer = web.get(address, headers={"accept": "text/html", "accept-encoding": "gzip"})
        times.append((time.perf_counter() - started) * 1000)
        sizes.append(len(answer.content))
        sent.append(len(gzip.compress(answer.content, 5)))
    late = sorted(times)[int(len(times) * 0.95)] if len(times) > 1 else times[0]
    return f"{statistics.median(times):>10.1f}{late:>8.1f}{max(sizes) / 1000:>8.1f}{max(sent) / 1000:>9.1f}"


if __name__ == "__main__":
    main()

"""Measure a library end to end on the corpus: ingest, a second ingest, verify, search by title, memory.

    make bench            # or: .venv/bin/python benchmarks/library.py [CORPUS_DIR]

Prints one JSON object; keep it in benchmarks/library.json when it is worth comparing with.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from openseer.search.context import SearchContext
from openseer.search.service import SearchRequest, search
from openseer.storage.open import open_library

CORPUS = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("CORPUS_DIR", "../shared/corpus"))


def descendants(pid: int) -> list[int]:
    """The processes of a tree, parents first."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, todo = [], [pid]
    while todo:
        found.append(todo.pop())
        todo += children.get(found[-1], [])
    return found


def resident_mb(pid: int) -> float:
    """Resident memory of a whole tree of processes."""
    total = 0
    for one in descendants(pid):
        try:
            total += int(Path(f"/proc/{one}/statm").read_text().split()[1])
        except (OSError, IndexError):
            continue
    return total * os.sysconf("SC_PAGE_SIZE") / 2**20


def openseer(data: Path, *arguments: str | Path) -> dict[str, object]:
    """Run a command; its seconds, the peak memory of its tree, and what it printed."""
    started, peak = time.monotonic(), 0.0
    with tempfile.TemporaryFile("w+") as out:
        command = [sys.executable, "-m", "openseer", "--data", str(data), *map(str, arguments)]
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        while process.poll() is None:
            peak = max(peak, resident_mb(process.pid))
            time.sleep(0.05)
        out.seek(0)
        printed = json.loads(out.read() or "{}")
    seconds = time.monotonic() - started
    return {"seconds": round(seconds, 2), "peak_mb": round(peak), "exit": process.returncode, **printed}


def found_first(data: Path) -> dict[str, object]:
    """For how many papers the words of the gold title find the paper itself first, and how fast."""
    first, asked, took, missed = 0, 0, [], []
    with open_library(data) as library:
        context = SearchContext(library.open_index(), library.records)
        for file in sorted((CORPUS / "papers").glob("*.json")):
            gold = json.loads(file.read_text())
            if gold.get("no_text_layer"):
                continue
            response = search(context, SearchRequest(re.sub(r"[\\${}]", "", gold["title"])))
            hit = bool(response.results) and gold["sha1"] in response.results[0].work.documents
            asked, first = asked + 1, first + hit
            took.append(response.took_ms)
            if not hit:
                missed.append(gold["id"])
    return {"asked": asked, "first": first, "missed": missed, "median_ms": round(sorted(took)[len(took) // 2], 2)}


def main() -> None:
    """Everything, in a temporary directory."""
    folder = Path(tempfile.mkdtemp())
    data = folder / "papers"
    try:
        report = {
            "ingest papers": openseer(data, "ingest", CORPUS / "papers", "--json"),
            "ingest papers again": openseer(data, "ingest", CORPUS / "papers", "--json"),
            "verify": openseer(data, "verify", "--json"),
            "stats": openseer(data, "stats", "--json"),
            "titles": found_first(data),
            "ingest hard-pdfs and not-papers": openseer(
                folder / "hard", "ingest", CORPUS / "hard-pdfs", CORPUS / "not-papers", "--json"
            ),
        }
    finally:
        shutil.rmtree(folder)
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

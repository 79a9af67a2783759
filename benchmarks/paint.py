"""When a page is first seen: `PYTHONPATH=. python benchmarks/paint.py DATA [--visits 15]`.

A library is served by `openseer serve` and visited in Debian's Chromium, every time in a window of its own with nothing
kept from the visit before. Milliseconds from the click on: the answer begins, it is there, the style sheet is there,
the first words are painted."""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from tests.browser import CHROMIUM, FLAGS

from openseer.client import Client

TIMES = """() => {
  const page = performance.getEntriesByType("navigation")[0];
  const style = performance.getEntriesByType("resource").find(one => one.name.includes(".css"));
  return [page.responseStart, page.responseEnd, style ? style.responseEnd : 0,
          performance.getEntriesByName("first-contentful-paint")[0].startTime]; }"""
WAIT = """() => performance.getEntriesByName("first-contentful-paint").length > 0"""


@contextmanager
def _served(data: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "openseer", "--data", str(data), "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            yield process.stderr.readline().split(" is served at ")[1].split("/ ")[0]
        finally:
            process.terminate()


def _visit(browser: Browser, address: str) -> list[float]:
    window = browser.new_context(viewport={"width": 1280, "height": 800})
    page = window.new_page()
    page.goto(address)
    page.wait_for_function(WAIT)
    times: list[float] = page.evaluate(TIMES)
    window.close()
    return times


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--visits", type=int, default=15)
    options = parser.parse_args()
    with _served(options.data) as address, sync_playwright() as driver:
        best = Client(address).search("*", sort="citations", must_have_pdf="true")["response"][0]["cluster_id"]
        pages = {"home": "/", "results": "/search?q=language+model", "work": f"/works/{best}"}
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        seen: dict[str, list[list[float]]] = {name: [] for name in pages}
        for _ in range(options.visits):
            for name, path in pages.items():
                seen[name].append(_visit(browser, address + path))
        browser.close()
    print(f"{'page':<10}{'begins':>8}{'there':>8}{'style':>8}{'painted':>9}   least-most")
    for name, times in seen.items():
        begins, there, style, painted = (statistics.median(column) for column in zip(*times, strict=True))
        span = [row[3] for row in times]
        print(f"{name:<10}{begins:>8.0f}{there:>8.0f}{style:>8.0f}{painted:>9.0f}   {min(span):.0f}-{max(span):.0f}")


if __name__ == "__main__":
    main()

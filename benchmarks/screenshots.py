"""Pictures of every page, wide and narrow, light and dark: `python benchmarks/screenshots.py DATA FOLDER`; with
`docs/screenshots` as a third word also the four of the README.

Debian's Chromium takes them; nothing is asked of other hosts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from playwright.sync_api import Browser, sync_playwright
from tests.browser import CHROMIUM, FLAGS, served

from openseer.catalog.indexing.process import IndexProcess
from openseer.evaluation import samples
from openseer.ingest.coordinator import Coordinator
from openseer.storage.open import open_library
from openseer.web.app import create_app

WIDTHS = {1280: 860, 390: 780}
"""Width of a window -> its height."""
QUERY = "citation"
PLAIN = {
    "home": "/",
    "results": f"/search?q={QUERY}",
    "results-filtered": f"/search?q={QUERY}&low=1995&filter=language:en&sort=citations",
    "nothing-found": "/search?q=zzzqqq+xxyyzz",
    "corrected": "/search?q=citaton+indexng",
    "browse": "/browse",
    "browse-authors": "/browse/authors?letter=g",
    "browse-venues": "/browse/venues",
    "statistics": "/stats",
    "citing-sentences": f"/contexts?q={QUERY}",
    "advanced": "/advanced",
    "help": "/help",
    "api": "/api",
    "about": "/about",
    "saved": "/cart",
    "add-papers": "/submit",
    "not-found": "/nowhere",
}


EVERY_PICTURE = """Promise.all([...document.images].map(one => { one.loading = "eager"; return one.decode(); }))"""
"""Pictures that come only when they are looked at, at once."""


def pages_of(data: Path) -> dict[str, str]:
    """Name of a picture -> address; works, names and files are those of the library."""
    with open_library(data) as library, TestClient(create_app(library)) as web:
        found = web.get("/api/search", params={"q": QUERY, "must_have_pdf": True, "sort": "citations"}).json()[
            "response"
        ]
        known = web.get("/api/search", params={"sort": "citations", "filter": "has:no-pdf"}).json()["response"]
        title = samples.gold("near-duplicates")["title"]
        versioned = web.get("/api/search", params={"q": title}).json()["response"][0]["cluster_id"]
    paper: dict[str, Any] = found[0]
    return {
        **PLAIN,
        "work": f"/works/{paper['cluster_id']}",
        "work-cited-only": f"/works/{known[0]['cluster_id']}",
        "versions": f"/works/{versioned}/versions",
        "cite": f"/cite/{paper['cluster_id']}",
        "author": f"/author/{paper['authors'][0]}",
        "venue": f"/venue/{paper['venue'] or known[0]['venue']}",
        "proof": f"/proof/{paper['id']}",
        "reader": f"/read/{paper['id']}",
        "reader-text": f"/read/{paper['id']}?view=text",
    }


def fill(data: Path) -> None:
    """A library of the sample papers, if there is none."""
    if data.exists():
        return
    papers = samples.make(data.with_name(f"{data.name}-papers"))
    with open_library(data, create=True) as library, IndexProcess(library) as catchup:
        Coordinator(library).run(papers)
        catchup.wait()


def main() -> None:
    """Take them all."""
    data, folder = Path(sys.argv[1]), Path(sys.argv[2])
    fill(data)
    folder.mkdir(parents=True, exist_ok=True)
    pages = pages_of(data)
    with served(data, {"OPENSEER_WEB__ALLOW_UPLOAD": "true"}) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for width, height in WIDTHS.items():
            _take(browser, address, pages, folder, (width, height))
        if len(sys.argv) > 3:
            _take_four(browser, address, pages, Path(sys.argv[3]))
        browser.close()
    print(f"{len(pages) * len(WIDTHS) * 2} pictures in {folder}")


def _take(browser: Browser, address: str, pages: dict[str, str], folder: Path, size: tuple[int, int]) -> None:
    window = browser.new_context(
        base_url=address, viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce"
    )
    page = window.new_page()
    for name, path in pages.items():
        page.goto(path)
        page.evaluate(EVERY_PICTURE)
        if name == "reader":
            page.wait_for_timeout(2500)  # the browser's own view of the PDF takes its time
        page.emulate_media(color_scheme="light")
        page.screenshot(path=folder / f"{name}-{size[0]}-light.png", full_page=True)
        page.emulate_media(color_scheme="dark")
        page.screenshot(path=folder / f"{name}-{size[0]}-dark.png", full_page=True)
    window.close()


def _take_four(browser: Browser, address: str, pages: dict[str, str], folder: Path) -> None:
    """What the README shows: one window each, not whole pages."""
    window = browser.new_context(base_url=address, viewport={"width": 1180, "height": 760}, reduced_motion="reduce")
    page = window.new_page()
    for name in ("results", "work", "reader"):
        page.goto(pages[name])
        page.wait_for_timeout(2500 if name == "reader" else 0)
        page.screenshot(path=folder / f"{name}.png")
    page.emulate_media(color_scheme="dark")
    page.goto(pages["results"])
    work = page.locator(".result h3 a").first.get_attribute("href")
    page.goto(f"{work}#map")
    page.screenshot(path=folder / "map-dark.png")
    window.close()


if __name__ == "__main__":
    main()

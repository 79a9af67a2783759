"""The three walks of ARCHITECTURE.md, traced while they run: the packages on the way, in the order they are entered.

`core` is the vocabulary that every package uses, so passing through it counts as no hop.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import openseer.ingest.coordinator
from openseer.catalog.indexing.synchronizer import IndexSynchronizer
from openseer.ingest.coordinator import Coordinator
from openseer.storage.open import open_library
from openseer.web.app import create_app
from tests.builders import InThisProcess, Paper, observe

ARCHITECTURE = (Path(__file__).parents[1] / "ARCHITECTURE.md").read_text(encoding="utf-8")
MAX_HOPS = {"ingest": 20, "search": 12, "merging": 12}


class Walk:
    """The modules that were entered, each once, in order; and every function that was called."""

    def __init__(self) -> None:
        self.modules: dict[str, None] = {}
        self.functions: dict[str, None] = {}

    @property
    def packages(self) -> list[str]:
        """The packages in the order in which their modules were entered, without `core`."""
        return [name for name, _ in groupby(module.split(".")[1] for module in self.modules if ".core." not in module)]

    @property
    def hops(self) -> int:
        return len(self.packages) - 1


@contextmanager
def traced() -> Iterator[Walk]:
    """Record all calls of this package's functions, in every thread that starts meanwhile."""
    walk = Walk()

    def note(frame, event, _):
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith("openseer.") and not frame.f_code.co_name.startswith("<"):
            walk.modules.setdefault(module)
            walk.functions.setdefault(f"{module}.{frame.f_code.co_name}")

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield walk
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def in_order(walk: Walk, steps: list[str]) -> bool:
    """True if these functions were first called in this order."""
    called = list(walk.functions)
    return [step for step in called if step in steps] == steps


def test_ingest_of_a_pdf(few_papers, tmp_path, monkeypatch):
    monkeypatch.setattr(openseer.ingest.coordinator, "WorkerPool", InThisProcess)
    with open_library(tmp_path / "data", create=True) as library:
        index = library.open_index()
        writer = index.writer()
        with traced() as walk:
            assert Coordinator(library, 1).run([few_papers / "paper-rank.pdf"]).counts == {"ingested": 1}
            synchronizer = IndexSynchronizer(library, writer, index.checkpoint())
            while synchronizer.step():
                pass
        writer.close()
    print(f"{walk.hops} hops: {' '.join(walk.packages)}")
    assert walk.hops <= MAX_HOPS["ingest"], walk.packages
    assert in_order(
        walk,
        [
            "openseer.ingest.sources.inspect",
            "openseer.ingest.registration.register",
            "openseer.ingest.worker_jobs.read_document",
            "openseer.ingest.batch_writer.write_batch",
            "openseer.ingest.batch_writer.observe",
            "openseer.match.resolver.resolve",
            "openseer.ingest.batch_writer.acknowledge",
            "openseer.catalog.indexing.synchronizer.step",
        ],
    ), "the steps in the order of ARCHITECTURE.md"


def test_search_from_request_to_page(sample_data):
    with open_library(sample_data) as library:
        app = create_app(library)
        web = TestClient(app)  # outside `with`: each request gets threads of its own, which are traced
        web.get("/about")
        with traced() as walk:
            assert "near" in web.get("/search?q=near+duplicates").text
        with TestClient(app):
            pass  # its end closes what the application opened
    print(f"{walk.hops} hops: {' '.join(walk.packages)}")
    assert walk.hops <= MAX_HOPS["search"], walk.packages
    assert in_order(
        walk,
        [
            "openseer.search.query.parser.parse",
            "openseer.storage.tantivy.snapshot.search",
            "openseer.search.ranking.linear_model.rank",
            "openseer.search.display.snippets.snippet",
            "openseer.web.templating.render",
        ],
    )


def test_merging_of_two_versions(tmp_path):
    first = Paper("A method for finding near duplicates of web pages", "Holmgren")
    second = Paper("A method for finding near-duplicates of Web pages", "Holmgren", copy=1)
    with open_library(tmp_path / "data", create=True) as library:
        for paper, trace in ((first, False), (second, True)):
            with library.records.writing() as writer:
                writer.register(paper.resource, paper.facts, 1)
                affected = observe(writer, paper)
                if not trace:
                    openseer.match.resolver.resolve(writer, paper.keys(), affected)
                    continue
                with traced() as walk:
                    openseer.match.resolver.resolve(writer, paper.keys(), affected)
        assert library.records.counts()["works"] == 1
    print(f"{walk.hops} hops: {' '.join(walk.packages)}")
    assert walk.hops <= MAX_HOPS["merging"], walk.packages
    steps = ("block", "prefilter", "score", "link", "recluster")
    assert in_order(walk, [f"openseer.match.resolver.{step}" for step in steps])


@pytest.mark.parametrize("walk", ["Ingest", "Search", "Merging"])
def test_every_function_of_a_walk_in_the_text_exists(walk):
    section = re.search(rf"^## {walk}\n(.*?)^## ", ARCHITECTURE, re.DOTALL | re.MULTILINE)
    assert section
    named = re.findall(r"`((?:\w+/)+\w+\.py)(?:: (\w+))?`", section[1])
    assert named
    for path, function in named:
        source = (Path(openseer.__file__).parent / path).read_text(encoding="utf-8")
        assert not function or re.search(rf"(?:def|class) {function}\b", source), f"{path}: {function}"

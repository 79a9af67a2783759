"""openseer and an OpenSearch node side by side: the same works, the same questions, in one run, turn by turn.

    PYTHONPATH=. .venv/bin/python benchmarks/opensearch.py --node 127.0.0.1:9200 --base RECORDS.jsonl.gz

The node runs already, with its default settings (a fresh index is made, and removed at the end). openseer is
served by one process for each core, by words alone, and remembers no answers. Both find works that have all words in
title, abstract, authors or venue and give ten of them with marked pieces; openseer also puts 64 into order and counts
exactly, the node counts up to 10,000. One client asks both in turn; then eight clients ask each, in turn."""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from openseer.core.model.work import IndexedWork
from openseer.evaluation.bench.index import base_records, varied
from openseer.storage.open import open_library
from openseer.storage.protocols.index import Checkpoint

INDEX = "openseer-bench"
FIELDS = ["title^4", "abstract^1.5", "authors", "venue"]
CLIENTS, ROUNDS = 8, 6
"""Clients at once, and how often each engine has its turn."""
Ask = Callable[[http.client.HTTPConnection, str], int]
"""A question over a connection; how many works were found."""


def questions(base: Sequence[IndexedWork], count: int) -> list[str]:
    """What readers type: a word, two or three words, six words of a title, a name with a word."""
    dice = random.Random(5)
    found: list[str] = []
    while len(found) < count:
        one = dice.choice(base)
        words = [word.strip(".,:;()\"'?!") for word in one.title.split()]
        words = [word for word in words if word.isalpha()]
        if len(words) < 7 or not one.authors:
            continue
        start = dice.randrange(len(words) - 5)
        long = [word for word in words if len(word) > 4] or words
        found.append(
            (
                dice.choice(long),
                " ".join(dice.sample(long, min(2, len(long)))),
                " ".join(dice.sample(long, min(3, len(long)))),
                " ".join(words[start : start + 6]),
                f"{one.authors[0].split()[-1]} {dice.choice(long)}",
            )[len(found) % 5]
        )
    return found


def ask_openseer(connection: http.client.HTTPConnection, question: str) -> int:
    """The search of the REST interface."""
    connection.request("GET", "/api/search?" + urllib.parse.urlencode({"q": question, "pageSize": 10}))
    return int(_answer(connection)["total_results"])


def ask_node(connection: http.client.HTTPConnection, question: str) -> int:
    """The same of OpenSearch: all words, across the fields."""
    match = {"query": question, "fields": FIELDS, "type": "cross_fields", "operator": "and"}
    body = {"size": 10, "query": {"multi_match": match}, "highlight": {"fields": {"title": {}, "abstract": {}}}}
    connection.request("POST", f"/{INDEX}/_search", json.dumps(body), {"Content-Type": "application/json"})
    return int(_answer(connection)["hits"]["total"]["value"])


def _answer(connection: http.client.HTTPConnection) -> dict[str, Any]:
    answer = connection.getresponse()
    body = answer.read()
    if answer.status >= 300:
        raise RuntimeError(f"{answer.status}: {body[:300]!r}")
    found: dict[str, Any] = json.loads(body)
    return found


def fill_node(place: str, works: Iterator[IndexedWork]) -> float:
    """Put the works into a new index; the seconds it took."""
    started = time.perf_counter()
    with closing(http.client.HTTPConnection(place, timeout=300)) as node:
        text = {"type": "text"}
        mapping = {"properties": {**dict.fromkeys(("title", "abstract", "authors", "venue"), text)}}
        head = {"Content-Type": "application/json"}
        node.request("PUT", f"/{INDEX}", json.dumps({"mappings": mapping}), head)
        _answer(node)
        while batch := list(islice(works, 2000)):
            lines = [line for one in batch for line in (json.dumps({"index": {"_id": one.id}}), json.dumps(_told(one)))]
            node.request("POST", f"/{INDEX}/_bulk", "\n".join(lines) + "\n", {"Content-Type": "application/x-ndjson"})
            if _answer(node)["errors"]:
                raise RuntimeError("the node refused some works")
        node.request("POST", f"/{INDEX}/_refresh")
        _answer(node)
    return time.perf_counter() - started


def _told(one: IndexedWork) -> dict[str, Any]:
    told = {"title": one.title, "abstract": one.abstract, "authors": list(one.authors), "venue": one.venue}
    return {**told, "year": one.year, "doi": one.doi}


def fill_openseer(data: Path, works: Iterator[IndexedWork]) -> float:
    """Write the index of a library that has nothing else; the seconds it took."""
    started = time.perf_counter()
    with open_library(data, create=True) as library, closing(library.open_index().writer()) as writer:
        for one in works:
            writer.put(one)
        writer.commit(Checkpoint(library.records.uuid))
    return time.perf_counter() - started


@contextmanager
def served(data: Path) -> Iterator[str]:
    """The library behind a port of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environ = {**os.environ, "OPENSEER_INDEX__EMBEDDINGS": "false", "OPENSEER_WEB__RESULT_CACHE_SIZE": "0"}
    command = [str(Path(sys.executable).with_name("openseer")), "--data", str(data), "serve", "--port", str(port)]
    process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        place = f"127.0.0.1:{port}"
        until = time.monotonic() + 120
        while not _answers(place):
            if time.monotonic() > until or process.poll() is not None:
                raise RuntimeError("openseer does not serve")
            time.sleep(0.5)
        yield place
    finally:
        process.terminate()
        process.wait(60)


def _answers(place: str) -> bool:
    try:
        with closing(http.client.HTTPConnection(place, timeout=5)) as connection:
            return ask_openseer(connection, "a") >= 0
    except OSError:
        return False


Engines = dict[str, tuple[str, Ask]]


def one_client(engines: Engines, asked: Sequence[str]) -> dict[str, list[float]]:
    """Each question to each engine, in turn."""
    took: dict[str, list[float]] = {name: [] for name in engines}
    connections = {name: http.client.HTTPConnection(place, timeout=60) for name, (place, _) in engines.items()}
    for number, question in enumerate(asked):
        for name in list(engines)[:: 1 if number % 2 else -1]:
            started = time.perf_counter()
            engines[name][1](connections[name], question)
            took[name].append(time.perf_counter() - started)
    for connection in connections.values():
        connection.close()
    return took


def many_clients(engines: Engines, asked: Sequence[str]) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Eight clients at once, one engine after the other, several turns each; times, and questions a second."""
    took: dict[str, list[float]] = {name: [] for name in engines}
    seconds = dict.fromkeys(engines, 0.0)
    part = len(asked) // ROUNDS
    for turn in range(ROUNDS):
        for name in list(engines)[:: 1 if turn % 2 else -1]:
            started = time.perf_counter()
            _together(*engines[name], asked[turn * part : (turn + 1) * part], took[name])
            seconds[name] += time.perf_counter() - started
    return took, {name: round(len(took[name]) / seconds[name], 1) for name in engines}


def _together(place: str, ask: Ask, asked: Sequence[str], took: list[float]) -> None:
    def client(mine: Sequence[str]) -> None:
        with closing(http.client.HTTPConnection(place, timeout=60)) as connection:
            for question in mine:
                started = time.perf_counter()
                ask(connection, question)
                took.append(time.perf_counter() - started)

    clients = [threading.Thread(target=client, args=(asked[number::CLIENTS],)) for number in range(CLIENTS)]
    for one in clients:
        one.start()
    for one in clients:
        one.join()


def figures(took: Sequence[float]) -> dict[str, float]:
    """Median, p90 and p99 in ms."""
    ordered = sorted(took)
    shares = {"median": 0.5, "p90": 0.9, "p99": 0.99}
    return {name: round(1000 * ordered[int(share * (len(ordered) - 1))], 1) for name, share in shares.items()}


def measure(node: str, base: Path, count: int, asked: int) -> dict[str, Any]:
    """Fill both, ask both."""
    known = base_records(base)
    every = questions(known, asked)
    with tempfile.TemporaryDirectory(prefix="openseer-bench-") as folder:
        filling = {"openseer": fill_openseer(Path(folder), varied(known, count))}
        filling["opensearch"] = fill_node(node, varied(known, count))
        with served(Path(folder)) as place:
            engines: Engines = {"openseer": (place, ask_openseer), "opensearch": (node, ask_node)}
            one_client(engines, every[: asked // 4])  # both warm
            alone = one_client(engines, every)
            took, speed = many_clients(engines, every[::-1])
    return {
        "works": count,
        "questions": asked,
        "cores": os.cpu_count(),
        "load_average": [round(one, 1) for one in os.getloadavg()],
        "filling_seconds": {name: round(one, 1) for name, one in filling.items()},
        "one_client_ms": {name: figures(one) for name, one in alone.items()},
        "eight_clients_ms": {name: figures(one) for name, one in took.items()},
        "eight_clients_per_second": speed,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--node", default="127.0.0.1:9200", help="host:port of the node")
    parser.add_argument("--base", type=Path, required=True, help="records to vary, JSON Lines")
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--questions", type=int, default=1200)
    options = parser.parse_args()
    node = options.node.removeprefix("http://").rstrip("/")
    try:
        print(json.dumps(measure(node, options.base, options.count, options.questions), indent=2))
    finally:
        with closing(http.client.HTTPConnection(node, timeout=60)) as connection:
            connection.request("DELETE", f"/{INDEX}")
            connection.getresponse().read()


if __name__ == "__main__":
    main()

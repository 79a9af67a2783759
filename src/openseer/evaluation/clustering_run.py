"""Take gold records into a library of their own, one after the other, and see which became one work."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from openseer.core.errors import BadRequest
from openseer.core.model.description import (
    Description,
    Kind,
    MatchFields,
    Observation,
    import_id,
    reference_id,
    work_id_of,
)
from openseer.core.model.document import FileFacts, Viewer
from openseer.core.model.resource import Resource
from openseer.evaluation.metrics.clustering import f1, score_clusters
from openseer.evaluation.metrics.gold_records import match_fields, string_record
from openseer.extract.references.parse_reference import parse_reference
from openseer.match import blocking_keys
from openseer.match.descriptions import fields_of
from openseer.match.pairwise import log_odds_between
from openseer.match.resolver import resolve
from openseer.storage.open import open_records
from openseer.storage.protocols.records import Records

BATCH = 100
"""Records taken in at once."""
ALIKE = 0.5


@contextmanager
def _library() -> Iterator[_Shelf]:
    with TemporaryDirectory() as folder:
        records = open_records(Path(folder) / "library.db")
        try:
            yield _Shelf(records)
        finally:
            records.close()


class _Shelf:
    """A library of records alone."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._lists = 0

    def take_in(self, described: Sequence[Description], kind: Kind) -> None:
        """Each is one observation, in the order given."""
        waiting = iter(described)
        while batch := list(islice(waiting, BATCH)):
            self._lists += 1
            sha1 = f"{self._lists:040x}"
            seen = [
                Observation(one.id, "import" if kind == "import" else "reference", at) for at, one in enumerate(batch)
            ]
            with self._records.writing() as writer:
                writer.register(Resource(url=f"memory:{sha1}"), FileFacts(sha1, "0" * 64, 1), 1)
                touched = writer.replace_observations(sha1, 1, seen, batch)
                resolve(writer, {one.id: blocking_keys.keys_of(one.fields) for one in batch}, touched)

    def work(self, description: str) -> str:
        return self._records.canonical_id(work_id_of(description), Viewer.OPERATOR)


def cluster(records: Sequence[dict[str, Any]]) -> tuple[dict[str, float], list[bytes]]:
    """Scores where the records name their cluster, and `id<TAB>work` lines."""
    _ask_for(records, "id")
    fields = {str(one["id"]): match_fields(one) for one in records}
    with _library() as shelf:
        shelf.take_in([Description.of(import_id(one), one) for one in fields.values()], "import")
        works = {name: shelf.work(import_id(one)) for name, one in fields.items()}
    gold = {str(one["id"]): str(one["cluster"]) for one in records if "cluster" in one}
    scores = score_clusters(gold, works) if gold else {"works": float(len(set(works.values())))}
    return scores, [f"{name}\t{work}".encode() for name, work in works.items()]


def match(rows: Sequence[dict[str, Any]]) -> tuple[dict[str, float], list[bytes]]:
    """F1 over labelled pairs, and one probability a line."""
    _ask_for(rows, "left", "right")
    odds = log_odds_between([(match_fields(one["left"]), match_fields(one["right"])) for one in rows])
    shares = [1 / (1 + math.exp(-odd)) for odd in odds]
    gold = [bool(one.get("match")) for one in rows]
    hits = sum(same and share >= ALIKE for same, share in zip(gold, shares, strict=True))
    said = sum(share >= ALIKE for share in shares)
    scores = {
        "pairs": f1(hits, said, sum(gold)),
        "pairs.p": 100 * hits / max(1, said),
        "pairs.r": 100 * hits / max(1, sum(gold)),
    }
    return scores, [f"{share:.6f}".encode() for share in shares]


def reference_doi(rows: Sequence[dict[str, Any]]) -> tuple[dict[str, float], list[bytes]]:
    """Records first, then the bare strings as we read them, without DOI: how many join the record of their line."""
    records = [string_record(one) for one in rows]
    _ask_for(rows, "reference", "doi")
    read = [fields_of(parse_reference(str(one["reference"]))) for one in rows]
    bare = [MatchFields(**{**_plain(one), "doi": "", "arxiv": ""}) if one else None for one in read]
    with _library() as shelf:
        shelf.take_in([Description.of(import_id(one), one) for one in records], "import")
        shelf.take_in([Description.of(reference_id(one), one) for one in bare if one], "reference")
        homes = [shelf.work(import_id(one)) for one in records]
        joined = [shelf.work(reference_id(one)) if one else "" for one in bare]
    dois: dict[str, set[str]] = {}
    for home, one in zip(homes, rows, strict=True):
        dois.setdefault(home, set()).add(str(one["doi"]).lower())
    right = sum(str(one["doi"]).lower() in dois.get(work, ()) for work, one in zip(joined, rows, strict=True))
    any_record = sum(work in dois for work in joined)
    scores = {"precision": 100 * right / max(1, any_record), "recall": 100 * right / max(1, len(rows))}
    return scores, [f"{number}\t{work}".encode() for number, work in enumerate(joined)]


def _ask_for(rows: Sequence[dict[str, Any]], *names: str) -> None:
    for number, row in enumerate(rows, 1):
        if missing := [name for name in names if name not in row]:
            raise BadRequest(
                f"Line {number} has no {missing[0]!r}.", "`openseer evaluate --help` tells what gold is what."
            )


def _plain(fields: MatchFields) -> dict[str, Any]:
    return {name: getattr(fields, name) for name in ("title", "authors", "year", "venue", "volume", "pages")}

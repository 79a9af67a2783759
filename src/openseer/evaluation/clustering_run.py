"""Evaluation of clustering: gold records are ingested into a temporary library and the works compared."""

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
from openseer.core.model.document import FileFacts
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

BATCH_SIZE = 100
"""Records of one transaction."""
MATCH_PROBABILITY = 0.5


@contextmanager
def _temporary_records() -> Iterator[_TemporaryRecords]:
    with TemporaryDirectory() as folder:
        records = open_records(Path(folder) / "library.db")
        try:
            yield _TemporaryRecords(records)
        finally:
            records.close()


class _TemporaryRecords:
    """Record store without files and index."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._batches = 0

    def ingest(self, descriptions: Sequence[Description], kind: Kind) -> None:
        """Ingest descriptions, one observation each, in this order."""
        remaining = iter(descriptions)
        while batch := list(islice(remaining, BATCH_SIZE)):
            self._batches += 1
            sha1 = f"{self._batches:040x}"
            observations = [
                Observation(one.id, "import" if kind == "import" else "reference", at) for at, one in enumerate(batch)
            ]
            with self._records.writing() as writer:
                writer.register(Resource(url=f"memory:{sha1}"), FileFacts(sha1, "0" * 64, 1), 1)
                affected = writer.replace_observations(sha1, 1, observations, batch)
                resolve(writer, {one.id: blocking_keys.keys_of(one.fields) for one in batch}, affected)

    def work(self, description: str) -> str:
        return self._records.canonical_id(work_id_of(description))


def cluster(records: Sequence[dict[str, Any]]) -> tuple[dict[str, float], list[bytes]]:
    """Clustering scores, if the records name their cluster, and `id<TAB>work` lines."""
    _require(records, "id")
    fields = {str(one["id"]): match_fields(one) for one in records}
    with _temporary_records() as store:
        store.ingest([Description.of(import_id(one), one) for one in fields.values()], "import")
        works = {name: store.work(import_id(one)) for name, one in fields.items()}
    gold = {str(one["id"]): str(one["cluster"]) for one in records if "cluster" in one}
    scores = score_clusters(gold, works) if gold else {"works": float(len(set(works.values())))}
    return scores, [f"{name}\t{work}".encode() for name, work in works.items()]


def match(rows: Sequence[dict[str, Any]]) -> tuple[dict[str, float], list[bytes]]:
    """F1 over labelled pairs, and one match probability a line."""
    _require(rows, "left", "right")
    log_odds = log_odds_between([(match_fields(one["left"]), match_fields(one["right"])) for one in rows])
    probabilities = [1 / (1 + math.exp(-value)) for value in log_odds]
    gold = [bool(one.get("match")) for one in rows]
    hits = sum(same and probability >= MATCH_PROBABILITY for same, probability in zip(gold, probabilities, strict=True))
    predicted = sum(probability >= MATCH_PROBABILITY for probability in probabilities)
    scores = {
        "pairs": f1(hits, predicted, sum(gold)),
        "pairs.p": 100 * hits / max(1, predicted),
        "pairs.r": 100 * hits / max(1, sum(gold)),
    }
    return scores, [f"{probability:.6f}".encode() for probability in probabilities]


def reference_doi(rows: Sequence[dict[str, Any]]) -> tuple[dict[str, float], list[bytes]]:
    """Records first, then the parsed strings without their DOI: how many are clustered with their record."""
    records = [string_record(one) for one in rows]
    _require(rows, "reference", "doi")
    parsed = [fields_of(parse_reference(str(one["reference"]))) for one in rows]
    without_ids = [
        MatchFields(**{**_bibliographic_fields(one), "doi": "", "arxiv": ""}) if one else None for one in parsed
    ]
    with _temporary_records() as store:
        store.ingest([Description.of(import_id(one), one) for one in records], "import")
        store.ingest([Description.of(reference_id(one), one) for one in without_ids if one], "reference")
        record_works = [store.work(import_id(one)) for one in records]
        string_works = [store.work(reference_id(one)) if one else "" for one in without_ids]
    dois: dict[str, set[str]] = {}
    for work_id, one in zip(record_works, rows, strict=True):
        dois.setdefault(work_id, set()).add(str(one["doi"]).lower())
    correct = sum(str(one["doi"]).lower() in dois.get(work, ()) for work, one in zip(string_works, rows, strict=True))
    clustered = sum(work in dois for work in string_works)
    scores = {"precision": 100 * correct / max(1, clustered), "recall": 100 * correct / max(1, len(rows))}
    return scores, [f"{number}\t{work}".encode() for number, work in enumerate(string_works)]


def _require(rows: Sequence[dict[str, Any]], *names: str) -> None:
    for number, row in enumerate(rows, 1):
        if missing := [name for name in names if name not in row]:
            raise BadRequest(
                f"Line {number} has no {missing[0]!r}.", "`openseer evaluate --help` describes the gold formats."
            )


def _bibliographic_fields(fields: MatchFields) -> dict[str, Any]:
    return {name: getattr(fields, name) for name in ("title", "authors", "year", "venue", "volume", "pages")}

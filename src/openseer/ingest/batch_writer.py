"""Writing of worker results in batches: files, observations, entity resolution, acknowledgement."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from openseer.core.errors import OpenseerError
from openseer.core.model.description import header_id
from openseer.core.model.task import RetryPolicy
from openseer.core.telemetry.counters import counters
from openseer.ingest.results import Extracted, IngestJob, NotIngested
from openseer.match.resolver import merge_affected, resolve
from openseer.storage.open import Library
from openseer.storage.protocols.records import Affected, ExtractionFacts, Writer

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Finished:
    """A document with its result, ready to be written."""

    job: IngestJob
    result: Extracted | NotIngested


class BatchWriter:
    """Writes results into one library."""

    def __init__(self, library: Library, retry_policy: RetryPolicy) -> None:
        self._library, self._retry_policy = library, retry_policy

    def write_batch(self, batch: Sequence[Finished]) -> list[Finished]:
        """Write a batch in one transaction; returns it, with failures in place of documents that cannot be written.

        If the transaction fails because of a document, each is written alone."""
        if not batch:
            return []
        started = time.monotonic()
        try:
            self._write(batch)
            written = list(batch)
        except OpenseerError:
            raise
        except Exception:
            log.exception("batch not written, each document is written alone", extra={"documents": len(batch)})
            written = [self._write_alone(one) for one in batch]
        counters.count("openseer_batches_total")
        counters.count("openseer_batch_seconds_total", time.monotonic() - started)
        return written

    def _write_alone(self, one: Finished) -> Finished:
        try:
            self._write([one])
        except OpenseerError:
            raise
        except Exception as error:
            log.exception("document not written", extra={"sha1": one.job.sha1})
            detail = f"{type(error).__name__}: {error}"
            failed = Finished(one.job, NotIngested(one.result.mime, "store_unavailable", detail))
            self._write([failed])
            return failed
        return one

    def _write(self, batch: Sequence[Finished]) -> None:
        """Files before rows; `acknowledge` comes last."""
        extracted = [(one.job, one.result) for one in batch if isinstance(one.result, Extracted)]
        for job, result in extracted:
            put_files(self._library, job, result)
        self._library.files.sync()
        with self._library.records.writing() as writer:
            affected = merge_affected(observe(writer, job, result) for job, result in extracted)
            keys_of = {name: keys for _, result in extracted for name, keys in result.blocking_keys.items()}
            resolve(writer, keys_of, affected)
            for one in batch:
                acknowledge(writer, one, self._retry_policy)
        for job, _ in extracted:
            delete_older_generations(self._library, job)


def put_files(library: Library, job: IngestJob, result: Extracted) -> None:
    """Store extraction and text under the generation of the job."""
    library.files.put("extraction", job.sha1, f"{job.generation}.json.gz", result.extraction)
    library.files.put("text", job.sha1, f"{job.generation}.txt.gz", result.text)


def delete_older_generations(library: Library, job: IngestJob) -> None:
    """Delete the files of older extractions."""
    for generation in range(1, job.generation):
        library.files.delete("extraction", job.sha1, f"{generation}.json.gz")
        library.files.delete("text", job.sha1, f"{generation}.txt.gz")


def observe(writer: Writer, job: IngestJob, result: Extracted) -> Affected:
    """Store observations, author names and summary; returns the descriptions to resolve."""
    affected = writer.replace_observations(job.sha1, job.generation, result.observations, result.descriptions)
    writer.put_authorships(header_id(job.sha1), result.authorships)
    writer.put_summary(job.sha1, job.generation, result.summary)
    return affected


def acknowledge(writer: Writer, one: Finished, retry_policy: RetryPolicy) -> None:
    """Write the outcome of a document and close its task."""
    result = one.result
    facts = ExtractionFacts(
        mime=result.mime,
        is_stored=one.job.type is not None,
        generation=one.job.generation,
        retry_policy=retry_policy,
    )
    if isinstance(result, Extracted):
        facts = replace(
            facts,
            pages=result.pages,
            words=result.words,
            language=result.language,
            simhash=result.simhash,
            scholarly=result.scholarly,
        )
    writer.acknowledge(one.job.sha1, result.outcome, result.detail, facts)

"""Arrivals: what a worker brought of one file, on its way into the stores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from openseer.acquire.file_type import PDF
from openseer.core.model.description import Authorship, Description, Observation, header_id
from openseer.core.model.document import FileFacts
from openseer.core.model.task import RetryPolicy, Task
from openseer.core.processes.worker_pool import WorkerResult
from openseer.storage.open import Library
from openseer.storage.protocols.records import Affected, ExtractionFacts, Writer


@dataclass(frozen=True, slots=True)
class IngestJob:
    """One file on its way through the workers."""

    path: str
    facts: FileFacts
    task: Task
    is_stored: bool

    @property
    def generation(self) -> int:
        return self.task.generation


class ReadResult:
    """What a worker brought of one file."""

    def __init__(self, errand: IngestJob, head: dict[str, Any], payload: Sequence[bytes]) -> None:
        self.errand, self._header, self._payload = errand, head, payload

    @classmethod
    def of(cls, answer: WorkerResult[IngestJob]) -> ReadResult:
        if answer.failure:
            return cls(answer.key, {"mime": PDF, "outcome": answer.failure, "detail": answer.detail}, ())
        return cls(answer.key, orjson.loads(answer.parts[0]), answer.parts[1:])

    def fail(self, outcome: str, detail: str) -> None:
        self._header, self._payload = {"mime": self._header["mime"], "outcome": outcome, "detail": detail}, ()

    @property
    def outcome(self) -> str:
        return str(self._header["outcome"])

    @property
    def detail(self) -> str:
        return str(self._header["detail"])

    @property
    def blocking_keys(self) -> dict[str, list[str]]:
        return dict(self._header.get("keys", {}))

    def put_files(self, library: Library) -> None:
        """Files before rows."""
        if self._payload:
            extraction, text, _ = self._payload
            sha1, generation = self.errand.facts.sha1, self.errand.generation
            library.files.put("extraction", sha1, f"{generation}.json.gz", extraction)
            library.files.put("text", sha1, f"{generation}.txt.gz", text)

    def delete_older(self, library: Library) -> None:
        """Once the newer reading stands, the files of the older ones are of no use."""
        if self._payload:
            for generation in range(1, self.errand.generation):
                library.files.delete("extraction", self.errand.facts.sha1, f"{generation}.json.gz")
                library.files.delete("text", self.errand.facts.sha1, f"{generation}.txt.gz")

    def observe(self, writer: Writer) -> Affected:
        """Let what the document says of works stand; what is to be settled."""
        if not self._payload:
            return Affected()
        sha1, generation = self.errand.facts.sha1, self.errand.generation
        descriptions = [Description(*row) for row in self._header["descriptions"]]
        observations = [Observation(*row) for row in self._header["observations"]]
        touched = writer.replace_observations(sha1, generation, observations, descriptions)
        writer.put_authorships(header_id(sha1), [Authorship(*row) for row in self._header["authors"]])
        writer.put_summary(sha1, generation, self._payload[2])
        return touched

    def acknowledge(self, writer: Writer, patience: RetryPolicy) -> None:
        known = ("mime", "pages", "words", "language", "simhash")
        read_facts = {name: self._header[name] for name in known if name in self._header}
        facts = ExtractionFacts(
            **read_facts, is_stored=self.errand.is_stored, generation=self.errand.generation, retry_policy=patience
        )
        writer.acknowledge(self.errand.facts.sha1, self.outcome, self.detail, facts)

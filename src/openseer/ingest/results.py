"""Arrivals: what a worker brought of one file, on its way into the stores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from openseer.acquire.file_type import PDF
from openseer.core.model.description import Authorship, Description, Observation, header_id
from openseer.core.model.document import FileFacts
from openseer.core.model.task import Patience, Task
from openseer.core.processes.worker_pool import Answer
from openseer.storage.open import Library
from openseer.storage.protocols.records import ReadFacts, Touched, Writer


@dataclass(frozen=True, slots=True)
class Errand:
    """One file on its way through the workers."""

    path: str
    facts: FileFacts
    task: Task
    kept: bool

    @property
    def generation(self) -> int:
        return self.task.generation


class Arrival:
    """What a worker brought of one file."""

    def __init__(self, errand: Errand, head: dict[str, Any], payload: Sequence[bytes]) -> None:
        self.errand, self._head, self._payload = errand, head, payload

    @classmethod
    def of(cls, answer: Answer[Errand]) -> Arrival:
        if answer.failure:
            return cls(answer.key, {"mime": PDF, "outcome": answer.failure, "detail": answer.detail}, ())
        return cls(answer.key, orjson.loads(answer.frames[0]), answer.frames[1:])

    def fail(self, outcome: str, detail: str) -> None:
        self._head, self._payload = {"mime": self._head["mime"], "outcome": outcome, "detail": detail}, ()

    @property
    def outcome(self) -> str:
        return str(self._head["outcome"])

    @property
    def detail(self) -> str:
        return str(self._head["detail"])

    @property
    def keys(self) -> dict[str, list[str]]:
        return dict(self._head.get("keys", {}))

    def keep_files(self, library: Library) -> None:
        """Files before rows."""
        if self._payload:
            extraction, text, _ = self._payload
            sha1, generation = self.errand.facts.sha1, self.errand.generation
            library.files.put("extraction", sha1, f"{generation}.json.gz", extraction)
            library.files.put("text", sha1, f"{generation}.txt.gz", text)

    def forget_older(self, library: Library) -> None:
        """Once the newer reading stands, the files of the older ones are of no use."""
        if self._payload:
            for generation in range(1, self.errand.generation):
                library.files.delete("extraction", self.errand.facts.sha1, f"{generation}.json.gz")
                library.files.delete("text", self.errand.facts.sha1, f"{generation}.txt.gz")

    def observe(self, writer: Writer) -> Touched:
        """Let what the document says of works stand; what is to be settled."""
        if not self._payload:
            return Touched()
        sha1, generation = self.errand.facts.sha1, self.errand.generation
        descriptions = [Description(*row) for row in self._head["descriptions"]]
        observations = [Observation(*row) for row in self._head["observations"]]
        touched = writer.replace_observations(sha1, generation, observations, descriptions)
        writer.keep_authors(header_id(sha1), [Authorship(*row) for row in self._head["authors"]])
        writer.keep_reading(sha1, generation, self._payload[2])
        return touched

    def finish(self, writer: Writer, patience: Patience) -> None:
        known = ("mime", "pages", "words", "language", "simhash")
        read_facts = {name: self._head[name] for name in known if name in self._head}
        facts = ReadFacts(**read_facts, kept=self.errand.kept, generation=self.errand.generation, patience=patience)
        writer.finish(self.errand.facts.sha1, self.outcome, self.detail, facts)

"""A small model made from a few strings, read again, and used instead of the shipped one."""

from typing import Any

import pytest

from openseer.extract.models import paths
from openseer.extract.references import tagger
from training import invented, references


@pytest.fixture
def few(monkeypatch):
    records = [record | {"doc": f"d{at % 2}"} for at, record in enumerate(invented.strings(15))]
    monkeypatch.setattr(references, "strings", lambda: iter(records))
    monkeypatch.setattr(invented, "strings", lambda: [])
    monkeypatch.setattr(references, "RUNS", 2)
    return records


def test_documents_are_left_out(few, monkeypatch, tmp_path):
    used: dict[str, Any] = {}
    monkeypatch.setattr(references, "train", lambda records, into: used.update(records=records, into=into))
    references.train_model(tmp_path, frozenset(["d0"]))
    assert {record["doc"] for record in used["records"]} == {"d1"}
    assert used["into"] == tmp_path / tagger.MODEL


def test_a_trained_model_is_used_and_the_same_every_time(few, monkeypatch, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        references.train_model(folder)
    assert (one / tagger.MODEL).read_bytes() == (two / tagger.MODEL).read_bytes()
    monkeypatch.setattr(paths, "folder", one)
    raw, spans = few[0]["raw"], few[0]["spans"]
    start, end = next((start, end) for start, end, label in spans if label == "title")
    labels = [label for token, label in tagger.tag(raw) if start <= token.start < end]
    assert labels.count("title") > 0.8 * len(labels)

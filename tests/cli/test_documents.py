"""What happened to files: lists by outcome, and doubtful documents that are accepted or dropped."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

from openseer.storage.open import open_library
from tests.cli.test_commands import openseer


@pytest.fixture
def doubtful(data):
    """A library with one doubtful document; its SHA-1 and the id of its work."""
    with open_library(data) as library:
        sha1 = next(one.sha1 for one in library.records.documents() if one.outcome == "ingested")
    with closing(sqlite3.connect(data / "library.db")) as db:
        db.execute("UPDATE document SET scholarly = 0.2 WHERE sha1 = ?", (sha1,))
        db.commit()
    return data, sha1


def documents(data, *options):
    return json.loads(openseer("--data", data, "documents", *options, "--json").stdout)


def test_rejected_documents_are_listed_with_their_reason(data):
    listed = documents(data, "--rejected", "--limit", "0")
    assert listed["total"] == len(listed["documents"]) > 0
    assert all(one["reason"] and one["outcome"] != "ingested" for one in listed["documents"])
    lines = openseer("--data", data, "documents", "--rejected", "--limit", "1")
    assert listed["documents"][0]["sha1"] in lines.stdout
    assert listed["documents"][0]["reason"] in lines.stdout
    assert openseer("--data", data, "documents", "--outcome", "nonsense").returncode == 2


def test_a_doubtful_document_is_listed_accepted_and_dropped(doubtful):
    data, sha1 = doubtful
    assert [one["sha1"] for one in documents(data, "--doubtful")["documents"]] == [sha1]
    accepted = json.loads(openseer("--data", data, "accept", sha1, "--json").stdout)["act"]
    assert documents(data, "--doubtful")["total"] == 0
    again = openseer("--data", data, "accept", sha1)
    assert again.returncode == 2
    assert "is not in doubt" in again.stderr
    assert openseer("--data", data, "undo", str(accepted), "--why", "mistake").returncode == 0
    dropped = json.loads(openseer("--data", data, "drop", sha1, "--json").stdout)["act"]
    assert openseer("--data", data, "show", sha1).returncode != 0 or documents(data, "--doubtful")["total"] == 0
    assert openseer("--data", data, "undo", str(dropped), "--why", "mistake").returncode == 0
    assert [one["sha1"] for one in documents(data, "--doubtful")["documents"]] == [sha1]

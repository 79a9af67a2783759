"""A paper that is in no library is read, compared and forgotten."""

from __future__ import annotations

from contextlib import closing

import pytest
from fastapi.testclient import TestClient

from openseer.core.errors import Rejected, TooLarge
from openseer.core.settings import Settings
from openseer.evaluation.samples import gold
from openseer.ingest.one_off import OneOffReader
from openseer.storage.open import open_library
from openseer.web.app import create_app

NAME = "paper-rank"


def visited(data, **environ):
    settings = Settings.load(data / "none", {f"OPENSEER_{name}": value for name, value in environ.items()})
    return open_library(data, settings=settings)


def test_a_file_is_read_by_a_worker_and_not_kept(data, sample_papers):
    paper = (sample_papers / f"{NAME}.pdf").read_bytes()
    with visited(data) as library, closing(OneOffReader(library)) as glances:
        before = library.records.counts()
        assert glances.of_blocks([paper]).startswith(gold(NAME)["title"])
        assert library.records.counts() == before
        assert not list((data / "spool").glob("glance-*"))


@pytest.mark.parametrize(
    ("body", "code"), [(b"", "empty"), (b"%PDF-1.4 nothing", "corrupt"), (b"PK\x03\x04", "unsupported_type")]
)
def test_what_cannot_be_read_is_told_by_its_code(data, body, code):
    with visited(data) as library, closing(OneOffReader(library)) as glances:
        with pytest.raises(Rejected) as told:
            glances.of_blocks([body])
        assert told.value.code == code
        assert told.value.hint


def test_too_large_a_file_is_not_even_put_down(data):
    with (
        visited(data, EXTRACT__MAX_BYTES="10") as library,
        closing(OneOffReader(library)) as glances,
        pytest.raises(TooLarge),
    ):
        glances.of_blocks([bytes(11)])


def test_works_like_a_file_over_the_web_for_who_may_upload(data, sample_papers):
    paper = (sample_papers / f"{NAME}.pdf").read_bytes()
    with visited(data, WEB__UPLOAD_KEY="secret") as library, TestClient(create_app(library)) as web:
        assert web.post("/api/similar/file", content=paper).status_code == 403
        key = {"X-Upload-Key": "secret"}
        body = web.post("/api/similar/file?limit=3&meaning=false", content=paper, headers=key).json()
        assert body["response"][0]["title"] == gold(NAME)["title"]
        assert [one["reasons"] for one in body["response"]] == [["similar words"]] * 3
        refused = web.post("/api/similar/file", content=b"%PDF-1.4 nothing", headers=key)
        assert (refused.status_code, refused.json()["code"]) == (422, "corrupt")

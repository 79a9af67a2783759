"""The registry of document types: a type, its place in the file store and its reader belong together."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from openseer.core.model.document import Document
from openseer.core.model.document_type import DOCUMENT_TYPES, ORIGINAL, PDF_MIME
from openseer.core.model.file_head import FileHead
from openseer.core.settings import Settings
from openseer.extract.formats import type_of
from openseer.ingest.coordinator import Coordinator
from openseer.ingest.document_types import readers
from openseer.ingest.results import NotIngested, decode, encode
from openseer.ingest.worker_jobs import encode_path, read_document
from openseer.storage.open import open_library
from tests.builders import InThisProcess

DOCUMENT = Document("0" * 40, "0" * 64, 1, PDF_MIME, "ingested")


def test_every_paper_type_has_a_reader_and_every_reader_a_type():
    assert set(readers()) == {mime for mime, one in DOCUMENT_TYPES.items() if not one.is_bibliography}
    assert all(mime == one.mime for mime, one in (readers() | DOCUMENT_TYPES).items())


def test_stored_files_of_two_types_never_share_a_name():
    places = [(one.kind, one.suffix) for one in DOCUMENT_TYPES.values()]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"%PDF-1.4", "pdf"), (b"\n\n%PDF-1.4", "pdf"), (b"PK\x03\x04%PDF-", None), (b"", None), (b"\x89PNG", None),
        (b"<!DOCTYPE html><p>", "html"), (b"\xef\xbb\xbf <html>", "html"), (b"<?xml version='1.0'?><a/>", "xml"),
        (b"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC>", "html"), (b"a paper", "txt"), (b"a\0b\1c", None),
        ("ein Aufsatz".encode("utf-16"), "txt"),
    ],
)  # fmt: skip
def test_a_reader_is_chosen_by_content(head, kind):
    for name in ("", "paper.pdf", "paper.doc"):
        found = type_of(FileHead(head, name))
        assert (found.suffix if found else None) == kind


def test_the_name_decides_among_texts_only():
    assert type_of(FileHead(b"@article{a, title = {b}}", "list.bib")) is None
    assert type_of(FileHead(b"%PDF-1.4", "list.bib")) is DOCUMENT_TYPES[PDF_MIME]


def test_a_document_that_was_never_read_is_taken_for_a_pdf():
    assert replace(DOCUMENT, mime="").type.mime == PDF_MIME
    assert not replace(DOCUMENT, mime="", outcome=None).is_bibliography
    assert replace(DOCUMENT, mime="text/csv").is_bibliography


def test_a_type_without_a_reader_is_named_in_the_result(tmp_path):
    (tmp_path / "image.gif").write_bytes(b"GIF89a" + bytes(200))
    request = {"path": encode_path(tmp_path / "image.gif"), "sha1": "0" * 40, "filter": "none", "min_words": 1}
    result = decode(read_document(orjson.dumps({**request, "max_pages": 0, "min_scholarly": 0})))
    assert isinstance(result, NotIngested)
    assert (result.outcome, result.mime) == ("unsupported_type", "image/gif")


def test_a_reader_of_another_package_is_used_like_the_built_in_ones(tmp_path, example_reader, monkeypatch):
    monkeypatch.setattr("openseer.ingest.coordinator.WorkerPool", InThisProcess)
    (tmp_path / "paper.gem").write_text("gemtext\n# On tides\n" + "The tides of the sea are read here. " * 40)
    environ = {"OPENSEER_EXTRACT__FILTER": "none"}
    settings = Settings.load(tmp_path / "openseer.toml", environ)
    with open_library(tmp_path / "data", create=True, settings=settings) as library:
        assert Coordinator(library, 1, work=read_document).run([tmp_path / "paper.gem"]).counts == {"ingested": 1}
        (document,) = library.records.documents()
        assert (document.mime, document.type.suffix, document.is_stored) == (example_reader.mime, "gmi", True)
        assert library.files.read(ORIGINAL, document.sha1, "gmi").startswith(b"gemtext")
        (work,) = library.records.descriptions_of(library.records.live_works()).values()
        assert work[0].fields.title == "On tides"


@pytest.mark.parametrize("result", [NotIngested("text/plain", "unsupported_type", "no reader")])
def test_results_survive_the_way_from_the_worker(result):
    assert decode(encode(result)) == result


def test_an_unknown_kind_of_result_is_an_error():
    with pytest.raises(ValueError, match="unknown kind"):
        decode([b'{"kind":"later"}'])

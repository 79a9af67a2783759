"""Upload form and status page."""

from __future__ import annotations

import errno
import os
import re
from contextlib import contextmanager

import html5lib
import pytest
from fastapi.testclient import TestClient

from openseer.core.model.document import Viewer
from openseer.core.model.task import RetryPolicy
from openseer.core.settings import Settings
from openseer.ingest.coordinator import Coordinator
from openseer.storage.open import open_library
from openseer.storage.protocols.records import ExtractionFacts
from openseer.web.app import create_app
from openseer.web.pages.submit import is_finished
from tests.acquire.made_archives import PAPER, compressed, encrypted_7z, packed, tarred, written
from tests.local_site import site

HTML = {"accept": "text/html"}


@contextmanager
def visited(folder, environ):
    settings = Settings.load(folder / "none", environ)
    with (
        open_library(folder / "data", create=True, settings=settings) as library,
        TestClient(create_app(library), headers=HTML) as client,
    ):
        yield client


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({}, "Uploads are off here"),
        ({"OPENSEER_WEB__UPLOAD_KEY": "secret"}, 'name="key"'),
        ({"OPENSEER_WEB__ALLOW_UPLOAD": "true"}, 'type="file"'),
    ],
)
def test_the_page_says_who_may_add_papers(tmp_path, environ, told):
    with visited(tmp_path, environ) as web:
        html = web.get("/submit").text
        assert told in html
        assert ('href="/submit"' in web.get("/about").text) == bool(environ)
        assert ("Add your papers" in web.get("/").text) == bool(environ)
        html5lib.HTMLParser(strict=True).parse(html)


def test_uploads_need_permission(tmp_path):
    with visited(tmp_path, {"OPENSEER_WEB__UPLOAD_KEY": "secret"}) as web:
        answer = web.post("/submit", files={"file": ("a.pdf", b"%PDF-1.4")}, data={"key": "wrong"})
        assert answer.status_code == 403


def test_the_key_is_given_before_the_files(tmp_path, monkeypatch):
    monkeypatch.setattr("openseer.ingest.uploads.intake.UploadService.ensure_worker", lambda self, **_: None)
    paper = {"file": ("a.pdf", b"%PDF-1.4")}
    with visited(tmp_path, {"OPENSEER_WEB__UPLOAD_KEY": "secret"}) as web:
        assert 'type="file"' not in web.get("/submit").text
        assert web.post("/submit/key", data={"key": "wrong"}).status_code == 403
        assert web.post("/submit", files=paper).status_code == 403
        given = web.post("/submit/key", data={"key": "secret"}, follow_redirects=False)
        assert (given.status_code, given.headers["location"]) == (303, "/submit")
        cookie = given.headers["set-cookie"]
        assert "secret" not in cookie
        assert {"HttpOnly", "SameSite=strict"} <= set(cookie.split("; "))
        assert 'type="file"' in web.get("/submit").text
        assert web.post("/submit", files=paper).status_code == 200
        assert web.post("/api/document", files=paper).status_code == 202, "scripts of the page use it too"


def test_a_rejected_file_has_a_reason(tmp_path):
    with visited(tmp_path, {"OPENSEER_WEB__ALLOW_UPLOAD": "true"}) as web:
        answer = web.post("/submit", files=[("file", ("image.png", b"\x89PNG no paper")), ("file", ("empty.pdf", b""))])
        assert answer.status_code == 422
        assert "image.png</strong>" in answer.text
        assert "The file is empty." in answer.text
        html5lib.HTMLParser(strict=True).parse(answer.text)


def test_an_accepted_file_has_a_status_page(tmp_path, sample_papers, monkeypatch):
    monkeypatch.setattr("openseer.ingest.uploads.intake.UploadService.ensure_worker", lambda self: None)
    paper = (sample_papers / "paper-rank.pdf").read_bytes()
    with visited(tmp_path, {"OPENSEER_WEB__ALLOW_UPLOAD": "true"}) as web:
        answer = web.post(
            "/submit", files=[("file", ("paper.pdf", paper)), ("file", ("image.png", b"\x89PNG no paper"))]
        )
        assert answer.status_code == 200
        for part in ("paper.pdf</strong>", "queued", "image.png</strong>", 'http-equiv="refresh"'):
            assert part in answer.text
        html5lib.HTMLParser(strict=True).parse(answer.text)
        assert web.get("/submit/events/jnone").status_code == 404
        assert web.get("/submit/jobs?job=jnone").status_code == 404


@pytest.mark.parametrize(
    ("state", "outcome", "searchable", "over"),
    [
        ("active", None, False, False),
        ("ended", "ingested", False, False),
        ("ended", "ingested", True, True),
        ("ended", "too_short", False, True),
    ],
)
def test_a_job_is_finished_when_its_papers_are_searchable_or_rejected(state, outcome, searchable, over):
    assert is_finished({"state": state, "documents": [{"outcome": outcome, "searchable": searchable}]}) == over


@pytest.fixture
def giving(tmp_path, monkeypatch):
    """A site that takes papers, also from this machine, and reads none of them."""
    monkeypatch.setattr("openseer.ingest.uploads.intake.UploadService.ensure_worker", lambda self: None)
    environ = {"OPENSEER_WEB__ALLOW_UPLOAD": "true", "OPENSEER_ACQUIRE__ALLOW_PRIVATE": "true"}
    with visited(tmp_path, {**environ, "OPENSEER_EXTRACT__MAX_BYTES": "3000000"}) as web:
        yield web
    assert list((tmp_path / "data").glob("spool/*")) == []


def test_each_file_of_an_archive_is_a_document_of_the_job(giving, sample_papers):
    papers = [
        (f"folder/{name}.pdf", (sample_papers / f"{name}.pdf").read_bytes())
        for name in ("paper-rank", "zitationsindex")
    ]
    data = packed([*papers, ("image.png", b"\x89PNG no paper"), ("../out.pdf", b"%PDF-1.4")])
    answer = giving.post("/api/document", files={"file": ("few.zip", data)})
    told = answer.json()
    assert answer.status_code == 202
    assert [one["name"] for one in told["documents"]] == ["folder/paper-rank.pdf", "folder/zitationsindex.pdf"]
    assert {(one["name"], one["code"]) for one in told["refused"]} == {
        ("../out.pdf", "archive_refused"),
        ("image.png", "unsupported_type"),
    }
    documents = {one["name"]: one for one in giving.get(told["status"]).json()["documents"]}
    assert documents["folder/paper-rank.pdf"]["state"] == "waiting"
    assert documents["image.png"]["outcome"] == "unsupported_type"
    assert "../out.pdf: Its name leads out" in documents["few.zip"]["detail"]
    html = giving.get(f"/submit/jobs?job={told['job']}").text
    assert "<strong>folder/paper-rank.pdf</strong>" in html
    html5lib.HTMLParser(strict=True).parse(html)


@pytest.mark.parametrize(
    ("name", "pack", "inner"),
    [
        ("a.tgz", lambda paper: tarred([("b/c.pdf", paper), ("../d.pdf", PAPER)], "gz"), "b/c.pdf"),
        ("a.7z", lambda paper: written([("b/c.pdf", paper), ("../d.pdf", PAPER)], "7zip"), "b/c.pdf"),
        ("a.zip", lambda paper: packed([("b.tar", tarred([("c.pdf", paper), ("../d.pdf", PAPER)]))]), "b.tar/c.pdf"),
    ],
    ids=["tar.gz", "7z", "nested"],
)
def test_archives_of_other_types_are_taken(giving, sample_papers, name, pack, inner):
    paper = (sample_papers / "paper-rank.pdf").read_bytes()
    told = giving.post("/api/document", files={"file": (name, pack(paper))}).json()
    assert [one["name"] for one in told["documents"]] == [inner]
    assert [one["code"] for one in told["refused"]] == ["archive_refused"]
    documents = {one["name"]: one for one in giving.get(told["status"]).json()["documents"]}
    assert documents[name]["outcome"] == "archive_refused"


def test_a_compressed_file_is_that_file(giving, sample_papers):
    paper = (sample_papers / "paper-rank.pdf").read_bytes()
    told = giving.post("/api/document", files={"file": ("paper.pdf.gz", compressed(paper, "gz"))}).json()
    assert [one["name"] for one in told["documents"]] == ["paper.pdf"]
    assert [one["name"] for one in giving.get(told["status"]).json()["documents"]] == ["paper.pdf"]


@pytest.mark.parametrize(
    ("name", "data", "code", "told"),
    [
        ("a.7z", encrypted_7z("secret.pdf", b"c" * 32, also_header=True), "archive_refused", "needs a password"),
        ("a.7z", b"7z\xbc\xaf\x27\x1c and nothing", "archive_refused", "damaged or cut off"),
        ("a.tgz", tarred([(f"{n}.pdf", PAPER) for n in range(1001)], "gz"), "archive_refused", "more than 1,000 files"),
        ("a.jar", packed([("META-INF/MANIFEST.MF", b"x")]), "unsupported_type", "no reader"),
    ],
    ids=["encrypted", "damaged", "too many", "program"],
)
def test_an_archive_that_is_refused_whole_says_why(giving, name, data, code, told):
    answer = giving.post("/api/document", files={"file": (name, data)})
    assert answer.json()["code"] == code
    assert told in answer.json()["detail"]


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ([("a.png", b"\x89PNG no paper")], "There is no reader"),
        ([], "no files"),
        ([("z.pdf", b"\0" * 2_500_000)], "unpacks to more than"),
    ],
)
def test_an_archive_without_a_paper_says_why(giving, members, told):
    answer = giving.post("/api/document", files={"file": ("bad.zip", packed(members))})
    assert (answer.status_code, answer.json()["code"]) == (422, "archive_refused")
    assert told in answer.json()["detail"]


def test_a_url_is_fetched_and_stored_as_the_source(giving, sample_papers):
    paper = (sample_papers / "paper-rank.pdf").read_bytes()
    pages = {
        "/paper.pdf": (200, {}, paper),
        "/old": (301, {"Location": "/paper.pdf"}, b""),
        "/all.zip": (200, {}, packed([("in.pdf", paper)])),
    }
    with site(pages) as address:
        first = giving.post("/api/document", json={"url": f"{address}/old"}).json()
        assert first["documents"] == [{"name": f"{address}/old", "sha1": first["sha1"], "known": False}]
        assert (
            giving.post("/api/document", data={"url": f"{address}/all.zip"}).json()["documents"][0]["name"] == "in.pdf"
        )
        library = giving.app.state.services.library
        sources = library.records.as_seen_by(Viewer.OPERATOR).document(first["sha1"]).sources
        assert [one.url for one in sources] == [f"{address}/{one}" for one in ("all.zip#in.pdf", "old", "paper.pdf")]
        page = giving.post("/submit", data={"url": f"{address}/paper.pdf\n{address}/none"})
        assert page.status_code == 200
        assert f"<strong>{address}/paper.pdf</strong>" in page.text
        assert "responded 404" in page.text


@pytest.mark.parametrize(
    ("url", "status", "code"),
    [
        ("file:///etc/passwd", 400, "bad_address"),
        ("{site}/none", 502, "not_fetched"),
        ("{site}/page", 415, "unsupported_type"),
        ("{site}/huge", 413, "too_large"),
    ],
)
def test_a_url_without_a_paper_is_an_error(giving, url, status, code):
    pages = {"/page": (200, {"Content-Type": "application/pdf"}, b"GIF89a"),
             "/huge": (200, {"Content-Length": "9000000"}, b"")}  # fmt: skip
    with site(pages) as address:
        answer = giving.post("/api/document", json={"url": url.format(site=address)})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["hint"]


def test_private_addresses_are_refused_by_default(tmp_path):
    with visited(tmp_path, {"OPENSEER_WEB__ALLOW_UPLOAD": "true"}) as web, site({"/": (200, {}, b"%PDF-")}) as address:
        answer = web.post("/api/document", json={"url": address})
        assert (answer.status_code, answer.json()["code"]) == (403, "address_refused")
        page = web.post("/submit", data={"url": address})
        assert page.status_code == 422
        assert "not on the open Internet" in page.text


def test_a_web_page_waits_and_is_read_by_the_worker(giving):
    page = b"<!doctype html><html><body><h1>On tides</h1>" + b"<p>The tides of the sea rise and fall.</p>" * 40
    told = giving.post("/api/document", files={"file": ("tides.html", page)}).json()
    library = giving.app.state.services.library
    assert library.records.as_seen_by(Viewer.OPERATOR).document(told["sha1"]).mime == "text/html"
    outcomes = Coordinator(library, 1).work(lambda: False, once=True).counts
    assert outcomes.total() == 1
    assert outcomes.keys() <= {"ingested", "not_academic"}, "it was found and read"


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"url": 5}'])
def test_a_body_without_a_url_is_an_error(giving, body):
    answer = giving.post("/api/document", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert giving.post("/submit", data={"url": "  "}).status_code == 400


def test_one_url_per_line(giving):
    page = giving.post("/submit", data={"url": "not a url\r\n\r\n ftp://x.org/a.pdf "}).text
    assert re.findall(r"<li><strong>([^<]+)</strong>", page) == ["not a url", "ftp://x.org/a.pdf"]


def test_urls_above_the_limit_are_listed(giving):
    page = giving.post("/submit", data={"url": "\n".join(f"no {number}" for number in range(7))}).text
    assert page.count("At most 5 links can be fetched at a time.") == 2


def test_names_of_settings_are_code(tmp_path):
    with visited(tmp_path, {"OPENSEER_WEB__ALLOW_UPLOAD": "true"}) as web, site({"/": (200, {}, b"%PDF-")}) as address:
        page = web.post("/submit", data={"url": address}).text
        assert "<code>acquire.allow_private</code>" in page
        assert "`" not in page.split("<main")[1]
    with visited(tmp_path, {"OPENSEER_WEB__UPLOAD_KEY": "secret"}) as web:
        assert "<code>web.upload_key</code>" in web.post("/submit", data={"key": "wrong"}).text


def test_a_damaged_file_is_rejected_with_a_plain_message(giving):
    sha1 = giving.post("/api/document", files={"file": ("bad.pdf", b"%PDF-1.4 cut off")}).json()["sha1"]
    library = giving.app.state.services.library
    with library.records.writing() as writer:
        writer.acknowledge(
            sha1, "corrupt", "No reader can open it (pdfium: data format error; mupdf: no pages).", ExtractionFacts()
        )
    page = giving.post("/submit", files={"file": ("bad.pdf", b"%PDF-1.4 cut off")}).text
    assert "already uploaded and rejected earlier: The file is damaged or cut off and cannot be opened." in page
    assert "pdfium" not in page


def test_a_file_in_the_library_is_reported_as_such(data, sample_papers):
    paper = ("file", ("again.pdf", (sample_papers / "paper-rank.pdf").read_bytes()))
    settings = Settings.load(data / "none", {"OPENSEER_WEB__ALLOW_UPLOAD": "true"})
    with open_library(data, settings=settings) as library, TestClient(create_app(library), headers=HTML) as web:
        page = web.post("/submit", files=[paper]).text
        assert re.search(r'again.pdf</strong>\s+already in the library: <a href="/works/w\w+">see the work', page)
        job = re.search(r"known", web.post("/submit", files=[paper, ("file", ("new.pdf", b"%PDF-1.4 new"))]).text)
        assert job is not None, "the page that looks again knows it too"


def test_a_rejected_upload_is_served_to_nobody(giving):
    sha1 = giving.post("/api/document", content=b"%PDF-1.4 anything").json()["sha1"]
    assert giving.get(f"/document/{sha1}.pdf").status_code == 404, "it waits"
    with giving.app.state.services.library.records.writing() as writer:
        writer.acknowledge(sha1, "corrupt", "It is damaged.", ExtractionFacts(mime="application/pdf", is_stored=True))
    for path in (f"/document/{sha1}.pdf", f"/api/document?doi={sha1}"):
        assert giving.get(path).status_code == 404


@pytest.mark.parametrize(
    ("name", "status", "code"), [("UPLOAD_MB_PER_DAY", 429, "too_many"), ("UPLOAD_MB_TOTAL", 507, "quota_exceeded")]
)
def test_uploads_of_all_users_have_a_limit(tmp_path, monkeypatch, name, status, code):
    monkeypatch.setattr("openseer.ingest.uploads.intake.UploadService.ensure_worker", lambda self: None)
    with visited(tmp_path, {"OPENSEER_WEB__ALLOW_UPLOAD": "true", f"OPENSEER_WEB__{name}": "1"}) as web:
        first, second = (b"%PDF-1.4 " + letter * 600_000 for letter in (b"a", b"b"))
        assert web.post("/api/document", content=first).status_code == 202
        answer = web.post("/api/document", content=second)
        assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_names_of_uploads_have_no_control_characters(giving):
    files = {"file": ("a\x1b[31mRED\x1b[2J.pdf", b"%PDF-1.4")}
    job = giving.post("/api/document", files=files).json()["job"]
    what = giving.get(f"/api/jobs/{job}").json()["what"]
    assert what.isprintable()
    assert "RED" in what


def test_a_full_disk_is_reported_as_such(giving, monkeypatch):
    def fail(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("openseer.ingest.uploads.intake.UploadService._write", fail)
    monkeypatch.setattr("openseer.ingest.one_off.NamedTemporaryFile", fail)
    answers = [
        giving.post("/api/document", content=b"%PDF-1.4"),
        giving.post("/submit", files={"file": ("a.pdf", b"%PDF-1.4")}, headers={"accept": "application/json"}),
        giving.post("/api/similar/file", content=b"%PDF-1.4"),
    ]
    assert [(one.status_code, one.json()["code"]) for one in answers] == [(503, "disk_full")] * 3


def test_polling_a_job_starts_no_worker_for_a_task_that_is_not_due(tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr(
        "openseer.ingest.uploads.background_worker.subprocess.Popen", lambda *_, **__: started.append(1)
    )
    with visited(tmp_path, {"OPENSEER_WEB__ALLOW_UPLOAD": "true"}) as web:
        given = web.post("/api/document", content=b"%PDF-1.4").json()
        started.clear()
        worker = web.app.state.services.uploads._worker
        monkeypatch.setattr(worker, "_process", None)
        for _ in range(5):
            web.get(given["status"])
        assert not started, "one was started a moment ago"
        monkeypatch.setattr(worker, "_started_at", None)
        library = web.app.state.services.library
        with library.records.writing() as writer:
            writer.acknowledge(given["sha1"], "crashed", "", ExtractionFacts(retry_policy=RetryPolicy(3, 60.0)))
        for _ in range(5):
            web.get(given["status"])
        assert not started, "it waits a minute"
        monkeypatch.setattr(worker, "close", lambda: None)


def test_what_a_killed_process_left_in_the_spool_is_deleted_at_the_start(tmp_path):
    spool = tmp_path / "data" / "spool"
    (spool / "old-folder").mkdir(parents=True)
    for name in ("one-off-old", "one-off-new"):
        (spool / name).write_bytes(b"%PDF-")
    for name in ("old-folder", "one-off-old"):
        os.utime(spool / name, (0, 0))
    with visited(tmp_path, {}):
        assert [one.name for one in spool.iterdir()] == ["one-off-new"], "another process may use the new one"

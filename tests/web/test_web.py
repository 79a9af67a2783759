"""Pages and REST over a library of the sample papers."""

from __future__ import annotations

import re
import shutil

import pytest
from fastapi.testclient import TestClient

from openseer.core.model.document import Visibility
from openseer.evaluation.samples import gold
from openseer.storage.open import open_library
from openseer.web.app import create_app

TITLE = gold("paper-rank")["title"]


@pytest.fixture(scope="module")
def web(sample_data):
    with open_library(sample_data) as library, TestClient(create_app(library)) as client:
        yield client


@pytest.fixture(scope="module")
def paper(web):
    """The paper as the API shows it."""
    return web.get("/api/search", params={"q": TITLE}).json()["response"][0]


def page(web, address, status=200):
    answer = web.get(address, headers={"accept": "text/html"}, follow_redirects=False)
    assert answer.status_code == status, answer.text[:300]
    return answer.text


def test_the_home_page_shows_numbers_and_recent_papers(web):
    html = page(web, "/")
    assert "with full text" in html
    assert 'name="q"' in html
    assert "Recently added" in html


def test_search_finds_by_title_and_marks_the_words(web):
    html = page(web, f"/search?q={TITLE}")
    assert "<mark>" in html
    assert "Interpreted as" in html
    assert re.search(r'href="/works/w[0-9a-z]{12}"', html)


@pytest.mark.parametrize(
    "query",
    [
        "page=zz&sort=foo&low=abc&size=-3&full=maybe",
        "q=%22unclosed+%28&page=99999999999",
        "q=<script>alert(1)</script>",
        "q=%00",
        "page=-1",
        "filter=has:nothing&filter=year:soon&filter=colour:red&filter=type:article,autor:x",
    ],
)
def test_no_address_of_the_search_page_is_an_error(web, query):
    assert "<script>alert" not in page(web, f"/search?{query}")


def test_pages_of_results_follow_each_other(web):
    first, second = (page(web, f"/search?size=5&page={n}&sort=citations") for n in (1, 2))
    works = [set(re.findall(r'<h3><a href="/works/(w[0-9a-z]{12})"', html)) for html in (first, second)]
    assert len(works[0]) == len(works[1]) == 5
    assert not works[0] & works[1]
    assert 'rel="next"' in first
    assert 'rel="prev"' in second


def test_filters_narrow(web):
    every = web.get("/api/search").json()["total_results"]
    full = web.get("/api/search", params={"must_have_pdf": True}).json()["total_results"]
    old = web.get("/api/search", params={"yearEnd": 1990}).json()
    assert 30 <= full < every
    assert 0 < old["total_results"] < every
    assert all(work["year"] <= 1990 for work in old["response"])


def test_a_work_shows_what_it_cites_and_links_to_it(web, paper):
    html = page(web, f"/works/{paper['cluster_id']}")
    assert TITLE in html
    assert "available with full text" in html
    linked = re.findall(r'class="here">.*?\s*<a class="title" href="/works/(w[0-9a-z]{12})"', html)
    assert linked, "a sample paper cites other sample papers"
    assert f'href="/works/{paper["cluster_id"]}"' in page(web, f"/works/{linked[0]}"), "and they say who cites them"


def test_a_citation_only_work_says_so(web):
    hits = web.get("/api/search", params={"sort": "citations", "pageSize": 100}).json()["response"]
    known = next(hit for hit in hits if hit["is_citation"])
    assert "its full text is not in this library" in page(web, f"/works/{known['cluster_id']}")


def test_two_versions_are_one_work_and_the_other_id_leads_to_it(web):
    shown = web.get("/api/search", params={"q": gold("near-duplicates")["title"], "must_have_pdf": True}).json()[
        "response"
    ][0]
    body = web.get("/api/paper", params={"cluster_id": shown["cluster_id"]}).json()
    other = [one for one in body["ids"] if one != shown["cluster_id"]]
    assert body["cluster_id"] == shown["cluster_id"]
    for work in other[:1]:
        answer = web.get(f"/works/{work}", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (302, f"/works/{shown['cluster_id']}")


def test_the_pdf_is_served_whole_and_in_parts(web, paper):
    whole = web.get(f"/document/{paper['id']}.pdf")
    assert whole.headers["content-type"] == "application/pdf"
    assert whole.content.startswith(b"%PDF-")
    assert whole.headers["etag"] == f'"{paper["id"]}"'
    assert re.search(r'inline; filename="[a-z0-9-]+\.pdf"', whole.headers["content-disposition"])
    part = web.get(f"/api/document?doi={paper['id']}&type=pdf", headers={"range": "bytes=0-4"})
    assert (part.status_code, part.content) == (206, b"%PDF-")


def test_the_published_form_of_search(web):
    body = web.post("/api/search", json={"queryString": TITLE, "page": 1, "pageSize": 3, "must_have_pdf": True}).json()
    assert body["response"][0]["title"] == TITLE
    assert len(body["response"]) <= 3
    assert {"query_id", "total_results", "understood_as"} <= set(body)


@pytest.mark.parametrize("name", ["cluster_id", "id"])
def test_a_paper_by_work_id(web, paper, name):
    body = web.get("/api/paper", params={name: paper["cluster_id"]}).json()
    assert body["title"] == TITLE
    assert body["n_cited_by"] == paper["n_cited_by"]
    assert body["authors"] == gold("paper-rank")["authors"]


@pytest.mark.parametrize("name", ["paper_id", "csxId", "id"])
def test_a_paper_by_the_sha1_of_its_file(web, paper, name):
    assert web.get("/api/paper", params={name: paper["id"]}).json()["cluster_id"] == paper["cluster_id"]


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        ("/api/paper", 400, "bad_request"),
        ("/api/paper?id=w000000000000", 404, "not_found"),
        ("/api/paper?id=10.5555/none", 404, "not_found"),
        (f"/api/paper?id={'0' * 40}", 404, "not_found"),
        ("/api/document?doi=../../etc/passwd", 404, "not_found"),
        (f"/api/document?doi={'0' * 40}", 404, "not_found"),
        ("/api/document", 400, "bad_request"),
        ("/api/search?page=0", 400, "bad_request"),
        ("/api/search?pageSize=5000", 400, "bad_request"),
        ("/api/nothing", 404, "not_found"),
        ("/works/..%2f..%2fetc", 404, "not_found"),
        ("/document/0.pdf", 404, "not_found"),
    ],
)
def test_errors_have_one_shape(web, address, status, code):
    answer = web.get(address)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == code
    assert {"type", "title", "status", "detail", "hint"} <= set(answer.json())


def test_people_get_errors_as_pages(web):
    assert "There is no work" in page(web, "/works/w000000000000", 404)
    assert "There is no such page." in page(web, "/nowhere", 404)


def test_removed_papers_are_gone_for_the_public(data):
    with open_library(data) as library, TestClient(create_app(library)) as client:
        sha1 = client.get("/api/search", params={"q": TITLE}).json()["response"][0]["id"]
        for visibility, status in ((Visibility.DELETED, 410), (Visibility.DMCA, 451), (Visibility.RESTRICTED, 403)):
            with library.records.writing() as writer:
                writer.retract(sha1, "a test", visibility)
            assert client.get(f"/document/{sha1}.pdf").status_code == status


def test_a_lost_file_is_503_and_work_page_and_text_still_work(data):
    with open_library(data) as library, TestClient(create_app(library)) as client:
        hit = client.get("/api/search", params={"q": TITLE}).json()["response"][0]
        library.files.delete("pdf", hit["id"], "pdf")
        lost = client.get(f"/document/{hit['id']}.pdf")
        assert (lost.status_code, lost.json()["code"]) == (503, "store_unavailable")
        assert "openseer" not in lost.text, "no commands for visitors"
        reader = client.get(f"/read/{hit['id']}", headers={"accept": "text/html"})
        assert reader.status_code == 503
        assert "missing at the moment" in reader.text
        assert client.get(f"/read/{hit['id']}?view=text").status_code == 200
        assert client.get(f"/works/{hit['cluster_id']}").status_code == 200


def test_health(web):
    body = web.get("/healthz").json()
    assert body["status"] == "ok"
    assert body["index_behind"] == 0


def test_security_headers(web):
    answer = web.get("/")
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert not re.findall(r"<script(?![^>]* src=)|<style| style=| on\w+=", answer.text)
    assert "set-cookie" not in answer.headers
    assert not re.findall(r'(?:src|href)="(?:https?:)?//(?!localhost)', answer.text)


def test_openapi_lists_the_routes(web):
    paths = web.get("/api/openapi.json").json()["paths"]
    assert {"/api/search", "/api/paper", "/api/document", "/healthz"} <= set(paths)


def test_style_and_icon_are_served(web):
    sheet = re.search(r'href="(/static/openseer\.css\?v=\w+)"', web.get("/").text)
    assert sheet is not None
    assert web.get(sheet[1]).headers["content-type"].startswith("text/css")
    assert web.get("/static/icon.svg").status_code == 200


def test_head_and_conditional_requests(web, paper):
    for address in ("/", "/healthz", f"/document/{paper['id']}.pdf"):
        assert web.head(address).status_code == 200
    again = web.get(f"/document/{paper['id']}.pdf", headers={"if-none-match": f'"{paper["id"]}"'})
    assert (again.status_code, again.content) == (304, b"")


def test_a_missing_index_is_503(data):
    with open_library(data) as library, TestClient(create_app(library)) as client:
        shutil.rmtree(data / "index")
        answer = client.get("/api/search", params={"q": "x"})
        assert (answer.status_code, answer.json()["code"]) == (503, "index_behind")


def test_health_is_503_if_the_index_falls_behind(data):
    with open_library(data) as library, TestClient(create_app(library, lambda: False)) as client:
        assert client.get("/healthz").status_code == 200
        sha1 = next(one.sha1 for one in library.records.documents() if one.outcome == "ingested")
        with library.records.writing() as writer:
            writer.retract(sha1, "a test", Visibility.DELETED)
        assert client.get("/healthz").status_code == 503


def test_openapi_describes_the_real_errors(web):
    told = web.get("/api/openapi.json").json()
    for path, operations in told["paths"].items():
        for operation in operations.values():
            assert "HTTPValidationError" not in str(operation["responses"]), path
    wrong = web.get("/api/search", params={"page": "soon"})
    search = told["paths"]["/api/search"]["get"]["responses"]
    (kind,) = search[str(wrong.status_code)]["content"]
    assert wrong.headers["content-type"].startswith(kind)
    assert set(wrong.json()) == set(told["components"]["schemas"]["Problem"]["required"])
    assert "application/zip" in told["paths"]["/api/document"]["post"]["requestBody"]["content"]
    assert "requestBody" not in told["paths"]["/api/document"]["get"]

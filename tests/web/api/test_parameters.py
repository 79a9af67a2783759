"""Names and values of query parameters: published names, synonyms, and errors that name the right one."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from openseer.evaluation.samples import gold
from openseer.storage.open import open_library
from openseer.web.app import create_app

TITLE = gold("paper-rank")["title"]


@pytest.fixture(scope="module")
def web(sample_data):
    with open_library(sample_data) as library, TestClient(create_app(library)) as client:
        yield client


@pytest.fixture(scope="module")
def work(web):
    """The paper that most others cite."""
    return web.get("/api/search?sort=citations&must_have_pdf=true").json()["response"][0]


def ids(answer):
    assert answer.status_code == 200, answer.text
    return [one["cluster_id"] for one in answer.json()["response"]]


@pytest.mark.parametrize(
    ("published", "ours"),
    [
        ("paper?csxId={id}", "works/{cluster_id}"),
        ("citations?csxId={id}", "citations/{cluster_id}"),
        ("cluster?clusterId={cluster_id}", "cluster?id={id}"),
        ("showCiting?clusterId={cluster_id}", "showCiting/{cluster_id}"),
        ("similar?csxid={id}&algo=Co-Citation", "similar/{cluster_id}?algo=cocitation"),
        ("citations?csxId={id}&pageSize=2&page=2", "citations/{id}?limit=2&offset=2"),
    ],
)
def test_the_published_parameter_names_work(web, work, published, ours):
    answers = [web.get(f"/api/{path.format(**work)}") for path in (published, ours)]
    assert [one.status_code for one in answers] == [200, 200], answers[0].text
    bodies = [{name: value for name, value in one.json().items() if name != "query_id"} for one in answers]
    assert bodies[0] == bodies[1]


@pytest.mark.parametrize("kind", ["pdf", "txt", "xml"])
def test_every_kind_of_file_has_its_published_address(web, work, kind):
    answer = web.get(f"/api/document?doi={work['id']}&type={kind}&repid=rep1&key=none")
    assert answer.status_code == 200, answer.text
    beginning = {"pdf": b"%PDF-", "txt": b"", "xml": b"<?xml"}[kind]
    assert answer.content.startswith(beginning)
    assert kind == "pdf" or work["title"].split()[0] in answer.text
    assert ("<CSXAPIMetadata" in answer.text) == (kind == "xml")
    assert answer.headers["content-disposition"].endswith(f'.{kind}"')
    assert "/" not in answer.text.partition("<file")[2].partition("</file>")[0].replace("application/pdf", "")


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("query=citation", "q=citation"),
        ("search=citation&per-page=3", "q=citation&pageSize=3"),
        ("q=citation&per_page=3&page=2", "q=citation&pageSize=3&page=2"),
        ("q=citation&limit=3&offset=3", "q=citation&pageSize=3&page=2"),
        ("q=citation&year_start=1999&YEAREND=2010", "q=citation&yearStart=1999&yearEnd=2010"),
        ("q=citation&query=citation&q=", "q=citation"),
        ("q=citation&page=&offset=&filter=&yearStart=", "q=citation"),
        ("sort=cited_by_count:desc", "sort=citations"),
        ("sort=cite&limit=5&offset=0", "sort=citations&limit=5&page=1"),
    ],
)
def test_names_of_other_services_are_synonyms(web, theirs, ours):
    assert ids(web.get(f"/api/search?{theirs}")) == ids(web.get(f"/api/search?{ours}"))


def test_an_offset_needs_not_be_a_whole_page(web):
    every = ids(web.get("/api/search?q=citation&limit=10"))
    assert ids(web.get("/api/search?q=citation&limit=4&offset=3")) == every[3:7]
    cited = ids(web.get("/api/search?sort=citations&limit=10"))
    assert ids(web.get("/api/search?sort=citations&limit=4&offset=3")) == cited[3:7]


@pytest.mark.parametrize(
    ("call", "code", "named"),
    [
        ("search?qurey=nbgrader", "unknown_parameter", "Did you mean query? "),
        ("search?bogus=1", "unknown_parameter", "Parameters are q, page, "),
        ("search?utm_source=mail", "unknown_parameter", "Parameters are q"),
        ("search?filters=type:article", "unknown_parameter", "Did you mean filter? "),
        ("suggest?query=a&limt=3", "unknown_parameter", "Did you mean limit? "),
        ("cluster?id=x&fields=title", "unknown_parameter", "Parameters are id."),
        ("jobs/x?y=1", "unknown_parameter", "no parameters"),
        ("search?sort=citation", "bad_request", "Did you mean citations? "),
        ("showCiting?id=x&sort=yearDsc", "bad_request", "Values are relevance"),
        ("search?fields=titel", "bad_request", "Did you mean title? "),
        ("paper?id=x&fields=cited_bye", "bad_request", "Did you mean cited_by? "),
        ("search?format=bibtx", "bad_request", "Did you mean bibtex? "),
        ("search?filter=autor:x", "bad_request", "Did you mean author? "),
        ("search?filter=has:pfd", "bad_request", "Did you mean pdf? "),
        ("search?facets=autor", "bad_request", "Did you mean author? "),
        ("search?group_by=topics", "bad_request", "Did you mean topic? "),
        ("similar?id=x&algo=Co-Citaton", "bad_request", "Did you mean cocitation? "),
        ("document?doi=x&type=ps", "bad_request", "Values are pdf, original, txt, xml."),
        ("paper", "bad_request", "csxId"),
        ("paper?csxId=", "bad_request", "csxId"),
        ("search?q=a&query=b", "bad_request", "Give q once."),
        ("search?page=1&page=2", "bad_request", "Give page once."),
        ("search?page=2&offset=10", "bad_request", "Give one of them."),
        ("search?cursor=*&page=2", "bad_request", "Give one of them."),
        ("contexts?page=1&offset=10", "bad_request", "Give one of them."),
        ("search?offset=-1", "bad_request", "See /api"),
        ("search?per-page=500", "bad_request", "See /api"),
        ("search?filter=type:article,autor:x", "bad_request", "Did you mean author? "),
    ],
)
def test_wrong_calls_are_errors_that_name_the_right_one(web, call, code, named):
    answer = web.get(f"/api/{call}")
    assert answer.status_code == 400, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.json()["code"], answer.json()["title"]) == (code, "Bad Request")
    assert named in answer.json()["hint"]


def test_the_check_covers_every_route_of_ours(web):
    """No route has a list of its own: an unknown parameter is refused by each, but for the published forms."""
    described = web.get("/api/openapi.json").json()["paths"]
    refused = set()
    for path, methods in described.items():
        for method, one in methods.items():
            answer = web.request(method, path.replace("{", "").replace("}", ""), params={"no_such_name": "1"}, json={})
            if answer.json().get("code") == "unknown_parameter":
                refused.add(one["operationId"])
    forms = {"search_works_by_form", "count_works_by_form", "search_authors_by_form", "get_papers", "get_health"}
    assert refused == {one["operationId"] for methods in described.values() for one in methods.values()} - forms


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("search?bogus=1", {"queryString": TITLE, "bogus": 1, "sort": "nonsense"}, 200),
        ("aggregate", {"queryString": TITLE, "bogus": 1}, 200),
        ("searchAuthor", {"queryString": "chen", "bogus": 1}, 200),
        ("mget_paper/", {"paper_id_list": [], "bogus": 1}, 200),
        ("works/batch", {"ids": [], "bogus": 1}, 400),
        ("works/batch", {}, 400),
        ("similar", {"text": "crawling", "limt": 3}, 400),
    ],
)
def test_published_forms_ignore_unknown_names_and_ours_do_not(web, path, body, status):
    answer = web.post(f"/api/{path}", json=body)
    assert answer.status_code == status, answer.text
    assert status == 200 or "limt" not in body or "Did you mean limit?" in answer.json()["hint"]


@pytest.mark.parametrize("page", ["/search?q=citation", "/", "/browse/authors?q=chen", "/contexts?q=citation"])
def test_pages_ignore_trackers_and_unknown_parameters(web, page):
    join = "&" if "?" in page else "?"
    plain, tracked = web.get(page), web.get(f"{page}{join}utm_source=mail&fbclid=1&bogus=2")
    assert (plain.status_code, tracked.status_code) == (200, 200)
    assert tracked.text.count("<h3") == plain.text.count("<h3")


@pytest.mark.parametrize("facet", ["author", "venue", "topic", "type", "language", "has"])
def test_a_value_as_printed_is_a_filter_like_its_key(web, facet):
    for one in web.get(f"/api/search?facets={facet}:5").json()["facets"][facet]:
        for value in (one["key"], one["label"], one["label"].title()):
            found = web.get("/api/search", params={"filter": f"{facet}:{value}"}).json()["total_results"]
            assert found == one["doc_count"], value


def test_filters_may_be_separated_by_commas(web):
    together, apart = (
        ids(web.get(f"/api/search?{query}&limit=100"))
        for query in (
            "filter=has:pdf,-type:thesis,language:en",
            "filter=has:pdf&filter=-type:thesis&filter=language:en",
        )
    )
    assert together == apart != ids(web.get("/api/search?limit=100"))


def test_errors_of_values_name_the_parameter_as_given(web):
    assert web.get("/api/search?per-page=500").json()["detail"].startswith("per-page: ")
    assert web.get("/api/similar?id=x&pageSize=500").json()["detail"].startswith("pageSize: ")
    assert web.get("/api/search?page=0").json()["detail"].startswith("page: ")
    assert web.get("/api/search?group_by=colour").json()["detail"] == "Unknown value of group_by: colour."


def test_a_file_is_sent_as_octets_to_clients_that_accept_nothing_else(web, work):
    answer = web.get(f"/api/document?doi={work['id']}", headers={"accept": "application/octet-stream"})
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.content == web.get(f"/api/document?doi={work['id']}").content

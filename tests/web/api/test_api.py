"""The REST API over a library of the sample papers."""

from __future__ import annotations

import json
import re
import threading
import time
from xml.etree import ElementTree

import pytest
import uvicorn
from fastapi.testclient import TestClient

from openseer.client import ApiError, Client
from openseer.core.model.query import FACETS, SORTS
from openseer.core.settings import Settings
from openseer.evaluation.samples import gold
from openseer.storage.open import open_library
from openseer.web.app import create_app

TITLE = gold("paper-rank")["title"]


@pytest.fixture(scope="module")
def web(sample_data):
    with open_library(sample_data) as library, TestClient(create_app(library)) as client:
        yield client


def found(web, **parameters):
    answer = web.get("/api/search", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def work(web):
    return found(web, q=f'title:="{TITLE}"')["response"][0]


@pytest.fixture(scope="module")
def cited(web):
    """The work that most others cite."""
    return found(web, sort="citations", pageSize=1)["response"][0]


def test_every_facet_counts_what_is_found_and_a_choice_leaves_the_others_right(web):
    body = found(web, facets=",".join(FACETS))
    assert set(body["facets"]) == set(FACETS)
    assert (
        sum(one["doc_count"] for one in body["facets"]["has"] if one["key"] in ("pdf", "no-pdf"))
        == body["total_results"]
    )
    kind = body["facets"]["type"][0]
    chosen = found(web, facets="type,year", filter=f"type:{kind['key']}")
    assert chosen["total_results"] == kind["doc_count"]
    assert chosen["facets"]["type"] == body["facets"]["type"], "more values of a facet can be chosen"
    assert sum(one["doc_count"] for one in chosen["facets"]["year"]) <= kind["doc_count"]
    without = found(web, filter=f"-type:{kind['key']}")
    assert without["total_results"] == body["total_results"] - kind["doc_count"]


def test_two_values_of_a_facet_are_alternatives(web):
    years = found(web, facets="year")["facets"]["year"][-2:]
    both = found(web, filter=[f"year:{one['key']}" for one in years])
    assert both["total_results"] == sum(one["doc_count"] for one in years)


def test_a_facet_can_be_searched_and_names_are_shown_as_printed(web):
    people = found(web, facets="author:20")["facets"]["author"]
    name = people[0]
    assert name["label"] != name["key"]
    family = name["key"].split()[0]
    inside = found(web, facets=f"author:50:{family}")["facets"]["author"]
    assert inside
    assert all(family in one["key"] for one in inside)


@pytest.mark.parametrize("sort", SORTS)
def test_a_cursor_walks_every_work_once_in_every_order(web, sort):
    total = found(web)["total_results"]
    ids, cursor = [], "*"
    while cursor:
        body = found(web, sort=sort, cursor=cursor, pageSize=7)
        ids += [one["cluster_id"] for one in body["response"]]
        cursor = body.get("next_cursor", "")
    assert len(ids) == len(set(ids)) == total


@pytest.mark.parametrize(("name", "order"), [("cite", "n_cited_by"), ("date", "year"), ("citCount", "n_cited_by")])
def test_old_names_of_orders_still_work(web, name, order):
    values = [one[order] for one in found(web, sort=name)["response"] if order and one[order] is not None]
    assert values == sorted(values, reverse=True)


def test_a_misspelt_word_finds_what_was_meant_and_says_so(web):
    word = max(re.findall(r"[a-z]{8,}", TITLE.lower()), key=len)
    wrong = word[:3] + word[4] + word[3] + word[5:]
    body = found(web, q=wrong)
    assert body["corrected"]
    assert word in body["did_you_mean"]
    assert body["total_results"]


def test_without_full_matches_partial_matches_and_the_failing_part_are_shown(web):
    word = max(re.findall(r"[a-z]{8,}", TITLE.lower()), key=len)
    body = found(web, q=f"{word} qqqqqqqq")
    assert body["total_results"]
    assert body["relaxed"]
    assert {"without": "qqqqqqqq", "query": word} == {k: body["relaxations"][0][k] for k in ("without", "query")}


def test_few_results_come_with_relaxed_queries(web):
    asked = f'title:"{TITLE}" citation'
    few = found(web, q=asked)
    assert 0 < few["total_results"] <= 3
    more = next(one for one in few["relaxations"] if one["query"] == "citation")
    assert more["total_results"] == found(web, q="citation")["total_results"] > few["total_results"]
    assert "For more results:" in web.get("/search", params={"q": asked}).text


def test_operators_of_second_order(web, work, cited):
    name = cited["cluster_id"]
    citing = found(web, q=f"citations(id:{name})", pageSize=100)
    assert citing["total_results"] == cited["n_cited_by"]
    for one in citing["response"][:3]:
        back = found(web, q=f"references(id:{one['cluster_id']})", pageSize=100)
        assert name in {other["cluster_id"] for other in back["response"]}
    for operator in ("similar", "cocited", "coupled"):
        near = found(web, q=f"{operator}(id:{name})")
        assert name not in {other["cluster_id"] for other in near["response"]}


@pytest.mark.parametrize("form", ["xml", "bibtex", "ris", "refer", "csl", "atom", "rss"])
def test_results_in_every_format(web, form):
    answer = web.get("/api/search", params={"q": TITLE, "format": form})
    assert answer.status_code == 200
    assert TITLE.split()[0] in answer.text.replace("{", "").replace("}", "")
    if form in ("xml", "atom", "rss"):
        ElementTree.fromstring(answer.text)
    if form == "csl":
        assert json.loads(answer.text)[0]["type"]


def test_only_the_requested_fields(web):
    one = found(web, fields="title,year")["response"][0]
    assert set(one) == {"id", "cluster_id", "title", "year"}


def test_group_by_is_a_facet_alone(web):
    body = found(web, group_by="language")
    assert sum(one["doc_count"] for one in body["group_by"]) <= body["total_results"]


@pytest.mark.parametrize(
    ("parameters", "told"),
    [({"filter": "colour:red"}, "filter"), ({"facets": "colour"}, "facet"), ({"cursor": "%%"}, "cursor")],
)
def test_unknown_filters_facets_and_cursors_are_errors(web, parameters, told):
    answer = web.get("/api/search", params=parameters)
    assert answer.status_code == 400
    assert told in answer.json()["detail"]
    assert answer.json()["hint"]


def test_the_published_body_of_a_search_still_works(web, work):
    form = {"queryString": TITLE, "author": work["authors"][:1], "yearStart": 1900, "must_have_pdf": True}
    body = web.post("/api/search", json=form).json()
    assert body["response"][0]["cluster_id"] == work["cluster_id"]
    nobody = web.post("/api/search", json={"queryString": TITLE, "author": ["Nobody Whosoever"]}).json()
    assert work["cluster_id"] not in {one["cluster_id"] for one in nobody["response"]} or nobody["relaxed"]


def test_counts_have_the_published_names(web):
    body = web.post("/api/aggregate", json={"queryString": ""}).json()
    assert body["pub_info_year_list"]
    assert {"key", "doc_count"} == set(body["authors_fullname_terms"][0])


def test_many_works_at_once_in_the_requested_order(web, work, cited):
    body = web.post("/api/works/batch", json={"ids": [cited["cluster_id"], "w0000000000zz", work["id"]]}).json()
    assert [one and one["cluster_id"] for one in body["response"]] == [cited["cluster_id"], None, work["cluster_id"]]
    old = web.post("/api/mget_paper/", json={"paper_id_list": [work["id"]]}).json()
    assert old["response"][0]["title"] == work["title"]


def test_references_and_citing_works_agree(web, cited):
    citing = web.get(f"/api/showCiting/{cited['cluster_id']}", params={"sort": "yearDesc", "pageSize": 100}).json()
    assert citing["total_results"] == cited["n_cited_by"] == len(citing["response"])
    first = citing["response"][0]
    references = web.get(f"/api/citations/{first['id']}", params={"pageSize": 100}).json()
    assert cited["cluster_id"] in {one["cluster"] for one in references["citations"]}
    assert references["total_results"] == len(references["citations"])
    years = [one["year"] for one in citing["response"] if one["year"]]
    assert years == sorted(years, reverse=True)


@pytest.mark.parametrize("algo", ["Co-Citation", "Active Bibliography", "text", "authors", "all"])
def test_similar_works_come_with_reasons(web, cited, algo):
    body = web.get(f"/api/similar/{cited['cluster_id']}", params={"algo": algo}).json()
    assert all(one["reasons"] for one in body["response"])
    assert cited["cluster_id"] not in {one["cluster_id"] for one in body["response"]}


def test_works_like_a_pasted_text(web, work):
    body = web.post("/api/similar", json={"text": f"{TITLE}. {work['abstract']}"}).json()
    assert body["response"][0]["cluster_id"] == work["cluster_id"]


def test_completion_knows_titles_people_and_a_wrong_letter(web, work):
    words = TITLE.lower().split()
    typed = f"{words[0]} {words[1][:3]}"
    assert any(
        one["id"] == work["cluster_id"]
        for one in web.get("/api/suggest", params={"query": typed}).json()["suggestions"]
    )
    family = work["authors"][0].split()[-1]
    people = web.get("/api/suggest", params={"query": family[:5]}).json()["suggestions"]
    assert any(one["type"] == "author" and family in one["text"] for one in people)


def test_printed_names_are_found(web, work):
    family = work["authors"][0].split()[-1]
    body = web.get("/api/searchAuthor", params={"q": family}).json()
    assert any(family in one["name"] for one in body["response"])
    assert "not separated" in body["note"]


def test_author_search_finds_the_requested_authors(web):
    every = web.get("/api/searchAuthor", params={"q": "c", "limit": 100}).json()
    few = web.get("/api/searchAuthor", params={"q": "c", "limit": 2}).json()
    assert len(few["response"]) == 2 < few["total_results"] == every["total_results"]
    named = web.get("/api/searchAuthor", params={"q": "chen"}).json()["response"]
    assert named
    assert all("Chen" in " ".join(one["variants"]) for one in named), "an initial alone says too little"


def test_citing_sentences_are_an_index_of_their_own(web, cited):
    body = web.get("/api/contexts", params={"cited": cited["cluster_id"]}).json()
    assert body["total_results"]
    said = body["response"][0]
    assert all(cited["cluster_id"] in [of["cluster_id"] for of in one["cited"]] for one in body["response"])
    every = web.get("/api/contexts", params={"q": "citation", "pageSize": 100}).json()
    shown = [(one["citing"]["cluster_id"], one["text"], one["page"]) for one in every["response"]]
    assert len(set(shown)) == len(shown) == min(100, every["total_results"]), "a sentence is counted and shown once"
    word = max(re.findall(r"\w+", said["text"]), key=len)
    again = web.get("/api/contexts", params={"q": word, "cited": cited["cluster_id"]}).json()
    assert any("<mark>" in one["text_marked"] for one in again["response"])


def test_uploads_are_off_by_default(web):
    answer = web.post("/api/document", content=b"%PDF-1.4", headers={"content-type": "application/pdf"})
    assert answer.status_code == 403
    assert answer.json()["hint"]


@pytest.fixture
def served(tmp_path):
    """A library that is empty, served on a real port, with the client that talks to it."""
    with open_library(tmp_path / "data", create=True) as library:
        settings = Settings.load(tmp_path / "none", {"OPENSEER_WEB__UPLOAD_KEY": "secret"})
        object.__setattr__(library, "settings", settings)
        server = uvicorn.Server(uvicorn.Config(create_app(library), port=0, log_level="error"))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Client(f"http://127.0.0.1:{port}", upload_key="secret")
        server.should_exit = True
        thread.join()


def test_a_paper_uploaded_by_the_client_can_be_searched(served, sample_papers):
    receipt = served.upload(sample_papers / "paper-rank.pdf")
    until = time.monotonic() + 120
    while not (job := served.job(receipt["job"]))["documents"][0]["searchable"] and time.monotonic() < until:
        time.sleep(0.2)
    assert job["documents"][0]["outcome"] == "ingested"
    assert next(one["title"] for one in served.walk(TITLE)) == TITLE
    assert served.paper(receipt["sha1"])["cluster_id"] == job["documents"][0]["cluster_id"]
    assert served.upload(sample_papers / "paper-rank.pdf")["known"]
    assert "@" in served.export(TITLE, "bibtex")


def test_a_file_that_is_no_paper_is_rejected_and_recorded(served, tmp_path):
    (tmp_path / "x.png").write_bytes(b"\x89PNG")
    with pytest.raises(ApiError) as refused:
        served.upload(tmp_path / "x.png")
    assert refused.value.status == 415
    assert refused.value.code == "unsupported_type"
    (tmp_path / "empty.pdf").write_bytes(b"")
    with pytest.raises(ApiError) as refused:
        served.upload(tmp_path / "empty.pdf")
    assert refused.value.status == 422
    served = Client(served.address, upload_key="wrong")
    with pytest.raises(ApiError) as refused:
        served.upload(tmp_path / "x.png")
    assert refused.value.status == 403


def test_filters_of_a_form_hold_for_every_hit_of_any_query(web, cited):
    name = work_with_authors(web)["authors"][0]
    for query in ("", "web OR citation", '"unclosed', "a " * 700, cited["title"]):
        body = web.post("/api/search", json={"queryString": query, "author": [name]}).json()
        assert all(name in one["authors"] for one in body["response"]), query
        assert "author" in body["understood_as"]


def work_with_authors(web):
    return next(one for one in found(web, pageSize=50)["response"] if one["authors"] and one["has_pdf"])


def test_a_cursor_belongs_to_its_query_and_the_total_does_not_change(web):
    first = found(web, sort="citations", cursor="*", pageSize=5, facets="type")
    second = found(web, sort="citations", cursor=first["next_cursor"], pageSize=5, facets="type")
    assert second["total_results"] == first["total_results"]
    assert second["facets"] == first["facets"]
    for other in ({"sort": "newest"}, {"q": "citation"}, {"filter": "has:pdf"}):
        answer = web.get("/api/search", params={"sort": "citations", "cursor": first["next_cursor"], **other})
        assert (answer.status_code, "another query" in answer.json()["detail"]) == (400, True)


@pytest.mark.parametrize(
    "address",
    [
        "/api/search?filter=year:²",
        "/api/search?facets=author:²",
        "/api/search?filter=year:soon",
        "/api/search?group_by=colour",
    ],
)
def test_invalid_numbers_and_facets_are_bad_requests(web, address):
    assert web.get(address).json()["code"] == "bad_request"


@pytest.mark.parametrize("query", ["title:deep", "author:x", "year:2000", "^chen", 'title:="x"'])
def test_sentences_are_searched_by_words_in_any_field(web, query):
    for address in ("/api/contexts", "/contexts"):
        assert web.get(address, params={"q": query}).status_code == 200


def test_works_are_named_by_identifiers_in_paths_and_operators_too(web):
    one = found(web, q="has:doi", pageSize=1)["response"][0]
    for route in ("works", "citations", "showCiting", "similar"):
        assert web.get(f"/api/{route}/{one['doi']}").status_code == 200, route
        absent = web.get(f"/api/{route}/arXiv:2403.01234v2")
        assert (absent.status_code, "the arXiv id 2403.01234" in absent.json()["detail"]) == (404, True)
    assert found(web, q=f"citations({one['doi']})")["understood_as"] == f"citations(doi:{one['doi'].lower()})"


def test_authors_and_years_find_their_works(web):
    one = next(one for one in found(web, pageSize=50, must_have_pdf=True)["response"] if one["year"] and one["authors"])
    surname = one["authors"][0].split()[-1]
    assert one["cluster_id"] in {hit["cluster_id"] for hit in found(web, q=f"{surname} {one['year']}")["response"]}


def test_every_page_of_a_pasted_citation_has_its_own_works(web, work):
    cited = f"{', '.join(work['authors'])}. {work['year']}. {work['title']}. In Proceedings, pages 1-9."
    pages = [found(web, q=cited, page=number, pageSize=5)["response"] for number in (1, 2, 3)]
    seen = [one["cluster_id"] for page in pages for one in page]
    assert seen[0] == work["cluster_id"]
    assert len(seen) == len(set(seen))
    whole = found(web, q=cited, pageSize=len(seen))["response"]
    assert set(seen) == {one["cluster_id"] for one in whole}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/search?q=a&group_by=%20", 400),
        ("/api/search?q=a&group_by=,", 400),
        ("/api/search?q=a&filter=year:" + "9" * 5000, 400),
        ("/api/search?q=a&facets=author:" + "9" * 500, 400),
        ("/search?filter=year:" + "9" * 5000, 200),
        ("/feeds/search.atom?filter=year:" + "9" * 5000, 200),
        ("/sitemap/368934881474191.xml", 404),
        ("/sitemap/999999999999999999999999.xml", 404),
        ("/sitemap/-1.xml", 404),
    ],
)
def test_extreme_numbers_are_no_fault_of_the_server(web, path, status):
    assert web.get(path).status_code == status


@pytest.mark.parametrize("field", ["author", "publisher"])
def test_lists_of_the_search_form_have_a_limit(web, field):
    assert web.post("/api/search", json={"queryString": "a", field: ["a"] * 101}).status_code == 400
    assert web.post("/api/search", json={"queryString": "a", field: ["a" * 201]}).status_code == 400
    assert web.post("/api/search", json={"queryString": "a", field: ["a"] * 100}).status_code == 200

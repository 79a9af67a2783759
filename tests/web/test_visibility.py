"""Every route by every visibility: a file that is not public is refused, and no page shows its content."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from openseer.catalog.indexing.synchronizer import reindex
from openseer.core.model.description import header_id, work_id_of
from openseer.core.model.document import FileFacts, Viewer, Visibility
from openseer.core.model.resource import Resource
from openseer.evaluation.samples import gold
from openseer.ingest.document_types import EXTRACTOR_VERSION
from openseer.operate.curation import delete, undo
from openseer.storage.codecs.document_summary import decode
from openseer.storage.open import open_library
from openseer.web.app import create_app
from tests.conftest import PASSING

PAPER = gold("paper-rank")
STATUS = {
    Visibility.PUBLIC: 200,
    Visibility.RESTRICTED: 403,
    Visibility.DELETED: 410,
    Visibility.DMCA: 451,
}
"""Of a route that names a file."""


class Probe(NamedTuple):
    """A request to a route; {sha1}, {work}, {cited}, {job}, {words} stand for those of the paper."""

    path: str
    names_file: bool = False
    """True if the request names the file, so that its status follows from the visibility."""
    body: object = None


def file(*paths: str) -> list[Probe]:
    return [Probe(path, names_file=True) for path in paths]


def open_to_all(*paths: str, body: object = None) -> list[Probe]:
    return [Probe(path, body=body) for path in paths]


ROUTES: dict[str, list[Probe]] = {
    "GET /api/openapi.json": open_to_all("/api/openapi.json"),
    "GET /api/search": open_to_all("/api/search?q={words}", "/api/search?q=sha1:{sha1}", "/api/search?q={title}"),
    "POST /api/search": open_to_all("/api/search", body={"queryString": "{words}"}),
    "GET /api/aggregate": open_to_all("/api/aggregate?q={title}"),
    "POST /api/aggregate": open_to_all("/api/aggregate", body={"queryString": "{title}"}),
    "GET /api/suggest": open_to_all("/api/suggest?query=Random"),
    "GET /api/paper": file("/api/paper?id={sha1}", "/api/paper?paper_id={sha1}")
    + open_to_all("/api/paper?id={work}", "/api/paper?id={doi}", "/api/paper?id={work}&format=xml"),
    "GET /api/works/{name:path}": file("/api/works/{sha1}") + open_to_all("/api/works/{work}", "/api/works/{doi}"),
    "POST /api/works/batch": open_to_all("/api/works/batch", body={"ids": ["{sha1}", "{work}"]}),
    "POST /api/mget_paper": open_to_all("/api/mget_paper", body={"paper_id_list": ["{sha1}"]}),
    "POST /api/mget_paper/": open_to_all("/api/mget_paper/", body={"paper_id_list": ["{sha1}"]}),
    "GET /api/cluster": open_to_all("/api/cluster?cid={work}"),
    "GET /api/citations/{name:path}": file("/api/citations/{sha1}") + open_to_all("/api/citations/{work}"),
    "GET /api/citations": file("/api/citations?paper_id={sha1}") + open_to_all("/api/citations?id={work}"),
    "GET /api/showCiting/{name:path}": file("/api/showCiting/{sha1}")
    + open_to_all("/api/showCiting/{work}", "/api/showCiting/{cited}"),
    "GET /api/showCiting": file("/api/showCiting?id={sha1}") + open_to_all("/api/showCiting?cid={cited}"),
    "GET /api/similar/{name:path}": file("/api/similar/{sha1}") + open_to_all("/api/similar/{work}?algo=all"),
    "POST /api/similar": open_to_all("/api/similar", body={"text": "{words}"}),
    "POST /api/similar/file": open_to_all("/api/similar/file"),
    "GET /api/searchAuthor": open_to_all("/api/searchAuthor?q=Lindqvist"),
    "POST /api/searchAuthor": open_to_all("/api/searchAuthor", body={"queryString": "Diallo"}),
    "GET /api/contexts": open_to_all("/api/contexts?q={sentence}", "/api/contexts?cited={cited}&q="),
    "GET /api/document": file(
        "/api/document?doi={sha1}", "/api/document?doi={sha1}&type=txt", "/api/document?doi={sha1}&type=xml"
    ),
    "POST /api/document": open_to_all("/api/document"),
    "GET /api/jobs/{job}": open_to_all("/api/jobs/{job}"),
    "HEAD /healthz": open_to_all("/healthz"),
    "GET /healthz": open_to_all("/healthz"),
    "GET /": open_to_all("/"),
    "GET /search": open_to_all("/search?q={words}", "/search?q={title}", "/search?q=sha1:{sha1}"),
    "GET /feeds/search.{form}": open_to_all("/feeds/search.atom?q={words}", "/feeds/search.rss?q={title}"),
    "POST /clicked": open_to_all("/clicked?q=a&work={work}&place=1"),
    "GET /works/{work}": file("/works/{sha1}")
    + open_to_all("/works/{work}", "/works/{work}?refs=all&similar=all", "/works/{cited}"),
    "GET /cite/{work}": file("/cite/{sha1}") + open_to_all("/cite/{work}"),
    "GET /document/{sha1}.{suffix}": file("/document/{sha1}.pdf"),
    "GET /works/{work}/versions": file("/works/{sha1}/versions") + open_to_all("/works/{work}/versions"),
    "GET /cart": open_to_all("/cart"),
    "GET /export": open_to_all("/export?ids={work}&format=csl", "/export?ids={sha1}&format=bibtex"),
    "POST /export": open_to_all("/export"),
    "GET /author/{name:path}": open_to_all("/author/Lars%20Lindqvist", "/author/Amara%20Diallo", "/author/Wei%20Chen"),
    "GET /browse": open_to_all("/browse"),
    "GET /browse/venues": open_to_all("/browse/venues"),
    "GET /browse/topics": open_to_all("/browse/topics"),
    "GET /browse/authors": open_to_all("/browse/authors?letter=l"),
    "GET /venue/{name:path}": open_to_all("/venue/{venue}"),
    "GET /stats": open_to_all("/stats"),
    "GET /documents": open_to_all("/documents"),
    "GET /advanced": open_to_all("/advanced"),
    "GET /contexts": open_to_all("/contexts?q={sentence}", "/contexts?cited={cited}"),
    "GET /help": open_to_all("/help"),
    "GET /about": open_to_all("/about"),
    "GET /read/{sha1}": file("/read/{sha1}", "/read/{sha1}?view=text"),
    "GET /proof/{sha1}": file("/proof/{sha1}"),
    "GET /proof/{sha1}/{field}.png": file("/proof/{sha1}/title.png"),
    "GET /submit": open_to_all("/submit"),
    "POST /submit/key": open_to_all("/submit/key"),
    "POST /submit": open_to_all("/submit"),
    "GET /submit/jobs": open_to_all("/submit/jobs?job={job}"),
    "GET /submit/events/{job}": open_to_all("/submit/events/none"),
    "GET /opensearch.xml": open_to_all("/opensearch.xml"),
    "GET /suggestions": open_to_all("/suggestions?q=Random"),
    "GET /robots.txt": open_to_all("/robots.txt"),
    "GET /sitemap.xml": open_to_all("/sitemap.xml"),
    "GET /sitemap/{number}.xml": open_to_all("/sitemap/0.xml"),
    "GET /unapi": file("/unapi?id={sha1}&format=ris") + open_to_all("/unapi?id={work}&format=xml"),
    "GET /viewdoc/summary": file("/viewdoc/summary?doi={sha1}") + open_to_all("/viewdoc/summary?cid={work}"),
    "GET /viewdoc/citations": file("/viewdoc/citations?doi={sha1}"),
    "GET /viewdoc/similar": file("/viewdoc/similar?doi={sha1}&type=ab"),
    "GET /viewdoc/versions": file("/viewdoc/versions?doi={sha1}"),
    "GET /viewdoc/download": file("/viewdoc/download?doi={sha1}"),
    "GET /showciting": open_to_all("/showciting?cid={work}"),
    "GET /show_citing/{name}": open_to_all("/show_citing/{work}"),
    "GET /doc_view/{kind}/{name}": file("/doc_view/pid/{sha1}") + open_to_all("/doc_view/cid/{work}"),
    "GET /pdf/{sha1}": file("/pdf/{sha1}"),
    "GET /viewauth/summary": open_to_all("/viewauth/summary?aid=1"),
    "GET /search_result": open_to_all("/search_result?query={words}"),
    "GET /advanced_search": open_to_all("/advanced_search"),
    "GET /stats/{what}": open_to_all("/stats/articles"),
    "GET /new": open_to_all("/new"),
    "GET /about/{page:path}": open_to_all("/about/a"),
    "GET /api": open_to_all("/api"),
    "GET /api/docs": open_to_all("/api/docs"),
    "GET /api/similar": file("/api/similar?id={sha1}") + open_to_all("/api/similar?id={work}"),
    "GET /docs": open_to_all("/docs"),
    "GET /document": file("/document?doi={sha1}", "/document?doi={sha1}&type=txt"),
    "GET /healthcheck": open_to_all("/healthcheck"),
    "GET /help/{page:path}": open_to_all("/help/a"),
    "GET /legacymapper": open_to_all("/legacymapper?did=1"),
    "GET /privacy": open_to_all("/privacy"),
    "GET /metacart": open_to_all("/metacart"),
}
"""Method and path of each route -> requests to it. A new route needs an entry here."""


class Site(NamedTuple):
    """A served copy of the sample library with one paper of some visibility."""

    client: TestClient
    names: dict[str, str]
    secrets: dict[str, str]
    """What only the file tells."""
    visibility: Visibility


@pytest.fixture(scope="module", params=list(STATUS), ids=str)
def site(request, sample_data, tmp_path_factory) -> Iterator[Site]:
    data = shutil.copytree(sample_data, tmp_path_factory.mktemp("seen") / "data", ignore=PASSING)
    with open_library(data) as library:
        visible = library.records.as_seen_by(Viewer.OPERATOR)
        sha1 = next(
            one.sha1
            for one in library.records.documents()
            if any("paper-rank.pdf" in source.url for source in visible.document(one.sha1).sources)
        )
        summary = decode(library.records.summary(sha1))
        cited = library.records.outgoing_citations(sha1)[-1].work
        contexts = [text for entry in summary.references for text in entry.get("contexts", ())]
        sentence = max((str(one["text"] if isinstance(one, dict) else one) for one in contexts), key=len)
        with library.records.writing() as writer:
            job = writer.open_job("upload paper-rank.pdf")
            _register(writer, visible.document(sha1), job)
        if request.param is not Visibility.PUBLIC:
            delete(library, sha1, "a test", request.param)
        reindex(library)
        names = {
            "sha1": sha1, "work": work_id_of(header_id(sha1)), "cited": cited, "job": job, "doi": PAPER["doi"],
            "title": quote(f'"{PAPER["title"]}"'), "venue": quote(PAPER["venue"]),
            "words": quote("random surfer may go anywhere"), "sentence": quote(" ".join(sentence.split()[:12])),
        }  # fmt: skip
        secrets = {
            "abstract": "may go anywhere; on the citation graph",
            "affiliation": "Bamako, Mali",
            "e-mail": "a.diallo@csc.example",
            "acknowledgment": "exchange programme of the Open Libraries Society",
            "citing sentence": " ".join(sentence.split()[2:9]),
        }
        with TestClient(create_app(library)) as client:
            yield Site(client, names, secrets, request.param)


def _register(writer, document, job) -> None:
    """Register a known document in a job, as if somebody uploaded it again."""
    facts = FileFacts(document.sha1, document.sha256, document.size, document.mime)
    writer.register(Resource(document.sources[0].url, fetched_at=0.0), facts, EXTRACTOR_VERSION, job=job)


def routes_of(app) -> set[str]:
    """Method and path of every route of an application; its routers are those of API, health check and pages."""
    found, prefixes = set(), iter(("/api", "", ""))
    for route in app.router.routes:
        prefix = next(prefixes) if hasattr(route, "original_router") else ""
        for path, methods in leaves(route):
            found |= {f"{method} {prefix}{path}" for method in methods if method != "HEAD" or methods == {"HEAD"}}
    return found


def leaves(route) -> list[tuple[str, set[str]]]:
    if hasattr(route, "original_router"):
        return [leaf for one in route.original_router.routes for leaf in leaves(one)]
    if hasattr(route, "methods"):
        return [(route.path, route.methods)]
    assert route.path == "/static", "another application is mounted"
    return []


def filled(value, names: dict[str, str]):
    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", lambda found: names[found[1]], value)
    if isinstance(value, list):
        return [filled(one, names) for one in value]
    return {key: filled(one, names) for key, one in value.items()} if isinstance(value, dict) else value


def answer_to(site: Site, route: str, probe: Probe, accept: str):
    method, path = route.partition(" ")[0], filled(probe.path, site.names)
    body = {"json": filled(probe.body, site.names)} if probe.body is not None else {}
    return site.client.request(method, path, headers={"accept": accept}, **body)


def flat(text: str) -> str:
    return " ".join(re.sub(r"</?(?:mark|b|a|span)\b[^>]*>", "", text).split())


def test_every_route_has_an_entry(site):
    assert routes_of(site.client.app) == set(ROUTES)


def test_routes_that_name_the_file_answer_by_its_visibility(site):
    expected, wrong = STATUS[site.visibility], {}
    for route, probes in ROUTES.items():
        for probe in probes:
            if not probe.names_file:
                continue
            if site.visibility is Visibility.PUBLIC and probe.path.endswith("/versions"):
                continue  # it has one file
            if (found := answer_to(site, route, probe, "text/html").status_code) != expected:
                wrong[f"{route}: {probe.path}"] = found
    assert not wrong


def test_no_route_shows_what_only_the_file_tells(site):
    shown: dict[str, list[str]] = {name: [] for name in site.secrets}
    for route, probes in ROUTES.items():
        for probe in probes:
            for accept in ("text/html", "application/json"):
                answer = answer_to(site, route, probe, accept)
                assert answer.status_code < 500, (route, probe.path)
                if answer.headers.get("content-type", "").startswith(("image/", "application/pdf")):
                    continue
                text = flat(answer.text)
                for name, secret in site.secrets.items():
                    if secret in text and quote(secret) not in filled(probe.path, site.names):
                        shown[name].append(f"{route}: {probe.path}")
    if site.visibility is Visibility.PUBLIC:
        assert all(places for name, places in shown.items() if name != "e-mail"), shown
    else:
        assert shown == {name: [] for name in site.secrets}


def test_a_job_names_the_work_of_a_public_paper_only(site):
    (document,) = site.client.get(f"/api/jobs/{site.names['job']}").json()["documents"]
    if site.visibility is Visibility.PUBLIC:
        assert (document["outcome"], bool(document["cluster_id"])) == ("ingested", True)
    else:
        assert (document["outcome"], document["cluster_id"]) == ("withdrawn", None)


def test_an_undone_restriction_shows_it_again(data):
    with open_library(data) as library, TestClient(create_app(library)) as client:
        sha1 = client.get("/api/search", params={"q": PAPER["title"]}).json()["response"][0]["id"]
        affiliation, address = "Bamako, Mali", "/author/Amara%20Diallo"
        assert affiliation in client.get(address).text
        action = delete(library, sha1, "a test", Visibility.RESTRICTED)
        assert affiliation not in client.get(address).text
        undo(library, action, "it was not")
        assert affiliation in client.get(address).text

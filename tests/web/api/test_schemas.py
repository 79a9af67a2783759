"""Every operation answers as the OpenAPI description says."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.web.api.conftest import UPLOAD_KEY
from tests.web.api.json_schema import faults


@dataclass(frozen=True)
class Call:
    """One request; {work}, {sha1} and {job} stand for a work, its file and an upload of it."""

    query: str = ""
    body: Any = None
    """JSON, or "pdf" for the bytes of a sample paper."""
    path: dict[str, str] = field(default_factory=dict)


OF_WORK = Call(path={"name": "{work}"})
CALLS: dict[str, list[Call]] = {
    "search_works": [
        Call(),
        Call("q=citation&facets=author,year&group_by=type&explain=true"),
        Call("sort=citations&cursor=*"),
        Call("q=citation&fields=title,snippet"),
        Call("q=near+duplicat+qqqqqqq"),
        Call("q=citation&format=bibtex"),
        Call("format=csl"),
    ],
    "search_works_by_form": [Call(body={"queryString": "citation", "pageSize": 3, "must_have_pdf": True})],
    "count_works": [Call("q=citation")],
    "count_works_by_form": [Call(body={"queryString": ""})],
    "complete_query": [Call("query=the")],
    "search_citing_sentences": [Call("q=citation"), Call("cited={work}&limit=2")],
    "get_paper": [Call("id={work}"), Call("csxId={sha1}&fields=title"), Call("id={work}&format=ris")],
    "get_work": [OF_WORK],
    "get_works": [Call(body={"ids": ["{work}", "nothing"]}), Call("fields=year", {"ids": ["{sha1}"]})],
    "get_papers": [Call(body={"paper_id_list": ["{sha1}", "nothing"]})],
    "get_cluster": [Call("clusterId={work}")],
    "list_references": [OF_WORK],
    "get_citations": [Call("csxId={sha1}&limit=2&offset=1")],
    "list_citing_works": [OF_WORK, Call("fields=title", path={"name": "{work}"})],
    "show_citing": [Call("clusterId={work}&sort=yearDesc")],
    "list_similar_works": [OF_WORK],
    "get_similar": [Call("csxid={sha1}"), Call("id={work}&algo=Co-Citation&fields=title")],
    "find_similar_to_text": [Call(body={"text": "a crawler for research papers"})],
    "find_similar_to_file": [Call("limit=2", "pdf")],
    "search_authors": [Call("q=chen")],
    "search_authors_by_form": [Call(body={"queryString": "chen"})],
    "get_document": [Call("doi={sha1}"), Call("doi={sha1}&type=txt"), Call("doi={sha1}&type=xml&repid=rep1")],
    "upload_papers": [Call("name=known.pdf", "pdf")],
    "get_job": [Call(path={"job": "{job}"})],
    "get_health": [Call()],
}


def fetch(address: str, data: bytes | None = None, mime: str = "application/json") -> tuple[int, str, bytes]:
    """Status, media type and body of an answer."""
    request = urllib.request.Request(address, data, {"Content-Type": mime, "X-Upload-Key": UPLOAD_KEY})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers.get_content_type(), answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers.get_content_type(), error.read()


@dataclass(frozen=True)
class Api:
    """A served API with its description."""

    site: str
    description: dict[str, Any]
    pdf: bytes
    """A paper that the library has."""
    names: dict[str, str]
    """Values of the names in a call: the most cited paper with full text, and the job of a known file."""

    @property
    def schemas(self) -> dict[str, Any]:
        named: dict[str, Any] = self.description["components"]["schemas"]
        return named

    @property
    def operations(self) -> dict[str, tuple[str, str, dict[str, Any]]]:
        """Operation id -> path, method, operation."""
        return {
            one["operationId"]: (path, method, one)
            for path, methods in self.description["paths"].items()
            for method, one in methods.items()
        }

    def answer(self, operation: str, call: Call) -> tuple[dict[str, Any], bytes]:
        """The declared content of an answer, and its body."""
        path, method, described = self.operations[operation]
        for name, value in call.path.items():
            path = path.replace(f"{{{name}}}", filled(value, self.names))
        data, mime = None, "application/json"
        if method == "post":
            is_pdf = call.body == "pdf"
            data = self.pdf if is_pdf else json.dumps(filled(call.body, self.names)).encode()
            mime = "application/pdf" if is_pdf else mime
            assert mime in described["requestBody"]["content"]
        status, media_type, body = fetch(f"{self.site}{path}?{filled(call.query, self.names)}", data, mime)
        assert 200 <= status < 300, body
        return described["responses"][str(status)]["content"][media_type]["schema"], body


@pytest.fixture(scope="module")
def api(site, sample_papers):
    pdf = (sample_papers / "paper-rank.pdf").read_bytes()
    hit = get(site, "search?sort=citations&must_have_pdf=true&limit=1")["response"][0]
    _, _, receipt = fetch(f"{site}/api/document", pdf, "application/pdf")
    names = {"work": hit["cluster_id"], "sha1": hit["id"], "job": json.loads(receipt)["job"]}
    return Api(site, get(site, "openapi.json"), pdf, names)


def get(site: str, path: str) -> Any:
    """A JSON answer."""
    return json.loads(fetch(f"{site}/api/{path}")[2])


def filled(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        for name, known in names.items():
            value = value.replace(f"{{{name}}}", known)
        return value
    if isinstance(value, list):
        return [filled(one, names) for one in value]
    return {name: filled(one, names) for name, one in value.items()} if isinstance(value, dict) else value


def test_the_table_has_every_operation(api):
    assert set(api.operations) == set(CALLS)


@pytest.mark.parametrize(("operation", "call"), [(name, call) for name, calls in CALLS.items() for call in calls])
def test_every_answer_fits_its_schema(api, operation, call):
    schema, body = api.answer(operation, call)
    if schema.get("type") == "string":
        assert body
    else:
        assert list(faults(json.loads(body), schema, api.schemas)) == []


@pytest.mark.parametrize("operation", ["get_paper", "search_works", "show_citing", "get_works", "get_similar"])
def test_works_have_every_key_unless_fields_are_chosen(api, operation):
    _, body = api.answer(operation, CALLS[operation][0])
    answered = json.loads(body)
    work = answered["response"][0] if "response" in answered else answered
    names = {"get_paper": "Paper", "search_works": "Hit", "get_similar": "SimilarHit"}
    assert set(work) >= set(api.schemas[names.get(operation, "Work")]["properties"]) - {"reasons"}
    _, body = api.answer(operation, Call("id={work}&fields=title" if operation.startswith(("get_p", "sh", "get_s"))
                                         else "fields=title", CALLS[operation][0].body))  # fmt: skip
    answered = json.loads(body)
    work = answered["response"][0] if "response" in answered else answered
    assert set(work) == {"id", "cluster_id", "title"}


def test_errors_fit_their_schema(api):
    for query in ("search?bogus=1", "paper?id=nothing", "nowhere"):
        status, media_type, body = fetch(f"{api.site}/api/{query}")
        assert (status >= 400, media_type) == (True, "application/problem+json")
        assert list(faults(json.loads(body), api.schemas["Problem"], api.schemas)) == []


def test_the_check_finds_wrong_answers():
    named = {"Work": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}}
    schema = {"type": "array", "items": {"anyOf": [{"$ref": "#/components/schemas/Work"}, {"type": "null"}]}}
    assert list(faults([{"id": "w"}, None], schema, named)) == []
    wrongs: list[Any] = [[{}], [{"id": 1}], [{"id": "w", "titel": ""}], {}]
    for wrong in wrongs:
        assert list(faults(wrong, schema, named))


def test_operations_are_described_for_generators(api):
    description, operations = api.description, api.operations
    assert description["servers"]
    assert description["components"]["securitySchemes"]["UploadKey"]["name"] == "X-Upload-Key"
    assert {name for name, (_, _, one) in operations.items() if "security" in one} == {
        "upload_papers", "find_similar_to_file",
    }  # fmt: skip
    for name, (_, _, one) in operations.items():
        assert one["summary"], name
        assert one["description"], name
        assert all(parameter.get("description") for parameter in one.get("parameters", ())), name
        answer = next(iter(one["responses"].values()))["content"]
        assert all(content["schema"] for content in answer.values()), name
    for name in ("upload_papers", "find_similar_to_file"):
        body = operations[name][2]["requestBody"]["content"]["application/pdf"]["schema"]
        assert (body["type"], body["format"]) == ("string", "binary")


def test_each_work_names_its_sources_and_citing_works(api):
    site, names = api.site, api.names
    cluster = get(site, f"cluster?clusterId={names['work']}")
    assert names["sha1"] in cluster["paper_id"]
    assert len(cluster["cited_by"]) == cluster["observations"] > 0
    citing = get(site, f"showCiting?clusterId={names['work']}&limit=100")["response"]
    assert {one["cluster_id"] for one in citing} == set(cluster["cited_by"])
    assert any(one["affiliation"] for one in cluster["authors"])
    paper = get(site, f"paper?csxId={names['sha1']}")
    assert paper["cited_by"] == cluster["cited_by"]
    assert paper["authors_with_affiliation"] == cluster["authors"]
    assert paper["source_urls"] == cluster["source_urls"] == paper["urls"]

"""Reference of the REST API as a page, made from the OpenAPI description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote_plus, urlencode

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from openseer.core.model.query import Everything, SearchQuery
from openseer.storage.protocols.index import Index
from openseer.web.dependencies import IndexDep
from openseer.web.params import READ_METHODS
from openseer.web.services import cached
from openseer.web.templating import render

router = APIRouter()
GROUPS = {
    "search": "Search", "works": "Works", "authors": "Authors", "files": "Files and uploads", "operation": "Operation",
}  # fmt: skip
"""Tag of operations -> heading."""
MAX_SHOWN_VALUES = 12
NAMES_OF_WORKS = ("id", "name", "cited", "doi")
"""Parameters whose example is a work of this library."""


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type in words, with the schema that describes it."""

    before: str
    """Words before the name of the schema, or the whole type."""
    schema: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a key of a body."""

    name: str
    type: TypeName
    text: str
    required: bool = False
    default: str = ""
    example: str = ""
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Content:
    """A request body or an answer in one media type."""

    media_type: str
    type: TypeName


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation."""

    id: str
    method: str
    path: str
    summary: str
    text: str
    parameters: tuple[Field, ...]
    body: tuple[Content, ...]
    answer: tuple[Content, ...]
    needs_key: bool
    example: str
    """An address to try; "" if there is none."""

    @property
    def readable_example(self) -> str:
        """The same without escapes."""
        return unquote_plus(self.example)


@dataclass(frozen=True, slots=True)
class Schema:
    """A named body."""

    name: str
    text: str
    fields: tuple[Field, ...]


@router.api_route("/api", methods=READ_METHODS)
def api_reference(request: Request, index: IndexDep) -> Response:
    """Operations, parameters with synonyms, example addresses, keys of the answers."""
    values = cached(request, "api", lambda: _values(request.app.openapi(), index))
    return render(request, "api.html", values)


@router.api_route("/api/docs", methods=READ_METHODS)
@router.api_route("/docs", methods=READ_METHODS)
def other_addresses() -> Response:
    """To the reference, from the addresses at which other servers have theirs."""
    return RedirectResponse("/api", 308)


def _values(description: Mapping[str, Any], index: Index) -> dict[str, Any]:
    examples = _example_ids(index)
    operations: dict[str, list[Operation]] = {tag: [] for tag in GROUPS}
    for path, methods in description["paths"].items():
        for method, one in methods.items():
            operations[one["tags"][0]].append(_operation(path, method, one, examples))
    named = description["components"]["schemas"]
    schemas = [Schema(name, one.get("description", ""), tuple(_keys(one))) for name, one in sorted(named.items())]
    return {
        "groups": [(tag, GROUPS[tag], operations[tag]) for tag in GROUPS],
        "schemas": schemas,
        "version": description["info"]["version"],
    }


def _example_ids(index: Index) -> dict[str, str]:
    """Values of parameters that name a work of this library: its most cited paper."""
    hits = index.search(SearchQuery(Everything(), "citations", limit=1, full_text_only=True)).hits
    if not hits:
        return {}
    work = hits[0].work
    return {"id": work.id, "name": work.id, "cited": work.id, "doi": work.documents[0]}


def _operation(path: str, method: str, one: Mapping[str, Any], examples: Mapping[str, str]) -> Operation:
    parameters = one.get("parameters", [])
    answer = next(answer for status, answer in one["responses"].items() if status.startswith("2"))
    return Operation(
        id=one["operationId"],
        method=method.upper(),
        path=path,
        summary=one["summary"],
        text=one.get("description", ""),
        parameters=tuple(_parameter(parameter) for parameter in parameters),
        body=tuple(_contents(one.get("requestBody", {}))),
        answer=tuple(_contents(answer)),
        needs_key=bool(one.get("security")),
        example=_example(path, parameters, examples) if method == "get" else "",
    )


def _parameter(one: Mapping[str, Any]) -> Field:
    schema, default = one["schema"], one["schema"].get("default")
    shown = "" if default in (None, "") else str(default).lower() if isinstance(default, bool) else str(default)
    type_name = _type(schema)
    return Field(
        name=one["name"],
        type=TypeName(type_name.before, type_name.schema, type_name.after.removesuffix(" or null")),
        text=one.get("description", ""),
        required=one.get("required", False),
        default=shown,
        example=_first_example(one),
        deprecated=one.get("deprecated", False),
    )


def _first_example(parameter: Mapping[str, Any]) -> str:
    """The first example value of a parameter, "" without one."""
    value = next(iter(parameter["schema"].get("examples", ())), "")
    return str(value[0] if isinstance(value, list) else value)


def _keys(schema: Mapping[str, Any]) -> Iterator[Field]:
    required = schema.get("required", ())
    for name, one in schema.get("properties", {}).items():
        yield Field(name, _type(one), one.get("description", ""), name in required)


def _contents(body: Mapping[str, Any]) -> Iterator[Content]:
    for media_type, content in body.get("content", {}).items():
        yield Content(media_type, _type(content.get("schema", {})))


def _type(schema: Mapping[str, Any]) -> TypeName:
    """A JSON schema in words."""
    if name := schema.get("$ref", "").rpartition("/")[2]:
        return TypeName("", name)
    if alternatives := schema.get("anyOf"):
        first, *others = [_type(one) for one in alternatives]
        return TypeName(first.before, first.schema, "".join([first.after, *(f" or {one.before}" for one in others)]))
    if schema.get("type") == "array":
        of = _type(schema.get("items", {}))
        return TypeName(f"list of {of.before}", of.schema, of.after)
    if isinstance(values := schema.get("additionalProperties"), Mapping):
        of = _type(values)
        return TypeName(f"for each name {of.before}", of.schema, of.after)
    if values := schema.get("enum"):
        return TypeName(" | ".join(map(str, values[:MAX_SHOWN_VALUES])))
    if schema.get("format") == "binary":
        return TypeName("bytes")
    return TypeName(schema.get("type", "any value"))


def _example(path: str, parameters: list[dict[str, Any]], examples: Mapping[str, str]) -> str:
    """An address with a value for each required parameter and the query."""
    chosen = {}
    for one in parameters:
        value = examples.get(one["name"], "") if one["name"] in NAMES_OF_WORKS else _first_example(one)
        if one["in"] == "path":
            if one["name"] not in examples:
                return ""
            path = path.replace(f"{{{one['name']}}}", quote(value, safe=""))
        elif one.get("required") or one["name"] in ("q", "query"):
            if not value:
                return ""
            chosen[one["name"]] = value
    return path + (f"?{urlencode(chosen)}" if chosen else "")

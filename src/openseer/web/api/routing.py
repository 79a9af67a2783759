"""Routes of the REST API: synonyms of parameters are accepted, unknown and contradictory ones are refused."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin
from urllib.parse import urlencode

from fastapi import Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from openseer.core.errors import BadRequest, UnknownParameter
from openseer.web.params import hint_at, without_style

SYNONYMS: dict[str, tuple[str, ...]] = {
    "q": ("query", "search", "queryString"),
    "query": ("q", "search"),
    "id": ("csxId", "paper_id", "clusterId", "cid", "doi", "sha1"),
    "doi": ("id", "csxId", "paper_id", "sha1"),
    "pageSize": ("limit", "per-page", "size"),
    "limit": ("pageSize", "per-page", "size"),
    "offset": ("start",),
    "fields": ("select",),
    "algo": ("algorithm",),
    "repid": ("rep",),
}
"""Name of a parameter -> other names, in every route that declares the first and not the other as its own."""
SYNONYMS_KEY = "x-synonyms"
"""Key of the synonyms in the OpenAPI description, at first of an operation, then of its parameters."""
EXCLUSIVE = (("page", "offset"), ("page", "cursor"), ("offset", "cursor"))
"""Parameters of which a request may have one."""


@dataclass(frozen=True, slots=True)
class ParameterNames:
    """The names of the query parameters that a route accepts."""

    declared: tuple[str, ...]
    required: tuple[str, ...]
    lists: frozenset[str]
    """Parameters that may be repeated."""
    canonical: dict[str, str]
    """Accepted name without style -> declared name."""

    @classmethod
    def of(cls, dependant: Dependant) -> ParameterNames:
        """The names that a route and its dependencies declare, and their synonyms."""
        fields = list(_query_fields(dependant))
        declared = tuple(dict.fromkeys(one.alias for one in fields))
        lists = frozenset(one.alias for one in fields if _is_list(one.field_info.annotation))
        canonical = {without_style(name): name for name in declared}
        for name in declared:
            for synonym in SYNONYMS.get(name, ()):
                canonical.setdefault(without_style(synonym), name)
        required = tuple(one.alias for one in fields if one.field_info.is_required())
        return cls(declared, required, lists, canonical)

    def synonyms_of(self, name: str) -> list[str]:
        """Other names of a declared parameter on this route."""
        return [one for one in SYNONYMS.get(name, ()) if self.canonical[without_style(one)] == name]

    def resolve(self, pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """The parameters of a request with their declared names."""
        values: dict[str, list[tuple[str, str]]] = {}
        for name, value in pairs:
            declared = self.canonical.get(without_style(name))
            if declared is None:
                raise UnknownParameter(f"Unknown parameter: {name[:60]}.", self._hint(name))
            values.setdefault(declared, []).append((name, value))
        for name in self.required:
            if not _is_given(values, name):
                others = f" (synonyms: {', '.join(found)})" if (found := self.synonyms_of(name)) else ""
                raise BadRequest(f"Missing parameter: {name}.", f"Give {name}=...{others}.")
        for first, second in EXCLUSIVE:
            if _is_given(values, first) and _is_given(values, second):
                raise BadRequest(f"The parameters {first} and {second} exclude each other.", "Give one of them.")
        return [pair for declared, given in values.items() for pair in self._resolved(declared, given)]

    def _resolved(self, declared: str, given: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """All values of a list, the one value of another parameter; an empty value is none."""
        if declared in self.lists:
            return [(declared, value) for _, value in given if value]
        distinct = {value: name for name, value in given if value}
        if len(distinct) > 1:
            names = sorted({name[:60] for name in distinct.values()})
            same = f"{' and '.join(names)} name one parameter" if len(names) > 1 else f"{names[0]} takes one value"
            raise BadRequest(f"Contradictory values of the parameter {declared}: {same}.", f"Give {declared} once.")
        return [(declared, value) for value in distinct]

    def as_given(self, errors: Iterable[Any], given: Iterable[tuple[str, str]]) -> list[Any]:
        """Errors of validation with the names that the request has."""
        names = {self.canonical[without_style(name)]: name for name, value in given if value}
        return [
            {**one, "loc": ("query", names.get(one["loc"][1], one["loc"][1]), *one["loc"][2:])}
            if one["loc"][0] == "query"
            else one
            for one in errors
        ]

    def _hint(self, name: str) -> str:
        if not self.declared:
            return "This route has no parameters in the query string. See /api."
        synonyms = [one for declared in self.declared for one in self.synonyms_of(declared)]
        return hint_at(name, self.declared, "Parameters are", synonyms)


def _is_given(values: Mapping[str, list[tuple[str, str]]], name: str) -> bool:
    """True if a parameter has a value; generated clients send empty ones."""
    return any(value for _, value in values.get(name, ()))


def _query_fields(dependant: Dependant) -> Iterator[Any]:
    yield from dependant.query_params
    for one in dependant.dependencies:
        yield from _query_fields(one)


def _is_list(annotation: Any) -> bool:
    """True for a list, or a list that may be absent."""
    if get_origin(annotation) in (Union, UnionType):
        return any(map(_is_list, get_args(annotation)))
    return get_origin(annotation) is list


class StrictRoute(APIRoute):
    """Route that knows all of its query parameters; synonyms reach the function by the declared name."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        names = ParameterNames.of(self.dependant)
        synonyms = {name: found for name in names.declared if (found := names.synonyms_of(name))}
        self.openapi_extra = {**(self.openapi_extra or {}), SYNONYMS_KEY: synonyms}

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler behind a check of the query string."""
        handle, names = super().get_route_handler(), ParameterNames.of(self.dependant)

        async def handle_checked(request: Request) -> Response:
            if not request.scope["query_string"] and not names.required:
                return await handle(request)
            given = request.query_params.multi_items()
            resolved = names.resolve(given)
            if resolved == given:
                return await handle(request)
            query = urlencode(resolved).encode()
            try:
                return await handle(Request({**request.scope, "query_string": query}, request.receive))
            except RequestValidationError as error:
                raise RequestValidationError(names.as_given(error.errors(), given)) from error

        return handle_checked

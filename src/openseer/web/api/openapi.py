"""OpenAPI description: FastAPI's, corrected to the errors, request bodies, formats and synonyms of the routes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from openseer.catalog.export.registry import FORMATS
from openseer.web.api.files import BINARY, OCTETS
from openseer.web.api.routing import SYNONYMS_KEY

DESCRIPTION = """Unknown parameters and values are answered by status 400 with the nearest right name in the hint.
Upper and lower case, hyphens and underscores of parameter names are all one, and many parameters have synonyms
(`x-synonyms`). The published POST forms ignore what they do not know. Errors are problems (RFC 9457) with a stable
`code` and a `hint`."""
PROBLEM_SCHEMA = {
    "type": "object",
    "title": "Problem",
    "description": "An error.",
    "required": ["type", "title", "status", "detail", "code", "hint"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What happened"},
        "code": {"type": "string", "description": "Stable; listed in the manual", "examples": ["bad_request"]},
        "hint": {"type": "string", "description": "What to do about it"},
    },
}
ERRORS = {
    "400": "Invalid, unknown or contradictory parameter",
    "403": "Not public; of uploads: they are off, or the key is wrong",
    "404": "No such work, document or page",
    "410": "Removed from the library, or an expired cursor",
    "413": "Request too large",
    "default": "Another error",
}
UPLOAD_ERRORS = {"415": "No reader for this type", "422": "The document was rejected"}
BINARY_BODY = {"schema": BINARY}
UPLOAD_FORM = {
    "type": "object",
    "title": "UploadForm",
    "description": "A file, or the URL of one.",
    "properties": {"file": {**BINARY, "description": "A paper or an archive of papers"}, "url": {"type": "string"}},
}
UPLOAD_URL = {
    "type": "object",
    "title": "UploadUrl",
    "description": "The URL of a paper or an archive of papers.",
    "required": ["url"],
    "properties": {"url": {"type": "string", "examples": ["https://example.org/paper.pdf"]}},
}
UPLOAD_BODIES: dict[str, dict[str, Any]] = {
    "/api/document": {
        "application/pdf": BINARY_BODY,
        "application/zip": BINARY_BODY,
        OCTETS: BINARY_BODY,
        "multipart/form-data": {"schema": {"$ref": "#/components/schemas/UploadForm"}},
        "application/json": {"schema": {"$ref": "#/components/schemas/UploadUrl"}},
    },
    "/api/similar/file": {"application/pdf": BINARY_BODY, OCTETS: BINARY_BODY},
}
"""Routes that accept files, and their request bodies by media type."""


def operation_id(route: APIRoute) -> str:
    """The name of the function, e.g. `search_works`."""
    return route.name


class DescribedApi(FastAPI):
    """Application with a corrected OpenAPI description, computed on first use."""

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI description."""
        if not self.openapi_schema:
            schema = get_openapi(
                title=self.title,
                version=self.version,
                summary=self.summary,
                description=DESCRIPTION,
                routes=self.routes,
                servers=[{"url": "/", "description": "The server of this description"}],
            )
            schemas = schema["components"]["schemas"]
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            schemas |= {"Problem": PROBLEM_SCHEMA, "UploadForm": UPLOAD_FORM, "UploadUrl": UPLOAD_URL}
            for path, operations in schema["paths"].items():
                for method, operation in operations.items():
                    _correct(operation, path, UPLOAD_BODIES.get(path, {}) if method == "post" else {})
            self.openapi_schema = schema
        return self.openapi_schema


def _correct(operation: dict[str, Any], path: str, upload_bodies: Mapping[str, Any]) -> None:
    """Describe errors as problems, other formats, files as raw bodies, the optional key and synonyms."""
    responses, parameters = operation["responses"], operation.get("parameters", [])
    responses.pop("422", None)
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status, description in (ERRORS | (UPLOAD_ERRORS if upload_bodies else {})).items():
        if path.startswith("/api/") or status == "default":
            responses.setdefault(status, {"description": description, "content": problem})
    if upload_bodies:
        operation["requestBody"] = {"required": True, "content": dict(upload_bodies)}
        operation["security"] = [*operation["security"], {}]  # no key where uploads are open
    if any(one["name"] == "format" for one in parameters):
        content = responses["200"]["content"]
        for one in FORMATS.values():
            content.setdefault(one.media_type, {"schema": {"type": "string"}})
    _add_synonyms(parameters, operation.pop(SYNONYMS_KEY, {}))


def _add_synonyms(parameters: Iterable[dict[str, Any]], synonyms: Mapping[str, list[str]]) -> None:
    for one in parameters:
        if found := synonyms.get(one["name"]):
            one[SYNONYMS_KEY] = found
            one["description"] = f"{one.get('description', '')}. Synonyms: {', '.join(found)}".lstrip(". ")

"""The API described for programs: what FastAPI knows of the routes, with the problems that they really answer."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "code", "hint"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What happened"},
        "code": {"type": "string", "description": "Stable; the manual lists them", "examples": ["bad_request"]},
        "hint": {"type": "string", "description": "The way out"},
    },
}
TOLD = {
    "400": "A parameter makes no sense",
    "404": "No such work, document or page",
    "410": "Removed from the library, or a cursor whose list is kept no more",
    "413": "More than is taken",
}
GIVING = {"403": "Uploads are off, or the key is wrong", "415": "No reader for this type"}
GIVEN = {
    "/api/document": ("application/pdf", "application/zip", "multipart/form-data", "application/json"),
    "/api/similar/file": ("application/pdf",),
}
"""Where files are given, and how."""


class DescribedApi(FastAPI):
    """An application whose description is made when it is first asked for."""

    def openapi(self) -> dict[str, Any]:
        """What FastAPI knows, completed."""
        if not self.openapi_schema:
            found = get_openapi(title=self.title, version=self.version, summary=self.summary, routes=self.routes)
            schemas = found["components"]["schemas"]
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            schemas["Problem"] = PROBLEM
            for path, operations in found["paths"].items():
                for method, operation in operations.items():
                    _complete(operation, path.startswith("/api/"), GIVEN.get(path, ()) if method == "post" else ())
            self.openapi_schema = found
        return self.openapi_schema


def _complete(operation: dict[str, Any], is_api: bool, given: Collection[str]) -> None:
    """Wrong parameters are a 400 here, every problem has one shape, and files come as they are."""
    operation["responses"].pop("422", None)
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status, told in (TOLD | (GIVING if given else {})).items() if is_api else ():
        operation["responses"].setdefault(status, {"description": told, "content": problem})
    if given:
        operation["requestBody"] = {"required": True, "content": {kind: {"schema": {}} for kind in given}}

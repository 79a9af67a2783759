"""OpenAPI description: FastAPI's, corrected to the errors and request bodies of the routes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

PROBLEM_SCHEMA = {
    "type": "object",
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
    "400": "Invalid parameter",
    "404": "No such work, document or page",
    "410": "Removed from the library, or an expired cursor",
    "413": "Request too large",
}
UPLOAD_ERRORS = {"403": "Uploads are off, or the key is wrong", "415": "No reader for this type"}
UPLOAD_TYPES = {
    "/api/document": ("application/pdf", "application/zip", "multipart/form-data", "application/json"),
    "/api/similar/file": ("application/pdf",),
}
"""Routes that accept files, and the media types of their request bodies."""


class DescribedApi(FastAPI):
    """Application with a corrected OpenAPI description, computed on first use."""

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI description."""
        if not self.openapi_schema:
            schema = get_openapi(title=self.title, version=self.version, summary=self.summary, routes=self.routes)
            schemas = schema["components"]["schemas"]
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            schemas["Problem"] = PROBLEM_SCHEMA
            for path, operations in schema["paths"].items():
                for method, operation in operations.items():
                    types = UPLOAD_TYPES.get(path, ()) if method == "post" else ()
                    _correct(operation, path.startswith("/api/"), types)
            self.openapi_schema = schema
        return self.openapi_schema


def _correct(operation: dict[str, Any], is_api: bool, upload_types: Collection[str]) -> None:
    """Replace status 422 by 400, describe errors as problems and files as raw bodies."""
    operation["responses"].pop("422", None)
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status, description in (ERRORS | (UPLOAD_ERRORS if upload_types else {})).items() if is_api else ():
        operation["responses"].setdefault(status, {"description": description, "content": problem})
    if upload_types:
        operation["requestBody"] = {"required": True, "content": {kind: {"schema": {}} for kind in upload_types}}

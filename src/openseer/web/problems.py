"""Errors become answers here and nowhere else: problem+json for programs, a page for people."""

from __future__ import annotations

import logging
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from openseer.core.errors import OpenseerError
from openseer.core.telemetry.counters import counters
from openseer.web.templating import render

log = logging.getLogger("openseer.web")
KNOWN = {
    404: ("not_found", "There is no such page.", "See /api/openapi.json."),
    405: ("method_not_allowed", "", "The header Allow tells which methods answer here."),
    413: ("too_large", "", "Raise `extract.max_bytes` if such files are wanted."),
}
"""Problems that are told before one of our routes is reached: code, what happened if not told, and the way out."""


def install(app: FastAPI) -> None:
    """Catch our own errors, wrong parameters, unknown addresses, and what nobody foresaw."""
    app.add_exception_handler(OpenseerError, _ours)
    app.add_exception_handler(RequestValidationError, _wrong_parameter)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unforeseen)


def answer(request: Request, status: int, code: str, detail: str, hint: str = "") -> Response:
    """One problem in the shape the asker reads."""
    problem = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "hint": hint,
    }
    wants_page = "text/html" in request.headers.get("accept", "")
    if wants_page and not request.url.path.startswith("/api/"):
        return render(request, "problem.html", {"problem": problem}, status)
    return JSONResponse(problem, status, media_type="application/problem+json")


def _ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, OpenseerError)
    return answer(request, error.status, error.code, str(error), error.hint)


def _wrong_parameter(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"][1:]) or "the body"
    return answer(request, 400, "bad_request", f"{name}: {first['msg'].lower()}.", "See /api/openapi.json.")


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code, detail, hint = KNOWN.get(error.status_code, ("bad_request", "", "See /api/openapi.json."))
    hint = hint if request.url.path.startswith("/api/") else ""  # the page itself says where to go on
    response = answer(request, error.status_code, code, detail or error.detail, hint)
    response.headers.update(error.headers or {})
    return response


def _unforeseen(request: Request, error: Exception) -> Response:
    counters.count("openseer_http_responses_total", status="500")  # this response passes no middleware
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return answer(request, 500, "error", "Something went wrong on our side.", "It was written to the log.")

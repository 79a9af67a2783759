"""Error responses: problem+json for programs, a page for browsers."""

from __future__ import annotations

import errno
import logging
import re
from html import escape
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from openseer.core.errors import DiskFull, OpenseerError, Overloaded
from openseer.web.params import hint_at
from openseer.web.templating import render

RETRY_SECONDS = "5"
log = logging.getLogger("openseer.web")
SEE_API = "See /api for the routes and their parameters."
HTTP_PROBLEMS = {
    404: ("not_found", "There is no such page.", SEE_API),
    405: ("method_not_allowed", "", "See the header Allow for the methods of this address."),
    503: ("overloaded", "Too many requests are at work.", Overloaded.hint),
    413: ("too_large", "", "Larger files need a higher `extract.max_bytes`."),
}
"""Code, message and hint of errors raised outside the routes; the framework's message if ours is empty."""


def install(app: FastAPI) -> None:
    """Register the handlers of our errors, invalid parameters and HTTP errors; the middleware handles the others."""
    app.add_exception_handler(OpenseerError, _openseer_error)
    app.add_exception_handler(RequestValidationError, _invalid_parameter)
    app.add_exception_handler(HTTPException, _http_error)


def response_of(request: Request, error: Exception) -> Response:
    """Response to any error that is raised outside of the handlers: in the middleware, or by a fault of ours."""
    if isinstance(error, OpenseerError):
        return _openseer_error(request, error)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):  # temporary files of a body
        return _openseer_error(request, DiskFull("The disk for temporary files is full."))
    if isinstance(error, HTTPException):
        return _http_error(request, error)
    log.error("%s %r failed", request.method, request.url.path, exc_info=error)
    return problem_response(request, 500, "error", "The server failed to answer this request.", "See the server log.")


def problem_response(request: Request, status: int, code: str, message: str, hint: str = "") -> Response:
    """One problem, as a page if a browser asks for one."""
    problem = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": message,
        "code": code,
        "hint": hint,
    }
    if _wants_page(request):
        response: Response = render(request, "problem.html", {"problem": problem}, status)
    else:
        response = JSONResponse(problem, status, media_type="application/problem+json")
    if status in (429, 503):
        response.headers["Retry-After"] = RETRY_SECONDS
    return response


def _wants_page(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")


def overloaded(request: Request, error: Overloaded) -> Response:
    """A small page that is cheap to make, since many are needed at a time."""
    if not _wants_page(request):
        return _openseer_error(request, error)
    title = escape(error.title)
    page = f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1><p>Too many requests. Try again soon."
    return HTMLResponse(page, error.status, {"Retry-After": RETRY_SECONDS})


def _openseer_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, OpenseerError)
    return problem_response(request, error.status, error.code, str(error), error.hint)


def _invalid_parameter(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = first["loc"][1:] if first["loc"][0] == "body" else first["loc"][1:2]
    name = ".".join(map(str, where)) or "the body"
    value = str(first["input"])[:60]
    match first["type"]:
        case "literal_error":
            values = re.findall(r"'([^']*)'", first["ctx"]["expected"])
            message, hint = f"Unknown value of {name}: {value}.", hint_at(value, values, "Values are")
        case "missing":
            message, hint = f"Missing {'field' if first['loc'][0] == 'body' else 'parameter'}: {name}.", SEE_API
        case "extra_forbidden":
            message, hint = f"Unknown field: {name[:60]}.", hint_at(name, _body_fields(request), "Fields are")
        case _:
            message, hint = f"{name}: {first['msg'].lower()}.", SEE_API
    return problem_response(request, 400, "bad_request", message, hint)


def _body_fields(request: Request) -> list[str]:
    """The fields of the JSON body that the route of a request takes."""
    route = request.scope.get("route")
    bodies = route.dependant.body_params if isinstance(route, APIRoute) else []
    return [name for one in bodies for name in getattr(one.field_info.annotation, "model_fields", ())]


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code, message, hint = HTTP_PROBLEMS.get(error.status_code, ("bad_request", "", SEE_API))
    hint = hint if request.url.path.startswith("/api") else ""  # pages have links of their own
    response = problem_response(request, error.status_code, code, message or error.detail, hint)
    response.headers.update(error.headers or {})
    return response

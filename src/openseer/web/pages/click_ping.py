"""Click logging: browsers report opened results, without any information on the user."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Query, Request
from fastapi.responses import Response

from openseer.core.errors import OpenseerError
from openseer.search.query.explain import words_in
from openseer.search.query.parser import parse
from openseer.search.terms import words_of
from openseer.storage.protocols.sessions import ClickLog
from openseer.web.dependencies import ClickLogDep, IndexDep
from openseer.web.pages.search.search_url import MAX_LOGGED_CHARACTERS

router = APIRouter()
WORK_ID = re.compile(r"w[0-9a-z]{12}")
MAX_POSITION = 1000
"""Clicks further down are not from people."""


@router.post("/clicked", status_code=204)
def clicked(
    request: Request,
    tasks: BackgroundTasks,
    index: IndexDep,
    log: ClickLogDep,
    q: Annotated[str, Query(max_length=10_000)] = "",
    work: Annotated[str, Query(max_length=100)] = "",
    place: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    """Log a click after the response is sent; invalid clicks and clicks from other sites are ignored."""
    words = " ".join(words_of(" ".join(words_in(parse(q[:MAX_LOGGED_CHARACTERS])))))
    position = int(place) if place.isascii() and place.isdigit() else 0
    same_origin = request.headers.get("sec-fetch-site", "same-origin") == "same-origin"
    is_valid = words and WORK_ID.fullmatch(work) and 0 < position <= MAX_POSITION
    if log and same_origin and is_valid and index.find([work]):
        tasks.add_task(_log_click, log, words, work, position)
    return Response(status_code=204, background=tasks)


def _log_click(log: ClickLog, words: str, work: str, position: int) -> None:
    with suppress(OpenseerError):  # a lost click does no harm
        log.add(words, work, position)

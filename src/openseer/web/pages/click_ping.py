"""Where browsers tell that a result was opened. It goes into the click log, which does not say who."""

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
from openseer.web.pages.search.search_url import LONGEST_QUERY

router = APIRouter()
WORK = re.compile(r"w[0-9a-z]{12}")
LAST = 1000
"""Places further down than this were not found by a person."""


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
    """Note it after the answer is sent; what makes no sense, or comes from a page of another site, is passed over."""
    words = " ".join(words_of(" ".join(words_in(parse(q[:LONGEST_QUERY])))))
    number = int(place) if place.isascii() and place.isdigit() else 0
    ours = request.headers.get("sec-fetch-site", "same-origin") == "same-origin"
    if log and ours and words and WORK.fullmatch(work) and 0 < number <= LAST and index.find([work]):
        tasks.add_task(_note, log, words, work, number)
    return Response(status_code=204, background=tasks)


def _note(log: ClickLog, words: str, work: str, place: int) -> None:
    with suppress(OpenseerError):  # a click that is lost is no loss
        log.add(words, work, place)

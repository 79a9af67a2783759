"""When an answer last changed, for those who ask only for what is new to them."""

from __future__ import annotations

from email.utils import formatdate, parsedate_to_datetime
from typing import TypeVar

from starlette.responses import Response

from openseer.storage.protocols.index import Index

Answer = TypeVar("Answer", bound=Response)


def dated(answer: Answer, index: Index) -> Answer:
    """An answer made of works: it has not changed since the index last did. The tag beside it is finer."""
    return dated_at(answer, index.changed_at)


def dated_at(answer: Answer, seconds: float) -> Answer:
    """An answer that is as it was at a moment."""
    answer.headers["Last-Modified"] = formatdate(seconds, usegmt=True)
    return answer


def unchanged(modified: str, since: str) -> bool:
    """Whether nothing came after the moment that the asker names; what is no date names none.

    >>> unchanged("Wed, 18 Nov 2026 06:00:00 GMT", "Wed, 18 Nov 2026 06:00:00 GMT"), unchanged("", "yesterday")
    (True, False)
    """
    try:
        return parsedate_to_datetime(modified) <= parsedate_to_datetime(since)
    except (ValueError, TypeError):
        return False

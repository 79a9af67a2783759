"""Last-Modified and If-Modified-Since."""

from __future__ import annotations

from email.utils import formatdate, parsedate_to_datetime
from typing import TypeVar

from starlette.responses import Response

from openseer.storage.protocols.index import Index

AnyResponse = TypeVar("AnyResponse", bound=Response)


def dated(response: AnyResponse, index: Index) -> AnyResponse:
    """Set Last-Modified to the last change of the index; the ETag beside it is finer."""
    return dated_at(response, index.changed_at)


def dated_at(response: AnyResponse, seconds: float) -> AnyResponse:
    """Set Last-Modified."""
    response.headers["Last-Modified"] = formatdate(seconds, usegmt=True)
    return response


def unchanged(modified: str, since: str) -> bool:
    """True if `modified` is not later than `since`; False if either is not a date.

    >>> unchanged("Wed, 18 Nov 2026 06:00:00 GMT", "Wed, 18 Nov 2026 06:00:00 GMT"), unchanged("", "yesterday")
    (True, False)
    """
    try:
        return parsedate_to_datetime(modified) <= parsedate_to_datetime(since)
    except (ValueError, TypeError):
        return False

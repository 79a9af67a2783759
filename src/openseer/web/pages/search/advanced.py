"""The advanced search form."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel

from openseer.web.params import sort_named
from openseer.web.templating import render

router = APIRouter()
READS = ["GET", "HEAD"]


class AdvancedParameters(BaseModel):
    """The advanced form, with the names that the old CiteSeerX gave its fields."""

    textQuery: str = ""
    titleQuery: str = ""
    authorQuery: str = ""
    affilQuery: str = ""
    venueQuery: str = ""
    keywordQuery: str = ""
    abstractQuery: str = ""
    year: str = ""
    fromYear: str = ""
    toYear: str = ""
    minCitations: str = ""
    includeCites: str = ""
    sortCriteria: str = ""
    full: str = ""

    def query(self) -> str:
        """As one query of the query language."""
        fields = {
            "": self.textQuery, "title": self.titleQuery, "author": self.authorQuery, "affil": self.affilQuery,
            "venue": self.venueQuery, "keyword": self.keywordQuery, "abstract": self.abstractQuery,
        }  # fmt: skip
        parts = [_within(name, text) for name, text in fields.items() if text.strip()]
        if self.minCitations.isdigit() and int(self.minCitations):
            parts.append(f"cited:>={self.minCitations}")
        return " ".join(parts)

    def address(self) -> str:
        """The page of results that answers it."""
        told = {
            "q": self.query(),
            "low": self.year or self.fromYear,
            "high": self.year or self.toYear,
            "sort": sort_named(self.sortCriteria) if self.sortCriteria else "",
            "full": "true" if self.full else "",
        }
        return "/search?" + urlencode({name: value for name, value in told.items() if value})


def _within(field: str, text: str) -> str:
    """Words to be looked for in one field: each gets its name; a phrase stays one.

    >>> _within("title", "focused crawling"), _within("author", '"de Smet"')
    ('title:focused title:crawling', 'author:"de Smet"')
    """
    if not field:
        return text.strip()
    parts = text.split('"')
    words = [f"{field}:{word}" for plain in parts[::2] for word in plain.split()]
    return " ".join([*words, *(f'{field}:"{phrase}"' for phrase in parts[1::2] if phrase.strip())])


@router.api_route("/advanced", methods=READS)
def advanced(request: Request, asked: Annotated[AdvancedParameters, Query()]) -> Response:
    """A form for every field; sent, it leads to the results."""
    if any(asked.model_dump().values()):
        return RedirectResponse(asked.address(), 302)
    return render(request, "advanced.html", {})

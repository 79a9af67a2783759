"""Advanced search form."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel

from openseer.web.params import READ_METHODS, sort_named
from openseer.web.templating import render

router = APIRouter()


class AdvancedParameters(BaseModel):
    """Fields of the form, named as in the old CiteSeerX."""

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
        """The fields as one query."""
        fields = {
            "": self.textQuery, "title": self.titleQuery, "author": self.authorQuery, "affil": self.affilQuery,
            "venue": self.venueQuery, "keyword": self.keywordQuery, "abstract": self.abstractQuery,
        }  # fmt: skip
        parts = [_field_query(name, text) for name, text in fields.items() if text.strip()]
        if self.minCitations.isdigit() and int(self.minCitations):
            parts.append(f"cited:>={self.minCitations}")
        return " ".join(parts)

    def results_url(self) -> str:
        """URL of the results."""
        parameters = {
            "q": self.query(),
            "low": self.year or self.fromYear,
            "high": self.year or self.toYear,
            "sort": sort_named(self.sortCriteria) if self.sortCriteria else "",
            "full": "true" if self.full else "",
        }
        return "/search?" + urlencode({name: value for name, value in parameters.items() if value})


def _field_query(field: str, text: str) -> str:
    """Query for words and quoted phrases in one field.

    >>> _within("title", "focused crawling"), _within("author", '"de Smet"')
    ('title:focused title:crawling', 'author:"de Smet"')
    """
    if not field:
        return text.strip()
    parts = text.split('"')
    words = [f"{field}:{word}" for plain in parts[::2] for word in plain.split()]
    return " ".join([*words, *(f'{field}:"{phrase}"' for phrase in parts[1::2] if phrase.strip())])


@router.api_route("/advanced", methods=READ_METHODS)
def advanced(request: Request, form: Annotated[AdvancedParameters, Query()]) -> Response:
    """Empty form, or a redirect to the results of a filled one."""
    if any(form.model_dump().values()):
        return RedirectResponse(form.results_url(), 302)
    return render(request, "advanced.html", {})

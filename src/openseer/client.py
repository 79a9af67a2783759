"""Client of the REST API, based on the standard library only.

library = Client("http://127.0.0.1:8000")
for work in library.walk('title:"focused crawling"'):
    print(work["title"], work["year"])
"""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Body = dict[str, Any]


class ApiError(Exception):
    """Error response of the server: message, stable code and hint."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(f"{status}: {problem.get('detail', 'no details')} {problem.get('hint', '')}".strip())
        self.status, self.code, self.hint = status, str(problem.get("code", "")), str(problem.get("hint", ""))


@dataclass(frozen=True, slots=True)
class Client:
    """A library at the URL of its site."""

    address: str
    """URL of the site."""
    upload_key: str = ""
    timeout: float = 30.0

    def search(self, query: str, **parameters: Any) -> Body:
        """One page of results; `parameters` as in the manual: `page`, `pageSize`, `sort`, `filter`, `facets` ..."""
        return self._json("search", {"q": query, **parameters})

    def walk(self, query: str, **parameters: Any) -> Iterator[Body]:
        """All works of a query, fetched page by page."""
        cursor = "*"
        while cursor:
            body = self.search(query, **{"pageSize": 100, **parameters, "cursor": cursor})
            yield from body["response"]
            cursor = body.get("next_cursor", "")

    def paper(self, name: str) -> Body:
        """One work by work id, SHA-1 or DOI."""
        return self._json("paper", {"id": name})

    def papers(self, names: Sequence[str]) -> list[Body | None]:
        """Up to 1,000 works; None for each unknown id."""
        works: list[Body | None] = self._json("works/batch", body={"ids": list(names)})["response"]
        return works

    def citations(self, name: str, **parameters: Any) -> Body:
        """References of a paper."""
        return self._json(f"citations/{_quoted(name)}", parameters)

    def citing(self, name: str, **parameters: Any) -> Body:
        """Citing works of a work."""
        return self._json(f"showCiting/{_quoted(name)}", parameters)

    def similar(self, name: str, algo: str = "all", limit: int = 10) -> Body:
        """Similar works with reasons."""
        return self._json(f"similar/{_quoted(name)}", {"algo": algo, "limit": limit})

    def suggest(self, typed: str) -> list[Body]:
        """Autocompletion of a query."""
        suggestions: list[Body] = self._json("suggest", {"query": typed})["suggestions"]
        return suggestions

    def contexts(self, query: str, **parameters: Any) -> Body:
        """Search in citing sentences."""
        return self._json("contexts", {"q": query, **parameters})

    def export(self, query: str, form: str, **parameters: Any) -> str:
        """The works of a query as bibtex, ris, refer, csl, xml, atom or rss."""
        return self._request("search", {"q": query, "format": form, **parameters}).decode("utf-8")

    def upload(self, file: Path) -> Body:
        """Upload a PDF; the response contains the job."""
        result: Body = json.loads(self._request("document", {"name": file.name}, file.read_bytes(), "application/pdf"))
        return result

    def job(self, name: str) -> Body:
        """Status of a job."""
        return self._json(f"jobs/{_quoted(name)}")

    def _json(self, route: str, parameters: Mapping[str, Any] | None = None, body: Any = None) -> Body:
        data = None if body is None else json.dumps(body).encode()
        decoded: Body = json.loads(self._request(route, parameters or {}, data, "application/json"))
        return decoded

    def _request(self, route: str, parameters: Mapping[str, Any], data: bytes | None = None, mime: str = "") -> bytes:
        query = urllib.parse.urlencode({name: _plain(value) for name, value in parameters.items()}, doseq=True)
        request = urllib.request.Request(f"{self.address.rstrip('/')}/api/{route}?{query}", data)
        if data is not None:
            request.add_header("Content-Type", mime)
        if self.upload_key:
            request.add_header("X-Upload-Key", self.upload_key)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                body: bytes = response.read()
                return body
        except urllib.error.HTTPError as error:
            with error:
                raise ApiError(error.code, _problem(error.read())) from None


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")


def _problem(body: bytes) -> dict[str, Any]:
    try:
        problem = json.loads(body)
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}

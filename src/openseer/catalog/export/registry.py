"""Registry of export formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from openseer.catalog.export import bibtex, csl, feeds, plain_xml, refer, ris
from openseer.core.model.work import IndexedWork

__all__ = ["FORMATS", "ExportFormat"]


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """An export format; `write` takes the works and the URL of the site."""

    name: str
    media_type: str
    extension: str
    write: Callable[[Sequence[IndexedWork], str], str]


FORMATS = {
    one.name: one
    for one in (
        ExportFormat("bibtex", "application/x-bibtex", "bib", bibtex.write),
        ExportFormat("ris", "application/x-research-info-systems", "ris", ris.write),
        ExportFormat("refer", "application/x-endnote-refer", "enw", refer.write),
        ExportFormat("csl", "application/vnd.citationstyles.csl+json", "json", csl.write),
        ExportFormat("xml", "application/xml", "xml", plain_xml.write),
        ExportFormat("atom", "application/atom+xml", "atom", feeds.atom),
        ExportFormat("rss", "application/rss+xml", "rss", feeds.rss),
    )
}

"""Registry of export formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from openseer.catalog.export import bibtex, csl, feeds, plain_xml, refer, ris
from openseer.core.model.work import IndexedWork

__all__ = ["FORMATS", "Format"]


@dataclass(frozen=True, slots=True)
class Format:
    """An export format; `write` takes the works and the URL of the site."""

    name: str
    media_type: str
    extension: str
    write: Callable[[Sequence[IndexedWork], str], str]


FORMATS = {
    one.name: one
    for one in (
        Format("bibtex", "application/x-bibtex", "bib", bibtex.write),
        Format("ris", "application/x-research-info-systems", "ris", ris.write),
        Format("refer", "application/x-endnote-refer", "enw", refer.write),
        Format("csl", "application/vnd.citationstyles.csl+json", "json", csl.write),
        Format("xml", "application/xml", "xml", plain_xml.write),
        Format("atom", "application/atom+xml", "atom", feeds.atom),
        Format("rss", "application/rss+xml", "rss", feeds.rss),
    )
}

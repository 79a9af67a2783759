"""Atom and RSS 2.0 feeds of works."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from email.utils import format_datetime
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from openseer.catalog.export.plain_xml import text_for_xml
from openseer.catalog.export.publication_types import file_mime, file_url, work_url
from openseer.core.model.work import IndexedWork

ATOM = "http://www.w3.org/2005/Atom"
XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def atom(works: Sequence[IndexedWork], base: str, title: str = "Works", link: str = "") -> str:
    """An Atom feed; its id is the URL of the query."""
    feed = Element("feed", xmlns=ATOM)
    SubElement(feed, "id").text = link or base or "urn:openseer"
    SubElement(feed, "title").text = text_for_xml(title)
    SubElement(feed, "updated").text = _datetime(max((work.added for work in works), default=0)).isoformat()
    if link:
        SubElement(feed, "link", rel="self", type="application/atom+xml", href=link)
    for work in works:
        _add_entry(feed, work, base)
    indent(feed)
    return XML_DECLARATION + tostring(feed, encoding="unicode") + "\n"


def _add_entry(feed: Element, work: IndexedWork, base: str) -> None:
    entry = SubElement(feed, "entry")
    SubElement(entry, "id").text = work_url(work, base)
    SubElement(entry, "title").text = text_for_xml(work.title or "(no title)")
    SubElement(entry, "updated").text = _datetime(work.added).isoformat()
    SubElement(entry, "link", rel="alternate", type="text/html", href=work_url(work, base))
    if work.documents:
        SubElement(entry, "link", rel="enclosure", type=file_mime(work), href=file_url(work, base))
    for name in work.authors or ("unknown",):
        SubElement(SubElement(entry, "author"), "name").text = text_for_xml(name)
    if work.abstract:
        SubElement(entry, "summary").text = text_for_xml(work.abstract)


def rss(works: Sequence[IndexedWork], base: str, title: str = "Works", link: str = "") -> str:
    """An RSS 2.0 feed."""
    root = Element("rss", version="2.0")
    channel = SubElement(root, "channel")
    for name, value in (("title", title), ("link", link or base), ("description", title), ("ttl", "60")):
        SubElement(channel, name).text = text_for_xml(value)
    for work in works:
        item = SubElement(channel, "item")
        values = {
            "title": work.title or "(no title)",
            "link": work_url(work, base),
            "guid": work_url(work, base),
            "description": work.abstract,
            "pubDate": format_datetime(_datetime(work.added)) if work.added else "",
        }
        for name, value in values.items():
            if value:
                SubElement(item, name).text = text_for_xml(value)
    indent(root)
    return XML_DECLARATION + tostring(root, encoding="unicode") + "\n"


def _datetime(seconds: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)

"""Reader of HTML and XHTML: main text with headings, lists, tables and references, and the metadata of the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from openseer.core.errors import Corrupt
from openseer.core.model.file_head import FileHead
from openseer.extract.html.block_walker import BlockWalker, main_element
from openseer.extract.html.page_metadata import stated_by
from openseer.extract.plain_text.encoding import declared_encoding, decode
from openseer.extract.structured.author_lines import authors_in
from openseer.extract.structured.document import Role, StructuredText

name, version = "html", 1
mime, suffix = "text/html", "html"
marks: tuple[bytes, ...] = ()
START = re.compile(
    rb"\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,2000}?-->\s*){0,5}(?:<!doctype\s+html|<html|<head|<body)", re.I | re.S
)
TAG = re.compile(rb"<(?:p|div|h[1-6]|table|ul|ol|br|a|title|meta|span)\b[^>]{0,500}>", re.I)
MAX_BYTES = 50_000_000
SITE_NAME = re.compile(r"\s+[|·–—-]\s+[^|·–—-]{2,60}$")
"""The name of the site behind the title of a page."""


def recognises(head: FileHead) -> bool:
    """True for a file that begins as HTML, or has several of its tags and the suffix."""
    start = head.start.replace(b"\0", b"")
    if START.match(start.removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff")):
        return True
    return head.suffix in ("html", "htm", "xhtml") and len(TAG.findall(start)) > 2 and not start.startswith(b"%PDF-")


def read(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> StructuredText:
    """Blocks of the main text, and the fields that the page states."""
    data = path.read_bytes()[:MAX_BYTES]
    return structure_of(decode(data, declared_encoding(data)))


def structure_of(text: str) -> StructuredText:
    """The structure of a page."""
    page = parsed(text)
    stated = stated_by(page)
    walker = BlockWalker()
    walker.walk(main_element(page))
    titles = [block.text for block in walker.blocks if block.role is Role.TITLE]
    names = [block.text for block in walker.blocks if block.role is Role.AUTHORS]
    stated = replace(
        stated,
        title=stated.title or (titles[0] if titles else _page_title(page)),
        authors=stated.authors or authors_in(names),
        abstract=stated.abstract or " ".join(walker.abstract),
    )
    if not walker.blocks:
        raise Corrupt("The page has no text.")
    return StructuredText(tuple(walker.blocks), stated, links=tuple(dict.fromkeys(walker.links)))


def parsed(text: str) -> HtmlElement:
    """The tree of a page; entities of the document itself are not resolved, and nothing is loaded."""
    parser = HTMLParser(encoding="utf-8", no_network=True, huge_tree=False, remove_comments=True, remove_pis=True)
    cleaned = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", " ", text)
    try:
        return document_fromstring(cleaned.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise Corrupt(f"The page cannot be parsed: {error}.") from None


def _page_title(page: HtmlElement) -> str:
    title = next(page.iter("title"), None)
    text = " ".join(title.text_content().split()) if title is not None else ""
    return SITE_NAME.sub("", text)

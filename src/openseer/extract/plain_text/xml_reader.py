"""Reader of XML without a reader of its own: its text, one paragraph for each element with text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from lxml import etree

from openseer.core.errors import Corrupt
from openseer.core.model.file_head import FileHead
from openseer.extract.structured.document import Block, Role, StructuredText

name, version = "xml", 1
mime, suffix = "application/xml", "xml"
marks: tuple[bytes, ...] = ()
START = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml\s|<!DOCTYPE\s+(?!html)|<[A-Za-z_][\w.-]*:?[\w.-]*\s+xmlns)", re.I)
ENTITY = re.compile(r"&[A-Za-z_][\w.-]*;")
"""An entity that is not resolved."""
TITLES = frozenset({"title", "article-title", "booktitle", "head"})
"""Names of elements that are titles; the first is that of the document."""


def recognises(head: FileHead) -> bool:
    """True for a file that begins as XML; HTML has a reader of its own, which is asked before."""
    start = head.start
    return bool(START.match(start)) or start.startswith((b"\xff\xfe<\0?\0x\0", b"\xfe\xff\0<\0?\0x"))


def read(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> StructuredText:
    """Elements with text as paragraphs. Entities are not resolved, and nothing is loaded."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True, remove_comments=True,
        remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.parse(str(path), parser).getroot()
    except (etree.XMLSyntaxError, OSError, ValueError) as error:
        raise Corrupt(f"The XML cannot be parsed: {error}.") from None
    if root is None:
        raise Corrupt("The XML has no element.")
    blocks = tuple(_blocks(root))
    if not blocks:
        raise Corrupt("The file has no text.")
    return StructuredText(blocks)


def _blocks(root: etree._Element) -> Iterator[Block]:
    has_title = False
    stack = [root]
    while stack:
        element = stack.pop()
        if not isinstance(element.tag, str):
            continue
        tag = etree.QName(element).localname.lower()
        if tag in TITLES or (element.text or "").strip() or any((child.tail or "").strip() for child in element):
            text = " ".join(ENTITY.sub("", "".join(element.itertext())).split())
            if text:
                role = Role.PARAGRAPH if tag not in TITLES else Role.HEADING if has_title else Role.TITLE
                has_title = has_title or tag in TITLES
                yield Block(role, text)
        else:
            stack += reversed(element)

"""XML writer: sanitised text, XML value formats, and reproducible output."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from urllib.parse import quote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from openseer.extract.citations.linked_paragraphs import PARAGRAPH_BREAK

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 excludes, even escaped."""
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[\w.~%-]+(?::\d+)?(?:[/?][^#]*)?(?:#[^#]*)?", re.ASCII)
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
PAGES = re.compile(r"\s*([\w.:]+)\s*[-–—]+\s*([\w.:]+)\s*")
INDENT = " "
NO_ATTRIBUTES: Mapping[str, str] = MappingProxyType({})


def clean(text: str) -> str:
    """Text without characters that XML excludes.

    >>> clean("a\\x00b\\ud800c")
    'abc'
    """
    return text if text.isprintable() else FORBIDDEN.sub("", text)  # the check costs a tenth of the replacement


def uri_of(text: str) -> str:
    """The text as a URI, or an empty string if it is none.

    >>> uri_of("https://example.org/a b?c=100%#d"), uri_of("see above")
    ('https://example.org/a%20b?c=100%25#d', '')
    """
    text = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", clean(text.strip()))
    quoted = quote(text, safe="!#$%&'()*+,/:;=?@~")
    return quoted if ADDRESS.fullmatch(quoted) else ""


def language_tag(text: str) -> str:
    """The language as `xml:lang`, or an empty string if it is not valid."""
    return text if LANGUAGE.fullmatch(text) else ""


def name_token(text: str) -> str:
    """A type name as one XML name token.

    >>> name_token("related work")
    'related-work'
    """
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")


def first_and_last(pages: str) -> tuple[str, str] | None:
    """First and last page of a page range.

    >>> first_and_last("S12–S19"), first_and_last("e0123")
    (('S12', 'S19'), None)
    """
    match = PAGES.fullmatch(pages)
    return (match[1], match[2]) if match else None


def element(tag: str, attributes: Mapping[str, str] = NO_ATTRIBUTES) -> Element:
    """A root element. Names include their prefix as printed, since no format mixes two vocabularies."""
    return Element(tag, _clean_attributes(attributes))


def add(parent: Element, tag: str, text: str = "", attributes: Mapping[str, str] = NO_ATTRIBUTES) -> Element:
    """Add a child element."""
    child = SubElement(parent, tag, _clean_attributes(attributes))
    if text:
        child.text = clean(text)
    return child


def add_if(parent: Element, tag: str, text: str, attributes: Mapping[str, str] = NO_ATTRIBUTES) -> None:
    """Add a child element unless the text is empty."""
    text = clean(text).strip()
    if text:
        add(parent, tag, text, attributes)


def add_text(parent: Element, text: str) -> None:
    """Append text to the content of an element."""
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + clean(text)
    else:
        parent.text = (parent.text or "") + clean(text)


def add_paragraphs(parent: Element, text: str) -> None:
    """Add a `p` for each paragraph."""
    for paragraph in PARAGRAPH_BREAK.split(text):
        add_if(parent, "p", paragraph)


def serialise(root: Element, mixed_content: Collection[str]) -> bytes:
    """XML as UTF-8, indented except inside the elements of `mixed_content`, where white space counts."""
    _indent(root, "\n", mixed_content)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'.encode()


def _clean_attributes(attributes: Mapping[str, str]) -> dict[str, str]:
    return {name: clean(value) for name, value in attributes.items() if value}


def _indent(parent: Element, newline: str, mixed_content: Collection[str]) -> None:
    if not len(parent) or parent.tag in mixed_content:
        return
    parent.text = newline + INDENT
    for child in parent:
        _indent(child, newline + INDENT, mixed_content)
        child.tail = newline + INDENT
    parent[-1].tail = newline

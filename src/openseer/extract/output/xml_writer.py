"""XML out: elements whose text is clean, values in the forms that XML asks for, the same bytes every time."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from urllib.parse import quote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from openseer.extract.citations.linked_paragraphs import PARAGRAPH_BREAK

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped."""
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[\w.~%-]+(?::\d+)?(?:[/?][^#]*)?(?:#[^#]*)?", re.ASCII)
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
PAGES = re.compile(r"\s*([\w.:]+)\s*[-–—]+\s*([\w.:]+)\s*")
STEP = " "
NONE: Mapping[str, str] = MappingProxyType({})


def clean(text: str) -> str:
    """
    >>> clean("a\\x00b\\ud800c")
    'abc'
    """
    return text if text.isprintable() else FORBIDDEN.sub("", text)  # the question costs a tenth of the answer


def address(text: str) -> str:
    """
    An address as a URI, "" where it is none.

    >>> address("https://example.org/a b?c=100%#d"), address("see above")
    ('https://example.org/a%20b?c=100%25#d', '')
    """
    text = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", clean(text.strip()))
    quoted = quote(text, safe="!#$%&'()*+,/:;=?@~")
    return quoted if ADDRESS.fullmatch(quoted) else ""


def language_tag(text: str) -> str:
    """A language as `xml:lang` takes it, "" where it cannot."""
    return text if LANGUAGE.fullmatch(text) else ""


def word(text: str) -> str:
    """
    A name of ours as one word, as types are in XML.

    >>> word("related work")
    'related-work'
    """
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")


def first_and_last(pages: str) -> tuple[str, str] | None:
    """
    >>> first_and_last("S12–S19"), first_and_last("e0123")
    (('S12', 'S19'), None)
    """
    match = PAGES.fullmatch(pages)
    return (match[1], match[2]) if match else None


def element(tag: str, attributes: Mapping[str, str] = NONE) -> Element:
    """An element on top. Names stand with their prefix as they are printed: no form here mixes two vocabularies."""
    return Element(tag, _filled(attributes))


def add(parent: Element, tag: str, text: str = "", attributes: Mapping[str, str] = NONE) -> Element:
    """A new last child."""
    child = SubElement(parent, tag, _filled(attributes))
    if text:
        child.text = clean(text)
    return child


def add_if(parent: Element, tag: str, text: str, attributes: Mapping[str, str] = NONE) -> None:
    """The same where there is something to say."""
    text = clean(text).strip()
    if text:
        add(parent, tag, text, attributes)


def add_text(parent: Element, text: str) -> None:
    """Text behind what stands in the element."""
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + clean(text)
    else:
        parent.text = (parent.text or "") + clean(text)


def add_paragraphs(parent: Element, text: str) -> None:
    """A `p` for each paragraph."""
    for paragraph in PARAGRAPH_BREAK.split(text):
        add_if(parent, "p", paragraph)


def written(top: Element, flowing: Collection[str]) -> bytes:
    """UTF-8, indented; inside the elements named `flowing` white space counts and stays as it is."""
    _indent(top, "\n", flowing)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(top, encoding="unicode")}\n'.encode()


def _filled(attributes: Mapping[str, str]) -> dict[str, str]:
    return {name: clean(value) for name, value in attributes.items() if value}


def _indent(parent: Element, line: str, flowing: Collection[str]) -> None:
    if not len(parent) or parent.tag in flowing:
        return
    parent.text = line + STEP
    for child in parent:
        _indent(child, line + STEP, flowing)
        child.tail = line + STEP
    parent[-1].tail = line

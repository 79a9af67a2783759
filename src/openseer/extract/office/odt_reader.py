"""Reader of ODT (OpenDocument text): paragraphs with styles, lists, tables, notes, text boxes and equations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from lxml import etree

from openseer.core.errors import Corrupt, Encrypted, UnsupportedType
from openseer.core.model.file_head import FileHead
from openseer.extract.office.equations import mathml_text
from openseer.extract.office.odt_body import OdtWalker
from openseer.extract.office.odt_styles import OdtStyles
from openseer.extract.office.package import Package, child, local_name, opened
from openseer.extract.office.paragraphs import Paragraph, Properties, running_heads, structure_of
from openseer.extract.structured.document import StructuredText

name, version = "odt", 1
mime, suffix = "application/vnd.oasis.opendocument.text", "odt"
marks: tuple[bytes, ...] = ()
OTHER_KINDS = ("spreadsheet", "presentation", "drawing", "chart")
MIMETYPE = re.compile(
    rb"PK\x03\x04.{26}mimetype.{0,64}?application/vnd\.(?:oasis\.opendocument|sun\.xml)\.(?:text|writer)", re.S
)


def recognises(head: FileHead) -> bool:
    """True for a ZIP file whose first member states the type."""
    return bool(MIMETYPE.match(head.start))


def read(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> StructuredText:
    """The structure of a document."""
    with opened(path) as package:
        _check_encryption(package)
        root = package.xml("content.xml")
        text = _office_text(root)
        styles_root, styles = package.optional_xml("styles.xml"), OdtStyles()
        styles.add(styles_root)
        styles.add(root)
        walker = OdtWalker(styles, lambda address: _formula(package, address))
        paragraphs = [*walker.paragraphs(text), *_running_heads(walker, styles_root)]
        return structure_of(paragraphs, _properties(package), walker.links)


def _check_encryption(package: Package) -> None:
    manifest = package.optional_xml("META-INF/manifest.xml")
    if manifest is not None and any(local_name(one) == "encryption-data" for one in manifest.iter()):
        raise Encrypted("The document needs a password.")
    if "content.xml" not in package and "encrypted-package" in package:
        raise Encrypted("The document needs a password.")


def _office_text(root: etree._Element) -> etree._Element:
    """The element with the text; raises UnsupportedType for other kinds of OpenDocument."""
    body = child(root, "body")
    text = child(body, "text")
    if text is not None:
        return text
    if any(child(body, kind) is not None for kind in OTHER_KINDS):
        raise UnsupportedType(mime, "It is an OpenDocument file without text.")
    raise Corrupt("The document has no text element.")


def _formula(package: Package, address: str) -> str:
    """Text of an embedded equation."""
    root = package.optional_xml(f"{address.removeprefix('./').rstrip('/')}/content.xml")
    return mathml_text(root) if root is not None and local_name(root) == "math" else ""


def _running_heads(walker: OdtWalker, root: etree._Element | None) -> list[Paragraph]:
    """Headers and footers, each text once."""
    kinds = ("header", "footer", "header-left", "footer-left", "header-first", "footer-first")
    found: list[Paragraph] = []
    for one in root.iter() if root is not None else ():
        if local_name(one) in kinds:
            found += walker.paragraphs(one)
    return running_heads(found)


def _properties(package: Package) -> Properties:
    """Title and author of meta.xml."""
    root = package.optional_xml("meta.xml")
    values: dict[str, str] = {}
    for one in root.iter() if root is not None else ():
        values.setdefault(local_name(one), " ".join((one.text or "").split()))
    author = values.get("initial-creator") or values.get("creator") or ""
    return Properties(values.get("title", ""), (author,) if author else ())

"""Reader of DOCX (and DOCM, DOTX): paragraphs with styles, tables, notes, text boxes and equations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from lxml import etree

from openseer.core.errors import Corrupt, Encrypted
from openseer.core.model.file_head import FileHead
from openseer.extract.office.docx_body import DocxParts, DocxWalker
from openseer.extract.office.docx_styles import Numbering, Styles
from openseer.extract.office.package import Package, attribute, first_member, local_name, opened
from openseer.extract.office.paragraphs import Paragraph, Properties, running_heads, structure_of
from openseer.extract.structured.document import Role, StructuredText

name, version = "docx", 1
mime, suffix = "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
MAIN = re.compile(rb"word/document\d?\.xml")
marks: tuple[bytes, ...] = (b"word/document.xml", b"word/document2.xml", ENCRYPTED)
MEMBERS = ("[Content_Types].xml", "_rels/", "word/", "docProps/", "customXml/", "mimetype", "[trash]/", "ppt/")
"""First members of packages; other ZIP files are archives."""
SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})


def recognises(head: FileHead) -> bool:
    """True for a ZIP file with the main part of a DOCX, and for encrypted packages of all kinds."""
    if ENCRYPTED in head.marks:
        return True
    return is_package(head, "word/") and bool(head.marks & set(marks))


def is_package(head: FileHead, folder: str) -> bool:
    """True if a ZIP file is an office document with a folder; embedded documents have other folders."""
    first = first_member(head.start)
    others = [one for one in (b"word/", b"ppt/", b"xl/") if one in head.start and one != folder.encode()]
    return first.startswith(MEMBERS) and (folder.encode() in head.start or not others)


def read(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> StructuredText:
    """The structure of a document."""
    with path.open("rb") as stream:
        is_encrypted = stream.read(4) == b"\xd0\xcf\x11\xe0"
    if is_encrypted:
        raise Encrypted("The document needs a password.")
    with opened(path) as package:
        return _Document(package).structure()


class _Document:
    """The parts of a document, read in order."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._main = package.main_part("word/document.xml")
        self._relationships = package.relationships(self._main)
        self._styles = Styles(self._root_of("styles"))
        self._numbering = Numbering(self._root_of("numbering"), self._styles)
        self._links: list[str] = []
        self._warnings: list[str] = []
        self._notes: dict[tuple[str, str], list[Paragraph]] = {}
        for kind in ("footnotes", "endnotes", "comments"):
            self._collect_notes(kind)
        self._used_notes: set[tuple[str, str]] = set()

    def structure(self) -> StructuredText:
        """All paragraphs with their roles."""
        root = self._package.xml(self._main)
        body = next((one for one in root if local_name(one) == "body"), None)
        if body is None:
            raise Corrupt("The document has no body.")
        paragraphs = list(self._walker(self._main).paragraphs(body))
        left = [one for key, found in self._notes.items() if key not in self._used_notes for one in found]
        if any(local_name(one) == "altChunk" for one in body):
            self._warnings.append("An embedded document was not read.")
        return structure_of(
            [*paragraphs, *left, *self._running_heads()], self._properties(), self._links, self._warnings
        )

    def _walker(self, part: str) -> DocxWalker:
        relationships = self._relationships if part == self._main else self._package.relationships(part)
        return DocxWalker(
            DocxParts(self._styles, self._numbering, self._note, relationships, self._drawing_text, self._links)
        )

    def _root_of(self, kind: str) -> etree._Element | None:
        """Root of the part of a kind."""
        named = (one.target for one in self._relationships.values() if one.kind == kind and not one.is_external)
        return next((root for root in map(self._package.optional_xml, named) if root is not None), None)

    def _collect_notes(self, kind: str) -> None:
        """Paragraphs of all notes of a kind, by id."""
        part = next((one.target for one in self._relationships.values() if one.kind == kind), "")
        root = self._package.optional_xml(part)
        for number, note in enumerate(root if root is not None else (), 1):
            if attribute(note, "type") in SEPARATORS:
                continue
            found = list(self._walker(part).paragraphs(note))
            label = f"Comment by {attribute(note, 'author')}:" if kind == "comments" else ""
            self._notes[kind, attribute(note, "id", str(number))] = [
                replace(one, role=Role.NOTE, marker=label if not at else "", level=0) if not one.rows else one
                for at, one in enumerate(found)
            ]

    def _note(self, kind: str, key: str) -> list[Paragraph]:
        self._used_notes.add((kind, key))
        return self._notes.get((kind, key), [])

    def _running_heads(self) -> list[Paragraph]:
        """Headers and footers, each text once."""
        found: list[Paragraph] = []
        for one in self._relationships.values():
            root = self._package.optional_xml(one.target) if one.kind in ("header", "footer") else None
            found += self._walker(one.target).paragraphs(root) if root is not None else ()
        return running_heads(found)

    def _drawing_text(self, part: str) -> str:
        """Text of a diagram or chart."""
        root = self._package.optional_xml(part)
        if root is None:
            return ""
        texts = (one.text or "" for one in root.iter() if local_name(one) == "t")
        return " ".join(" ".join(texts).split())

    def _properties(self) -> Properties:
        return core_properties(self._package)


def core_properties(package: Package) -> Properties:
    """Title and authors of docProps/core.xml."""
    parts = (one.target for one in package.relationships("").values() if one.kind == "core-properties")
    root = package.optional_xml(next(parts, "docProps/core.xml"))
    values = {local_name(one): " ".join((one.text or "").split()) for one in (root if root is not None else ())}
    authors = tuple(one.strip() for one in re.split(r"[;&]|\band\b", values.get("creator", "")) if one.strip())
    return Properties(values.get("title", ""), authors)

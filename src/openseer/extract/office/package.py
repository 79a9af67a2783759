"""ZIP packages of office documents: members within limits, XML without entities, relationships between parts."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from openseer.core.errors import Corrupt, Encrypted

MAX_MEMBERS = 20_000
MAX_PART_BYTES = 100_000_000
"""Unpacked bytes of one XML part."""
MAX_TOTAL_BYTES = 300_000_000
"""Unpacked bytes of all parts that are read."""
MAX_RATIO = 300
"""Unpacked to packed bytes of a part of more than a megabyte: XML of real documents packs to a tenth."""
RELATIONSHIP_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
STRICT_RELATIONSHIP_ID = "{http://purl.oclc.org/ooxml/officeDocument/relationships}"


class Relationship(NamedTuple):
    """A link from a part to another, or to an address."""

    kind: str
    """Last word of its type, e.g. "footnotes"."""
    target: str
    is_external: bool


class Package:
    """The parts of a document in a ZIP file."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = {one.filename.lstrip("/"): one for one in archive.infolist()}
        self._read_bytes = 0

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def data(self, name: str) -> bytes:
        """Bytes of a part; raises Corrupt if it is missing, damaged or too large."""
        info = self._names.get(name)
        if info is None:
            raise Corrupt(f"The part {name[:100]} is missing.")
        if info.flag_bits & 1:
            raise Encrypted("The document needs a password.")
        is_bomb = info.file_size > 1_000_000 and info.file_size > MAX_RATIO * max(1, info.compress_size)
        self._read_bytes += info.file_size
        if is_bomb or info.file_size > MAX_PART_BYTES or self._read_bytes > MAX_TOTAL_BYTES:
            raise Corrupt(f"The part {name[:100]} unpacks to {info.file_size:,} bytes.")
        try:
            with self._archive.open(info) as stream:
                return stream.read(info.file_size + 1)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            NotImplementedError,
            RuntimeError,
            ValueError,
        ) as error:
            raise Corrupt(f"The part {name[:100]} cannot be unpacked: {error}.") from None

    def xml(self, name: str) -> etree._Element:
        """Root element of a part."""
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True,
            remove_comments=True, remove_pis=True,
        )  # fmt: skip
        try:
            root = etree.fromstring(self.data(name), parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise Corrupt(f"The part {name[:100]} cannot be parsed: {error}.") from None
        if root is None:
            raise Corrupt(f"The part {name[:100]} has no element.")
        return root

    def optional_xml(self, name: str) -> etree._Element | None:
        """Root element of a part that may be missing or damaged."""
        try:
            return self.xml(name) if name in self else None
        except Corrupt:
            return None

    def relationships(self, part: str) -> dict[str, Relationship]:
        """Relationships of a part by their ids; "" for those of the package."""
        folder, _, name = part.rpartition("/")
        root = self.optional_xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        found: dict[str, Relationship] = {}
        for element in root if root is not None else ():
            target, kind = element.get("Target") or "", (element.get("Type") or "").rpartition("/")[2]
            is_external = element.get("TargetMode") == "External"
            if not is_external:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            found[element.get("Id") or ""] = Relationship(kind, target, is_external)
        return found

    def main_part(self, default: str) -> str:
        """Name of the part with the document itself."""
        named = (one.target for one in self.relationships("").values() if one.kind == "officeDocument")
        return next((one for one in named if one in self), default)


@contextmanager
def opened(path: Path) -> Iterator[Package]:
    """The package of a file."""
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, NotImplementedError, IndexError) as error:
        raise Corrupt(f"The document cannot be unpacked: {error}.") from None
    with archive:
        if len(archive.infolist()) > MAX_MEMBERS:
            raise Corrupt(f"The document has more than {MAX_MEMBERS:,} parts.")
        yield Package(archive)


def first_member(start: bytes) -> str:
    """Name of the first member of a ZIP file, by its first bytes."""
    size = int.from_bytes(start[26:28], "little")
    return start[30 : 30 + size].decode("utf-8", "replace") if start.startswith(b"PK\x03\x04") else ""


def relationship_id(element: etree._Element, name: str = "id") -> str:
    """The id of the relationship that an element names."""
    return element.get(RELATIONSHIP_ID + name) or element.get(STRICT_RELATIONSHIP_ID + name) or ""


def local_name(element: etree._Element) -> str:
    """Name of an element without its namespace; "" for comments and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: etree._Element | None, name: str, default: str = "") -> str:
    """An attribute by its local name; strict and transitional documents differ in namespaces."""
    if element is None:
        return default
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(value)
    return default


def child(element: etree._Element | None, *path: str) -> etree._Element | None:
    """A descendant by local names."""
    for name in path:
        if element is None:
            return None
        element = next((one for one in element if local_name(one) == name), None)
    return element

"""Reader of PPTX (and PPTM, PPSX): slides with the text of shapes, groups, tables and equations, notes, comments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from lxml import etree

from openseer.core.model.file_head import FileHead
from openseer.extract.office.docx_reader import core_properties, is_package
from openseer.extract.office.equations import omml_text
from openseer.extract.office.package import Package, Relationship, attribute, child, local_name, opened, relationship_id
from openseer.extract.office.slides import Slide, SlideText, structure_of_slides
from openseer.extract.structured.document import StructuredText

name, version = "pptx", 1
mime, suffix = "application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"
marks: tuple[bytes, ...] = (b"ppt/presentation.xml",)
TITLES = frozenset({"title", "ctrTitle"})
NOT_TEXT = frozenset({"sldNum", "dt", "hdr", "sldImg"})
"""Placeholders of numbers, dates and pictures of slides."""
LISTS = frozenset({"body", "obj", ""})
MAX_DEPTH = 100


def recognises(head: FileHead) -> bool:
    """True for a ZIP file with the main part of a PPTX."""
    return is_package(head, "ppt/") and marks[0] in head.marks


def read(path: Path, select_pages: Callable[[int], Iterable[int]] = range) -> StructuredText:
    """The slides of a presentation; hidden ones too."""
    with opened(path) as package:
        main = package.main_part("ppt/presentation.xml")
        relationships = package.relationships(main)
        slide_list = child(package.xml(main), "sldIdLst")
        targets = [relationships.get(relationship_id(one)) for one in (slide_list if slide_list is not None else ())]
        footers: dict[str, None] = {}
        slides = [_Slide(package, one.target, footers).slide() for one in targets if one is not None]
        heads = [Slide((), tuple(footers))] if footers else []
        return structure_of_slides([*slides, *heads], core_properties(package))


class _Slide:
    """A slide with the parts it names."""

    def __init__(self, package: Package, part: str, footers: dict[str, None]) -> None:
        self._package, self._part, self._footers = package, part, footers
        self._relationships = package.relationships(part)

    def slide(self) -> Slide:
        """Texts and notes."""
        root = self._package.optional_xml(self._part)
        tree = child(root, "cSld", "spTree")
        texts = tuple(self._texts(tree)) if tree is not None else ()
        return Slide(texts, (*self._notes(), *self._comments()))

    def _texts(self, element: etree._Element, depth: int = 0) -> Iterator[SlideText]:
        """Texts of shapes in order; groups are opened."""
        for one in element if depth < MAX_DEPTH else ():
            name = local_name(one)
            if name == "AlternateContent":
                chosen = child(one, "Choice")
                yield from self._texts(one if chosen is None else chosen, depth + 1)
            elif name == "Fallback":
                continue
            elif name in ("sp", "cxnSp", "pic"):
                yield from self._shape(one)
            elif name == "graphicFrame":
                yield from self._frame(one)
            elif name in ("grpSp", "contentPart"):
                yield from self._texts(one, depth + 1)

    def _shape(self, shape: etree._Element) -> Iterator[SlideText]:
        properties = next((one for one in shape if local_name(one).startswith("nv")), None)
        placeholder = child(properties, "nvPr", "ph")
        kind = attribute(placeholder, "type")
        body = child(shape, "txBody")
        if body is None or kind in NOT_TEXT:
            return
        text = text_of(body)
        if kind == "ftr":
            self._footers |= dict.fromkeys([text] if text.strip() else [])
        elif text.strip():
            yield SlideText(text, kind in TITLES, placeholder is not None and kind in LISTS)

    def _frame(self, frame: etree._Element) -> Iterator[SlideText]:
        """A table, or the text of a diagram or chart."""
        data = child(frame, "graphic", "graphicData")
        table = child(data, "tbl")
        if table is not None:
            rows = ([one for one in row if local_name(one) == "tc"] for row in table if local_name(row) == "tr")
            yield SlideText(
                "", rows=tuple(tuple(_one_line(text_of(child(cell, "txBody"))) for cell in row) for row in rows)
            )
        for one in data if data is not None else ():
            if local_name(one) in ("relIds", "chart"):
                target = self._relationships.get(relationship_id(one, "dm") or relationship_id(one))
                root = self._package.optional_xml(target.target) if target else None
                if root is not None:
                    yield SlideText("\n".join(_paragraphs(root)))

    def _related(self, kind: str) -> list[Relationship]:
        return [one for one in self._relationships.values() if one.kind == kind and not one.is_external]

    def _notes(self) -> Iterator[str]:
        """Speaker notes."""
        for one in self._related("notesSlide"):
            root = self._package.optional_xml(one.target)
            for shape in root.iter() if root is not None else ():
                if local_name(shape) == "sp":
                    kind = attribute(child(shape, "nvSpPr", "nvPr", "ph"), "type")
                    if kind not in NOT_TEXT and kind != "ftr":
                        yield text_of(child(shape, "txBody"))

    def _comments(self) -> Iterator[str]:
        for one in self._related("comments"):
            root = self._package.optional_xml(one.target)
            for comment in root if root is not None else ():
                texts = ("".join(part.itertext()) for part in comment.iter() if local_name(part) in ("text", "txBody"))
                yield "Comment: " + " ".join(texts)


def text_of(body: etree._Element | None) -> str:
    """Paragraphs of a text body, one on each line."""
    return "\n".join(_paragraphs(body)) if body is not None else ""


def _paragraphs(element: etree._Element) -> Iterator[str]:
    for one in element.iter():
        if local_name(one) == "p" and (text := "".join(_inline(one)).strip()):
            yield text


def _inline(element: etree._Element, depth: int = 0) -> Iterator[str]:
    for one in element if depth < MAX_DEPTH else ():
        name = local_name(one)
        if name == "t":
            yield one.text or ""
        elif name in ("br", "tab"):
            yield " "
        elif name in ("oMath", "oMathPara"):
            yield f" {omml_text(one)} "
        elif name == "AlternateContent":
            chosen = child(one, "Choice")
            yield from _inline(one if chosen is None else chosen, depth + 1)
        elif name == "fld" and attribute(one, "type").startswith("slidenum"):
            continue
        elif name and name not in ("rPr", "pPr", "Fallback"):
            yield from _inline(one, depth + 1)


def _one_line(text: str) -> str:
    return " ".join(text.split())

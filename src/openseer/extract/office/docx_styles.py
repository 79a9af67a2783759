"""Styles and numbering of DOCX: names, outline levels and formatting with inheritance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml import etree

from openseer.extract.office.numbering import ListCounter, ListLevel
from openseer.extract.office.package import attribute, child, local_name

MAX_INHERITANCE = 20
OFF = frozenset({"0", "false", "off", "none"})
BODY_TEXT_LEVEL = 9
"""Outline level of text."""


@dataclass(frozen=True, slots=True)
class Formatting:
    """What a style or a paragraph states; None where it states nothing."""

    name: str = ""
    outline: int | None = None
    """Outline level from 0."""
    bold: bool | None = None
    hidden: bool | None = None
    size: float | None = None
    centred: bool | None = None
    list_id: str | None = None
    list_level: int | None = None

    def over(self, base: Formatting) -> Formatting:
        """This formatting with the gaps filled from another; the name stays."""
        gaps = {
            field: getattr(base, field)
            for field in ("outline", "bold", "hidden", "size", "centred", "list_id", "list_level")
            if getattr(self, field) is None
        }
        return replace(self, **gaps)


def formatting_of(paragraph: etree._Element | None, run: etree._Element | None, name: str = "") -> Formatting:
    """Formatting stated by w:pPr and w:rPr."""
    values: dict[str, etree._Element] = {}
    for properties in (paragraph, run):
        for one in properties if properties is not None else ():
            values[local_name(one)] = one
    size = attribute(values.get("sz"), "val")
    outline = attribute(values.get("outlineLvl"), "val")
    alignment = attribute(values.get("jc"), "val")
    list_id = attribute(child(values.get("numPr"), "numId"), "val") or None
    list_level = attribute(child(values.get("numPr"), "ilvl"), "val")
    return Formatting(
        name=name,
        outline=int(outline) if outline.isdigit() else None,
        bold=_toggle(values.get("b")),
        hidden=_toggle(values.get("vanish")),
        size=_half_points(size),
        centred=alignment == "center" if alignment else None,
        list_id=list_id,
        list_level=int(list_level) if list_level.isdigit() else None,
    )


def _toggle(element: etree._Element | None) -> bool | None:
    return None if element is None else attribute(element, "val", "1") not in OFF


def _half_points(value: str) -> float | None:
    try:
        return float(value) / 2
    except ValueError:
        return None


class Styles:
    """Styles of a document by their ids."""

    def __init__(self, root: etree._Element | None) -> None:
        self._own: dict[str, Formatting] = {}
        self._bases: dict[str, str] = {}
        self._resolved: dict[str, Formatting] = {}
        self._default = Formatting(size=10.0)
        self.default_id = ""
        for one in root if root is not None else ():
            if local_name(one) == "docDefaults":
                stated = formatting_of(None, child(one, "rPrDefault", "rPr"))
                self._default = stated.over(self._default)
            elif local_name(one) == "style":
                self._add(one)

    def _add(self, style: etree._Element) -> None:
        key = attribute(style, "styleId")
        name = attribute(child(style, "name"), "val") or key
        self._own[key] = formatting_of(child(style, "pPr"), child(style, "rPr"), name)
        self._bases[key] = attribute(child(style, "basedOn"), "val")
        if attribute(style, "type") == "paragraph" and attribute(style, "default", "0") not in OFF:
            self.default_id = key

    def of(self, key: str) -> Formatting:
        """Formatting of a paragraph style with what it inherits."""
        if key not in self._resolved:
            found, base = self._own.get(key, Formatting(name=key)), self._bases.get(key, "")
            for _ in range(MAX_INHERITANCE):
                if base not in self._own:
                    break
                found, base = found.over(self._own[base]), self._bases.get(base, "")
            self._resolved[key] = found.over(self._default)
        return self._resolved[key]

    def own(self, key: str) -> Formatting:
        """What a character style states itself."""
        return self._own.get(key, Formatting())


class Numbering:
    """Lists of a document; lists of the same definition count on."""

    def __init__(self, root: etree._Element | None, styles: Styles) -> None:
        self._definitions: dict[str, dict[int, ListLevel]] = {}
        self._lists: dict[str, tuple[str, dict[int, ListLevel]]] = {}
        self._counters: dict[str, ListCounter] = {}
        self.style_levels: dict[str, int] = {}
        """Level of a list by the style that the level names."""
        for one in root if root is not None else ():
            if local_name(one) == "abstractNum":
                self._definitions[attribute(one, "abstractNumId")] = dict(self._levels_of(one))
            elif local_name(one) == "num":
                overrides = (over for over in one if local_name(over) == "lvlOverride")
                own = {level: known for over in overrides for level, known in self._levels_of(over)}
                self._lists[attribute(one, "numId")] = (attribute(child(one, "abstractNumId"), "val"), own)

    def _levels_of(self, element: etree._Element) -> Iterator[tuple[int, ListLevel]]:
        for one in element:
            number = attribute(one, "ilvl")
            if local_name(one) == "lvl" and number.isdigit():
                start = attribute(child(one, "start"), "val", "1")
                form = attribute(child(one, "numFmt"), "val", "decimal")
                pattern = attribute(child(one, "lvlText"), "val")
                if style := attribute(child(one, "pStyle"), "val"):
                    self.style_levels[style] = int(number)
                yield int(number), ListLevel(form, pattern, int(start) if start.isdigit() else 1)

    def marker(self, list_id: str, level: int) -> str:
        """Printed number of the next item; "" for no list."""
        if list_id not in self._lists:
            return ""
        definition, own = self._lists[list_id]
        key = f"{definition}/{list_id}" if own else definition
        if key not in self._counters:
            self._counters[key] = ListCounter(self._definitions.get(definition, {}) | own)
        return self._counters[key].next_marker(level)

"""Styles and lists of ODT: names of parents, formatting with inheritance, numbers of lists and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree

from openseer.extract.office.numbering import ListCounter, ListLevel
from openseer.extract.office.package import attribute, child, local_name

MAX_INHERITANCE = 20
ESCAPE = re.compile(r"_([0-9a-f]{2,4})_")
FORMATS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "": "none"}
"""Number formats of OpenDocument -> ours."""


@dataclass(frozen=True, slots=True)
class OdtFormatting:
    """Formatting of a style with what it inherits."""

    name: str = ""
    """Name of the nearest style that a user knows; automatic styles have none."""
    bold: bool = False
    centred: bool = False
    size: float = 0.0
    raised: bool = False
    hidden: bool = False
    starts_page: bool = False
    list_style: str = ""


@dataclass(slots=True)
class OdtStyles:
    """Styles of content.xml and styles.xml."""

    _elements: dict[tuple[str, str], etree._Element] = field(default_factory=dict)
    _automatic: set[tuple[str, str]] = field(default_factory=set)
    _lists: dict[str, dict[int, ListLevel]] = field(default_factory=dict)
    _resolved: dict[tuple[str, str], OdtFormatting] = field(default_factory=dict)
    _default: OdtFormatting = OdtFormatting(size=12.0)
    outline: ListCounter = field(default_factory=lambda: ListCounter({}))
    """Numbers of headings."""

    def add(self, root: etree._Element | None) -> None:
        """Add the styles of a part."""
        for group in root if root is not None else ():
            if local_name(group) in ("automatic-styles", "styles"):
                for one in group:
                    self._add_one(one, local_name(group) == "automatic-styles")

    def _add_one(self, one: etree._Element, is_automatic: bool) -> None:
        name = local_name(one)
        if name == "style":
            key = attribute(one, "family"), attribute(one, "name")
            self._elements[key] = one
            if is_automatic:
                self._automatic.add(key)
        elif name == "default-style" and attribute(one, "family") == "paragraph":
            self._default = _changed(self._default, one)
        elif name == "list-style":
            self._lists[attribute(one, "name")] = dict(_levels_of(one))
        elif name == "outline-style":
            self.outline = ListCounter(dict(_levels_of(one)))

    def of(self, name: str, family: str = "paragraph") -> OdtFormatting:
        """Formatting of a style."""
        key = family, name
        if key not in self._resolved:
            chain: list[tuple[str, str]] = []
            while key in self._elements and len(chain) < MAX_INHERITANCE:
                chain.append(key)
                key = family, attribute(self._elements[key], "parent-style-name")
            found = self._default if family == "paragraph" else OdtFormatting()
            for one in reversed(chain):
                found = _changed(found, self._elements[one])
            known = next((one for one in chain if one not in self._automatic), (family, name if not chain else ""))
            self._resolved[family, name] = replace(found, name=_display_name(known[1]))
        return self._resolved[family, name]

    def list_counter(self, name: str) -> ListCounter:
        """A counter for a new list."""
        return ListCounter(self._lists.get(name, {}))

    def is_bold(self, name: str) -> bool | None:
        """Weight that a character style states; None if it states none."""
        found = self._elements.get(("text", name))
        weight = attribute(child(found, "text-properties"), "font-weight")
        return None if not weight else weight in ("bold", "600", "700", "800", "900")


def _changed(found: OdtFormatting, style: etree._Element) -> OdtFormatting:
    """Formatting with what one style states."""
    text, paragraph = child(style, "text-properties"), child(style, "paragraph-properties")
    values: dict[str, Any] = {}
    if weight := attribute(text, "font-weight"):
        values["bold"] = weight in ("bold", "600", "700", "800", "900")
    if size := attribute(text, "font-size"):
        values["size"] = _points(size, found.size)
    if position := attribute(text, "text-position"):
        values["raised"] = position.startswith("super") or position[:1].isdigit()
    if display := attribute(text, "display"):
        values["hidden"] = display == "none"
    if alignment := attribute(paragraph, "text-align"):
        values["centred"] = alignment == "center"
    values["starts_page"] = attribute(paragraph, "break-before") == "page" or bool(attribute(style, "master-page-name"))
    if list_style := attribute(style, "list-style-name"):
        values["list_style"] = list_style
    return replace(found, **values)


def _points(size: str, base: float) -> float:
    units = {"pt": 1.0, "in": 72.0, "cm": 28.35, "mm": 2.835, "px": 0.75}
    try:
        if size.endswith("%"):
            return base * float(size[:-1]) / 100
        return float(size[:-2]) * units.get(size[-2:], 1.0)
    except ValueError:
        return base


def _levels_of(style: etree._Element) -> Iterator[tuple[int, ListLevel]]:
    for one in style:
        number = attribute(one, "level")
        if not number.isdigit():
            continue
        level = int(number) - 1
        if "bullet" in local_name(one) or "image" in local_name(one):
            yield level, ListLevel("bullet")
            continue
        form = FORMATS.get(attribute(one, "num-format"), "none")
        shown = attribute(one, "display-levels", "1")
        first = max(0, level + 1 - (int(shown) if shown.isdigit() else 1))
        places = ".".join(f"%{at + 1}" for at in range(first, level + 1))
        start = attribute(one, "start-value", "1")
        pattern = attribute(one, "num-prefix") + places + attribute(one, "num-suffix") if form != "none" else ""
        yield level, ListLevel(form, pattern, int(start) if start.isdigit() else 1)


def _display_name(name: str) -> str:
    """Name of a style without the escapes of OpenDocument.

    >>> _display_name("Heading_20_1")
    'Heading 1'
    """
    return ESCAPE.sub(lambda code: chr(int(code[1], 16)), name)

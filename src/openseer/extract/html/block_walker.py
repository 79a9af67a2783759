"""Walk through the main element of a page: blocks with roles, without navigation and hidden parts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from openseer.extract.structured.document import Block, Role
from openseer.extract.structured.superscripts import superscript

SKIPPED = frozenset({
    "script", "style", "noscript", "template", "nav", "aside", "footer", "form", "button", "select", "input", "svg",
    "iframe", "object", "canvas", "audio", "video", "dialog", "menu", "head", "title", "textarea", "map",
})  # fmt: skip
"""Elements without main text."""
MAIN = frozenset({"html", "body", "article", "main"})
"""Elements that are no boilerplate, whatever their class."""
INLINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
    "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
    "var", "wbr", "acronym", "label", "math", "nobr",
})  # fmt: skip
HEADINGS = {f"h{level}": level for level in range(1, 7)}
BOILERPLATE = re.compile(
    r"(?:^|[-_ ])(?:nav|navbar|navigation|menu|sidebar|breadcrumbs?|cookies?|share|sharing|social|footer|toolbar|"
    r"advert|ads?|banner|comments?|related|recommend(?:ed|ations)?|pagination|skip|login|signin|newsletter|popup|modal)"
    r"(?:$|[-_ ])",
    re.I,
)
ABSTRACT = re.compile(r"(?:^|[-_ ])abstract(?:$|[-_ ])", re.I)
AUTHOR = re.compile(r"(?:^|[-_ ])(?:authors?|byline|contrib(?:utors?)?)(?:$|[-_ ])", re.I)
BIBLIOGRAPHY = re.compile(
    r"(?:^|[-_ ])(?:references?|ref-list|bibliography|citation-list|csl-bib-body|reflist)(?:$|[-_ ])", re.I
)
ROLES_OF_BOILERPLATE = frozenset({"navigation", "banner", "contentinfo", "search", "complementary", "menu", "dialog"})
MAX_DEPTH = 120
"""Nesting that is walked; the text of deeper elements is one paragraph."""
MAX_LINKS = 20_000
MIN_MAIN_SHARE = 0.4
"""Share of the text of the body that the main element must have."""


def main_element(page: HtmlElement) -> HtmlElement:
    """The element with the main text: `article` or `main` if it has most of the text, else the body."""
    body = page.find("body")
    body = page if body is None else body
    whole = max(1, len(body.text_content()))
    for path in (".//article", ".//main", ".//*[@role='main']"):
        found = body.findall(path)
        if len(found) == 1 and len(found[0].text_content()) > MIN_MAIN_SHARE * whole:
            return found[0]
    return body


class BlockWalker:
    """Collects blocks, links and the abstract of a page."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.links: list[str] = []
        self.abstract: list[str] = []
        self._inline: list[str] = []
        self._role = Role.PARAGRAPH
        self._in_abstract = self._in_bibliography = False

    def walk(self, element: HtmlElement, depth: int = 0) -> None:
        """Collect the blocks of an element."""
        if not isinstance(element.tag, str):
            return
        if depth > MAX_DEPTH:
            self._inline.append(element.text_content())
            return
        tag = element.tag.rpartition("}")[2].lower()
        if tag in SKIPPED or _is_hidden(element) or (tag not in MAIN and _is_boilerplate(element)):
            return
        if tag in INLINE:
            self._add_inline(element, depth)
        elif tag == "br":
            self._inline.append("\n")
        else:
            self._flush()
            self._walk_block(element, tag, depth)
            self._flush()

    def _walk_block(self, element: HtmlElement, tag: str, depth: int) -> None:
        if tag in HEADINGS:
            self._heading(element, HEADINGS[tag])
        elif tag == "table" and _is_data_table(element):
            self._table(element)
        elif tag == "pre":
            self._append(Block(Role.LINES, element.text_content()))
        else:
            self._container(element, tag, depth)

    def _container(self, element: HtmlElement, tag: str, depth: int) -> None:
        before = self._role, self._in_abstract, self._in_bibliography
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        self._in_abstract = self._in_abstract or bool(ABSTRACT.search(names))
        self._in_bibliography = self._in_bibliography or bool(BIBLIOGRAPHY.search(names))
        if tag in ("li", "dt", "dd"):
            self._role = Role.ITEM
            self._inline.append(_number(element))
        elif tag in ("figcaption", "caption"):
            self._role = Role.CAPTION
        elif AUTHOR.search(names) and len(element.text_content()) < 500:
            self._role = Role.AUTHORS
        self._children(element, depth)
        self._flush()
        self._role, self._in_abstract, self._in_bibliography = before

    def _children(self, element: HtmlElement, depth: int) -> None:
        self._inline.append(element.text or "")
        for child in element:
            self.walk(child, depth + 1)
            self._inline.append(child.tail or "")

    def _add_inline(self, element: HtmlElement, depth: int) -> None:
        address = element.get("href") if element.tag == "a" else None
        if address and address.startswith(("http://", "https://")) and len(self.links) < MAX_LINKS:
            self.links.append(address)
        start = len(self._inline)
        self._children(element, depth)
        if element.tag == "sup":
            self._inline[start:] = [superscript("".join(self._inline[start:]))]

    def _heading(self, element: HtmlElement, level: int) -> None:
        text = " ".join(element.text_content().split())
        if level == 1 and text and not any(block.role is Role.TITLE for block in self.blocks):
            self.blocks.append(Block(Role.TITLE, text))
        elif text:
            self._append(Block(Role.HEADING, text, level=max(1, level - 1)))

    def _table(self, element: HtmlElement) -> None:
        caption = element.find("caption")
        if caption is not None and (text := " ".join(caption.text_content().split())):
            self._append(Block(Role.CAPTION, text))
        rows = (tuple(" ".join(cell.text_content().split()) for cell in _cells(row)) for row in element.iter("tr"))
        self._append(Block(Role.TABLE, rows=tuple(row for row in rows if any(row))))

    def _flush(self) -> None:
        """End the current paragraph."""
        text = "".join(self._inline)
        self._inline.clear()
        if text.strip():
            role = Role.REFERENCE if self._in_bibliography and self._role is not Role.CAPTION else self._role
            text = " ".join(text.split())
            self._append(Block(role, text))
            if self._in_abstract and text.strip(".: ").lower() not in ("abstract", "summary"):
                self.abstract.append(text)

    def _append(self, block: Block) -> None:
        if block.text.strip() or block.rows:
            self.blocks.append(block)


def _number(item: HtmlElement) -> str:
    """The number that a browser prints before an item of an ordered list."""
    parent = item.getparent()
    if item.tag != "li" or parent is None or parent.tag != "ol":
        return ""
    start, value = parent.get("start") or "1", item.get("value") or ""
    if value.isdecimal():
        return f"{value}. "
    before = sum(1 for _ in item.itersiblings("li", preceding=True))
    return f"{before + (int(start) if start.isdecimal() else 1)}. "


def _cells(row: HtmlElement) -> Iterator[HtmlElement]:
    return (cell for cell in row if cell.tag in ("td", "th"))


def _is_data_table(table: HtmlElement) -> bool:
    """False for a table that lays out a page: it has blocks or other tables in its cells."""
    if table.find(".//table") is not None or table.get("role") == "presentation":
        return False
    return not any(table.find(f".//{tag}") is not None for tag in ("h1", "h2", "h3", "ul", "ol"))


def _is_hidden(element: HtmlElement) -> bool:
    style = (element.get("style") or "").replace(" ", "").lower()
    return "hidden" in element.attrib or element.get("aria-hidden") == "true" or "display:none" in style


def _is_boilerplate(element: HtmlElement) -> bool:
    if element.get("role") in ROLES_OF_BOILERPLATE:
        return True
    names = f"{element.get('class') or ''} {element.get('id') or ''}".strip()
    return bool(names) and bool(BOILERPLATE.search(names))

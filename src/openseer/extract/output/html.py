"""HTML reading view: one self-contained page with sections and linked citation markers."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from openseer.core.model.extraction import Extraction, Reference
from openseer.extract.citations.linked_paragraphs import LinkedText, linked_paragraphs

STYLE = """
:root{color-scheme:light dark}
body{font:1.06rem/1.6 Georgia,"Times New Roman",serif;max-width:42rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.7rem;line-height:1.25}h2{font-size:1.3rem}h3{font-size:1.1rem}h4,h5,h6{font-size:1rem}
.by,.where,.page{color:GrayText;font-family:system-ui,sans-serif;font-size:.9rem}
.abstract{border-left:3px solid;padding-left:1rem}
a.cites{text-decoration:none;background:color-mix(in srgb,Highlight 18%,transparent);border-radius:3px;padding:0 .15em}
ol.references{font-size:.92rem}li:target{background:color-mix(in srgb,Highlight 25%,transparent)}
"""
EXCLUDED_TYPES = ("references", "abstract")
"""Sections with a place of their own on the page."""


def html(found: Extraction, path: Path) -> bytes:
    """The reading view."""
    title = escape(found.title or path.name)
    parts = [
        f'<!doctype html><html lang="{escape(found.language or "en")}"><head><meta charset="utf-8">',
        f'<meta name="viewport" content="width=device-width"><title>{title}</title><style>{STYLE}</style></head><body>',
        f"<h1>{title}</h1>",
        f'<p class="by">{escape(", ".join(author.name for author in found.authors))}</p>',
        f'<p class="where">{escape(_where(found))}</p>',
        f'<section class="abstract"><h2>Abstract</h2><p>{escape(found.abstract)}</p></section>'
        if found.abstract
        else "",
        *_sections(found),
        "<h2>References</h2>" if found.references else "",
        '<ol class="references">' if found.references else "",
        *(_entry(number, one) for number, one in enumerate(found.references, 1)),
        "</ol>" if found.references else "",
        "</body></html>\n",
    ]
    return "\n".join(filter(None, parts)).encode()


def _where(found: Extraction) -> str:
    numbers = " ".join(filter(None, [found.volume, f"({found.issue})" if found.issue else "", found.page_range]))
    return ", ".join(filter(None, [found.venue, numbers, str(found.year or ""), found.doi]))


def _sections(found: Extraction) -> Iterator[str]:
    shown = [section for section in found.sections if section.type not in EXCLUDED_TYPES]
    for section, passages in zip(shown, linked_paragraphs(shown, found.references), strict=True):
        level = min(section.level + 1, 6)
        head = f'<h{level}>{escape(section.heading)} <span class="page">p. {section.page}</span></h{level}>'
        text = "".join(f"<p>{''.join(map(_link, passage.pieces))}</p>" for passage in passages)
        yield f"<section>{head if section.heading else ''}{text}</section>"


def _link(piece: LinkedText) -> str:
    """The text; a citation marker links to the first reference it cites."""
    if not piece.entries:
        return escape(piece.text)
    return f'<a class="cites" href="#r{piece.entries[0] + 1}">{escape(piece.text)}</a>'


def _entry(number: int, one: Reference) -> str:
    pages = sorted({context.page for context in one.contexts if context.page})
    cited = f' <span class="page">cited on p. {", ".join(map(str, pages))}</span>' if pages else ""
    return f'<li id="r{number}">{escape(one.raw)}{cited}</li>'
